/* The library's own sums of products of matrices, for blocks that fit the registers: each element
 * in the order of doc/order.md, as stn_dot has it. */
#ifndef STENO_BLAS_LEVEL3_KERNEL_H
#define STENO_BLAS_LEVEL3_KERNEL_H

#include "sum/codes.h"

/* Elements of a panel along the sums, at most; whole tiles. */
enum { STN_PRODUCT_DEPTH = 4 * STN_TILE_ELEMENTS };

/* A matrix of values, of which a part is taken; steps in elements. */
typedef struct stn_lines {
    const void *values;
    int64_t along, across; /* steps along the sums, and from one line to the next */
} stn_lines;

/* For values of one arithmetic type. A pack is `count` elements of each of `rows` lines of the left
 * matrix, or `columns` of the right one, side by side and in the order in which they are summed. */
typedef struct stn_block_kernel {
    int rows, columns;
    /* `lines` of them, not more than a pack holds: the others are zeros. */
    void (*pack_rows)(void *pack, const stn_lines *from, int64_t lines, int64_t count);
    void (*pack_columns)(void *pack, const stn_lines *from, int64_t lines, int64_t count);
    /* The first rows and columns of the block of sums, into a matrix whose rows are row_step values
     * apart. Up to STN_PRODUCT_DEPTH elements, at least one. */
    void (*sum)(void *to, int64_t row_step, const void *left, const void *right, int64_t count,
                int64_t rows, int64_t columns);
} stn_block_kernel;

typedef struct stn_block_kernels {
    stn_block_kernel real, complex;
} stn_block_kernels;

/* Those of an arithmetic type on the instruction set in use; NULL in portable C. */
const stn_block_kernel *stn_block_kernel_of(stn_format arithmetic);

#endif
