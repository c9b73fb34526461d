/* A scan on the way. */
#ifndef STENO_REDUCE_SCAN_JOB_H
#define STENO_REDUCE_SCAN_JOB_H

#include <stdatomic.h>

#include "reduce/job.h"

typedef struct stn_scan_job {
    stn_reduce_job reduce;
    const stn_view *totals; /* or NULL */
    stn_reader total_writer;
    int64_t total_stride[STN_MAX_RANK + 1];
    int exclusive;
    int nontemporal; /* stores of results */
    int plain;       /* and these are stored as they are */
    int jumps;       /* elements of a line draw by numbers that are apart */
    int dimension;   /* that lines are along */
    int64_t step;    /* the stride of the result along a line, in elements */
    int64_t inner;   /* elements of the space between neighbours of a line, in C order */
    int64_t length;  /* elements of a line */
    int64_t chunk;   /* that are scanned at once, a power of two of tiles */
    int64_t block;   /* elements of a block, a power of two of chunks */
    int64_t blocks;  /* of a line */
    stn_tree before; /* of the blocks of a line before the one whose turn it is */
    _Alignas(16) char before_states[STN_TREE_LEVELS * sizeof(int64_t)];
    _Alignas(64) _Atomic int64_t taken; /* blocks of all lines, in order */
    _Alignas(64) _Atomic int64_t turn;  /* of the block with this number */
} stn_scan_job;

/* The tree of `width` lines side by side. */
static inline void stn_scan_begin_tree(const stn_scan_job *job, int64_t width, stn_tree *tree,
                                       void *states)
{
    stn_tree_begin(tree, job->reduce.monoid.combine, job->reduce.monoid.state_bytes, width, states,
                   0);
}

void stn_scan_store_total(const stn_scan_job *job, int64_t line, void *state);

/* Where neighbouring lines lie side by side in the result: whether it is gone through row by row,
 * and the share of a thread of that. */
int stn_scan_goes_by_rows(const stn_scan_job *job, int64_t threads);
void stn_scan_rows(void *context, stn_workspace *workspace, int part, int parts);

#endif
