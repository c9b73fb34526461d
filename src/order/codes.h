/* Sums of the elements of a view, or of products of two views in one format, directly from
 * codes. */
#ifndef STENO_ORDER_CODES_H
#define STENO_ORDER_CODES_H

#include "order/fused.h"
#include "view/reader.h"

/* A sum of contiguous elements. */
typedef struct stn_code_sum {
    const stn_fused *fused; /* NULL: no loops for it */
    stn_format arithmetic;
    int64_t bytes;        /* of a code */
    stn_affine affine[2]; /* of x and y, unless scales were moved out */
    double factor;        /* scale that was moved out */
    int is_square;        /* x and y are the same elements */
    int is_exact; /* sums of STN_EXACT_TILES tiles are exact, so that their order is arbitrary */
} stn_code_sum;

/* Do its loops prefetch? */
static inline int stn_code_sum_fetches(const stn_code_sum *sum)
{
    return sum->bytes < stn_arithmetic_bytes(sum->arithmetic);
}

/* Are the elements codes of one real format that fused loops support? */
int stn_codes_have_loops(const stn_reader *reader);

/* Finds loops for views of contiguous elements; y NULL: of x only; y x: of the squares of x. */
void stn_code_sum_find(stn_code_sum *sum, const stn_exec *exec, stn_format arithmetic,
                       const stn_reader *x, const stn_reader *y);

/* The same for products of codes of a built-in format without scales. */
void stn_code_sum_of_products(stn_code_sum *sum, stn_format format, stn_format arithmetic);

/* The same for products of segmented values without scales (view/segmented.h); both or neither are
 * of one plane. */
void stn_code_sum_of_planes(stn_code_sum *sum, stn_format arithmetic, const stn_affine *x,
                            const stn_affine *y);

/* The sum of `count` elements, up to STN_EXACT_TILES tiles: a value of the arithmetic type. y
 * NULL: of x only. */
double stn_code_sum_fold(const stn_code_sum *sum, const void *x, const void *y, int64_t count);

/* The power of two that can be moved out of sums of products with this reader's values without
 * changing a bit: its scale, if nothing can overflow or become subnormal. 1 if there is
 * nothing to move; 0 if it cannot be moved, and for formats whose values may overflow in a
 * product. */
double stn_reader_free_scale(const stn_reader *reader);

#endif
