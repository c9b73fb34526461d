/* bench kernel_device: kernels over views in a device's memory.
 *
 *   bench_kernel_device [--exec RESOURCE] [--megabytes N] [--rounds N] [--json FILE]
 *
 * Each view has that many MiB (1024) in f64, and fewer in narrower formats. A fraction is the bytes
 * that must move over the time, divided by what a copy of the same run reaches; kernels, products
 * and the copy alternate, medians. The last line is a launch over one element: until the call
 * returns, and until it is done. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "frame.h"
#include "steno/blas.h"
#include "steno/kernel.h"

enum { MAX_ROUNDS = 100, CALLS = 1000, COLUMNS = 4096 };

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)),
    y = alpha * x + y;
)
STN_MAP(five_points, (at(i, j), shifted(n, zero, -1, 0), shifted(s, zero, 1, 0), shifted(w, zero, 0, -1),
                      shifted(e, zero, 0, 1), in(u), out(v)),
    v = STN_R(0.5) * u + STN_R(0.125) * (n + s + w + e);
)
/* clang-format on */

/* Rows of each real format. */
#define ROWS_OF(id, NAME, ...)                                                                     \
    {.kernel = AXPY, .format = STN_##NAME, .arithmetic = STN_F64},                                 \
        {.kernel = DOT, .format = STN_##NAME, .arithmetic = STN_F64},

typedef struct settings {
    const char *resource;
    int64_t elements;
    int rounds;
    FILE *json;
    stn_exec *exec;
} settings;

typedef enum what { COPY, AXPY, DOT, FIVE_POINTS } what;

typedef struct row {
    what kernel;
    stn_format format, arithmetic;
    stn_view x, y;
    double times[MAX_ROUNDS];
} row;

static void run(const settings *set, const row *r)
{
    if (r->kernel == COPY)
        bench_must(stn_view_copy(set->exec, &r->y, &r->x));
    else if (r->kernel == AXPY)
        bench_must(axpy_run(set->exec, r->arithmetic, 0.25, &r->x, &r->y));
    else if (r->kernel == DOT)
        bench_must(stn_dot(set->exec, r->arithmetic, &(double){0}, &r->x, &r->y));
    else
        bench_must(
            five_points_run(set->exec, r->arithmetic, &r->x, &r->x, &r->x, &r->x, &r->x, &r->y));
    bench_must(stn_exec_wait(set->exec));
}

static void open_row(const settings *set, row *r)
{
    const int64_t matrix[2] = {set->elements / COLUMNS, COLUMNS};
    const int64_t *const extents = r->kernel == DOT ? &set->elements : matrix;
    const int rank = r->kernel == DOT ? 1 : 2;
    const stn_storage storage = stn_storage_of(r->format);
    bench_must(stn_view_create(set->exec, &r->x, "x", storage, rank, extents));
    bench_must(stn_view_create(set->exec, &r->y, "y", storage, rank, extents));
    bench_must(stn_view_fill(set->exec, &r->x, 1.0));
    run(set, r);
}

static double bytes_of(const settings *set, const row *r)
{
    const stn_format_info info = bench_described(r->format);
    const double each = (double)info.block_bytes / (double)info.block_elements;
    return each * (double)set->elements * (r->kernel == AXPY ? 3 : 2);
}

static double seconds_of(const settings *set, row *r)
{
    return measure_median(r->times, set->rounds);
}

static void print_row(const settings *set, row *r, double copy)
{
    static const char *const names[] = {"copy", "axpy", "dot", "five points"};
    const char *const format = bench_described(r->format).name;
    const char *const arithmetic = bench_described(r->arithmetic).name;
    const double seconds = seconds_of(set, r), speed = bytes_of(set, r) / seconds;
    printf("| %s | %s | %s | %.1f | %.2f |\n", names[r->kernel], format, arithmetic, speed / 1e9,
           speed / copy);
    if (set->json)
        fprintf(
            set->json,
            "{\"kernel\": \"%s\", \"format\": \"%s\", \"arithmetic\": \"%s\", \"seconds\": %.9f, "
            "\"fraction\": %.4f}\n",
            names[r->kernel], format, arithmetic, seconds, speed / copy);
}

static void small_launches(const settings *set)
{
    const int64_t one = 1;
    stn_view x, y;
    bench_must(stn_view_create(set->exec, &x, "x", stn_storage_of(STN_F32), 1, &one));
    bench_must(stn_view_create(set->exec, &y, "y", stn_storage_of(STN_F32), 1, &one));
    bench_must(axpy_run(set->exec, STN_F64, 0.5, &x, &y));
    bench_must(stn_exec_wait(set->exec));
    const double begin = measure_now();
    for (int k = 0; k < CALLS; k++)
        bench_must(axpy_run(set->exec, STN_F64, 0.5, &x, &y));
    const double returned = measure_now();
    bench_must(stn_exec_wait(set->exec));
    const double done = measure_now();
    printf(
        "\nA launch over one element: %.2f us until the call returns, %.2f us until it is done\n",
        (returned - begin) / CALLS * 1e6, (done - begin) / CALLS * 1e6);
    if (set->json)
        fprintf(set->json, "{\"kernel\": \"launch\", \"returns\": %.9f, \"done\": %.9f}\n",
                (returned - begin) / CALLS, (done - begin) / CALLS);
    bench_must(stn_view_release(&x));
    bench_must(stn_view_release(&y));
}

static settings parse(int count, char **words)
{
    static const struct option options[] = {{"exec", required_argument, NULL, 'e'},
                                            {"megabytes", required_argument, NULL, 'm'},
                                            {"rounds", required_argument, NULL, 'r'},
                                            {"json", required_argument, NULL, 'j'},
                                            {NULL, 0, NULL, 0}};
    settings set = {.resource = "cuda:0", .elements = (int64_t)1 << 27, .rounds = 9};
    for (int option; (option = getopt_long(count, words, "", options, NULL)) != -1;) {
        if (option == 'e')
            set.resource = optarg;
        else if (option == 'm')
            set.elements = atol(optarg) << 17;
        else if (option == 'r')
            set.rounds = atoi(optarg);
        else if (option != 'j' || !(set.json = fopen(optarg, "w")))
            exit(1);
    }
    if (set.rounds < 1 || set.rounds > MAX_ROUNDS || set.elements < COLUMNS)
        bench_fail("rounds are 1 to 100, megabytes at least 1");
    return set;
}

int main(int count, char **words)
{
    /* clang-format off */
    static row rows[] = {
        {.kernel = COPY, .format = STN_F64, .arithmetic = STN_F64},
        STN_FORMAT_TABLE(ROWS_OF, ROWS_OF, STN_NO_ROW)
        STN_BLOCK_TABLE(ROWS_OF)
        {.kernel = AXPY, .format = STN_F32, .arithmetic = STN_F32},
        {.kernel = DOT, .format = STN_F16, .arithmetic = STN_F32},
        {.kernel = FIVE_POINTS, .format = STN_F64, .arithmetic = STN_F64},
        {.kernel = FIVE_POINTS, .format = STN_F32, .arithmetic = STN_F64},
        {.kernel = FIVE_POINTS, .format = STN_F16, .arithmetic = STN_F32},
        {.kernel = FIVE_POINTS, .format = STN_BFP16, .arithmetic = STN_F32}};
    /* clang-format on */
    enum { ROWS = sizeof rows / sizeof *rows };
    settings set = parse(count, words);
    bench_must(stn_exec_create(&set.exec, set.resource));
    for (int k = 0; k < ROWS; k++)
        open_row(&set, &rows[k]);
    for (int round = 0; round < set.rounds; round++)
        for (int k = 0; k < ROWS; k++) {
            const double begin = measure_now();
            run(&set, &rows[k]);
            rows[k].times[round] = measure_now() - begin;
        }
    const double copy = bytes_of(&set, &rows[0]) / seconds_of(&set, &rows[0]);
    printf("| kernel | storage | arithmetic | GB/s | fraction |\n|---|---|---|---|---|\n");
    for (int k = 0; k < ROWS; k++) {
        print_row(&set, &rows[k], copy);
        bench_must(stn_view_release(&rows[k].x));
        bench_must(stn_view_release(&rows[k].y));
    }
    small_launches(&set);
    stn_exec_release(set.exec);
    if (set.json)
        fclose(set.json);
    return 0;
}
