/* Fuzzes parts of reductions that come from elsewhere: they are merged to a sound part, or refused
 * and left as they were. The bytes choose an operation, elements, and what of the parts is spoilt.
 */
#include "fuzz/fuzz.h"
#include "partial_model.h"

FUZZ(bytes, size)
{
    static stn_exec *exec;
    static stn_partial
        *parts[2]; /* separate allocations, so that accesses beyond the end are found */
    if (!exec &&
        (stn_exec_create(&exec, "reference") != STN_OK ||
         !(parts[0] = malloc(sizeof(stn_partial))) || !(parts[1] = malloc(sizeof(stn_partial)))))
        abort();
    const char *complaint = partial_try(exec, bytes, size, parts[0], parts[1]);
    require(!complaint, complaint);
    return 0;
}
