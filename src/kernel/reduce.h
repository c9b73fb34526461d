/* A sum over tiles on an executor: the same bits for any number of threads. */
#ifndef STENO_KERNEL_REDUCE_H
#define STENO_KERNEL_REDUCE_H

#include "exec/exec.h"
#include "kernel/tree.h"

/* The sums of the tiles [tile, tile + count), count at most STN_CHUNK, into sums. */
typedef void stn_tile_sums(const void *context, int64_t tile, int64_t count, double *sums);

enum {
    STN_CHUNK = 8,  /* most tiles handed to a stn_tile_sums at a time */
    STN_STREAMS = 2 /* runs of tiles, of each operand, that a thread walks through side by side */
};

/* Tiles to sum of one stream before the next has its turn: 4 KiB of codes of this many bytes each,
 * as far as a chunk goes. Measured on Zen 4, dot of f64 and f16: 2 streams by 4 KiB 0.91 and 1.08
 * of the best plain streaming, 4 by 1 KiB 0.78 and 1.04, 8 by 1 KiB 0.76 and 0.74. */
static inline int64_t stn_chunk_of(int64_t bytes)
{
    return bytes >= 8 ? STN_CHUNK / 2 : STN_CHUNK;
}

/* The tree over the sums of `tiles` tiles, `chunk` at a time; `narrow` for arithmetic f32.
 * Allocates nothing. */
double stn_reduce(const stn_exec *exec, int64_t tiles, int64_t chunk, int narrow,
                  stn_tile_sums *sums, const void *context);

#endif
