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

/* result[i] = the sum of row i's products with x, numbered from the row's first element in the
 * band. */
stn_status stn_band_sum_rows(const stn_blas_call *call, const stn_band_sums *sums,
                             const stn_view *result);

/* y = alpha * A x + beta * y for a banded A, after all checks. */
stn_status stn_blas_update_banded(const stn_blas_call *call, int conjugated, stn_c128 alpha,
                                  const stn_view *a, const stn_view *x, stn_c128 beta,
                                  const stn_view *y);

#endif
