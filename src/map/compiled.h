/* Launches on the host with code compiled for the given views. */
#ifndef STENO_MAP_COMPILED_H
#define STENO_MAP_COMPILED_H

#include "map/launch.h"

/* Does the kernel have a complete text? */
int stn_launch_may_compile(const stn_launch *launch);

/* Plans and runs a launch, compiling the kernel if necessary. If the views need tiles, or
 * the kernel cannot be compiled, *done is 0 and nothing happens. Errors of
 * stn_launch_plan. */
stn_status stn_launch_compiled(stn_launch *launch, int rank, const int64_t *extents,
                               const stn_argument *arguments, int *done);

#endif
