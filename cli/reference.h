/* Results with twice the precision of double, and errors relative to them. They share no code with
 * the kernels of the library and do not depend on the number of threads. */
#ifndef STENO_CLI_REFERENCE_H
#define STENO_CLI_REFERENCE_H

#include "stored.h"

/* A sparse or dense matrix by rows; dense if row_start is NULL. */
typedef struct matrix_pattern {
    int64_t rows, columns;
    const int64_t *row_start;
    const int32_t *column;
} matrix_pattern;

/* |result - exact| / |exact| of a dot product; `result` is one value of the arithmetic type. */
stn_status reference_dot_error(const stored *x, const stored *y, stn_format arithmetic,
                               const void *result, double *error);

/* |result - exact| / |exact|, in 2-norms, of alpha x + y. */
stn_status reference_axpy_error(double alpha, const stored *x, const stored *y,
                                stn_format arithmetic, const void *result, double *error);

/* |result - exact| / |exact|, in 2-norms, of a matrix times x. */
stn_status reference_product_error(const matrix_pattern *pattern, const stored *a, const stored *x,
                                   stn_format arithmetic, const void *result, double *error);

/* x . y as high + low, of n elements. */
stn_status reference_dot(int64_t n, const stored *x, const stored *y, double *high, double *low);

/* Exact results for a dense row-major n x n matrix, as high + low: A x, A' x, and the solution of A
 * y = x with the lower triangle of A, whose diagonal has no zeros. */
stn_status reference_product(int64_t n, const stored *a, const stored *x, double *high,
                             double *low);
stn_status reference_transposed_product(int64_t n, const stored *a, const stored *x, double *high,
                                        double *low);
stn_status reference_solution(int64_t n, const stored *a, const stored *x, double *high,
                              double *low);

/* |result - exact| / |exact|, in 1-norms. */
double reference_norm1_error(int64_t n, const double *high, const double *low,
                             stn_format arithmetic, const void *result);

#endif
