/* Fused loops of sparse rows. */
#ifndef STENO_SPARSE_FUSED_H
#define STENO_SPARSE_FUSED_H

#include "format/codec.h"

/* The arrays of a sparse matrix, as its loops read them. */
typedef struct stn_rows {
    const int64_t *row_start;
    const int32_t *column;
    const void *codes;
    stn_affine affine;
    int64_t entries; /* in all: what may be read of column and codes */
} stn_rows;

/* The sums of `count` rows from `first` on, codes[k] * x[column[k]] each, in the order of the
 * design. */
typedef void stn_sum_rows(double *sums, const stn_rows *rows, int64_t first, int64_t count,
                          const void *x);

/* Of a real built-in format on an instruction set. */
typedef struct stn_sparse_fused {
    stn_sum_rows *rows_f64, *rows_f32;
} stn_sparse_fused;

#endif
