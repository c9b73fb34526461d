/* bench planes: dot, gemv and sparse products of segmented values, at each depth, next to f64.
 *
 *   bench_planes [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * Arrays of f64 have N megabytes. Each line contains the milliseconds of f64 (best round) and the
 * times of 32, 48 and 64 bits per value relative to it. The sparse matrix is a 7-point stencil. */
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "frame.h"
#include "steno/blas.h"
#include "steno/sparse.h"

enum { DEPTHS = 3, COLUMNS = 2500, POINTS = 7 };

static const bench_frame *frame;

/* One of f64 and of the three depths, by an operation. */
typedef struct operands {
    stn_view views[1 + DEPTHS], x, y;
    stn_matrix *matrices[1 + DEPTHS];
} operands;

typedef void operation(const operands *o, int k);

static void run_dot(const operands *o, int k)
{
    double result;
    bench_must(stn_dot(frame->exec, STN_F64, &result, &o->views[k], &o->views[k]));
}

static void run_gemv(const operands *o, int k)
{
    bench_must(stn_gemv(frame->exec, STN_F64, 1.0, &o->views[k], &o->x, 0.0, &o->y));
}

static void run_spmv(const operands *o, int k)
{
    bench_must(stn_spmv(frame->exec, STN_F64, 1.0, o->matrices[k], &o->x, 0.0, &o->y));
}

static void report(const char *name, operation *run, const operands *o)
{
    double best[1 + DEPTHS];
    for (int round = 0; round <= frame->repeats; round++)
        for (int k = 0; k <= DEPTHS; k++) {
            const double begin = stn_seconds_now();
            run(o, k);
            const double seconds = stn_seconds_now() - begin;
            if (round <= 1 || seconds < best[k]) /* round 0 warms up */
                best[k] = seconds;
        }
    printf("%-16s %9.3f ms %6.2f %6.2f %6.2f\n", name, best[0] * 1e3, best[1] / best[0],
           best[2] / best[0], best[3] / best[0]);
    if (frame->json)
        fprintf(frame->json,
                "{\"operation\": \"%s\", \"milliseconds\": %.4f, \"bits_32\": %.3f, \"bits_48\": "
                "%.3f, \"bits_64\": %.3f}\n",
                name, best[0] * 1e3, best[1] / best[0], best[2] / best[0], best[3] / best[0]);
}

static stn_view vector(int64_t count)
{
    stn_view view;
    bench_must(stn_view_create(frame->exec, &view, "x", stn_storage_of(STN_F64), 1, &count));
    bench_must(stn_view_fill(frame->exec, &view, 1.0));
    return view;
}

static void bench_dense(const char *name, operation *run, int rank, const int64_t *extents)
{
    operands o;
    const int64_t count = rank == 1 ? extents[0] : extents[0] * extents[1];
    double *const values = bench_allocate(count, sizeof *values);
    for (int64_t k = 0; k < count; k++)
        values[k] = 1.0 / (double)(k + 3);
    bench_must(
        stn_view_wrap(&o.views[0], "values", stn_storage_of(STN_F64), values, rank, extents));
    bench_must(stn_view_create_segmented(frame->exec, &o.views[3], "planes", rank, extents));
    bench_must(stn_view_copy(frame->exec, &o.views[3], &o.views[0]));
    for (int k = 1; k < DEPTHS; k++)
        bench_must(stn_view_planes(&o.views[k], &o.views[3], k));
    o.x = vector(extents[rank - 1]);
    o.y = vector(extents[0]);
    report(name, run, &o);
    for (int k = 1; k <= DEPTHS; k++)
        bench_must(stn_view_release(&o.views[k]));
    bench_must(stn_view_release(&o.x));
    bench_must(stn_view_release(&o.y));
    free(values);
}

typedef struct stencil {
    int64_t rows, *start;
    int32_t *column;
    double *value;
} stencil;

static stencil make_stencil(void)
{
    int64_t side = 2;
    while ((side + 1) * (side + 1) * (side + 1) * POINTS * 8 <= frame->bytes)
        side++;
    stencil s = {.rows = side * side * side};
    const int64_t near[POINTS] = {-side * side, -side, -1, 0, 1, side, side * side};
    s.start = bench_allocate(s.rows + 1, sizeof *s.start);
    s.column = bench_allocate(POINTS * s.rows, sizeof *s.column);
    s.value = bench_allocate(POINTS * s.rows, sizeof *s.value);
    for (int64_t row = 0, at = 0; row < s.rows; row++, s.start[row] = at)
        for (int p = 0; p < POINTS; p++)
            if (row + near[p] >= 0 && row + near[p] < s.rows) {
                s.column[at] = (int32_t)(row + near[p]);
                s.value[at++] = p == POINTS / 2 ? 6.1 : -1.0 / (double)(1 + row % 7);
            }
    return s;
}

static void bench_sparse(const char *name, const stencil *s, stn_matrix_kind kind)
{
    operands o;
    stn_matrix *const rows =
        bench_wrap_csr("stencil", s->rows, s->rows, s->start, s->column, STN_F64, s->value);
    bench_must(stn_sparse_convert(frame->exec, &o.matrices[0], rows, kind, NULL));
    bench_must(stn_matrix_segment(frame->exec, &o.matrices[3], o.matrices[0]));
    for (int k = 1; k < DEPTHS; k++)
        bench_must(stn_matrix_planes(&o.matrices[k], o.matrices[3], k));
    o.x = vector(s->rows);
    o.y = vector(s->rows);
    report(name, run_spmv, &o);
    for (int k = 0; k <= DEPTHS; k++)
        stn_matrix_release(o.matrices[k]);
    stn_matrix_release(rows);
    bench_must(stn_view_release(&o.x));
    bench_must(stn_view_release(&o.y));
}

int main(int count, char **words)
{
    bench_frame all = bench_begin(count, words);
    frame = &all;
    const int64_t elements = all.bytes / 8, extents[] = {elements / COLUMNS + 1, COLUMNS};
    printf("%-16s %12s %6s %6s %6s\n", "operation", "f64", "32", "48", "64");
    bench_dense("dot", run_dot, 1, &elements);
    bench_dense("gemv", run_gemv, 2, extents);
    const stencil s = make_stencil();
    bench_sparse("spmv, slices", &s, STN_MATRIX_SLICED);
    bench_sparse("spmv, rows", &s, STN_MATRIX_CSR);
    free(s.start);
    free(s.column);
    free(s.value);
    bench_end(&all);
    return 0;
}
