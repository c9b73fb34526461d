/* Two triangular systems in a common order. The intermediate solution stays in that order, and
 * threads process all levels in one parallel region, with barriers in between. */
#include "sparse/ops/triangular_pair.h"

#include <math.h>

#include "blas/call.h"
#include "blas/operand.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/tune.h"
#include "core/versions.h"
#include "exec/barrier.h"
#include "sparse/matrix.h"
#include "sparse/product/source.h"
#include "sparse/kinds/slice.h"
#include "view/trace.h"

/* Levels with fewer bytes are faster on one thread than with a barrier of two threads. */
enum { MIN_SHARED_BYTES = 16 << 10 };

typedef struct side {
    stn_row_source source;
    const int64_t *level; /* pairs (first position, number of rows) in the order of solution */
    int64_t levels;
    double bytes; /* per row */
} side;

typedef struct pair_job {
    side side[2];
    stn_run run;             /* of the divisors */
    const char *divisor;     /* codes of the divisors */
    int are_values;          /* usable without decoding */
    const int32_t *position; /* position of each row */
    const void *b;
    void *work, *x;
    stn_format arithmetic;
    stn_barrier *barrier;
    int64_t rows, each; /* each: unit of the distribution of rows to threads */
} pair_job;

/* ---- rows ---- */

#define DEFINE_FINISH(T, type)                                                                     \
    STN_VERSIONS static void subtract_sums_##T(type *restrict work, const double *restrict sums,   \
                                               int64_t count)                                      \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            work[k] -= (type)sums[k];                                                              \
    }                                                                                              \
    STN_VERSIONS static void divide_and_subtract_##T(type *restrict work, const type *restrict d,  \
                                                     const double *restrict sums, int64_t count)   \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            work[k] = work[k] / d[k] - (type)sums[k];                                              \
    }                                                                                              \
    static void take_##T(const pair_job *job, int64_t begin, int64_t end)                          \
    {                                                                                              \
        const type *const b = job->b;                                                              \
        type *const work = job->work;                                                              \
        for (int64_t k = begin; k < end; k++)                                                      \
            work[job->position[k]] = b[k];                                                         \
    }                                                                                              \
    static void give_##T(const pair_job *job, int64_t begin, int64_t end)                          \
    {                                                                                              \
        const type *const work = job->work;                                                        \
        type *const x = job->x;                                                                    \
        for (int64_t k = begin; k < end; k++)                                                      \
            x[k] = work[job->position[k]];                                                         \
    }
DEFINE_FINISH(f64, double)
DEFINE_FINISH(f32, float)

/* Decodes divisors of rows into the arithmetic type. */
static const void *divisors_of(const pair_job *job, int64_t first, int64_t count, void *decoded)
{
    const char *const codes = job->divisor + first * job->run.bytes;
    if (job->are_values)
        return codes;
    stn_run_decode(&job->run, decoded, codes, 1, count);
    return decoded;
}

/* Prefetches the data streamed in addition to the entries of the upper triangle, which the loops
 * prefetch themselves. */
static void fetch(const pair_job *job, const void *work, int64_t first, int64_t count)
{
    const int64_t bytes = stn_arithmetic_bytes(job->arithmetic), ahead = stn_tuned_sparse / 2;
    if (job->rows * bytes <= STN_CACHED_VECTOR_BYTES)
        return;
    stn_prefetch_near((const void *)((uintptr_t)work + (uintptr_t)ahead), count * bytes);
    stn_prefetch_near(
        (const void *)((uintptr_t)job->divisor + (uintptr_t)(ahead + first * job->run.bytes)),
        count * job->run.bytes);
}

static void solve_rows(const pair_job *job, int which, int64_t first, int64_t count)
{
    double sums[STN_ROW_BATCH], decoded[STN_ROW_BATCH];
    const side *const s = &job->side[which];
    void *const work = (char *)job->work + first * stn_arithmetic_bytes(job->arithmetic);
    if (which)
        fetch(job, work, first, count);
    stn_source_sum(&s->source, &(stn_right){.x = job->work, .width = 1}, sums, first, count);
    const void *const d = which ? divisors_of(job, first, count, decoded) : NULL;
    if (job->arithmetic == STN_F64)
        d ? divide_and_subtract_f64(work, d, sums, count) : subtract_sums_f64(work, sums, count);
    else
        d ? divide_and_subtract_f32(work, d, sums, count) : subtract_sums_f32(work, sums, count);
}

/* ---- levels ---- */

static void solve_level(const pair_job *job, int which, const int64_t *level, int part, int parts)
{
    const int64_t units = (level[1] + job->each - 1) / job->each, end = level[0] + level[1];
    int64_t begin, last;
    stn_share(units, part, parts, &begin, &last);
    last = level[0] + last * job->each;
    last = last < end ? last : end;
    for (int64_t row = level[0] + begin * job->each; row < last; row += STN_ROW_BATCH)
        solve_rows(job, which, row, last - row < STN_ROW_BATCH ? last - row : STN_ROW_BATCH);
}

static double level_bytes(const side *s, int64_t k)
{
    return s->bytes * (double)s->level[2 * k + 1];
}

/* Small levels are solved by the first thread, consecutively. The other threads wait after the
 * last one. */
static void solve_levels(const pair_job *job, int which, int part, int parts, int *is_disjoint)
{
    const side *const s = &job->side[which];
    for (int64_t k = 0; k < s->levels; k++) {
        const int64_t *const level = s->level + 2 * k;
        if (level_bytes(s, k) <= MIN_SHARED_BYTES) {
            if (part == 0)
                solve_level(job, which, level, 0, 1);
            *is_disjoint = 1;
            continue;
        }
        if (*is_disjoint)
            stn_barrier_wait(job->barrier, parts);
        *is_disjoint = 0;
        solve_level(job, which, level, part, parts);
        stn_barrier_wait(job->barrier, parts);
    }
}

/* Bytes of the levels that threads share, less the cost of barriers. */
static double shared_bytes(const side *s)
{
    double bytes = 0.0;
    for (int64_t k = 0; k < s->levels; k++)
        bytes += fmax(level_bytes(s, k) - MIN_SHARED_BYTES, 0.0);
    return bytes;
}

static void solve_share(void *context, int part, int parts)
{
    const pair_job *const job = context;
    int is_disjoint = 0;
    int64_t begin, end;
    stn_share(job->rows, part, parts, &begin, &end);
    (job->arithmetic == STN_F64 ? take_f64 : take_f32)(job, begin, end);
    stn_barrier_wait(job->barrier, parts);
    solve_levels(job, 0, part, parts, &is_disjoint);
    solve_levels(job, 1, part, parts, &is_disjoint);
    if (is_disjoint)
        stn_barrier_wait(job->barrier, parts);
    (job->arithmetic == STN_F64 ? give_f64 : give_f32)(job, begin, end);
}

/* ---- the call ---- */

static stn_status set_side(const stn_triangular_call *s, const stn_triangular *t, side *result)
{
    stn_run run;
    STN_TRY(stn_run_init_in_modes(&run, s->arithmetic, &t->strict.storage));
    STN_TRY(stn_source_open(&result->source, s->call, s->exec, s->arithmetic, &run, &t->strict));
    result->level = t->level.data;
    result->levels = t->levels;
    result->bytes = stn_triangular_row_bytes(t);
    return STN_OK;
}

static stn_status solve_by_loops(const stn_triangular_call *s, pair_job *job, const stn_operand *b)
{
    stn_vector from;
    stn_barrier barrier;
    STN_TRY(stn_vector_init(b, 1.0, "b decoded", &from));
    job->b = from.values;
    job->barrier = &barrier;
    stn_barrier_open(&barrier);
    const uint64_t trace = stn_trace_begin("triangular", s->x);
    stn_exec_run_together(s->exec, shared_bytes(&job->side[0]) + shared_bytes(&job->side[1]),
                          solve_share, job);
    stn_trace_end("triangular", s->x, trace);
    stn_barrier_close(&barrier);
    stn_free(from.owned);
    return STN_OK;
}

static int is_sliced(const stn_triangular *t)
{
    return t->strict.kind == STN_MATRIX_SLICED;
}

static pair_job job_of(stn_format arithmetic, const stn_triangular_pair *pair)
{
    const stn_view *const divisors = pair->divisors;
    return (pair_job){.arithmetic = arithmetic,
                      .divisor = divisors->data,
                      .are_values = divisors->storage.format == arithmetic,
                      .position = pair->lower->position.data,
                      .work = pair->lower->work.data,
                      .rows = pair->lower->rows,
                      .each =
                          is_sliced(pair->lower) || is_sliced(pair->upper) ? STN_SLICE_ROWS : 1};
}

static stn_status solve_real(const stn_triangular_call *s, const stn_triangular_pair *pair,
                             int *is_done)
{
    pair_job job = job_of(s->arithmetic, pair);
    stn_operand b, x;
    STN_TRY(stn_operand_init(s->call, s->exec, s->arithmetic, s->b, &b));
    STN_TRY(stn_operand_init(s->call, s->exec, s->arithmetic, s->x, &x));
    STN_TRY(stn_run_init_in_modes(&job.run, s->arithmetic, &pair->divisors->storage));
    if (!x.values || !stn_source_is_supported(s->exec, &pair->lower->strict) ||
        !stn_source_is_supported(s->exec, &pair->upper->strict))
        return STN_OK;
    STN_TRY(set_side(s, pair->lower, &job.side[0]));
    STN_TRY(set_side(s, pair->upper, &job.side[1]));
    job.x = stn_reader_at(&x.reader, 0);
    STN_TRY(solve_by_loops(s, &job, &b));
    *is_done = 1;
    return STN_OK;
}

static stn_status solve(const stn_triangular_call *s, const stn_triangular_pair *pair, int *is_done)
{
    STN_TRY(stn_triangular_expect(s));
    if (stn_blas_is_complex(s->arithmetic))
        return STN_OK;
    return stn_triangular_error_prefix(s, solve_real(s, pair, is_done));
}

stn_status stn_triangular_solve_pair(const stn_exec *exec, stn_format arithmetic,
                                     const stn_triangular_pair *pair, const stn_view *b,
                                     const stn_view *x, int *is_done)
{
    const stn_triangular_call s = {"stn_triangular_solve", exec, pair->lower, arithmetic, b, x};
    *is_done = 0;
    STN_RETURN_IN_MODES(solve(&s, pair, is_done));
}
