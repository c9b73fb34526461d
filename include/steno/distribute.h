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
#include "steno/complex.h"
#include "steno/exec.h"
#include "steno/sparse.h"
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

/** Divides rows evenly: the first row of each rank is a multiple of `granule`. Collective.
 *
 * Solves with STN_ORTHOGONALIZATION_SKETCHED need a granule of at least the number of rows of their
 * sketches. Large granules lead to uneven parts: ranks differ by up to a granule.
 * @param[out] partition  partition, to be released with stn_partition_release(); NULL on error
 * @param comm            communicator, which must live as long as the partition
 * @param rows            number of rows of all ranks, the same on every rank
 * @param granule         power of two of at least 128, the same on every rank
 * @retval STN_ERR_ARGUMENT  comm or partition is NULL, or the granule is invalid
 * @retval STN_ERR_SHAPE     rows is negative, or rows or granule differs between ranks
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_partition_create_aligned(stn_partition **partition, stn_comm *comm,
                                                int64_t rows, int64_t granule);

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

/** Releases `partition` after all objects that refer to it. NULL is a no-op. */
STN_API void stn_partition_release(stn_partition *partition);

/** Reports the rows of `partition` in `info`, whose `size` must be set.
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

/** Product x^H y of two distributed complex vectors, with the bits of stn_dotc(). Collective.
 *
 * The parameters and errors are those of stn_distributed_dot(); `arithmetic` is STN_C128 or
 * STN_C64. */
STN_API stn_status stn_distributed_dotc(const stn_exec *exec, stn_format arithmetic,
                                        stn_c128 *result, const stn_partition *partition,
                                        const stn_view *x, const stn_view *y);

/** Norm of a distributed vector, as stn_nrm2() computes it, with the errors of
 * stn_distributed_dot(). Collective.
 *
 * In complex arithmetic, the messages have about 15 KB.
 * @param exec         executor
 * @param arithmetic   STN_F64 or STN_F32; STN_C128 or STN_C64 for complex numbers
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

/* ---- matrices ---- */

/** Square sparse matrix whose rows are distributed.
 *
 * Rows with entries in columns of other ranks are the boundary; the others are the interior. A
 * product sends the elements of x that other ranks need, multiplies the interior, waits for the
 * elements of other ranks and multiplies the boundary. The entries of each row keep their order, so
 * that the product has the bits of stn_spmv(). */
typedef struct stn_distributed_matrix stn_distributed_matrix;

/** Options of a distributed matrix. The default of each member is 0. Initialize the struct with
 * STN_DISTRIBUTED_OPTIONS_INIT. */
typedef struct stn_distributed_options {
    size_t size; /**< size of this struct */
    /** Kind of the interior, as in stn_sparse_convert(). STN_MATRIX_AUTO selects a kind. The
     * boundary has the kind STN_MATRIX_CSR. */
    stn_matrix_kind kind;
    /** Format in which elements of x are sent, or 0 (f64). It applies if it is narrower than the
     * format of x; otherwise codes are sent unchanged. The product then depends on the partition,
     * because elements are rounded if they are sent. Values out of the range of the format become
     * infinite or its largest value. The format is complex if and only if x is complex. */
    stn_format exchange_format;
    /** Storage of the values, to which they are converted, in a format without blocks; NULL:
     * unchanged. */
    const stn_storage *storage;
} stn_distributed_options;
/** Initializer of stn_distributed_options. */
#define STN_DISTRIBUTED_OPTIONS_INIT STN_INIT(stn_distributed_options)

/** Properties of a distributed matrix on this rank. */
typedef struct stn_distributed_info {
    size_t size;           /**< size of this struct */
    int64_t rows;          /**< rows of this rank */
    int64_t boundary_rows; /**< rows with entries in columns of other ranks */
    int64_t entries;       /**< entries of this rank */
    int64_t ghosts;        /**< elements of x that a product receives */
    int64_t sent;          /**< elements of x that a product sends */
    int64_t receives;      /**< messages that a product receives */
    int64_t sends;         /**< messages that a product sends */
    int64_t bytes;         /**< size of the matrix and its buffers */
} stn_distributed_info;
/** Initializer of stn_distributed_info. */
#define STN_DISTRIBUTED_INFO_INIT STN_INIT(stn_distributed_info)

/** Creates a distributed matrix from the rows of each rank. Collective.
 *
 * The arrays are copied. Each rank sends one message to every other rank.
 * @param exec        executor of the conversion, on the host
 * @param[out] made   matrix, to be released with stn_distributed_matrix_release(); NULL on error
 * @param partition   partition of the rows and columns, which must live as long as the matrix
 * @param rows        rows of this rank: compressed rows with columns of the whole matrix; `rows` is
 *                    the number of rows of this rank, `columns` that of all ranks, which may exceed
 *                    2^31
 * @param options     options, the same on all ranks except `storage`; NULL selects the defaults
 * @retval STN_ERR_ARGUMENT     an argument is NULL or the size of a struct is invalid
 * @retval STN_ERR_SHAPE        rows or columns do not match the partition
 * @retval STN_ERR_FORMAT       indices that are not STN_I32 or STN_I64, or a format that is invalid
 *                              or has blocks
 * @retval STN_ERR_RANGE        an invalid row start or column
 * @retval STN_ERR_UNSUPPORTED  more than 2^31 - 1 columns are referenced on a rank
 * @retval STN_ERR_MEMORY       out of memory
 * @return other errors of stn_sparse_convert() */
STN_API stn_status stn_distributed_matrix_create(const stn_exec *exec,
                                                 stn_distributed_matrix **made,
                                                 const stn_partition *partition,
                                                 const stn_csr_arrays *rows,
                                                 const stn_distributed_options *options);

/** Releases the matrix `a`. NULL is a no-op. */
STN_API void stn_distributed_matrix_release(stn_distributed_matrix *a);

/** Reports the properties of the matrix `a` in `info`, whose `size` must be set.
 * @retval STN_ERR_ARGUMENT  an argument is NULL or the size is invalid */
STN_API stn_status stn_distributed_matrix_describe(const stn_distributed_matrix *a,
                                                   stn_distributed_info *info);

/** Computes y = alpha A x + beta y for distributed vectors. Collective among neighbors.
 *
 * The codes of elements of x are sent unchanged, in the format of x.
 * @param exec, arithmetic  executor on the host; STN_F64 or STN_F32, or STN_C128 or STN_C64 for
 *                          complex x and y
 * @param alpha             factor of the product
 * @param a                 matrix
 * @param x                 rows of this rank: rank 1, contiguous, in host memory, with at most one
 *                          scale, which is the same on all ranks
 * @param beta              factor of y; if it is 0, y is not read
 * @param[in,out] y         rows of this rank; the same rules apply
 * @retval STN_ERR_ARGUMENT     an argument is NULL
 * @retval STN_ERR_SHAPE        a view does not have the rows of this rank
 * @retval STN_ERR_FORMAT       exchange_format is complex and x is real, or vice versa
 * @retval STN_ERR_UNSUPPORTED  a view that is not contiguous, has several scales or is in device
 *                              memory
 * @return other errors of stn_spmv() */
STN_API stn_status stn_distributed_spmv(const stn_exec *exec, stn_format arithmetic, double alpha,
                                        const stn_distributed_matrix *a, const stn_view *x,
                                        double beta, const stn_view *y);

/** Creates the matrix of the rows and columns of this rank, for preconditioners. Not collective.
 *
 * Entries in columns of other ranks are dropped. Block-Jacobi with `partition` in its options and
 * blocks that do not cross multiples of 128 rows, such as Jacobi, has the same bits for every
 * partition, and so have solves. An incomplete factorization depends on the partition.
 * @param exec       executor of the conversion
 * @param[out] made  matrix, to be released with stn_matrix_release(); NULL on error
 * @param partition  partition
 * @param rows       rows of this rank, as for stn_distributed_matrix_create()
 * @return errors of stn_distributed_matrix_create() */
STN_API stn_status stn_distributed_local_matrix(const stn_exec *exec, stn_matrix **made,
                                                const stn_partition *partition,
                                                const stn_csr_arrays *rows);

STN_END_DECLS

#endif
