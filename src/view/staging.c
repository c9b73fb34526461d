/* A hash table with chains. The number of chains is the capacity. */
#include "view/staging.h"

#include <string.h>

#include "core/memory.h"

enum { FIRST_CAPACITY = 64, MAX_CAPACITY = 1 << 28 };

void stn_staging_init(stn_staging *staging)
{
    memset(staging, 0, sizeof *staging);
    pthread_mutex_init(&staging->lock, NULL);
    staging->free = -1;
}

void stn_staging_release(stn_staging *staging)
{
    stn_free(staging->blocks);
    stn_free(staging->first);
    pthread_mutex_destroy(&staging->lock);
}

static int32_t *chain_of(const stn_staging *staging, int64_t block)
{
    const uint64_t hash = (uint64_t)block * 0x9e3779b97f4a7c15u >> 32;
    return &staging->first[hash & (uint64_t)(staging->capacity - 1)];
}

stn_staged *stn_staging_find(stn_staging *staging, int64_t block)
{
    if (staging->capacity == 0)
        return NULL;
    for (int32_t at = *chain_of(staging, block); at >= 0; at = staging->blocks[at].next)
        if (staging->blocks[at].block == block)
            return &staging->blocks[at];
    return NULL;
}

static void insert(stn_staging *staging, int32_t at)
{
    int32_t *const chain = chain_of(staging, staging->blocks[at].block);
    staging->blocks[at].next = *chain;
    *chain = at;
}

/* All blocks are in use. Returns 0 if out of memory. */
static int grow(stn_staging *staging)
{
    const int32_t capacity = staging->capacity ? 2 * staging->capacity : FIRST_CAPACITY;
    stn_staged *blocks;
    int32_t *first;
    if (capacity > MAX_CAPACITY ||
        stn_allocate(&blocks, capacity, sizeof *blocks, "incomplete blocks") != STN_OK)
        return 0;
    if (stn_allocate(&first, capacity, sizeof *first, "incomplete blocks") != STN_OK) {
        stn_free(blocks);
        return 0;
    }
    if (staging->used)
        memcpy(blocks, staging->blocks, (size_t)staging->used * sizeof *blocks);
    memset(first, 0xff, (size_t)capacity * sizeof *first);
    stn_free(staging->blocks);
    stn_free(staging->first);
    staging->blocks = blocks;
    staging->first = first;
    staging->capacity = capacity;
    for (int32_t at = 0; at < staging->used; at++)
        insert(staging, at);
    return 1;
}

stn_staged *stn_staging_add(stn_staging *staging, int64_t block)
{
    stn_staged *const found = stn_staging_find(staging, block);
    if (found)
        return found;
    int32_t at = staging->free;
    if (at >= 0) {
        staging->free = staging->blocks[at].next;
    } else if (staging->used < staging->capacity || grow(staging)) {
        at = staging->used++;
    } else {
        staging->has_failed = 1;
        return NULL;
    }
    staging->blocks[at].block = block;
    staging->blocks[at].stored = 0;
    insert(staging, at);
    atomic_fetch_add(&staging->count, 1);
    return &staging->blocks[at];
}

void stn_staging_remove(stn_staging *staging, int64_t block)
{
    if (staging->capacity == 0)
        return;
    int32_t *link = chain_of(staging, block);
    while (*link >= 0 && staging->blocks[*link].block != block)
        link = &staging->blocks[*link].next;
    const int32_t at = *link;
    if (at < 0)
        return;
    *link = staging->blocks[at].next;
    staging->blocks[at].next = staging->free;
    staging->free = at;
    atomic_fetch_sub(&staging->count, 1);
}

void stn_staging_drain(stn_staging *staging, void (*visit)(void *context, const stn_staged *staged),
                       void *context)
{
    for (int32_t chain = 0; chain < staging->capacity; chain++) {
        for (int32_t at = staging->first[chain]; at >= 0; at = staging->blocks[at].next)
            visit(context, &staging->blocks[at]);
        staging->first[chain] = -1;
    }
    staging->used = 0;
    staging->free = -1;
    atomic_store(&staging->count, 0);
}
