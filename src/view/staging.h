/* Blocks of which an operation has stored some elements. Each one is encoded when all of its
 * elements have been stored, or at the end, together with its previous elements. So a block is
 * encoded once, whatever the order in which threads store elements. */
#ifndef STENO_VIEW_STAGING_H
#define STENO_VIEW_STAGING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "format/block.h"

typedef struct stn_staged {
    int64_t block;
    uint64_t stored; /* bit k: element k has been stored */
    int32_t next;    /* index of the next one with the same hash, or of the next free one; -1 */
    double values[STN_BLOCK_MOST_ELEMENTS];
} stn_staged;

typedef struct stn_staging {
    pthread_mutex_t lock;
    _Atomic int64_t count; /* staged blocks; readers need no lock while it is 0 */
    stn_staged *blocks;
    int32_t *first; /* of each hash */
    int32_t capacity, used, free;
    int has_failed; /* elements were lost for lack of memory */
} stn_staging;

void stn_staging_init(stn_staging *staging);
void stn_staging_release(stn_staging *staging);

/* The following functions require the lock. */

/* The staged block; NULL if there is none. */
stn_staged *stn_staging_find(stn_staging *staging, int64_t block);

/* The same; creates it without elements. NULL, and has_failed, if out of memory. */
stn_staged *stn_staging_add(stn_staging *staging, int64_t block);

void stn_staging_remove(stn_staging *staging, int64_t block);

/* Calls `visit` for each block and removes it. */
void stn_staging_drain(stn_staging *staging, void (*visit)(void *context, const stn_staged *staged),
                       void *context);

#endif
