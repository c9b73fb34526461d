/* The schedule of sums: threads take neighbouring blocks of tiles, and walk through several runs of
 * them side by side. The result is the same bits for any number of either. */
#ifndef STENO_SUM_SCHEDULE_H
#define STENO_SUM_SCHEDULE_H

#include "exec/workspace.h"
#include "sum/tree.h"

enum {
    STN_MOST_BLOCKS = 1024,
    STN_STATE_BYTES = 16, /* of a state, at most */
    STN_SIDE_BYTES = 32,  /* of the states side by side of sums that bring no rooms of their own */
    STN_STORED_SUMS = 64  /* that are stored at once */
};

/* Sums in groups of `width` that are folded side by side. */
typedef struct stn_sums_job {
    stn_combine *combine;
    int64_t bytes; /* of a state */
    int64_t width;
    int64_t groups, tiles; /* tiles of each sum, 1 or more */
    int64_t chunk;         /* tiles that are folded at once, a power of two */
    int fetches;           /* folding does by itself what comes, so that one stream is as good */

    /* Before a thread folds; may be NULL. */
    void (*begin)(void *context, stn_workspace *workspace);
    /* Tiles from `tile` on, up to a chunk, of the sums of a group: a state of each, side by side;
     * in `room`, which has STN_SIDE_BYTES, or elsewhere. */
    const void *(*fold)(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                        int64_t count, void *room);
    /* The states of `count` groups from this one on; more than one where they need no rooms. */
    void (*store)(void *context, int64_t group, int64_t count, const void *states);
    void *context;

    /* In a workspace, the room for the tree of states side by side; 0: no more than STN_SIDE_BYTES
     * are. */
    int64_t levels;
    void *values;        /* room for the states of blocks, shared by all threads */
    int64_t value_bytes; /* of it */

    /* Set: those that work, and runs of tiles that each walks through; tiles of a block, a power of
     * two of chunks, and blocks of a sum. */
    int threads, streams;
    int64_t block, blocks;
} stn_sums_job;

/* Sums without tiles are not stored. `workspaces` may be NULL: the callbacks get none then. */
void stn_sums_run(stn_sums_job *job, const stn_exec *exec, const stn_workspaces *workspaces);

#endif
