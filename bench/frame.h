/* Common parts of benches of memory traffic: options, an executor, a reference stream, and error
 * exit. */
#ifndef STENO_BENCH_FRAME_H
#define STENO_BENCH_FRAME_H

#include <stdio.h>

#include "measure/stream.h"
#include "steno/exec.h"
#include "steno/format.h"
#include "steno/sparse.h"

enum { BENCH_MOST_REPEATS = 32 };

typedef struct bench_frame {
    int threads, repeats;
    int64_t bytes; /* of a large array of f64 */
    FILE *json;    /* or NULL */
    stn_exec *exec;
    measure_stream *stream;
} bench_frame;

/* By [--threads N] [--megabytes N] [--repeat N] [--json FILE]. */
bench_frame bench_begin(int count, char **words);
void bench_end(bench_frame *frame);

/* Prints the message and ends the program. */
void bench_fail(const char *what);
void bench_must(stn_status status);

/* Memory of zeros; the program ends if there is none. */
void *bench_allocate(int64_t count, size_t bytes);

/* A matrix over arrays of compressed rows. */
stn_matrix *bench_wrap_csr(const char *label, int64_t rows, int64_t columns, const int64_t *start,
                           const int32_t *column, stn_format format, const void *values);

stn_format_info bench_described(stn_format format);

#endif
