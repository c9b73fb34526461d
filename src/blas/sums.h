/* Sums of a format's codes, and of products of two, tile by tile or of many tiles at once. */
#ifndef STENO_BLAS_SUMS_H
#define STENO_BLAS_SUMS_H

#include "format/codec.h"

enum { STN_EXACT_TILES = 64 };

typedef struct stn_sums {
    /* Of each of `tiles` full tiles, in the order of the design, in f32 and f64. */
    void (*tiles_f32)(double *sums, const void *x, const stn_affine *affine, int64_t tiles);
    void (*tiles_f64)(double *sums, const void *x, const stn_affine *affine, int64_t tiles);
    /* Of up to STN_EXACT_TILES full tiles at once, without scale, in f64: where all sums of so many
     * elements are exact; else NULL. */
    double (*exact_sum)(const void *x, int64_t tiles);
    double (*exact_dot)(const void *x, const void *y, int64_t tiles);
} stn_sums;

/* The loops of a real built-in format on the instruction set in use; NULL in portable C. */
const stn_sums *stn_sums_find(stn_format format);

#endif
