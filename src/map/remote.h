/* Launches on devices. */
#ifndef STENO_MAP_REMOTE_H
#define STENO_MAP_REMOTE_H

#include "map/launch.h"

/* Compile the kernel of a planned launch for its views, and queue it. A kernel with a
 * stencil, which may be left by its radius, is waited for. STN_ERR_UNSUPPORTED for what no device
 * does, STN_ERR_DEVICE, STN_ERR_MEMORY; STN_ERR_RANGE from stn_launch_tell. */
stn_status stn_launch_remote(stn_launch *launch);

#endif
