/* Right-hand sides of a sparse product: several columns of x beside each other, in the arithmetic,
 * and the columns of y that their sums go to. */
#ifndef STENO_SPARSE_VECTORS_H
#define STENO_SPARSE_VECTORS_H

#include "blas/operand.h"
#include "sparse/tile.h"

enum { STN_ROWS_AT_ONCE = 64 }; /* whose sums are written together */

/* Numbers are real, or parts of complex ones. */
typedef struct stn_vectors {
    stn_format arithmetic; /* f64 or f32 */
    double alpha, beta;
    const stn_view *all_x, *all_y;
    int64_t columns;      /* of them */
    int64_t width, count; /* numbers of a row of x, a power of two; right-hand sides */
    const void *x;        /* as sums read it: numbers of a row side by side, */
    int64_t x_step;       /* and of the next one so many behind them */
    const int64_t *steps; /* of tiles whose entries follow each other; NULL where x_step is width */
    int64_t own_steps[3];
    void *room;        /* where x lies otherwise */
    int are_pairs;     /* both parts of one of two columns of x after the other lie so */
    int writes_values; /* y is of the arithmetic, and written without a codec */
    void *sums;        /* where its numbers lie side by side, or NULL; */
    int64_t sums_step; /* from row to row */
    stn_operand from[STN_TILE_WIDEST], y[STN_TILE_WIDEST];
    stn_view from_views[STN_TILE_WIDEST], y_views[STN_TILE_WIDEST];
} stn_vectors;

/* Of x and y with as many columns, which outlive it, of rank 2, or 3 where the parts of complex
 * numbers are the last dimension; to be given back with stn_vectors_drop. is_read_again: the matrix
 * is read for each complex column rather than that these are copied. STN_ERR_MEMORY. */
stn_status stn_vectors_make(stn_vectors *made, stn_format arithmetic, double alpha,
                            const stn_view *x, double beta, const stn_view *y, int is_read_again);
void stn_vectors_drop(stn_vectors *vectors);

/* Take `count` columns from `first` on, up to STN_TILE_WIDEST. */
stn_status stn_vectors_take(const stn_exec *exec, stn_vectors *vectors, int64_t first);

/* y = alpha * sums + beta * y of up to STN_ROWS_AT_ONCE rows, `width` sums of each. */
void stn_vectors_write(const stn_vectors *vectors, int64_t row, int64_t count, const double *sums);

/* Where sums of these rows can be written as they are, since they are what y becomes; or NULL. */
double *stn_vectors_sums(const stn_vectors *vectors, int64_t row);

/* Values of the arithmetic, at any stride. */
int stn_vectors_are_values(stn_format arithmetic, const stn_view *view);

/* Which of the loops for 2^k numbers a width has. */
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
