/* The copy engine, for checked arguments. */
#ifndef STENO_VIEW_COPY_H
#define STENO_VIEW_COPY_H

#include "view/copy/plan.h"
#include "view/view.h"

/* STN_ERR_ARGUMENT, STN_ERR_SHAPE, STN_ERR_UNSUPPORTED: invalid views, different extents, a
 * read-only `to`, memory that the executor cannot access. */
stn_status stn_copy_expect(const char *call, const stn_exec *exec, const stn_view *to,
                           const stn_view *from);

/* Copies between views of the same extents that do not overlap. STN_ERR_FORMAT and errors of
 * stn_run_init and stn_scales_check are returned before anything is written. */
stn_status stn_copy_elements(const char *call, const stn_exec *exec, const stn_view *to,
                             const stn_view *from);

/* Copies the code of one element, in the view's format, to every element. Never fails on the host.
 */
stn_status stn_fill_codes(const char *call, const stn_exec *exec, const stn_view *view,
                          const void *code);

/* Adds `count` times these events to the counters of a view, or NULL. */
void stn_counters_add(stn_counters *counters, const stn_counters *events, int64_t count);

/* A view of one value, repeated over the extents of `shape`. */
stn_view stn_view_repeated(stn_storage storage, const void *code, const stn_view *shape);

/* Describes how elements of `from` become elements of `to`. *moves is 1 if their codes are equal.
 * STN_ERR_FORMAT if there is no conversion, and errors of stn_run_init. */
stn_status stn_conversion_init(stn_conversion *conversion, int *moves, const char *call,
                               const stn_exec *exec, const stn_view *to, const stn_view *from);

#endif
