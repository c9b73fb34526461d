/* Communicators: exchanges of messages, and failures of single ranks. */
#include "distribute/comm.h"

#include <stdio.h>
#include <string.h>

#include "core/failures.h"
#include "core/grow.h"
#include "core/memory.h"

enum { MESSAGE_BYTES = 240, DEFAULT_BYTES = 1 << 30 };

/* Failure of a rank, as exchanged between ranks. */
typedef struct failure {
    int32_t status, rank;
    char message[MESSAGE_BYTES];
} failure;

struct stn_comm {
    stn_comm_functions functions;
    int depth;                /* of nested collective calls */
    int is_revoked;           /* a rank failed: exchanges fail until the outermost call ends */
    int is_revoking;          /* ranks exchange the failure */
    failure failed;           /* of that rank */
    stn_comm_message *pieces; /* of the exchange in progress */
    stn_comm_info traffic;
};

stn_status stn_comm_create(stn_comm **comm, const stn_comm_functions *functions)
{
    stn_comm_functions table;
    if (!comm)
        return stn_fail(STN_ERR_ARGUMENT, "stn_comm_create: comm is NULL");
    *comm = NULL;
    STN_TRY(STN_STRUCT_READ(&table, functions, stn_comm_functions, release,
                            "stn_comm_create: functions"));
    if (!table.exchange || !table.wait || !table.revoke)
        return stn_fail(STN_ERR_ARGUMENT, "stn_comm_create: %s is NULL",
                        !table.exchange ? "exchange"
                        : !table.wait   ? "wait"
                                        : "revoke");
    if (table.ranks < 1 || table.rank < 0 || table.rank >= table.ranks)
        return stn_fail(STN_ERR_RANGE, "stn_comm_create: rank %d is out of range (0 to %d)",
                        table.rank, table.ranks - 1);
    if (table.max_message_bytes < 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_comm_create: max_message_bytes is %lld; it must be at least 0",
                        (long long)table.max_message_bytes);
    if (table.max_message_bytes == 0)
        table.max_message_bytes = DEFAULT_BYTES;
    STN_TRY(stn_allocate(comm, 1, sizeof **comm, "a communicator"));
    memset(*comm, 0, sizeof **comm);
    (*comm)->functions = table;
    return STN_OK;
}

void stn_comm_release(stn_comm *comm)
{
    if (!comm)
        return;
    if (comm->functions.release)
        comm->functions.release(comm->functions.context);
    stn_free(comm->pieces);
    stn_free(comm);
}

int stn_comm_rank(const stn_comm *comm)
{
    return comm ? comm->functions.rank : 0;
}

int stn_comm_ranks(const stn_comm *comm)
{
    return comm ? comm->functions.ranks : 1;
}

stn_status stn_comm_describe(const stn_comm *comm, stn_comm_info *info)
{
    STN_TRY(STN_STRUCT_CHECK(info, stn_comm_info, bytes, "stn_comm_describe: info"));
    if (!comm)
        return stn_fail(STN_ERR_ARGUMENT, "stn_comm_describe: comm is NULL");
    STN_STRUCT_WRITE(info, &comm->traffic, stn_comm_info);
    return STN_OK;
}

/* ---- failures ---- */

static stn_status merge_failures(void *context, void *left, const void *right)
{
    (void)context;
    if (((const failure *)left)->status == STN_OK)
        memcpy(left, right, sizeof(failure));
    return STN_OK;
}

static stn_status report(const stn_comm *comm)
{
    const failure *const failed = &comm->failed;
    if (failed->status == STN_OK) /* the failure could not be exchanged */
        return stn_fail(STN_ERR_IO, "another rank failed");
    return stn_fail((stn_status)failed->status, "rank %d: %s", (int)failed->rank, failed->message);
}

static stn_status merge_nothing(void *context, void *left, const void *right)
{
    (void)context, (void)left, (void)right;
    return STN_OK;
}

/* Waits until all ranks call the function. */
static stn_status meet(stn_comm *comm)
{
    char byte = 0;
    return stn_comm_reduce(comm, &byte, sizeof byte, merge_nothing, NULL);
}

static stn_status cancel(stn_comm *comm)
{
    const stn_status status = comm->functions.revoke(comm->functions.context);
    stn_free(comm->pieces);
    comm->pieces = NULL;
    return status;
}

/* Cancels the exchange in progress on all ranks; then all ranks receive the failure of the lowest
 * failed rank. `status` is STN_OK on a rank that has not failed; the others return it.
 *
 * All ranks leave together, so that none mistakes the next failure for this one. A rank cancels the
 * second time after all ranks have received the failure, or because a function of the communicator
 * failed again, while the others wait. */
static stn_status revoke(stn_comm *comm, stn_status status)
{
    failure mine = {(int32_t)status, comm->functions.rank, ""};
    if (status != STN_OK)
        (void)snprintf(mine.message, sizeof mine.message, "%s", stn_error());
    failure all = comm->failed = mine;
    comm->is_revoking = 1;
    if (cancel(comm) == STN_OK &&
        stn_comm_reduce(comm, &all, sizeof all, merge_failures, NULL) == STN_OK) {
        comm->failed = all;
        (void)meet(comm);
    }
    (void)cancel(comm);
    comm->is_revoking = 0;
    comm->is_revoked = 1;
    return status == STN_OK ? report(comm) : stn_fail(status, "%s", mine.message);
}

void stn_comm_begin(stn_comm *comm)
{
    comm->depth++;
}

stn_status stn_comm_end(stn_comm *comm, stn_status status, stn_comm_ending ending)
{
    if (comm->depth > 1) {
        comm->depth--;
        return status;
    }
    int has_failed =
        status != STN_OK && !(ending == STN_COMM_ENDS_SOLVE && status == STN_ERR_CONVERGENCE);
    if (has_failed && !comm->is_revoked)
        status = revoke(comm, status);
    else if (!comm->is_revoked && ending != STN_COMM_ENDS_ALONE) {
        const stn_status met = meet(comm);
        has_failed = met != STN_OK;
        status = has_failed ? met : status;
    }
    if (comm->is_revoked && !has_failed)
        status = report(comm);
    comm->is_revoked = 0;
    comm->depth = 0;
    return status;
}

stn_status stn_comm_agree(stn_comm *comm, stn_status status)
{
    if (!comm)
        return status;
    stn_comm_begin(comm);
    return stn_comm_end(comm, status, STN_COMM_ENDS_TOGETHER);
}

/* ---- exchanges ---- */

/* Functions of a program return statuses without a message. The exchange is canceled before the
 * caller releases the memory of its messages. */
static stn_status end_call(stn_comm *comm, stn_status status, const char *function, uint64_t before)
{
    if (status == STN_OK)
        return STN_OK;
    if (stn_failures() == before)
        (void)stn_fail(status, "the function %s of the communicator returned status %d (%s)",
                       function, (int)status, stn_status_name(status));
    return comm->is_revoking ? status : revoke(comm, status);
}

static int64_t count_pieces(const stn_comm *comm, int count, const stn_comm_message *messages)
{
    const int64_t max = comm->functions.max_message_bytes;
    int64_t pieces = 0;
    for (int k = 0; k < count; k++)
        pieces += messages[k].bytes / max + (messages[k].bytes % max != 0);
    return pieces;
}

static int split(const stn_comm *comm, int count, const stn_comm_message *messages,
                 stn_comm_message *pieces)
{
    int made = 0;
    for (int k = 0; k < count; k++) {
        const stn_comm_message *const whole = &messages[k];
        for (int64_t at = 0; at < whole->bytes; made++) {
            const int64_t left = whole->bytes - at, max = comm->functions.max_message_bytes;
            const int64_t bytes = left < max ? left : max;
            pieces[made] = (stn_comm_message){whole->rank, bytes, (char *)whole->data + at};
            at += bytes;
        }
    }
    return made;
}

stn_status stn_comm_exchange(stn_comm *comm, int send_count, const stn_comm_message *sends,
                             int receive_count, const stn_comm_message *receives)
{
    const stn_comm_functions *const table = &comm->functions;
    const uint64_t before = stn_failures();
    if (comm->is_revoked)
        return report(comm);
    const int64_t out = count_pieces(comm, send_count, sends);
    const int64_t in = count_pieces(comm, receive_count, receives);
    comm->traffic.exchanges += out + in > 0;
    comm->traffic.messages += out;
    for (int k = 0; k < send_count; k++)
        comm->traffic.bytes += sends[k].bytes;
    if (out > INT32_MAX || in > INT32_MAX)
        return stn_fail(STN_ERR_RANGE, "an exchange has more than 2^31 - 1 messages");
    if (out != send_count || in != receive_count) {
        STN_TRY(stn_allocate(&comm->pieces, out + in, sizeof *comm->pieces, "parts of messages"));
        (void)split(comm, send_count, sends, comm->pieces);
        (void)split(comm, receive_count, receives, comm->pieces + out);
        sends = comm->pieces;
        receives = comm->pieces + out;
    }
    return end_call(comm, table->exchange(table->context, (int)out, sends, (int)in, receives),
                    "exchange", before);
}

stn_status stn_comm_wait(stn_comm *comm)
{
    const uint64_t before = stn_failures();
    int is_revoked = 0;
    if (comm->is_revoked)
        return report(comm);
    stn_status status = comm->functions.wait(comm->functions.context, &is_revoked);
    if (status == STN_OK && is_revoked)
        return comm->is_revoking ? report(comm) : revoke(comm, STN_OK);
    status = end_call(comm, status, "wait", before);
    stn_free(comm->pieces);
    comm->pieces = NULL;
    return status;
}
