/* Sums of products by chunks of tiles, in passes that compute or read the elements anyway: the sums
 * of chunks are leaves of the tree, which threads compute in any order. */
#ifndef STENO_ORDER_CHUNKS_H
#define STENO_ORDER_CHUNKS_H

#include "order/fused.h"
#include "order/tree.h"

enum { STN_CHUNK = 8 * STN_TILE_ELEMENTS }; /* elements: a power of two of tiles */

static inline int64_t stn_chunks_of(int64_t elements)
{
    return (elements + STN_CHUNK - 1) / STN_CHUNK;
}

/* The sum of x y over at most a chunk of contiguous values of the arithmetic type. */
static inline double stn_chunk_dot(stn_format arithmetic, const void *x, const void *y,
                                   int64_t count)
{
    const stn_affine plain = stn_affine_plain();
    return stn_fused_of(arithmetic, arithmetic)->dot(x, &plain, y, &plain, count);
}

/* The sum of the sums of all chunks, at least one, which are destroyed. */
static inline double stn_chunks_fold(stn_format arithmetic, double *sums, int64_t count)
{
    stn_fold_leaves(stn_add_of(arithmetic), sizeof *sums, sums, 1, count);
    return sums[0];
}

#endif
