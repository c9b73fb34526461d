/* Banded matrices: within the band elements stand at strides, also along the diagonal, so that the
 * rows of the band are a strided matrix of as many columns as there are diagonals. */
#ifndef STENO_BLAS_BAND_H
#define STENO_BLAS_BAND_H

#include "blas/call.h"

typedef struct stn_band {
    stn_view lines;       /* strided: element (i, j) of the matrix, if it is in the band */
    int64_t below, above; /* diagonals of it on either side */
} stn_band;

static inline int stn_blas_is_banded(const stn_view *a)
{
    return a->mapping && a->mapping->layout.kind == STN_LAYOUT_BANDED;
}

/* STN_ERR_UNSUPPORTED for a part of a banded matrix that goes by steps, or not by both dimensions.
 */
stn_status stn_band_of(const stn_blas_call *call, const stn_view *a, stn_band *band);

/* Only one triangle of the band. */
void stn_band_cut(stn_band *band, stn_triangle triangle);

/* What sums of a row take of the matrix. */
typedef struct stn_band_sums {
    stn_band band;
    stn_view above;               /* what elements behind the diagonal are of: as band.lines */
    const stn_view *x;            /* of the arithmetic type, strided */
    int turns_below, turns_above; /* conjugates on either side; one of them: a real diagonal */
    int has_units;                /* ones on the diagonal */
} stn_band_sums;

/* result[i] = the sum of row i's products with x, numbered from the first element of the row that
 * is in the band. */
stn_status stn_band_sum_rows(const stn_blas_call *call, const stn_band_sums *sums,
                             const stn_view *result);

/* y = alpha * A x + beta * y of a banded A, all checks made. */
stn_status stn_blas_update_banded(const stn_blas_call *call, int conjugated, stn_c128 alpha,
                                  const stn_view *a, const stn_view *x, stn_c128 beta,
                                  const stn_view *y);

#endif
