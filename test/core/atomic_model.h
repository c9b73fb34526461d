/* What atomic updates of integers are to return, in 128-bit integers. */
#ifndef STENO_TEST_ATOMIC_MODEL_H
#define STENO_TEST_ATOMIC_MODEL_H

#include "steno/atomic.h"

__extension__ typedef __int128 wide;

static inline wide lowest_of(const stn_format_info *info)
{
    return info->is_signed ? -((wide)1 << (info->bits - 1)) : 0;
}

static inline wide highest_of(const stn_format_info *info)
{
    return ((wide)1 << (info->bits - info->is_signed)) - 1;
}

/* The value that the low bits of `value` represent. */
static inline wide wrap_value(const stn_format_info *info, wide value)
{
    const wide code = value & (((wide)1 << info->bits) - 1);
    return code > highest_of(info) ? code - ((wide)1 << info->bits) : code;
}

/* Arithmetic saturates at the values of codes minus the zero point; operations on bits wrap. */
static inline wide update_integer(stn_atomic_op op, const stn_format_info *info, int64_t zero,
                                  wide value, wide x)
{
    const wide lowest = lowest_of(info) - zero, highest = highest_of(info) - zero;
    wide result;
    switch (op) {
    case STN_ATOMIC_AND:
        return wrap_value(info, value & x);
    case STN_ATOMIC_OR:
        return wrap_value(info, value | x);
    case STN_ATOMIC_XOR:
        return wrap_value(info, value ^ x);
    case STN_ATOMIC_SHIFT_LEFT:
        return wrap_value(info, value * ((wide)1 << x));
    case STN_ATOMIC_SHIFT_RIGHT:
        return wrap_value(info, value >> x);
    case STN_ATOMIC_ADD:
        result = value + x;
        break;
    case STN_ATOMIC_SUBTRACT:
        result = value - x;
        break;
    case STN_ATOMIC_MULTIPLY:
        result = value * x;
        break;
    case STN_ATOMIC_DIVIDE:
        result = value / x;
        break;
    case STN_ATOMIC_MIN:
        result = value < x ? value : x;
        break;
    default:
        result = value > x ? value : x;
        break;
    }
    return result < lowest ? lowest : result > highest ? highest : result;
}

#endif
