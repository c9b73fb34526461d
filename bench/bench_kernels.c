/* bench kernels: kernels written with STN_MAP, compared with the streaming speed of the same run.
 *
 *   bench_kernels [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * axpy: y = alpha x + y for storages of x and of y, on the tile tier, which is what any views get,
 * and fused, by STN_FUSE; from a text, by stn_kernel_compile; compiled for these views by the
 * system's compiler (threads:jit); and the library's stn_axpy. `fraction` is of the best
 * streaming loop with the same reads and writes. launch: one element, ns. The kernels are compiled
 * for this machine. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "frame.h"
#include "steno/blas.h"
#include "steno/kernel_fuse.h"
#include "steno/kernel_text.h"

/* clang-format off */
STN_MAP(tile, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(fused, (real(alpha), in(x), inout(y)), y = alpha * x + y;)

#define STORAGES(ROW, ...)                                                                         \
    ROW(f64, F64, __VA_ARGS__) ROW(f32, F32, __VA_ARGS__) ROW(f16, F16, __VA_ARGS__)               \
    ROW(bf16, BF16, __VA_ARGS__) ROW(i16, I16, __VA_ARGS__) ROW(i8, I8, __VA_ARGS__)               \
    ROW(e4m3, E4M3, __VA_ARGS__) ROW(e5m2, E5M2, __VA_ARGS__)
#define FUSE(x_format, NAME, T, y_format)                                                          \
    STN_FUSE(fused_##x_format##_##y_format, fused, T,                                              \
             (real(alpha), in(x, x_format), inout(y, y_format)))
STORAGES(FUSE, f64, f64)
STORAGES(FUSE, f32, f32)
STORAGES(FUSE, f64, f16)
/* clang-format on */

enum { WAYS = 5 };

static const char *const ways[WAYS] = {"tile", "fused", "library", "text", "jit"};
static stn_exec *compiling;   /* as many threads as the frame's */
static stn_kernel *from_text; /* the same kernel, compiled at run time */

typedef struct bench_row {
    stn_format x, y, arithmetic;
    int64_t count;
    double seconds[WAYS][BENCH_MOST_REPEATS];
} bench_row;

static stn_status run_text(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                           const stn_view *y)
{
    const stn_argument arguments[] = {{.real = 1e-9}, {.view = x}, {.view = y}};
    return stn_kernel_run(exec, from_text, arithmetic, STN_RANK_BROADCAST, NULL, arguments);
}

static void run(int way, const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                const stn_view *y)
{
    bench_must(way == 0   ? tile_run(exec, arithmetic, 1e-9, x, y)
               : way == 1 ? fused_run(exec, arithmetic, 1e-9, x, y)
               : way == 2 ? stn_axpy(exec, arithmetic, 1e-9, x, y)
               : way == 3 ? run_text(exec, arithmetic, x, y)
                          : tile_run(compiling, arithmetic, 1e-9, x, y));
}

static void print_row(bench_row *row, double stream_seconds, double bytes, const bench_frame *frame)
{
    const stn_format_info x = bench_described(row->x), y = bench_described(row->y),
                          arithmetic = bench_described(row->arithmetic);
    for (int way = 0; way < WAYS; way++) {
        const double seconds = measure_median(row->seconds[way], frame->repeats);
        printf("axpy   %-5s %-5s %-5s %-8s %10.3e %8.2f %8.2f %9.2f\n", x.name, y.name,
               arithmetic.name, ways[way], seconds, bytes / seconds / 1e9,
               bytes / stream_seconds / 1e9, stream_seconds / seconds);
        if (frame->json)
            fprintf(frame->json,
                    "{\"kernel\": \"axpy\", \"exec\": \"openmp\", \"format\": \"%s\", "
                    "\"result\": \"%s\", \"arith\": \"%s\", \"tier\": \"%s\", \"n\": %lld, "
                    "\"threads\": %d, \"seconds\": %.9g, \"bytes\": %.0f, \"gbps\": %.9g, "
                    "\"stream_gbps\": %.9g, \"fraction\": %.9g}\n",
                    x.name, y.name, arithmetic.name, ways[way], (long long)row->count,
                    frame->threads, seconds, bytes, bytes / seconds / 1e9,
                    bytes / stream_seconds / 1e9, stream_seconds / seconds);
    }
}

/* All ways and the stream in turn, round by round. */
static void bench_axpy(stn_format x_format, stn_format y_format, stn_format arithmetic,
                       const bench_frame *frame)
{
    bench_row row = {.x = x_format,
                     .y = y_format,
                     .arithmetic = arithmetic,
                     .count = frame->bytes / bench_described(y_format).bytes};
    const measure_mix mix = {(int)bench_described(x_format).bytes,
                             (int)bench_described(y_format).bytes, 0};
    const double bytes = (double)row.count * measure_mix_bytes(mix);
    stn_view x, y;
    bench_must(stn_view_create(frame->exec, &x, "x", stn_storage_of(x_format), 1, &row.count));
    bench_must(stn_view_create(frame->exec, &y, "y", stn_storage_of(y_format), 1, &row.count));
    bench_must(stn_view_fill(frame->exec, &x, 3.0));
    bench_must(stn_view_fill(frame->exec, &y, 2.0));
    run(WAYS - 1, frame->exec, arithmetic, &x, &y); /* which compiles it */
    measure_stream_restart(frame->stream);
    for (int r = 0; r < frame->repeats; r++) {
        measure_stream_round(frame->stream, mix);
        for (int way = 0; way < WAYS; way++) {
            const double start = measure_now();
            run(way, frame->exec, arithmetic, &x, &y);
            row.seconds[way][r] = measure_now() - start;
        }
    }
    print_row(&row, measure_stream_seconds(frame->stream, bytes), bytes, frame);
    stn_view_release(&x);
    stn_view_release(&y);
}

/* One element, alone and by all threads: the difference is what a parallel region costs. */
static void bench_launch(const bench_frame *frame, int threads, const char *option)
{
    enum { LAUNCHES = 200, ROUNDS = 500 };
    const int64_t one = 1;
    double x_value = 1.0, y_value = 0.0, best = 1.0;
    char resource[64];
    stn_exec *exec;
    stn_view x, y;
    snprintf(resource, sizeof resource, "openmp:threads=%d%s", threads, option);
    bench_must(stn_exec_create(&exec, resource));
    bench_must(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), &x_value, 1, &one));
    bench_must(stn_view_wrap(&y, "y", stn_storage_of(STN_F64), &y_value, 1, &one));
    for (int r = 0; r < ROUNDS; r++) {
        const double start = measure_now();
        for (int k = 0; k < LAUNCHES; k++)
            bench_must(tile_run(exec, STN_F64, 1e-9, &x, &y));
        const double seconds = measure_now() - start;
        best = seconds < best ? seconds : best;
    }
    printf("launch of one element, threads %d%s: %.0f ns\n", threads, option,
           best / LAUNCHES * 1e9);
    if (frame->json)
        fprintf(frame->json,
                "{\"kernel\": \"launch\", \"exec\": \"openmp%s\", \"n\": 1, \"threads\": %d, "
                "\"seconds\": %.9g}\n",
                *option ? ":jit" : "", threads, best / LAUNCHES);
    stn_exec_release(exec);
}

int main(int count, char **words)
{
    bench_frame frame = bench_begin(count, words);
    char resource[64];
    bench_must(stn_kernel_compile(&from_text, "axpy", "real(alpha), in(x), inout(y)",
                                  "y = alpha * x + y;", STN_KERNEL_REAL));
    snprintf(resource, sizeof resource, "openmp:threads=%d,jit", frame.threads);
    bench_must(stn_exec_create(&compiling, resource));
    printf("%-6s %-5s %-5s %-5s %-8s %10s %8s %8s %9s\n", "kernel", "x", "y", "arith", "tier",
           "seconds", "GB/s", "stream", "fraction");
#define ROW(name, NAME, arithmetic, y_format) bench_axpy(STN_##NAME, y_format, arithmetic, &frame);
    STORAGES(ROW, STN_F64, STN_F64)
    STORAGES(ROW, STN_F32, STN_F32)
    STORAGES(ROW, STN_F64, STN_F16)
    bench_launch(&frame, 1, "");
    bench_launch(&frame, 1, ",jit");
    if (frame.threads > 1)
        bench_launch(&frame, frame.threads, "");
    stn_exec_release(compiling);
    stn_kernel_release(from_text);
    bench_end(&frame);
    return 0;
}
