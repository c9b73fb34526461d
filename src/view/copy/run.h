/* Runs of a copy: elements with a constant step on both sides, moved or converted. */
#ifndef STENO_VIEW_COPY_RUN_H
#define STENO_VIEW_COPY_RUN_H

#include "view/copy/plan.h"

/* Executes a plan run by run, along the last dimension. */
void stn_copy_runs(const stn_exec *exec, const stn_copy_plan *plan);

/* Writes `count` contiguous copies of one element of `bytes` bytes. */
void stn_copy_repeat(char *to, const char *element, int64_t bytes, int64_t count, int streaming);

/* Decodes and encodes `count` elements; steps are in bytes. `streaming` applies to contiguous
 * elements. Element k draws number `first` + k. */
void stn_copy_convert(const stn_conversion *conversion, char *to, int64_t to_step, const char *from,
                      int64_t from_step, int64_t first, int64_t count, int streaming);

#endif
