/* Residuals in one pass. */
#include "blas/call.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "sparse/matrix.h"
#include "steno/sparse_operations.h"
#include "view/overlap.h"

static const char name[] = "stn_sparse_residual";

/* b and r: the same view, or disjoint. */
static stn_status check_pair(const stn_view *b, const stn_view *r)
{
    STN_TRY(stn_view_check(name, b));
    STN_TRY(stn_view_check(name, r));
    int is_alike = b->rank == r->rank;
    for (int d = 0; d < b->rank && is_alike; d++)
        is_alike = b->extent[d] == r->extent[d];
    if (!is_alike)
        return stn_fail(STN_ERR_SHAPE, "%s: %s and %s differ in extents", name, stn_view_text(b),
                        stn_view_text(r));
    if (stn_view_may_share(r, b) && !stn_view_is_same(r, b))
        return stn_fail(STN_ERR_ALIAS, "%s: %s overlaps %s", name, stn_view_text(r),
                        stn_view_text(b));
    return STN_OK;
}

/* Computes in a temporary vector of the arithmetic type. */
static stn_status subtract_complex(const stn_blas_call *call, const stn_view *b,
                                   const stn_matrix *a, const stn_view *x, const stn_view *r)
{
    static const stn_c128 one = {1.0, 0.0}, minus = {-1.0, 0.0};
    stn_view workspace;
    STN_TRY(stn_blas_workspace(call, "a residual", r->rank, r->extent, &workspace));
    stn_status status = stn_blas_store(call, &workspace, b);
    if (status == STN_OK)
        status = stn_spmv_complex(call->exec, call->arithmetic, minus, a, x, one, &workspace);
    if (status == STN_OK)
        status = stn_blas_store(call, r, &workspace);
    (void)stn_view_release(&workspace);
    return status;
}

static stn_status check_complex(const stn_blas_call *call, const stn_view *b, const stn_matrix *a,
                                const stn_view *x, const stn_view *r)
{
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(b, r->rank, STN_BLAS_READ_TOO),
                                         STN_BLAS_OPERAND(x, r->rank, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(r, r->rank, STN_BLAS_WRITTEN)};
    STN_TRY(stn_exec_expect(call->name, call->exec));
    STN_TRY(stn_matrix_expect(call->name, a));
    STN_TRY(stn_blas_check(call, STN_BLAS_COMPLEX, 3, operands));
    return stn_matrix_expect_disjoint(call->name, a, r);
}

static stn_status subtract(const stn_exec *exec, stn_format arithmetic, const stn_view *b,
                           const stn_matrix *a, const stn_view *x, const stn_view *r)
{
    const stn_blas_call call = {name, exec, arithmetic};
    STN_TRY(check_pair(b, r));
    stn_status status;
    if (!stn_blas_is_complex(arithmetic)) {
        status = stn_residual_real(exec, arithmetic, b, a, x, r);
    } else {
        STN_TRY(check_complex(&call, b, a, x, r));
        status = subtract_complex(&call, b, a, x, r);
    }
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", name);
}

stn_status stn_sparse_residual(const stn_exec *exec, stn_format arithmetic, const stn_view *r,
                               const stn_view *b, const stn_matrix *a, const stn_view *x)
{
    STN_RETURN_IN_MODES(subtract(exec, arithmetic, b, a, x, r));
}
