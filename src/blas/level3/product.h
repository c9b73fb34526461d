/* What all functions of level 3 are made of: blocks of sums of the products of two matrices, of
 * which panels are decoded. */
#ifndef STENO_BLAS_LEVEL3_PRODUCT_H
#define STENO_BLAS_LEVEL3_PRODUCT_H

#include "blas/call.h"
#include "blas/level3/own.h"

typedef enum stn_factor_shape {
    STN_FACTOR_FULL,
    STN_FACTOR_MIRRORED,  /* one triangle stands for the other, too */
    STN_FACTOR_TRIANGULAR /* zeros in the other triangle */
} stn_factor_shape;

/* Of a matrix that is not full only one triangle is looked at. */
typedef struct stn_factor {
    const stn_view *view;
    stn_conjugate conj;
    stn_factor_shape shape;
    stn_triangle triangle;
    stn_diagonal diagonal; /* of a triangular one */
    int is_hermitian;      /* the mirrored triangle is conjugated, the diagonal real */
} stn_factor;

typedef enum stn_product_way {
    STN_BY_SYSTEM,   /* its gemm */
    STN_BY_BLOCKS,   /* the own kernel */
    STN_BY_REDUCTION /* that of products: any executor */
} stn_product_way;

typedef struct stn_product {
    const stn_blas_call *call;
    stn_factor a, b; /* m x k and k x n */
    stn_product_way way;
    int64_t rows, columns; /* of a block of sums, at most */
    stn_view a_room, b_room;
    stn_view sums; /* blocks: those by panels wait for each other as those by tiles do */
    stn_packs packs;
} stn_product;

/* Chooses the way: errors of STENO_GEMM's library. */
stn_status stn_product_make(stn_product *product, const stn_blas_call *call, const stn_factor *a,
                            const stn_factor *b);

/* Takes all memory that is needed for a result of m x n: STN_ERR_MEMORY. To be closed, also after
 * an error. */
stn_status stn_product_open(stn_product *product, int64_t m, int64_t n);
void stn_product_close(stn_product *product);

/* The values of these slices of a factor into a room that rows follow each other in. */
stn_status stn_factor_decode(const stn_blas_call *call, const stn_factor *factor,
                             const stn_slice *slices, const stn_view *room);

/* *sums is the block of these rows of a and columns of b, summed over a range of the columns of a:
 * a view that lasts until the next call. */
stn_status stn_product_sum(stn_product *product, const stn_slice *rows, const stn_slice *columns,
                           const stn_slice *range, stn_view *sums);

/* The next slice of at most `most` out of `extent`, from *first on, which goes on; 0 behind the
 * last one. */
static inline int stn_product_next(int64_t extent, int64_t most, int64_t *first, stn_slice *slice)
{
    const int64_t begin = *first;
    if (begin >= extent)
        return 0;
    *first = extent - begin < most ? extent : begin + most;
    *slice = stn_slice_range(begin, *first);
    return 1;
}

#endif
