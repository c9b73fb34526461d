/* Launches on the host with code compiled for the given views. */
#ifndef STENO_MAP_COMPILED_H
#define STENO_MAP_COMPILED_H

#include "map/launch.h"

/* Does the executor compile kernels, and does this one have a complete text? */
int stn_launch_may_compile(const stn_exec *exec, const stn_kernel *kernel);

/* A hash of the kernel, the formats of the views, and the powers of two next to extents; and the
 * number of elements of the largest view. The arguments need not be valid. */
uint64_t stn_launch_kind(const stn_kernel *kernel, stn_format arithmetic, int rank,
                         const int64_t *extents, const stn_argument *arguments, double *elements);

/* Plans and runs a launch, compiling the kernel if necessary. If the views need tiles, or
 * the kernel cannot be compiled, *done is 0 and nothing happens. Errors of
 * stn_launch_plan. */
stn_status stn_launch_compiled(stn_launch *launch, int rank, const int64_t *extents,
                               const stn_argument *arguments, int *done);

#endif
