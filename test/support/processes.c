#include "processes.h"

#include <pthread.h>
#include <stdio.h>

#include "check.h"

typedef struct parcel {
    struct parcel *next;
    int64_t bytes;
    char data[];
} parcel;

/* Calls of a rank that fail. */
typedef struct failing_calls {
    int rank;
    comm_function function;
    int64_t nth, count;
} failing_calls;

static failing_calls failing;

typedef struct world {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ranks;
    int revoking; /* ranks that have called revoke, but not returned from it */
    int64_t revocations;
    parcel *first[MAX_RANKS][MAX_RANKS]; /* from, to */
    rank_body *body;
    void *context;
    rank_result *results;
} world;

typedef struct member {
    world *all;
    int rank, receive_count;
    stn_comm *comm;
    const stn_comm_message *receives;
    int64_t calls[2]; /* of each comm_function */
} member;

void fail_comm_calls(int rank, comm_function function, int64_t nth, int64_t count)
{
    failing = (failing_calls){rank, function, nth, count};
}

static int fails(member *me, comm_function function)
{
    const int64_t nth = ++me->calls[function];
    return failing.count > 0 && me->rank == failing.rank && function == failing.function &&
           nth >= failing.nth && nth < failing.nth + failing.count;
}

static stn_status start_exchange(void *context, int send_count, const stn_comm_message *sends,
                                 int receive_count, const stn_comm_message *receives)
{
    member *const me = context;
    world *const all = me->all;
    if (fails(me, COMM_EXCHANGE))
        return STN_ERR_DEVICE;
    me->receive_count = receive_count;
    me->receives = receives;
    pthread_mutex_lock(&all->lock);
    for (int k = 0; k < send_count; k++) {
        parcel *const sent = malloc(sizeof *sent + (size_t)sends[k].bytes);
        parcel **end = &all->first[me->rank][sends[k].rank];
        *sent = (parcel){NULL, sends[k].bytes};
        memcpy(sent->data, sends[k].data, (size_t)sends[k].bytes);
        while (*end)
            end = &(*end)->next;
        *end = sent;
        all->results[me->rank].messages++;
        all->results[me->rank].bytes += sends[k].bytes;
    }
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return STN_OK;
}

static int wrong_sizes;

static stn_status wait_for_messages(void *context, int *is_revoked)
{
    member *const me = context;
    world *const all = me->all;
    if (fails(me, COMM_WAIT))
        return STN_ERR_DEVICE;
    pthread_mutex_lock(&all->lock);
    for (int k = 0; k < me->receive_count && !*is_revoked; k++) {
        const stn_comm_message *const expected = &me->receives[k];
        parcel **const queue = &all->first[expected->rank][me->rank];
        while (!*queue && !all->revoking)
            pthread_cond_wait(&all->changed, &all->lock);
        *is_revoked = all->revoking != 0;
        if (*is_revoked)
            break;
        parcel *const received = *queue;
        *queue = received->next;
        wrong_sizes += received->bytes != expected->bytes;
        memcpy(expected->data, received->data,
               (size_t)(received->bytes < expected->bytes ? received->bytes : expected->bytes));
        free(received);
    }
    pthread_mutex_unlock(&all->lock);
    return STN_OK;
}

static void drop_messages(world *all)
{
    for (int pair = 0; pair < MAX_RANKS * MAX_RANKS; pair++)
        for (parcel **queue = &all->first[pair / MAX_RANKS][pair % MAX_RANKS]; *queue;) {
            parcel *const dropped = *queue;
            *queue = dropped->next;
            free(dropped);
        }
}

static stn_status revoke_exchange(void *context)
{
    member *const me = context;
    world *const all = me->all;
    pthread_mutex_lock(&all->lock);
    const int64_t before = all->revocations;
    if (++all->revoking == all->ranks) {
        drop_messages(all);
        all->revoking = 0;
        all->revocations++;
    }
    pthread_cond_broadcast(&all->changed);
    while (all->revocations == before)
        pthread_cond_wait(&all->changed, &all->lock);
    pthread_mutex_unlock(&all->lock);
    return STN_OK;
}

static void *run(void *context)
{
    member *const me = context;
    world *const all = me->all;
    rank_result *const result = &all->results[me->rank];
    result->status = all->body(me->comm, all->context);
    if (result->status != STN_OK)
        snprintf(result->message, sizeof result->message, "%s", stn_error());
    return NULL;
}

void run_ranks(int ranks, int64_t max_message_bytes, rank_body *body, void *context,
               rank_result *results)
{
    world all = {.lock = PTHREAD_MUTEX_INITIALIZER,
                 .changed = PTHREAD_COND_INITIALIZER,
                 .ranks = ranks,
                 .body = body,
                 .context = context,
                 .results = results};
    member members[MAX_RANKS];
    pthread_t threads[MAX_RANKS];
    memset(results, 0, (size_t)ranks * sizeof *results);
    wrong_sizes = 0;
    for (int r = 0; r < ranks; r++) {
        const stn_comm_functions functions = {.size = sizeof functions,
                                              .context = &members[r],
                                              .rank = r,
                                              .ranks = ranks,
                                              .max_message_bytes = max_message_bytes,
                                              .exchange = start_exchange,
                                              .wait = wait_for_messages,
                                              .revoke = revoke_exchange};
        members[r] = (member){.all = &all, .rank = r};
        expect_ok(stn_comm_create(&members[r].comm, &functions));
    }
    for (int r = 0; r < ranks; r++)
        assert_int_equal(pthread_create(&threads[r], NULL, run, &members[r]), 0);
    for (int r = 0; r < ranks; r++) {
        assert_int_equal(pthread_join(threads[r], NULL), 0);
        stn_comm_release(members[r].comm);
    }
    drop_messages(&all);
    failing = (failing_calls){0};
    assert_int_equal(wrong_sizes, 0);
}

void run_ranks_ok(int ranks, rank_body *body, void *context)
{
    rank_result results[MAX_RANKS];
    run_ranks(ranks, 0, body, context, results);
    for (int r = 0; r < ranks; r++)
        check_ok(results[r].status, results[r].message, "a rank", __FILE__, __LINE__);
}
