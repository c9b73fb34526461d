/* Sums of a complex tile on the diagonal of a triangular, symmetric or Hermitian matrix. */
#ifndef STENO_BLAS_COMPLEX_TRIANGLE_H
#define STENO_BLAS_COMPLEX_TRIANGLE_H

#include "blas/complex.h"

/* Elements between the rows of a composed tile, which avoid strides of powers of two. */
enum { STN_SQUARE_PAD = 4, STN_SQUARE_ROW = STN_TILE_ELEMENTS + STN_SQUARE_PAD };

typedef struct stn_complex_triangle {
    const stn_complex_loops *loops;
    int is_wide;       /* c128; otherwise c64 */
    const char *lines; /* rows or columns of values, up to a tile */
    int64_t line_bytes, count;
    int ends;                   /* lines end at the diagonal; otherwise they begin there */
    int sums_lines, sums_turns; /* rows consist of lines, and of elements across lines */
    int conjugates_lines, conjugates_turns;
    int has_units, is_hermitian;
    const char *x;
} stn_complex_triangle;

/* Two doubles for each row. */
void stn_complex_triangle_sum(const stn_complex_triangle *triangle, double *sums);

#endif
