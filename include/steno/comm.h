/** @file
 * Communication between the processes ("ranks") of a distributed computation.
 *
 * libsteno does not depend on MPI. It exchanges bytes through a table of functions, from which a
 * program creates a communicator. libsteno_mpi implements the table with MPI (steno/mpi.h).
 *
 * ## Collective functions
 *
 * All ranks of a communicator must call the collective functions in the same order. If such a
 * function fails on one rank, it fails on all of them: the failing rank notifies the others, which
 * stop waiting for it and return its status with a message that names the rank. Afterward the
 * communicator can be used again. Ranks that have already returned, because they do not need data
 * of the failing rank, report the error in their next collective call, and the failing rank waits
 * for that. Therefore a rank calls no other collective function of a sequence after the first one
 * that fails, stn_comm_agree() included.
 *
 * A communicator may be used by one thread at a time.
 */
#ifndef STENO_COMM_H
#define STENO_COMM_H

#include "steno/detail/macro_check.h"
#include "steno/status.h"

STN_BEGIN_DECLS

/** Bytes that are sent to a rank or received from it. */
typedef struct stn_comm_message {
    int rank;      /**< rank of the other process */
    int64_t bytes; /**< number of bytes; both ranks must specify the same */
    void *data;    /**< bytes to send, or memory for the received ones */
} stn_comm_message;

/** Functions of a communicator. Messages between two ranks arrive in the order in which they are
 * sent. At most one exchange is in progress. */
typedef struct stn_comm_functions {
    size_t size;   /**< sizeof(stn_comm_functions) */
    void *context; /**< first argument of the functions */
    int rank;      /**< rank of this process, 0 to ranks - 1 */
    int ranks;     /**< number of ranks, at least 1 */
    /** Maximum number of bytes of a message. Longer messages are split. 0 selects 2^30. */
    int64_t max_message_bytes;
    /** Starts to send and receive messages. No message has 0 bytes or is sent to this rank. The
     * arrays and the data stay valid until `wait` returns. */
    stn_status (*exchange)(void *context, int send_count, const stn_comm_message *sends,
                           int receive_count, const stn_comm_message *receives);
    /** Waits for the end of the exchange. If another rank calls `revoke`, `wait` sets *is_revoked
     * to 1 and returns STN_OK, and the exchange remains in progress. If `exchange` or `wait` fails,
     * `revoke` is called next. */
    stn_status (*wait)(void *context, int *is_revoked);
    /** Cancels the exchange in progress, if any, on all ranks, and discards its messages. Called
     * twice on every rank for a failure: first by a rank that failed, then by each rank whose
     * `wait` set *is_revoked; and by all ranks after they have exchanged the failure. Returns when
     * all ranks have called it. */
    stn_status (*revoke)(void *context);
    /** Called by stn_comm_release(), or NULL. */
    void (*release)(void *context);
} stn_comm_functions;
/** Initializer of stn_comm_functions. */
#define STN_COMM_FUNCTIONS_INIT STN_INIT(stn_comm_functions)

/** Communicator. */
typedef struct stn_comm stn_comm;

/** Creates a communicator from a table of functions, which is copied. Not collective.
 * @param[out] comm  communicator, to be released with stn_comm_release(); NULL on error
 * @param functions  table
 * @retval STN_ERR_ARGUMENT  an argument is NULL, the size of the table is invalid, a function other
 *                           than `release` is missing, or max_message_bytes is negative
 * @retval STN_ERR_RANGE     the rank is not in the range 0 to ranks - 1
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_comm_create(stn_comm **comm, const stn_comm_functions *functions);

/** Releases `comm` after all objects that refer to it. NULL is a no-op. */
STN_API void stn_comm_release(stn_comm *comm);

/** Returns the rank of this process; 0 if `comm` is NULL. */
STN_API int stn_comm_rank(const stn_comm *comm);

/** Returns the number of ranks; 1 if `comm` is NULL. */
STN_API int stn_comm_ranks(const stn_comm *comm);

/** Traffic of a communicator since it was created, on this rank. */
typedef struct stn_comm_info {
    size_t size;       /**< size of this struct */
    int64_t exchanges; /**< exchanges in which this rank sent or received messages */
    int64_t messages;  /**< messages sent */
    int64_t bytes;     /**< bytes sent */
} stn_comm_info;
/** Initializer of stn_comm_info. */
#define STN_COMM_INFO_INIT STN_INIT(stn_comm_info)

/** Reports the traffic of `comm` in `info`, whose `size` must be set. Not collective.
 * @retval STN_ERR_ARGUMENT  an argument is NULL or the size is invalid */
STN_API stn_status stn_comm_describe(const stn_comm *comm, stn_comm_info *info);

/** Collective: returns STN_OK if `status` is STN_OK on every rank of `comm`. Otherwise each rank
 * with another status returns it, and the other ranks return that of the lowest such rank.
 *
 * Programs call the function after work that may fail on one rank, so that all ranks stop. */
STN_API stn_status stn_comm_agree(stn_comm *comm, stn_status status);

/** Collective: gathers `bytes` bytes of each rank.
 * @param comm      communicator
 * @param[out] all  ranks * bytes bytes, in the order of the ranks
 * @param mine      bytes of this rank, disjoint from `all`
 * @param bytes     number of bytes, the same on every rank
 * @retval STN_ERR_ARGUMENT  an argument is NULL or bytes is negative
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_comm_allgather(stn_comm *comm, void *all, const void *mine, int64_t bytes);

/** Collective: sends elements to each rank, and receives elements from each.
 * @param comm            communicator
 * @param[out] received   elements in the order of the sending ranks
 * @param receive_counts  one number of elements per rank: the number that the rank sends
 * @param sent            elements in the order of the receiving ranks, disjoint from `received`
 * @param send_counts     one number of elements per rank
 * @param bytes           size of an element, the same on every rank
 * @retval STN_ERR_ARGUMENT  an argument is NULL, or bytes or a number of elements is negative
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_comm_alltoall(stn_comm *comm, void *received, const int64_t *receive_counts,
                                     const void *sent, const int64_t *send_counts, int64_t bytes);

/** Function that merges the data of adjacent groups of ranks.
 * @param context       context of the call
 * @param[in,out] left  data of the lower ranks; receives the merged data
 * @param right         data of the ranks that follow
 * @return STN_OK; any other status fails the call on all ranks */
typedef stn_status (*stn_comm_merge)(void *context, void *left, const void *right);

/** Collective: merges the data of all ranks in the order of the ranks.
 *
 * Only adjacent groups are merged, so that `merge` need not be commutative. It must be associative:
 * then the result has the same bits on every rank. Takes at most ceil(log2(ranks)) + 1 rounds.
 * @param comm           communicator
 * @param[in,out] data   data of this rank; receives the result
 * @param bytes          number of bytes, the same on every rank
 * @param merge          merges two groups
 * @param merge_context  first argument of `merge`
 * @retval STN_ERR_ARGUMENT  an argument is NULL or bytes is negative
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_comm_allreduce(stn_comm *comm, void *data, int64_t bytes,
                                      stn_comm_merge merge, void *merge_context);

STN_END_DECLS

#endif
