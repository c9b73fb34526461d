/* Arrays of f64 for bench_archive: fields of small simulations, those of the examples in three
 * dimensions, and the values of Matrix Market files. */
#ifndef STENO_BENCH_ARCHIVE_FIELDS_H
#define STENO_BENCH_ARCHIVE_FIELDS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/kernels/d3q19.h"
#include "frame.h"
#include "steno/market.h"
#include "steno/view.h"

/* A cube, or the values of a matrix. */
typedef struct bench_array {
    int rank;
    int64_t extent[3], count;
    double *values;
} bench_array;

static inline void bench_swap(double **a, double **b)
{
    double *const other = *a;
    *a = *b;
    *b = other;
}

/* Waves in three directions with small irregularities. */
static inline void bench_fill_smooth(const bench_array *f)
{
    const int64_t n = f->extent[0];
    uint32_t state = 1;
    for (int64_t k = 0; k < f->count; k++) {
        const double x = (double)(k / n / n), y = (double)(k / n % n), z = (double)(k % n);
        state = state * 1664525u + 1013904223u;
        f->values[k] = sin(0.05 * x) * cos(0.04 * y) + 0.1 * sin(0.09 * z + 0.01 * x) +
                       1e-7 * (double)(state >> 8) * 0x1p-24;
    }
}

/* The sum of differences to the six neighbors, each multiplied by the mean of two coefficients. */
static inline double bench_flow(const double *u, int64_t at, int64_t n,
                                double (*of)(int64_t, int64_t))
{
    const int64_t step[3] = {1, n, n * n};
    double sum = 0.0;
    for (int d = 0; d < 3; d++)
        sum += of(at, at + step[d]) * (u[at + step[d]] - u[at]) +
               of(at, at - step[d]) * (u[at - step[d]] - u[at]);
    return sum;
}

/* Steps of a field that is 0 at the boundary of the cube. */
static inline void bench_step(const bench_array *f, double *next, const double *last,
                              double (*of)(int64_t, int64_t))
{
    const int64_t n = f->extent[0];
    for (int64_t i = 1; i < n - 1; i++)
        for (int64_t j = 1; j < n - 1; j++)
            for (int64_t k = 1; k < n - 1; k++) {
                const int64_t at = (i * n + j) * n + k;
                const double change = bench_flow(f->values, at, n, of);
                next[at] = f->values[at] + change + (last ? f->values[at] - last[at] : 0.0);
            }
}

/* Stripes of copper and steel. */
static inline double bench_conducts(int64_t a, int64_t b)
{
    const double here = a / 4096 % 2 ? 0.15 : 0.005, there = b / 4096 % 2 ? 0.15 : 0.005;
    return 2.0 * here * there / (here + there);
}

/* A hot cube cools. */
static inline void bench_fill_heat(bench_array *f)
{
    enum { STEPS = 40 };
    const int64_t n = f->extent[0];
    double *next = bench_allocate(f->count, sizeof *next);
    for (int64_t i = n / 4; i < 3 * n / 4; i++)
        for (int64_t j = n / 4; j < 3 * n / 4; j++)
            for (int64_t k = n / 4; k < 3 * n / 4; k++)
                f->values[(i * n + j) * n + k] = 100.0;
    for (int step = 0; step < STEPS; step++) {
        bench_step(f, next, NULL, bench_conducts);
        bench_swap(&f->values, &next);
    }
    free(next);
}

static inline double bench_square_of_speed(int64_t a, int64_t b)
{
    (void)a, (void)b;
    return 0.2;
}

/* Waves from a pulse in a corner. */
static inline void bench_fill_waves(bench_array *f)
{
    enum { STEPS = 60 };
    const int64_t n = f->extent[0];
    double *next = bench_allocate(f->count, sizeof *next);
    double *last = bench_allocate(f->count, sizeof *last);
    for (int64_t at = 0; at < f->count; at++) {
        const double x = (double)(at / n / n - n / 3), y = (double)(at / n % n - n / 3),
                     z = (double)(at % n - n / 3);
        f->values[at] = last[at] = exp(-0.02 * (x * x + y * y + z * z));
    }
    for (int step = 0; step < STEPS; step++) {
        bench_step(f, next, last, bench_square_of_speed);
        bench_swap(&last, &f->values);
        bench_swap(&f->values, &next);
    }
    free(next);
    free(last);
}

/* The velocity along x of a fluid with a Taylor-Green vortex. */
static inline void bench_fill_fluid(bench_array *f, const stn_exec *exec)
{
    enum { STEPS = 20 };
    static d3q19_fluid a, b;
    const int64_t n = f->extent[0], *const e = f->extent;
    const double k = 2 * 3.14159265358979323846 / (double)n, speed = 0.05;
    bench_must(d3q19_create(&a, exec, stn_storage_of(STN_F64), e));
    bench_must(d3q19_create(&b, exec, stn_storage_of(STN_F64), e));
    double *const cells = a.populations.data;
    for (int64_t at = 0; at < f->count; at++) {
        const double z = k * (double)(at / n / n), y = k * (double)(at / n % n),
                     x = k * (double)(at % n);
        const double u[3] = {0, -speed * cos(x) * sin(y) * cos(z),
                             speed * sin(x) * cos(y) * cos(z)};
        const double square = u[1] * u[1] + u[2] * u[2];
        for (int q = 0; q < D3Q19; q++) {
            const int *const c = d3q19_way[q];
            const int length = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
            const double weight = length == 0 ? 1.0 / 3 : length == 1 ? 1.0 / 18 : 1.0 / 36;
            const double along = c[1] * u[1] + c[2] * u[2];
            cells[q * f->count + at] = weight * (3 * along + 4.5 * along * along - 1.5 * square);
        }
    }
    for (int step = 0; step < STEPS; step += 2) {
        bench_must(d3q19_advance(exec, STN_F64, 1.25, &a, &b));
        bench_must(d3q19_advance(exec, STN_F64, 1.25, &b, &a));
    }
    for (int q = 0; q < D3Q19; q++)
        for (int64_t at = 0; at < f->count; at++)
            f->values[at] += d3q19_way[q][2] * cells[q * f->count + at];
    bench_must(stn_view_release(&a.populations));
    bench_must(stn_view_release(&b.populations));
}

static inline bench_array bench_values_of(const char *path)
{
    bench_array f = {.rank = 1};
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_market_matrix read = STN_MARKET_MATRIX_INIT;
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    stn_matrix *file, *a;
    bench_must(stn_market_read_file(&read, path, 0));
    bench_must(stn_market_wrap(&file, &read, path));
    bench_must(stn_sparse_convert(NULL, &a, file, STN_MATRIX_CSR, &f64));
    bench_must(stn_matrix_get_views(a, &views));
    f.count = f.extent[0] = views.values.extent[0];
    f.values = bench_allocate(f.count, sizeof *f.values);
    memcpy(f.values, views.values.data, (size_t)f.count * sizeof *f.values);
    stn_matrix_release(a);
    stn_matrix_release(file);
    stn_market_release(&read);
    return f;
}

/* A field by name, of up to `bytes` / 2 bytes, or the values of a file. Released with free. */
static inline bench_array bench_array_of(const stn_exec *exec, const char *name, int64_t bytes)
{
    enum { MAX_SIDE = 1024 };
    if (strstr(name, ".mtx"))
        return bench_values_of(name);
    int64_t side = 32;
    while (side < MAX_SIDE && side * side * side * 16 <= bytes)
        side += 16;
    bench_array f = {3, {side, side, side}, side * side * side, NULL};
    f.values = bench_allocate(f.count, sizeof *f.values);
    if (strcmp(name, "smooth") == 0)
        bench_fill_smooth(&f);
    else if (strcmp(name, "heat") == 0)
        bench_fill_heat(&f);
    else if (strcmp(name, "waves") == 0)
        bench_fill_waves(&f);
    else if (strcmp(name, "fluid") == 0)
        bench_fill_fluid(&f, exec);
    else
        bench_fail("fields are smooth, heat, waves and fluid; files end in .mtx or .mtx.gz");
    return f;
}

#endif
