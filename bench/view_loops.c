/* The loops of bench_view over cubes: through accessors of views, and with raw pointers. */
#include "view_loops.h"

#include "steno/accessor_view.h"

static volatile double sink;

STN_ACCESSOR(cube, 3, double, double)
STN_ACCESSOR_FROM_VIEW(cube)
STN_ACCESSOR_STATIC(fixed, 3, double, double, (200, 200, 200), (40000, 200, 1))
STN_ACCESSOR_FROM_VIEW(fixed)

void bench_sum_view(void *cubes)
{
    const bench_cubes *both = cubes;
    cube x = {0};
    if (cube_from_view(&x, &both->from) != STN_OK)
        return;
    double sum = 0;
    for (stn_size i = 0; i < cube_length(x, 0); i++)
        for (stn_size j = 0; j < cube_length(x, 1); j++)
            for (stn_size k = 0; k < cube_length(x, 2); k++)
                sum += cube_get(x, i, j, k);
    sink = sum;
}

void bench_sum_fixed(void *cubes)
{
    const bench_cubes *both = cubes;
    fixed x = {0};
    if (fixed_from_view(&x, &both->from) != STN_OK)
        return;
    double sum = 0;
    for (stn_size i = 0; i < BENCH_EDGE; i++)
        for (stn_size j = 0; j < BENCH_EDGE; j++)
            for (stn_size k = 0; k < BENCH_EDGE; k++)
                sum += fixed_get(x, i, j, k);
    sink = sum;
}

void bench_sum_raw(void *cubes)
{
    const bench_cubes *both = cubes;
    const double *x = both->from.data;
    const int64_t n = both->from.extent[0];
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = 0; k < n; k++)
                sum += x[(i * n + j) * n + k];
    sink = sum;
}

void bench_stencil_view(void *cubes)
{
    const bench_cubes *both = cubes;
    cube x = {0}, y = {0};
    if (cube_from_view(&x, &both->from) != STN_OK || cube_from_view(&y, &both->to) != STN_OK)
        return;
    for (stn_size i = 1; i < cube_length(x, 0) - 1; i++)
        for (stn_size j = 1; j < cube_length(x, 1) - 1; j++)
            for (stn_size k = 1; k < cube_length(x, 2) - 1; k++) {
                BENCH_AROUND(cube_get(x, i + a, j + b, k + c))
                cube_set(y, i, j, k, sum);
            }
}

void bench_stencil_fixed(void *cubes)
{
    const bench_cubes *both = cubes;
    fixed x = {0}, y = {0};
    if (fixed_from_view(&x, &both->from) != STN_OK || fixed_from_view(&y, &both->to) != STN_OK)
        return;
    for (stn_size i = 1; i < BENCH_EDGE - 1; i++)
        for (stn_size j = 1; j < BENCH_EDGE - 1; j++)
            for (stn_size k = 1; k < BENCH_EDGE - 1; k++) {
                BENCH_AROUND(fixed_get(x, i + a, j + b, k + c))
                fixed_set(y, i, j, k, sum);
            }
}

void bench_stencil_raw(void *cubes)
{
    const bench_cubes *both = cubes;
    const double *x = both->from.data;
    double *y = both->to.data;
    const int64_t n = both->from.extent[0];
    for (int64_t i = 1; i < n - 1; i++)
        for (int64_t j = 1; j < n - 1; j++)
            for (int64_t k = 1; k < n - 1; k++) {
                BENCH_AROUND(x[((i + a) * n + j + b) * n + k + c])
                y[(i * n + j) * n + k] = sum;
            }
}
