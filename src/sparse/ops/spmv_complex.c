/* spmv in complex arithmetic: parts of vectors are columns of real numbers. */
#include "blas/call.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "sparse/product/spmv_run.h"
#include "view/overlap.h"
#include "view/plain.h"

/* Returns whether both parts of all columns are contiguous. */
static int are_joined(const stn_view *x)
{
    return x->rank == 1 || x->stride[1] == 1 || x->extent[1] == 1;
}

/* Both parts of all columns as columns of real numbers. */
static stn_status put_parts(stn_view *parts, const stn_view *x)
{
    stn_view numbers;
    STN_TRY(stn_parts_of(&numbers, x));
    if (x->rank == 1) {
        *parts = numbers;
        return STN_OK;
    }
    const stn_slice slices[3] = {stn_slice_all(), stn_slice_all(), stn_slice_index(0)};
    STN_TRY(stn_view_slice(parts, &numbers, 3, slices));
    parts->extent[1] *= 2;
    parts->stride[1] = 1;
    return STN_OK;
}

static stn_format real_of(const stn_blas_call *call)
{
    return call->arithmetic == STN_C128 ? STN_F64 : STN_F32;
}

/* Otherwise the parts are a separate dimension, which the loops support. */
static int has_parts(const stn_blas_call *call, const stn_matrix *a, const stn_view *x)
{
    return !stn_view_mapping(x) && !stn_view_has_scales(x) &&
           (are_joined(x) || stn_spmv_has_loops(&(stn_spmv_call){
                                 .exec = call->exec, .arithmetic = real_of(call), .a = a}));
}

static stn_status sum_parts(const stn_blas_call *call, const stn_matrix *a, const stn_view *x,
                            const stn_view *sums)
{
    stn_view from, to;
    stn_spmv_operands opened;
    const stn_spmv_call product = {call->exec, real_of(call), 1.0, 0.0, a, &from, &to, &to};
    if (!are_joined(x) || !are_joined(sums)) {
        STN_TRY(stn_parts_of(&from, x));
        STN_TRY(stn_parts_of(&to, sums));
        return stn_spmv_by_loops(&product);
    }
    STN_TRY(put_parts(&from, x));
    STN_TRY(put_parts(&to, sums));
    if (stn_matrix_is_complex(a))
        return stn_spmv_run(&product, NULL);
    STN_TRY(stn_spmv_open(&product, &opened));
    return stn_spmv_run(&product, &opened);
}

static stn_status sum_complex(const stn_blas_call *call, const stn_matrix *a, const stn_view *x,
                              const stn_view *sums)
{
    stn_view buffer;
    if (has_parts(call, a, x))
        return sum_parts(call, a, x, sums);
    STN_TRY(stn_blas_workspace(call, "x decoded", x->rank, x->extent, &buffer));
    stn_status status = stn_blas_store(call, &buffer, x);
    if (status == STN_OK)
        status = sum_parts(call, a, &buffer, sums);
    (void)stn_view_release(&buffer);
    return status;
}

static stn_status check_complex(const stn_blas_call *call, const stn_matrix *a, const stn_view *x,
                                const stn_view *y)
{
    const int rank = y && y->size == sizeof *y && y->rank == 2 ? 2 : 1;
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(x, rank, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(y, rank, STN_BLAS_WRITTEN)};
    stn_run run;
    STN_TRY(stn_exec_expect(call->name, call->exec));
    STN_TRY(stn_spmv_expect_matrix(call->exec, a));
    STN_TRY(stn_blas_check(call, STN_BLAS_COMPLEX, 2, operands));
    STN_TRY(stn_spmv_check_shapes(a, x, y));
    STN_TRY(stn_matrix_expect_disjoint("stn_spmv", a, y));
    const stn_status result = stn_run_init(
        &run, stn_matrix_is_complex(a) ? call->arithmetic : real_of(call), &a->storage);
    return result == STN_OK
               ? STN_OK
               : stn_error_prefix(result, "stn_spmv: values of %s", stn_matrix_name(a));
}

/* Initialized to zero, since the kernel reads unused elements. */
static stn_status create_sums(const stn_blas_call *call, const stn_view *y, stn_view *sums)
{
    STN_TRY(stn_blas_workspace(call, "sums of rows", y->rank, y->extent, sums));
    const stn_status status = stn_view_fill(call->exec, sums, 0.0);
    if (status != STN_OK)
        (void)stn_view_release(sums);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call->name);
}

/* Returns whether sums can be stored directly in y. */
static int stores_sums_directly(const stn_blas_call *call, const stn_matrix *a, const stn_view *y)
{
    return stn_exec_has_loops(call->exec) && has_parts(call, a, y) &&
           y->storage.format == call->arithmetic && stn_view_has_plain_elements(y) &&
           !(y->traits & STN_TRAIT_ATOMIC);
}

static stn_status spmv_complex(const stn_blas_call *call, stn_c128 alpha, const stn_matrix *a,
                               const stn_view *x, stn_c128 beta, const stn_view *y)
{
    stn_view sums;
    STN_TRY(check_complex(call, a, x, y));
    if (stn_blas_is(call->arithmetic, alpha, 0.0))
        return stn_blas_scale(call, beta, y);
    a = stn_matrix_of_products(a);
    if (stn_blas_is(call->arithmetic, alpha, 1.0) && stn_blas_is(call->arithmetic, beta, 0.0) &&
        stores_sums_directly(call, a, y))
        return sum_complex(call, a, x, y);
    STN_TRY(create_sums(call, y, &sums));
    stn_status status = sum_complex(call, a, x, &sums);
    if (status == STN_OK)
        status = stn_blas_combine(call, alpha, &sums, beta, y);
    (void)stn_view_release(&sums);
    return status;
}

stn_status stn_spmv_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                            const stn_matrix *a, const stn_view *x, stn_c128 beta,
                            const stn_view *y)
{
    const stn_blas_call call = {"stn_spmv", exec, arithmetic};
    STN_RETURN_IN_MODES(spmv_complex(&call, alpha, a, x, beta, y));
}
