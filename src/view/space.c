/* Where memory is, and who reaches it. */
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

/* Both executors there are run on the host; so does the calling thread, which NULL stands for. */
int stn_space_accessible(const stn_exec *exec, stn_space space)
{
    (void)exec;
    return (unsigned)space < SPACES && space != STN_SPACE_DEVICE;
}

stn_space stn_exec_space(const stn_exec *exec)
{
    (void)exec;
    return STN_SPACE_HOST;
}

stn_layout_kind stn_exec_layout(const stn_exec *exec)
{
    (void)exec;
    return STN_LAYOUT_RIGHT;
}
