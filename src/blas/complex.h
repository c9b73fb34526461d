/* Sums of products of complex values: rows of a tile, and products of a matrix and a vector
 * based on them. */
#ifndef STENO_BLAS_COMPLEX_H
#define STENO_BLAS_COMPLEX_H

#include "blas/call.h"
#include "view/reader.h"

/* Levels of the trees of sums of rows: for fewer than 2^(STN_BLAS_LEVELS - 1) tiles. */
enum { STN_BLAS_LEVELS = 24 };

/* Sums of values in the order of doc/order.md: two doubles each, values of the arithmetic type. */
typedef struct stn_complex_loops {
    /* Of up to a tile of `count` elements of each of `rows` rows at a distance of row_bytes, which
     * grows by `growth` with each row, optionally conjugated, times x. */
    void (*rows)(double *sums, const void *a, int64_t row_bytes, int64_t growth, int64_t rows,
                 const void *x, int64_t count, int is_conjugated);
    /* The same for each of `columns` columns over up to a tile of `rows` rows. */
    void (*columns)(double *sums, const void *a, int64_t row_bytes, int64_t growth, int64_t rows,
                    const void *x, int64_t columns, int is_conjugated);
    /* The sum of the squares of up to a tile of magnitudes, as in stn_nrm2. */
    double (*squares)(const void *x, int64_t count);
    /* y = alpha x + y, as in stn_axpy_complex. */
    void (*axpy)(void *y, const void *x, stn_c128 alpha, int64_t count);
} stn_complex_loops;

/* In c128 or c64 for the instruction set in use; NULL in portable C. */
const stn_complex_loops *stn_complex_loops_of(stn_format arithmetic);

/* Elements first, ... of y, up to a tile, become alpha * sums + beta * y as in
 * stn_gemv. */
void stn_complex_update(const stn_reader *y, int64_t first, int64_t count, stn_c128 alpha,
                        const double *sums, stn_c128 beta);

/* y = alpha * A x + beta * y for checked operands; *is_done: 0 if a reduction must do it, for
 * example because A does not consist of values with contiguous rows or columns. */
stn_status stn_complex_multiply(const stn_blas_call *call, int is_conjugated, stn_c128 alpha,
                                const stn_view *a, const stn_view *x, stn_c128 beta,
                                const stn_view *y, int *is_done);

/* The sum of x[e] * y[e], x optionally conjugated, of two checked vectors. 0: nothing was done,
 * because they are longer than a few tiles, or not contiguous values. */
int stn_complex_dot(const stn_blas_call *call, int is_conjugated, stn_c128 *result,
                    const stn_view *x, const stn_view *y);

#endif
