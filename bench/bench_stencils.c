/* bench stencils: kernels with neighbors, compared with plain loops and the streaming speed of the
 * same run.
 *
 *   bench_stencils [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * stencil5: the inside of a square matrix from its five neighbors; stencil27: of a cube, from 27;
 * both in f64 arithmetic, u and v in the format; `plain` is a loop in C over arrays of double,
 * `jit` the executor that compiles for these views. zero5, nearest5, periodic5 and inside5: all
 * elements of a square matrix with this boundary, in f32 arithmetic; shifts5: the same as nearest5,
 * from five shifted inputs. lbm: a step of examples/kernels/d2q9.h, collision and streaming, in f32
 * arithmetic, by the library's codecs and fused. lbm3: the same of examples/kernels/d3q19.h, which
 * shifts its inputs. `fraction` is of the best streaming loop with the same reads and writes,
 * `speedup` over the first format's. The kernels are compiled for the machine at hand. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "frame.h"
#define STN_FUSED_TABLE static /* so that they can be disabled */
#include "examples/kernels/d2q9.h"
#include "examples/kernels/d3q19.h"

/* clang-format off */
STN_MAP(stencil_5, (at(i, j), stencil(u, inside, 1, 1), out(v)),
    v = STN_R(0.5) * STN_AT(u, i, j) + STN_R(0.125) * ((STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j)) +
                                               (STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1)));
)
#define FIVE(boundary)                                                                             \
    STN_MAP(boundary##_5, (at(i, j), stencil(u, boundary, 1, 1), out(v)),                          \
        v = STN_R(0.5) * STN_AT(u, i, j) +                                                         \
            STN_R(0.125) * ((STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j)) +                          \
                            (STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1)));                          \
    )
FIVE(zero)
FIVE(nearest)
FIVE(periodic)
FIVE(inside)
STN_MAP(shifts_5, (shifted(c, nearest, 0, 0), shifted(n, nearest, -1, 0), shifted(s, nearest, 1, 0),
                   shifted(w, nearest, 0, -1), shifted(e, nearest, 0, 1), out(v)),
    v = STN_R(0.5) * c + STN_R(0.125) * ((n + s) + (w + e));
)
STN_MAP(stencil_27, (at(i, j, k), stencil(u, inside, 1, 1, 1), out(v)),
    real_t centre = STN_AT(u, i, j, k);
    real_t near = (STN_AT(u, i - 1, j, k) + STN_AT(u, i + 1, j, k)) +
                  (STN_AT(u, i, j - 1, k) + STN_AT(u, i, j + 1, k)) +
                  (STN_AT(u, i, j, k - 1) + STN_AT(u, i, j, k + 1));
    real_t edge = ((STN_AT(u, i - 1, j - 1, k) + STN_AT(u, i - 1, j + 1, k)) +
                   (STN_AT(u, i + 1, j - 1, k) + STN_AT(u, i + 1, j + 1, k))) +
                  ((STN_AT(u, i - 1, j, k - 1) + STN_AT(u, i - 1, j, k + 1)) +
                   (STN_AT(u, i + 1, j, k - 1) + STN_AT(u, i + 1, j, k + 1))) +
                  ((STN_AT(u, i, j - 1, k - 1) + STN_AT(u, i, j - 1, k + 1)) +
                   (STN_AT(u, i, j + 1, k - 1) + STN_AT(u, i, j + 1, k + 1)));
    real_t corner = ((STN_AT(u, i - 1, j - 1, k - 1) + STN_AT(u, i - 1, j - 1, k + 1)) +
                     (STN_AT(u, i - 1, j + 1, k - 1) + STN_AT(u, i - 1, j + 1, k + 1))) +
                    ((STN_AT(u, i + 1, j - 1, k - 1) + STN_AT(u, i + 1, j - 1, k + 1)) +
                     (STN_AT(u, i + 1, j + 1, k - 1) + STN_AT(u, i + 1, j + 1, k + 1)));
    v = STN_R(0.125) * centre + STN_R(0.0625) * near + STN_R(0.03125) * edge + STN_R(0.015625) * corner;
)
D2Q9_FUSE(f32)
D2Q9_FUSE(bf16)
D2Q9_FUSE(i16)
/* clang-format on */

enum { FORMATS = 6 };

static stn_exec *compiling; /* as many threads as the frame's */

/* With the fused loops, or without. */
static void use_fused(int uses)
{
    const stn_format arithmetic = uses ? STN_F32 : STN_I64;
    stn_fused_loop *const loops[] = {&d2q9_step_f32_fused, &d2q9_step_f16_fused,
                                     &d2q9_step_bf16_fused, &d2q9_step_i16_fused};
    for (int k = 0; k < 4; k++)
        loops[k]->arithmetic = arithmetic;
}

/* ---- plain loops; without the pragma, gcc does not vectorize the second ---- */

static void plain_5(const double *restrict u, double *restrict v, int64_t n, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 1; i < n - 1; i++) {
#pragma omp simd
        for (int64_t j = 1; j < n - 1; j++) {
            const double *at = u + i * n + j;
            v[i * n + j] = 0.5 * at[0] + 0.125 * ((at[-n] + at[n]) + (at[-1] + at[1]));
        }
    }
}

static void plain_27(const double *restrict u, double *restrict v, int64_t n, int threads)
{
    const int64_t m = n * n;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 1; i < n - 1; i++)
        for (int64_t j = 1; j < n - 1; j++) {
#pragma omp simd
            for (int64_t k = 1; k < n - 1; k++) {
                const double *at = u + i * m + j * n + k;
                const double near = (at[-m] + at[m]) + (at[-n] + at[n]) + (at[-1] + at[1]);
                const double edge = ((at[-m - n] + at[-m + n]) + (at[m - n] + at[m + n])) +
                                    ((at[-m - 1] + at[-m + 1]) + (at[m - 1] + at[m + 1])) +
                                    ((at[-n - 1] + at[-n + 1]) + (at[n - 1] + at[n + 1]));
                const double corner =
                    ((at[-m - n - 1] + at[-m - n + 1]) + (at[-m + n - 1] + at[-m + n + 1])) +
                    ((at[m - n - 1] + at[m - n + 1]) + (at[m + n - 1] + at[m + n + 1]));
                v[i * m + j * n + k] =
                    0.125 * at[0] + 0.0625 * near + 0.03125 * edge + 0.015625 * corner;
            }
        }
}

/* ---- rows ---- */

typedef struct bench_row {
    const char *kernel, *format, *arithmetic, *tier;
    int64_t count;
    double seconds[BENCH_MOST_REPEATS];
} bench_row;

static void print_row(bench_row *row, double first, double stream_seconds, double bytes,
                      const bench_frame *frame)
{
    const double seconds = measure_median(row->seconds, frame->repeats);
    printf("%-10s %-5s %-5s %-6s %10.3e %8.2f %8.2f %9.2f %8.2f\n", row->kernel, row->format,
           row->arithmetic, row->tier, seconds, bytes / seconds / 1e9, bytes / stream_seconds / 1e9,
           stream_seconds / seconds, first / seconds);
    if (frame->json)
        fprintf(frame->json,
                "{\"kernel\": \"%s\", \"exec\": \"openmp\", \"format\": \"%s\", \"result\": "
                "\"%s\", \"arith\": \"%s\", \"tier\": \"%s\", \"n\": %lld, \"threads\": %d, "
                "\"seconds\": %.9g, \"bytes\": %.0f, \"gbps\": %.9g, \"stream_gbps\": %.9g, "
                "\"fraction\": %.9g, \"speedup\": %.9g}\n",
                row->kernel, row->format, row->format, row->arithmetic, row->tier,
                (long long)row->count, frame->threads, seconds, bytes, bytes / seconds / 1e9,
                bytes / stream_seconds / 1e9, stream_seconds / seconds, first / seconds);
}

/* All rows and the stream in turn, round by round; each format has a stream of its own mix, which
 * the last rounds measure. */
static void print_rows(bench_row *rows, int count, const measure_mix *mixes,
                       const bench_frame *frame)
{
    double first = 0;
    for (int k = 0; k < count; k++) {
        const double bytes = (double)rows[k].count * measure_mix_bytes(mixes[k]);
        measure_stream_restart(frame->stream);
        for (int r = 0; r < frame->repeats; r++)
            measure_stream_round(frame->stream, mixes[k]);
        const double stream_seconds = measure_stream_seconds(frame->stream, bytes);
        if (k == 0)
            first = measure_median(rows[0].seconds, frame->repeats);
        print_row(&rows[k], first, stream_seconds, bytes, frame);
    }
}

static const stn_format formats[FORMATS] = {STN_F64, STN_F32, STN_F16, STN_BF16, STN_I16, STN_I8};

static void run_stencil(int rank, const stn_exec *exec, const stn_view *u, const stn_view *v)
{
    bench_must(rank == 2 ? stencil_5_run(exec, STN_F64, u, v)
                         : stencil_27_run(exec, STN_F64, u, v));
}

static void bench_stencil(int rank, const bench_frame *frame)
{
    enum { ROWS = 1 + 2 * FORMATS }; /* plain, by tiles, compiled for the views */
    bench_row rows[ROWS];
    measure_mix mixes[ROWS];
    stn_view u[FORMATS], v[FORMATS];
    int64_t n = 2, count;
    while ((rank == 2 ? (n + 2) * (n + 2) : (n + 2) * (n + 2) * (n + 2)) * 8 <= frame->bytes)
        n += 2;
    count = rank == 2 ? n * n : n * n * n;
    const int64_t extents[] = {n, n, n};
    for (int f = 0; f < FORMATS; f++) {
        bench_must(
            stn_view_create(frame->exec, &u[f], "u", stn_storage_of(formats[f]), rank, extents));
        bench_must(
            stn_view_create(frame->exec, &v[f], "v", stn_storage_of(formats[f]), rank, extents));
        bench_must(stn_view_fill(frame->exec, &u[f], 3.0));
        bench_must(stn_view_fill(frame->exec, &v[f], 3.0));
    }
    for (int row = 0; row < ROWS; row++) {
        const stn_format format = formats[row > 0 ? (row - 1) % FORMATS : 0];
        const int bytes = (int)bench_described(format).bytes;
        rows[row] = (bench_row){.kernel = rank == 2 ? "stencil5" : "stencil27",
                                .format = bench_described(format).name,
                                .arithmetic = "f64",
                                .tier = row == 0         ? "plain"
                                        : row <= FORMATS ? "tile"
                                                         : "jit",
                                .count = count};
        mixes[row] = (measure_mix){bytes, 0, bytes};
    }
    for (int r = -8; r < frame->repeats; r++) /* the executor that compiles chooses first */
        for (int row = 0; row < ROWS; row++) {
            const int f = (row - 1) % FORMATS;
            const double start = measure_now();
            if (row == 0)
                (rank == 2 ? plain_5 : plain_27)(u[0].data, v[0].data, n, frame->threads);
            else
                run_stencil(rank, row <= FORMATS ? frame->exec : compiling, &u[f], &v[f]);
            rows[row].seconds[r < 0 ? 0 : r] = measure_now() - start;
        }
    print_rows(rows, ROWS, mixes, frame);
    for (int f = 0; f < FORMATS; f++) {
        stn_view_release(&u[f]);
        stn_view_release(&v[f]);
    }
}

/* ---- boundaries ---- */

enum { BOUNDARIES = 5 };
static const char *const boundaries[BOUNDARIES] = {"zero5", "nearest5", "periodic5", "inside5",
                                                   "shifts5"};

static void run_boundary(int boundary, const stn_exec *exec, const stn_view *u, const stn_view *v)
{
    bench_must(boundary == 0   ? zero_5_run(exec, STN_F32, u, v)
               : boundary == 1 ? nearest_5_run(exec, STN_F32, u, v)
               : boundary == 2 ? periodic_5_run(exec, STN_F32, u, v)
               : boundary == 3 ? inside_5_run(exec, STN_F32, u, v)
                               : shifts_5_run(exec, STN_F32, u, u, u, u, u, v));
}

static void bench_boundary(int boundary, const bench_frame *frame)
{
    enum { STORAGES = 2, ROWS = 2 * STORAGES, WARM = 8 };
    static const stn_format storages[STORAGES] = {STN_F32, STN_F16};
    bench_row rows[ROWS];
    measure_mix mixes[ROWS];
    stn_view views[STORAGES][2];
    int64_t n = 2;
    while ((n + 2) * (n + 2) * 4 <= frame->bytes)
        n += 2;
    for (int row = 0; row < ROWS; row++) {
        const stn_format format = storages[row / 2];
        const int bytes = (int)bench_described(format).bytes;
        rows[row] = (bench_row){.kernel = boundaries[boundary],
                                .format = bench_described(format).name,
                                .arithmetic = "f32",
                                .tier = row % 2 ? "jit" : "tile",
                                .count = n * n};
        mixes[row] = (measure_mix){bytes, 0, bytes};
        bench_must(stn_view_create(frame->exec, &views[row / 2][row % 2], "view",
                                   stn_storage_of(format), 2, (const int64_t[]){n, n}));
        bench_must(stn_view_fill(frame->exec, &views[row / 2][row % 2], 3.0));
    }
    for (int r = -WARM; r < frame->repeats; r++) /* the executor that compiles chooses first */
        for (int row = 0; row < ROWS; row++) {
            const double start = measure_now();
            run_boundary(boundary, row % 2 ? compiling : frame->exec, &views[row / 2][0],
                         &views[row / 2][1]);
            rows[row].seconds[r < 0 ? 0 : r] = measure_now() - start;
        }
    print_rows(rows, ROWS, mixes, frame);
    for (int row = 0; row < ROWS; row++)
        stn_view_release(&views[row / 2][row % 2]);
}

/* ---- fluids ---- */

/* f32 is first, because f16 is compared with it. */
static void bench_fluid(const bench_frame *frame)
{
    enum { STORAGES = 4, ROWS = 2 * STORAGES };
    static const stn_format storages[STORAGES] = {STN_F32, STN_F16, STN_BF16, STN_I16};
    bench_row rows[ROWS];
    measure_mix mixes[ROWS];
    d2q9_fluid fluids[STORAGES][2];
    int64_t n = 128;
    while ((n + 128) * (n + 128) * 4 * D2Q9 <= frame->bytes)
        n += 128;
    for (int s = 0; s < STORAGES; s++) {
        stn_storage storage = stn_storage_of(storages[s]);
        const int bytes = (int)bench_described(storages[s]).bytes * D2Q9;
        if (s > 0)
            storage.scale = 0x1p-14;
        for (int row = 2 * s; row < 2 * s + 2; row++) {
            rows[row] = (bench_row){.kernel = "lbm",
                                    .format = bench_described(storages[s]).name,
                                    .arithmetic = "f32",
                                    .tier = row % 2 ? "fused" : "tile",
                                    .count = n * n};
            mixes[row] = (measure_mix){bytes, 0, bytes};
        }
        for (int side = 0; side < 2; side++) {
            bench_must(d2q9_create(&fluids[s][side], frame->exec, storage, n, n));
            bench_must(stn_view_fill(frame->exec, &fluids[s][side].populations, 0.001));
        }
    }
    for (int r = -1; r < frame->repeats; r++)
        for (int row = 0; row < ROWS; row++) {
            const d2q9_fluid *from = &fluids[row / 2][row % 2], *to = &fluids[row / 2][!(row % 2)];
            use_fused(row % 2);
            const double start = measure_now();
            bench_must(d2q9_advance(frame->exec, STN_F32, 1.25, from, to));
            rows[row].seconds[r < 0 ? 0 : r] = measure_now() - start;
        }
    print_rows(rows, ROWS, mixes, frame);
    for (int s = 0; s < STORAGES; s++)
        for (int side = 0; side < 2; side++)
            stn_view_release(&fluids[s][side].populations);
}

/* Nineteen populations, pulled from the neighboring cells. */
static void bench_solid(const bench_frame *frame)
{
    enum { STORAGES = 4 };
    static const stn_format storages[STORAGES] = {STN_F32, STN_F16, STN_BF16, STN_I16};
    bench_row rows[STORAGES];
    measure_mix mixes[STORAGES];
    d3q19_fluid fluids[STORAGES][2];
    int64_t n = 16;
    while ((n + 16) * (n + 16) * (n + 16) * 4 * D3Q19 <= frame->bytes)
        n += 16;
    const int64_t extents[] = {n, n, n};
    for (int s = 0; s < STORAGES; s++) {
        stn_storage storage = stn_storage_of(storages[s]);
        const int bytes = (int)bench_described(storages[s]).bytes * D3Q19;
        if (s > 0)
            storage.scale = 0x1p-14;
        rows[s] = (bench_row){.kernel = "lbm3",
                              .format = bench_described(storages[s]).name,
                              .arithmetic = "f32",
                              .tier = "tile",
                              .count = n * n * n};
        mixes[s] = (measure_mix){bytes, 0, bytes};
        for (int side = 0; side < 2; side++) {
            bench_must(d3q19_create(&fluids[s][side], frame->exec, storage, extents));
            bench_must(stn_view_fill(frame->exec, &fluids[s][side].populations, 0.001));
        }
    }
    for (int r = -1; r < frame->repeats; r++)
        for (int s = 0; s < STORAGES; s++) {
            const int side = (r + 1) % 2;
            const double start = measure_now();
            bench_must(
                d3q19_advance(frame->exec, STN_F32, 1.25, &fluids[s][side], &fluids[s][!side]));
            rows[s].seconds[r < 0 ? 0 : r] = measure_now() - start;
        }
    print_rows(rows, STORAGES, mixes, frame);
    for (int s = 0; s < STORAGES; s++)
        for (int side = 0; side < 2; side++)
            stn_view_release(&fluids[s][side].populations);
}

int main(int count, char **words)
{
    bench_frame frame = bench_begin(count, words);
    char resource[64];
    snprintf(resource, sizeof resource, "openmp:threads=%d,jit", frame.threads);
    bench_must(stn_exec_create(&compiling, resource));
    printf("%-10s %-5s %-5s %-6s %10s %8s %8s %9s %8s\n", "kernel", "store", "arith", "tier",
           "seconds", "GB/s", "stream", "fraction", "speedup");
    bench_stencil(2, &frame);
    bench_stencil(3, &frame);
    for (int boundary = 0; boundary < BOUNDARIES; boundary++)
        bench_boundary(boundary, &frame);
    bench_fluid(&frame);
    bench_solid(&frame);
    stn_exec_release(compiling);
    bench_end(&frame);
    return 0;
}
