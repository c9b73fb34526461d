/* Fuzzes parts of reductions that come from elsewhere: they are merged to a sound part, or refused
 * and left as they were. The bytes choose an operation, elements, and what of the parts is spoilt.
 */
#include <stdio.h>
#include <stdlib.h>

#include "partial_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static stn_exec *exec;
    static stn_partial *parts[2]; /* each by itself, so that nothing lies behind it */
    if (!exec &&
        (stn_exec_create(&exec, "reference") != STN_OK ||
         !(parts[0] = malloc(sizeof(stn_partial))) || !(parts[1] = malloc(sizeof(stn_partial)))))
        abort();
    const char *complaint = partial_try(exec, bytes, size, parts[0], parts[1]);
    if (complaint) {
        fprintf(stderr, "fuzz_partial: %s: %s\n", complaint, stn_error());
        abort();
    }
    return 0;
}
