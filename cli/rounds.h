/* Measuring a kernel in several formats, by rounds that take them in turn. */
#ifndef STENO_CLI_ROUNDS_H
#define STENO_CLI_ROUNDS_H

#include "kernels.h"
#include "settings.h"

/* A kernel with its operands in one format, and what came out. */
typedef struct variant {
    stn_format format;
    kernel_operands operands;
    measure_mix mix;
    measure_stream *stream; /* shared by the variants of one mix */
    int calls;              /* per measurement: very short ones are repeated */
    double *samples;        /* seconds of a call, one per round */
    double *fractions;      /* of these, that streaming took just before */
    double seconds;         /* the median */
    double stream_seconds;  /* the median fraction of that */
    double bytes;
    double error, error_stored;
    uint64_t bits; /* a hash of the result */
} variant;

typedef struct measurement {
    const bench_kernel *kernel;
    const bench_settings *settings;
    const stn_exec *exec;
    bench_problem problem;
    void *result;      /* of all variants in turn */
    variant *variants; /* the first is f64, in compressed rows, what speed-ups are over */
    int variant_count;
    int rounds; /* done */
} measurement;

/* About what rounds_run will allocate. */
double rounds_memory(const bench_kernel *kernel, const bench_settings *settings,
                     const bench_problem *problem);

/* Measure a planned problem, which is filled; `file` is its matrix or NULL. */
stn_status rounds_run(measurement *all, const stn_market_matrix *file);
void rounds_release(measurement *all);

#endif
