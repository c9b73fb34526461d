/* bench blocks: speed of block formats and byte-width floats next to plain formats of the same
 * width.
 *
 *   bench_blocks [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * `dot` and `dot f64` are the products of two vectors in the format, and of one of them with values
 * of f64, in f64 arithmetic, from memory: milliseconds, and the speed relative to streaming the
 * same bytes. `gemv` is a product of a matrix with rows of 4096 elements in the format by values:
 * the same. `store` and `load` are copies from and to f64: milliseconds. `basis` is one pass over
 * the 30 vectors of a basis of GMRES (stn_gemvt, f64 arithmetic) in milliseconds; `i16:32` has
 * scales of f32 per 32 elements. All of them are measured in alternating rounds; the median counts.
 * With one thread, times are processor time, which other programs affect less.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frame.h"
#include "steno/blas.h"
#include "steno/block_format.h"

enum { VECTORS = 30, COLUMNS = 4096 };

static bench_frame *frame;

typedef struct times {
    double dot[BENCH_MOST_REPEATS], mixed[BENCH_MOST_REPEATS], product[BENCH_MOST_REPEATS],
        store[BENCH_MOST_REPEATS], load[BENCH_MOST_REPEATS], basis[BENCH_MOST_REPEATS];
} times;

typedef struct operands {
    int64_t n, length;
    stn_view values, x, y, matrix, v, u, basis, w, h;
    float *scales; /* of the basis, or NULL */
} operands;

static stn_view create(stn_format format, int rank, int64_t rows, int64_t n)
{
    const int64_t extents[] = {rank == 2 ? rows : n, n};
    stn_view view;
    bench_must(
        stn_view_create(frame->exec, &view, "vector", stn_storage_of(format), rank, extents));
    return view;
}

static void fill(const stn_view *view, int64_t rows, int64_t n)
{
    double *const row = bench_allocate(n, sizeof *row);
    uint32_t state = 1;
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t k = 0; k < n; k++) {
            state = state * 1664525u + 1013904223u;
            row[k] = (double)(int32_t)state * 0x1p-31 * (1.0 + 0.5 * sin(0.001 * (double)k));
        }
        const stn_slice slices[] = {stn_slice_index(r), stn_slice_all()};
        stn_view from, to = *view;
        bench_must(stn_view_wrap(&from, "row", stn_storage_of(STN_F64), row, 1, &n));
        if (view->rank == 2)
            bench_must(stn_view_slice(&to, view, 2, slices));
        bench_must(stn_view_copy(frame->exec, &to, &from));
    }
    free(row);
}

/* Integers with a scale of f32 per 32 elements. */
static void set_scales(operands *o, stn_format format)
{
    const int64_t blocks = o->length / 32 * VECTORS;
    o->scales = bench_allocate(blocks, sizeof *o->scales);
    for (int64_t k = 0; k < blocks; k++)
        o->scales[k] = format == STN_I8 ? 0x1p-6F : 0x1p-14F;
    bench_must(stn_view_set_scales(&o->basis, &(stn_scales){.data = o->scales,
                                                            .format = STN_F32,
                                                            .dimension = 1,
                                                            .block = 32,
                                                            .stride = {o->length / 32, 1}}));
}

static operands begin(stn_format format, int has_scales)
{
    operands o = {.n = frame->bytes / 8 / COLUMNS * COLUMNS};
    o.length =
        o.n / 4 / 128 * 128 - 128; /* rows as in a solver: at different positions in caches */
    o.values = create(STN_F64, 1, 1, o.n);
    o.x = create(format, 1, 1, o.n);
    o.y = create(format, 1, 1, o.n);
    o.matrix = create(format, 2, o.n / COLUMNS, COLUMNS);
    o.v = create(STN_F64, 1, 1, COLUMNS);
    o.u = create(STN_F64, 1, 1, o.n / COLUMNS);
    o.basis = create(format, 2, VECTORS, o.length);
    o.w = create(STN_F64, 1, 1, o.length);
    o.h = create(STN_F64, 1, 1, VECTORS);
    if (has_scales)
        set_scales(&o, format);
    fill(&o.values, 1, o.n);
    fill(&o.y, 1, o.n);
    fill(&o.matrix, o.n / COLUMNS, COLUMNS);
    fill(&o.v, 1, COLUMNS);
    fill(&o.basis, VECTORS, o.length);
    fill(&o.w, 1, o.length);
    return o;
}

static void end(operands *o)
{
    stn_view *const views[] = {&o->values, &o->x,     &o->y, &o->matrix, &o->v,
                               &o->u,      &o->basis, &o->w, &o->h};
    for (size_t k = 0; k < sizeof views / sizeof *views; k++)
        bench_must(stn_view_release(views[k]));
    free(o->scales);
}

/* The processor time of one thread, which other programs affect less. */
static double now_of_thread(void)
{
    return frame->threads > 1 ? measure_now() : (double)clock() / CLOCKS_PER_SEC;
}

static double lap(double *start)
{
    const double now = now_of_thread(), seconds = now - *start;
    *start = now;
    return seconds;
}

static void measure(const operands *o, times *t, int round)
{
    double sum, start = now_of_thread();
    bench_must(stn_view_copy(frame->exec, &o->x, &o->values));
    t->store[round] = lap(&start);
    bench_must(stn_view_copy(frame->exec, &o->values, &o->x));
    t->load[round] = lap(&start);
    bench_must(stn_dot(frame->exec, STN_F64, &sum, &o->x, &o->y));
    t->dot[round] = lap(&start);
    bench_must(stn_dot(frame->exec, STN_F64, &sum, &o->x, &o->values));
    t->mixed[round] = lap(&start);
    bench_must(stn_gemv(frame->exec, STN_F64, 1.0, &o->matrix, &o->v, 0.0, &o->u));
    t->product[round] = lap(&start);
    bench_must(stn_gemvt(frame->exec, STN_F64, -1e-9, &o->basis, &o->h, 1.0, &o->w, &o->h));
    t->basis[round] = lap(&start);
}

static double milliseconds(double *values)
{
    return 1e3 * measure_median(values, frame->repeats);
}

static void bench_row(stn_format format, const char *name, int has_scales)
{
    operands o = begin(format, has_scales);
    times t;
    measure(&o, &t, 0);
    measure_stream_restart(frame->stream);
    for (int round = 0; round < frame->repeats; round++) {
        (void)measure_stream_round(frame->stream, (measure_mix){.read = 1});
        measure(&o, &t, round);
    }
    const stn_format_info info = bench_described(format);
    const double bytes = (double)info.block_bytes / (double)info.block_elements;
    const double dot = milliseconds(t.dot), mixed = milliseconds(t.mixed),
                 product = milliseconds(t.product);
    const double streaming = 1e3 * measure_stream_seconds(frame->stream, (double)o.n * bytes);
    const double values = 1e3 * measure_stream_seconds(frame->stream, (double)o.n * 8);
    printf("| %-10s | %5.2f | %7.2f %5.2f | %7.2f %5.2f | %7.2f %5.2f | %7.2f | %7.2f | %7.2f |\n",
           name, 8 * bytes, dot, 2 * streaming / dot, mixed, (streaming + values) / mixed, product,
           streaming / product, milliseconds(t.store), milliseconds(t.load), milliseconds(t.basis));
    if (frame->json)
        fprintf(frame->json,
                "{\"bench\":\"blocks\",\"format\":\"%s\",\"threads\":%d,\"dot_ms\":%.4f,"
                "\"dot_fraction\":%.3f,\"gemv_ms\":%.4f,\"gemv_fraction\":%.3f,"
                "\"store_ms\":%.4f,\"load_ms\":%.4f,\"basis_ms\":%.4f}\n",
                name, frame->threads, dot, 2 * streaming / dot, product, streaming / product,
                milliseconds(t.store), milliseconds(t.load), milliseconds(t.basis));
    end(&o);
}

int main(int count, char **words)
{
    static const struct {
        stn_format format;
        const char *name;
        int has_scales;
    } rows[] = {{STN_F64, "f64", 0},
                {STN_F32, "f32", 0},
                {STN_F48, "f48", 0},
                {STN_F40, "f40", 0},
                {STN_F24, "f24", 0},
                {STN_F16, "f16", 0},
                {STN_I16, "i16:32", 1},
                {STN_I8, "i8:32", 1},
                {STN_BFP32, "bfp32", 0},
                {STN_BFP16, "bfp16", 0},
                {STN_BFP8, "bfp8", 0},
                {STN_MXINT8, "mxint8", 0},
                {STN_E4M3, "e4m3", 0},
                {STN_MXFP8_E4M3, "mxfp8_e4m3", 0},
                {STN_MXFP6_E2M3, "mxfp6_e2m3", 0},
                {STN_MXFP4, "mxfp4", 0},
                {STN_NVFP4, "nvfp4", 0}};
    bench_frame own = bench_begin(count, words);
    frame = &own;
    printf("%d threads, %lld elements, %d vectors of %lld\n\n", own.threads,
           (long long)(own.bytes / 8), VECTORS, (long long)(own.bytes / 32));
    puts(
        "| format     | bits  | dot           | dot f64       | gemv          | store   | load    "
        "| "
        "basis   |\n"
        "|------------|------:|--------------:|--------------:|--------------:|--------:|--------:|"
        "--------:|");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        bench_row(rows[k].format, rows[k].name, rows[k].has_scales);
    bench_end(&own);
    return 0;
}
