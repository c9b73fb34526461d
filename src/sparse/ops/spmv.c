/* spmv: rows of a sparse matrix times vectors. Each row is summed by the tree over its entries.
 *
 * check (here) -> open and run (spmv_run.c) -> source (source.c) -> tile and order (row_sums.c,
 * row_tile.c, slice_sums.c) -> epilogue: y = alpha s + beta y (spmv_run.c, vectors.c). */
#include "blas/call.h"
#include "core/modes.h"
#include "core/status.h"
#include "sparse/product/spmv_run.h"
#include "view/overlap.h"
#include "view/remote.h"
#include "exec/uses.h"

int stn_spmv_is_fusible(const stn_matrix *a)
{
    const int is_scaled = !stn_view_is_empty(&a->scales);
    const stn_view *const starts = &a->starts;
    if (stn_matrix_has_slices(a))
        return 1;
    return a->kind == STN_MATRIX_CSR && stn_view_is_empty(&a->indices) &&
           stn_view_is_empty(&a->codes) && (!is_scaled || a->storage.scale == 1.0) &&
           (stn_view_is_empty(starts) || (starts->storage.format == STN_I32 &&
                                          !stn_view_mapping(starts) && starts->stride[0] == 1));
}

/* ---- checks ---- */

/* A matrix in host memory would have to be copied to the device in each call. */
static stn_status check_space(const stn_exec *exec, const stn_matrix *a)
{
    const int is_there = a->memory.space != STN_SPACE_HOST;
    stn_device *const device = stn_exec_device(exec);
    if (is_there && device)
        return stn_remote_expect_here("stn_spmv", device, &a->memory);
    if (!is_there && !device)
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED, "stn_spmv: %s is in %s memory%s", stn_matrix_name(a),
                    stn_space_name((stn_space)a->memory.space),
                    is_there ? ", out of the host's reach"
                             : ": stn_matrix_mirror copies it to the device");
}

stn_status stn_spmv_expect_matrix(const stn_exec *exec, const stn_matrix *a)
{
    STN_TRY(stn_matrix_expect("stn_spmv", a));
    STN_TRY(check_space(exec, a));
    if (a->kind == STN_MATRIX_COO && !a->ascends)
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "stn_spmv: the entries of %s are not sorted by row; stn_sparse_convert converts "
            "them to compressed rows",
            stn_matrix_name(a));
    return STN_OK;
}

stn_status stn_matrix_expect_disjoint(const char *call, const stn_matrix *a, const stn_view *y)
{
    stn_view arrays[STN_ARRAYS];
    STN_TRY(stn_matrix_list_arrays(a, arrays));
    for (int k = 0; k < STN_ARRAYS; k++)
        if (!stn_view_is_empty(&arrays[k]) && stn_view_may_share(y, &arrays[k]))
            return stn_fail(STN_ERR_ALIAS, "%s: %s overlaps the %s of %s", call, stn_view_text(y),
                            k == STN_ARRAY_VALUES || k == STN_ARRAY_DICTIONARY ? "values"
                            : k == STN_ARRAY_SCALES                            ? "scales"
                                                                               : "indices",
                            stn_matrix_name(a));
    return STN_OK;
}

stn_status stn_spmv_check_shapes(const stn_matrix *a, const stn_view *x, const stn_view *y)
{
    const int is_x = a->columns != x->extent[0];
    if (is_x || a->rows != y->extent[0])
        return stn_fail(STN_ERR_SHAPE,
                        "stn_spmv: %s must have %lld %s, one per %s of %s (%lld x %lld)",
                        stn_view_text(is_x ? x : y), (long long)(is_x ? a->columns : a->rows),
                        x->rank == 1 ? "elements" : "rows", is_x ? "column" : "row",
                        stn_matrix_name(a), (long long)a->rows, (long long)a->columns);
    if (x->rank == 2 && x->extent[1] != y->extent[1])
        return stn_fail(STN_ERR_SHAPE, "stn_spmv: %s and %s have different numbers of columns",
                        stn_view_text(x), stn_view_text(y));
    return STN_OK;
}

/* Returns whether y is disjoint from `bytes` bytes. */
static int is_disjoint(const stn_view *y, const void *bytes, int64_t count)
{
    const uintptr_t to = (uintptr_t)y->data, from = (uintptr_t)bytes;
    const int64_t y_bytes = y->extent[0] * stn_arithmetic_bytes(y->storage.format);
    return to >= from + (uintptr_t)count || from >= to + (uintptr_t)y_bytes;
}

/* Quickly decides whether all checks would pass, for contiguous compressed rows and vectors of
 * values. 0 does not mean that they would not. */
static int is_plain_product(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                            const stn_view *x, const stn_view *y)
{
    return x && y && a && (arithmetic == STN_F64 || arithmetic == STN_F32) && !stn_uses_any() &&
           stn_operand_is_of_values(exec, arithmetic, x) &&
           stn_operand_is_of_values(exec, arithmetic, y) && y->stride[0] == 1 &&
           stn_matrix_is_plain(a) && a->memory.space == STN_SPACE_HOST &&
           x->extent[0] == a->columns && y->extent[0] == a->rows && stn_operand_is_disjoint(y, x) &&
           is_disjoint(y, a->row_start, 8 * (a->rows + 1)) &&
           is_disjoint(y, a->column, 4 * a->entries) &&
           is_disjoint(y, a->values,
                       a->entries * stn_format_entry_of(a->storage.format)->info.bytes);
}

static stn_status check_operands(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                                 const stn_view *x, const stn_view *y)
{
    if (is_plain_product(exec, arithmetic, a, x, y))
        return STN_OK;
    const int rank = y && y->size == sizeof *y && y->rank == 2 ? 2 : 1;
    STN_TRY(stn_exec_expect("stn_spmv", exec));
    STN_TRY(stn_spmv_expect_matrix(exec, a));
    STN_TRY(stn_operand_expect("stn_spmv", exec, x, rank));
    STN_TRY(stn_operand_expect("stn_spmv", exec, y, rank));
    STN_TRY(stn_view_writable("stn_spmv", y));
    STN_TRY(stn_spmv_check_shapes(a, x, y));
    if (!stn_view_is_unique(y))
        return stn_fail(STN_ERR_ALIAS, "stn_spmv: %s repeats one element", stn_view_text(y));
    if (stn_view_may_share(y, x))
        return stn_fail(STN_ERR_ALIAS, "stn_spmv: %s overlaps %s", stn_view_text(y),
                        stn_view_text(x));
    return stn_matrix_expect_disjoint("stn_spmv", a, y);
}

/* ---- real ---- */

static stn_status spmv(const stn_exec *exec, stn_format arithmetic, double alpha,
                       const stn_matrix *a, const stn_view *x, double beta, const stn_view *y)
{
    stn_spmv_operands opened;
    STN_TRY(check_operands(exec, arithmetic, a, x, y));
    const stn_spmv_call product = {exec, arithmetic, alpha, beta, stn_matrix_of_products(a),
                                   x,    y,          y};
    STN_TRY(stn_spmv_open(&product, &opened));
    if (stn_blas_is(arithmetic, stn_blas_real(alpha), 0.0))
        return stn_blas_scale(&(stn_blas_call){"stn_spmv", exec, arithmetic}, stn_blas_real(beta),
                              y);
    return stn_spmv_run(&product, &opened);
}

stn_status stn_spmv(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_matrix *a,
                    const stn_view *x, double beta, const stn_view *y)
{
    if (stn_blas_is_complex(arithmetic))
        return stn_spmv_complex(exec, arithmetic, stn_blas_real(alpha), a, x, stn_blas_real(beta),
                                y);
    STN_RETURN_IN_MODES(spmv(exec, arithmetic, alpha, a, x, beta, y));
}

/* b minus the sum, rounded once: -1 times the sum plus 1 times b. */
stn_status stn_residual_real(const stn_exec *exec, stn_format arithmetic, const stn_view *b,
                             const stn_matrix *a, const stn_view *x, const stn_view *r)
{
    stn_spmv_operands opened;
    STN_TRY(check_operands(exec, arithmetic, a, x, r));
    const stn_spmv_call product = {exec, arithmetic, -1.0, 1.0, stn_matrix_of_products(a), x, b, r};
    STN_TRY(stn_operand_expect("stn_spmv", exec, b, r->rank));
    STN_TRY(stn_spmv_open(&product, &opened));
    return stn_spmv_run(&product, &opened);
}
