/* New views in any memory. */
#ifndef STENO_VIEW_CREATE_H
#define STENO_VIEW_CREATE_H

#include "view/view.h"

/* stn_view_create in a space; flags that select a space are ignored. Messages begin with `call`.
 * STN_ERR_UNSUPPORTED for spaces other than the host's unless the executor is a device. */
stn_status stn_view_create_in(const char *call, stn_view *view, const stn_exec *exec,
                              stn_space space, const char *label, stn_storage storage,
                              const stn_layout *layout, int rank, const int64_t *extents,
                              unsigned flags);

/* stn_view_adopt for any format, including formats whose elements are not in memory. */
stn_status stn_view_adopt_any(const char *call, stn_view *view, const stn_view_spec *spec);

/* An uninitialized view for the duration of one call, which only this executor uses. A device
 * reuses the memory in subsequent calls. */
stn_status stn_view_create_scratch(const stn_exec *exec, stn_view *view, const char *label,
                                   stn_storage storage, int rank, const int64_t *extents);

#endif
