/** @file
 * Distributed vectors and matrices: each rank of a communicator (steno/comm.h) has adjacent rows.
 *
 * A distributed vector is the ordinary view that each rank has of its rows. Sums are combined in
 * the order of doc/order.md: dot products, norms and solves have the same bits for every number of
 * ranks, including one, and without a communicator. Therefore the first row of each rank is a
 * multiple of 128.
 *
 * All functions whose description begins with "Collective" follow the rules of steno/comm.h.
 */
#ifndef STENO_DISTRIBUTE_H
#define STENO_DISTRIBUTE_H

#include "steno/detail/macro_check.h"
#include "steno/comm.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

struct stn_partial; /* steno/reduce.h */

/* ---- partitions ---- */

/** Rows of all ranks of a communicator. */
typedef struct stn_partition stn_partition;

/** Rows of a partition. */
typedef struct stn_partition_info {
    size_t size;   /**< size of this struct */
    int64_t rows;  /**< number of rows of all ranks */
    int64_t first; /**< first row of this rank */
    int64_t count; /**< number of rows of this rank */
    /** The first row of every rank is a multiple of this number: 128 times a power of two. The
     * larger it is, the fewer bytes do reductions exchange. */
    int64_t granule;
    stn_comm *comm; /**< communicator */
} stn_partition_info;
/** Initializer of stn_partition_info. */
#define STN_PARTITION_INFO_INIT STN_INIT(stn_partition_info)

/** Divides rows evenly. Collective.
 *
 * If there are fewer blocks of 128 rows than ranks, some ranks have no rows.
 * @param[out] partition  partition, to be released with stn_partition_release(); NULL on error
 * @param comm            communicator, which must live as long as the partition
 * @param rows            number of rows of all ranks, the same on every rank
 * @retval STN_ERR_ARGUMENT  an argument is NULL
 * @retval STN_ERR_SHAPE     rows is negative or differs between ranks
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_partition_create(stn_partition **partition, stn_comm *comm, int64_t rows);

/** Creates a partition from the number of rows of each rank. Collective.
 * @param[out] partition  partition, to be released with stn_partition_release(); NULL on error
 * @param comm            communicator, which must live as long as the partition
 * @param count           number of rows of this rank: a multiple of 128, unless all ranks that
 *                        follow have no rows
 * @retval STN_ERR_ARGUMENT  an argument is NULL
 * @retval STN_ERR_SHAPE     a number of rows is negative or no multiple of 128
 * @retval STN_ERR_RANGE     more than 2^63 - 1 rows
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_partition_create_local(stn_partition **partition, stn_comm *comm,
                                              int64_t count);

/** Releases a partition after all objects that refer to it. NULL is a no-op. */
STN_API void stn_partition_release(stn_partition *partition);

/** Reports the rows of a partition in `info`, whose `size` must be set.
 * @retval STN_ERR_ARGUMENT  an argument is NULL or the size is invalid */
STN_API stn_status stn_partition_describe(const stn_partition *partition, stn_partition_info *info);

/* ---- reductions ---- */

/** Dot product of two distributed vectors. Collective.
 *
 * The result has the bits of stn_dot() for the whole vectors.
 * @param exec        executor
 * @param arithmetic  STN_F64 or STN_F32
 * @param[out] result the same on every rank
 * @param partition   partition
 * @param x, y        rows of this rank: rank 1, any format, scale and layout
 * @retval STN_ERR_ARGUMENT     an argument is NULL
 * @retval STN_ERR_SHAPE        a view does not have the rows of this rank
 * @retval STN_ERR_UNSUPPORTED  another arithmetic type
 * @return other errors of stn_dot() */
STN_API stn_status stn_distributed_dot(const stn_exec *exec, stn_format arithmetic, double *result,
                                       const stn_partition *partition, const stn_view *x,
                                       const stn_view *y);

/** Norm of a distributed vector, as stn_nrm2() computes it, with the errors of
 * stn_distributed_dot(). Collective.
 * @param exec         executor
 * @param arithmetic   STN_F64 or STN_F32
 * @param[out] result  the same on every rank
 * @param partition    partition
 * @param x            rows of this rank */
STN_API stn_status stn_distributed_nrm2(const stn_exec *exec, stn_format arithmetic, double *result,
                                        const stn_partition *partition, const stn_view *x);

/** Merges parts of any reduction (steno/reduce.h), in the order of the ranks. Collective.
 *
 * A part is created by the function _reduce_part of the reduction, whose argument `first` is the
 * first element of this rank; the first row of the partition if elements are rows. Then `part` has
 * all elements on every rank, and _reduce_finish returns the result of the whole. The first element
 * may be any number. A part has about 15 KB.
 *
 * @code
 * status = total_reduce_part(exec, STN_F64, info.first, &part, &x);
 * status = stn_distributed_merge(comm, &part, total_reduce_merge);
 * status = total_reduce_finish(&part, &total);
 * @endcode
 *
 * @param comm          communicator
 * @param[in,out] part  part of this rank; receives the merged part
 * @param merge         function _reduce_merge of the reduction
 * @retval STN_ERR_ARGUMENT  an argument is NULL
 * @return other errors of `merge` */
STN_API stn_status stn_distributed_merge(stn_comm *comm, struct stn_partial *part,
                                         stn_status (*merge)(struct stn_partial *left,
                                                             const struct stn_partial *right));

STN_END_DECLS

#endif
