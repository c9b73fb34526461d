/* Triangular systems, level by level: threads share the rows of one, and wait for each other behind
 * it. What is solved is kept in the order of the levels, where neighbours are read together. */
#include <string.h>

#include "blas/operand.h"
#include "core/memory.h"
#include "core/modes.h"
#include "sparse/csr.h"
#include "sparse/loops.h"
#include "sparse/slice.h"
#include "steno/kernel.h"
#include "steno/sparse_operations.h"
#include "view/overlap.h"
#include "view/trace.h"

static const char call[] = "stn_triangular_solve";

/* clang-format off */
STN_MAP(take_rows, (at(row), gather(place, 1), in(b), scatter(y, 1)),
    STN_PUT(y, b, STN_INDEX_AT(place, row));
)
STN_MAP(give_rows, (at(row), gather(place, 1), gather(y, 1), out(x)),
    x = STN_AT(y, STN_INDEX_AT(place, row));
)
STN_MAP(divide_rows, (in(d), inout(y)), y = y / d;)
/* clang-format on */

typedef struct solving {
    const stn_exec *exec;
    const stn_triangular *t;
    stn_format arithmetic;
    const stn_view *b, *x;
} solving;

/* ---- by loops of the values' format ---- */

typedef struct level_job {
    stn_sum_rows *loops;
    stn_rows rows;
    stn_run run; /* of the values */
    stn_format arithmetic;
    const char *diagonal; /* codes, or NULL */
    const int32_t *order;
    const void *b;
    void *work, *x;
    int64_t first, count, each; /* of a level; what threads share are so many rows */
} level_job;

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
    job->loops(sums, &job->rows, first, count, job->work);
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

static void solve_levels(const solving *s, level_job *job)
{
    const stn_triangular *const t = s->t;
    const int64_t *const level = t->level.data;
    const double bytes = ((double)t->bytes + 32.0 * (double)t->rows) / (double)(t->rows + 1);
    job->each = t->strict.kind == STN_SPARSE_SLICED ? STN_SLICE_ROWS : 1;
    for (int64_t k = 0; k < t->levels; k++) {
        job->first = level[2 * k];
        job->count = level[2 * k + 1];
        stn_exec_run_worth(s->exec, bytes * (double)job->count, solve_share, job);
    }
}

/* x may be what b is: a row is read before it is written. */
static stn_status solve_by_loops(const solving *s, level_job *job, const stn_operand *b,
                                 const stn_operand *x)
{
    const int64_t rows = s->t->rows, bytes = stn_arithmetic_bytes(s->arithmetic);
    stn_vector from;
    void *room = NULL;
    STN_TRY(stn_vector_make(b, 1.0, "b decoded", &from));
    if (!x->values) {
        const stn_status status = stn_allocate(&room, rows, (size_t)bytes, "x");
        if (status != STN_OK) {
            stn_free(from.owned);
            return status;
        }
    }
    job->b = from.values;
    job->x = room ? room : stn_reader_at(&x->reader, 0);
    const uint64_t trace = stn_trace_begin("triangular", s->x);
    solve_levels(s, job);
    for (int64_t k = 0; k < rows && room; k += STN_TILE_ELEMENTS)
        stn_operand_write(x, k, rows - k < STN_TILE_ELEMENTS ? rows - k : STN_TILE_ELEMENTS,
                          (char *)room + k * bytes);
    stn_trace_end("triangular", s->x, trace);
    stn_free(from.owned);
    stn_free(room);
    return STN_OK;
}

static void set_arrays(const solving *s, level_job *job)
{
    const stn_triangular *const t = s->t;
    const stn_csr *const a = &t->strict;
    const int is_sliced = a->kind == STN_SPARSE_SLICED;
    job->rows =
        (stn_rows){is_sliced ? a->slice_start : a->row_start, is_sliced ? a->slice_word : a->column,
                   a->values, job->run.affine, is_sliced ? a->slots : a->entries};
    job->arithmetic = s->arithmetic;
    job->diagonal = t->diagonal.data;
    job->order = t->order.data;
    job->work = t->work.data;
}

/* ---- by kernels ---- */

/* Rows of a level of the vector that is solved; the kernel reads others of it. */
static stn_status level_of(const stn_view *vector, const int64_t *level, stn_view *part)
{
    const stn_slice rows = stn_slice_range(level[0], level[0] + level[1]);
    return stn_view_slice(part, vector, 1, &rows);
}

static stn_status solve_level(const solving *s, const stn_view *work, const int64_t *level)
{
    stn_view part, divisors;
    STN_TRY(level_of(work, level, &part));
    STN_TRY(stn_spmv_subtract(s->exec, s->arithmetic, &s->t->strict, level[0], work, &part));
    if (stn_view_is_nothing(&s->t->diagonal))
        return STN_OK;
    STN_TRY(level_of(&s->t->diagonal, level, &divisors));
    return divide_rows_run(s->exec, s->arithmetic, &divisors, &part);
}

static stn_status solve_by_kernels(const solving *s)
{
    const stn_triangular *const t = s->t;
    const int64_t *const level = t->level.data;
    stn_view work;
    STN_TRY(stn_view_wrap(&work, "what is solved", stn_storage_of(s->arithmetic), t->work.data, 1,
                          t->work.extent, NULL));
    STN_TRY(stn_view_in_space(&work, (stn_space)t->work.space));
    STN_TRY(stn_view_with_traits(&work, STN_RESTRICT));
    STN_TRY(take_rows_run(s->exec, s->arithmetic, &t->place, s->b, &work));
    for (int64_t k = 0; k < t->levels; k++)
        STN_TRY(solve_level(s, &work, level + 2 * k));
    return give_rows_run(s->exec, s->arithmetic, &t->place, &work, s->x);
}

/* ---- calls ---- */

static stn_status check_vectors(const solving *s)
{
    const stn_view *const b = s->b, *const x = s->x;
    STN_TRY(stn_operand_expect(call, s->exec, b, 1));
    STN_TRY(stn_operand_expect(call, s->exec, x, 1));
    STN_TRY(stn_view_writable(call, x));
    if (b->extent[0] != s->t->rows || x->extent[0] != s->t->rows)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has %lld rows, not those of %s and %s", call,
                        s->t->label ? s->t->label : "a matrix", (long long)s->t->rows,
                        stn_view_words(b), stn_view_words(x));
    if (!stn_view_is_unique(x))
        return stn_fail(STN_ERR_ALIAS, "%s: %s repeats one element", call, stn_view_words(x));
    if (stn_view_may_share(x, b) && !stn_view_is_same(x, b))
        return stn_fail(STN_ERR_ALIAS, "%s: %s overlaps %s", call, stn_view_words(x),
                        stn_view_words(b));
    return STN_OK;
}

static stn_status check(const solving *s)
{
    STN_TRY(stn_exec_expect(call, s->exec));
    if (!s->t || s->t->size != sizeof *s->t)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the triangle %s", call,
                        s->t ? "was not made by stn_triangular_make" : "is NULL");
    STN_TRY(stn_csr_expect(call, &s->t->strict));
    STN_TRY(stn_operand_expect(call, s->exec, &s->t->work, 1));
    return check_vectors(s);
}

static stn_status solve(const solving *s)
{
    level_job job = {.first = 0};
    stn_operand b, x;
    STN_TRY(check(s));
    STN_TRY(stn_operand_make(call, s->exec, s->arithmetic, s->b, &b));
    STN_TRY(stn_operand_make(call, s->exec, s->arithmetic, s->x, &x));
    stn_status status = stn_run_make(&job.run, s->arithmetic, &s->t->strict.storage);
    if (status == STN_OK) {
        job.loops = stn_sum_rows_of(s->exec, s->t->strict.kind, &job.run);
        set_arrays(s, &job);
        status = job.loops ? solve_by_loops(s, &job, &b, &x) : solve_by_kernels(s);
    }
    return status == STN_OK ? STN_OK : stn_blame(status, "%s", call);
}

stn_status stn_triangular_solve(const stn_exec *exec, stn_format arithmetic,
                                const stn_triangular *t, const stn_view *b, const stn_view *x)
{
    const solving s = {exec, t, arithmetic, b, x};
    STN_RETURN_IN_MODES(solve(&s));
}
