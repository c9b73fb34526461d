/* See checksum.h. */
#include "codec/checksum.h"

#include <string.h>

static const uint64_t prime[6] = {0,
                                  0x9e3779b185ebca87,
                                  0xc2b2ae3d27d4eb4f,
                                  0x165667b19e3779f9,
                                  0x85ebca77c2b2ae63,
                                  0x27d4eb2f165667c5};

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t load(const uint8_t *at, size_t bytes)
{
    uint64_t x = 0;
    memcpy(&x, at, bytes);
    return x;
}

static uint64_t mix(uint64_t sum, uint64_t x)
{
    return rotate(sum + x * prime[2], 31) * prime[1];
}

/* 32 bytes at a time, in four sums. */
static uint64_t sum_of_stripes(const uint8_t *at, int64_t stripes)
{
    uint64_t sum[4] = {prime[1] + prime[2], prime[2], 0, 0 - prime[1]};
    for (int64_t k = 0; k < stripes; k++, at += 32)
        for (int lane = 0; lane < 4; lane++)
            sum[lane] = mix(sum[lane], load(at + 8 * lane, 8));
    uint64_t all = rotate(sum[0], 1) + rotate(sum[1], 7) + rotate(sum[2], 12) + rotate(sum[3], 18);
    for (int lane = 0; lane < 4; lane++)
        all = (all ^ mix(0, sum[lane])) * prime[1] + prime[4];
    return all;
}

uint64_t stn_checksum(const void *bytes, int64_t count)
{
    const uint8_t *at = bytes;
    const uint8_t *const end = at + count;
    uint64_t sum = count >= 32 ? sum_of_stripes(at, count / 32) : prime[5];
    at += count / 32 * 32;
    sum += (uint64_t)count;
    for (; end - at >= 8; at += 8)
        sum = rotate(sum ^ mix(0, load(at, 8)), 27) * prime[1] + prime[4];
    for (; end - at >= 4; at += 4)
        sum = rotate(sum ^ load(at, 4) * prime[1], 23) * prime[2] + prime[3];
    for (; at < end; at++)
        sum = rotate(sum ^ *at * prime[5], 11) * prime[1];
    sum = (sum ^ sum >> 33) * prime[2];
    sum = (sum ^ sum >> 29) * prime[3];
    return sum ^ sum >> 32;
}
