/* Triangular systems in complex arithmetic: of a real triangle each part by itself; of a complex
 * one level by level, by loops over tiles of a row's entries where there are some. */
#include "blas/call.h"
#include "core/memory.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/run.h"
#include "sparse/csr.h"
#include "sparse/tile.h"
#include "sparse/triangular.h"
#include "steno/complex.h"
#include "sum/tree.h"
#include "view/trace.h"
#include "view/view.h"

/* ---- a real triangle ---- */

static stn_status solve_parts(const stn_solution_of *s)
{
    stn_view b, x, from, to;
    STN_TRY(stn_parts_of(&b, s->b));
    STN_TRY(stn_parts_of(&x, s->x));
    for (int64_t j = 0; j < 2; j++) {
        const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(j)};
        const stn_solution_of part = {s->call, s->exec, s->t, stn_triangular_real(s->arithmetic),
                                      &from,   &to};
        STN_TRY(stn_view_slice(&from, &b, 2, slices));
        STN_TRY(stn_view_slice(&to, &x, 2, slices));
        STN_TRY(stn_triangular_solve_real(&part));
    }
    return STN_OK;
}

/* ---- a complex triangle, by loops ---- */

typedef struct level_job {
    const stn_triangular *t;
    stn_sparse_tile *tile;
    stn_format real;
    stn_run run; /* of the values */
    const stn_view *b, *x;
    int64_t first, count; /* of a level */
} level_job;

static void sum_row(const level_job *job, double *sums, int64_t row)
{
    const stn_csr *const a = &job->t->strict;
    const int64_t end = a->row_start[row + 1];
    double states[STN_TREE_LEVELS * 2];
    _Alignas(64) stn_c128 values[STN_TILE_ELEMENTS]; /* or as many c64 */
    stn_tree tree;
    sums[0] = sums[1] = 0.0;
    if (end == a->row_start[row])
        return;
    stn_tree_begin(&tree, stn_add_of(job->real), sizeof *sums, 2, states, 0);
    for (int64_t k = a->row_start[row]; k < end; k += STN_TILE_ELEMENTS) {
        const int64_t count = end - k < STN_TILE_ELEMENTS ? end - k : STN_TILE_ELEMENTS;
        stn_run_decode(&job->run, values, (const char *)a->values + k * job->run.bytes, 1, count);
        job->tile(sums, values, a->column + k, count, job->t->work.data);
        stn_tree_push(&tree, sums, 0);
    }
    const double *const all = stn_tree_fold(&tree);
    sums[0] = all[0];
    sums[1] = all[1];
}

#define DEFINE_SOLVE_ROW(Z, real)                                                                  \
    static void solve_row_##Z(const level_job *job, int64_t row)                                   \
    {                                                                                              \
        const stn_triangular *const t = job->t;                                                    \
        const int32_t at = ((const int32_t *)t->order.data)[row];                                  \
        double sums[2];                                                                            \
        stn_##Z divisor;                                                                           \
        sum_row(job, sums, row);                                                                   \
        const stn_##Z sum = {(real)sums[0], (real)sums[1]};                                        \
        const stn_##Z *const b = (const stn_##Z *)job->b->data + at * job->b->stride[0];           \
        stn_##Z rest = stn_##Z##_subtract(*b, sum);                                                \
        if (!stn_view_is_nothing(&t->diagonal)) {                                                  \
            stn_run_decode(&job->run, &divisor,                                                    \
                           (const char *)t->diagonal.data + row * job->run.bytes, 1, 1);           \
            rest = stn_##Z##_divide(rest, divisor);                                                \
        }                                                                                          \
        ((stn_##Z *)t->work.data)[row] = rest;                                                     \
        ((stn_##Z *)job->x->data)[at * job->x->stride[0]] = rest;                                  \
    }
DEFINE_SOLVE_ROW(c128, double)
DEFINE_SOLVE_ROW(c64, float)

static void solve_share(void *context, int part, int parts)
{
    const level_job *const job = context;
    int64_t begin, end;
    stn_share(job->count, part, parts, &begin, &end);
    for (int64_t row = job->first + begin; row < job->first + end; row++)
        (job->real == STN_F64 ? solve_row_c128 : solve_row_c64)(job, row);
}

static void solve_by_loops(const stn_solution_of *s, level_job *job)
{
    const int64_t *const level = s->t->level.data;
    const uint64_t trace = stn_trace_begin("triangular", s->x);
    for (int64_t k = 0; k < s->t->levels; k++) {
        job->first = level[2 * k];
        job->count = level[2 * k + 1];
        stn_exec_run_worth(s->exec, stn_triangular_row_bytes(s->t) * (double)job->count,
                           solve_share, job);
    }
    stn_trace_end("triangular", s->x, trace);
}

/* ---- the call ---- */

/* Vectors of the arithmetic type at a stride. */
static stn_status solve_values(const stn_solution_of *s)
{
    const stn_format real = stn_triangular_real(s->arithmetic);
    const stn_csr *const a = &s->t->strict;
    const stn_sparse_tiles *const tiles =
        s->exec->kind == STN_EXEC_OPENMP ? stn_sparse_tiles_of(real) : NULL;
    level_job job = {.t = s->t, .real = real, .b = s->b, .x = s->x};
    if (!stn_csr_is_complex(a))
        return solve_parts(s);
    STN_TRY(stn_run_make(&job.run, s->arithmetic, &a->storage));
    if (!tiles)
        return stn_triangular_solve_by_kernels(s);
    job.tile = tiles->of_complex;
    solve_by_loops(s, &job);
    return STN_OK;
}

static int are_values(stn_format arithmetic, const stn_view *view)
{
    return view->storage.format == arithmetic && stn_storage_is_usual(&view->storage) &&
           !view->storage.counters && !view->mapping && !view->scales.data;
}

/* By the way of a vector in the arithmetic, where one of the two is none. */
stn_status stn_triangular_solve_complex(const stn_solution_of *s)
{
    const stn_blas_call call = {s->call, s->exec, s->arithmetic};
    stn_solution_of inside = *s;
    stn_view room;
    if (are_values(s->arithmetic, s->b) && are_values(s->arithmetic, s->x))
        return solve_values(s);
    inside.b = inside.x = &room;
    STN_TRY(stn_blas_room(&call, "a solution", 1, s->b->extent, &room));
    stn_status status = stn_blas_store(&call, &room, s->b);
    if (status == STN_OK)
        status = solve_values(&inside);
    if (status == STN_OK)
        status = stn_blas_store(&call, s->x, &room);
    (void)stn_view_release(&room);
    return status;
}
