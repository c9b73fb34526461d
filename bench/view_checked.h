/* The loop of bench_view that is compiled with checks of every index. */
#ifndef STENO_BENCH_VIEW_CHECKED_H
#define STENO_BENCH_VIEW_CHECKED_H

#include "steno/view.h"

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

/* Every inner element of `to` becomes the sum of its neighbors in `from`. */
void bench_stencil_checked(void *cubes);

#endif
