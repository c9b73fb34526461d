/* Plan of the exchange of elements of x. */
#include <string.h>

#include "core/memory.h"
#include "distribute/matrix.h"

void stn_halo_release(stn_halo *halo)
{
    stn_free(halo->needed);
    stn_free(halo->sent);
    stn_free(halo->receives);
    stn_free(halo->sends);
    stn_free(halo->messages);
    *halo = (stn_halo){0};
}

/* Elements of each rank in the list of needed elements: adjacent, because the list ascends. */
static stn_status find_receives(const stn_partition *p, stn_halo *halo)
{
    const int ranks = stn_comm_ranks(p->comm), rank = stn_comm_rank(p->comm);
    STN_TRY(stn_allocate(&halo->receives, ranks, sizeof *halo->receives, "neighbors of a rank"));
    for (int64_t k = 0, end; k < halo->needed_count; k = end) {
        const int owner = stn_partition_owner(p, halo->needed[k]);
        for (end = k; end < halo->needed_count && halo->needed[end] < p->start[owner + 1];)
            end++;
        if (owner == rank) {
            halo->owned_begin = k;
            halo->owned_end = end;
        } else
            halo->receives[halo->receive_count++] = (stn_halo_part){owner, k, end - k};
    }
    return STN_OK;
}

/* The numbers of elements that other ranks need. */
static stn_status exchange_counts(const stn_partition *p, const stn_halo *halo, int64_t *counts)
{
    const int ranks = stn_comm_ranks(p->comm);
    int64_t *const mine = counts + ranks, *const ones = mine + ranks;
    memset(counts, 0, (size_t)(2 * ranks) * sizeof *counts);
    for (int k = 0; k < halo->receive_count; k++)
        mine[halo->receives[k].rank] = halo->receives[k].count;
    for (int r = 0; r < ranks; r++)
        ones[r] = 1;
    return stn_comm_swap_all(p->comm, counts, ones, mine, ones, sizeof *counts);
}

static stn_status find_sends(const stn_partition *p, stn_halo *halo)
{
    const int64_t ranks = stn_comm_ranks(p->comm);
    int64_t *counts;
    STN_TRY(stn_allocate(&halo->sends, ranks, sizeof *halo->sends, "neighbors of a rank"));
    STN_TRY(stn_allocate(&counts, 3 * ranks, sizeof *counts, "neighbors of a rank"));
    const stn_status status = exchange_counts(p, halo, counts);
    for (int r = 0; status == STN_OK && r < ranks; r++)
        if (counts[r] > 0) {
            halo->sends[halo->send_count++] = (stn_halo_part){r, halo->sent_count, counts[r]};
            halo->sent_count += counts[r];
        }
    stn_free(counts);
    return status;
}

/* Each rank sends the rows that it needs to their owners. */
static stn_status exchange_lists(const stn_partition *p, stn_halo *halo)
{
    const int64_t first = stn_partition_first(p), count = stn_partition_count(p);
    stn_comm_message *const to = halo->messages, *const from = to + halo->receive_count;
    for (int k = 0; k < halo->receive_count; k++) {
        const stn_halo_part *const part = &halo->receives[k];
        to[k] = (stn_comm_message){part->rank, part->count * (int64_t)sizeof *halo->needed,
                                   halo->needed + part->first};
    }
    for (int k = 0; k < halo->send_count; k++) {
        const stn_halo_part *const part = &halo->sends[k];
        from[k] = (stn_comm_message){part->rank, part->count * (int64_t)sizeof *halo->sent,
                                     halo->sent + part->first};
    }
    STN_TRY(stn_comm_exchange(p->comm, halo->receive_count, to, halo->send_count, from));
    STN_TRY(stn_comm_wait(p->comm));
    for (int64_t k = 0; k < halo->sent_count; k++) {
        halo->sent[k] -= first;
        if (halo->sent[k] < 0 || halo->sent[k] >= count)
            return stn_fail(STN_ERR_RANGE, "stn_distributed_matrix_create: another rank has "
                                           "another partition");
    }
    return STN_OK;
}

stn_status stn_halo_create(const stn_partition *p, stn_halo *halo)
{
    STN_TRY(find_receives(p, halo));
    STN_TRY(find_sends(p, halo));
    STN_TRY(stn_allocate(&halo->sent, halo->sent_count, sizeof *halo->sent, "elements to send"));
    STN_TRY(stn_allocate(&halo->messages, halo->send_count + halo->receive_count,
                         sizeof *halo->messages, "messages"));
    return exchange_lists(p, halo);
}
