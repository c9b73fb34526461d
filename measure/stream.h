/* The machine's streaming speed, of which every bandwidth figure is a fraction. */
#ifndef STENO_MEASURE_STREAM_H
#define STENO_MEASURE_STREAM_H

#include <stdint.h>

/* Seconds on a monotonic clock. */
double measure_now(void);

/* Bytes moved per element of an operation, by kind of access. */
typedef struct measure_mix {
    int read;   /* only read */
    int update; /* read, modified and written; counts twice */
    int write;  /* only written */
} measure_mix;

/* Bytes moved by memory per element. */
static inline int measure_mix_bytes(measure_mix mix)
{
    return mix.read + 2 * mix.update + mix.write;
}

typedef struct measure_stream measure_stream;

/* A buffer of `bytes` in total (at least 1 MiB is used), first touched by the threads that use
 * it. NULL if memory is exhausted. */
measure_stream *measure_stream_create(int64_t bytes, int threads);
void measure_stream_release(measure_stream *stream);

/* One round: a plain loop with this mix, in every variant that is not dropped: 1, 2, 4, 8 or 16
 * streams per thread, with and without prefetch, and with non-temporal stores if the mix writes.
 * Returns seconds per byte of the fastest one. Call it immediately before each measurement in
 * each round, because memory speed changes within a second. */
double measure_stream_round(measure_stream *stream, measure_mix mix);

/* Seconds that the fastest variant takes for `bytes` of traffic: for each variant the median of
 * up to 64 rounds since the last measure_stream_restart, and the minimum of these. */
double measure_stream_seconds(const measure_stream *stream, double bytes);
void measure_stream_restart(measure_stream *stream);

/* Median of `count` values, which it sorts. */
double measure_median(double *values, int count);

#endif
