/* Fused loops over the rows of sparse matrices. */
#ifndef STENO_SPARSE_FUSED_H
#define STENO_SPARSE_FUSED_H

#include "format/codec.h"

/* The arrays of a sparse matrix, as the loops read them: compressed rows or slices. */
typedef struct stn_rows {
    const int64_t *start;
    const int32_t *index;
    const void *codes;
    stn_affine affine;
    int64_t entries; /* in total: the number of codes, and of columns of compressed rows, that may
                      * be read */
} stn_rows;

/* sums[r] is the sum of codes[k] * x[column[k]] over row first + r, in the order of doc/order.md,
 * for `count` rows. In slices, `first` is the first row of a slice, and `sums` has capacity for
 * all rows of the last slice. */
typedef void stn_sum_rows(double *sums, const stn_rows *rows, int64_t first, int64_t count,
                          const void *x);

/* The loops for a real built-in format on an instruction set. */
typedef struct stn_sparse_fused {
    stn_sum_rows *rows_f64, *rows_f32, *slices_f64, *slices_f32;
} stn_sparse_fused;

#endif
