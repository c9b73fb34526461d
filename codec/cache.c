/* Decoded blocks of an archive, for its views.
 *
 * Blocks are distributed over sets of a few slots by a hash of their number. A block is decoded in
 * one slot at most, so all threads see what one of them has written. The lock of a set is held
 * while its block is decoded or encoded. In a slot, blocks at the end of a dimension have the
 * strides of complete ones. */
#include "codec/cache.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "exec/exec.h"
#include "view/store.h"

enum { WAYS = 4, CACHE_BYTES = 8 << 20, LAYER_BYTES = 64 << 20 };

typedef struct cache_slot {
    int64_t block; /* -1: empty */
    int64_t used;  /* time of the last use */
    int is_changed;
    char *elements;
} cache_slot;

typedef struct cache_set {
    pthread_mutex_t lock;
    int64_t time;
    cache_slot slot[WAYS];
} cache_set;

struct stn_cache {
    stn_archive *archive;
    int bits; /* 2^bits sets */
    cache_set *sets;
    char *elements;       /* of all slots */
    pthread_mutex_t lock; /* of the error */
    _Atomic int has_failed, is_verified;
    stn_status status; /* of the first error, and its message */
    char message[1024];
};

/* ---- creation ---- */

/* The number of slots: those that the options request, or that hold the blocks of one index of the
 * first dimension twice, so that a traversal in C order decodes each block once. */
static int64_t slots_of(const stn_archive *archive)
{
    const int64_t bytes = stn_cells_bytes(&archive->cells);
    const int64_t along = archive->rank > 0 ? archive->blocks_along[0] : 1;
    const int64_t layer = archive->blocks > 0 ? 2 * (archive->blocks / along) : 1;
    int64_t slots = CACHE_BYTES / bytes;
    if (layer > slots)
        slots = layer < LAYER_BYTES / bytes ? layer : LAYER_BYTES / bytes;
    if (archive->cached_blocks > 0)
        slots = archive->cached_blocks;
    return slots < archive->blocks ? slots : archive->blocks;
}

static int bits_of(int64_t slots)
{
    int bits = 0;
    while (bits < 30 && ((int64_t)WAYS << bits) < slots)
        bits++;
    return bits;
}

stn_status stn_cache_create(stn_archive *archive)
{
    const int bits = bits_of(slots_of(archive));
    const int64_t sets = (int64_t)1 << bits, bytes = stn_cells_bytes(&archive->cells);
    const int64_t each = (bytes + STN_LINE - 1) / STN_LINE * STN_LINE;
    stn_cache *cache;
    STN_TRY(stn_allocate(&cache, 1, sizeof *cache, "cache of an archive"));
    memset(cache, 0, sizeof *cache);
    cache->archive = archive;
    cache->bits = bits;
    stn_status status =
        stn_allocate(&cache->sets, sets, sizeof *cache->sets, "cache of an archive");
    if (status == STN_OK)
        status = stn_allocate(&cache->elements, sets * WAYS, (size_t)each, "cache of an archive");
    if (status != STN_OK) {
        stn_free(cache->sets);
        stn_free(cache);
        return status;
    }
    memset(cache->sets, 0, (size_t)sets * sizeof *cache->sets);
    for (int64_t k = 0; k < sets * WAYS; k++)
        cache->sets[k / WAYS].slot[k % WAYS] =
            (cache_slot){.block = -1, .elements = cache->elements + k * each};
    for (int64_t k = 0; k < sets; k++)
        pthread_mutex_init(&cache->sets[k].lock, NULL);
    pthread_mutex_init(&cache->lock, NULL);
    archive->cache = cache;
    return STN_OK;
}

void stn_cache_release(stn_cache *cache)
{
    if (!cache)
        return;
    for (int64_t k = 0; k < (int64_t)1 << cache->bits; k++)
        pthread_mutex_destroy(&cache->sets[k].lock);
    pthread_mutex_destroy(&cache->lock);
    stn_free(cache->sets);
    stn_free(cache->elements);
    stn_free(cache);
}

/* ---- errors, which the next operation reports ---- */

static void keep_error(stn_cache *cache, stn_status status)
{
    pthread_mutex_lock(&cache->lock);
    if (!atomic_load(&cache->has_failed)) {
        cache->status = status;
        snprintf(cache->message, sizeof cache->message, "%s", stn_error());
        atomic_store(&cache->has_failed, 1);
    }
    pthread_mutex_unlock(&cache->lock);
}

static stn_status error_of(const char *call, stn_cache *cache)
{
    return atomic_load(&cache->has_failed) ? stn_fail(cache->status, "%s: %s", call, cache->message)
                                           : STN_OK;
}

/* ---- blocks ---- */

/* Moves rows between contiguous elements of a block and a slot. */
static void spread(const stn_archive *archive, const stn_cells *cells, char *slot, char *elements,
                   int gathers)
{
    const int last = cells->rank - 1;
    const int64_t row = cells->extent[last] * cells->bytes;
    for (int64_t k = 0; k < cells->count / cells->extent[last]; k++) {
        int64_t at = 0, rest = k, step = archive->block[last];
        for (int d = last - 1; d >= 0; d--) {
            at += rest % cells->extent[d] * step;
            rest /= cells->extent[d];
            step *= archive->block[d];
        }
        char *const in_slot = slot + at * cells->bytes, *const in_block = elements + k * row;
        memcpy(gathers ? in_block : in_slot, gathers ? in_slot : in_block, (size_t)row);
    }
}

/* Decodes (or encodes) the block of a slot. */
static stn_status transfer(stn_cache *cache, cache_slot *slot, int encodes)
{
    stn_archive *const archive = cache->archive;
    int64_t first[STN_MAX_RANK];
    stn_packer_state *state;
    stn_cells cells;
    stn_archive_cells(archive, slot->block, &cells, first);
    const int is_whole = cells.count == archive->cells.count;
    STN_TRY(stn_archive_take_state(archive, &state));
    char *const elements = is_whole ? slot->elements : state->elements;
    stn_status status;
    if (encodes && !is_whole)
        spread(archive, &cells, slot->elements, elements, 1);
    if (encodes)
        status = stn_archive_encode(archive, state, slot->block, elements);
    else
        status = stn_archive_decode(archive, state, slot->block, NULL, elements);
    if (!encodes && status == STN_OK && !is_whole)
        spread(archive, &cells, slot->elements, elements, 0);
    stn_archive_return_state(archive, state);
    return status;
}

static stn_status clean(stn_cache *cache, cache_slot *slot)
{
    if (!slot->is_changed)
        return STN_OK;
    slot->is_changed = 0;
    return transfer(cache, slot, 1);
}

/* The slot that has the block, in place of the block that was not used for the longest time. The
 * elements of a block that cannot be decoded are NaN or -1. */
static cache_slot *find_slot(stn_cache *cache, cache_set *set, int64_t block)
{
    cache_slot *oldest = &set->slot[0];
    for (int k = 0; k < WAYS; k++) {
        cache_slot *const slot = &set->slot[k];
        if (slot->block == block) {
            slot->used = ++set->time;
            return slot;
        }
        if (slot->used < oldest->used)
            oldest = slot;
    }
    stn_status status = clean(cache, oldest);
    if (status != STN_OK)
        keep_error(cache, status);
    oldest->block = block;
    oldest->used = ++set->time;
    status = transfer(cache, oldest, 0);
    if (status != STN_OK) {
        keep_error(cache, status);
        memset(oldest->elements, 0xff, (size_t)stn_cells_bytes(&cache->archive->cells));
    }
    return oldest;
}

static cache_set *set_of(stn_cache *cache, int64_t block)
{
    const uint64_t hash = (uint64_t)block * 0x9e3779b97f4a7c15;
    return &cache->sets[cache->bits ? hash >> (64 - cache->bits) : 0];
}

/* The caller's floating-point modes would change values of codecs with loss. */
stn_status stn_cache_flush(const char *call, stn_archive *archive, int drops)
{
    stn_cache *const cache = archive->cache;
    if (!cache)
        return STN_OK;
    const stn_modes modes = stn_modes_enter();
    for (int64_t k = 0; k < (int64_t)1 << cache->bits; k++) {
        cache_set *const set = &cache->sets[k];
        pthread_mutex_lock(&set->lock);
        for (int w = 0; w < WAYS; w++) {
            const stn_status status = clean(cache, &set->slot[w]);
            if (status != STN_OK)
                keep_error(cache, status);
            if (drops)
                set->slot[w].block = -1;
        }
        pthread_mutex_unlock(&set->lock);
    }
    stn_modes_leave(modes);
    return error_of(call, cache);
}

/* ---- views ---- */

/* `bytes` is a constant in each call below. */
static inline __attribute__((always_inline)) void
move_codes(char *address, int64_t step, char *codes, int64_t bytes, int64_t count, int stores)
{
    for (int64_t k = 0; k < count; k++) {
        char *const element = address + k * step, *const code = codes + k * bytes;
        memcpy(stores ? element : code, stores ? code : element, (size_t)bytes);
    }
}

static void move_part(char *address, int64_t stride, char *codes, int64_t bytes, int64_t count,
                      int stores)
{
    if (stride == 1) {
        memcpy(stores ? address : codes, stores ? codes : address, (size_t)(count * bytes));
        return;
    }
    switch (bytes) {
    case 4:
        move_codes(address, 4 * stride, codes, 4, count, stores);
        break;
    case 8:
        move_codes(address, 8 * stride, codes, 8, count, stores);
        break;
    default:
        move_codes(address, bytes * stride, codes, bytes, count, stores);
    }
}

static void move(void *context, int64_t offset, int64_t stride, int64_t count, void *codes,
                 int stores)
{
    stn_archive *const archive = context;
    stn_cache *const cache = archive->cache;
    const int64_t block = offset / archive->cells.count, bytes = archive->cells.bytes;
    cache_set *const set = set_of(cache, block);
    pthread_mutex_lock(&set->lock);
    cache_slot *const slot = find_slot(cache, set, block);
    move_part(slot->elements + offset % archive->cells.count * bytes, stride, codes, bytes, count,
              stores);
    slot->is_changed |= stores;
    pthread_mutex_unlock(&set->lock);
}

/* Readers of tiles cannot fail: blocks of a file are checked once, before the first operation, and
 * the memory of threads is allocated. */
static stn_status prepare(void *context, const char *call, const stn_exec *exec)
{
    stn_archive *const archive = context;
    stn_cache *const cache = archive->cache;
    const stn_exec *const host = stn_exec_on_host(exec);
    STN_TRY(error_of(call, cache));
    if (archive->mapped && !atomic_load(&cache->is_verified)) {
        STN_TRY(stn_archive_verify_blocks(call, host, archive));
        atomic_store(&cache->is_verified, 1);
    }
    return stn_archive_reserve_states(archive, host ? host->threads : 1);
}

static void release(void *context)
{
    stn_archive_release(context);
}

stn_status stn_archive_view(stn_view *view, stn_archive *archive)
{
    static const char call[] = "stn_archive_view";
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is NULL", call);
    memset(view, 0, sizeof *view);
    STN_TRY(stn_archive_expect(call, archive));
    pthread_mutex_lock(&archive->lock);
    const stn_status status = archive->cache ? STN_OK : stn_cache_create(archive);
    pthread_mutex_unlock(&archive->lock);
    STN_TRY(status);
    const stn_store store = {.move = move,
                             .prepare = prepare,
                             .release = release,
                             .context = archive,
                             .state = "compressed"};
    STN_TRY(stn_view_create_stored(
        view,
        &STN_VIEW_SPEC(.label = "archive", .storage = stn_storage_of(archive->format),
                       .rank = archive->rank, .extents = archive->extent),
        archive->block, &store));
    atomic_fetch_add(&archive->uses, 1);
    return STN_OK;
}
