/* Blocks of an archive: encoding, decoding, and work on them by threads. */
#include <stdio.h>
#include <string.h>

#include "codec/archive.h"
#include "codec/checksum.h"
#include "core/memory.h"
#include "core/modes.h"
#include "exec/exec.h"

/* ---- memory of threads ---- */

stn_status stn_archive_take_state(stn_archive *archive, stn_packer_state **state)
{
    pthread_mutex_lock(&archive->lock);
    *state = archive->states;
    if (*state)
        archive->states = (*state)->next;
    pthread_mutex_unlock(&archive->lock);
    return *state ? STN_OK : stn_packer_state_create(&archive->packer, &archive->cells, state);
}

void stn_archive_return_state(stn_archive *archive, stn_packer_state *state)
{
    pthread_mutex_lock(&archive->lock);
    state->next = archive->states;
    archive->states = state;
    pthread_mutex_unlock(&archive->lock);
}

stn_status stn_archive_reserve_states(stn_archive *archive, int count)
{
    int known = 0;
    pthread_mutex_lock(&archive->lock);
    for (const stn_packer_state *state = archive->states; state; state = state->next)
        known++;
    pthread_mutex_unlock(&archive->lock);
    for (; known < count; known++) {
        stn_packer_state *state;
        STN_TRY(stn_packer_state_create(&archive->packer, &archive->cells, &state));
        stn_archive_return_state(archive, state);
    }
    return STN_OK;
}

/* ---- single blocks ---- */

void stn_archive_cells(const stn_archive *archive, int64_t block, stn_cells *cells, int64_t *first)
{
    *cells = archive->cells;
    cells->count = 1;
    for (int d = archive->rank - 1; d >= 0; d--) {
        first[d] = block % archive->blocks_along[d] * archive->block[d];
        block /= archive->blocks_along[d];
        const int64_t left = archive->extent[d] - first[d];
        if (left < cells->extent[d])
            cells->extent[d] = left;
        cells->count *= cells->extent[d];
    }
}

stn_status stn_archive_corrupt(const stn_archive *archive, int64_t block, const char *reason)
{
    char indices[24 * STN_MAX_RANK] = "";
    int64_t first[STN_MAX_RANK];
    stn_cells cells;
    stn_archive_cells(archive, block, &cells, first);
    for (int d = 0, at = 0; d < archive->rank; d++)
        at += snprintf(indices + at, sizeof indices - (size_t)at, "%s%lld", d ? ", " : "",
                       (long long)first[d]);
    return stn_fail(STN_ERR_PARSE, "%s: block %lld, whose first element is (%s), is corrupt: %s",
                    archive->path ? archive->path : "archive", (long long)block, indices, reason);
}

stn_status stn_archive_decode(stn_archive *archive, stn_packer_state *state, int64_t block,
                              const int64_t *stride, void *elements)
{
    stn_packed_block *const packed = &archive->packed[block];
    int64_t first[STN_MAX_RANK];
    stn_cells cells;
    if (packed->length > 0 && !atomic_load_explicit(&packed->is_checked, memory_order_relaxed)) {
        if (stn_checksum(packed->bytes, packed->length) != packed->checksum)
            return stn_archive_corrupt(archive, block, "its checksum does not match");
        atomic_store_explicit(&packed->is_checked, 1, memory_order_relaxed);
    }
    stn_archive_cells(archive, block, &cells, first);
    cells.stride = stride;
    const char *const reason =
        stn_block_decode(&archive->packer, state, &cells, packed->bytes, packed->length, elements);
    return reason ? stn_archive_corrupt(archive, block, reason) : STN_OK;
}

stn_status stn_archive_encode(stn_archive *archive, stn_packer_state *state, int64_t block,
                              const void *elements)
{
    stn_packed_block *const packed = &archive->packed[block];
    int64_t first[STN_MAX_RANK];
    stn_cells cells;
    uint8_t *bytes;
    stn_archive_cells(archive, block, &cells, first);
    const int64_t length = stn_block_encode(&archive->packer, state, &cells, elements);
    if (length < 0)
        return stn_fail(STN_ERR_MEMORY, "archive: no memory to encode block %lld",
                        (long long)block);
    STN_TRY(stn_allocate(&bytes, length, 1, "block of an archive"));
    if (packed->is_owned)
        stn_free((void *)(uintptr_t)packed->bytes);
    if (length > 0)
        memcpy(bytes, state->packed, (size_t)length);
    packed->bytes = bytes;
    packed->length = (uint32_t)length;
    packed->is_owned = 1;
    packed->checksum = length > 0 ? stn_checksum(bytes, length) : 0;
    atomic_store_explicit(&packed->is_checked, 1, memory_order_relaxed);
    return STN_OK;
}

/* ---- blocks of a box ---- */

typedef struct blocks_job {
    stn_archive *archive;
    const int64_t *first, *count; /* of blocks */
    int64_t total;
    stn_block_work *work;
    void *context;
    _Atomic int64_t next;
    _Atomic int has_failed;
    stn_status status; /* of the first error, and its message */
    char message[1024];
} blocks_job;

static int64_t block_number(const blocks_job *job, int64_t k)
{
    const stn_archive *const archive = job->archive;
    int64_t number = 0, step = 1;
    for (int d = archive->rank - 1; d >= 0; d--) {
        number += (job->first[d] + k % job->count[d]) * step;
        k /= job->count[d];
        step *= archive->blocks_along[d];
    }
    return number;
}

static void keep_error(blocks_job *job, stn_status status)
{
    if (atomic_exchange(&job->has_failed, 1))
        return;
    job->status = status;
    snprintf(job->message, sizeof job->message, "%s", stn_error());
}

/* Threads take the next block until all are done, because some take longer than others. */
static void work_on_blocks(void *context, int part, int parts)
{
    blocks_job *const job = context;
    stn_packer_state *state;
    (void)part, (void)parts;
    stn_status status = stn_archive_take_state(job->archive, &state);
    if (status != STN_OK) {
        keep_error(job, status);
        return;
    }
    for (int64_t k; status == STN_OK && !atomic_load(&job->has_failed) &&
                    (k = atomic_fetch_add(&job->next, 1)) < job->total;)
        status = job->work(job->archive, state, block_number(job, k), job->context);
    if (status != STN_OK)
        keep_error(job, status);
    stn_archive_return_state(job->archive, state);
}

stn_status stn_archive_for_blocks(const char *call, const stn_exec *exec, stn_archive *archive,
                                  const int64_t *first, const int64_t *count, stn_block_work *work,
                                  void *context)
{
    blocks_job job = {.archive = archive,
                      .first = first,
                      .count = count,
                      .total = archive->blocks > 0,
                      .work = work,
                      .context = context};
    if (exec && exec->alive != STN_EXEC_ALIVE)
        return stn_fail(STN_ERR_ARGUMENT, "%s: exec is not an executor, or has been released",
                        call);
    if (stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: archives are in host memory; executor %s is a device", call,
                        stn_exec_name(exec));
    for (int d = 0; d < archive->rank; d++)
        job.total *= count[d];
    if (job.total == 0)
        return STN_OK;
    const stn_modes modes = stn_modes_enter();
    if (exec && job.total > 1 && !stn_exec_lost_threads(exec))
        stn_exec_run(exec, work_on_blocks, &job);
    else
        work_on_blocks(&job, 0, 1);
    stn_modes_leave(modes);
    return atomic_load(&job.has_failed) ? stn_fail(job.status, "%s: %s", call, job.message)
                                        : STN_OK;
}
