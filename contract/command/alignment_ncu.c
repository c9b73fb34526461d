/* Counters of a GPU for the same launch. NVIDIA's profiler ncu runs this program, which launches
 * the kernels in an NVTX range, and the table that ncu prints is parsed. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/command/alignment.h"
#include "process.h"
#include "core/memory.h"
#include "exec/cuda/load.h"

#define RANGE "alignment"

/* The target of a device, such as "sm_90". */
static const char *target_of(stn_device *device)
{
    const char *const name = strstr(stn_cuda_of(device)->architecture, "sm_");
    return name ? name : "";
}

/* ---- the launch ---- */

static stn_status launch_both(stn_device *device, const alignment_settings *settings, void *module,
                              void *const memory[3])
{
    int count = (int)settings->elements;
    void *arguments[] = {(void *)(uintptr_t)&memory[0], (void *)(uintptr_t)&memory[1],
                         (void *)(uintptr_t)&memory[2], &count};
    stn_status status = STN_OK;
    alignment_range_push(RANGE);
    for (int which = 0; which < ALIGNMENTS && status == STN_OK; which++) {
        void *function;
        status = stn_device_find(device, module, alignment_kernels[which], &function);
        if (status == STN_OK)
            status = stn_cuda_launch_values(device, alignment_kernels[which], function,
                                            (unsigned)settings->blocks, (unsigned)settings->threads,
                                            arguments);
    }
    if (status == STN_OK)
        status = stn_device_wait(device);
    alignment_range_pop();
    return status;
}

static stn_status launch_over(stn_device *device, const alignment_settings *settings, void *module)
{
    const int64_t bytes = settings->elements * ALIGNMENT_ELEMENT;
    void *memory[3] = {NULL, NULL, NULL};
    stn_status status = STN_OK;
    for (int k = 0; k < 3 && status == STN_OK; k++) {
        status = stn_device_allocate(device, "numbers", STN_SPACE_DEVICE, bytes, &memory[k]);
        if (status == STN_OK)
            status = stn_device_fill(device, memory[k], 0, (size_t)bytes);
    }
    if (status == STN_OK)
        status = stn_device_wait(device);
    if (status == STN_OK)
        status = launch_both(device, settings, module, memory);
    for (int k = 0; k < 3; k++)
        if (memory[k])
            stn_device_free(device, STN_SPACE_DEVICE, memory[k]);
    return status;
}

static stn_status launch_on(stn_device *device, const alignment_settings *settings)
{
    const stn_cuda_compiler *nvrtc;
    stn_device_code code = {NULL, 0};
    void *module;
    STN_TRY(
        stn_cuda_compiler_get(&stn_cuda_platform_nvidia, stn_cuda_of(device)->capability, &nvrtc));
    STN_TRY(alignment_compile(nvrtc, target_of(device), &code.bytes, &code.size));
    stn_status status = stn_cuda_load(device, "complex.cu", &code, &module);
    stn_free(code.bytes);
    if (status != STN_OK)
        return status;
    status = launch_over(device, settings, module);
    stn_device_unload(device, module);
    return status;
}

stn_status alignment_launch(const alignment_settings *settings)
{
    stn_device *device;
    STN_TRY(stn_device_open("cuda", 0, &device));
    const stn_status status = launch_on(device, settings);
    stn_device_release(device);
    return status;
}

/* ---- the table of the profiler ---- */

/* The quotation mark that ends a field: two in a row are one of its text. */
static char *end_of_field(char *at)
{
    while (at && at[1] == '"')
        at = strchr(at + 2, '"');
    return at;
}

/* Splits "a","b, c","1,024","a ""b""" in place, and leaves the doubled quotation marks; returns the
 * number of fields. */
enum { MAX_FIELDS = 64 };
static int split_fields(char *line, char *fields[MAX_FIELDS])
{
    int count = 0;
    for (char *at = strchr(line, '"'); at && count < MAX_FIELDS;) {
        char *const end = end_of_field(strchr(at + 1, '"'));
        if (!end)
            break;
        *end = '\0';
        fields[count++] = at + 1;
        at = strchr(end + 1, '"');
    }
    return count;
}

static int field_called(char *const *fields, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(fields[k], name) == 0)
            return k;
    return -1;
}

/* "1,024"; NAN if the text is not a number. */
static double number_of(const char *text)
{
    char digits[64], *end;
    size_t used = 0;
    for (; *text && used < sizeof digits - 1; text++)
        if (*text != ',')
            digits[used++] = *text;
    digits[used] = '\0';
    const double value = strtod(digits, &end);
    return used > 0 && *end == '\0' ? value : NAN;
}

static int kernel_called(const char *name)
{
    for (int which = 0; which < ALIGNMENTS; which++) {
        const size_t length = strlen(alignment_kernels[which]);
        if (strncmp(name, alignment_kernels[which], length) == 0 &&
            (name[length] == '\0' || name[length] == '('))
            return which;
    }
    return -1;
}

static void take_value(alignment_values *measured, const char *kernel, const char *metric,
                       const char *value)
{
    const int which = kernel_called(kernel);
    for (int q = 0; q < QUANTITIES && which >= 0; q++)
        if (alignment_quantities[q].metric && strcmp(alignment_quantities[q].metric, metric) == 0)
            measured->of[q][which] = number_of(value);
}

static void read_table(char *text, alignment_values *measured)
{
    char *fields[MAX_FIELDS], *rest = NULL;
    int kernel = -1, metric = -1, value = -1;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (*line != '"')
            continue;
        const int count = split_fields(line, fields);
        if (metric < 0) {
            kernel = field_called(fields, count, "Kernel Name");
            metric = field_called(fields, count, "Metric Name");
            value = field_called(fields, count, "Metric Value");
        } else if (kernel >= 0 && kernel < count && metric < count && value >= 0 && value < count) {
            take_value(measured, fields[kernel], fields[metric], fields[value]);
        }
    }
}

/* ---- the profiler ---- */

/* Appends a line of text, without its line break, to a message. */
static void quote_line(const char *text, const char *at, char *note, size_t capacity,
                       const char *what)
{
    while (at > text && at[-1] != '\n')
        at--;
    snprintf(note, capacity, "%s: %.*s", what, (int)strcspn(at, "\n"), at);
}

static void list_metrics(char *list, size_t capacity)
{
    size_t used = 0;
    *list = '\0';
    for (int q = 0; q < QUANTITIES; q++)
        if (alignment_quantities[q].metric && used < capacity)
            used += (size_t)snprintf(list + used, capacity - used, "%s%s", used ? "," : "",
                                     alignment_quantities[q].metric);
}

static stn_status run_ncu(const process_folder *folder, const alignment_settings *settings,
                          char **text, int *result)
{
    char self[PROCESS_PATH], output[PROCESS_PATH], metrics[1024], elements[32], threads[32];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 1)
        return stn_fail(STN_ERR_IO, "the location of this program is unknown");
    self[length] = '\0';
    list_metrics(metrics, sizeof metrics);
    snprintf(elements, sizeof elements, "%" PRId64, settings->elements);
    snprintf(threads, sizeof threads, "%" PRId32, settings->threads);
    process_path(folder, "ncu", output);
    const char *const command[] = {
        settings->ncu, "--csv",      "--print-units", "base",      "--nvtx",   "--nvtx-include",
        RANGE "/",     "--metrics",  metrics,         self,        "contract", "alignment",
        "--launch",    "--elements", elements,        "--threads", threads,    NULL};
    STN_TRY(process_run(command, output, result));
    *text = NULL;
    return *result == PROCESS_MISSING ? STN_OK : process_read(output, text);
}

/* Checks that every compared counter of both kernels is present. */
static stn_status check_table(const alignment *all)
{
    for (int q = 0; q < QUANTITIES; q++)
        for (int which = 0; which < ALIGNMENTS; which++)
            if (alignment_quantities[q].metric && alignment_quantities[q].check == CHECK_EQUAL &&
                !isfinite(all->measured.of[q][which]))
                return stn_fail(STN_ERR_IO, "%s reported no %s for %s", all->settings.ncu,
                                alignment_quantities[q].metric, alignment_kernels[which]);
    return STN_OK;
}

static void compare(alignment *all)
{
    const alignment_values *const model = &all->gpus[all->measured_gpu].model;
    char what[160];
    for (int q = 0; q < QUANTITIES; q++)
        for (int which = 0; which < ALIGNMENTS; which++) {
            const double found = all->measured.of[q][which], wanted = model->of[q][which];
            snprintf(what, sizeof what, "%s, %s: %s", all->device, alignment_kernels[which],
                     alignment_quantities[q].name);
            if (alignment_quantities[q].metric && alignment_quantities[q].check == CHECK_EQUAL &&
                isfinite(wanted) && found != wanted)
                alignment_contradict(all, what, found, wanted);
        }
}

static stn_status judge(alignment *all, char *text, int result, int gpu)
{
    const char *const refusal = strstr(text, "ERR_NVGPUCTRPERM");
    if (refusal) {
        quote_line(text, refusal, all->measured_note, sizeof all->measured_note,
                   "not measured: ncu is not permitted to read the counters of this GPU");
        return STN_OK;
    }
    if (result != 0) {
        char said[200];
        const char *const line = strstr(text, "==ERROR==");
        quote_line(text, line ? line : text, said, sizeof said, "its output");
        return stn_fail(STN_ERR_IO, "%s returned exit status %d; %s", all->settings.ncu, result,
                        said);
    }
    read_table(text, &all->measured);
    STN_TRY(check_table(all));
    all->measured_gpu = gpu;
    compare(all);
    alignment_derive(&all->settings, &all->measured);
    return STN_OK;
}

static stn_status measure_in(const process_folder *folder, alignment *all, int gpu)
{
    char *text;
    int result;
    STN_TRY(run_ncu(folder, &all->settings, &text, &result));
    if (result == PROCESS_MISSING) {
        snprintf(all->measured_note, sizeof all->measured_note,
                 "not measured: %s, NVIDIA's profiler, not found", all->settings.ncu);
        return STN_OK;
    }
    const stn_status status = judge(all, text, result, gpu);
    stn_free(text);
    return status;
}

static int find_gpu(const alignment *all, const char *target)
{
    for (int k = 0; k < all->gpu_count; k++)
        if (strcmp(all->gpus[k].target, target) == 0)
            return k;
    return -1;
}

stn_status alignment_measure(alignment *all)
{
    stn_device *device;
    process_folder folder;
    if (stn_device_open("cuda", 0, &device) != STN_OK) {
        snprintf(all->measured_note, sizeof all->measured_note, "not measured: %s", stn_error());
        return STN_OK;
    }
    const int gpu = find_gpu(all, target_of(device));
    snprintf(all->device, sizeof all->device, "%.80s, %.12s", device->name, target_of(device));
    stn_device_release(device);
    if (gpu < 0) {
        snprintf(all->measured_note, sizeof all->measured_note, "not measured: no code for %s",
                 all->device);
        return STN_OK;
    }
    STN_TRY(process_folder_create(&folder));
    const stn_status status = measure_in(&folder, all, gpu);
    process_folder_remove(&folder);
    return status;
}
