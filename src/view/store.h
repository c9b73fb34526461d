/* Views whose elements are not in memory: functions move codes between a store and arrays.
 *
 * Such a view has layout tiled. Its data is a range of addresses that are reserved, so that
 * overlaps are found as in memory, and that are not accessible. Readers and writers of tiles,
 * copies and single elements access it; operations that need addresses of elements refuse it. */
#ifndef STENO_VIEW_STORE_H
#define STENO_VIEW_STORE_H

#include "core/status.h"
#include "steno/view.h"
#include "view/extra.h"

typedef struct stn_store {
    /* Moves `count` codes at the offsets offset, offset + stride, ..., which are in one tile, into
     * the array `codes`; or out of it if `stores`. Several threads may call it. Errors are reported
     * by the next call of `prepare`. */
    void (*move)(void *context, int64_t offset, int64_t stride, int64_t count, void *codes,
                 int stores);
    /* Called before an operation on this executor (NULL: the calling thread). */
    stn_status (*prepare)(void *context, const char *call, const stn_exec *exec);
    void (*release)(void *context); /* after the last handle, of stn_view_create_stored */
    void *context;
    const char *state; /* such as "compressed", for messages */
    int moves_runs;    /* `move` accepts adjacent elements of several tiles */
} stn_store;

/* Creates a view with a handle. The tiles have extents of at least 1. If the call fails, the store
 * is not released. STN_ERR_MEMORY if there are too few addresses. */
STN_PRIVATE_API stn_status stn_view_create_stored(stn_view *view, const stn_view_spec *spec,
                                                  const int64_t *tile, const stn_store *store);

/* NULL if the elements are in memory. */
static inline const stn_store *stn_view_store(const stn_view *view)
{
    const stn_mapping *const mapping = stn_view_mapping(view);
    return mapping ? mapping->store : NULL;
}

/* STN_ERR_UNSUPPORTED if the elements are not in memory. */
stn_status stn_view_expect_memory(const char *call, const stn_view *view);

#endif
