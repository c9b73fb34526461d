/* Triangular systems in complex arithmetic. With a real triangle, the parts are solved separately.
 * A complex triangle is solved level by level, by loops over tiles of a row's entries if there are
 * any. */
#include <string.h>

#include "blas/call.h"
#include "core/memory.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/run.h"
#include "sparse/matrix.h"
#include "sparse/tile.h"
#include "sparse/triangular.h"
#include "steno/complex.h"
#include "sum/tree.h"
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

enum { MAX_ROWS = 32, MAX_ENTRIES = 2 * STN_TILE_ELEMENTS }; /* rows; entries, at least a tile */

typedef struct level_job {
    const stn_triangular *t;
    stn_sparse_tile *tile;
    stn_format real;
    stn_run run;    /* of the values */
    int are_values; /* usable without decoding */
    const stn_view *b, *x;
    int64_t first, count; /* of a level */
} level_job;

/* Decoded entries begin to end - 1. */
typedef struct piece {
    int64_t begin, end;
    _Alignas(64) stn_c128 values[MAX_ENTRIES]; /* or as many c64 */
} piece;

/* Values of `count` entries from entry k on, up to a tile. Rows of the piece end at or before
 * `last`. */
static const void *values_of(const level_job *job, piece *buffer, int64_t k, int64_t count,
                             int64_t last)
{
    const char *const codes = (const char *)job->t->strict.values + k * job->run.bytes;
    if (job->are_values)
        return codes;
    if (k < buffer->begin || k + count > buffer->end) {
        const int64_t held = last - k < MAX_ENTRIES ? last - k : MAX_ENTRIES;
        stn_run_decode(&job->run, buffer->values, codes, 1, held);
        buffer->begin = k;
        buffer->end = k + held;
    }
    return (const char *)buffer->values + (k - buffer->begin) * 2 * stn_arithmetic_bytes(job->real);
}

static void sum_long_row(const level_job *job, piece *buffer, double *sums, int64_t begin,
                         int64_t end, int64_t last)
{
    double states[STN_TREE_LEVELS * 2];
    stn_tree tree;
    stn_tree_begin(&tree, stn_add_of(job->real), sizeof *sums, 2, states, 0);
    for (int64_t k = begin; k < end; k += STN_TILE_ELEMENTS) {
        const int64_t count = end - k < STN_TILE_ELEMENTS ? end - k : STN_TILE_ELEMENTS;
        job->tile(sums, values_of(job, buffer, k, count, last), job->t->strict.column + k, NULL,
                  count, job->t->work.data);
        stn_tree_push(&tree, sums, 0);
    }
    memcpy(sums, stn_tree_fold(&tree), 2 * sizeof *sums);
}

static void sum_rows(const level_job *job, double sums[MAX_ROWS][2], int64_t first, int64_t count)
{
    const int64_t *const start = job->t->strict.row_start + first;
    piece buffer;
    buffer.begin = buffer.end = 0;
    for (int64_t r = 0; r < count; r++) {
        const int64_t begin = start[r], entries = start[r + 1] - begin;
        if (entries == 0)
            sums[r][0] = sums[r][1] = 0.0;
        else if (entries <= STN_TILE_ELEMENTS)
            job->tile(sums[r], values_of(job, &buffer, begin, entries, start[count]),
                      job->t->strict.column + begin, NULL, entries, job->t->work.data);
        else
            sum_long_row(job, &buffer, sums[r], begin, start[r + 1], start[count]);
    }
}

#define DEFINE_FINISH(Z, real)                                                                     \
    static void finish_##Z(const level_job *job, int64_t first, int64_t count,                     \
                           const double sums[MAX_ROWS][2], const void *divisors)                   \
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
    double sums[MAX_ROWS][2];
    stn_c128 divisors[MAX_ROWS]; /* or as many c64 */
    sum_rows(job, sums, first, count);
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
    for (int64_t row = begin; row < end; row += MAX_ROWS)
        solve_rows(job, job->first + row, end - row < MAX_ROWS ? end - row : MAX_ROWS);
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
    level_job job = {.t = s->t, .real = real, .b = s->b, .x = s->x};
    if (!stn_matrix_is_complex(a))
        return solve_parts(s);
    STN_TRY(stn_run_init(&job.run, s->arithmetic, &a->storage));
    if (!tiles)
        return stn_triangular_solve_by_kernels(s);
    job.tile = tiles->complex[1];
    job.are_values = a->storage.format == s->arithmetic && stn_storage_is_plain(&a->storage);
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
