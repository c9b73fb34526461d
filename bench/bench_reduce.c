/* bench reduce: reductions written with STN_REDUCE, compared with the streaming speed of the same
 * run.
 *
 *   bench_reduce [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * sum and dot of vectors, for storages of x (and y): on the tile tier, which is what any views get,
 * free (the same loop in any order, by a compiler that may reassociate:
 * what the order costs), and dot by the library's stn_dot. rows and columns: sums of matrices
 * of f64, 10^4 x 10^4 and of the same number of elements but eight rows or columns. `fraction` is
 * of the best streaming loop with the same reads and writes. scan: running sums, into
 * the format that is read, of f16 in f32. small: 100 elements, ns. functions: times of
 * array_functions.h relative to stn_sum of the same view of 2048 x 2048 elements. The reductions
 * are compiled for this machine. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "frame.h"
#include "reduce_free.h"
#include "steno/array_functions.h"
#include "steno/blas.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE(sum_tile, sum, (in(x)), x)
STN_REDUCE(dot_tile, products, (in(x), in(y)), x, y)
STN_SCAN(running, sum, (in(x)), x)

#define STORAGES(ROW, ...)                                                                         \
    ROW(f64, F64, __VA_ARGS__) ROW(f32, F32, __VA_ARGS__) ROW(f16, F16, __VA_ARGS__)               \
    ROW(bf16, BF16, __VA_ARGS__) ROW(i16, I16, __VA_ARGS__) ROW(i8, I8, __VA_ARGS__)               \
    ROW(e4m3, E4M3, __VA_ARGS__)
/* clang-format on */

enum { WAYS = 3, TILE = 0, LIBRARY = 1, FREE = 2 };

static const char *const ways[WAYS] = {"tile", "library", "free"};

typedef struct bench_row {
    const char *kernel, *format, *result, *arithmetic; /* the last two NULL: f64 */
    int64_t count;
    double bytes, seconds[WAYS][BENCH_MOST_REPEATS];
} bench_row;

static void print_way(bench_row *row, int way, double stream_seconds, const bench_frame *frame)
{
    const double seconds = measure_median(row->seconds[way], frame->repeats);
    printf("%-12s %-5s %-8s %10.3e %8.2f %8.2f %9.2f\n", row->kernel, row->format, ways[way],
           seconds, row->bytes / seconds / 1e9, row->bytes / stream_seconds / 1e9,
           stream_seconds / seconds);
    if (frame->json)
        fprintf(frame->json,
                "{\"kernel\": \"%s\", \"exec\": \"openmp\", \"format\": \"%s\", "
                "\"result\": \"%s\", \"arith\": \"%s\", \"tier\": \"%s\", \"n\": %lld, "
                "\"threads\": %d, \"seconds\": %.9g, \"bytes\": %.0f, \"gbps\": %.9g, "
                "\"stream_gbps\": %.9g, \"fraction\": %.9g}\n",
                row->kernel, row->format, row->result ? row->result : "f64",
                row->arithmetic ? row->arithmetic : "f64", ways[way], (long long)row->count,
                frame->threads, seconds, row->bytes, row->bytes / seconds / 1e9,
                row->bytes / stream_seconds / 1e9, stream_seconds / seconds);
}

/* ---- vectors ---- */

static double run_vector(int views, int way, const stn_exec *exec, const stn_view *x,
                         const stn_view *y)
{
    double result = 0.0;
    if (way == FREE)
        result = views == 1 ? free_sum(stn_exec_threads(exec), x)
                            : free_dot(stn_exec_threads(exec), x, y);
    else if (views == 1)
        bench_must(sum_tile_reduce(exec, STN_F64, &result, x));
    else
        bench_must(way == TILE ? dot_tile_reduce(exec, STN_F64, &result, x, y)
                               : stn_dot(exec, STN_F64, &result, x, y));
    return result;
}

static int is_known(int views, int way, stn_format format)
{
    return way == FREE ? free_knows(format) : way == TILE || views == 2;
}

/* All ways and the stream in turn, round by round. */
static void bench_vector(int views, stn_format format, const bench_frame *frame)
{
    const stn_format_info info = bench_described(format);
    bench_row row = {.kernel = views == 1 ? "sum" : "dot",
                     .format = info.name,
                     .count = frame->bytes / info.bytes};
    const measure_mix mix = {(int)info.bytes * views, 0, 0};
    stn_view x, y;
    row.bytes = (double)row.count * measure_mix_bytes(mix);
    bench_must(stn_view_create(frame->exec, &x, "x", stn_storage_of(format), 1, &row.count));
    bench_must(stn_view_create(frame->exec, &y, "y", stn_storage_of(format), 1, &row.count));
    bench_must(stn_view_fill(frame->exec, &x, 3.0));
    bench_must(stn_view_fill(frame->exec, &y, 2.0));
    measure_stream_restart(frame->stream);
    for (int r = 0; r < frame->repeats; r++) {
        measure_stream_round(frame->stream, mix);
        for (int way = 0; way < WAYS; way++) {
            const double start = measure_now();
            if (is_known(views, way, format) && run_vector(views, way, frame->exec, &x, &y) !=
                                                    (views == 1 ? 3.0 : 6.0) * (double)row.count)
                bench_fail("a wrong sum");
            row.seconds[way][r] = measure_now() - start;
        }
    }
    for (int way = 0; way < WAYS; way++)
        if (is_known(views, way, format))
            print_way(&row, way, measure_stream_seconds(frame->stream, row.bytes), frame);
    stn_view_release(&x);
    stn_view_release(&y);
}

/* ---- matrices ---- */

static void bench_matrix(int64_t rows, int64_t columns, unsigned reduced, const bench_frame *frame)
{
    const int64_t extents[] = {rows, columns}, outputs = reduced == 1 ? columns : rows;
    char name[64];
    bench_row row = {.kernel = name, .format = "f64", .count = rows * columns};
    /* the fraction counts the reads of the frame->stream, and the writes as bytes moved */
    const measure_mix mix = {8, 0, 0};
    stn_view x, y;
    snprintf(name, sizeof name, "%s%lldx%lld", reduced == 1 ? "col" : "row", (long long)rows,
             (long long)columns);
    row.bytes = (double)row.count * 8 + (double)outputs * 8;
    bench_must(stn_view_create(frame->exec, &x, "x", stn_storage_of(STN_F64), 2, extents));
    bench_must(stn_view_create(frame->exec, &y, "y", stn_storage_of(STN_F64), 1, &outputs));
    bench_must(stn_view_fill(frame->exec, &x, 3.0));
    measure_stream_restart(frame->stream);
    for (int r = 0; r < frame->repeats; r++) {
        const double expected = 3.0 * (double)(reduced == 1 ? rows : columns);
        double first;
        measure_stream_round(frame->stream, mix);
        const double start = measure_now();
        bench_must(sum_tile_reduce_into(frame->exec, STN_F64, reduced, &y, &x));
        row.seconds[TILE][r] = measure_now() - start;
        bench_must(STN_VIEW_GET(&y, &first, outputs - 1));
        if (first != expected)
            bench_fail("a wrong sum");
    }
    print_way(&row, TILE, measure_stream_seconds(frame->stream, row.bytes), frame);
    stn_view_release(&x);
    stn_view_release(&y);
}

/* ---- scan ---- */

/* Compared with a copy of the same bytes. In narrow formats, only the first element is nonzero, so
 * that sums are exact. */
static void bench_scan(stn_format format, stn_format arithmetic, const bench_frame *frame)
{
    const stn_format_info info = bench_described(format);
    bench_row row = {.kernel = "scan",
                     .format = info.name,
                     .result = info.name,
                     .arithmetic = bench_described(arithmetic).name,
                     .count = frame->bytes / info.bytes};
    const measure_mix mix = {(int)info.bytes, 0, (int)info.bytes};
    const double step = format == STN_F64 ? 3.0 : 0.0;
    stn_view x, y;
    row.bytes = (double)row.count * measure_mix_bytes(mix);
    bench_must(stn_view_create(frame->exec, &x, "x", stn_storage_of(format), 1, &row.count));
    bench_must(stn_view_create(frame->exec, &y, "y", stn_storage_of(format), 1, &row.count));
    bench_must(stn_view_fill(frame->exec, &x, step));
    bench_must(STN_VIEW_SET(&x, 3.0, 0));
    bench_must(stn_view_fill(frame->exec, &y, 1.0));
    measure_stream_restart(frame->stream);
    for (int r = 0; r < frame->repeats; r++) {
        double last;
        measure_stream_round(frame->stream, mix);
        const double start = measure_now();
        bench_must(running_scan(frame->exec, arithmetic, STN_SCAN_INCLUSIVE, &y, &x));
        row.seconds[TILE][r] = measure_now() - start;
        bench_must(STN_VIEW_GET(&y, &last, row.count - 1));
        if (last != 3.0 + step * (double)(row.count - 1))
            bench_fail("a wrong sum");
    }
    print_way(&row, TILE, measure_stream_seconds(frame->stream, row.bytes), frame);
    stn_view_release(&x);
    stn_view_release(&y);
}

/* ---- small ---- */

static void bench_small(const bench_frame *frame)
{
    enum { LAUNCHES = 2000, ROUNDS = 50, COUNT = 100 };
    const int64_t count = COUNT;
    double values[COUNT], best = 1.0, result;
    stn_exec *exec;
    stn_view x;
    bench_must(stn_exec_create(&exec, "openmp:threads=1"));
    for (int k = 0; k < COUNT; k++)
        values[k] = k;
    bench_must(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), values, 1, &count));
    for (int r = 0; r < ROUNDS; r++) {
        const double start = measure_now();
        for (int k = 0; k < LAUNCHES; k++)
            bench_must(sum_tile_reduce(exec, STN_F64, &result, &x));
        const double seconds = measure_now() - start;
        best = seconds < best ? seconds : best;
    }
    printf("sum of 100 elements: %.0f ns\n", best / LAUNCHES * 1e9);
    if (frame->json)
        fprintf(frame->json,
                "{\"kernel\": \"small\", \"exec\": \"openmp\", \"n\": 100, \"threads\": 1, "
                "\"seconds\": %.9g}\n",
                best / LAUNCHES);
    stn_exec_release(exec);
}

/* ---- functions ---- */

enum { FUNCTIONS = 7, SIDE = 2048 };

static const char *const functions[FUNCTIONS] = {"sum",    "min",      "max", "argmin",
                                                 "argmax", "variance", "norm"};

static void call(int function, const stn_exec *exec, stn_format arithmetic, const stn_view *x)
{
    double value;
    int64_t index;
    bench_must(function == 0   ? stn_sum(exec, arithmetic, &value, x)
               : function == 1 ? stn_min(exec, arithmetic, &value, x)
               : function == 2 ? stn_max(exec, arithmetic, &value, x)
               : function == 3 ? stn_argmin(exec, arithmetic, &index, x)
               : function == 4 ? stn_argmax(exec, arithmetic, &index, x)
               : function == 5 ? stn_variance(exec, arithmetic, &value, x, 0)
                               : stn_norm(exec, arithmetic, &value, x));
}

/* Integers are multiples of 1 up to 100, floats noise in [0, 1). */
static void fill(const stn_exec *exec, stn_view *x, stn_format format)
{
    static double row[SIDE];
    const int64_t columns = SIDE;
    const double step = bench_described(format).kind == STN_CLASS_INTEGER ? 100.0 : 1.0;
    for (int64_t i = 0; i < SIDE; i++) {
        const stn_slice slices[] = {stn_slice_index(i), stn_slice_all()};
        stn_view source, target;
        for (int64_t j = 0; j < SIDE; j++) {
            const double t = 0.6180339887498949 * (double)(i * 7919 + j * 104729);
            row[j] = step * (t - (double)(int64_t)t);
        }
        bench_must(stn_view_wrap(&source, "row", stn_storage_of(STN_F64), row, 1, &columns));
        bench_must(stn_view_slice(&target, x, 2, slices));
        bench_must(stn_view_copy(exec, &target, &source));
    }
}

static void bench_functions(stn_format format, stn_format arithmetic, const bench_frame *frame)
{
    enum { ROUNDS = 21 };
    const int64_t extents[] = {SIDE, SIDE};
    const char *const name = bench_described(format).name;
    double seconds[FUNCTIONS][ROUNDS], median[FUNCTIONS];
    stn_view x;
    bench_must(stn_view_create(frame->exec, &x, "x", stn_storage_of(format), 2, extents));
    fill(frame->exec, &x, format);
    for (int r = 0; r < ROUNDS; r++)
        for (int f = 0; f < FUNCTIONS; f++) {
            const double start = measure_now();
            call(f, frame->exec, arithmetic, &x);
            seconds[f][r] = measure_now() - start;
        }
    printf("%-5s %-4s", name, bench_described(arithmetic).name);
    for (int f = 0; f < FUNCTIONS; f++) {
        median[f] = measure_median(seconds[f], ROUNDS);
        printf(" %9.3f", f ? median[f] / median[0] : 1e3 * median[0]);
        if (frame->json)
            fprintf(frame->json,
                    "{\"kernel\": \"%s\", \"format\": \"%s\", \"arith\": \"%s\", \"n\": %lld, "
                    "\"threads\": %d, \"seconds\": %.9g}\n",
                    functions[f], name, bench_described(arithmetic).name, (long long)SIDE * SIDE,
                    frame->threads, median[f]);
    }
    printf("\n");
    stn_view_release(&x);
}

static void bench_all_functions(const bench_frame *frame)
{
    printf("%-5s %-4s %9s", "x", "in", "sum, ms");
    for (int f = 1; f < FUNCTIONS; f++)
        printf(" %9s", functions[f]);
    printf("\n");
#define FUNCTIONS_OF(name, NAME, arithmetic) bench_functions(STN_##NAME, arithmetic, frame);
    STORAGES(FUNCTIONS_OF, STN_F32)
    STORAGES(FUNCTIONS_OF, STN_F64)
}

int main(int count, char **words)
{
    bench_frame frame = bench_begin(count, words);
    const int64_t elements = frame.bytes / 8, side = elements >= 100000000 ? 10000 : 4000;
    printf("%-12s %-5s %-8s %10s %8s %8s %9s\n", "kernel", "x", "tier", "seconds", "GB/s", "stream",
           "fraction");
#define ROW(name, NAME, views) bench_vector(views, STN_##NAME, &frame);
    STORAGES(ROW, 1)
    STORAGES(ROW, 2)
    for (unsigned reduced = 1; reduced <= 2; reduced++) {
        bench_matrix(side, elements / side, reduced, &frame);
        bench_matrix(elements / 8, 8, reduced, &frame);
        bench_matrix(8, elements / 8, reduced, &frame);
    }
    bench_scan(STN_F64, STN_F64, &frame);
    bench_scan(STN_F32, STN_F32, &frame);
    bench_scan(STN_F16, STN_F32, &frame);
    bench_small(&frame);
    bench_all_functions(&frame);
    bench_end(&frame);
    return 0;
}
