/* Launches on the host by code that its compiler makes for the views at hand. */
#ifndef STENO_MAP_COMPILED_H
#define STENO_MAP_COMPILED_H

#include "map/launch.h"

/* Has the kernel a text that says all? */
int stn_launch_may_compile(const stn_launch *launch);

/* Plan a launch and carry it out, compiling the kernel where it is not yet. Views for which tiles
 * are better, and kernels that cannot be compiled, are left alone with *done 0. Errors of
 * stn_launch_plan. */
stn_status stn_launch_compiled(stn_launch *launch, int rank, const int64_t *extents,
                               const stn_argument *arguments, int *done);

#endif
