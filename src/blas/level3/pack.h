/* Products of panels by the library's kernel, on all threads of an executor. */
#ifndef STENO_BLAS_LEVEL3_PACK_H
#define STENO_BLAS_LEVEL3_PACK_H

#include "blas/level3/kernel.h"
#include "exec/exec.h"

typedef struct stn_packs {
    const stn_block_kernel *kernel;
    stn_format arithmetic;
    void *rows, *columns; /* packs of a panel, consecutively */
} stn_packs;

/* Packs for at most this number of rows and columns. kernel: not NULL. STN_ERR_MEMORY. */
stn_status stn_packs_create(stn_packs *packs, stn_format arithmetic, const stn_block_kernel *kernel,
                            int64_t rows, int64_t columns, int64_t depth);
void stn_packs_release(stn_packs *packs);

/* to = a b, strided views of values on the host: m x n, m x k and k x n with 0 < k <=
 * STN_PRODUCT_DEPTH; rows of `to` are contiguous. */
void stn_block_product(const stn_exec *exec, const stn_packs *packs, const stn_view *a,
                       const stn_view *b, const stn_view *to);

#endif
