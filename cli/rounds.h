/* Measures a kernel in several formats in alternating rounds. */
#ifndef STENO_CLI_ROUNDS_H
#define STENO_CLI_ROUNDS_H

#include "kernels.h"
#include "settings.h"

/* A kernel with its operands in one format, and its measurements. */
typedef struct variant {
    stn_format format;
    kernel_operands operands;
    measure_mix mix;
    measure_stream *stream; /* shared by variants with the same mix */
    int calls;              /* calls per measurement, if they are short */
    double *samples;        /* seconds of a call, one per round */
    double *fractions;      /* time of streaming immediately before, relative to these */
    double seconds;         /* the median */
    double stream_seconds;  /* median of that time */
    double bytes;
    double error, error_stored;
    uint64_t bits; /* a hash of the result */
} variant;

typedef struct measurement {
    const bench_kernel *kernel;
    const bench_settings *settings;
    const stn_exec *exec;
    const stn_exec *compared; /* executor to compare bits with; NULL: none */
    bench_problem problem;
    void *result;                    /* shared by all variants */
    void *compared_result;           /* that of `compared` */
    stn_view stream_from, stream_to; /* on a device: arrays of the streaming loop */
    variant *variants; /* the first is f64 in compressed rows, the base of speed-ups */
    int variant_count;
    int rounds; /* completed rounds */
} measurement;

/* Memory that rounds_run allocates, approximately. */
double rounds_memory(const bench_kernel *kernel, const bench_settings *settings,
                     const bench_problem *problem);

/* Measures a planned and filled problem; `file` is its matrix or NULL. */
stn_status rounds_run(measurement *all, const stn_market_matrix *file);
void rounds_release(measurement *all);

#endif
