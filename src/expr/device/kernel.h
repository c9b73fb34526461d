/* Common beginning of all device texts: macros for C and for kernels, and functions of the
 * arithmetic type real_t, whose parts are stn_part. STN_IS_COMPLEX and STN_IS_INTEGER describe
 * it, STN_OF_REAL(f) is the name of a function in complex.h, STN_BITS_OF_PART returns the bits
 * of a part. */
#include "expr/device/given.h"
/* STN_INNER: 0 elements at boundaries; 1 boundaries of other dimensions than the last; 2 none. */
#define STN_V(k)       (STN_OF(stn_n).v[k])
#define STN_INNER      0
#define STN_V_REAL(k)  stn_given_as((stn_u64)STN_V(k))
#define STN_NUMBERS    STN_PASSED(struct stn_numbers) stn_n
#define int8_t         stn_i8
#define int16_t        stn_i16
#define int32_t        stn_i32
#define int64_t        stn_i64
#define uint8_t        stn_u8
#define uint16_t       stn_u16
#define uint32_t       stn_u32
#define uint64_t       stn_u64
#define STN_LARGEST_64 ((stn_i64)(~(stn_u64)0 >> 1))
#undef INT8_MAX
#define INT8_MAX 127
#undef UINT8_MAX
#define UINT8_MAX 255
#undef INT16_MAX
#define INT16_MAX 32767
#undef UINT16_MAX
#define UINT16_MAX 65535
#undef INT32_MAX
#define INT32_MAX 2147483647
#undef UINT32_MAX
#define UINT32_MAX 4294967295u
#undef INT64_MAX
#define INT64_MAX STN_LARGEST_64
#undef UINT64_MAX
#define UINT64_MAX (~(stn_u64)0)
#undef INT8_MIN
#define INT8_MIN (-128)
#undef INT16_MIN
#define INT16_MIN (-32768)
#undef INT32_MIN
#define INT32_MIN (-2147483647 - 1)
#undef INT64_MIN
#define INT64_MIN (-STN_LARGEST_64 - 1)

/* ---- macros of kernels ---- */

#define STN_R(x)                  ((real_t)(x))
#define R(x)                      STN_R(x)
#define STN_STORE(name, value)    (stn_to_##name = (value), stn_stored_##name = 1)
#define STN_AT(name, ...)         stn_at_call_##name(__VA_ARGS__)
#define STN_INDEX_AT(name, ...)   stn_index_call_##name(__VA_ARGS__)
#define STN_PUT(name, value, ...) stn_put_call_##name(value, __VA_ARGS__)
#define STN_ADD(name, value, ...) stn_update_call_##name(0, value, __VA_ARGS__)
#define STN_MIN(name, value, ...) stn_update_call_##name(-1, value, __VA_ARGS__)
#define STN_MAX(name, value, ...) stn_update_call_##name(1, value, __VA_ARGS__)
#define STN_EXTENT_OF(name, d)    STN_V(stn_extents_##name + (d))
STN_FN stn_index stn_tiled(stn_index index, stn_index tile, stn_index across, stn_index within)
{
    return index / tile * across + index % tile * within;
}
/* Offset in a triangle whose rows or columns grow, or, if `twice` is 2 n - 1, shrink. */
STN_FN stn_index stn_packed(stn_index i, stn_index j, stn_index twice)
{
    const stn_index less = i < j ? i : j, more = i < j ? j : i;
    return twice != 0 ? more + less * (twice - less) / 2 : less + more * (more + 1) / 2;
}
STN_FN stn_index stn_clamped(stn_index at, stn_index last)
{
    return at < 0 ? 0 : at > last ? last : at;
}
/* Deposits the bits of the index at the bits that are set in `bits`. */
STN_FN stn_index stn_spread(stn_index index, stn_u64 bits)
{
    stn_u64 place = 0;
    for (; bits != 0; bits &= bits - 1, index >>= 1)
        place |= index & 1 ? bits & (0 - bits) : 0;
    return (stn_index)place;
}
/* Saturated to 64 bits; 0 for NaN. */
STN_FN stn_i64 stn_whole(stn_given value)
{
    if (value >= 0x1p63f)
        return (stn_i64) ~((stn_u64)1 << 63);
    return value >= -0x1p63f ? (stn_i64)value : value < 0 ? (stn_i64)((stn_u64)1 << 63) : 0;
}
/* Saturated to 64 bits. */
STN_FN stn_i64 stn_add(stn_i64 a, stn_i64 b)
{
    const stn_i64 sum = (stn_i64)((stn_u64)a + (stn_u64)b);
    const stn_u64 least = (stn_u64)1 << 63;
    return ((a ^ sum) & (b ^ sum)) >= 0 ? sum : (stn_i64)(a < 0 ? least : ~least);
}

/* ---- values ---- */

#if STN_IS_COMPLEX
#    define STN_EACH(out, expression)                                                              \
        out.re = expression;                                                                       \
        out.im = expression;
#else
#    define STN_EACH(out, expression) out = expression;
#endif

/* NaN; 0 for integers. */
STN_FN real_t stn_unassigned(void)
{
    real_t value;
#if STN_IS_INTEGER
    value = 0;
#else
    STN_EACH(value, (stn_part)stn_f32_of_bits(0x7fc00000u))
#endif
    return value;
}

STN_FN real_t stn_nothing_at(void)
{
    real_t value;
    STN_EACH(value, 0)
    return value;
}

/* Equal bits, or both NaN. */
#if STN_IS_INTEGER
STN_FN int stn_same(real_t a, real_t b)
{
    return a == b;
}
#else
STN_FN int stn_same_part(stn_part a, stn_part b)
{
    return STN_BITS_OF_PART(a) == STN_BITS_OF_PART(b) || (a != a && b != b);
}
STN_FN int stn_same(real_t a, real_t b)
{
#    if STN_IS_COMPLEX
    return stn_same_part(a.re, b.re) && stn_same_part(a.im, b.im);
#    else
    return stn_same_part(a, b);
#    endif
}
#endif

/* Does an element keep its code? As stn_same, if encoding restores the codes of all finite values;
 * then only NaN matters, unless infinities are stored as other codes. */
#if !STN_IS_INTEGER && !STN_IS_COMPLEX
STN_FN int stn_is_kept(real_t is, real_t was, stn_float_kind kind, stn_overflow overflow)
{
    const stn_overflow rule = overflow == STN_OVERFLOW_DEFAULT ? kind.overflow : overflow;
    return kind.finite_only || rule == STN_OVERFLOW_INFINITY ? is != is && was != was
                                                             : stn_same(is, was);
}
#endif

/* The functions of complex.h without the type in their names, as in kernel_math.h. */
#if STN_IS_COMPLEX
STN_FN real_t stn_c_of(stn_part a, stn_part b)
{
    return STN_OF_REAL(of)(a, b);
}
STN_FN real_t stn_c_add(real_t a, real_t b)
{
    return STN_OF_REAL(add)(a, b);
}
STN_FN real_t stn_c_multiply(real_t a, real_t b)
{
    return STN_OF_REAL(multiply_fast)(a, b);
}
STN_FN real_t stn_c_divide(real_t a, real_t b)
{
    return STN_OF_REAL(divide)(a, b);
}
STN_FN real_t stn_c_conj(real_t a)
{
    return STN_OF_REAL(conj)(a);
}
#    ifdef STENO_COMPLEX_H
STN_FN stn_part stn_c_abs(real_t a)
{
    return STN_OF_REAL(abs)(a);
}
STN_FN stn_part stn_c_arg(real_t a)
{
    return STN_OF_REAL(arg)(a);
}
STN_FN real_t stn_c_polar(stn_part r, stn_part angle)
{
    return STN_OF_REAL(polar)(r, angle);
}
STN_FN real_t stn_c_pow(real_t a, real_t b)
{
    return STN_OF_REAL(pow)(a, b);
}
#        define STN_OF_ONE(name, function)                                                         \
            STN_FN real_t name(real_t a)                                                           \
            {                                                                                      \
                return function(a);                                                                \
            }
STN_OF_ONE(stn_c_proj, STN_OF_REAL(proj))
STN_OF_ONE(stn_c_sqrt, STN_OF_REAL(sqrt))
STN_OF_ONE(stn_c_exp, STN_OF_REAL(exp))
STN_OF_ONE(stn_c_log, STN_OF_REAL(log))
STN_OF_ONE(stn_c_log10, STN_OF_REAL(log10))
STN_OF_ONE(stn_c_sin, STN_OF_REAL(sin))
STN_OF_ONE(stn_c_cos, STN_OF_REAL(cos))
STN_OF_ONE(stn_c_tan, STN_OF_REAL(tan))
STN_OF_ONE(stn_c_asin, STN_OF_REAL(asin))
STN_OF_ONE(stn_c_acos, STN_OF_REAL(acos))
STN_OF_ONE(stn_c_atan, STN_OF_REAL(atan))
STN_OF_ONE(stn_c_sinh, STN_OF_REAL(sinh))
STN_OF_ONE(stn_c_cosh, STN_OF_REAL(cosh))
STN_OF_ONE(stn_c_tanh, STN_OF_REAL(tanh))
STN_OF_ONE(stn_c_asinh, STN_OF_REAL(asinh))
STN_OF_ONE(stn_c_acosh, STN_OF_REAL(acosh))
STN_OF_ONE(stn_c_atanh, STN_OF_REAL(atanh))
#        undef STN_OF_ONE
#    endif
#endif

/* The updated element: minimum, sum or maximum; for complex elements the
 * sum. */
STN_FN real_t stn_updated(real_t is, real_t by, int operation)
{
#if STN_IS_COMPLEX
    is.re += by.re;
    is.im += by.im;
    return is;
#elif STN_IS_INTEGER
    return operation == 0 ? (real_t)((stn_u64)is + (stn_u64)by)
           : (is < by) == (operation < 0) ? is
                                          : by;
#else
    if (operation == 0)
        return is + by;
    if (is != is || by != by)
        return is != is ? by : is;
    if (is == by)
        return (signbit(is) != 0) == (operation < 0) ? is : by;
    return (is < by) == (operation < 0) ? is : by;
#endif
}

/* Counters are pairs of words: saturated, underflowed, NaN. The host's compiler does not count. */
#ifdef STN_ADD_32
STN_FN void stn_tally(STN_GLOBAL stn_u32 *counts, unsigned events)
{
    for (int k = 0; k < 3; k++)
        if ((events >> k & 1) && STN_ADD_32(counts + 2 * k, 1u) == 0xffffffffu)
            (void)STN_ADD_32(counts + 2 * k + 1, 1u);
}
#endif
