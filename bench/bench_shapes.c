/* bench shapes: kernels over views of various shapes and layouts, compared with the same work over
 * flat arrays and with plain C by the same compiler.
 *
 *   bench_shapes [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * flat: the time of the same kernel for the same number of elements in contiguous arrays with one
 * scale, divided by the time of the row. C: the time of plain loops over the same memory, divided
 * by the time of the row; `-` without such loops. All three alternate; the medians of the ratios
 * are printed. Storage and arithmetic are f64.
 *
 * Then: kernels that use their indices, relative to the same kernels without; and small launches,
 * the time on one thread relative to that of the number of threads that the launch selects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(axpy, (real(a), in(x), inout(y)), y = a * x + y;)
STN_MAP(twice, (in(x), out(y)), y = x + x;)
STN_MAP(times_row, (in(v), inout(y)), y = v * y;)
STN_MAP(step_2, (in(alpha), in(p), in(q), inout(x), inout(r)), x = x + alpha * p; r = r - alpha * q;)
STN_MAP(by_if, (in(x), out(y)), if (x > STN_R(0.5)) y = x; else y = -x;)
STN_MAP(by_choice, (in(x), out(y)), y = x > STN_R(0.5) ? x : -x;)
STN_MAP(without, (in(x), out(y)), y = x + STN_R(3) * x - STN_R(2) * x;)
STN_MAP(with_at, (at(i, j), in(x), out(y)), y = x + STN_R(3) * (real_t)i - STN_R(2) * (real_t)j;)
STN_MAP_INTEGER(whole_without, (in(x), out(y)), y = x + 3 * x - 2 * x;)
STN_MAP_INTEGER(whole_with_at, (at(i, j), in(x), out(y)), y = x + 3 * i - 2 * j;)
STN_MAP(power, (in(x), inout(y)), y = y + exp(x);)
STN_MAP(five, (at(i, j), stencil(u, nearest, 1, 1), out(v)),
    v = STN_R(0.5) * STN_AT(u, i, j) + STN_R(0.125) * ((STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j)) +
                                               (STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1)));
)
/* clang-format on */

typedef enum layout_case { RIGHT, LEFT, TILED, MORTON, CUSTOM, PART, LAYOUTS } layout_case;

enum { VIEWS = 5 };

typedef struct bench_case bench_case;
typedef void bench_call(const bench_case *c, const stn_view *v);

/* One row: the kernel over `rows` x `columns` elements, the views' layouts and scales. */
struct bench_case {
    const char *name;
    bench_call *run, *plain_c;
    int64_t rows, columns; /* rows 0: limited by memory */
    int views;
    layout_case layout[VIEWS];
    int is_row[VIEWS]; /* a row vector */
    int scales[VIEWS]; /* -1: none; 0: per row; 1: per column; else per block of a row */
};

static const bench_frame *frame;

/* ---- kernels ---- */

static void run_axpy(const bench_case *c, const stn_view *v)
{
    (void)c;
    bench_must(axpy_run(frame->exec, STN_F64, 1e-9, &v[0], &v[1]));
}

static void run_twice(const bench_case *c, const stn_view *v)
{
    (void)c;
    bench_must(twice_run(frame->exec, STN_F64, &v[0], &v[1]));
}

static void run_times_row(const bench_case *c, const stn_view *v)
{
    (void)c;
    bench_must(times_row_run(frame->exec, STN_F64, &v[0], &v[1]));
}

static void run_step_2(const bench_case *c, const stn_view *v)
{
    (void)c;
    bench_must(step_2_run(frame->exec, STN_F64, &v[0], &v[1], &v[2], &v[3], &v[4]));
}

static void run_if(const bench_case *c, const stn_view *v)
{
    (void)c;
    bench_must(by_if_run(frame->exec, STN_F64, &v[0], &v[1]));
}

static void run_choice(const bench_case *c, const stn_view *v)
{
    (void)c;
    bench_must(by_choice_run(frame->exec, STN_F64, &v[0], &v[1]));
}

/* ---- plain C over the same memory ---- */

#define AT(view, i, j) ((double *)(view).data)[(i) * (view).stride[0] + (j) * (view).stride[1]]

static void c_step_2(const bench_case *c, const stn_view *v)
{
    const int64_t rows = v[1].extent[0], columns = v[1].extent[1];
    const double *restrict alpha = v[0].data, *restrict p = v[1].data, *restrict q = v[2].data;
    double *restrict x = v[3].data, *restrict r = v[4].data;
    (void)c;
#pragma omp parallel for num_threads(frame->threads)
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            x[i * columns + j] += alpha[j] * p[i * columns + j];
            r[i * columns + j] -= alpha[j] * q[i * columns + j];
        }
}

static void c_axpy_part(const bench_case *c, const stn_view *v)
{
    const int64_t rows = v[0].extent[0], columns = v[0].extent[1], step = v[0].stride[0];
    const double *restrict x = v[0].data;
    double *restrict y = v[1].data;
    (void)c;
#pragma omp parallel for num_threads(frame->threads)
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            y[i * step + j] += 1e-9 * x[i * step + j];
}

static void c_times_row(const bench_case *c, const stn_view *v)
{
    const int64_t rows = v[1].extent[0], columns = v[1].extent[1];
    const double *restrict row = v[0].data;
    double *restrict y = v[1].data;
    (void)c;
#pragma omp parallel for num_threads(frame->threads)
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            y[i * columns + j] *= row[j];
}

static void c_twice(const bench_case *c, const stn_view *v)
{
    const int64_t rows = v[0].extent[0], columns = v[0].extent[1];
    (void)c;
#pragma omp parallel for num_threads(frame->threads)
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            AT(v[1], i, j) = AT(v[0], i, j) + AT(v[0], i, j);
}

/* clang-format off */
#define NO_SCALES {-1, -1, -1, -1, -1}
static const bench_case cases[] = {
    {"axpy column-major twice", run_axpy, NULL, 0, 2048, 2, {LEFT, LEFT}, {0}, NO_SCALES},
    {"axpy Morton twice", run_axpy, NULL, 2048, 2048, 2, {MORTON, MORTON}, {0}, NO_SCALES},
    {"axpy Morton, right", run_axpy, NULL, 2048, 2048, 2, {MORTON, RIGHT}, {0}, NO_SCALES},
    {"axpy right, Morton", run_axpy, NULL, 2048, 2048, 2, {RIGHT, MORTON}, {0}, NO_SCALES},
    {"axpy tiled twice", run_axpy, NULL, 0, 2048, 2, {TILED, TILED}, {0}, NO_SCALES},
    {"axpy tiled, right", run_axpy, NULL, 0, 2048, 2, {TILED, RIGHT}, {0}, NO_SCALES},
    {"axpy right, tiled", run_axpy, NULL, 0, 2048, 2, {RIGHT, TILED}, {0}, NO_SCALES},
    {"axpy custom, right", run_axpy, NULL, 0, 2048, 2, {CUSTOM, RIGHT}, {0}, NO_SCALES},
    {"axpy scales per row", run_axpy, NULL, 0, 2048, 2, {RIGHT, RIGHT}, {0}, {0, -1}},
    {"axpy scales per column", run_axpy, NULL, 0, 2048, 2, {RIGHT, RIGHT}, {0}, {1, -1}},
    {"axpy scales per 32", run_axpy, NULL, 0, 2048, 2, {RIGHT, RIGHT}, {0}, {32, -1}},
    {"2x column-major, right", run_twice, c_twice, 0, 2048, 2, {LEFT, RIGHT}, {0}, NO_SCALES},
    {"2x right, column-major", run_twice, c_twice, 0, 2048, 2, {RIGHT, LEFT}, {0}, NO_SCALES},
    {"CG step 2, 1 right side", run_step_2, c_step_2, 0, 1, 5, {0}, {1}, NO_SCALES},
    {"CG step 2, 2 right sides", run_step_2, c_step_2, 0, 2, 5, {0}, {1}, NO_SCALES},
    {"CG step 2, 4 right sides", run_step_2, c_step_2, 0, 4, 5, {0}, {1}, NO_SCALES},
    {"CG step 2, 16 right sides", run_step_2, c_step_2, 0, 16, 5, {0}, {1}, NO_SCALES},
    {"2 columns times a row", run_times_row, c_times_row, 0, 2, 2, {0}, {1}, NO_SCALES},
    {"8 of 16 columns", run_axpy, c_axpy_part, 0, 8, 2, {PART, PART}, {0}, NO_SCALES},
    {"if and else", run_if, NULL, 0, 2048, 2, {0}, {0}, NO_SCALES},
    {"?:", run_choice, NULL, 0, 2048, 2, {0}, {0}, NO_SCALES},
};
/* clang-format on */

/* ---- views ---- */

/* Each row is rotated by one more element. */
static int64_t skewed(const void *context, int rank, const int64_t *extents, const int64_t *indices)
{
    (void)context, (void)rank;
    return indices[0] * extents[1] + (indices[0] + indices[1]) % extents[1];
}

static int64_t skewed_span(const void *context, int rank, const int64_t *extents)
{
    (void)context;
    return rank == 2 ? extents[0] * extents[1] : -1;
}

static int64_t skewed_run(const void *context, int rank, const int64_t *extents,
                          const int64_t *indices, int dimension, int64_t *offset, int64_t *stride)
{
    *offset = skewed(context, rank, extents, indices);
    *stride = 1;
    return dimension == 1 ? extents[1] - *offset % extents[1] : 1;
}

static stn_layout layout_of(layout_case which)
{
    static const int64_t tile[] = {8, 8};
    stn_layout layout = stn_layout_of(which == LEFT     ? STN_LAYOUT_LEFT
                                      : which == MORTON ? STN_LAYOUT_MORTON
                                                        : STN_LAYOUT_RIGHT);
    if (which == TILED)
        layout = stn_layout_tiled(2, tile, STN_LAYOUT_RIGHT);
    if (which == CUSTOM) {
        layout = stn_layout_custom(skewed, skewed_span, NULL);
        layout.run = skewed_run;
    }
    return layout;
}

typedef struct operand {
    stn_view whole, view;
    double *scales;
} operand;

static void give_scales(operand *x, int block)
{
    const int64_t rows = x->view.extent[0], columns = x->view.extent[1];
    stn_scales scales = {.format = STN_F64, .dimension = STN_NO_DIMENSION, .block = 1};
    scales.stride[block > 0] = 1;
    if (block > 1) {
        scales.dimension = 1;
        scales.block = block;
        scales.stride[0] = columns / block;
    }
    const int64_t count = block == 0 ? rows : block == 1 ? columns : rows * columns / block;
    scales.data = x->scales = malloc((size_t)count * sizeof *x->scales);
    if (!x->scales)
        abort();
    for (int64_t k = 0; k < count; k++)
        x->scales[k] = 1.1;
    bench_must(stn_view_set_scales(&x->view, &scales));
}

static operand make(const bench_case *c, int v, int64_t rows)
{
    operand x = {.scales = NULL};
    const layout_case which = c->layout[v];
    const stn_layout layout = layout_of(which);
    const int64_t extents[] = {rows, which == PART ? 2 * c->columns : c->columns};
    const stn_slice part[] = {stn_slice_all(), stn_slice_range(0, c->columns)};
    if (c->is_row[v])
        bench_must(
            stn_view_create(frame->exec, &x.whole, "row", stn_storage_of(STN_F64), 1, &c->columns));
    else
        bench_must(stn_view_create_spec(
            frame->exec, &x.whole,
            &STN_VIEW_SPEC(.label = "matrix", .storage = stn_storage_of(STN_F64), .layout = &layout,
                           .rank = 2, .extents = extents)));
    bench_must(stn_view_fill(frame->exec, &x.whole, 1.0));
    if (which == PART)
        bench_must(stn_view_slice(&x.view, &x.whole, 2, part));
    else
        x.view = x.whole;
    if (c->scales[v] >= 0)
        give_scales(&x, c->scales[v]);
    return x;
}

static operand make_flat(const bench_case *c, int v, int64_t count)
{
    operand x = {.scales = NULL};
    const int64_t extent = c->is_row[v] ? 1 : count;
    bench_must(stn_view_create(frame->exec, &x.whole, "flat", stn_storage_of(STN_F64), 1, &extent));
    bench_must(stn_view_fill(frame->exec, &x.whole, 1.0));
    x.view = x.whole;
    if (c->scales[v] >= 0)
        x.view.storage.scale = 1.1;
    return x;
}

static void drop(operand *x)
{
    bench_must(stn_view_release(&x->whole));
    free(x->scales);
}

/* ---- rows ---- */

static double timed(bench_call *call, const bench_case *c, const stn_view *views)
{
    const double start = measure_now();
    call(c, views);
    return measure_now() - start;
}

static void print_row(const bench_case *c, int64_t rows, double seconds, double flat, double plain)
{
    printf("%-26s %9lld %6lld %10.3e %6.2f", c->name, (long long)rows, (long long)c->columns,
           seconds, flat);
    if (c->plain_c)
        printf(" %6.2f\n", plain);
    else
        printf("      -\n");
    if (frame->json)
        fprintf(frame->json,
                "{\"kernel\": \"%s\", \"rows\": %lld, \"columns\": %lld, \"threads\": %d, "
                "\"seconds\": %.9g, \"flat\": %.9g, \"c\": %.9g}\n",
                c->name, (long long)rows, (long long)c->columns, frame->threads, seconds, flat,
                plain);
}

static void bench_row(const bench_case *c)
{
    const int64_t rows = c->rows ? c->rows : frame->bytes / 8 / c->columns / 8 * 8;
    double seconds[BENCH_MOST_REPEATS], flat[BENCH_MOST_REPEATS], plain[BENCH_MOST_REPEATS];
    operand x[VIEWS], y[VIEWS];
    stn_view views[VIEWS], flats[VIEWS];
    for (int v = 0; v < c->views; v++) {
        x[v] = make(c, v, rows);
        y[v] = make_flat(c, v, rows * c->columns);
        views[v] = x[v].view;
        flats[v] = y[v].view;
    }
    for (int r = 0; r < frame->repeats; r++) {
        seconds[r] = timed(c->run, c, views);
        flat[r] = timed(c->run, c, flats) / seconds[r];
        plain[r] = c->plain_c ? timed(c->plain_c, c, views) / seconds[r] : 0.0;
    }
    print_row(c, rows, measure_median(seconds, frame->repeats),
              measure_median(flat, frame->repeats), measure_median(plain, frame->repeats));
    for (int v = 0; v < c->views; v++) {
        drop(&x[v]);
        drop(&y[v]);
    }
}

/* ---- indices, and small launches ---- */

enum { CALLS = 20 }; /* of a short launch in a round */

static void print_ratio(const char *kernel, const char *arithmetic, int64_t rows, int64_t columns,
                        double *seconds, double *ratio)
{
    const double time = measure_median(seconds, frame->repeats);
    const double median = measure_median(ratio, frame->repeats);
    printf("%-21s %-4s %9lld %6lld %10.3e %6.2f\n", kernel, arithmetic, (long long)rows,
           (long long)columns, time, median);
    if (frame->json)
        fprintf(frame->json,
                "{\"kernel\": \"%s\", \"arith\": \"%s\", \"rows\": %lld, \"columns\": %lld, "
                "\"threads\": %d, \"seconds\": %.9g, \"ratio\": %.9g}\n",
                kernel, arithmetic, (long long)rows, (long long)columns, frame->threads, time,
                median);
}

static void make_two(stn_format format, int64_t rows, int64_t columns, stn_view *x, stn_view *y)
{
    const int64_t extents[] = {rows, columns};
    bench_must(stn_view_create(frame->exec, x, "x", stn_storage_of(format), 2, extents));
    bench_must(stn_view_create(frame->exec, y, "y", stn_storage_of(format), 2, extents));
    bench_must(stn_view_fill(frame->exec, x, 1.0));
}

static double time_index(stn_format arithmetic, int with, const stn_view *x, const stn_view *y)
{
    const double start = measure_now();
    for (int k = 0; k < CALLS; k++)
        if (arithmetic == STN_I64)
            bench_must(
                (with ? whole_with_at_run : whole_without_run)(frame->exec, arithmetic, x, y));
        else
            bench_must((with ? with_at_run : without_run)(frame->exec, arithmetic, x, y));
    return (measure_now() - start) / CALLS;
}

/* In the caches, where nothing hides what indices cost. */
static void bench_indices(stn_format arithmetic)
{
    enum { ROWS = 64, COLUMNS = 1024 };
    double seconds[BENCH_MOST_REPEATS], ratio[BENCH_MOST_REPEATS];
    stn_view x, y;
    make_two(arithmetic, ROWS, COLUMNS, &x, &y);
    for (int r = 0; r < frame->repeats; r++) {
        seconds[r] = time_index(arithmetic, 1, &x, &y);
        ratio[r] = time_index(arithmetic, 0, &x, &y) / seconds[r];
    }
    print_ratio("y = x + 3 i - 2 j", bench_described(arithmetic).name, ROWS, COLUMNS, seconds,
                ratio);
    bench_must(stn_view_release(&x));
    bench_must(stn_view_release(&y));
}

typedef enum small_case { AXPY, EXP, STENCIL } small_case;

static double time_small(const stn_exec *exec, small_case which, const stn_view *x,
                         const stn_view *y)
{
    const double start = measure_now();
    for (int k = 0; k < CALLS; k++)
        bench_must(which == STENCIL ? five_run(exec, STN_F64, x, y)
                   : which == EXP   ? power_run(exec, STN_F64, x, y)
                                    : axpy_run(exec, STN_F64, 1e-9, x, y));
    return (measure_now() - start) / CALLS;
}

static void bench_small(const stn_exec *alone, small_case which, int64_t rows, int64_t columns)
{
    static const char *const names[] = {"axpy", "y + exp(x)", "5 points"};
    double seconds[BENCH_MOST_REPEATS], ratio[BENCH_MOST_REPEATS];
    stn_view x, y;
    make_two(STN_F64, rows, columns, &x, &y);
    for (int r = -1; r < frame->repeats; r++) { /* once to warm up */
        const double all = time_small(frame->exec, which, &x, &y);
        seconds[r < 0 ? 0 : r] = all;
        ratio[r < 0 ? 0 : r] = time_small(alone, which, &x, &y) / all;
    }
    print_ratio(names[which], "f64", rows, columns, seconds, ratio);
    bench_must(stn_view_release(&x));
    bench_must(stn_view_release(&y));
}

static void bench_cutoff(void)
{
    stn_exec *alone;
    bench_must(stn_exec_create(&alone, "openmp:threads=1"));
    for (int which = AXPY; which <= EXP; which++)
        for (int64_t n = 1024; n <= 65536; n *= 2)
            bench_small(alone, (small_case)which, 1, n);
    bench_small(alone, STENCIL, 442, 444); /* 196 248 points */
    stn_exec_release(alone);
}

int main(int count, char **words)
{
    bench_frame frame_of_run = bench_begin(count, words);
    frame = &frame_of_run;
    printf("%-26s %9s %6s %10s %6s %6s\n", "kernel", "rows", "cols", "seconds", "flat", "C");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        bench_row(&cases[k]);
    printf("\n%-26s %9s %6s %10s %6s\n", "indices", "rows", "cols", "seconds", "without");
    bench_indices(STN_F64);
    bench_indices(STN_F32);
    bench_indices(STN_I64);
    printf("\n%-26s %9s %6s %10s %6s\n", "small", "rows", "cols", "seconds", "alone");
    bench_cutoff();
    bench_end(&frame_of_run);
    return 0;
}
