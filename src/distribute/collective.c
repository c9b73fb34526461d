/* Collective functions over exchanges. */
#include <string.h>

#include "core/memory.h"
#include "distribute/comm.h"

static stn_status swap(stn_comm *comm, int to, void *sent, int64_t send_bytes, int from,
                       void *received, int64_t receive_bytes)
{
    const stn_comm_message out = {to, send_bytes, sent}, in = {from, receive_bytes, received};
    STN_TRY(stn_comm_exchange(comm, send_bytes > 0, &out, receive_bytes > 0, &in));
    return stn_comm_wait(comm);
}

/* ---- all ranks receive all data: J. Bruck and others, IEEE Trans. Parallel Distrib. Syst. 8
 * (1997) ---- */

/* parts[k] is that of rank `rank + k`; `have` of them are known. */
static stn_status gather_rotated(stn_comm *comm, char *parts, int64_t bytes)
{
    const int rank = stn_comm_rank(comm), ranks = stn_comm_ranks(comm);
    for (int have = 1; have < ranks;) {
        const int more = have < ranks - have ? have : ranks - have;
        STN_TRY(swap(comm, (rank - have + ranks) % ranks, parts, more * bytes,
                     (rank + have) % ranks, parts + have * bytes, more * bytes));
        have += more;
    }
    return STN_OK;
}

stn_status stn_comm_gather(stn_comm *comm, void *all, const void *mine, int64_t bytes)
{
    const int64_t rank = stn_comm_rank(comm), ranks = stn_comm_ranks(comm);
    char *parts;
    if (bytes == 0)
        return STN_OK;
    STN_TRY(stn_allocate(&parts, ranks, (size_t)bytes, "data of all ranks"));
    memcpy(parts, mine, (size_t)bytes);
    const stn_status status = gather_rotated(comm, parts, bytes);
    if (status == STN_OK) {
        memcpy((char *)all + rank * bytes, parts, (size_t)((ranks - rank) * bytes));
        memcpy(all, parts + (ranks - rank) * bytes, (size_t)(rank * bytes));
    }
    stn_free(parts);
    return status;
}

/* ---- elements for each rank ---- */

/* One message for each other rank with elements; returns the number of messages, and the address of
 * the elements of this rank. */
static int messages_of(const stn_comm *comm, void *data, const int64_t *counts, int64_t bytes,
                       stn_comm_message *messages, void **mine)
{
    char *at = data;
    int made = 0;
    for (int r = 0; r < stn_comm_ranks(comm); at += counts[r++] * bytes)
        if (r == stn_comm_rank(comm))
            *mine = at;
        else if (counts[r] * bytes > 0)
            messages[made++] = (stn_comm_message){r, counts[r] * bytes, at};
    return made;
}

stn_status stn_comm_swap_all(stn_comm *comm, void *received, const int64_t *receive_counts,
                             const void *sent, const int64_t *send_counts, int64_t bytes)
{
    const int ranks = stn_comm_ranks(comm), rank = stn_comm_rank(comm);
    stn_comm_message *out;
    void *from = NULL, *to = NULL;
    if (receive_counts[rank] != send_counts[rank])
        return stn_fail(STN_ERR_SHAPE, "a rank sends %lld elements to itself, and receives %lld",
                        (long long)send_counts[rank], (long long)receive_counts[rank]);
    STN_TRY(stn_allocate(&out, 2 * (int64_t)ranks, sizeof *out, "messages to all ranks"));
    stn_comm_message *const in = out + ranks;
    const int sends = messages_of(comm, (void *)(uintptr_t)sent, send_counts, bytes, out, &from);
    const int receives = messages_of(comm, received, receive_counts, bytes, in, &to);
    stn_status status = stn_comm_exchange(comm, sends, out, receives, in);
    if (status == STN_OK && send_counts[rank] * bytes > 0)
        memcpy(to, from, (size_t)(send_counts[rank] * bytes));
    if (status == STN_OK)
        status = stn_comm_wait(comm);
    stn_free(out);
    return status;
}

/* ---- ordered reduction: recursive doubling of adjacent groups ---- */

typedef struct reduction {
    stn_comm *comm;
    char *data, *other;
    int64_t bytes;
    stn_comm_merge merge;
    void *context;
} reduction;

/* Merges the data with that of a neighboring group, which is in `other`. */
static stn_status merge_with(const reduction *r, int is_left)
{
    if (is_left)
        return r->merge(r->context, r->data, r->other);
    STN_TRY(r->merge(r->context, r->other, r->data));
    memcpy(r->data, r->other, (size_t)r->bytes);
    return STN_OK;
}

/* The groups: pairs of the first 2 `pairs` ranks, of which the even one works, then single ranks;
 * their number is a power of two. */
static int rank_of_group(int group, int pairs)
{
    return group < pairs ? 2 * group : group + pairs;
}

static stn_status double_groups(const reduction *r, int groups, int pairs)
{
    const int rank = stn_comm_rank(r->comm);
    const int group = rank < 2 * pairs ? rank / 2 : rank - pairs;
    for (int distance = 1; distance < groups; distance *= 2) {
        const int peer = rank_of_group(group ^ distance, pairs);
        STN_TRY(swap(r->comm, peer, r->data, r->bytes, peer, r->other, r->bytes));
        STN_TRY(merge_with(r, peer > rank));
    }
    return STN_OK;
}

static stn_status reduce(const reduction *r)
{
    const int rank = stn_comm_rank(r->comm), ranks = stn_comm_ranks(r->comm);
    int groups = 1;
    while (groups <= ranks / 2)
        groups *= 2;
    const int pairs = ranks - groups, is_paired = rank < 2 * pairs;
    if (is_paired && rank % 2) {
        STN_TRY(swap(r->comm, rank - 1, r->data, r->bytes, 0, NULL, 0));
        return swap(r->comm, 0, NULL, 0, rank - 1, r->data, r->bytes);
    }
    if (is_paired) {
        STN_TRY(swap(r->comm, 0, NULL, 0, rank + 1, r->other, r->bytes));
        STN_TRY(merge_with(r, 1));
    }
    STN_TRY(double_groups(r, groups, pairs));
    return is_paired ? swap(r->comm, rank + 1, r->data, r->bytes, 0, NULL, 0) : STN_OK;
}

stn_status stn_comm_reduce(stn_comm *comm, void *data, int64_t bytes, stn_comm_merge merge,
                           void *merge_context)
{
    _Alignas(16) char buffer[STN_COMM_SHORT];
    reduction r = {comm, data, buffer, bytes, merge, merge_context};
    if (bytes > (int64_t)sizeof buffer)
        STN_TRY(stn_allocate(&r.other, bytes, 1, "data of a reduction"));
    const stn_status status = reduce(&r);
    if (r.other != buffer)
        stn_free(r.other);
    return status;
}

/* ---- public functions ---- */

static stn_status expect(const char *call, const stn_comm *comm, const void *first,
                         const void *second, int64_t bytes)
{
    if (!comm || ((!first || !second) && bytes != 0))
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, comm ? "an argument" : "comm");
    if (bytes < 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: bytes is %lld; it must be at least 0", call,
                        (long long)bytes);
    return STN_OK;
}

stn_status stn_comm_allgather(stn_comm *comm, void *all, const void *mine, int64_t bytes)
{
    stn_status status = expect("stn_comm_allgather", comm, all, mine, bytes);
    if (!comm)
        return status;
    stn_comm_begin(comm);
    if (status == STN_OK)
        status = stn_comm_gather(comm, all, mine, bytes);
    return stn_comm_end(comm, status, STN_COMM_ENDS_TOGETHER);
}

static stn_status expect_counts(const char *call, const stn_comm *comm, const void *elements,
                                const int64_t *counts, int64_t bytes)
{
    for (int r = 0; r < stn_comm_ranks(comm); r++) {
        if (counts[r] < 0)
            return stn_fail(STN_ERR_ARGUMENT, "%s: the number of elements for rank %d is %lld",
                            call, r, (long long)counts[r]);
        if (counts[r] > 0 && bytes > 0 && !elements)
            return stn_fail(STN_ERR_ARGUMENT, "%s: the elements for rank %d are NULL", call, r);
    }
    return STN_OK;
}

stn_status stn_comm_alltoall(stn_comm *comm, void *received, const int64_t *receive_counts,
                             const void *sent, const int64_t *send_counts, int64_t bytes)
{
    static const char call[] = "stn_comm_alltoall";
    stn_status status = expect(call, comm, receive_counts, send_counts, bytes);
    if (!comm)
        return status;
    stn_comm_begin(comm);
    if (status == STN_OK && (!receive_counts || !send_counts))
        status = stn_fail(STN_ERR_ARGUMENT, "%s: an argument is NULL", call);
    if (status == STN_OK)
        status = expect_counts(call, comm, received, receive_counts, bytes);
    if (status == STN_OK)
        status = expect_counts(call, comm, sent, send_counts, bytes);
    if (status == STN_OK)
        status = stn_comm_swap_all(comm, received, receive_counts, sent, send_counts, bytes);
    return stn_comm_end(comm, status, STN_COMM_ENDS_TOGETHER);
}

stn_status stn_comm_allreduce(stn_comm *comm, void *data, int64_t bytes, stn_comm_merge merge,
                              void *merge_context)
{
    stn_status status = expect("stn_comm_allreduce", comm, data, data, bytes);
    if (status == STN_OK && !merge)
        status = stn_fail(STN_ERR_ARGUMENT, "stn_comm_allreduce: merge is NULL");
    if (!comm)
        return status;
    stn_comm_begin(comm);
    if (status == STN_OK)
        status = stn_comm_reduce(comm, data, bytes, merge, merge_context);
    return stn_comm_end(comm, status, STN_COMM_ENDS_TOGETHER);
}
