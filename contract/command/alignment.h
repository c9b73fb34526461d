/* Results of `steno contract alignment`: c += a * b on complex numbers of 16 bytes, aligned to 8 or
 * 16 bytes, on GPUs and CPUs. */
#ifndef STENO_CONTRACT_COMMAND_ALIGNMENT_H
#define STENO_CONTRACT_COMMAND_ALIGNMENT_H

#include <stdint.h>
#include <stdio.h>

#include "core/status.h"
#include "exec/cuda/entry.h"
#include "steno/contract_model.h"

enum { ALIGNED_8, ALIGNED_16, ALIGNMENTS, ALIGNMENT_ELEMENT = 16 /* bytes */ };

/* Names of the kernels. */
extern const char *const alignment_kernels[ALIGNMENTS];

/* The options. */
typedef struct alignment_settings {
    int64_t elements, blocks; /* of the launch */
    int32_t threads;          /* per block */
    const char *ncu;          /* name or path of a program */
} alignment_settings;

/* ---- execution of a launch ---- */

typedef enum alignment_check {
    CHECK_EQUAL,   /* the measurement must equal the model */
    CHECK_REPORTED /* depends on the contents of caches; reported only */
} alignment_check;

/* A row of the table. */
typedef struct alignment_quantity {
    const char *name;
    const char *metric; /* metric of ncu; NULL: derived from other quantities */
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

/* NAN: unknown. */
typedef struct alignment_values {
    double of[QUANTITIES][ALIGNMENTS];
} alignment_values;

/* Computes quantities that are derived from others. */
void alignment_derive(const alignment_settings *settings, alignment_values *values);

/* ---- GPUs ---- */

enum { MAX_TARGETS = STN_CUDA_ARCHITECTURES, MAX_OPCODES = 96 };

typedef struct alignment_opcode {
    char name[16];
    int64_t times[ALIGNMENTS];
} alignment_opcode;

typedef struct alignment_gpu {
    char target[16];
    int32_t registers[ALIGNMENTS];
    stn_code_counts counts[ALIGNMENTS];
    alignment_values model;
    alignment_opcode opcodes[MAX_OPCODES]; /* executed by the launch */
    int opcode_count;
} alignment_gpu;

/* ---- CPUs ---- */

enum { ALIGNMENT_COUNT = 1024, /* elements of the program that valgrind runs */ MAX_CPUS = 16 };

typedef struct alignment_accesses {
    int32_t instructions, loads[STN_WIDTHS], stores[STN_WIDTHS];
} alignment_accesses;

typedef struct alignment_cpu {
    char command[80], target[16], compiler[80];
    int is_available;                   /* compiled; otherwise `note` states the reason */
    stn_code_counts counts[ALIGNMENTS]; /* of an iteration */
    int is_executed;
    int32_t iterations[ALIGNMENTS];
    alignment_accesses model[ALIGNMENTS], executed[ALIGNMENTS];
    char note[160];
} alignment_cpu;

/* ---- all results ---- */

typedef struct alignment {
    alignment_settings settings;
    alignment_gpu *gpus; /* MAX_TARGETS */
    int gpu_count;
    char gpu_note[400]; /* reason if empty, or "" */
    int measured_gpu;   /* index of the measured GPU, or -1 */
    alignment_values measured;
    char device[96], measured_note[400];
    alignment_cpu cpus[MAX_CPUS];
    int cpu_count;
    int contradictions;      /* number of measured values that differ from the model */
    char contradiction[200]; /* the first one */
} alignment;

/* _gpu.c: all architectures that NVRTC supports. Without NVRTC, a note is set. */
stn_status alignment_look_at_gpus(alignment *all);

/* The cubin of an architecture such as sm_90. Release it with stn_free. */
stn_status alignment_compile(const stn_cuda_compiler *nvrtc, const char *target, void **bytes,
                             size_t *size);

/* _ncu.c: counters of a GPU. A note is set if there is no GPU, no ncu or no permission. STN_ERR_IO
 * if ncu fails. */
stn_status alignment_measure(alignment *all);

/* Launches both kernels in an NVTX range, under ncu. */
stn_status alignment_launch(const alignment_settings *settings);

/* _nvtx.c: ranges for profilers; no-ops without a profiler. */
void alignment_range_push(const char *name);
void alignment_range_pop(void);

/* _cpu.c */
stn_status alignment_look_at_cpus(alignment *all);

/* Records a measured value that differs from the model. */
void alignment_contradict(alignment *all, const char *what, double found, double model);

/* _print.c */
void alignment_print(const alignment *all);
stn_status alignment_print_json(const alignment *all);

/* The GPU whose values are shown: the measured one, or the newest. NULL if there is none. */
const alignment_gpu *alignment_shown(const alignment *all);

/* "3072" or "50 %"; "-" if unknown. */
void alignment_number(double value, int is_percent, char *text, size_t capacity);

#endif
