/* Owners of memory, label and mapping, with a count of the handles. */
#ifndef STENO_VIEW_OWNER_H
#define STENO_VIEW_OWNER_H

#include "view/view.h"

/* An owner of `bytes` bytes of new memory on the host, aligned to 64, and of a copy of the label,
 * with one handle. STN_ERR_MEMORY and STN_ERR_RANGE, whose message the caller makes. */
stn_status stn_owner_allocate(const char *label, int64_t bytes, stn_owner **owner);

/* The same in another space, of a device. Errors as they are told. Scratch memory is in the
 * device's space, and only its queue may use it (exec/scratch.h). */
stn_status stn_owner_allocate_on(struct stn_device *device, stn_space space, const char *label,
                                 int64_t bytes, int is_scratch, stn_owner **owner);

/* An owner of a copy of the label only. Errors as above. */
stn_status stn_owner_make(const char *label, stn_owner **owner);

/* The owner frees `extra` with the last handle. */
void stn_owner_keep(stn_owner *owner, stn_view_extra *extra);

/* Make the view the first handle of an owner. */
void stn_owner_take(stn_view *view, stn_owner *owner);

/* One handle more of a view's owner; 0 when its last one has been given back. */
int stn_owner_share(const stn_view *view);

/* Does a view have memory of its own, which other sizes of it may replace? */
int stn_view_owns_memory(const stn_view *view);

#endif
