/* What alignment does on CPUs: the loops that the system's compilers make, and the accesses that
 * valgrind sees when one of them runs. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <string.h>

#include "contract/isa/code.h"
#include "contract_alignment.h"
#include "contract_alignment_texts.h"
#include "process.h"
#include "core/memory.h"

enum { MOST_WORDS = 16 };

/* Why valgrind cannot run the code of a row; NULL: it can. */
static const char no_avx512[] = "not executed: valgrind does not support AVX-512";
static const char other_machine[] = "not executed: valgrind is used on x86-64 only";

#if defined(__x86_64__)
#    define X86_GCC "gcc"
#    define ON_X86  NULL
#else
#    define X86_GCC "x86_64-linux-gnu-gcc"
#    define ON_X86  other_machine
#endif
#if defined(__aarch64__)
#    define ARM_GCC "gcc"
#else
#    define ARM_GCC "aarch64-linux-gnu-gcc"
#endif

static const struct cpu_row {
    const char *command, *target, *why_not;
} rows[] = {
    {X86_GCC " -O3", "x86-64", ON_X86},
    {X86_GCC " -O3 -march=x86-64-v3", "x86-64-v3", ON_X86},
    {X86_GCC " -O3 -march=x86-64-v4", "x86-64-v4", no_avx512},
    {"clang --target=x86_64-linux-gnu -O3", "x86-64", ON_X86},
    {"clang --target=x86_64-linux-gnu -O3 -march=x86-64-v3", "x86-64-v3", ON_X86},
    {"clang --target=x86_64-linux-gnu -O3 -march=x86-64-v4", "x86-64-v4", no_avx512},
    {ARM_GCC " -O3", "aarch64", other_machine},
    {"clang --target=aarch64-linux-gnu -O3", "aarch64", other_machine},
};

/* Calls both loops. */
static const char program[] =
    "#include \"complex.h\"\n"
    "#define RUN(type)                                             \\\n"
    "    void muladd_##type(type *, const type *, const type *, long); \\\n"
    "    static type type##_a[COUNT], type##_b[COUNT], type##_c[COUNT];\n"
    "RUN(c8)\n"
    "RUN(c16)\n"
    "int main(void)\n"
    "{\n"
    "    muladd_c8(c8_c, c8_a, c8_b, COUNT);\n"
    "    muladd_c16(c16_c, c16_a, c16_b, COUNT);\n"
    "    return 0;\n"
    "}\n";

/* ---- compilers ---- */

/* Words of a command, which `letters` holds, and others behind them. */
static void split(const char *command, char *letters, size_t room, const char *const *more,
                  const char **words)
{
    int count = 0;
    char *rest = NULL;
    snprintf(letters, room, "%s", command);
    for (char *word = strtok_r(letters, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    for (; *more && count < MOST_WORDS - 1; more++)
        words[count++] = *more;
    words[count] = NULL;
}

static stn_status compile(const process_folder *folder, const char *command,
                          const char *const *more, int *result)
{
    const char *words[MOST_WORDS];
    char letters[128], log[PROCESS_PATH];
    split(command, letters, sizeof letters, more, words);
    process_path(folder, "log", log);
    return process_run(words, log, result);
}

static stn_status compile_object(const process_folder *folder, alignment_cpu *cpu)
{
    char source[PROCESS_PATH], object[PROCESS_PATH];
    int result = 0;
    process_path(folder, "complex.c", source);
    process_path(folder, "complex.o", object);
    const char *const more[] = {"-std=c11", "-ffp-contract=off", "-c", source, "-o", object, NULL};
    STN_TRY(compile(folder, cpu->command, more, &result));
    cpu->is_there = result == 0;
    if (result == PROCESS_MISSING)
        snprintf(cpu->note, sizeof cpu->note, "not installed");
    else if (result != 0)
        snprintf(cpu->note, sizeof cpu->note, "it does not compile the loops (status %d)", result);
    return STN_OK;
}

/* ---- loops ---- */

static stn_status count_loop(stn_image *image, int which, alignment_cpu *cpu)
{
    stn_code_counts *const counts = &cpu->counts[which];
    int32_t function;
    *counts = (stn_code_counts){.size = sizeof *counts};
    STN_TRY(stn_image_find(image, alignment_kernels[which], &function));
    return stn_image_count(image, function, STN_LOOP_MAIN, counts);
}

static stn_status look_at_object(const process_folder *folder, alignment_cpu *cpu)
{
    stn_image_info info = {.size = sizeof info};
    char object[PROCESS_PATH];
    stn_image *image;
    process_path(folder, "complex.o", object);
    STN_TRY(stn_image_open(object, &image));
    stn_status status = stn_image_describe(image, &info);
    for (int which = 0; which < ALIGNMENTS && status == STN_OK; which++)
        status = count_loop(image, which, cpu);
    if (status == STN_OK && info.compiler)
        snprintf(cpu->compiler, sizeof cpu->compiler, "%s", info.compiler);
    stn_image_close(image);
    return status;
}

/* ---- what valgrind should see ---- */

static int width_of(int bits)
{
    int width = STN_WIDTH_8;
    while (width < STN_WIDTH_512 && 8 << width < bits)
        width++;
    return width;
}

/* Valgrind takes a multiply-add of vectors apart, and with it an operand in memory. */
static int is_taken_apart(const stn_machine_instruction *at)
{
    return at->operation == STN_OP_FMA && at->lanes > 1;
}

static void expect_instruction(const stn_machine_instruction *at, int32_t times,
                               alignment_accesses *model, int *apart)
{
    model->instructions += times;
    for (int k = 0; k < at->accesses; k++) {
        const stn_access *access = &at->access[k];
        const int parts = is_taken_apart(at) ? at->lanes : 1;
        const int width = width_of(access->bits / parts);
        model->loads[width] += access->reads ? times * parts : 0;
        model->stores[width] += access->writes ? times * parts : 0;
        *apart |= parts > 1;
    }
}

/* Addresses of the instructions of the main loop. */
typedef struct range {
    uint64_t first, last;
} range;

/* Both loops write 1024 elements once each, so what an iteration writes tells how many there are.
 */
static stn_status expect_loop(stn_image *image, int which, alignment_cpu *cpu, range *where,
                              int *apart)
{
    stn_code_counts counts = {.size = sizeof counts};
    int32_t function;
    STN_TRY(stn_image_find(image, alignment_kernels[which], &function));
    STN_TRY(stn_image_count(image, function, STN_LOOP_MAIN, &counts));
    const stn_code *const code = &image->codes[function];
    const stn_loop *const loop = &code->loops[code->main_loop];
    const int64_t all = ALIGNMENT_COUNT * ALIGNMENT_ELEMENT, once = counts.distinct_written;
    if (once < 1 || all % once != 0)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: an iteration writes %" PRId64 " bytes of %" PRId64, cpu->command, once,
                        all);
    cpu->iterations[which] = (int32_t)(all / once);
    for (int32_t i = loop->first; i <= loop->last; i++)
        if (code->loop_of[i] == code->main_loop)
            expect_instruction(&code->instructions[i], cpu->iterations[which], &cpu->model[which],
                               apart);
    *where =
        (range){code->instructions[loop->first].address, code->instructions[loop->last].address};
    return STN_OK;
}

static stn_status expect_loops(const char *path, alignment_cpu *cpu, range where[ALIGNMENTS],
                               int *apart)
{
    stn_image *image;
    *apart = 0;
    STN_TRY(stn_image_open(path, &image));
    stn_status status = STN_OK;
    for (int which = 0; which < ALIGNMENTS && status == STN_OK; which++)
        status = expect_loop(image, which, cpu, &where[which], apart);
    stn_image_close(image);
    return status;
}

/* ---- what it sees ---- */

/* Lines are "I  ADDRESS,BYTES" of an instruction, then " L", " S" or " M" of what it loads, stores
 * or does both with. */
static stn_status read_trace(const char *path, const range where[ALIGNMENTS],
                             alignment_accesses executed[ALIGNMENTS])
{
    char line[512], kind;
    uint64_t address;
    int bytes, now = -1;
    FILE *const trace = fopen(path, "re");
    if (!trace)
        return stn_fail(STN_ERR_IO, "valgrind did not write %s", path);
    while (fgets(line, sizeof line, trace)) {
        if (sscanf(line, " %c %" SCNx64 ",%d", &kind, &address, &bytes) != 3)
            continue;
        if (kind == 'I') {
            now = -1;
            for (int which = 0; which < ALIGNMENTS; which++)
                if (address >= where[which].first && address <= where[which].last)
                    executed[now = which].instructions++;
        } else if (now >= 0) {
            executed[now].loads[width_of(8 * bytes)] += kind == 'L' || kind == 'M';
            executed[now].stores[width_of(8 * bytes)] += kind == 'S' || kind == 'M';
        }
    }
    fclose(trace);
    return STN_OK;
}

static void compare(alignment *all, const alignment_cpu *cpu, int which)
{
    const alignment_accesses *const model = &cpu->model[which], *const found =
                                                                    &cpu->executed[which];
    char what[200];
    for (int w = -1; w < 2 * STN_WIDTHS; w++) {
        const int width = w < STN_WIDTHS ? w : w - STN_WIDTHS;
        const int32_t wanted = w < 0            ? model->instructions
                               : w < STN_WIDTHS ? model->loads[width]
                                                : model->stores[width];
        const int32_t seen = w < 0            ? found->instructions
                             : w < STN_WIDTHS ? found->loads[width]
                                              : found->stores[width];
        if (w < 0)
            snprintf(what, sizeof what, "%s, %s: instructions counted by valgrind", cpu->command,
                     alignment_kernels[which]);
        else
            snprintf(what, sizeof what, "%s, %s: %s of %d bits counted by valgrind", cpu->command,
                     alignment_kernels[which], w < STN_WIDTHS ? "loads" : "stores", 8 << width);
        if (seen != wanted)
            alignment_contradict(all, what, seen, wanted);
    }
}

static stn_status run(const process_folder *folder, alignment_cpu *cpu, const char *path,
                      const char *trace)
{
    char to[PROCESS_PATH + 16], log[PROCESS_PATH];
    int result = 0;
    snprintf(to, sizeof to, "--log-file=%s", trace);
    process_path(folder, "log", log);
    const char *const words[] = {"valgrind", "--tool=lackey", "--trace-mem=yes", to, path, NULL};
    STN_TRY(process_run(words, log, &result));
    cpu->is_executed = result == 0;
    if (result == PROCESS_MISSING)
        snprintf(cpu->note, sizeof cpu->note, "not executed: valgrind not found");
    else if (result != 0)
        snprintf(cpu->note, sizeof cpu->note, "not executed: valgrind returned exit status %d",
                 result);
    return STN_OK;
}

/* The program lies at fixed addresses, so that those of the trace are those of the file. */
static stn_status link_program(const process_folder *folder, alignment_cpu *cpu, const char *path,
                               int *result)
{
    char source[PROCESS_PATH], object[PROCESS_PATH], count[32];
    process_path(folder, "program.c", source);
    process_path(folder, "complex.o", object);
    snprintf(count, sizeof count, "-DCOUNT=%d", ALIGNMENT_COUNT);
    const char *const more[] = {count,  "-fno-pie", "-no-pie", "-std=c11", source,
                                object, "-o",       path,      NULL};
    STN_TRY(process_write(folder, "program.c", program));
    STN_TRY(compile(folder, cpu->command, more, result));
    if (*result != 0)
        snprintf(cpu->note, sizeof cpu->note, "not executed: the program cannot be linked");
    return STN_OK;
}

static stn_status execute(const process_folder *folder, alignment *all, alignment_cpu *cpu)
{
    char path[PROCESS_PATH], trace[PROCESS_PATH];
    range where[ALIGNMENTS];
    int result = 0, apart;
    process_path(folder, "program", path);
    process_path(folder, "trace", trace);
    STN_TRY(link_program(folder, cpu, path, &result));
    if (result != 0)
        return STN_OK;
    STN_TRY(expect_loops(path, cpu, where, &apart));
    STN_TRY(run(folder, cpu, path, trace));
    if (!cpu->is_executed)
        return STN_OK;
    STN_TRY(read_trace(trace, where, cpu->executed));
    for (int which = 0; which < ALIGNMENTS; which++)
        compare(all, cpu, which);
    if (apart)
        snprintf(cpu->note, sizeof cpu->note,
                 "valgrind counts a multiply-add's operand in memory once per number");
    return STN_OK;
}

/* ---- rows ---- */

static stn_status look_at(const process_folder *folder, const struct cpu_row *row, alignment *all)
{
    alignment_cpu *const cpu = &all->cpus[all->cpu_count++];
    *cpu = (alignment_cpu){.is_there = 0};
    snprintf(cpu->command, sizeof cpu->command, "%s", row->command);
    snprintf(cpu->target, sizeof cpu->target, "%s", row->target);
    STN_TRY(compile_object(folder, cpu));
    if (!cpu->is_there)
        return STN_OK;
    STN_TRY(look_at_object(folder, cpu));
    if (!row->why_not)
        return execute(folder, all, cpu);
    snprintf(cpu->note, sizeof cpu->note, "%s", row->why_not);
    return STN_OK;
}

stn_status alignment_look_at_cpus(alignment *all)
{
    process_folder folder;
    STN_TRY(process_folder_make(&folder));
    stn_status status = process_write(&folder, "complex.h", alignment_header);
    if (status == STN_OK)
        status = process_write(&folder, "complex.c", alignment_c);
    for (size_t k = 0; k < sizeof rows / sizeof *rows && status == STN_OK; k++)
        status = look_at(&folder, &rows[k], all);
    process_folder_drop(&folder);
    return status;
}
