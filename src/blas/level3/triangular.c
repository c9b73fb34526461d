/* trmm and trsm: a range of columns of the result at a time, completely decoded, block of rows by
 * block of rows. Parts outside of the diagonal blocks are products of matrices. */
#include "blas/level3/product.h"
#include "blas/level3/system.h"
#include "blas/level3/triangle.h"
#include "core/event.h"
#include "core/modes.h"
#include "core/status.h"
#include "core/versions.h"
#include "view/plain.h"

enum { SMALL = 16, BLOCK = 64, MIN_COLUMNS = 32, MAX_COLUMNS = 512, BUFFER_BYTES = 4 << 20 };

typedef struct triangular {
    stn_factor a;
    stn_view b; /* transposed, if A is on the right */
    stn_c128 alpha;
    int solves;
    stn_view x;              /* columns of b as values */
    stn_view diagonal;       /* a block */
    stn_view near_a, near_x; /* for devices: the block and x of its rows in host memory */
    stn_product product;
} triangular;

/* ---- checks ---- */

static stn_status check(const stn_blas_call *call, int kinds, stn_side side, const triangular *t,
                        const stn_view *b)
{
    const stn_view *const a = t->a.view;
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(a, 2, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(b, 2, STN_BLAS_WRITTEN)};
    STN_TRY(stn_blas_check_full(call, kinds, 2, operands));
    STN_TRY(stn_blas_expect_choice(call, "side", (int)side));
    STN_TRY(stn_blas_expect_choice(call, "triangle", (int)t->a.triangle));
    STN_TRY(stn_blas_expect_choice(call, "diagonal", (int)t->a.diagonal));
    STN_TRY(stn_blas_expect_choice(call, "conj", (int)t->a.conj));
    if (a->extent[0] != a->extent[1])
        return stn_fail(STN_ERR_SHAPE, "%s: %s is not square", call->name, stn_view_text(a));
    if (a->extent[0] != b->extent[side == STN_SIDE_RIGHT])
        return stn_fail(STN_ERR_SHAPE, "%s: the extents of %s do not match %s", call->name,
                        stn_view_text(b), stn_view_text(a));
    return STN_OK;
}

/* ---- buffers ---- */

static int64_t columns_of(const stn_blas_call *call, const triangular *t)
{
    const int64_t bytes = stn_format_entry_of(call->arithmetic)->info.bytes * t->b.extent[0];
    const int64_t threads = call->exec->threads > 1 ? call->exec->threads : 1;
    int64_t columns = threads * BUFFER_BYTES / bytes;
    columns = columns < MIN_COLUMNS             ? MIN_COLUMNS
              : columns > MAX_COLUMNS * threads ? MAX_COLUMNS * threads
                                                : columns;
    return columns < t->b.extent[1] ? columns : t->b.extent[1];
}

static stn_status allocate_buffers(const stn_blas_call *call, triangular *t)
{
    const stn_blas_call near = {call->name, NULL, call->arithmetic};
    const int64_t n = t->b.extent[0], block = n < BLOCK ? n : BLOCK;
    const int64_t whole[] = {n, columns_of(call, t)}, square[] = {block, block};
    const int64_t range[] = {block, whole[1]};
    const stn_factor x = {.view = &t->x};
    STN_TRY(stn_blas_workspace(call, "B decoded", 2, whole, &t->x));
    STN_TRY(stn_blas_workspace(call, "a block of A", 2, square, &t->diagonal));
    if (stn_exec_device(call->exec)) {
        STN_TRY(stn_blas_workspace(&near, "a block", 2, square, &t->near_a));
        STN_TRY(stn_blas_workspace(&near, "rows of B", 2, range, &t->near_x));
    }
    STN_TRY(stn_product_init(&t->product, call, &t->a, &x));
    return stn_product_open(&t->product, block, whole[1]);
}

static void release_buffers(triangular *t)
{
    stn_product_close(&t->product);
    (void)stn_view_release(&t->x);
    (void)stn_view_release(&t->diagonal);
    (void)stn_view_release(&t->near_a);
    (void)stn_view_release(&t->near_x);
}

/* ---- blocks of the diagonal ---- */

static void run_triangle(const stn_exec *exec, const stn_blas_call *call, const triangular *t,
                         const stn_view *a, const stn_view *x)
{
    const stn_triangle_job job = {.arithmetic = call->arithmetic,
                                  .a = a->data,
                                  .x = x->data,
                                  .n = x->extent[0],
                                  .columns = x->extent[1],
                                  .a_step = a->stride[0],
                                  .x_step = x->stride[0],
                                  .is_upper = t->a.triangle == STN_UPPER,
                                  .has_units = t->a.diagonal == STN_DIAGONAL_UNIT,
                                  .solves = t->solves};
    stn_triangle_run(exec, &job);
}

static stn_status corner_of(const stn_view *buffer, int64_t rows, int64_t columns, stn_view *corner)
{
    const stn_slice both[] = {stn_slice_range(0, rows), stn_slice_range(0, columns)};
    return stn_view_slice(corner, buffer, 2, both);
}

/* Copies the rows of the block to x. */
static stn_status read_block(const stn_blas_call *call, const triangular *t, const stn_slice *block,
                             const stn_view *x)
{
    stn_view a, near_a, near_x;
    STN_TRY(corner_of(&t->diagonal, block->count, block->count, &a));
    STN_TRY(stn_factor_decode(call, &t->a, (const stn_slice[]){*block, *block}, &a));
    if (!stn_exec_device(call->exec)) {
        run_triangle(call->exec, call, t, &a, x);
        return STN_OK;
    }
    STN_TRY(corner_of(&t->near_a, block->count, block->count, &near_a));
    STN_TRY(corner_of(&t->near_x, block->count, x->extent[1], &near_x));
    STN_TRY(stn_view_copy(call->exec, &near_a, &a));
    STN_TRY(stn_view_copy(call->exec, &near_x, x));
    run_triangle(NULL, call, t, &near_a, &near_x);
    return stn_view_copy(call->exec, x, &near_x);
}

/* ---- blocks of rows ---- */

/* Adds the product with all rows on the other side of the block, or subtracts it before the block
 * is solved. */
static stn_status run_block(const stn_blas_call *call, triangular *t, const stn_slice *block,
                            const stn_slice *columns)
{
    const int64_t n = t->b.extent[0], end = block->begin + block->count;
    const stn_slice others =
        t->a.triangle == STN_UPPER ? stn_slice_range(end, n) : stn_slice_range(0, block->begin);
    const stn_slice range = stn_slice_range(0, columns->count);
    const stn_c128 one = stn_blas_real(1.0);
    stn_view x, sums;
    STN_TRY(stn_view_slice(&x, &t->x, 2, (const stn_slice[]){*block, range}));
    if (!t->solves)
        STN_TRY(read_block(call, t, block, &x));
    if (others.count > 0) {
        STN_TRY(stn_product_sum(&t->product, block, &range, &others, &sums));
        STN_TRY(stn_blas_combine(call, t->solves ? stn_blas_real(-1.0) : one, &sums, one, &x));
    }
    return t->solves ? read_block(call, t, block, &x) : STN_OK;
}

static stn_status run_columns(const stn_blas_call *call, triangular *t, const stn_slice *columns)
{
    const int64_t n = t->b.extent[0], blocks = (n + BLOCK - 1) / BLOCK;
    const int ascends = (t->a.triangle == STN_UPPER) != t->solves;
    stn_view b, x;
    STN_TRY(stn_view_slice(&b, &t->b, 2, (const stn_slice[]){stn_slice_all(), *columns}));
    STN_TRY(corner_of(&t->x, n, columns->count, &x));
    STN_TRY(t->solves ? stn_blas_combine(call, t->alpha, &b, stn_blas_real(0.0), &x)
                      : stn_blas_store(call, &x, &b));
    for (int64_t k = 0; k < blocks; k++) {
        const int64_t first = (ascends ? k : blocks - 1 - k) * BLOCK;
        const stn_slice block = stn_slice_range(first, first + BLOCK < n ? first + BLOCK : n);
        STN_TRY(run_block(call, t, &block, columns));
    }
    return t->solves ? stn_blas_store(call, &b, &x)
                     : stn_blas_combine(call, t->alpha, &x, stn_blas_real(0.0), &b);
}

/* ---- small matrices of values: without allocations ---- */

/* Values whose rows or columns are contiguous and disjoint. */
static int is_small(const stn_blas_call *call, const stn_view *a)
{
    const int along = a->stride[1] == 1;
    return stn_blas_are_values(call->arithmetic, a) && a->extent[0] > 0 && a->extent[1] > 0 &&
           a->extent[0] <= SMALL && a->extent[1] <= SMALL && a->stride[along] == 1 &&
           a->stride[!along] >= a->extent[along];
}

static int may_run_small(const stn_blas_call *call, const triangular *t, const stn_view *b)
{
    return stn_exec_has_loops(call->exec) && !stn_event_is_traced() && is_small(call, t->a.view) &&
           is_small(call, b) &&
           (t->a.conj == STN_NO_CONJUGATE || !stn_blas_is_complex(call->arithmetic)) &&
           stn_blas_is(call->arithmetic, t->alpha, 1.0);
}

/* The rows of a matrix, or its columns if it is turned: in place, or in a buffer. */
typedef struct rows {
    char *data;
    int64_t step, count, length, row_stride, stride;
} rows;

static rows rows_of(const stn_view *a, int is_turned, void *buffer)
{
    const int64_t length = a->extent[!is_turned], stride = a->stride[!is_turned];
    rows r = {.data = buffer,
              .step = SMALL,
              .count = a->extent[is_turned],
              .length = length,
              .row_stride = a->stride[is_turned],
              .stride = stride};
    if (stride == 1) {
        r.data = a->data;
        r.step = r.row_stride;
    }
    return r;
}

static void copy_rows(const rows *r, char *at, int64_t bytes, int is_stored)
{
    for (int64_t k = 0; k < r->count && r->data != at; k++) {
        char *const row = r->data + k * r->step * bytes, *from = at + k * r->row_stride * bytes;
        if (is_stored)
            stn_move(from, r->stride * bytes, row, bytes, bytes, r->length);
        else
            stn_move(row, bytes, from, r->stride * bytes, bytes, r->length);
    }
}

static void run_small(const stn_blas_call *call, stn_side side, const triangular *t,
                      const stn_view *b)
{
    _Alignas(64) stn_c128 of_a[SMALL * SMALL], of_b[SMALL * SMALL];
    const int is_turned = side == STN_SIDE_RIGHT;
    const int64_t bytes = stn_format_entry_of(call->arithmetic)->info.bytes;
    const rows a = rows_of(t->a.view, is_turned, of_a), x = rows_of(b, is_turned, of_b);
    const stn_triangle_job job = {.arithmetic = call->arithmetic,
                                  .a = a.data,
                                  .x = x.data,
                                  .n = x.count,
                                  .columns = x.length,
                                  .a_step = a.step,
                                  .x_step = x.step,
                                  .is_upper = (t->a.triangle == STN_UPPER) != is_turned,
                                  .has_units = t->a.diagonal == STN_DIAGONAL_UNIT,
                                  .solves = t->solves};
    copy_rows(&a, t->a.view->data, bytes, 0);
    copy_rows(&x, b->data, bytes, 0);
    stn_triangle_run(call->exec, &job);
    copy_rows(&x, b->data, bytes, 1);
}

/* ---- the system's functions ---- */

#define DEFINE_FINITE(T, word, exponent)                                                           \
    STN_VERSIONS static int is_finite_##T(const void *values, int64_t count)                       \
    {                                                                                              \
        const word *const bits = values;                                                           \
        word odd = 0;                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            odd |= (bits[k] & exponent) == exponent;                                               \
        return !odd;                                                                               \
    }
typedef uint64_t __attribute__((may_alias)) bits_f64;
typedef uint32_t __attribute__((may_alias)) bits_f32;
DEFINE_FINITE(f64, bits_f64, UINT64_C(0x7ff0000000000000))
DEFINE_FINITE(f32, bits_f32, UINT32_C(0x7f800000))

/* Are all values of the matrix, whose rows or columns are contiguous, finite? */
static int is_finite(const stn_blas_call *call, const stn_view *b)
{
    const int is_wide = call->arithmetic == STN_F64 || call->arithmetic == STN_C128;
    const int parts = stn_blas_is_complex(call->arithmetic) ? 2 : 1;
    const int along = b->stride[1] == 1 || b->extent[1] == 1;
    const int64_t bytes = stn_format_entry_of(call->arithmetic)->info.bytes;
    for (int64_t line = 0; line < b->extent[!along]; line++)
        if (!(is_wide ? is_finite_f64 : is_finite_f32)(
                (const char *)b->data + line * b->stride[!along] * bytes, b->extent[along] * parts))
            return 0;
    return 1;
}

/* Products by the system's functions contain products with the zeros of the other triangle, which
 * are NaN if B is not finite. *is_done: 0 if nothing was done. */
static stn_status run_by_system(const stn_blas_call *call, stn_side side, const triangular *t,
                                const stn_view *b, int *is_done)
{
    const stn_system_call of = {.arithmetic = call->arithmetic,
                                .side = side,
                                .triangle = t->a.triangle,
                                .diagonal = t->a.diagonal,
                                .conj = t->a.conj,
                                .alpha = t->alpha,
                                .a = t->a.view,
                                .c = b};
    int has_system = 0;
    *is_done = 0;
    if (!stn_exec_has_loops(call->exec))
        return STN_OK;
    STN_TRY(stn_system_gemm_find(call->name, &has_system));
    *is_done = has_system && stn_system_gemm_supports(call->arithmetic, b) &&
               (t->solves || is_finite(call, b)) && stn_system_triangular(&of, t->solves);
    return STN_OK;
}

/* ---- entry point ---- */

/* B A = B is A^T B^T = B^T. */
static stn_status turn(triangular *t, stn_side side, stn_view *turned, const stn_view *b)
{
    if (side == STN_SIDE_LEFT) {
        t->b = *b;
        return STN_OK;
    }
    STN_TRY(stn_blas_transpose(turned, t->a.view));
    t->a.view = turned;
    t->a.triangle = t->a.triangle == STN_UPPER ? STN_LOWER : STN_UPPER;
    return stn_blas_transpose(&t->b, b);
}

static stn_status run(const stn_blas_call *call, int kinds, stn_side side, triangular *t,
                      const stn_view *b)
{
    stn_view turned;
    stn_slice columns;
    int is_done;
    STN_TRY(check(call, kinds, side, t, b));
    if (may_run_small(call, t, b)) {
        run_small(call, side, t, b);
        return STN_OK;
    }
    if (b->extent[0] == 0 || b->extent[1] == 0)
        return STN_OK;
    if (stn_blas_is(call->arithmetic, t->alpha, 0.0))
        return stn_blas_scale(call, stn_blas_real(0.0), b);
    STN_TRY(run_by_system(call, side, t, b, &is_done));
    if (is_done)
        return STN_OK;
    STN_TRY(turn(t, side, &turned, b));
    stn_status status = allocate_buffers(call, t);
    for (int64_t j = 0;
         status == STN_OK && stn_product_next(t->b.extent[1], t->x.extent[1], &j, &columns);)
        status = run_columns(call, t, &columns);
    release_buffers(t);
    return status;
}

#define TRIANGULAR(name_, kinds, solves_, alpha_)                                                  \
    const stn_blas_call call = {name_, exec, arithmetic};                                          \
    triangular t = {.a = {.view = a,                                                               \
                          .conj = conj,                                                            \
                          .shape = STN_FACTOR_TRIANGULAR,                                          \
                          .triangle = triangle,                                                    \
                          .diagonal = diagonal},                                                   \
                    .alpha = alpha_,                                                               \
                    .solves = solves_};                                                            \
    STN_RETURN_IN_MODES(run(&call, kinds, side, &t, b))

stn_status stn_trmm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                    stn_triangle triangle, stn_diagonal diagonal, double alpha, stn_conjugate conj,
                    const stn_view *a, const stn_view *b)
{
    TRIANGULAR("stn_trmm", STN_BLAS_ANY, 0, stn_blas_real(alpha));
}

stn_status stn_trmm_complex(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, stn_diagonal diagonal, stn_c128 alpha,
                            stn_conjugate conj, const stn_view *a, const stn_view *b)
{
    TRIANGULAR("stn_trmm_complex", STN_BLAS_COMPLEX, 0, alpha);
}

stn_status stn_trsm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                    stn_triangle triangle, stn_diagonal diagonal, double alpha, stn_conjugate conj,
                    const stn_view *a, const stn_view *b)
{
    TRIANGULAR("stn_trsm", STN_BLAS_ANY, 1, stn_blas_real(alpha));
}

stn_status stn_trsm_complex(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, stn_diagonal diagonal, stn_c128 alpha,
                            stn_conjugate conj, const stn_view *a, const stn_view *b)
{
    TRIANGULAR("stn_trsm_complex", STN_BLAS_COMPLEX, 1, alpha);
}
