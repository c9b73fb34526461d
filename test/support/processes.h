/* Ranks of a communicator as threads of the test. */
#ifndef STENO_TEST_PROCESSES_H
#define STENO_TEST_PROCESSES_H

#include <stdint.h>

#include "steno/comm.h"

enum { MAX_RANKS = 16 };

/* What a rank did: the checks of cmocka work in the first thread only. */
typedef struct rank_result {
    stn_status status;
    char message[512];       /* of a status other than STN_OK */
    int64_t messages, bytes; /* sent */
} rank_result;

typedef stn_status rank_body(stn_comm *comm, void *context);

typedef enum comm_function { COMM_EXCHANGE, COMM_WAIT } comm_function;

/* In the next run_ranks, calls nth, ..., nth + count - 1 of a function of the communicator fail on
 * a rank. */
void fail_comm_calls(int rank, comm_function function, int64_t nth, int64_t count);

/* Runs the body on each rank and waits for all. `max_message_bytes` may be 0. */
void run_ranks(int ranks, int64_t max_message_bytes, rank_body *body, void *context,
               rank_result *results);

/* All ranks succeeded; otherwise the test fails. */
void run_ranks_ok(int ranks, rank_body *body, void *context);

#endif
