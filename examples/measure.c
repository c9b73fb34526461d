/* How to measure a kernel (doc/performance.md): arrays larger than the caches, created by the
 * executor, a first round that is not counted, rounds that alternate between the variants, and
 * medians.
 *
 *   measure [elements [executor]]
 *
 * With arguments, it also prints times. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/steno.h"

STN_MAP(update, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_REDUCE(largest, max, (in(y)), y)

enum { ROUNDS = 9, VARIANTS = 4 };

/* The storage of x, and of y, which is also the arithmetic type. */
static const stn_format formats[VARIANTS][2] = {
    {STN_F64, STN_F64}, {STN_F32, STN_F32}, {STN_F16, STN_F32}, {STN_BF16, STN_F32}};

static void must(stn_status status)
{
    if (status != STN_OK) {
        fprintf(stderr, "measure: %s\n", stn_error());
        exit(1);
    }
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The executor's threads write the new elements first, so that each part of the array is in the
 * memory of the thread that will use it. */
static stn_view create(const stn_exec *exec, const char *label, stn_format format, int64_t n)
{
    stn_view view;
    must(stn_view_create(exec, &view, label, stn_storage_of(format), 1, &n));
    must(stn_view_fill(exec, &view, 1.0));
    return view;
}

static int64_t bytes_of(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    must(stn_format_describe(format, &info));
    return info.bytes;
}

int main(int argc, char **argv)
{
    const int64_t n = argc > 1 ? strtoll(argv[1], NULL, 10) : 10000;
    static double seconds[VARIANTS][ROUNDS];
    stn_view x[VARIANTS], y[VARIANTS];
    stn_exec *exec;
    must(stn_exec_create(&exec, argc > 2 ? argv[2] : "threads"));
    for (int v = 0; v < VARIANTS; v++) {
        x[v] = create(exec, "x", formats[v][0], n);
        y[v] = create(exec, "y", formats[v][1], n);
    }
    for (int round = -1; round < ROUNDS; round++) /* round -1 is not counted */
        for (int v = 0; v < VARIANTS; v++) {
            const double begin = now();
            must(update_run(exec, formats[v][1], 0.5, &x[v], &y[v]));
            must(stn_exec_wait(exec)); /* launches on devices return before they are done */
            if (round >= 0)
                seconds[v][round] = now() - begin;
        }
    for (int v = 0; v < VARIANTS; v++) {
        double result = 0.0;
        const int64_t bytes = n * (bytes_of(formats[v][0]) + 2 * bytes_of(formats[v][1]));
        must(largest_reduce(exec, formats[v][1], &result, &y[v]));
        qsort(seconds[v], ROUNDS, sizeof(double), compare);
        printf("variant %d: %4.1f bytes per element, result %g", v, (double)bytes / (double)n,
               result);
        if (argc > 1)
            printf(", %.3f ms, %.1f GB/s", 1e3 * seconds[v][ROUNDS / 2],
                   1e-9 * (double)bytes / seconds[v][ROUNDS / 2]);
        printf("\n");
        must(stn_view_release(&x[v]));
        must(stn_view_release(&y[v]));
    }
    stn_exec_release(exec);
    return 0;
}
