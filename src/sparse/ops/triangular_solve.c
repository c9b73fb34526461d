/* Triangular systems in real arithmetic, level by level. Threads share the rows of a level,
 * followed by a barrier. The solution is kept in the order of the levels, in which rows of a level
 * are adjacent. */
#include <string.h>

#include "blas/operand.h"
#include "core/memory.h"
#include "sparse/matrix.h"
#include "sparse/product/source.h"
#include "sparse/kinds/slice.h"
#include "sparse/ops/triangular.h"
#include "view/trace.h"

/* ---- by fused loops ---- */

typedef struct level_job {
    stn_row_source source;
    stn_right right;
    stn_run run; /* of the values */
    stn_format arithmetic;
    const char *diagonal; /* codes, or NULL */
    const int32_t *order;
    const void *b;
    void *work, *x;
    int64_t positions;          /* of the order */
    int64_t first, count, each; /* first, count: of a level; each: unit of the distribution of rows
                                 * to threads */
} level_job;

/* Prefetches the next batch, since rows of a level are far from each other in b and x. */
static void fetch_next(const level_job *job, int64_t first, int64_t bytes)
{
    const int64_t begin = first + STN_ROW_BATCH, left = job->positions - begin;
    if (job->positions * bytes <= STN_CACHED_VECTOR_BYTES)
        return;
    for (int64_t k = 0; k < (left < STN_ROW_BATCH ? left : STN_ROW_BATCH); k++) {
        const uintptr_t at = (uintptr_t)((int64_t)job->order[begin + k] * bytes);
        __builtin_prefetch((const void *)((uintptr_t)job->b + at), 0, 3);
        __builtin_prefetch((const void *)((uintptr_t)job->x + at), 1, 3);
    }
}

#define DEFINE_FINISH(T, type)                                                                     \
    static void finish_##T(const level_job *job, int64_t first, int64_t count, const double *sums, \
                           const void *divisors)                                                   \
    {                                                                                              \
        const type *const b = job->b, *const d = divisors;                                         \
        type *const work = job->work, *const x = job->x;                                           \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const int32_t row = job->order[first + k];                                             \
            const type rest = b[row] - (type)sums[k];                                              \
            work[first + k] = x[row] = d ? rest / d[k] : rest;                                     \
        }                                                                                          \
    }
DEFINE_FINISH(f64, double)
DEFINE_FINISH(f32, float)

static void solve_rows(const level_job *job, int64_t first, int64_t count)
{
    double sums[STN_ROW_BATCH], divisors[STN_ROW_BATCH];
    fetch_next(job, first, stn_arithmetic_bytes(job->arithmetic));
    stn_source_sum(&job->source, &job->right, sums, first, count);
    if (job->diagonal)
        stn_run_decode(&job->run, divisors, job->diagonal + first * job->run.bytes, 1, count);
    (job->arithmetic == STN_F64 ? finish_f64 : finish_f32)(job, first, count, sums,
                                                           job->diagonal ? divisors : NULL);
}

static void solve_share(void *context, int part, int parts)
{
    const level_job *const job = context;
    const int64_t units = (job->count + job->each - 1) / job->each, end = job->first + job->count;
    int64_t begin, last;
    stn_share(units, part, parts, &begin, &last);
    last = job->first + last * job->each;
    last = last < end ? last : end;
    for (int64_t row = job->first + begin * job->each; row < last; row += STN_ROW_BATCH)
        solve_rows(job, row, last - row < STN_ROW_BATCH ? last - row : STN_ROW_BATCH);
}

static void solve_levels(const stn_triangular_call *s, level_job *job)
{
    const stn_triangular *const t = s->t;
    const int64_t *const level = t->level.data;
    const double bytes = stn_triangular_row_bytes(t);
    job->each = t->strict.kind == STN_MATRIX_SLICED ? STN_SLICE_ROWS : 1;
    for (int64_t k = 0; k < t->levels; k++) {
        job->first = level[2 * k];
        job->count = level[2 * k + 1];
        stn_exec_run_sized(s->exec, bytes * (double)job->count, solve_share, job);
    }
}

/* x may be the same view as b: a row of b is read before the row of x is written. */
static stn_status solve_by_loops(const stn_triangular_call *s, level_job *job, const stn_operand *b,
                                 const stn_operand *x)
{
    const int64_t rows = s->t->rows, bytes = stn_arithmetic_bytes(s->arithmetic);
    stn_vector from;
    void *buffer = NULL;
    STN_TRY(stn_vector_init(b, 1.0, "b decoded", &from));
    if (!x->values) {
        const stn_status status = stn_allocate(&buffer, rows, (size_t)bytes, "x");
        if (status != STN_OK) {
            stn_free(from.owned);
            return status;
        }
    }
    job->b = from.values;
    job->x = buffer ? buffer : stn_reader_at(&x->reader, 0);
    const uint64_t trace = stn_trace_begin("triangular", s->x);
    solve_levels(s, job);
    for (int64_t k = 0; k < rows && buffer; k += STN_TILE_ELEMENTS)
        stn_operand_write(x, k, rows - k < STN_TILE_ELEMENTS ? rows - k : STN_TILE_ELEMENTS,
                          (char *)buffer + k * bytes);
    stn_trace_end("triangular", s->x, trace);
    stn_free(from.owned);
    stn_free(buffer);
    return STN_OK;
}

static void set_arrays(const stn_triangular_call *s, level_job *job)
{
    const stn_triangular *const t = s->t;
    job->right = (stn_right){.x = t->work.data, .width = 1};
    job->arithmetic = s->arithmetic;
    job->diagonal = t->diagonal.data;
    job->order = t->order.data;
    job->positions = t->order.extent[0];
    job->work = t->work.data;
}

/* ---- the call ---- */

stn_status stn_triangular_solve_real(const stn_triangular_call *s)
{
    const stn_matrix *const strict = &s->t->strict;
    level_job job;
    stn_operand b, x;
    STN_TRY(stn_operand_init(s->call, s->exec, s->arithmetic, s->b, &b));
    STN_TRY(stn_operand_init(s->call, s->exec, s->arithmetic, s->x, &x));
    STN_TRY(stn_run_init_in_modes(&job.run, s->arithmetic, &strict->storage));
    if (!stn_source_is_supported(s->exec, strict))
        return stn_triangular_solve_by_kernels(s);
    STN_TRY(stn_source_open(&job.source, s->call, s->exec, s->arithmetic, &job.run, strict));
    set_arrays(s, &job);
    return solve_by_loops(s, &job, &b, &x);
}
