/* Runs of a copy: elements that lie at one step on either side, moved or converted. */
#ifndef STENO_VIEW_COPY_RUN_H
#define STENO_VIEW_COPY_RUN_H

#include "view/copy/plan.h"

/* Carry out a plan run by run, along the last dimension. */
void stn_copy_runs(const stn_exec *exec, const stn_copy_plan *plan);

/* Move `count` elements of `bytes`, at steps in bytes. */
void stn_copy_move(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t bytes,
                   int64_t count);

/* Put `count` copies of one element of `bytes` side by side. */
void stn_copy_repeat(char *to, const char *element, int64_t bytes, int64_t count, int streaming);

/* Decode and encode `count` elements at steps in bytes. `streaming` concerns contiguous ones;
 * element 0 draws number `first`. */
void stn_copy_convert(const stn_conversion *conversion, char *to, int64_t to_step, const char *from,
                      int64_t from_step, int64_t first, int64_t count, int streaming);

#endif
