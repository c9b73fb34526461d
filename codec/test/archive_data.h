/* Arrays with which archives are tested. */
#ifndef STENO_CODEC_ARCHIVE_DATA_H
#define STENO_CODEC_ARCHIVE_DATA_H

#include <math.h>
#include <stdint.h>

#include "steno/view.h"

typedef enum kind_of_data {
    DATA_SMOOTH,
    DATA_ROUGH,
    DATA_CONSTANT,
    DATA_DENORMAL,
    DATA_NAN,
    DATA_RANDOM_BITS,
    DATA_KINDS
} kind_of_data;

static const char *const data_names[] = {"smooth",   "rough", "constant",
                                         "denormal", "nan",   "random bits"};

/* A generator of pseudo-random numbers (splitmix64). */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* The value of element k of such data. */
static inline double data_value(kind_of_data kind, int64_t k, uint64_t *state)
{
    const double noise = (double)(int64_t)next_random(state) * 0x1p-63;
    switch (kind) {
    case DATA_SMOOTH:
        return sin(0.01 * (double)k) + 0.3 * cos(0.037 * (double)k);
    case DATA_ROUGH:
        return 100.0 * noise;
    case DATA_CONSTANT:
        return 2.75;
    case DATA_DENORMAL:
        return noise * 0x1p-1030;
    default:
        return k % 7 == 3    ? (double)NAN
               : k % 11 == 5 ? (k % 2 ? (double)INFINITY : -(double)INFINITY)
                             : sin(0.02 * (double)k);
    }
}

/* Fills `count` elements with data; elements of other formats than f64 and f32 are any bits. */
static inline void fill_data(kind_of_data kind, stn_format format, void *elements, int64_t count,
                             int64_t bytes)
{
    uint64_t state = (uint64_t)kind + 1;
    const int is_double = format == STN_F64 || format == STN_C128;
    const int is_float = format == STN_F32 || format == STN_C64;
    const int64_t values = count * bytes / (is_double ? 8 : is_float ? 4 : 1);
    for (int64_t k = 0; k < values; k++)
        if (kind == DATA_RANDOM_BITS || !(is_double || is_float)) {
            const uint64_t bits = next_random(&state) & (kind == DATA_SMOOTH ? 3 : ~(uint64_t)0);
            if (is_double)
                ((uint64_t *)elements)[k] = bits;
            else if (is_float)
                ((uint32_t *)elements)[k] = (uint32_t)bits;
            else
                ((uint8_t *)elements)[k] = kind == DATA_CONSTANT ? 7 : (uint8_t)bits;
        } else if (is_double) {
            ((double *)elements)[k] = data_value(kind, k, &state);
        } else {
            ((float *)elements)[k] = kind == DATA_DENORMAL
                                         ? (float)(data_value(DATA_ROUGH, k, &state) * 0x1p-140)
                                         : (float)data_value(kind, k, &state);
        }
}

#endif
