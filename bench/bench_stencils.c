/* bench stencils: kernels with neighbors, compared with plain loops and the streaming speed of the
 * same run.
 *
 *   bench_stencils [--threads N] [--megabytes N] [--repeat N] [--json FILE] [KERNEL...]
 *
 * stencil5 and stencil9: the inside of a square matrix from the five or nine nearest elements;
 * stencil7 and stencil27: the same of a cube; in f64 and f32 arithmetic, u and v in the format.
 * zero5, nearest5, periodic5: all elements of a square matrix with this boundary, in f32
 * arithmetic; shifts5: the same as nearest5, from five shifted inputs. lbm: a step of
 * examples/kernels/d2q9.h, collision and streaming, in f32 arithmetic; lbm3: the same of
 * examples/kernels/d3q19.h, which shifts its inputs. Without names, all of them run.
 *
 * Tiers: `plain` is a loop written by hand (stencil_loops.h), in C over values and in AVX-512
 * intrinsics over f16; `tile` uses the library's codecs; `fused` decodes in the kernel's loop;
 * `jit` is the executor that compiles for these views. All tiers and formats of a kernel alternate.
 * `fraction` is of the best streaming loop with the same reads and writes, `speedup` over the first
 * row of the kernel in this arithmetic. With one thread, seconds are processor time. The kernels
 * are compiled for the machine at hand. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frame.h"
#define STN_FUSED_TABLE static /* so that they can be disabled */
#include "examples/kernels/d2q9.h"
#include "examples/kernels/d3q19.h"
#include "stencil_peers.h"

/* clang-format off */
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
STN_MAP(stencil_9, (at(i, j), stencil(u, inside, 1, 1), out(v)),
    v = STN_R(0.25) * STN_AT(u, i, j) +
        STN_R(0.125) * ((STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j)) +
                        (STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1))) +
        STN_R(0.0625) * ((STN_AT(u, i - 1, j - 1) + STN_AT(u, i - 1, j + 1)) +
                         (STN_AT(u, i + 1, j - 1) + STN_AT(u, i + 1, j + 1)));
)
STN_MAP(stencil_7, (at(i, j, k), stencil(u, inside, 1, 1, 1), out(v)),
    v = STN_R(0.25) * STN_AT(u, i, j, k) +
        STN_R(0.125) * ((STN_AT(u, i - 1, j, k) + STN_AT(u, i + 1, j, k)) +
                        (STN_AT(u, i, j - 1, k) + STN_AT(u, i, j + 1, k)) +
                        (STN_AT(u, i, j, k - 1) + STN_AT(u, i, j, k + 1)));
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

enum { FORMATS = 6, STORAGES = 4, MOST_ROWS = 3 * FORMATS, WARM = 8 };
typedef enum bench_tier { PLAIN, TILE, FUSED, JIT, TIERS } bench_tier;
static const char *const tiers[TIERS] = {"plain", "tile", "fused", "jit"};
static const double omega = 1.25;

static bench_frame frame;
static stn_exec *compiling; /* as many threads as the frame's */

static double now(void)
{
    struct timespec time;
    if (frame.threads > 1)
        return measure_now();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* With the fused loops, or without. */
static void use_fused(int uses)
{
    const stn_format arithmetic = uses ? STN_F32 : STN_I64;
    stn_fused_loop *const loops[] = {&d2q9_step_f32_fused, &d2q9_step_f16_fused,
                                     &d2q9_step_bf16_fused, &d2q9_step_i16_fused};
    for (int k = 0; k < 4; k++)
        loops[k]->arithmetic = arithmetic;
}

/* ---- rows ---- */

typedef struct bench_row {
    int format; /* index of the operands */
    bench_tier tier;
    double seconds[BENCH_MOST_REPEATS];
} bench_row;

/* A kernel in one arithmetic. */
typedef struct bench_group {
    const char *kernel;
    stn_format arithmetic;
    int64_t count;   /* elements or cells */
    int populations; /* of a cell */
    const stn_format *formats;
    void (*run)(const struct bench_group *group, const bench_row *row, int round);
    void *operands;
    int rows;
    bench_row row[MOST_ROWS];
} bench_group;

static void add_row(bench_group *group, int format, bench_tier tier)
{
    group->row[group->rows++] = (bench_row){.format = format, .tier = tier};
}

static const stn_exec *exec_of(const bench_row *row)
{
    return row->tier == JIT ? compiling : frame.exec;
}

static void print_row(bench_group *group, bench_row *row, double stream_seconds, double bytes)
{
    const double seconds = measure_median(row->seconds, frame.repeats);
    const double first = measure_median(group->row[0].seconds, frame.repeats);
    const char *const format = bench_described(group->formats[row->format]).name;
    const char *const arithmetic = bench_described(group->arithmetic).name;
    printf("%-10s %-5s %-5s %-6s %10.3e %8.2f %8.2f %9.2f %8.2f\n", group->kernel, format,
           arithmetic, tiers[row->tier], seconds, bytes / seconds / 1e9,
           bytes / stream_seconds / 1e9, stream_seconds / seconds, first / seconds);
    if (frame.json)
        fprintf(frame.json,
                "{\"kernel\": \"%s\", \"exec\": \"threads\", \"format\": \"%s\", \"result\": "
                "\"%s\", \"arith\": \"%s\", \"tier\": \"%s\", \"n\": %lld, \"threads\": %d, "
                "\"seconds\": %.9g, \"bytes\": %.0f, \"gbps\": %.9g, \"stream_gbps\": %.9g, "
                "\"fraction\": %.9g, \"speedup\": %.9g}\n",
                group->kernel, format, format, arithmetic, tiers[row->tier],
                (long long)group->count, frame.threads, seconds, bytes, bytes / seconds / 1e9,
                bytes / stream_seconds / 1e9, stream_seconds / seconds, first / seconds);
}

/* All rows in turn, round by round, after rounds in which the executor that compiles chooses; then
 * a stream per format. */
static void run_group(bench_group *group)
{
    double stream_seconds = 0;
    for (int r = -WARM; r < frame.repeats; r++)
        for (int k = 0; k < group->rows; k++) {
            const double start = now();
            group->run(group, &group->row[k], r + WARM);
            group->row[k].seconds[r < 0 ? 0 : r] = now() - start;
        }
    for (int k = 0; k < group->rows; k++) {
        const int element = (int)bench_described(group->formats[group->row[k].format]).bytes;
        const measure_mix mix = {element * group->populations, 0, element * group->populations};
        const double bytes = (double)group->count * measure_mix_bytes(mix);
        if (k == 0 || group->row[k].format != group->row[k - 1].format) {
            measure_stream_restart(frame.stream);
            for (int r = 0; r < frame.repeats; r++)
                measure_stream_round(frame.stream, mix);
            stream_seconds = measure_stream_seconds(frame.stream, bytes);
        }
        print_row(group, &group->row[k], stream_seconds, bytes);
    }
    fflush(stdout);
}

/* ---- stencils ---- */

static stn_status run_shifts(const stn_exec *exec, stn_format arithmetic, const stn_view *u,
                             const stn_view *v)
{
    return shifts_5_run(exec, arithmetic, u, u, u, u, u, v);
}

typedef struct bench_case {
    const char *name;
    int rank;
    stn_status (*run)(const stn_exec *exec, stn_format arithmetic, const stn_view *u,
                      const stn_view *v);
    stn_format arithmetic;
    int formats;       /* number of them, from the arithmetic's on */
    peer_row *peer[3]; /* from f64, f32 and f16, or NULL */
} bench_case;

static const bench_case cases[] = {
    {"stencil5", 2, inside_5_run, STN_F64, 6, {five_row_f64, five_row_f32_f64}},
    {"stencil5", 2, inside_5_run, STN_F32, 4, {NULL, five_row_f32, five_row_f16}},
    {"stencil9", 2, stencil_9_run, STN_F64, 6, {nine_row_f64, nine_row_f32_f64}},
    {"stencil9", 2, stencil_9_run, STN_F32, 4, {NULL, nine_row_f32, nine_row_f16}},
    {"stencil7", 3, stencil_7_run, STN_F64, 6, {seven_row_f64, seven_row_f32_f64}},
    {"stencil7", 3, stencil_7_run, STN_F32, 4, {NULL, seven_row_f32, seven_row_f16}},
    {"stencil27", 3, stencil_27_run, STN_F64, 6, {twenty_seven_row_f64, twenty_seven_row_f32_f64}},
    {"stencil27",
     3,
     stencil_27_run,
     STN_F32,
     4,
     {NULL, twenty_seven_row_f32, twenty_seven_row_f16}},
    {"zero5", 2, zero_5_run, STN_F32, 2, {NULL}},
    {"nearest5", 2, nearest_5_run, STN_F32, 2, {NULL}},
    {"periodic5", 2, periodic_5_run, STN_F32, 2, {NULL}},
    {"shifts5", 2, run_shifts, STN_F32, 2, {NULL}},
};
static const stn_format formats[FORMATS] = {STN_F64, STN_F32, STN_F16, STN_BF16, STN_I16, STN_I8};

typedef struct bench_operands {
    const bench_case *of;
    int64_t n;
    stn_view u[FORMATS], v[FORMATS];
} bench_operands;

static void run_peer(const bench_operands *o, int format, peer_row *peer)
{
    const int is_cube = o->of->rank == 3;
    const int64_t n = o->n, inside = n - 2, m = is_cube ? n * n : 0;
    const int64_t bytes = (int64_t)bench_described(o->u[format].storage.format).bytes;
    const char *const u = o->u[format].data;
    char *const v = o->v[format].data;
#pragma omp parallel for num_threads(frame.threads) schedule(static)
    for (int64_t row = 0; row < (is_cube ? inside * inside : inside); row++) {
        const int64_t first = (row / inside + 1) * m + (row % inside + 1) * n + 1;
        peer(u + first * bytes, v + first * bytes, inside, n, m);
    }
}

static void run_case(const bench_group *group, const bench_row *row, int round)
{
    const bench_operands *const o = group->operands;
    const int format = (int)(&group->formats[row->format] - formats);
    (void)round;
    if (row->tier == PLAIN)
        run_peer(o, format, o->of->peer[format]);
    else
        bench_must(o->of->run(exec_of(row), group->arithmetic, &o->u[format], &o->v[format]));
}

/* Loops by hand and kernels evaluate the same expression. */
static void check_case(const bench_group *group, bench_operands *o)
{
    const int64_t at = o->n + 1 + (o->of->rank == 3 ? o->n * o->n : 0);
    for (int k = 0; k < group->rows; k++) {
        const int format = (int)(&group->formats[group->row[k].format] - formats);
        const int64_t bytes = (int64_t)bench_described(formats[format]).bytes;
        char values[2][8];
        if (group->row[k].tier != PLAIN)
            continue;
        for (int way = 0; way < 2; way++) {
            run_case(group, &group->row[k + way], 0);
            memcpy(values[way], (char *)o->v[format].data + at * bytes, (size_t)bytes);
        }
        if (memcmp(values[0], values[1], (size_t)bytes) != 0)
            bench_fail("a loop by hand differs from the kernel");
    }
}

static void bench_stencil(const bench_case *of)
{
    static bench_operands o;
    static bench_group group;
    const int first = of->arithmetic == STN_F64 ? 0 : 1;
    int64_t n = 2;
    while ((of->rank == 2 ? (n + 2) * (n + 2) : (n + 2) * (n + 2) * (n + 2)) * 8 <= frame.bytes)
        n += 2;
    const int64_t extents[] = {n, n, n};
    stn_view source;
    bench_must(
        stn_view_create(frame.exec, &source, "source", stn_storage_of(STN_F64), of->rank, extents));
    for (int64_t k = 0; k < stn_view_count(&source); k++)
        ((double *)source.data)[k] = (double)(k * k % 101);
    o = (bench_operands){.of = of, .n = n};
    group = (bench_group){.kernel = of->name,
                          .arithmetic = of->arithmetic,
                          .count = of->rank == 2 ? n * n : n * n * n,
                          .populations = 1,
                          .formats = formats + first,
                          .run = run_case,
                          .operands = &o};
    for (int f = 0; f < of->formats; f++) {
        const stn_storage storage = stn_storage_of(group.formats[f]);
        bench_must(stn_view_create(frame.exec, &o.u[first + f], "u", storage, of->rank, extents));
        bench_must(stn_view_create(frame.exec, &o.v[first + f], "v", storage, of->rank, extents));
        bench_must(stn_view_copy(frame.exec, &o.u[first + f], &source));
        bench_must(stn_view_fill(frame.exec, &o.v[first + f], 3.0));
        if (first + f < 3 && of->peer[first + f])
            add_row(&group, f, PLAIN);
        add_row(&group, f, TILE);
        add_row(&group, f, JIT);
    }
    stn_view_release(&source);
    check_case(&group, &o);
    run_group(&group);
    for (int f = first; f < first + of->formats; f++) {
        stn_view_release(&o.u[f]);
        stn_view_release(&o.v[f]);
    }
}

/* ---- fluids ---- */

/* f32 is first, because f16 is compared with it. */
static const stn_format storages[STORAGES] = {STN_F32, STN_F16, STN_BF16, STN_I16};

static stn_storage fluid_storage(int s)
{
    stn_storage storage = stn_storage_of(storages[s]);
    if (s > 0)
        storage.scale = 1.0 / PEER_SCALE;
    return storage;
}

static void step_d2q9(peer_cells *peer, const d2q9_fluid *from, const d2q9_fluid *to)
{
    const int64_t bytes = (int64_t)bench_described(from->populations.storage.format).bytes;
    bench_must(d2q9_wrap_frame(frame.exec, from));
#pragma omp parallel for num_threads(frame.threads) schedule(static)
    for (int64_t row = 0; row < from->rows; row++) {
        const void *f[D2Q9];
        void *g[D2Q9];
        for (int q = 0; q < D2Q9; q++) {
            f[q] = (const char *)from->pulled[q].data + row * from->pulled[q].stride[0] * bytes;
            g[q] = (char *)to->cells[q].data + row * to->cells[q].stride[0] * bytes;
        }
        peer(f, g, from->columns, omega);
    }
}

static void run_d2q9(const bench_group *group, const bench_row *row, int round)
{
    static peer_cells *const peers[STORAGES] = {d2q9_row_f32, d2q9_row_scaled_f16};
    const d2q9_fluid(*const fluids)[2] = group->operands;
    const d2q9_fluid *const from = &fluids[row->format][round % 2];
    const d2q9_fluid *const to = &fluids[row->format][(round + 1) % 2];
    use_fused(row->tier == FUSED);
    if (row->tier == PLAIN)
        step_d2q9(peers[row->format], from, to);
    else
        bench_must(d2q9_advance(exec_of(row), STN_F32, omega, from, to));
}

static void bench_d2q9(void)
{
    static d2q9_fluid fluids[STORAGES][2];
    static bench_group group;
    int64_t n = 128;
    while ((n + 128) * (n + 128) * 4 * D2Q9 <= frame.bytes)
        n += 128;
    group = (bench_group){.kernel = "lbm",
                          .arithmetic = STN_F32,
                          .count = n * n,
                          .populations = D2Q9,
                          .formats = storages,
                          .run = run_d2q9,
                          .operands = fluids};
    for (int s = 0; s < STORAGES; s++) {
        for (int side = 0; side < 2; side++) {
            bench_must(d2q9_create(&fluids[s][side], frame.exec, fluid_storage(s), n, n));
            bench_must(stn_view_fill(frame.exec, &fluids[s][side].populations, 0.001));
        }
        for (bench_tier tier = s == 0 || (s == 1 && PEER_HAS_F16) ? PLAIN : TILE; tier < TIERS;
             tier++)
            add_row(&group, s, tier);
    }
    run_group(&group);
    for (int s = 0; s < STORAGES; s++)
        for (int side = 0; side < 2; side++)
            stn_view_release(&fluids[s][side].populations);
}

/* The first and the last cell of a row have neighbors at its other end. */
static void step_d3q19(peer_cells *inside, peer_cells *end, const d3q19_fluid *from,
                       const d3q19_fluid *to)
{
    const int64_t n = from->cells[0].extent[0];
    const int64_t bytes = (int64_t)bench_described(from->populations.storage.format).bytes;
#pragma omp parallel for num_threads(frame.threads) schedule(static)
    for (int64_t row = 0; row < n * n; row++) {
        const void *f[D3Q19];
        void *g[D3Q19];
        for (int part = 0; part < 3; part++) {
            const int64_t begin = part == 0 ? 0 : part == 1 ? 1 : n - 1;
            for (int q = 0; q < D3Q19; q++) {
                const int64_t z = (row / n - d3q19_way[q][0] + n) % n;
                const int64_t y = (row % n - d3q19_way[q][1] + n) % n;
                const int64_t x = (begin - d3q19_way[q][2] + n) % n;
                f[q] = (const char *)from->cells[q].data + ((z * n + y) * n + x) * bytes;
                g[q] = (char *)to->cells[q].data + (row * n + begin) * bytes;
            }
            (part == 1 ? inside : end)(f, g, part == 1 ? n - 2 : 1, omega);
        }
    }
}

static void run_d3q19(const bench_group *group, const bench_row *row, int round)
{
    static peer_cells *const inside[STORAGES] = {d3q19_row_f32, d3q19_row_scaled_f16};
    static peer_cells *const end[STORAGES] = {d3q19_row_f32, d3q19_row_cell_f16};
    const d3q19_fluid(*const fluids)[2] = group->operands;
    const d3q19_fluid *const from = &fluids[row->format][round % 2];
    const d3q19_fluid *const to = &fluids[row->format][(round + 1) % 2];
    if (row->tier == PLAIN)
        step_d3q19(inside[row->format], end[row->format], from, to);
    else
        bench_must(d3q19_advance(exec_of(row), STN_F32, omega, from, to));
}

static void bench_d3q19(void)
{
    static d3q19_fluid fluids[STORAGES][2];
    static bench_group group;
    int64_t n = 16;
    while ((n + 16) * (n + 16) * (n + 16) * 4 * D3Q19 <= frame.bytes)
        n += 16;
    const int64_t extents[] = {n, n, n};
    group = (bench_group){.kernel = "lbm3",
                          .arithmetic = STN_F32,
                          .count = n * n * n,
                          .populations = D3Q19,
                          .formats = storages,
                          .run = run_d3q19,
                          .operands = fluids};
    for (int s = 0; s < STORAGES; s++) {
        for (int side = 0; side < 2; side++) {
            bench_must(d3q19_create(&fluids[s][side], frame.exec, fluid_storage(s), extents));
            bench_must(stn_view_fill(frame.exec, &fluids[s][side].populations, 0.001));
        }
        if (s == 0 || (s == 1 && PEER_HAS_F16))
            add_row(&group, s, PLAIN);
        add_row(&group, s, TILE);
        add_row(&group, s, JIT);
    }
    run_group(&group);
    for (int s = 0; s < STORAGES; s++)
        for (int side = 0; side < 2; side++)
            stn_view_release(&fluids[s][side].populations);
}

/* Is the kernel named on the command line? Without names, all are. */
static int is_named(const char *kernel, int count, char **words)
{
    int is = count == 0;
    for (int k = 0; k < count; k++)
        is |= strcmp(kernel, words[k]) == 0;
    return is;
}

int main(int count, char **words)
{
    frame = bench_begin(count, words);
    char resource[64];
    count -= optind;
    words += optind;
    snprintf(resource, sizeof resource, "threads:threads=%d,jit", frame.threads);
    bench_must(stn_exec_create(&compiling, resource));
    printf("%-10s %-5s %-5s %-6s %10s %8s %8s %9s %8s\n", "kernel", "store", "arith", "tier",
           "seconds", "GB/s", "stream", "fraction", "speedup");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (is_named(cases[k].name, count, words))
            bench_stencil(&cases[k]);
    if (is_named("lbm", count, words))
        bench_d2q9();
    if (is_named("lbm3", count, words))
        bench_d3q19();
    stn_exec_release(compiling);
    bench_end(&frame);
    return 0;
}
