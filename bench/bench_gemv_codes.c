/* bench gemv_codes: y = A x for codes A of each format and x of f64, in f64 arithmetic, on one
 * thread. A has 64 rows of 1024 elements, which fit into the second-level cache. Columns:
 * nanoseconds per element, the least of all rounds and the median; time divided by that of f64.
 *
 *   bench_gemv_codes [--repeat N]
 *
 * The lower bounds are in doc/results/bounds.md. */
#include <math.h>
#include <stdio.h>

#include "frame.h"
#include "steno/blas.h"

enum { ROWS = 64, COLUMNS = 1024, CALLS = 64 };

static const stn_format formats[] = {STN_F64, STN_F32, STN_F16,  STN_BF16,
                                     STN_I16, STN_I8,  STN_E4M3, STN_E5M2};
enum { FORMATS = sizeof formats / sizeof *formats };

static double time_calls(const stn_exec *exec, const stn_view *a, const stn_view *x,
                         const stn_view *y)
{
    bench_must(stn_gemv(exec, STN_F64, 1.0, a, x, 0.0, y)); /* loads the caches */
    const double begin = measure_now();
    for (int k = 0; k < CALLS; k++)
        bench_must(stn_gemv(exec, STN_F64, 1.0, a, x, 0.0, y));
    return (measure_now() - begin) / ((double)CALLS * ROWS * COLUMNS);
}

int main(int count, char **words)
{
    static double samples[FORMATS][BENCH_MOST_REPEATS];
    const int64_t extents[] = {ROWS, COLUMNS}, columns = COLUMNS, rows = ROWS;
    bench_frame frame = bench_begin(count, words);
    stn_exec *alone;
    stn_view a[FORMATS], x, y;
    bench_must(stn_exec_create(&alone, "threads:threads=1"));
    bench_must(stn_view_create(alone, &x, "x", stn_storage_of(STN_F64), 1, &columns));
    bench_must(stn_view_create(alone, &y, "y", stn_storage_of(STN_F64), 1, &rows));
    for (int64_t k = 0; k < COLUMNS; k++)
        ((double *)x.data)[k] = 1.0 / (double)(k + 3);
    for (int f = 0; f < FORMATS; f++) {
        bench_must(stn_view_create(alone, &a[f], "a", stn_storage_of(formats[f]), 2, extents));
        bench_must(stn_view_fill(alone, &a[f], 1.5));
    }
    for (int round = 0; round < frame.repeats; round++)
        for (int f = 0; f < FORMATS; f++)
            samples[f][round] = 1e9 * time_calls(alone, &a[f], &x, &y);
    printf("%-6s %8s %8s %8s\n", "", "least", "median", "of f64");
    for (int f = 0; f < FORMATS; f++) {
        double least = INFINITY;
        for (int round = 0; round < frame.repeats; round++)
            least = fmin(least, samples[f][round]);
        const double median = measure_median(samples[f], frame.repeats);
        printf("%-6s %8.3f %8.3f %8.2f\n", bench_described(formats[f]).name, least, median,
               median / measure_median(samples[0], frame.repeats));
        stn_view_release(&a[f]);
    }
    stn_view_release(&x);
    stn_view_release(&y);
    stn_exec_release(alone);
    bench_end(&frame);
    return 0;
}
