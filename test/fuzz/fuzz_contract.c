/* Fuzzes what reads ELF files, archives, and the cubins and fat binaries inside them. No other
 * program is run. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz/image.h"

FUZZ(bytes, size)
{
    look_at_bytes(bytes, size);
    return 0;
}
