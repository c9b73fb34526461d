/* The copy engine, for what has been checked. */
#ifndef STENO_VIEW_COPY_H
#define STENO_VIEW_COPY_H

#include "view/copy/plan.h"
#include "view/view.h"

/* STN_ERR_ARGUMENT, STN_ERR_SHAPE and STN_ERR_UNSUPPORTED: no views, other extents, a read-only
 * `to`, memory out of reach. */
stn_status stn_copy_expect(const char *call, const stn_exec *exec, const stn_view *to,
                           const stn_view *from);

/* Copy between views of the same extents that do not overlap. STN_ERR_FORMAT, and errors of
 * stn_run_make and stn_scales_check, before anything is written. */
stn_status stn_copy_elements(const char *call, const stn_exec *exec, const stn_view *to,
                             const stn_view *from);

/* Copy the code of one element, of the view's format, into every element. On the host it does not
 * fail. */
stn_status stn_fill_codes(const char *call, const stn_exec *exec, const stn_view *view,
                          const void *code);

/* A view of one value as an array of these extents. */
stn_view stn_view_repeated(stn_storage storage, const void *code, const stn_view *shape);

/* How elements of `from` become elements of `to`; *moves is 1 where their codes are the same.
 * STN_ERR_FORMAT where there is no way, and errors of stn_run_make. */
stn_status stn_conversion_make(stn_conversion *conversion, int *moves, const char *call,
                               const stn_exec *exec, const stn_view *to, const stn_view *from);

#endif
