/* Fuzzes what reads fat binaries: the entries of one, whose header is made here. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz/image.h"

FUZZ(bytes, size)
{
    static const unsigned char header[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    unsigned char *all = malloc(sizeof header + 8 + size);
    if (!all)
        return 0;
    memcpy(all, header, sizeof header);
    for (int b = 0; b < 8; b++)
        all[sizeof header + (size_t)b] = (unsigned char)((uint64_t)size >> 8 * b);
    memcpy(all + sizeof header + 8, bytes, size);
    look_at_bytes(all, sizeof header + 8 + size);
    free(all);
    return 0;
}
