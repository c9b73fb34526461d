/* Effect of alignment on the width of loads and stores: c += a * b on complex numbers of 16 bytes,
 * aligned to 8 bytes (c8) and to 16 bytes (c16), for NVIDIA GPUs, x86-64 and 64-bit Arm. On GPUs,
 * 6 loads of 64 bits become 3 of 128 bits, and 2 stores become 1. On CPUs, at most one instruction
 * is saved.
 *
 * `steno contract alignment` measures more (doc/alignment.md); this program shows how to use the
 * library. Compilers that are not installed are skipped. NVRTC compiles CUDA without a GPU. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steno/contract.h"

typedef struct sums {
    int held, broken, skipped;
} sums;

/* "3x128" for each width with at least one access. */
static void print_widths(const int32_t *counts)
{
    int column = 0;
    for (int w = STN_WIDTHS - 1; w >= 0; w--)
        if (counts[w] > 0)
            column += printf(" %dx%d", (int)counts[w], 8 << w);
    printf("%*s", 10 - column, "");
}

static void print_counts(stn_image *image, const char *name, int32_t loop)
{
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    int32_t function;
    if (stn_image_find(image, name, &function) || stn_image_count(image, function, loop, &counts)) {
        fprintf(stderr, "%s\n", stn_error());
        return;
    }
    printf(" |");
    print_widths(counts.loads);
    print_widths(counts.stores);
    printf("%4d", (int)counts.instructions);
}

/* A row of the table, and its contract. */
static void look_at(stn_image *image, const char *what, const char *contract, sums *all)
{
    const int is_gpu = strstr(contract, "@sm_*") != NULL;
    stn_contract_result result = STN_CONTRACT_RESULT_INIT;
    printf("%-40s", what);
    print_counts(image, "muladd_c8", is_gpu ? STN_LOOP_NONE : STN_LOOP_MAIN);
    print_counts(image, "muladd_c16", is_gpu ? STN_LOOP_NONE : STN_LOOP_MAIN);
    printf("\n");
    if (stn_contract_check_text(image, contract, what, stderr, &result)) {
        fprintf(stderr, "%s\n", stn_error());
        result.broken = 1;
    }
    all->held += result.held;
    all->broken += result.broken;
    all->skipped += result.skipped;
}

static void skip(const char *what, const char *why, sums *all)
{
    printf("%-40s | skipped: %s\n", what, why);
    all->skipped++;
}

/* ---- CPUs ---- */

#define COPIES                                                                                     \
    "kernel copy_c8 @* : load.128 == 1, load == 1, store.128 == 1, store == 1\n"                   \
    "kernel copy_c16 @* : load.128 == 1, load == 1, store.128 == 1, store == 1\n"
#define BOTH(compiler, facts)                                                                      \
    "kernel muladd_c8 @* " compiler " loop=main : " facts "\n"                                     \
    "kernel muladd_c16 @* " compiler " loop=main : " facts "\n"

static const struct cpu_row {
    const char *command, *contract;
} cpu_rows[] = {
    {"gcc -O1", COPIES BOTH("gcc", "load.64 == 6, store.64 == 2, load == 6, store == 2")},
    {"gcc -Os", COPIES BOTH("gcc", "load.64 == 6, store.64 == 2, load == 6, store == 2")},
    {"gcc -O2",
     COPIES BOTH(
         "gcc==12",
         "load.128 == 4, store.128 == 1, load == 4") "kernel muladd_c8 @* gcc==12 loop=main : "
                                                     "instructions == 18\n"
                                                     "kernel muladd_c16 @* gcc==12 loop=main : "
                                                     "instructions == 17\n"
                                                     "kernel muladd1_c8 @* gcc==12 : load.128 == "
                                                     "3, store.128 == 1, instructions == 16\n"
                                                     "kernel muladd1_c16 @* gcc==12 : load.128 == "
                                                     "3, store.128 == 1, instructions == 15\n"},
    {"gcc -O3 -march=x86-64-v3",
     COPIES BOTH("gcc==12", "load.256 == 5, store.256 == 1, instructions == 10, elements == 4")},
    {"gcc -O3 -march=x86-64-v4",
     COPIES BOTH("gcc==12", "load.512 == 5, store.512 == 1, instructions == 10, elements == 8")},
    {"clang -O2", COPIES BOTH("clang==14", "load.128 == 6, store.128 == 2, instructions == 32")},
    {"aarch64-linux-gnu-gcc -O3",
     COPIES BOTH("gcc==12", "load.256 == 3, store.256 == 1, load == 3, store == 1")},
    {"clang --target=aarch64-linux-gnu -O3",
     COPIES BOTH("clang==14", "load.256 == 3, store.256 == 1, load == 3, store == 1")},
};

static void look_at_cpus(const char *object, sums *all)
{
    for (size_t k = 0; k < sizeof cpu_rows / sizeof *cpu_rows; k++) {
        const char *what = cpu_rows[k].command;
        char command[512];
        stn_image *image;
        snprintf(command, sizeof command,
                 "%s -std=c11 -ffp-contract=off -c kernels/complex.c -o '%s' 2>/dev/null", what,
                 object);
        if (system(command) != 0)
            skip(what, "no such compiler", all);
        else if (stn_image_open(&image, object))
            skip(what, stn_error(), all);
        else {
            look_at(image, what, cpu_rows[k].contract, all);
            stn_image_close(image);
        }
    }
}

/* ---- GPUs ---- */

static const char gpu_contract[] =
    "kernel muladd_c8 @sm_* : load.64 == 6, load == 6, store.64 == 2, store == 2, spill == 0\n"
    "kernel muladd_c16 @sm_* : load.128 == 3, load == 3, store.128 == 1, store == 1, spill == 0\n"
    "kernel muladd_c8 @sm_* : unknown == 0\n"
    "kernel muladd_c16 @sm_* : unknown == 0\n";

/* The functions of NVRTC that are used; 0 is success. */
typedef struct nvrtc {
    int (*count)(int *archs);
    int (*archs)(int *archs);
    int (*create)(void **program, const char *source, const char *name, int headers,
                  const char *const *texts, const char *const *names);
    int (*compile)(void *program, int options, const char *const *words);
    int (*cubin_size)(void *program, size_t *size);
    int (*cubin)(void *program, char *bytes);
    int (*destroy)(void **program);
} nvrtc;

static int open_nvrtc(nvrtc *n)
{
    static const char *const names[] = {"libnvrtc.so",
                                        "libnvrtc.so.13",
                                        "libnvrtc.so.12",
                                        "libnvrtc.so.11",
                                        "/usr/local/cuda/lib64/libnvrtc.so",
                                        "/usr/local/cuda/lib/libnvrtc.so"};
    static const char *const functions[] = {"nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs",
                                            "nvrtcCreateProgram",        "nvrtcCompileProgram",
                                            "nvrtcGetCUBINSize",         "nvrtcGetCUBIN",
                                            "nvrtcDestroyProgram"};
    void *library = NULL, *found[7];
    for (size_t k = 0; k < sizeof names / sizeof *names && !library; k++)
        library = dlopen(names[k], RTLD_NOW);
    for (int k = 0; k < 7; k++)
        if (!library || !(found[k] = dlsym(library, functions[k])))
            return 0;
    memcpy(n, found, sizeof *n); /* POSIX permits function pointers from dlsym */
    return 1;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 14);
    if (file && text && fread(text, 1, (1 << 14) - 1, file) == 0)
        text[0] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* Returns the cubin for an architecture, or NULL. */
static char *compile_cubin(const nvrtc *n, const char *source, const char *header, int arch,
                           size_t *size)
{
    static const char *const header_name = "complex.h";
    char option[32], *bytes = NULL;
    const char *const options[] = {option};
    void *program = NULL;
    snprintf(option, sizeof option, "--gpu-architecture=sm_%d", arch);
    if (n->create(&program, source, "complex.cu", 1, &header, &header_name) == 0 &&
        n->compile(program, 1, options) == 0 && n->cubin_size(program, size) == 0 &&
        (bytes = malloc(*size)) != NULL && n->cubin(program, bytes) != 0) {
        free(bytes);
        bytes = NULL;
    }
    if (program)
        n->destroy(&program);
    return bytes;
}

static void look_at_gpu(const nvrtc *n, const char *source, const char *header, int arch, sums *all)
{
    char what[32];
    size_t size = 0;
    stn_image *image;
    char *bytes = compile_cubin(n, source, header, arch, &size);
    snprintf(what, sizeof what, "sm_%d", arch);
    if (!bytes || stn_image_open_memory(&image, bytes, size, what)) {
        fprintf(stderr, "%s: %s\n", what, bytes ? stn_error() : "NVRTC fails");
        all->broken++;
    } else {
        look_at(image, what, gpu_contract, all);
        stn_image_close(image);
    }
    free(bytes);
}

static void look_at_gpus(sums *all)
{
    int count = 0, archs[64];
    nvrtc n;
    char *source = read_text("kernels/complex.cu"), *header = read_text("kernels/complex.h");
    if (!open_nvrtc(&n) || n.count(&count) || count > 64 || n.archs(archs) || !source || !header)
        skip("NVIDIA GPUs", "no NVRTC", all);
    else
        for (int k = 0; k < count; k++)
            look_at_gpu(&n, source, header, archs[k], all);
    free(source);
    free(header);
}

int main(void)
{
    sums all = {0, 0, 0};
    char folder[] = "/tmp/alignment-XXXXXX", object[64];
    if (!mkdtemp(folder))
        return 77;
    snprintf(object, sizeof object, "%s/complex.o", folder);
    printf("%-40s | aligned 8: loads, stores   | aligned 16\n", "");
    look_at_gpus(&all);
    look_at_cpus(object, &all);
    remove(object);
    remove(folder);
    printf("%d facts held, %d broken, %d skipped\n", all.held, all.broken, all.skipped);
    return all.broken ? 1 : all.held ? 0 : 77;
}
