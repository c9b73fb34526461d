/* Decompression for NVIDIA's fat binaries, and little-endian numbers. */
#ifndef STENO_CONTRACT_UNPACK_H
#define STENO_CONTRACT_UNPACK_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t stn_read_32(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t stn_read_64(const unsigned char *bytes)
{
    return stn_read_32(bytes) | (uint64_t)stn_read_32(bytes + 4) << 32;
}

/* An LZ4 block without a frame (lz4_Block_format.md): returns 1 if `size` bytes decompress to
 * exactly `capacity` bytes, else 0. */
int stn_unpack_lz4(const unsigned char *from, size_t size, unsigned char *to, size_t capacity);

/* The same for a zstd frame, by the system's libzstd, which is loaded on demand; -1 if it is
 * missing. */
int stn_unpack_zstd(const unsigned char *from, size_t size, unsigned char *to, size_t capacity);

#endif
