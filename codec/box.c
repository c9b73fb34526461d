/* Boxes of elements between archives and views. */
#include <string.h>

#include "codec/cache.h"
#include "core/memory.h"
#include "view/plain.h"
#include "view/store.h"

typedef struct box_job {
    const stn_view *view;
    const int64_t *first; /* of the box in the array */
} box_job;

/* The part of a block that is in the box: indices in the block and in the view. Returns whether it
 * is the whole block. */
static int find_part(const box_job *job, const stn_cells *cells, const int64_t *block_first,
                     stn_slice *in_block, stn_slice *in_view)
{
    int is_whole = 1;
    for (int d = 0; d < cells->rank; d++) {
        const int64_t box_end = job->first[d] + job->view->extent[d];
        const int64_t block_end = block_first[d] + cells->extent[d];
        const int64_t begin = block_first[d] > job->first[d] ? block_first[d] : job->first[d];
        const int64_t end = block_end < box_end ? block_end : box_end;
        in_block[d] = stn_slice_range(begin - block_first[d], end - block_first[d]);
        in_view[d] = stn_slice_range(begin - job->first[d], end - job->first[d]);
        is_whole &= end - begin == cells->extent[d];
    }
    return is_whole;
}

/* Where the elements of a block are in a view of the same format; NULL if they are not plain. */
static void *place_of(const stn_archive *archive, const box_job *job, const stn_cells *cells,
                      const stn_slice *in_view)
{
    const stn_view *const view = job->view;
    int64_t offset = 0;
    if (view->storage.format != archive->format || view->space != STN_SPACE_HOST ||
        view->traits & STN_TRAIT_ATOMIC || !stn_view_is_plain(view))
        return NULL;
    for (int d = 0; d < cells->rank; d++)
        offset += in_view[d].begin * view->stride[d];
    return (char *)view->data + offset * archive->cells.bytes;
}

/* Are the elements of a block contiguous in a view, in C order? */
static int is_contiguous(const stn_cells *cells, const stn_view *view)
{
    int64_t expected = 1;
    for (int d = cells->rank - 1; d >= 0; d--) {
        if (cells->extent[d] > 1 && view->stride[d] != expected)
            return 0;
        expected *= cells->extent[d];
    }
    return 1;
}

/* A view of the elements of a block in the memory of a thread. */
static stn_status view_of(const stn_archive *archive, const stn_cells *cells, void *elements,
                          stn_view *view)
{
    return stn_view_wrap(view, "block", stn_storage_of(archive->format), elements, cells->rank,
                         cells->extent);
}

static stn_status read_block(stn_archive *archive, stn_packer_state *state, int64_t block,
                             void *context)
{
    const box_job *const job = context;
    stn_slice in_block[STN_MAX_RANK], in_view[STN_MAX_RANK];
    int64_t first[STN_MAX_RANK];
    stn_cells cells;
    stn_view from, to;
    stn_archive_cells(archive, block, &cells, first);
    const int is_whole = find_part(job, &cells, first, in_block, in_view);
    const stn_packed_block *const packed = &archive->packed[block];
    void *const place = is_whole ? place_of(archive, job, &cells, in_view) : NULL;
    if (place && is_contiguous(&cells, job->view))
        return stn_archive_decode(archive, state, block, NULL, place);
    if (place && stn_block_takes_strides(&archive->packer, &cells, packed->bytes, packed->length))
        return stn_archive_decode(archive, state, block, job->view->stride, place);
    STN_TRY(stn_archive_decode(archive, state, block, NULL, state->elements));
    STN_TRY(view_of(archive, &cells, state->elements, &from));
    STN_TRY(stn_view_slice(&from, &from, cells.rank, in_block));
    STN_TRY(stn_view_slice(&to, job->view, cells.rank, in_view));
    return stn_view_copy(NULL, &to, &from);
}

static stn_status write_block(stn_archive *archive, stn_packer_state *state, int64_t block,
                              void *context)
{
    const box_job *const job = context;
    stn_slice in_block[STN_MAX_RANK], in_view[STN_MAX_RANK];
    int64_t first[STN_MAX_RANK];
    stn_cells cells;
    stn_view from, to;
    stn_archive_cells(archive, block, &cells, first);
    const int is_whole = find_part(job, &cells, first, in_block, in_view);
    const void *const place = is_whole ? place_of(archive, job, &cells, in_view) : NULL;
    if (place && is_contiguous(&cells, job->view))
        return stn_archive_encode(archive, state, block, place);
    if (!is_whole)
        STN_TRY(stn_archive_decode(archive, state, block, NULL, state->elements));
    STN_TRY(view_of(archive, &cells, state->elements, &to));
    STN_TRY(stn_view_slice(&to, &to, cells.rank, in_block));
    STN_TRY(stn_view_slice(&from, job->view, cells.rank, in_view));
    STN_TRY(stn_view_copy(NULL, &to, &from));
    return stn_archive_encode(archive, state, block, state->elements);
}

/* A copy without elements has the checks of all copies: a view that is released, read-only, not of
 * the host, or of another kind of format. */
static stn_status check_view(const stn_archive *archive, const stn_view *view, int reads)
{
    static const double nothing[2];
    int64_t extents[STN_MAX_RANK] = {0};
    stn_slice none[STN_MAX_RANK];
    stn_view wider, part, empty;
    if (view->rank == 0) {
        STN_TRY(stn_view_insert_axis(&wider, view, 0));
        view = &wider;
    }
    for (int d = 0; d < view->rank; d++)
        none[d] = stn_slice_range(0, 0);
    STN_TRY(stn_view_slice(&part, view, view->rank, none));
    STN_TRY(stn_view_wrap(&empty, "block", stn_storage_of(archive->format),
                          (void *)(uintptr_t)nothing, view->rank, extents));
    return reads ? stn_view_copy(NULL, &part, &empty) : stn_view_copy(NULL, &empty, &part);
}

static stn_status check_box(const char *call, const stn_archive *archive, const stn_view *view,
                            const int64_t *first, int reads)
{
    STN_TRY(stn_archive_expect(call, archive));
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, reads ? "to" : "from");
    if (view->size == sizeof *view && view->rank != archive->rank)
        return stn_fail(STN_ERR_SHAPE, "%s: the rank of the view is %d, that of the archive is %d",
                        call, view->rank, archive->rank);
    if (view->rank != archive->rank)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is not a view", call, reads ? "to" : "from");
    const stn_status status = check_view(archive, view, reads);
    if (status != STN_OK) {
        char message[1024];
        strncpy(message, stn_error(), sizeof message - 1);
        message[sizeof message - 1] = '\0';
        return stn_fail(status, "%s: %s", call, message);
    }
    const stn_store *const store = stn_view_store(view);
    if (store && store->context == archive)
        return stn_fail(STN_ERR_ALIAS, "%s: %s is a view of the archive itself", call,
                        reads ? "to" : "from");
    for (int d = 0; d < archive->rank; d++)
        if (first[d] < 0 || first[d] > archive->extent[d] ||
            view->extent[d] > archive->extent[d] - first[d])
            return stn_fail(STN_ERR_RANGE,
                            "%s: the box begins at index %lld of dimension %d, whose extent is "
                            "%lld, and has %lld elements along it",
                            call, (long long)first[d], d, (long long)archive->extent[d],
                            (long long)view->extent[d]);
    return STN_OK;
}

static stn_status for_box(const char *call, const stn_exec *exec, stn_archive *archive,
                          const stn_view *view, const int64_t *first, stn_block_work *work)
{
    static const int64_t origin[STN_MAX_RANK];
    int64_t block[STN_MAX_RANK], count[STN_MAX_RANK];
    const box_job job = {view, first ? first : origin};
    STN_TRY(check_box(call, archive, view, job.first, work == read_block));
    STN_TRY(stn_cache_flush(call, archive, work == write_block));
    for (int d = 0; d < archive->rank; d++) {
        block[d] = job.first[d] / archive->block[d];
        count[d] = view->extent[d] == 0
                       ? 0
                       : (job.first[d] + view->extent[d] - 1) / archive->block[d] - block[d] + 1;
    }
    return stn_archive_for_blocks(call, exec, archive, block, count, work, (void *)(uintptr_t)&job);
}

stn_status stn_archive_read(const stn_exec *exec, const stn_view *to, stn_archive *archive,
                            const int64_t *first)
{
    return for_box("stn_archive_read", exec, archive, to, first, read_block);
}

stn_status stn_archive_write(const stn_exec *exec, stn_archive *archive, const stn_view *from,
                             const int64_t *first)
{
    return for_box("stn_archive_write", exec, archive, from, first, write_block);
}

stn_status stn_archive_pack(const stn_exec *exec, stn_archive **archive, stn_format format,
                            const stn_view *view, const stn_archive_options *options)
{
    static const char call[] = "stn_archive_pack";
    stn_archive_options known;
    if (!archive || !view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, archive ? "view" : "archive");
    *archive = NULL;
    STN_TRY(stn_archive_read_options(call, options, &known));
    if (view->size != sizeof *view || view->rank < 0 || view->rank > STN_MAX_RANK)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is not initialized", call);
    STN_TRY(stn_archive_allocate(call, format, view->rank, view->extent, &known, archive));
    const stn_status status = for_box(call, exec, *archive, view, NULL, write_block);
    if (status != STN_OK) {
        stn_archive_release(*archive);
        *archive = NULL;
    }
    return status;
}

static stn_status verify_block(stn_archive *archive, stn_packer_state *state, int64_t block,
                               void *context)
{
    (void)context;
    return stn_archive_decode(archive, state, block, NULL, state->elements);
}

stn_status stn_archive_verify_blocks(const char *call, const stn_exec *exec, stn_archive *archive)
{
    static const int64_t origin[STN_MAX_RANK];
    return stn_archive_for_blocks(call, exec, archive, origin, archive->blocks_along, verify_block,
                                  NULL);
}

stn_status stn_archive_verify(const stn_exec *exec, stn_archive *archive)
{
    static const char call[] = "stn_archive_verify";
    STN_TRY(stn_archive_expect(call, archive));
    STN_TRY(stn_cache_flush(call, archive, 0));
    return stn_archive_verify_blocks(call, exec, archive);
}
