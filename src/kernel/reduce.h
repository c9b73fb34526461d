/* A sum over tiles on an executor: the same bits for any number of threads. */
#ifndef STENO_KERNEL_REDUCE_H
#define STENO_KERNEL_REDUCE_H

#include "exec/exec.h"
#include "kernel/tree.h"

/* The sums of the tiles [tile, tile + count), count at most STN_CHUNK, into sums. */
typedef void stn_tile_sums(const void *context, int64_t tile, int64_t count, double *sums);

enum {
    STN_CHUNK = 8,  /* most tiles handed to a stn_tile_sums at a time */
    STN_STREAMS = 4 /* runs of tiles that a thread walks through side by side */
};

/* Tiles to sum of one stream before the next has its turn: 1 KiB of codes of this many bytes each.
 * More, and the streams are no longer side by side for the memory (measured: 8 KiB cost a quarter).
 */
static inline int64_t stn_chunk_of(int64_t bytes)
{
    return bytes >= 8 ? 1 : 8 / bytes;
}

/* The tree over the sums of `tiles` tiles, `chunk` at a time; `narrow` for arithmetic f32.
 * Allocates nothing. */
double stn_reduce(const stn_exec *exec, int64_t tiles, int64_t chunk, int narrow,
                  stn_tile_sums *sums, const void *context);

#endif
