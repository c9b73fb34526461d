/* Sums of products of complex numbers, straight from values: rows of a tile, and products of a
 * matrix and a vector that are made of them. */
#ifndef STENO_BLAS_COMPLEX_H
#define STENO_BLAS_COMPLEX_H

#include "blas/call.h"
#include "view/reader.h"

/* Of `count` elements, up to a tile of them, of each of `rows` rows of values, row_bytes apart,
 * conjugated or not, times x: two doubles each, values of the arithmetic, in the order of
 * doc/order.md. */
typedef void stn_complex_rows(double *sums, const void *a, int64_t row_bytes, int64_t rows,
                              const void *x, int64_t count, int is_conjugated);

/* In c128 or c64 on the instruction set in use; NULL in portable C. */
stn_complex_rows *stn_complex_rows_of(stn_format arithmetic);

/* The same of `columns` columns over `rows` rows, up to a tile of these. */
void stn_complex_columns(stn_complex_rows *sum_rows, stn_format arithmetic, double *sums,
                         const void *a, int64_t row_bytes, int64_t rows, const void *x,
                         int64_t columns, int is_conjugated);

/* Elements first, ... of y, up to a tile of them, become alpha * sums + beta * y as stn_gemv has
 * it. */
void stn_complex_update(const stn_reader *y, int64_t first, int64_t count, stn_c128 alpha,
                        const double *sums, stn_c128 beta);

/* y = alpha * A x + beta * y of operands whose checks are made; *is_done: 0 where it is left to a
 * reduction, as where A is not values whose rows or columns follow each other. */
stn_status stn_complex_multiply(const stn_blas_call *call, int is_conjugated, stn_c128 alpha,
                                const stn_view *a, const stn_view *x, stn_c128 beta,
                                const stn_view *y, int *is_done);

/* The sum of x[e] * y[e], x conjugated or not, of two vectors whose checks are made. 0: nothing is
 * done, as for more than a few tiles, or vectors that are not values one behind the other. */
int stn_complex_dot(const stn_blas_call *call, int is_conjugated, stn_c128 *result,
                    const stn_view *x, const stn_view *y);

#endif
