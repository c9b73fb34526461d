/* Basis of all level 3 functions: blocks of sums of the products of two matrices, whose panels
 * are decoded. */
#ifndef STENO_BLAS_LEVEL3_PRODUCT_H
#define STENO_BLAS_LEVEL3_PRODUCT_H

#include "blas/call.h"
#include "blas/level3/pack.h"

typedef enum stn_factor_shape {
    STN_FACTOR_FULL,
    STN_FACTOR_MIRRORED,  /* one triangle also represents the other one */
    STN_FACTOR_TRIANGULAR /* zeros in the other triangle */
} stn_factor_shape;

/* Of a matrix that is not full, only one triangle is read. */
typedef struct stn_factor {
    const stn_view *view;
    stn_conjugate conj;
    stn_factor_shape shape;
    stn_triangle triangle;
    stn_diagonal diagonal; /* for triangular factors */
    int is_hermitian;      /* the mirrored triangle is conjugated, the diagonal real */
} stn_factor;

typedef enum stn_product_way {
    STN_BY_SYSTEM,   /* the system's gemm */
    STN_BY_BLOCKS,   /* the library's kernel */
    STN_BY_REDUCTION /* the reduction of products: any executor */
} stn_product_way;

typedef struct stn_product {
    const stn_blas_call *call;
    stn_factor a, b; /* m x k and k x n */
    stn_product_way way;
    int64_t rows, columns; /* maximum size of a block of sums */
    stn_view a_buffer, b_buffer;
    stn_view sums; /* blocks: pending panels, combined like pending tiles */
    stn_packs packs;
} stn_product;

/* Selects the method: errors of the library named by STENO_GEMM. */
stn_status stn_product_init(stn_product *product, const stn_blas_call *call, const stn_factor *a,
                            const stn_factor *b);

/* Allocates all memory for a result of m x n: STN_ERR_MEMORY. Close it even after an
 * error. */
stn_status stn_product_open(stn_product *product, int64_t m, int64_t n);
void stn_product_close(stn_product *product);

/* Decodes these slices of a factor into a buffer with contiguous rows. */
stn_status stn_factor_decode(const stn_blas_call *call, const stn_factor *factor,
                             const stn_slice *slices, const stn_view *buffer);

/* *sums is the block of these rows of a and columns of b, summed over a range of the columns of
 * a: a view that is valid until the next call. */
stn_status stn_product_sum(stn_product *product, const stn_slice *rows, const stn_slice *columns,
                           const stn_slice *range, stn_view *sums);

/* The next slice of at most `maximum` out of `extent`, from *first on, which is advanced; 0 after
 * the last one. */
static inline int stn_product_next(int64_t extent, int64_t maximum, int64_t *first,
                                   stn_slice *slice)
{
    const int64_t begin = *first;
    if (begin >= extent)
        return 0;
    *first = extent - begin < maximum ? extent : begin + maximum;
    *slice = stn_slice_range(begin, *first);
    return 1;
}

#endif
