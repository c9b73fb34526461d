/* Right-hand sides of a sparse product: several columns of x, interleaved and in the arithmetic
 * type, and the columns of y that their sums are written to. */
#ifndef STENO_SPARSE_PRODUCT_VECTORS_H
#define STENO_SPARSE_PRODUCT_VECTORS_H

#include "blas/operand.h"
#include "sparse/product/tile.h"

enum { STN_MAX_WRITTEN_ROWS = 64 }; /* maximum number of rows whose sums are written together */

/* Numbers are real, or parts of complex numbers. */
typedef struct stn_vectors {
    stn_format arithmetic; /* f64 or f32 */
    double alpha, beta;
    const stn_view *all_x, *all_y;
    int64_t columns;      /* of x and y */
    int64_t width, count; /* numbers in a row of x, a power of two; right-hand sides in use */
    const void *x;        /* in the form that sums read: numbers of a row are contiguous */
    int64_t x_step;       /* distance between rows */
    const int64_t *steps; /* for tiles of consecutive entries; NULL if x_step is width */
    int64_t own_steps[3];
    void *buffer;      /* buffer for decoded x */
    int are_pairs;     /* x contains both parts of one of several interleaved columns */
    int writes_values; /* y is of the arithmetic type and written without encoding */
    void *sums;        /* y, if its numbers can be stored directly, or NULL */
    int64_t sums_step; /* distance between rows of `sums` */
    stn_operand from[STN_TILE_MAX_WIDTH], y[STN_TILE_MAX_WIDTH];
    stn_view from_views[STN_TILE_MAX_WIDTH], y_views[STN_TILE_MAX_WIDTH];
} stn_vectors;

/* Prepares products with x and y, which have the same number of columns and must outlive *result.
 * They have rank 2, or rank 3 if the last dimension is the parts of complex numbers. If
 * is_read_again is set, the matrix is read again for each complex column, rather than copying
 * columns. Release with stn_vectors_release. STN_ERR_MEMORY. */
stn_status stn_vectors_init(stn_vectors *result, stn_format arithmetic, double alpha,
                            const stn_view *x, double beta, const stn_view *y, int is_read_again);
void stn_vectors_release(stn_vectors *vectors);

/* Selects up to STN_TILE_MAX_WIDTH columns, from `first` on. */
stn_status stn_vectors_select(const stn_exec *exec, stn_vectors *vectors, int64_t first);

/* y = alpha * sums + beta * y for up to STN_MAX_WRITTEN_ROWS rows with `width` sums each. */
void stn_vectors_write(const stn_vectors *vectors, int64_t row, int64_t count, const double *sums);

/* The location in y at which sums of these rows can be stored directly, or NULL. */
double *stn_vectors_sums(const stn_vectors *vectors, int64_t row);

/* log2 of the width: the index of its loop. */
static inline int stn_vectors_loop(int64_t width)
{
    int k = 0;
    while (width > 1) {
        width /= 2;
        k++;
    }
    return k;
}

#endif
