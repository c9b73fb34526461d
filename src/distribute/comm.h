/* Communicators inside the library: collective calls, and exchanges of bytes. */
#ifndef STENO_DISTRIBUTE_COMM_H
#define STENO_DISTRIBUTE_COMM_H

#include "core/status.h"
#include "steno/comm.h"

typedef enum stn_comm_ending {
    STN_COMM_ENDS_ALONE,    /* STN_OK: this rank succeeded */
    STN_COMM_ENDS_TOGETHER, /* STN_OK: all ranks succeeded */
    STN_COMM_ENDS_SOLVE     /* the same; STN_ERR_CONVERGENCE, which all ranks have, is no failure */
} stn_comm_ending;

/* A collective call begins with stn_comm_begin and ends with stn_comm_end, whose result it returns.
 * Calls may be nested: only the outermost one notifies other ranks of a failure, which is passed as
 * its status. */
void stn_comm_begin(stn_comm *comm);
stn_status stn_comm_end(stn_comm *comm, stn_status status, stn_comm_ending ending);

/* Starts and completes an exchange, within a collective call. Messages of 0 bytes are skipped. The
 * arrays must be valid until stn_comm_wait. */
stn_status stn_comm_exchange(stn_comm *comm, int send_count, const stn_comm_message *sends,
                             int receive_count, const stn_comm_message *receives);
stn_status stn_comm_wait(stn_comm *comm);

/* The collective functions, within a collective call. Data of up to STN_COMM_SHORT bytes need no
 * memory. */
enum { STN_COMM_SHORT = 2048 };
stn_status stn_comm_gather(stn_comm *comm, void *all, const void *mine, int64_t bytes);
stn_status stn_comm_swap_all(stn_comm *comm, void *received, const int64_t *receive_counts,
                             const void *sent, const int64_t *send_counts, int64_t bytes);
stn_status stn_comm_reduce(stn_comm *comm, void *data, int64_t bytes, stn_comm_merge merge,
                           void *merge_context);

#endif
