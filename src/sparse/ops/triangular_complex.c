/* Triangular systems in complex arithmetic. With a real triangle, the parts are solved separately.
 * A complex triangle is solved level by level, by loops over tiles of a row's entries if there are
 * any. */
#include "blas/call.h"
#include "core/memory.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/run.h"
#include "sparse/matrix.h"
#include "sparse/product/source.h"
#include "sparse/ops/triangular.h"
#include "steno/complex.h"
#include "view/plain.h"
#include "view/trace.h"

/* ---- a real triangle ---- */

static stn_status solve_parts(const stn_triangular_call *s)
{
    stn_view b, x, from, to;
    STN_TRY(stn_parts_of(&b, s->b));
    STN_TRY(stn_parts_of(&x, s->x));
    for (int64_t j = 0; j < 2; j++) {
        const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(j)};
        const stn_triangular_call part = {
            s->call, s->exec, s->t, stn_triangular_real(s->arithmetic), &from, &to};
        STN_TRY(stn_view_slice(&from, &b, 2, slices));
        STN_TRY(stn_view_slice(&to, &x, 2, slices));
        STN_TRY(stn_triangular_solve_real(&part));
    }
    return STN_OK;
}

/* ---- a complex triangle, by loops ---- */

typedef struct level_job {
    const stn_triangular *t;
    stn_row_source source;
    stn_right right;
    stn_format real;
    stn_run run; /* of the values */
    const stn_view *b, *x;
    int64_t first, count; /* of a level */
} level_job;

#define DEFINE_FINISH(Z, real)                                                                     \
    static void finish_##Z(const level_job *job, int64_t first, int64_t count,                     \
                           const double sums[STN_ROW_BATCH][2], const void *divisors)              \
    {                                                                                              \
        const int32_t *const order = (const int32_t *)job->t->order.data + first;                  \
        const int64_t b_step = job->b->stride[0], x_step = job->x->stride[0];                      \
        const stn_##Z *const b = job->b->data, *const d = divisors;                                \
        stn_##Z *const work = (stn_##Z *)job->t->work.data + first, *const x = job->x->data;       \
        for (int64_t r = 0; r < count; r++) {                                                      \
            const stn_##Z sum = {(real)sums[r][0], (real)sums[r][1]};                              \
            const stn_##Z rest = stn_##Z##_subtract(b[order[r] * b_step], sum);                    \
            work[r] = x[order[r] * x_step] = d ? stn_##Z##_divide(rest, d[r]) : rest;              \
        }                                                                                          \
    }
DEFINE_FINISH(c128, double)
DEFINE_FINISH(c64, float)

static void solve_rows(const level_job *job, int64_t first, int64_t count)
{
    const stn_view *const diagonal = &job->t->diagonal;
    double sums[STN_ROW_BATCH][2];
    stn_c128 divisors[STN_ROW_BATCH]; /* or as many c64 */
    stn_source_sum(&job->source, &job->right, sums[0], first, count);
    if (!stn_view_is_empty(diagonal))
        stn_run_decode(&job->run, divisors, (const char *)diagonal->data + first * job->run.bytes,
                       1, count);
    (job->real == STN_F64 ? finish_c128 : finish_c64)(
        job, first, count, (const double(*)[2])sums, stn_view_is_empty(diagonal) ? NULL : divisors);
}

static void solve_share(void *context, int part, int parts)
{
    const level_job *const job = context;
    int64_t begin, end;
    stn_share(job->count, part, parts, &begin, &end);
    for (int64_t row = begin; row < end; row += STN_ROW_BATCH)
        solve_rows(job, job->first + row, end - row < STN_ROW_BATCH ? end - row : STN_ROW_BATCH);
}

static void solve_by_loops(const stn_triangular_call *s, level_job *job)
{
    const int64_t *const level = s->t->level.data;
    const uint64_t trace = stn_trace_begin("triangular", s->x);
    for (int64_t k = 0; k < s->t->levels; k++) {
        job->first = level[2 * k];
        job->count = level[2 * k + 1];
        stn_exec_run_sized(s->exec, stn_triangular_row_bytes(s->t) * (double)job->count,
                           solve_share, job);
    }
    stn_trace_end("triangular", s->x, trace);
}

/* ---- the call ---- */

/* Strided vectors of the arithmetic type. */
static stn_status solve_values(const stn_triangular_call *s)
{
    const stn_format real = stn_triangular_real(s->arithmetic);
    const stn_matrix *const a = &s->t->strict;
    const stn_sparse_tiles *const tiles =
        stn_exec_has_loops(s->exec) ? stn_sparse_tiles_of(real) : NULL;
    level_job job;
    if (!stn_matrix_is_complex(a))
        return solve_parts(s);
    STN_TRY(stn_run_init_in_modes(&job.run, s->arithmetic, &a->storage));
    if (!tiles)
        return stn_triangular_solve_by_kernels(s);
    STN_TRY(stn_source_open(&job.source, s->call, s->exec, real, &job.run, a));
    job.t = s->t;
    job.real = real;
    job.b = s->b;
    job.x = s->x;
    job.right = (stn_right){s->t->work.data, 2, tiles->complex[1], NULL};
    solve_by_loops(s, &job);
    return STN_OK;
}

/* Vectors in other formats are copied to a temporary vector of the arithmetic type. */
stn_status stn_triangular_solve_complex(const stn_triangular_call *s)
{
    const stn_blas_call call = {s->call, s->exec, s->arithmetic};
    stn_triangular_call inside = *s;
    stn_view workspace;
    if (stn_view_is_of_values(s->b, s->arithmetic) && stn_view_is_of_values(s->x, s->arithmetic))
        return solve_values(s);
    inside.b = inside.x = &workspace;
    STN_TRY(stn_blas_workspace(&call, "a solution", 1, s->b->extent, &workspace));
    stn_status status = stn_blas_store(&call, &workspace, s->b);
    if (status == STN_OK)
        status = solve_values(&inside);
    if (status == STN_OK)
        status = stn_blas_store(&call, s->x, &workspace);
    (void)stn_view_release(&workspace);
    return status;
}
