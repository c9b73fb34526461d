/* Launches on devices. */
#ifndef STENO_MAP_REMOTE_H
#define STENO_MAP_REMOTE_H

#include "map/launch.h"

/* Compiles the kernel of a planned launch for its views, and queues it. Waits for kernels with a
 * stencil, which may exceed its radius. STN_ERR_UNSUPPORTED for features that devices lack,
 * STN_ERR_DEVICE, STN_ERR_MEMORY; STN_ERR_RANGE from stn_launch_report. */
stn_status stn_launch_remote(stn_launch *launch);

#endif
