/* The library's kernel for sums of products of matrices, for blocks that fit into registers:
 * each element in the order of doc/order.md, as in stn_dot. */
#ifndef STENO_BLAS_LEVEL3_KERNEL_H
#define STENO_BLAS_LEVEL3_KERNEL_H

#include "order/codes.h"

/* Maximum number of elements of a panel along the sums: complete tiles. */
enum { STN_PRODUCT_DEPTH = 4 * STN_TILE_ELEMENTS };

/* A part of a matrix of values; strides in elements. */
typedef struct stn_lines {
    const void *values;
    int64_t along, across; /* strides along the sums, and between lines */
} stn_lines;

/* For values of one arithmetic type. A pack contains `count` elements of each of `rows` lines of
 * the left matrix, or `columns` of the right one, interleaved in the order of summation. */
typedef struct stn_block_kernel {
    int rows, columns;
    /* Packs `lines` lines, at most as many as a pack holds: the others are zeros. */
    void (*pack_rows)(void *pack, const stn_lines *from, int64_t lines, int64_t count);
    void (*pack_columns)(void *pack, const stn_lines *from, int64_t lines, int64_t count);
    /* Stores the first rows and columns of the block of sums in a matrix with a row stride of
     * row_step values. `count` is from 1 to STN_PRODUCT_DEPTH. */
    void (*sum)(void *to, int64_t row_step, const void *left, const void *right, int64_t count,
                int64_t rows, int64_t columns);
} stn_block_kernel;

typedef struct stn_block_kernels {
    stn_block_kernel real, complex;
} stn_block_kernels;

/* The kernel of an arithmetic type for the instruction set in use; NULL in portable C. */
const stn_block_kernel *stn_block_kernel_of(stn_format arithmetic);

#endif
