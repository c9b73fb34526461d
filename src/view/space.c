/* Spaces of memory, and the executors that can access them. */
#include "exec/exec.h"
#include "steno/view.h"

static const char *const names[] = {
    [STN_SPACE_HOST] = "host",
    [STN_SPACE_PINNED] = "pinned",
    [STN_SPACE_MANAGED] = "managed",
    [STN_SPACE_DEVICE] = "device",
};
enum { SPACES = sizeof names / sizeof names[0] };

const char *stn_space_name(stn_space space)
{
    return (unsigned)space < SPACES ? names[space] : "unknown space";
}

/* The calling thread, which NULL means, and host executors can access host-accessible memory; a
 * device can access everything except plain host memory. */
int stn_space_accessible(const stn_exec *exec, stn_space space)
{
    const stn_space out_of_reach = stn_exec_device(exec) ? STN_SPACE_HOST : STN_SPACE_DEVICE;
    return (unsigned)space < SPACES && space != out_of_reach;
}

stn_space stn_exec_space(const stn_exec *exec)
{
    return stn_exec_device(exec) ? STN_SPACE_DEVICE : STN_SPACE_HOST;
}

stn_layout_kind stn_exec_layout(const stn_exec *exec)
{
    (void)exec;
    return STN_LAYOUT_RIGHT;
}
