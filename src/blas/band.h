/* Banded matrices: elements of the band have constant strides, also along the diagonal, so that
 * the rows of the band are a strided matrix with one column per diagonal. */
#ifndef STENO_BLAS_BAND_H
#define STENO_BLAS_BAND_H

#include "blas/call.h"
#include "view/extra.h"

typedef struct stn_band {
    stn_view lines;       /* strided: element (i, j) of the matrix, if it is in the band */
    int64_t below, above; /* number of diagonals on either side */
} stn_band;

/* x, or the limit that it exceeds. */
static inline int64_t stn_band_clamp(int64_t low, int64_t x, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static inline int stn_blas_is_banded(const stn_view *a)
{
    return stn_view_mapping(a) && stn_view_mapping(a)->layout.kind == STN_LAYOUT_BANDED;
}

/* STN_ERR_UNSUPPORTED for a subview of a banded matrix with steps, or with one dimension
 * only. */
stn_status stn_band_of(const stn_blas_call *call, const stn_view *a, stn_band *band);

/* Restricts the band to one triangle. */
void stn_band_cut(stn_band *band, stn_triangle triangle);

/* Parts of the matrix used by sums of a row. */
typedef struct stn_band_sums {
    stn_band band;
    stn_view above;    /* elements after the diagonal, otherwise as band.lines */
    const stn_view *x; /* of the arithmetic type, strided */
    int conjugates_below,
        conjugates_above; /* conjugates on either side; one of them: a real diagonal */
    int has_units;        /* unit diagonal */
} stn_band_sums;

/* ---- loops over the rows of a band ---- */

/* The elements of one diagonal in consecutive rows: values at a step. */
typedef struct stn_band_diagonal {
    const void *a;
    int64_t step;
    int is_conjugated;
} stn_band_diagonal;

/* Sums of up to `wide` rows, in lanes of `parts` times `wide` numbers. add: adds the
 * products of elements from, ..., from + count - 1 of a tile; x is the factor of the first of them
 * in the first row, and the next one in the next row. fold: `parts` numbers per row, of a tile with
 * `held` lanes. Rows of lanes that are not in use are undefined. */
enum {
    STN_BAND_ROWS = 16,
    STN_BAND_FEW = 8, /* diagonals, for which more rows fit into the same memory: */
    STN_BAND_MANY_ROWS = 64
};
typedef struct stn_band_loops {
    void (*add)(void *lanes, const stn_band_diagonal *diagonals, int64_t from, int64_t count,
                const void *x, int64_t rows, int parts, int64_t wide);
    void (*fold)(double *sums, void *lanes, int64_t held, int64_t rows, int parts, int64_t wide);
} stn_band_loops;

/* y = alpha * sums + beta * y by these loops, where `x` of `sums` is not yet set and x may be y.
 * *is_done: 0 if stn_band_sum_rows must do it. */
stn_status stn_band_multiply(const stn_blas_call *call, const stn_band_sums *sums, stn_c128 alpha,
                             const stn_view *x, stn_c128 beta, const stn_view *y, int *is_done);

/* result[i] = the sum of row i's products with x, numbered from the row's first element in the
 * band. */
stn_status stn_band_sum_rows(const stn_blas_call *call, const stn_band_sums *sums,
                             const stn_view *result);

/* y = alpha * A x + beta * y for a banded A, after all checks. */
stn_status stn_blas_update_banded(const stn_blas_call *call, int conjugated, stn_c128 alpha,
                                  const stn_view *a, const stn_view *x, stn_c128 beta,
                                  const stn_view *y);

#endif
