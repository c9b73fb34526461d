/* Schedule of sums: threads process adjacent blocks of tiles, reading several streams of tiles
 * concurrently. The result has the same bits for any number of threads and streams. */
#ifndef STENO_ORDER_SCHEDULE_H
#define STENO_ORDER_SCHEDULE_H

#include "exec/workspace.h"
#include "order/tree.h"

enum {
    STN_MAX_BLOCKS = 1024,
    STN_STATE_BYTES = 32, /* maximum size of a state */
    STN_SIDE_BYTES = 32,  /* size of adjacent states of sums without their own workspace */
    STN_STORED_SUMS = 64  /* sums stored at once */
};

/* Sums in groups of `width` that are folded together. */
typedef struct stn_sums_job {
    stn_combine *combine;
    int64_t bytes; /* of a state */
    int64_t width;
    int64_t groups, tiles; /* tiles of each sum, at least 1 */
    int64_t chunk;         /* tiles folded at once, a power of two */
    int fetches;           /* folding prefetches, so that one stream suffices */

    /* Called before a thread folds; may be NULL. */
    void (*begin)(void *context, stn_workspace *workspace);
    /* Folds tiles from `tile` on, up to a chunk, of the sums of a group: adjacent states, in
     * `buffer`, which has STN_SIDE_BYTES, or elsewhere. */
    const void *(*fold)(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                        int64_t count, void *buffer);
    /* Stores the states of `count` groups; several only if they need no workspace. */
    void (*store)(void *context, int64_t group, int64_t count, const void *states);
    void *context;

    /* Offset in a workspace of the tree of adjacent states; 0: at most
     * STN_SIDE_BYTES. */
    int64_t levels;
    void *values;        /* buffer for the states of blocks, shared by all threads */
    int64_t value_bytes; /* its size */

    /* Set by the schedule: threads, and streams of tiles of each; tiles of a block, a power of
     * two of chunks, and blocks of a sum. */
    int threads, streams;
    int64_t block, blocks;
} stn_sums_job;

/* Sums without tiles are not stored. If `workspaces` is NULL, callbacks receive none. */
void stn_sums_run(stn_sums_job *job, const stn_exec *exec, const stn_workspaces *workspaces);

#endif
