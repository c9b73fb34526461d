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

/* Cancels the exchange in progress on all ranks; then all ranks receive the failure of the lowest
 * failed rank. `status` is STN_OK on a rank that has not failed. */
static void revoke(stn_comm *comm, stn_status status)
{
    failure one = {(int32_t)status, comm->functions.rank, ""};
    if (status != STN_OK)
        (void)snprintf(one.message, sizeof one.message, "%s", stn_error());
    comm->failed = one;
    const stn_status revoked = comm->functions.revoke(comm->functions.context);
    stn_free(comm->pieces);
    comm->pieces = NULL;
    if (revoked == STN_OK &&
        stn_comm_reduce(comm, &one, sizeof one, merge_failures, NULL) == STN_OK)
        comm->failed = one;
    comm->is_revoked = 1;
}

void stn_comm_begin(stn_comm *comm)
{
    comm->depth++;
}

static stn_status merge_nothing(void *context, void *left, const void *right)
{
    (void)context, (void)left, (void)right;
    return STN_OK;
}

stn_status stn_comm_end(stn_comm *comm, stn_status status, stn_comm_ending ending)
{
    char byte = 0;
    if (comm->depth > 1) {
        comm->depth--;
        return status;
    }
    const int has_failed =
        status != STN_OK && !(ending == STN_COMM_ENDS_SOLVE && status == STN_ERR_CONVERGENCE);
    char message[MESSAGE_BYTES];
    if (has_failed)
        (void)snprintf(message, sizeof message, "%s", stn_error());
    if (has_failed && !comm->is_revoked)
        revoke(comm, status);
    else if (!comm->is_revoked && ending != STN_COMM_ENDS_ALONE)
        (void)stn_comm_reduce(comm, &byte, sizeof byte, merge_nothing, NULL);
    const int is_revoked = comm->is_revoked;
    comm->is_revoked = 0;
    comm->depth = 0;
    if (has_failed)
        return strcmp(message, stn_error()) == 0 ? status : stn_fail(status, "%s", message);
    return is_revoked ? report(comm) : status;
}

stn_status stn_comm_agree(stn_comm *comm, stn_status status)
{
    if (!comm)
        return status;
    stn_comm_begin(comm);
    return stn_comm_end(comm, status, STN_COMM_ENDS_TOGETHER);
}

/* ---- exchanges ---- */

/* Functions of a program return statuses without a message. */
static stn_status name_failure(stn_status status, const char *function, uint64_t before)
{
    if (status == STN_OK || stn_failures() != before)
        return status;
    return stn_fail(status, "the function %s of the communicator returned status %d (%s)", function,
                    (int)status, stn_status_name(status));
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
    if (out == send_count && in == receive_count)
        return name_failure(
            table->exchange(table->context, send_count, sends, receive_count, receives), "exchange",
            before);
    if (out > INT32_MAX || in > INT32_MAX)
        return stn_fail(STN_ERR_RANGE, "an exchange has more than 2^31 - 1 messages");
    STN_TRY(stn_allocate(&comm->pieces, out + in, sizeof *comm->pieces, "parts of messages"));
    (void)split(comm, send_count, sends, comm->pieces);
    (void)split(comm, receive_count, receives, comm->pieces + out);
    return name_failure(
        table->exchange(table->context, (int)out, comm->pieces, (int)in, comm->pieces + out),
        "exchange", before);
}

stn_status stn_comm_wait(stn_comm *comm)
{
    const uint64_t before = stn_failures();
    int is_revoked = 0;
    if (comm->is_revoked)
        return report(comm);
    const stn_status status =
        name_failure(comm->functions.wait(comm->functions.context, &is_revoked), "wait", before);
    if (status == STN_OK && is_revoked)
        revoke(comm, STN_OK);
    stn_free(comm->pieces);
    comm->pieces = NULL;
    return status == STN_OK && is_revoked ? report(comm) : status;
}
