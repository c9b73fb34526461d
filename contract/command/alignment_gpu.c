/* Effects of alignment on GPUs: machine code for all architectures that NVRTC supports, and a model
 * of its execution. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "contract/model/model.h"
#include "contract/command/alignment.h"
#include "contract/command/alignment_texts.h"
#include "core/memory.h"
#include "exec/cuda/load.h"

/* The library's option for devices: each operation is rounded once. */
static const char exact[] = "--fmad=false";

/* ---- NVRTC ---- */

static stn_status take_code(const stn_cuda_compiler *nvrtc, void *program, const char *target,
                            void **bytes, size_t *size)
{
    if (nvrtc->program_code_bytes(program, size) != 0 || *size == 0)
        return stn_fail(STN_ERR_DEVICE, "NVRTC returned no code for %s", target);
    STN_TRY(stn_allocate(bytes, (int64_t)*size, 1, "a cubin"));
    if (nvrtc->program_code(program, *bytes) == 0)
        return STN_OK;
    stn_free(*bytes);
    *bytes = NULL;
    return stn_fail(STN_ERR_DEVICE, "NVRTC returned no code for %s", target);
}

stn_status alignment_compile(const stn_cuda_compiler *nvrtc, const char *target, void **bytes,
                             size_t *size)
{
    static const char *const name = "complex.h", *const header = alignment_header;
    char architecture[48];
    const char *const options[] = {architecture, exact};
    void *program = NULL;
    *bytes = NULL;
    snprintf(architecture, sizeof architecture, "--gpu-architecture=%s", target);
    if (nvrtc->program_make(&program, alignment_cuda, "complex.cu", 1, &header, &name) != 0)
        return stn_fail(STN_ERR_DEVICE, "NVRTC rejects complex.cu");
    const stn_status status =
        nvrtc->program_compile(program, sizeof options / sizeof *options, options) == 0
            ? take_code(nvrtc, program, target, bytes, size)
            : stn_fail(STN_ERR_DEVICE, "NVRTC does not compile complex.cu for %s", target);
    (void)nvrtc->program_end(&program);
    return status;
}

/* ---- opcodes ---- */

/* A mnemonic without its predicate and without the text from the first period on. */
static void name_opcode(const char *text, char *name, size_t capacity)
{
    if (*text == '@')
        text += strcspn(text, " ") + (text[strcspn(text, " ")] == ' ');
    snprintf(name, capacity, "%.*s", (int)strcspn(text, " ."), text);
}

static void add_opcode(alignment_gpu *gpu, const char *name, int which, int64_t times)
{
    int k = 0;
    while (k < gpu->opcode_count && strcmp(gpu->opcodes[k].name, name) != 0)
        k++;
    if (k == MAX_OPCODES)
        return;
    if (k == gpu->opcode_count) {
        gpu->opcodes[gpu->opcode_count++] = (alignment_opcode){.times = {0}};
        snprintf(gpu->opcodes[k].name, sizeof gpu->opcodes[k].name, "%s", name);
    }
    int64_t *const sum = &gpu->opcodes[k].times[which];
    *sum = times == STN_UNTOLD || *sum == STN_UNTOLD ? STN_UNTOLD : *sum + times;
}

static stn_status count_opcodes(const stn_code *code, const stn_gpu_launch *launch, int which,
                                alignment_gpu *gpu)
{
    int64_t *times;
    char name[16];
    STN_TRY(stn_allocate(&times, code->count, sizeof *times, "instructions"));
    const stn_status status = stn_code_executions(code, launch, times);
    for (int32_t i = 0; status == STN_OK && i < code->count; i++) {
        name_opcode(code->text + code->instructions[i].text, name, sizeof name);
        add_opcode(gpu, name, which, times[i]);
    }
    stn_free(times);
    return status;
}

/* ---- one architecture ---- */

static void fill_model(const stn_gpu_counts *counts, int which, alignment_values *model)
{
    double(*const of)[ALIGNMENTS] = model->of;
    of[EXECUTED_LOADS][which] = (double)counts->global_loads;
    of[EXECUTED_STORES][which] = (double)counts->global_stores;
    of[EXECUTED_LOCAL_STORES][which] = (double)counts->local_stores;
    of[EXECUTED_INSTRUCTIONS][which] =
        counts->instructions == STN_UNTOLD ? NAN : (double)counts->instructions;
    of[LOAD_REQUESTS][which] = (double)counts->load_requests;
    of[LOAD_SECTORS][which] = (double)counts->load_sectors;
    of[STORE_SECTORS][which] = (double)counts->store_sectors;
    of[LOAD_MISSES][which] = counts->load_misses < 0 ? NAN : (double)counts->load_misses;
    of[L2_MISSES][which] = of[LOAD_MISSES][which];
    of[DRAM_BYTES][which] = STN_SECTOR_BYTES * of[LOAD_MISSES][which];
}

static stn_status look_at_kernel(const alignment_settings *settings, stn_image *image, int which,
                                 alignment_gpu *gpu)
{
    const stn_gpu_launch launch =
        STN_INIT(stn_gpu_launch, .blocks = settings->blocks, .threads = settings->threads,
                 .elements = settings->elements);
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    stn_gpu_counts executed = STN_GPU_COUNTS_INIT;
    stn_code_counts *const counts = &gpu->counts[which];
    int32_t function;
    *counts = (stn_code_counts)STN_CODE_COUNTS_INIT;
    STN_TRY(stn_image_find(image, alignment_kernels[which], &function));
    STN_TRY(stn_image_function(image, function, &info));
    STN_TRY(stn_image_count(image, function, STN_LOOP_NONE, counts));
    STN_TRY(stn_image_model(image, function, &launch, &executed));
    STN_TRY(count_opcodes(&image->codes[function], &launch, which, gpu));
    gpu->registers[which] = info.registers;
    fill_model(&executed, which, &gpu->model);
    return STN_OK;
}

static stn_status look_at_target(const stn_cuda_compiler *nvrtc, const alignment_settings *settings,
                                 alignment_gpu *gpu)
{
    stn_image *image;
    void *bytes;
    size_t size = 0;
    STN_TRY(alignment_compile(nvrtc, gpu->target, &bytes, &size));
    stn_status status = stn_image_open_memory(&image, bytes, size, gpu->target);
    stn_free(bytes);
    if (status != STN_OK)
        return status;
    for (int which = 0; which < ALIGNMENTS && status == STN_OK; which++)
        status = look_at_kernel(settings, image, which, gpu);
    stn_image_close(image);
    alignment_derive(settings, &gpu->model);
    return status;
}

stn_status alignment_look_at_gpus(alignment *all)
{
    enum { OLDEST = 75 }; /* the oldest architecture whose instructions are known */
    const stn_cuda_compiler *nvrtc;
    if (stn_cuda_compiler_get(&stn_cuda_platform_nvidia, 0, &nvrtc) != STN_OK) {
        snprintf(all->gpu_note, sizeof all->gpu_note, "%s", stn_error());
        return STN_OK;
    }
    for (int k = 0; k < nvrtc->architectures; k++) {
        if (nvrtc->architecture[k] < OLDEST)
            continue;
        alignment_gpu *const gpu = &all->gpus[all->gpu_count++];
        memset(gpu, 0, sizeof *gpu);
        snprintf(gpu->target, sizeof gpu->target, "sm_%d", nvrtc->architecture[k]);
        STN_TRY(look_at_target(nvrtc, &all->settings, gpu));
    }
    if (all->gpu_count == 0)
        snprintf(all->gpu_note, sizeof all->gpu_note, "NVRTC supports no known architecture");
    return STN_OK;
}
