/* bench kernels: kernels written by STN_MAP, beside the streaming speed of the same run.
 *
 *   bench_kernels [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * axpy: y = alpha x + y for storages of x and of y, on the tile tier, which is what any views get,
 * and fused, by STN_FUSE; from a text, by stn_kernel_compile; the library's own stn_axpy beside
 * them. `fraction` is of the best streaming loop with the same reads and writes. launch: one
 * element, ns. The kernels are compiled for the machine at hand. */
#define _GNU_SOURCE
#include <getopt.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "measure/stream.h"
#include "steno/blas.h"
#include "steno/kernel_fuse.h"
#include "steno/kernel_text.h"

/* clang-format off */
STN_MAP(tile, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(fused, (real(alpha), in(x), inout(y)), y = alpha * x + y;)

#define STORAGES(ROW, ...)                                                                         \
    ROW(f64, F64, __VA_ARGS__) ROW(f32, F32, __VA_ARGS__) ROW(f16, F16, __VA_ARGS__)               \
    ROW(bf16, BF16, __VA_ARGS__) ROW(i16, I16, __VA_ARGS__) ROW(i8, I8, __VA_ARGS__)
#define FUSE(x_format, NAME, T, y_format)                                                          \
    STN_FUSE(fused_##x_format##_##y_format, fused, T,                                              \
             (real(alpha), in(x, x_format), inout(y, y_format)))
STORAGES(FUSE, f64, f64)
STORAGES(FUSE, f32, f32)
STORAGES(FUSE, f64, f16)
/* clang-format on */

enum { WAYS = 4, MOST_REPEATS = 32 };

static const char *const ways[WAYS] = {"tile", "fused", "library", "text"};
static stn_kernel *from_text; /* the same kernel, compiled at run time */

typedef struct bench_settings {
    int threads, repeats;
    int64_t bytes; /* of y as f64 */
    FILE *json;
} bench_settings;

typedef struct bench_row {
    stn_format x, y, arithmetic;
    int64_t count;
    double seconds[WAYS][MOST_REPEATS];
} bench_row;

static void fail(const char *what)
{
    fprintf(stderr, "bench_kernels: %s\n", what);
    exit(1);
}

static void must(stn_status status)
{
    if (status != STN_OK)
        fail(stn_error());
}

static stn_format_info described(stn_format format)
{
    stn_format_info info;
    must(stn_format_describe(format, &info));
    return info;
}

static stn_status run_text(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                           const stn_view *y)
{
    const stn_argument arguments[] = {{.real = 1e-9}, {.view = x}, {.view = y}};
    return stn_kernel_run(exec, from_text, arithmetic, -1, NULL, arguments);
}

static void run(int way, const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                const stn_view *y)
{
    must(way == 0   ? tile_run(exec, arithmetic, 1e-9, x, y)
         : way == 1 ? fused_run(exec, arithmetic, 1e-9, x, y)
         : way == 2 ? stn_axpy(exec, arithmetic, 1e-9, x, y)
                    : run_text(exec, arithmetic, x, y));
}

static void print_row(bench_row *row, double stream_seconds, double bytes,
                      const bench_settings *settings)
{
    const stn_format_info x = described(row->x), y = described(row->y),
                          arithmetic = described(row->arithmetic);
    for (int way = 0; way < WAYS; way++) {
        const double seconds = measure_median(row->seconds[way], settings->repeats);
        printf("axpy   %-5s %-5s %-5s %-8s %10.3e %8.2f %8.2f %9.2f\n", x.name, y.name,
               arithmetic.name, ways[way], seconds, bytes / seconds / 1e9,
               bytes / stream_seconds / 1e9, stream_seconds / seconds);
        if (settings->json)
            fprintf(settings->json,
                    "{\"kernel\": \"axpy\", \"exec\": \"openmp\", \"format\": \"%s\", "
                    "\"result\": \"%s\", \"arith\": \"%s\", \"tier\": \"%s\", \"n\": %lld, "
                    "\"threads\": %d, \"seconds\": %.9g, \"bytes\": %.0f, \"gbps\": %.9g, "
                    "\"stream_gbps\": %.9g, \"fraction\": %.9g}\n",
                    x.name, y.name, arithmetic.name, ways[way], (long long)row->count,
                    settings->threads, seconds, bytes, bytes / seconds / 1e9,
                    bytes / stream_seconds / 1e9, stream_seconds / seconds);
    }
}

/* All ways and the stream in turn, round by round. */
static void bench_axpy(const stn_exec *exec, measure_stream *stream, stn_format x_format,
                       stn_format y_format, stn_format arithmetic, const bench_settings *settings)
{
    bench_row row = {.x = x_format,
                     .y = y_format,
                     .arithmetic = arithmetic,
                     .count = settings->bytes / described(y_format).bytes};
    const measure_mix mix = {(int)described(x_format).bytes, (int)described(y_format).bytes, 0};
    const double bytes = (double)row.count * measure_mix_bytes(mix);
    stn_view x, y;
    must(stn_view_create(&x, exec, "x", stn_storage_of(x_format), NULL, 1, &row.count, 0));
    must(stn_view_create(&y, exec, "y", stn_storage_of(y_format), NULL, 1, &row.count, 0));
    must(stn_view_fill(exec, &x, 3.0));
    must(stn_view_fill(exec, &y, 2.0));
    measure_stream_restart(stream);
    for (int r = 0; r < settings->repeats; r++) {
        measure_stream_round(stream, mix);
        for (int way = 0; way < WAYS; way++) {
            const double start = measure_now();
            run(way, exec, arithmetic, &x, &y);
            row.seconds[way][r] = measure_now() - start;
        }
    }
    print_row(&row, measure_stream_seconds(stream, bytes), bytes, settings);
    stn_view_release(&x);
    stn_view_release(&y);
}

static void bench_launch(const bench_settings *settings)
{
    enum { LAUNCHES = 2000, ROUNDS = 50 };
    const int64_t one = 1;
    double x_value = 1.0, y_value = 0.0, best = 1.0;
    stn_exec *exec;
    stn_view x, y;
    must(stn_exec_create("openmp:threads=1", &exec));
    must(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), &x_value, 1, &one, NULL));
    must(stn_view_wrap(&y, "y", stn_storage_of(STN_F64), &y_value, 1, &one, NULL));
    for (int r = 0; r < ROUNDS; r++) {
        const double start = measure_now();
        for (int k = 0; k < LAUNCHES; k++)
            run(0, exec, STN_F64, &x, &y);
        const double seconds = measure_now() - start;
        best = seconds < best ? seconds : best;
    }
    printf("launch of one element: %.0f ns\n", best / LAUNCHES * 1e9);
    if (settings->json)
        fprintf(settings->json,
                "{\"kernel\": \"launch\", \"exec\": \"openmp\", \"n\": 1, \"threads\": 1, "
                "\"seconds\": %.9g}\n",
                best / LAUNCHES);
    stn_exec_release(exec);
}

static long number(const char *text, long most)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > most)
        fail("a number is out of range");
    return value;
}

static bench_settings parse(int count, char **words)
{
    static const struct option options[] = {{"threads", required_argument, NULL, 't'},
                                            {"megabytes", required_argument, NULL, 'm'},
                                            {"repeat", required_argument, NULL, 'r'},
                                            {"json", required_argument, NULL, 'j'},
                                            {NULL, 0, NULL, 0}};
    bench_settings settings = {.threads = omp_get_max_threads(), .repeats = 9, .bytes = 128 << 20};
    for (int option; (option = getopt_long(count, words, "", options, NULL)) != -1;)
        if (option == 't')
            settings.threads = (int)number(optarg, 1024);
        else if (option == 'm')
            settings.bytes = (int64_t)number(optarg, 1 << 16) << 20;
        else if (option == 'r')
            settings.repeats = (int)number(optarg, MOST_REPEATS);
        else if (option == 'j')
            settings.json = fopen(optarg, "w");
        else
            exit(1);
    return settings;
}

int main(int count, char **words)
{
    const bench_settings settings = parse(count, words);
    char resource[32];
    stn_exec *exec;
    measure_stream *stream = measure_stream_create(2 * settings.bytes, settings.threads);
    if (!stream)
        fail("no memory");
    snprintf(resource, sizeof resource, "openmp:threads=%d", settings.threads);
    must(stn_exec_create(resource, &exec));
    must(stn_kernel_compile("axpy", "real(alpha), in(x), inout(y)", "y = alpha * x + y;",
                            STN_KERNEL_REAL, &from_text));
    printf("%-6s %-5s %-5s %-5s %-8s %10s %8s %8s %9s\n", "kernel", "x", "y", "arith", "tier",
           "seconds", "GB/s", "stream", "fraction");
#define ROW(name, NAME, arithmetic, y_format)                                                      \
    bench_axpy(exec, stream, STN_##NAME, y_format, arithmetic, &settings);
    STORAGES(ROW, STN_F64, STN_F64)
    STORAGES(ROW, STN_F32, STN_F32)
    STORAGES(ROW, STN_F64, STN_F16)
    bench_launch(&settings);
    stn_kernel_release(from_text);
    stn_exec_release(exec);
    measure_stream_release(stream);
    if (settings.json)
        fclose(settings.json);
    return 0;
}
