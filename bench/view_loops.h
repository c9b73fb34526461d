/* The loops of bench_view over cubes. */
#ifndef STENO_BENCH_VIEW_LOOPS_H
#define STENO_BENCH_VIEW_LOOPS_H

#include "steno/view.h"

enum { BENCH_EDGE = 200 }; /* elements per edge */

typedef struct bench_cubes {
    stn_view from, to;
} bench_cubes;

/* The sum of 27 neighbors; `get` takes offsets a, b and c. */
#define BENCH_AROUND(get)                                                                          \
    double sum = 0;                                                                                \
    for (int a = -1; a <= 1; a++)                                                                  \
        for (int b = -1; b <= 1; b++)                                                              \
            for (int c = -1; c <= 1; c++)                                                          \
                sum += get;

/* Sums of all elements: by an accessor, by one with static extents, with raw pointers. */
void bench_sum_view(void *cubes);
void bench_sum_fixed(void *cubes);
void bench_sum_raw(void *cubes);

/* Every inner element of `to` becomes the sum of its neighbors in `from`; the last one is compiled
 * with checks of every index (view_checked.c). */
void bench_stencil_view(void *cubes);
void bench_stencil_fixed(void *cubes);
void bench_stencil_raw(void *cubes);
void bench_stencil_checked(void *cubes);

#endif
