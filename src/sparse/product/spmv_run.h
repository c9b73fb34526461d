/* Products of a sparse matrix whose arguments have been checked. */
#ifndef STENO_SPARSE_PRODUCT_SPMV_RUN_H
#define STENO_SPARSE_PRODUCT_SPMV_RUN_H

#include "blas/operand.h"
#include "sparse/matrix.h"

/* y = alpha A x + beta from, in f64 or f32, where `from` may be y. x and y have rank 1, or rank 2
 * with any number of columns. If the matrix is complex, columns are parts of complex vectors. */
typedef struct stn_spmv_call {
    const stn_exec *exec;
    stn_format arithmetic;
    double alpha, beta;
    const stn_matrix *a;
    const stn_view *x, *from, *y;
} stn_spmv_call;

/* What a product needs of its operands, opened. */
typedef struct stn_spmv_operands {
    stn_run run; /* of the values */
    stn_operand x, from, y;
} stn_spmv_operands;

/* STN_ERR_FORMAT, STN_ERR_UNSUPPORTED and STN_ERR_ARGUMENT if formats, scales and arithmetic are
 * incompatible. In the modes of core/modes.h. */
stn_status stn_spmv_open(const stn_spmv_call *product, stn_spmv_operands *opened);

stn_status stn_spmv_run(const stn_spmv_call *product, const stn_spmv_operands *opened);

/* y[k] = A x[k] for up to STN_SPMV_TOGETHER contiguous vectors of values of the arithmetic type,
 * which read the matrix together; and products[k] = x[k]' y[k] unless `products` is NULL. The bits
 * are those of stn_spmv and stn_dot. The caller has checked the arguments. Only for supported
 * matrices: real, in compressed rows or slices, on a host executor. */
enum { STN_SPMV_TOGETHER = 8 };
int stn_spmv_list_is_supported(const stn_exec *exec, const stn_matrix *a);
stn_status stn_spmv_list(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                         int64_t count, const stn_view *const *x, const stn_view *const *y,
                         double *products);

/* Products of ELL, SELL and sliced matrices, and products with several right-hand sides, whose
 * loops also support rank 3: the last dimension has the parts of complex numbers. `from` must be y.
 */
stn_status stn_spmv_by_loops(const stn_spmv_call *product);
int stn_spmv_has_loops(const stn_spmv_call *product);

/* The checks that real and complex products share. */
stn_status stn_spmv_check_shapes(const stn_matrix *a, const stn_view *x, const stn_view *y);

#endif
