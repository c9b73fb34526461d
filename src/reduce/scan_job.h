/* A running scan. */
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
    int nontemporal; /* results are stored non-temporally */
    int plain;       /* results are stored unconverted */
    int jumps;       /* the random numbers of a line's elements are not consecutive */
    int dimension;   /* of the lines */
    int64_t step;    /* stride of the result along a line, in elements */
    int64_t inner;   /* elements of the space between neighbors of a line, in C order */
    int64_t length;  /* elements of a line */
    int64_t chunk;   /* elements scanned at once, a power of two of tiles */
    int64_t block;   /* elements of a block, a power of two of chunks */
    int64_t blocks;  /* of a line */
    stn_tree before; /* of the blocks before the current one of the line */
    _Alignas(16) char before_states[STN_TREE_LEVELS * sizeof(int64_t)];
    _Alignas(64) _Atomic int64_t started; /* number of started blocks of all lines, in order */
    _Alignas(64) _Atomic int64_t turn;    /* number of the block whose carry is known */
} stn_scan_job;

/* Begins the tree of `width` adjacent lines. */
static inline void stn_scan_begin_tree(const stn_scan_job *job, int64_t width, stn_tree *tree,
                                       void *states)
{
    stn_tree_begin(tree, job->reduce.monoid.combine, job->reduce.monoid.state_bytes, width, states,
                   0);
}

void stn_scan_store_total(const stn_scan_job *job, int64_t line, void *state);

/* If neighboring lines are adjacent in the result: whether it is traversed row by row, and the
 * share of a thread of it. */
int stn_scan_traverses_rows(const stn_scan_job *job, int64_t threads);
void stn_scan_rows(void *context, stn_workspace *workspace, int part, int parts);

#endif
