/* Fused loops of sparse rows. */
#ifndef STENO_SPARSE_FUSED_H
#define STENO_SPARSE_FUSED_H

#include "format/codec.h"

/* The arrays of a sparse matrix, as its loops read them: rows or slices. */
typedef struct stn_rows {
    const int64_t *start;
    const int32_t *index;
    const void *codes;
    stn_affine affine;
    int64_t entries; /* in all: what may be read of codes, and of the columns of rows */
} stn_rows;

/* The sums of `count` rows from `first` on, codes[k] * x[column[k]] each, in the order of the
 * design. Slices begin with a first row of theirs, and have room for the sums of their last one. */
typedef void stn_sum_rows(double *sums, const stn_rows *rows, int64_t first, int64_t count,
                          const void *x);

/* Of a real built-in format on an instruction set. */
typedef struct stn_sparse_fused {
    stn_sum_rows *rows_f64, *rows_f32, *slices_f64, *slices_f32;
} stn_sparse_fused;

#endif
