/* Partitions inside the library, and sums over all ranks. */
#ifndef STENO_DISTRIBUTE_PARTITION_H
#define STENO_DISTRIBUTE_PARTITION_H

#include "distribute/comm.h"
#include "steno/distribute.h"

struct stn_partition {
    stn_comm *comm;
    int64_t rows;
    int64_t tiles;   /* of a granule: a power of two */
    int blocks;      /* aligned blocks of granules that suffice for any adjacent ranks */
    int64_t start[]; /* first row of each rank, followed by the number of rows */
};

static inline int64_t stn_partition_first(const stn_partition *p)
{
    return p->start[stn_comm_rank(p->comm)];
}

static inline int64_t stn_partition_count(const stn_partition *p)
{
    const int rank = stn_comm_rank(p->comm);
    return p->start[rank + 1] - p->start[rank];
}

/* The rank that has a row. */
int stn_partition_owner(const stn_partition *p, int64_t row);

/* `width` sums of the local rows first, ..., first + count - 1, which begin an aligned block of
 * tiles. */
typedef stn_status stn_block_sums(void *context, int64_t first, int64_t count, double *sums);

/* Sums over the rows of all ranks, within a collective call. Sums are computed once per aligned
 * block of this rank. */
stn_status stn_partition_sum(const stn_partition *p, stn_format arithmetic, int64_t width,
                             stn_block_sums *of, void *context, double *sums);

/* The same for a dot product and a norm of local views; `p` may be NULL. Real views have `parts`
 * elements for each row: 2 if they are the parts of complex numbers. */
stn_status stn_partition_dot(const stn_partition *p, const stn_exec *exec, stn_format arithmetic,
                             int parts, double *result, const stn_view *x, const stn_view *y);
stn_status stn_partition_nrm2(const stn_partition *p, const stn_exec *exec, stn_format arithmetic,
                              int parts, double *result, const stn_view *x);

/* x^H y of complex views. */
stn_status stn_partition_dotc(const stn_partition *p, const stn_exec *exec, stn_format arithmetic,
                              stn_c128 *result, const stn_view *x, const stn_view *y);

/* Waits until all ranks call the function; an error if one of them fails before. */
stn_status stn_partition_agree(const stn_partition *p);

/* Sum of integers; largest number, or NaN if one is NaN. */
stn_status stn_partition_count_all(const stn_partition *p, int64_t *count);
stn_status stn_partition_max(const stn_partition *p, double *number);

#endif
