/* The first elements of a row of lanes, followed by zeros. Included after format/vec/affine.h. */
#ifndef STENO_ORDER_TAKE_H
#define STENO_ORDER_TAKE_H

#include "steno/detail/tile.h"

/* The largest power of two that divides the size. */
#define STN_UNIT(type) (int64_t)(sizeof(type) & (0 - sizeof(type)))

/* Declares `padded`: `count` elements of x and zeros. */
#define STN_TAKE(type, padded, x, count)                                                           \
    _Alignas(64) type padded[STN_LANES];                                                           \
    v_take((char *)padded, sizeof padded, (const char *)(x), (count) * (int64_t)sizeof(type),      \
           STN_UNIT(type))

#ifdef SEGMENTED_CODES
typedef struct taken_planes {
    _Alignas(64) uint16_t middle[STN_LANES], lower[STN_LANES];
    stn_affine affine;
} taken_planes;

STN_FN void take_plane(uint16_t *taken, const uint16_t *plane, int64_t count)
{
    const int64_t bytes = STN_LANES * (int64_t)sizeof *taken;
    v_take((char *)taken, bytes, (const char *)plane, count * (int64_t)sizeof *taken,
           STN_UNIT(uint16_t));
}

/* The lower planes of `count` elements from x on, whose first plane is `upper`. */
STN_FN void take_planes(taken_planes *taken, const code *upper, const code *x,
                        const stn_affine *planes, int64_t count)
{
    const ptrdiff_t at = x - (const code *)planes->codes;
    take_plane(taken->middle, planes->middle + at, count);
    if (planes->lower)
        take_plane(taken->lower, planes->lower + at, count);
    taken->affine = (stn_affine){
        .codes = upper, .middle = taken->middle, .lower = planes->lower ? taken->lower : NULL};
}

/* Declares `padded`, which are codes, and their affine. */
#    define STN_TAKE_CODES(padded, x, planes, count, plain)                                        \
        STN_TAKE(code, padded, x, count);                                                          \
        taken_planes padded##_lower;                                                               \
        if (!(plain))                                                                              \
            take_planes(&padded##_lower, padded, x, planes, count);                                \
        const stn_affine *const padded##_affine = (plain) ? (planes) : &padded##_lower.affine
#else
#    define STN_TAKE_CODES(padded, x, planes, count, plain)                                        \
        STN_TAKE(code, padded, x, count);                                                          \
        const AFFINE *const padded##_affine = planes
#endif

#endif
