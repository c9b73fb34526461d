/* The reference executor: the calling thread, one element at a time. */
#include "exec/exec.h"
#include "exec/resource.h"

static stn_status open_reference(const char *resource, const char *options, stn_exec *exec)
{
    (void)exec;
    return options ? stn_exec_refuse_unknown(resource) : STN_OK;
}

const stn_exec_calls stn_reference_calls = {
    .kind = "reference", .open = open_reference, .launch = stn_exec_launch_alone};
