/* The machine's streaming speed: what every bandwidth figure is a fraction of. */
#ifndef STENO_MEASURE_STREAM_H
#define STENO_MEASURE_STREAM_H

#include <stdint.h>

/* Seconds on a clock that only goes forward. */
double measure_now(void);

/* Bytes moved per element of an operation, by what happens to them. */
typedef struct measure_mix {
    int read;   /* only read */
    int update; /* read, changed and written back; counts twice */
    int write;  /* only written */
} measure_mix;

/* Bytes the memory moves per element. */
static inline int measure_mix_bytes(measure_mix mix)
{
    return mix.read + 2 * mix.update + mix.write;
}

typedef struct measure_stream measure_stream;

/* Working memory of `bytes` in all (at least 1 MiB is used), touched by the threads that will use
 * it. NULL when there is none. */
measure_stream *measure_stream_create(int64_t bytes, int threads);
void measure_stream_release(measure_stream *stream);

/* One round: a plain loop with this mix, on every way of walking that is still in the running: 1,
 * 2, 4, 8 or 16 streams per thread, with and without prefetch, and with non-temporal stores where
 * the mix writes. Seconds per byte of traffic of the best one. Call it right before what is
 * measured, in each round: memory is faster a second later. */
double measure_stream_round(measure_stream *stream, measure_mix mix);

/* Seconds that the best way takes for `bytes` of traffic: of each way the median over the rounds
 * since the last measure_stream_restart, the last 64 of them, and the least of those. */
double measure_stream_seconds(const measure_stream *stream, double bytes);
void measure_stream_restart(measure_stream *stream);

/* Median of `count` values, which it sorts. */
double measure_median(double *values, int count);

#endif
