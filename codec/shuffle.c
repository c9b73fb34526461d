/* Filters: bytes, or bits, of the elements are grouped by their position in the element.
 *
 * Byte shuffle: byte b of element k is stored at b * count + k. Bit shuffle: parts of 512 elements
 * are shuffled separately, and bits t of the bytes 8 j to 8 j + 7 of each plane become byte
 * (count / 8) * t + j of it; the last count % 8 bytes of a plane are unchanged. Bits are grouped by
 * plane in parts, because a longer plane would need a buffer. */
#include <string.h>

#include "codec/packer.h"

enum { STRIP = 256 }; /* elements at a time, so that all planes of a strip are in the first cache */

/* `bytes` is a constant in each call below, so that compilers vectorize the loops. */
static inline __attribute__((always_inline)) void
shuffle_of(uint8_t *restrict to, const uint8_t *restrict from, int64_t count, int64_t bytes)
{
    for (int64_t first = 0; first < count; first += STRIP) {
        const int64_t end = count - first < STRIP ? count : first + STRIP;
        for (int64_t b = 0; b < bytes; b++)
            for (int64_t k = first; k < end; k++)
                to[b * count + k] = from[k * bytes + b];
    }
}

/* 8 rows of 8 bytes become columns. */
static inline __attribute__((always_inline)) void transpose_8x8(uint64_t row[8])
{
    static const uint64_t mask[3] = {0x00000000ffffffff, 0x0000ffff0000ffff, 0x00ff00ff00ff00ff};
    for (int s = 0, distance = 4; s < 3; s++, distance /= 2)
        for (int k = 0; k < 8; k++)
            if (!(k & distance)) {
                const uint64_t a = row[k], b = row[k + distance];
                row[k] = (a & mask[s]) | (b & mask[s]) << 8 * distance;
                row[k + distance] = (a >> 8 * distance & mask[s]) | (b & ~mask[s]);
            }
}

static inline __attribute__((always_inline)) void
shuffle_8(uint8_t *restrict to, const uint8_t *restrict from, int64_t count, int forward)
{
    int64_t k = 0;
    for (; k + 8 <= count; k += 8) {
        uint64_t row[8];
        for (int j = 0; j < 8; j++)
            memcpy(&row[j], forward ? from + (k + j) * 8 : from + j * count + k, 8);
        transpose_8x8(row);
        for (int j = 0; j < 8; j++)
            memcpy(forward ? to + j * count + k : to + (k + j) * 8, &row[j], 8);
    }
    for (; k < count; k++)
        for (int b = 0; b < 8; b++)
            to[forward ? b * count + k : k * 8 + b] = from[forward ? k * 8 + b : b * count + k];
}

static inline __attribute__((always_inline)) void
unshuffle_of(uint8_t *restrict to, const uint8_t *restrict from, int64_t count, int64_t bytes)
{
    for (int64_t k = 0; k < count; k++)
        for (int64_t b = 0; b < bytes; b++)
            to[k * bytes + b] = from[b * count + k];
}

static void shuffle(void *to, const void *from, int64_t count, int64_t bytes)
{
    switch (bytes) {
    case 1:
        memcpy(to, from, (size_t)count);
        break;
    case 2:
        shuffle_of(to, from, count, 2);
        break;
    case 4:
        shuffle_of(to, from, count, 4);
        break;
    case 8:
        shuffle_8(to, from, count, 1);
        break;
    default:
        shuffle_of(to, from, count, bytes);
    }
}

static void unshuffle(void *to, const void *from, int64_t count, int64_t bytes)
{
    switch (bytes) {
    case 1:
        memcpy(to, from, (size_t)count);
        break;
    case 2:
        unshuffle_of(to, from, count, 2);
        break;
    case 4:
        unshuffle_of(to, from, count, 4);
        break;
    case 8:
        shuffle_8(to, from, count, 0);
        break;
    default:
        unshuffle_of(to, from, count, bytes);
    }
}

/* ---- bits ---- */

/* The 8 x 8 bits of a word, transposed (H. S. Warren, Hacker's Delight, 7-3). */
static inline uint64_t transpose_bits(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000cccc;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0;
    return x ^ t ^ t << 28;
}

static void shuffle_bits(uint8_t *to, const uint8_t *from, int64_t count)
{
    const int64_t groups = count / 8;
    for (int64_t j = 0; j < groups; j++) {
        uint64_t x;
        memcpy(&x, from + 8 * j, 8);
        x = transpose_bits(x);
        for (int t = 0; t < 8; t++)
            to[groups * t + j] = (uint8_t)(x >> 8 * t);
    }
    memcpy(to + 8 * groups, from + 8 * groups, (size_t)(count - 8 * groups));
}

static void unshuffle_bits(uint8_t *to, const uint8_t *from, int64_t count)
{
    const int64_t groups = count / 8;
    for (int64_t j = 0; j < groups; j++) {
        uint64_t x = 0;
        for (int t = 0; t < 8; t++)
            x |= (uint64_t)from[groups * t + j] << 8 * t;
        x = transpose_bits(x);
        memcpy(to + 8 * j, &x, 8);
    }
    memcpy(to + 8 * groups, from + 8 * groups, (size_t)(count - 8 * groups));
}

/* Elements are shuffled in parts whose planes are on the stack. */
enum { PART = 512 };

static void bitshuffle(void *to, const void *from, int64_t count, int64_t bytes)
{
    uint8_t planes[PART * STN_ELEMENT_MAX_BYTES];
    for (int64_t first = 0; first < count; first += PART) {
        const int64_t part = count - first < PART ? count - first : PART;
        shuffle(planes, (const uint8_t *)from + first * bytes, part, bytes);
        for (int64_t b = 0; b < bytes; b++)
            shuffle_bits((uint8_t *)to + first * bytes + b * part, planes + b * part, part);
    }
}

static void bitunshuffle(void *to, const void *from, int64_t count, int64_t bytes)
{
    uint8_t planes[PART * STN_ELEMENT_MAX_BYTES];
    for (int64_t first = 0; first < count; first += PART) {
        const int64_t part = count - first < PART ? count - first : PART;
        for (int64_t b = 0; b < bytes; b++)
            unshuffle_bits(planes + b * part, (const uint8_t *)from + first * bytes + b * part,
                           part);
        unshuffle((uint8_t *)to + first * bytes, planes, part, bytes);
    }
}

const stn_packer_row stn_packer_shuffle = {.name = "shuffle",
                                           .library = "Steno",
                                           .parameters = "",
                                           .filter = shuffle,
                                           .unfilter = unshuffle};
const stn_packer_row stn_packer_bitshuffle = {.name = "bitshuffle",
                                              .library = "Steno",
                                              .parameters = "",
                                              .filter = bitshuffle,
                                              .unfilter = bitunshuffle};
