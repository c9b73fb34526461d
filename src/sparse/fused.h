/* Fused loops of sparse rows. */
#ifndef STENO_SPARSE_FUSED_H
#define STENO_SPARSE_FUSED_H

#include "format/codec.h"

/* The sum of up to STN_TILE entries of a row: codes[k] * x[column[k]], in the order of the design.
 * Up to `readable` >= count entries may be read of both arrays. */
typedef double stn_row_sum(const void *codes, const stn_affine *affine, const int32_t *column,
                           int64_t count, int64_t readable, const void *x);

typedef struct stn_sparse_fused {
    stn_row_sum *row_f64, *row_f32;
} stn_sparse_fused;

/* The loops of a real built-in format on the instruction set in use; NULL in portable C. */
const stn_sparse_fused *stn_sparse_fused_of(stn_format format);

#endif
