/* Sums of a view's elements, or of products of two views' in one format, straight from the codes.
 */
#ifndef STENO_SUM_CODES_H
#define STENO_SUM_CODES_H

#include "sum/fused.h"
#include "view/reader.h"

/* A sum whose elements follow each other in memory. */
typedef struct stn_code_sum {
    const stn_fused *fused; /* NULL: there are no loops for it */
    stn_format arithmetic;
    int64_t bytes;        /* of a code */
    stn_affine affine[2]; /* of x and y, where scales have not been taken out */
    double factor;        /* that has been taken out */
    int is_exact; /* sums of STN_EXACT_TILES tiles, so that they may be taken in any order */
} stn_code_sum;

/* Do its loops fetch what comes? */
static inline int stn_code_sum_fetches(const stn_code_sum *sum)
{
    return sum->bytes < stn_arithmetic_bytes(sum->arithmetic);
}

/* Are the elements codes of one real format that fused loops can read? */
int stn_codes_have_loops(const stn_reader *reader);

/* What loops there are for views of contiguous elements, y NULL: of x alone. */
void stn_code_sum_find(stn_code_sum *sum, const stn_exec *exec, stn_format arithmetic,
                       const stn_reader *x, const stn_reader *y);

/* The same for products of codes of a built-in format without scales. */
void stn_code_sum_of_products(stn_code_sum *sum, stn_format format, stn_format arithmetic);

/* The sum of `count` elements, up to STN_EXACT_TILES tiles: a value of the arithmetic. y NULL: of x
 * alone. */
double stn_code_sum_fold(const stn_code_sum *sum, const void *x, const void *y, int64_t count);

/* The power of two that may be taken out of sums of products with this reader's values, because it
 * changes no bit of them: its scale, when nothing can overflow or become subnormal for it. 1 when
 * there is nothing to take out; 0 when it must stay in, and for formats whose own values may
 * overflow in a product. */
double stn_reader_free_scale(const stn_reader *reader);

#endif
