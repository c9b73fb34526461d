/* Fuzzes what reads ELF files, archives, and the cubins and fat binaries inside them. No other
 * program is run. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz/image.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    look_at_bytes(bytes, size);
    return 0;
}
