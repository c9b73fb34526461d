/* gemv with complex values: rows of a tile, and the tree over tiles. */
#include "blas/complex.h"

#include "core/event.h"
#include "core/memory.h"
#include "steno/complex.h"
#include "order/tree.h"
#include "view/trace.h"

/* ---- selection of loops ---- */

#define STN_TEMPLATE      stn_complex_loops
#define STN_TEMPLATE_TYPE const stn_complex_loops
#include "format/arithmetic_table.h"

const stn_complex_loops *stn_complex_loops_of(stn_format arithmetic)
{
    return loops[stn_isa_chosen()][arithmetic == STN_C64];
}

/* ---- combination of sums with y ---- */

#define DEFINE_UPDATE(T, real)                                                                     \
    static void update_##T(stn_##T *y, int64_t count, stn_##T alpha, const double *sums,           \
                           stn_##T beta)                                                           \
    {                                                                                              \
        const int takes = alpha.re == 1 && alpha.im == 0, keeps = beta.re == 1 && beta.im == 0;    \
        const int reads = beta.re != 0 || beta.im != 0;                                            \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const stn_##T sum = stn_##T##_of((real)sums[2 * k], (real)sums[2 * k + 1]);            \
            const stn_##T product = takes ? sum : stn_##T##_multiply_fast(alpha, sum);             \
            y[k] = !reads  ? product                                                               \
                   : keeps ? stn_##T##_add(product, y[k])                                          \
                           : stn_##T##_add(product, stn_##T##_multiply_fast(beta, y[k]));          \
        }                                                                                          \
    }
DEFINE_UPDATE(c128, double)
DEFINE_UPDATE(c64, float)

void stn_complex_update(const stn_reader *y, int64_t first, int64_t count, stn_c128 alpha,
                        const double *sums, stn_c128 beta)
{
    const int is_wide = y->run.arithmetic == STN_F64;
    const int64_t position = first * y->steps[0];
    const stn_c64 narrow_alpha = {(float)alpha.re, (float)alpha.im},
                  narrow_beta = {(float)beta.re, (float)beta.im};
    _Alignas(64) stn_c128 values[STN_TILE_ELEMENTS];
    if (!stn_blas_is(is_wide ? STN_C128 : STN_C64, beta, 0.0))
        stn_read(y, values, position, y->steps[0], count);
    if (is_wide)
        update_c128(values, count, alpha, sums, beta);
    else
        update_c64((stn_c64 *)(void *)values, count, narrow_alpha, sums, narrow_beta);
    stn_write(y, values, position, y->steps[0], first, count);
}

/* ---- a matrix of values ---- */

enum { SIDE = 32 };

typedef struct complex_job {
    const stn_complex_loops *loops;
    stn_format arithmetic;
    const char *a, *x; /* values */
    int64_t steps[2];  /* strides in bytes between rows and between columns */
    int64_t m, n, bytes;
    int is_conjugated, is_transposed; /* columns are contiguous */
    stn_c128 alpha, beta;
    const stn_reader *y;
} complex_job;

static void sum_side(const complex_job *job, double *sums, int64_t row, int64_t rows, int64_t tile)
{
    const int64_t first = tile * STN_TILE_ELEMENTS, left = job->n - first,
                  count = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
    const char *const a = job->a + row * job->steps[0] + first * job->steps[1];
    const char *const x = job->x + first * job->bytes;
    if (job->is_transposed)
        job->loops->columns(sums, a, job->steps[1], 0, count, x, rows, job->is_conjugated);
    else
        job->loops->rows(sums, a, job->steps[0], 0, rows, x, count, job->is_conjugated);
}

/* Each thread processes complete groups of rows. */
static void multiply_share(void *context, int part, int parts)
{
    const complex_job *const job = context;
    const int64_t tiles = (job->n + STN_TILE_ELEMENTS - 1) / STN_TILE_ELEMENTS;
    double states[STN_BLAS_LEVELS * 2 * SIDE], sums[2 * SIDE];
    int64_t side, end;
    stn_share((job->m + SIDE - 1) / SIDE, part, parts, &side, &end);
    for (; side < end; side++) {
        const int64_t row = side * SIDE, left = job->m - row, rows = left < SIDE ? left : SIDE;
        stn_tree tree;
        stn_tree_begin(&tree, stn_add_of(job->arithmetic == STN_C128 ? STN_F64 : STN_F32),
                       sizeof *sums, 2 * rows, states, 0);
        for (int64_t t = 0; t < tiles; t++) {
            sum_side(job, sums, row, rows, t);
            stn_tree_push(&tree, sums, 0);
        }
        stn_complex_update(job->y, row, rows, job->alpha, stn_tree_fold(&tree), job->beta);
    }
}

/* Values that are contiguous along a dimension. */
static int are_lines(const stn_blas_call *call, const stn_view *a, int along)
{
    return stn_blas_are_values(call->arithmetic, a) &&
           (a->stride[along] == 1 || a->extent[along] == 1);
}

stn_status stn_complex_multiply(const stn_blas_call *call, int is_conjugated, stn_c128 alpha,
                                const stn_view *a, const stn_view *x, stn_c128 beta,
                                const stn_view *y, int *is_done)
{
    stn_reader from, to;
    void *buffer = NULL;
    complex_job job = {.arithmetic = call->arithmetic,
                       .a = a->data,
                       .m = a->extent[0],
                       .n = a->extent[1],
                       .bytes = stn_format_entry_of(call->arithmetic)->info.bytes,
                       .is_conjugated = is_conjugated,
                       .is_transposed = !are_lines(call, a, 1),
                       .alpha = alpha,
                       .beta = beta,
                       .y = &to};
    job.loops = stn_exec_has_loops(call->exec) ? stn_complex_loops_of(call->arithmetic) : NULL;
    *is_done = job.loops && (!job.is_transposed || are_lines(call, a, 0)) && job.m > 0 &&
               job.n > 0 && job.n / STN_TILE_ELEMENTS < (int64_t)1 << (STN_BLAS_LEVELS - 2) &&
               !stn_blas_is(call->arithmetic, alpha, 0.0);
    if (!*is_done)
        return STN_OK;
    for (int d = 0; d < 2; d++)
        job.steps[d] = a->stride[d] * job.bytes;
    STN_TRY(stn_reader_init(&from, call->name, call->exec, call->arithmetic, x));
    STN_TRY(stn_reader_init(&to, call->name, call->exec, call->arithmetic, y));
    job.x = x->data;
    if (!are_lines(call, x, 0)) {
        STN_TRY(stn_allocate(&buffer, job.n, (size_t)job.bytes, call->name));
        stn_read(&from, buffer, 0, from.steps[0], job.n);
        job.x = buffer;
    }
    const uint64_t trace = stn_trace_begin("gemv", y);
    stn_exec_run_sized(call->exec, (double)job.m * (double)job.n * (double)job.bytes,
                       multiply_share, &job);
    stn_trace_end("gemv", y, trace);
    stn_free(buffer);
    return STN_OK;
}

/* ---- one row ---- */

int stn_complex_dot(const stn_blas_call *call, int is_conjugated, stn_c128 *result,
                    const stn_view *x, const stn_view *y)
{
    enum { TILES = 64 }; /* larger sizes use several threads */
    const int64_t count = x->extent[0], bytes = stn_format_entry_of(call->arithmetic)->info.bytes;
    const int64_t tiles = (count + STN_TILE_ELEMENTS - 1) / STN_TILE_ELEMENTS;
    const stn_complex_loops *const of = stn_complex_loops_of(call->arithmetic);
    double sums[2 * TILES];
    if (!stn_exec_has_loops(call->exec) || !of || count == 0 || tiles > TILES ||
        !are_lines(call, x, 0) || !are_lines(call, y, 0))
        return 0;
    const stn_event_data what = {"result", "host", result, sizeof *result};
    const char *const kernel = is_conjugated ? "dotc" : "dotu";
    const uint64_t trace = stn_event_is_traced() ? stn_event_kernel_begins(kernel, what) : 0;
    for (int64_t t = 0; t < tiles; t++) {
        const int64_t at = t * STN_TILE_ELEMENTS * bytes, left = count - t * STN_TILE_ELEMENTS;
        of->rows(sums + 2 * t, (const char *)x->data + at, 0, 0, 1, (const char *)y->data + at,
                 left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS, is_conjugated);
    }
    stn_fold_leaves(stn_add_of(call->arithmetic == STN_C128 ? STN_F64 : STN_F32), sizeof *sums,
                    sums, 2, tiles);
    *result = stn_c128_of(sums[0], sums[1]);
    if (trace)
        stn_event_kernel_ends(kernel, what, trace);
    return 1;
}
