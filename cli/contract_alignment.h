/* What `steno contract alignment` finds out: c += a * b on complex numbers of 16 bytes that are
 * aligned as one of their parts or as both, for GPUs and CPUs. */
#ifndef STENO_CLI_CONTRACT_ALIGNMENT_H
#define STENO_CLI_CONTRACT_ALIGNMENT_H

#include <stdint.h>
#include <stdio.h>

#include "core/status.h"
#include "exec/cuda/entry.h"
#include "steno/contract_model.h"

enum { ALIGNED_8, ALIGNED_16, ALIGNMENTS, ALIGNMENT_ELEMENT = 16 /* bytes */ };

/* Names of the kernels. */
extern const char *const alignment_kernels[ALIGNMENTS];

/* What is asked for. */
typedef struct alignment_settings {
    int64_t elements, blocks; /* of the launch */
    int32_t threads;          /* per block */
    const char *ncu;          /* a program's name or path */
} alignment_settings;

/* ---- what a launch executes ---- */

typedef enum alignment_check {
    CHECK_EQUAL,   /* what is measured is what the model says, or the model is wrong */
    CHECK_REPORTED /* depends on what caches held, and hold */
} alignment_check;

/* A row of the table. */
typedef struct alignment_quantity {
    const char *name;
    const char *metric; /* of ncu; NULL: follows from others */
    alignment_check check;
    int is_percent;
} alignment_quantity;

enum {
    EXECUTED_LOADS,
    EXECUTED_STORES,
    EXECUTED_LOCAL_STORES,
    EXECUTED_INSTRUCTIONS,
    EXECUTED_OTHERS,
    LOAD_REQUESTS,
    LOAD_SECTORS,
    STORE_SECTORS,
    LOAD_MISSES,
    L2_MISSES,
    DRAM_BYTES,
    SECTORS_PER_REQUEST,
    LOAD_HITS,
    LOAD_EFFICIENCY,
    QUANTITIES
};
extern const alignment_quantity alignment_quantities[QUANTITIES];

/* NAN: not known. */
typedef struct alignment_values {
    double of[QUANTITIES][ALIGNMENTS];
} alignment_values;

/* Fills in what follows from other quantities. */
void alignment_derive(const alignment_settings *settings, alignment_values *values);

/* ---- GPUs ---- */

enum { MOST_TARGETS = STN_CUDA_ARCHITECTURES, MOST_OPCODES = 96 };

typedef struct alignment_opcode {
    char name[16];
    int64_t times[ALIGNMENTS];
} alignment_opcode;

typedef struct alignment_gpu {
    char target[16];
    int32_t registers[ALIGNMENTS];
    stn_code_counts counts[ALIGNMENTS];
    alignment_values model;
    alignment_opcode opcodes[MOST_OPCODES]; /* executed by the launch */
    int opcode_count;
} alignment_gpu;

/* ---- CPUs ---- */

enum { ALIGNMENT_COUNT = 1024, /* elements of the program that valgrind runs */ MOST_CPUS = 16 };

typedef struct alignment_accesses {
    int32_t instructions, loads[STN_WIDTHS], stores[STN_WIDTHS];
} alignment_accesses;

typedef struct alignment_cpu {
    char command[80], target[16], compiler[80];
    int is_there;                       /* it was compiled; else `note` says why not */
    stn_code_counts counts[ALIGNMENTS]; /* of an iteration */
    int is_executed;
    int32_t iterations[ALIGNMENTS];
    alignment_accesses model[ALIGNMENTS], executed[ALIGNMENTS];
    char note[160];
} alignment_cpu;

/* ---- all of it ---- */

typedef struct alignment {
    alignment_settings settings;
    alignment_gpu *gpus; /* MOST_TARGETS */
    int gpu_count;
    char gpu_note[400]; /* why there are none; or "" */
    int measured_gpu;   /* the one that was measured, -1: none */
    alignment_values measured;
    char device[96], measured_note[400];
    alignment_cpu cpus[MOST_CPUS];
    int cpu_count;
    int contradictions;      /* figures that were measured and are not the model's */
    char contradiction[200]; /* the first one */
} alignment;

/* _gpu.c: all that NVRTC knows. Without NVRTC there is a note; STN_ERR_... where it fails. */
stn_status alignment_look_at_gpus(alignment *all);

/* The cubin of an architecture such as sm_90, which is given back with stn_free. */
stn_status alignment_compile(const stn_cuda_compiler *nvrtc, const char *target, void **bytes,
                             size_t *size);

/* _ncu.c: what the counters of a GPU say, where there are a GPU, ncu and a permission; else a note.
 * STN_ERR_IO when ncu fails. */
stn_status alignment_measure(alignment *all);

/* Launches both kernels in an NVTX range: what ncu runs. */
stn_status alignment_launch(const alignment_settings *settings);

/* _nvtx.c: ranges that profilers see; nothing without one. */
void alignment_range_push(const char *name);
void alignment_range_pop(void);

/* _cpu.c */
stn_status alignment_look_at_cpus(alignment *all);

/* Takes note of a figure that the model does not have. */
void alignment_contradict(alignment *all, const char *what, double found, double model);

/* _print.c, _page.c, _picture.c */
void alignment_print(const alignment *all);
stn_status alignment_print_json(const alignment *all);
void alignment_write_page(FILE *out, const alignment *all);
void alignment_draw_bars(FILE *out, const alignment *all);
void alignment_draw_sectors(FILE *out, const alignment *all);

/* The GPU whose numbers are shown: the measured one, or the newest. NULL without any. */
const alignment_gpu *alignment_shown(const alignment *all);

/* "3072" or "50 %"; "-" where it is not known. */
void alignment_number(double value, int is_percent, char *text, size_t room);

#endif
