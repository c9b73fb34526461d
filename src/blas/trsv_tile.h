/* Solution of a triangular system within one tile, or one band. */
#ifndef STENO_BLAS_TRSV_TILE_H
#define STENO_BLAS_TRSV_TILE_H

#include "blas/complex.h"
#include "order/fused.h"
#include "order/monoid.h"
#include "view/reader.h"

/* A square diagonal tile and its elements of x: values in host memory. */
typedef struct stn_triangle_tile {
    const stn_reader *a;              /* source of the tile; NULL if it consists of values */
    const stn_fused *fused;           /* loops over codes whose rows or columns are contiguous */
    const stn_complex_loops *complex; /* the same over complex values; or NULL */
    const char *codes;                /* for them: the first element of the matrix */
    stn_affine affine;
    int64_t code_bytes;
    int64_t steps[2];
    int64_t position; /* of the tile's first element */
    void *x;
    int64_t count, reach; /* rows, and diagonals on the side of the triangle */
    int is_upper, has_units, is_conjugated;
    stn_monoid products;
} stn_triangle_tile;

/* Solves for x by strips of rows: solved elements of the tile are subtracted as sums, and the
 * strip's own products from the rest. */
void stn_triangle_tile_solve(const stn_triangle_tile *tile, stn_format arithmetic);

#endif
