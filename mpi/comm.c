/* Communicators over MPI. This file uses public headers only: programs can compile it with their
 * own MPI.
 *
 * Failures: a rank that fails sends a notice to every other rank. A rank that waits looks for
 * notices, so that it does not wait forever. Then all ranks discard the messages of the exchange in
 * progress until all of them have been received, which a nonblocking barrier detects (T. Hoefler,
 * C. Siebert, A. Lumsdaine, PPoPP 2010). The following messages have another tag. */
#define _POSIX_C_SOURCE 200809L
#include "steno/mpi.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* MPICH declares MPI_STATUSES_IGNORE as an array without elements. */
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

enum {
    EPOCHS = 1 << 13,       /* tags are at least 0 to 32767 */
    POLLS = 64,             /* between looks for a notice, and before the processor is yielded */
    SCRATCH_BYTES = 1 << 16 /* discarded messages may be longer: they are truncated */
};

typedef struct world {
    MPI_Comm mpi;
    int ranks, rank;
    int epoch;       /* number of failures so far, modulo EPOCHS */
    int is_notified; /* another rank failed */
    int receives, count,
        capacity; /* requests of the exchange in progress; receives are the first */
    MPI_Request *requests;
    MPI_Request *notices; /* one for each rank */
    char scratch[SCRATCH_BYTES];
} world;

static int data_tag(const world *w)
{
    return 2 * w->epoch;
}

static int notice_tag(const world *w)
{
    return 2 * w->epoch + 1;
}

static stn_status status_of(int code)
{
    return code == MPI_SUCCESS ? STN_OK : STN_ERR_IO;
}

/* ---- exchanges ---- */

static stn_status reserve(world *w, int count)
{
    if (count <= w->capacity)
        return STN_OK;
    MPI_Request *const more = realloc(w->requests, (size_t)count * sizeof *more);
    if (!more)
        return STN_ERR_MEMORY;
    w->requests = more;
    w->capacity = count;
    return STN_OK;
}

static stn_status exchange(void *context, int send_count, const stn_comm_message *sends,
                           int receive_count, const stn_comm_message *receives)
{
    world *const w = context;
    int code = MPI_SUCCESS;
    const stn_status status = reserve(w, send_count + receive_count);
    w->count = w->receives = 0;
    if (status != STN_OK)
        return status;
    for (int k = 0; k < receive_count && code == MPI_SUCCESS; k++) {
        const stn_comm_message *const m = &receives[k];
        code = MPI_Irecv(m->data, (int)m->bytes, MPI_BYTE, m->rank, data_tag(w), w->mpi,
                         &w->requests[w->count]);
        w->count += code == MPI_SUCCESS;
    }
    w->receives = w->count;
    for (int k = 0; k < send_count && code == MPI_SUCCESS; k++) {
        const stn_comm_message *const m = &sends[k];
        code = MPI_Isend(m->data, (int)m->bytes, MPI_BYTE, m->rank, data_tag(w), w->mpi,
                         &w->requests[w->count]);
        w->count += code == MPI_SUCCESS;
    }
    return status_of(code);
}

static stn_status wait_for_end(void *context, int *is_revoked)
{
    world *const w = context;
    for (int poll = 1;; poll++) {
        int is_done = 0, has_notice = 0;
        int code = MPI_Testall(w->count, w->requests, &is_done, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS)
            return STN_ERR_IO;
        if (is_done) {
            w->count = w->receives = 0;
            return STN_OK;
        }
        if (poll % POLLS != 0)
            continue;
        code = MPI_Iprobe(MPI_ANY_SOURCE, notice_tag(w), w->mpi, &has_notice, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            return STN_ERR_IO;
        if (has_notice) {
            *is_revoked = w->is_notified = 1;
            return STN_OK;
        }
        (void)sched_yield();
    }
}

/* ---- failures ---- */

static void cancel_receives(world *w)
{
    for (int k = 0; k < w->receives; k++)
        if (w->requests[k] != MPI_REQUEST_NULL) {
            (void)MPI_Cancel(&w->requests[k]);
            (void)MPI_Wait(&w->requests[k], MPI_STATUS_IGNORE);
        }
}

static int send_notices(world *w)
{
    for (int r = 0; r < w->ranks; r++) {
        w->notices[r] = MPI_REQUEST_NULL;
        if (r != w->rank && !w->is_notified &&
            MPI_Issend(NULL, 0, MPI_BYTE, r, notice_tag(w), w->mpi, &w->notices[r]) != MPI_SUCCESS)
            return 0;
    }
    return 1;
}

static int discard(world *w, int tag)
{
    MPI_Status found;
    int is_there = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, tag, w->mpi, &is_there, &found) != MPI_SUCCESS)
        return 0;
    if (is_there) /* an error means that the message was truncated */
        (void)MPI_Recv(w->scratch, SCRATCH_BYTES, MPI_BYTE, found.MPI_SOURCE, tag, w->mpi,
                       MPI_STATUS_IGNORE);
    return 1;
}

/* Discards messages until all ranks have received or discarded all of them. */
static int drain(world *w)
{
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (int has_barrier = 0, is_done = 0; !is_done;) {
        int has_sent = 0, is_noticed = 0;
        if (!discard(w, data_tag(w)) || !discard(w, notice_tag(w)))
            return 0;
        if (has_barrier) {
            if (MPI_Test(&barrier, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
                return 0;
        } else {
            (void)MPI_Testall(w->count - w->receives, w->requests + w->receives, &has_sent,
                              MPI_STATUSES_IGNORE);
            (void)MPI_Testall(w->ranks, w->notices, &is_noticed, MPI_STATUSES_IGNORE);
            has_barrier = has_sent && is_noticed;
            if (has_barrier && MPI_Ibarrier(w->mpi, &barrier) != MPI_SUCCESS)
                return 0;
        }
        (void)sched_yield();
    }
    return 1;
}

static stn_status revoke(void *context)
{
    world *const w = context;
    cancel_receives(w);
    const int is_done = send_notices(w) && drain(w);
    w->count = w->receives = w->is_notified = 0;
    w->epoch = (w->epoch + 1) % EPOCHS;
    return is_done ? STN_OK : STN_ERR_IO;
}

/* ---- creation ---- */

static void release(void *context)
{
    world *const w = context;
    int is_finalized = 0;
    if (MPI_Finalized(&is_finalized) == MPI_SUCCESS && !is_finalized && w->mpi != MPI_COMM_NULL)
        (void)MPI_Comm_free(&w->mpi);
    free(w->requests);
    free(w->notices);
    free(w);
}

static stn_status open_world(world *w, MPI_Comm mpi)
{
    if (MPI_Comm_dup(mpi, &w->mpi) != MPI_SUCCESS)
        return STN_ERR_IO;
    if (MPI_Comm_set_errhandler(w->mpi, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
        MPI_Comm_rank(w->mpi, &w->rank) != MPI_SUCCESS ||
        MPI_Comm_size(w->mpi, &w->ranks) != MPI_SUCCESS)
        return STN_ERR_IO;
    w->notices = malloc((size_t)w->ranks * sizeof *w->notices);
    return w->notices ? STN_OK : STN_ERR_MEMORY;
}

/* Do all ranks have STN_OK? */
static int all_succeed(MPI_Comm mpi, stn_status status)
{
    int one = (int)status, worst = STN_OK;
    return MPI_Allreduce(&one, &worst, 1, MPI_INT, MPI_MAX, mpi) == MPI_SUCCESS && worst == STN_OK;
}

stn_status stn_comm_create_mpi(stn_comm **comm, MPI_Comm mpi)
{
    int is_initialized = 0, is_finalized = 0, has_groups = 0;
    if (!comm)
        return STN_ERR_ARGUMENT;
    *comm = NULL;
    (void)MPI_Initialized(&is_initialized);
    (void)MPI_Finalized(&is_finalized);
    if (!is_initialized || is_finalized)
        return STN_ERR_UNSUPPORTED;
    if (mpi == MPI_COMM_NULL || MPI_Comm_test_inter(mpi, &has_groups) != MPI_SUCCESS || has_groups)
        return STN_ERR_ARGUMENT;
    world *const w = calloc(1, sizeof *w);
    if (!all_succeed(mpi, w ? STN_OK : STN_ERR_MEMORY)) {
        free(w);
        return STN_ERR_MEMORY;
    }
    w->mpi = MPI_COMM_NULL;
    stn_status status = open_world(w, mpi);
    const stn_comm_functions functions = {.size = sizeof functions,
                                          .context = w,
                                          .rank = w->rank,
                                          .ranks = w->ranks,
                                          .exchange = exchange,
                                          .wait = wait_for_end,
                                          .revoke = revoke,
                                          .release = release};
    if (status == STN_OK)
        status = stn_comm_create(comm, &functions);
    if (all_succeed(mpi, status))
        return STN_OK;
    stn_comm_release(*comm);
    if (!*comm)
        release(w);
    *comm = NULL;
    return status == STN_OK ? STN_ERR_MEMORY : status;
}
