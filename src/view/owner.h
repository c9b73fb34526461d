/* Owners of memory, label and mapping, with a count of handles. */
#ifndef STENO_VIEW_OWNER_H
#define STENO_VIEW_OWNER_H

#include "view/view.h"

/* An owner, with one handle, of `bytes` bytes of new memory on the host, aligned to 64, and of a
 * copy of the label. STN_ERR_MEMORY and STN_ERR_RANGE; the caller sets the message. */
stn_status stn_owner_allocate(const char *label, int64_t bytes, stn_owner **owner);

/* The same in the space of a device. Errors are those of the device. Scratch memory is in the
 * device's space, and only its queue may use it (exec/scratch.h). */
stn_status stn_owner_allocate_on(struct stn_device *device, stn_space space, const char *label,
                                 int64_t bytes, int is_scratch, stn_owner **owner);

/* An owner of a copy of the label only. Errors as above. */
stn_status stn_owner_create(const char *label, stn_owner **owner);

/* Makes the owner free `extra` after the last handle. */
void stn_owner_add_extra(stn_owner *owner, stn_view_extra *extra);

/* Makes the view the first handle of an owner. */
void stn_owner_attach(stn_view *view, stn_owner *owner);

/* Adds a handle to a view's owner. Returns 0 if the last one has already been released. */
int stn_owner_share(const stn_view *view);

/* Returns whether a view owns memory that a resized view can replace. */
int stn_view_owns_memory(const stn_view *view);

#endif
