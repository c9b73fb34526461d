/* Owners of memory, label and mapping, with a count of the handles. */
#ifndef STENO_VIEW_OWNER_H
#define STENO_VIEW_OWNER_H

#include <stdatomic.h>

#include "view/view.h"

typedef enum stn_owned {
    STN_OWNS_NOTHING,   /* but the mapping */
    STN_OWNS_INSIDE,    /* behind the owner, in the same allocation */
    STN_OWNS_ALLOCATED, /* from stn_allocate */
    STN_OWNS_ADOPTED    /* given back by free_data */
} stn_owned;

struct stn_owner {
    _Atomic int64_t handles;
    stn_owned owned;
    stn_space space;
    const char *label; /* inside the allocation */
    void *data;        /* the first byte of the memory, not of element (0, ..., 0) */
    int64_t bytes;
    stn_mapping *mapping; /* NULL, or allocated */
    void (*free_data)(void *data, void *context);
    void *context;
};

/* An owner of `bytes` bytes of new memory on the host, aligned to 64, and of a copy of the label,
 * with one handle. STN_ERR_MEMORY and STN_ERR_RANGE, whose message the caller makes. */
stn_status stn_owner_allocate(const char *label, int64_t bytes, stn_owner **owner);

/* An owner of a copy of the label only. Errors as above. */
stn_status stn_owner_make(const char *label, stn_owner **owner);

/* Does a view have memory of its own, which other sizes of it may replace? */
int stn_view_owns_memory(const stn_view *view);

#endif
