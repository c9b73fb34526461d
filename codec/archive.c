/* Archives: creation, release, description. */
#include "codec/cache.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "core/grow.h"
#include "core/memory.h"

/* ---- extents ---- */

/* Extents of a block of whole rows: the last dimensions first. */
static void choose_rows(int rank, const int64_t *extent, int64_t *block)
{
    int64_t left = STN_BLOCK_ELEMENTS;
    for (int d = rank - 1; d >= 0; d--) {
        block[d] = extent[d] < left ? extent[d] : left;
        left /= block[d] > 0 ? block[d] : 1;
    }
}

/* Extents of a block that is a cube in its last four dimensions, with multiples of 4. Dimensions
 * that are shorter leave more to the others. */
static void choose_cube(int rank, const int64_t *extent, int64_t *block)
{
    int64_t product = 1;
    for (int d = 0; d < rank; d++) {
        block[d] =
            d < rank - 4 || extent[d] < 4 ? (d < rank - 4 || extent[d] < 1 ? 1 : extent[d]) : 4;
        product *= block[d];
    }
    for (int grows = 1; grows;) {
        grows = 0;
        for (int d = rank - 1; d >= 0; d--)
            if (d >= rank - 4 && block[d] < extent[d] && 2 * product <= STN_BLOCK_ELEMENTS) {
                block[d] *= 2;
                product *= 2;
                grows = 1;
            }
    }
    for (int d = 0; d < rank; d++)
        block[d] = block[d] < extent[d] ? block[d] : extent[d];
}

static stn_status set_blocks(const char *call, const int64_t *given, stn_archive *archive)
{
    int64_t count = 1, *const block = archive->block;
    if (given)
        memcpy(block, given, (size_t)archive->rank * sizeof *block);
    else if (archive->packer.row->is_typed)
        choose_cube(archive->rank, archive->extent, block);
    else
        choose_rows(archive->rank, archive->extent, block);
    for (int d = 0; d < archive->rank; d++) {
        if (given && (block[d] < 1 || block[d] > STN_BLOCK_MAX_ELEMENTS))
            return stn_fail(STN_ERR_RANGE,
                            "%s: extent %d of a block is %lld; it must be from 1 to %d", call, d,
                            (long long)block[d], STN_BLOCK_MAX_ELEMENTS);
        if (block[d] > archive->extent[d])
            block[d] = archive->extent[d];
        if (block[d] < 1)
            block[d] = 1;
        count *= block[d];
        if (count > STN_BLOCK_MAX_ELEMENTS)
            return stn_fail(STN_ERR_RANGE, "%s: a block has more than %d elements", call,
                            STN_BLOCK_MAX_ELEMENTS);
        archive->blocks_along[d] = (archive->extent[d] + block[d] - 1) / block[d];
        archive->cells.extent[d] = block[d];
        archive->blocks *= archive->blocks_along[d];
    }
    archive->cells.count = count;
    return STN_OK;
}

static stn_status set_extents(const char *call, int rank, const int64_t *extents,
                              stn_archive *archive)
{
    int64_t bytes = archive->cells.bytes;
    int is_empty = 0, overflows = 0;
    if (rank < 0 || rank > STN_MAX_RANK)
        return stn_fail(STN_ERR_ARGUMENT, "%s: rank is %d; it must be from 0 to %d", call, rank,
                        STN_MAX_RANK);
    if (rank > 0 && !extents)
        return stn_fail(STN_ERR_ARGUMENT, "%s: extents is NULL", call);
    for (int d = 0; d < rank; d++) {
        if (extents[d] < 0)
            return stn_fail(STN_ERR_SHAPE, "%s: extent %d is %lld; it must be at least 0", call, d,
                            (long long)extents[d]);
        archive->extent[d] = extents[d];
        is_empty |= extents[d] == 0;
        overflows |= __builtin_mul_overflow(bytes, extents[d] > 0 ? extents[d] : 1, &bytes) ||
                     bytes > INT64_MAX / 2;
    }
    if (overflows)
        return stn_fail(STN_ERR_RANGE, "%s: the elements exceed the address space", call);
    archive->rank = archive->cells.rank = rank;
    archive->blocks = !is_empty;
    return STN_OK;
}

static stn_status set_format(const char *call, stn_format format, stn_archive *archive)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    STN_TRY(stn_format_describe(format, &info));
    if (info.kind != STN_CLASS_FLOAT && info.kind != STN_CLASS_INTEGER &&
        info.kind != STN_CLASS_COMPLEX)
        return stn_fail(STN_ERR_FORMAT, "%s: archives of format %s are not supported", call,
                        info.name);
    archive->format = format;
    archive->cells.bytes = info.bytes;
    archive->cells.component = info.component;
    archive->cells.parts = info.kind == STN_CLASS_COMPLEX ? 2 : 1;
    if (archive->packer.row->is_typed && info.component != STN_F64 && info.component != STN_F32)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: codec %s compresses f64, f32, c128 and c64, not %s", call,
                        archive->packer.row->name, info.name);
    return STN_OK;
}

/* ---- creation and release ---- */

stn_status stn_archive_read_options(const char *call, const stn_archive_options *options,
                                    stn_archive_options *known)
{
    *known = (stn_archive_options)STN_ARCHIVE_OPTIONS_INIT;
    if (options)
        STN_TRY(STN_STRUCT_READ(known, options, stn_archive_options, codec, "archive: options"));
    if (known->cached_blocks < 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: cached_blocks is %lld; it must be at least 0", call,
                        (long long)known->cached_blocks);
    return STN_OK;
}

static void free_archive(stn_archive *archive)
{
    stn_cache_release(archive->cache);
    for (int64_t k = 0; archive->packed && k < archive->blocks; k++)
        if (archive->packed[k].is_owned)
            stn_free((void *)(uintptr_t)archive->packed[k].bytes);
    while (archive->states) {
        stn_packer_state *const next = archive->states->next;
        stn_packer_state_release(&archive->packer, archive->states);
        archive->states = next;
    }
    if (archive->mapped)
        munmap(archive->mapped, archive->mapped_bytes);
    pthread_mutex_destroy(&archive->lock);
    stn_free(archive->path);
    stn_free(archive->packed);
    stn_free(archive);
}

static stn_status fill_in(const char *call, stn_format format, int rank, const int64_t *extents,
                          const stn_archive_options *options, stn_archive *archive)
{
    const char *const text = options->codec ? options->codec : stn_packer_default();
    STN_TRY(stn_packer_parse(call, text, &archive->packer));
    strcpy(archive->text, text);
    STN_TRY(set_format(call, format, archive));
    STN_TRY(set_extents(call, rank, extents, archive));
    STN_TRY(set_blocks(call, options->block, archive));
    archive->cached_blocks = options->cached_blocks;
    STN_TRY(stn_allocate(&archive->packed, archive->blocks, sizeof *archive->packed,
                         "index of an archive"));
    if (archive->packed)
        memset(archive->packed, 0, (size_t)archive->blocks * sizeof *archive->packed);
    return STN_OK;
}

stn_status stn_archive_allocate(const char *call, stn_format format, int rank,
                                const int64_t *extents, const stn_archive_options *options,
                                stn_archive **archive)
{
    stn_archive *made;
    *archive = NULL;
    STN_TRY(stn_allocate(&made, 1, sizeof *made, "archive"));
    memset(made, 0, sizeof *made);
    pthread_mutex_init(&made->lock, NULL); /* cannot fail without attributes */
    atomic_init(&made->uses, 1);
    const stn_status status = fill_in(call, format, rank, extents, options, made);
    if (status == STN_OK)
        *archive = made;
    else
        free_archive(made);
    return status;
}

stn_status stn_archive_create(stn_archive **archive, stn_format format, int rank,
                              const int64_t *extents, const stn_archive_options *options)
{
    static const char call[] = "stn_archive_create";
    stn_archive_options known;
    if (!archive)
        return stn_fail(STN_ERR_ARGUMENT, "%s: archive is NULL", call);
    *archive = NULL;
    STN_TRY(stn_archive_read_options(call, options, &known));
    return stn_archive_allocate(call, format, rank, extents, &known, archive);
}

void stn_archive_release(stn_archive *archive)
{
    if (archive && atomic_fetch_sub(&archive->uses, 1) == 1)
        free_archive(archive);
}

stn_status stn_archive_expect(const char *call, const stn_archive *archive)
{
    return archive ? STN_OK : stn_fail(STN_ERR_ARGUMENT, "%s: archive is NULL", call);
}

/* ---- description ---- */

stn_status stn_archive_describe(stn_archive *archive, stn_archive_info *info)
{
    static const char call[] = "stn_archive_describe";
    STN_TRY(STN_STRUCT_CHECK(info, stn_archive_info, ratio, "stn_archive_describe: info"));
    STN_TRY(stn_archive_expect(call, archive));
    STN_TRY(stn_cache_flush(call, archive, 0));
    stn_archive_info result =
        STN_INIT(stn_archive_info, .format = archive->format, .rank = archive->rank,
                 .loss = stn_packer_loss(&archive->packer), .is_mapped = archive->mapped != NULL,
                 .error_bound = stn_packer_error_bound(&archive->packer), .blocks = archive->blocks,
                 .array_bytes = archive->blocks > 0 ? archive->cells.bytes : 0,
                 .smallest_block = archive->blocks > 0 ? UINT32_MAX : 0);
    memcpy(result.extent, archive->extent, sizeof result.extent);
    memcpy(result.block, archive->block, sizeof result.block);
    memcpy(result.codec, archive->text, sizeof result.codec);
    for (int d = 0; d < archive->rank; d++)
        result.array_bytes *= archive->extent[d];
    for (int64_t k = 0; k < archive->blocks; k++) {
        const int64_t length = archive->packed[k].length;
        result.bytes += length;
        result.smallest_block = length < result.smallest_block ? length : result.smallest_block;
        result.largest_block = length > result.largest_block ? length : result.largest_block;
    }
    result.ratio =
        result.bytes > 0 ? (double)result.array_bytes / (double)result.bytes : (double)INFINITY;
    STN_STRUCT_WRITE(info, &result, stn_archive_info);
    return STN_OK;
}

stn_archive_loss stn_packer_loss(const stn_packer *packer)
{
    const stn_packer_row *const row = packer->row;
    return row->loss_of ? row->loss_of(packer) : row->loss;
}

double stn_packer_error_bound(const stn_packer *packer)
{
    const stn_archive_loss loss = stn_packer_loss(packer);
    return loss == STN_ARCHIVE_LOSSLESS  ? 0.0
           : loss == STN_ARCHIVE_BOUNDED ? packer->value[packer->row->bound_parameter]
                                         : (double)INFINITY;
}
