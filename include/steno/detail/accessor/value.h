/* One value read from and written to a storage format: stn_read_f64_f16(code) and
 * stn_write_f64_f16(value, rounding, overflow, random), for every arithmetic type and every format
 * of the table that goes with it.
 *
 * The values are those of codec.h, which also rounds where the rules are not the usual ones.
 * Nearest rounding is written without branches, so that compilers make vectors of it. f64 and f32
 * are converted by the machine, as a cast does: the subnormal numbers of f32 and bf16 follow the
 * thread's flush-to-zero mode, and NaN keeps the payload that the machine gives it. */
#ifndef STENO_ACCESSOR_VALUE_H
#define STENO_ACCESSOR_VALUE_H

#include "steno/detail/accessor/machine.h"
#include "steno/detail/accessor/complex.h"

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#    error "steno: this target computes float and double in a wider type (use -mfpmath=sse)"
#endif

/* The rules of storing are constants where these are called: only one branch is compiled. */
/* Element `index` draws its random bits from `seed`, part p of a complex one as 2 * index + p. */
#define STN_RULES       stn_rounding rounding, stn_overflow overflow, stn_u64 seed, stn_u64 index
#define STN_RULES_GIVEN rounding, overflow, seed, index

/* Bits of the binary64 of the same value, for the codecs by parameters. */
STN_FN stn_u64 stn_wide_f32(float value)
{
    return stn_float_decode(stn_bits_of_f32(value), stn_f32_kind());
}
#ifdef STN_HAVE_DOUBLE
STN_FN stn_u64 stn_wide_f64(double value)
{
    return stn_bits_of_f64(value);
}
#endif

/* `a` where the condition holds, else `b`: without a branch into which a compiler might move the
 * arithmetic that made one of them, and which would keep it from making vectors. */
STN_FN stn_u32 stn_select_u32(int condition, stn_u32 a, stn_u32 b)
{
    return b ^ ((a ^ b) & (0u - (stn_u32)condition));
}
STN_FN stn_u64 stn_select_u64(int condition, stn_u64 a, stn_u64 b)
{
    return b ^ ((a ^ b) & (0u - (stn_u64)condition));
}

/* ---- narrow floats in f32 ---- */

STN_FN float stn_narrow_to_f32(stn_u32 code, stn_float_kind kind)
{
    const int e = kind.exponent_bits, f = kind.fraction_bits;
    const stn_u32 all = ((stn_u32)1 << (e + f)) - 1, infinity = all >> f << f;
    const stn_u32 magnitude = code & all;
    const stn_u32 sign = (code & (all + 1)) << (31 - e - f);
    const stn_u32 bias = 128u - ((stn_u32)1 << (e - 1)); /* added to the exponent */
    stn_u32 bits = (magnitude << (23 - f)) + (bias << 23);

#ifdef STN_MACHINE_CONVERTS
    if (stn_machine_reads(kind))
        return stn_machine_read(code, kind);
#endif
    if (e < 8) {
        const stn_u32 least = (bias + 1) << 23; /* the smallest normal number */
        const float small = stn_f32_of_bits(magnitude << (23 - f) | least) - stn_f32_of_bits(least);
        bits = stn_select_u32(magnitude >> f == 0, stn_bits_of_f32(small), bits);
    }
    if (!kind.finite_only)
        bits = stn_select_u32(magnitude == infinity, 0x7f800000u, bits);
    return stn_f32_of_bits(stn_select_u32(magnitude > (kind.finite_only ? all - 1 : infinity),
                                          0x7fc00000u, bits | sign));
}

/* What `code`, a magnitude rounded as if exponents had no end, becomes with its sign. All of it in
 * integers of the arithmetic's width, which keeps vectors whole. */
#define STN_NARROW_FINISH(uint)                                                                    \
    STN_FN uint uint##_narrow_finish(uint code, uint sign, int is_nan, stn_float_kind kind,        \
                                     stn_overflow overflow)                                        \
    {                                                                                              \
        const uint all = ((uint)1 << (kind.exponent_bits + kind.fraction_bits)) - 1;               \
        const uint infinity = all >> kind.fraction_bits << kind.fraction_bits;                     \
        const uint nan = kind.finite_only ? all : infinity | (uint)1 << (kind.fraction_bits - 1);  \
        const uint largest = kind.finite_only ? all - 1 : infinity - 1;                            \
        const stn_overflow rule = overflow == STN_OVERFLOW_DEFAULT ? kind.overflow : overflow;     \
        const uint beyond = rule == STN_OVERFLOW_SATURATE                  ? sign | largest        \
                            : rule == STN_OVERFLOW_NAN || kind.finite_only ? nan                   \
                                                                           : sign | infinity;      \
        code = code > largest ? beyond : sign | code;                                              \
        return is_nan ? nan : code;                                                                \
    }
STN_NARROW_FINISH(stn_u32)
STN_NARROW_FINISH(stn_u64)

STN_FN stn_u32 stn_f32_to_narrow(float value, stn_float_kind kind, STN_RULES)
{
    const int e = kind.exponent_bits, f = kind.fraction_bits;
    const stn_u32 bits = stn_bits_of_f32(value), magnitude = bits & 0x7fffffffu;
    const stn_u32 sign = bits >> 31 << (e + f);
    const stn_u32 bias = 128u - ((stn_u32)1 << (e - 1));
    stn_u32 code =
        ((magnitude + (((stn_u32)1 << (22 - f)) - 1) + (magnitude >> (23 - f) & 1)) >> (23 - f)) -
        (bias << f);

    if (rounding != STN_ROUND_NEAREST) {
        unsigned events = 0;
        return (stn_u32)stn_float_encode(stn_wide_f32(value), kind, rounding, overflow,
                                         stn_random_bits(seed, index), &events);
    }
#ifdef STN_MACHINE_CONVERTS
    if (stn_machine_writes(kind, rounding, overflow))
        return stn_machine_write_f32(value, kind);
#endif
    if (e < 8) { /* added to `unit`, whose last place is the smallest code, the rest is cut off */
        const stn_u32 unit = (bias + 24u - (stn_u32)f) << 23;
        const float rounded = stn_f32_of_bits(magnitude) + stn_f32_of_bits(unit);
        code = stn_select_u32(magnitude < (bias + 1) << 23, stn_bits_of_f32(rounded) - unit, code);
    }
    return stn_u32_narrow_finish(code, sign, magnitude > 0x7f800000u, kind, overflow);
}

#ifdef STN_HAVE_DOUBLE
STN_FN stn_u64 stn_f64_to_narrow(double value, stn_float_kind kind, STN_RULES)
{
    const int e = kind.exponent_bits, f = kind.fraction_bits;
    const stn_u64 bits = stn_bits_of_f64(value), magnitude = bits & 0x7fffffffffffffffu;
    const stn_u64 sign = bits >> 63 << (e + f);
    const stn_u64 bias = 1024u - ((stn_u64)1 << (e - 1));
    const stn_u64 unit = (bias + 53u - (stn_u64)f) << 52;
    const double rounded = stn_f64_of_bits(magnitude) + stn_f64_of_bits(unit);
    stn_u64 code =
        ((magnitude + (((stn_u64)1 << (51 - f)) - 1) + (magnitude >> (52 - f) & 1)) >> (52 - f)) -
        (bias << f);

    if (rounding != STN_ROUND_NEAREST) {
        unsigned events = 0;
        return stn_float_encode(bits, kind, rounding, overflow, stn_random_bits(seed, index),
                                &events);
    }
#    ifdef STN_MACHINE_CONVERTS
    if (stn_machine_writes(kind, rounding, overflow))
        return stn_machine_write_f64(value, kind);
#    endif
    code = stn_select_u64((stn_i64)magnitude < (stn_i64)((bias + 1) << 52),
                          stn_bits_of_f64(rounded) - unit, code);
    return stn_u64_narrow_finish(code, sign, (stn_i64)magnitude > 0x7ff0000000000000, kind,
                                 overflow);
}
#endif

/* ---- integers ---- */

#ifdef STN_HAVE_DOUBLE
STN_FN stn_u64 stn_f64_to_integer(double value, int bits, int is_signed, STN_RULES)
{
    const double span = (double)((stn_u64)1 << (bits - 1)); /* half the number of codes */
    const stn_u64 wide = stn_bits_of_f64(value), magnitude = wide & 0x7fffffffffffffffu;
    const stn_u64 above = stn_bits_of_f64(is_signed ? span - 1.0 : 2.0 * span - 1.0);
    const stn_u64 limit =
        stn_select_u64((int)(wide >> 63), is_signed ? stn_bits_of_f64(span) : 0, above);
    const stn_u64 kept = stn_select_u64((stn_i64)magnitude < (stn_i64)limit, magnitude, limit);

    /* added to 3/4 of what no fraction fits under, an integer is left in the last bits */
    const double middle = 6755399441055744.0;

    (void)overflow; /* integers saturate */
    if (rounding == STN_ROUND_NEAREST && bits == 64 && magnitude < 0x4320000000000000u) {
        const stn_u64 whole = stn_bits_of_f64(value + middle) - stn_bits_of_f64(middle);
        return is_signed || !(whole >> 63) ? whole : 0;
    }
    if (rounding != STN_ROUND_NEAREST || bits > 32) {
        unsigned events = 0;
        return stn_integer_encode(wide, bits, is_signed, rounding, stn_random_bits(seed, index),
                                  &events);
    }
    return stn_select_u64((stn_i64)magnitude > 0x7ff0000000000000, 0,
                          stn_bits_of_f64(stn_f64_of_bits(kept | (wide ^ magnitude)) + middle));
}
#endif

STN_FN stn_u64 stn_f32_to_integer(float value, int bits, int is_signed, STN_RULES)
{
    const float span = (float)((stn_u64)1 << (bits - 1));
    const stn_u32 wide = stn_bits_of_f32(value), magnitude = wide & 0x7fffffffu;
    const stn_u32 above = stn_bits_of_f32(is_signed ? span - 1.0f : 2.0f * span - 1.0f);
    const stn_u32 limit =
        stn_select_u32((int)(wide >> 31), is_signed ? stn_bits_of_f32(span) : 0, above);
    const stn_u32 kept = stn_select_u32((stn_i32)magnitude < (stn_i32)limit, magnitude, limit);

    (void)overflow;
    if (rounding == STN_ROUND_NEAREST && bits <= 16)
        return stn_select_u32(
            (stn_i32)magnitude > 0x7f800000, 0,
            stn_bits_of_f32(stn_f32_of_bits(kept | (wide ^ magnitude)) + 12582912.0f));
    if (rounding == STN_ROUND_NEAREST) {
#ifdef STN_HAVE_DOUBLE
        return stn_f64_to_integer((double)value, bits, is_signed, STN_RULES_GIVEN);
#endif
    }
    {
        unsigned events = 0;
        return stn_integer_encode(stn_wide_f32(value), bits, is_signed, rounding,
                                  stn_random_bits(seed, index), &events);
    }
}

/* u64 is read and written modulo 2^64: storing what was read changes nothing. */
STN_FN stn_u64 stn_i64_to_integer(stn_i64 value, int bits, int is_signed)
{
    const stn_i64 highest = (stn_i64)(~(stn_u64)0 >> (bits == 64 ? 1 : 64 - bits + is_signed));
    const stn_i64 lowest = is_signed || bits == 64 ? -highest - 1 : 0;
    const stn_i64 low = value < lowest ? lowest : value;
    return (stn_u64)(low > highest ? highest : low);
}

/* ---- by arithmetic type and format ---- */

#ifdef STN_HAVE_DOUBLE
#    define STN_IF_DOUBLE(...) __VA_ARGS__
#else
#    define STN_IF_DOUBLE(...)
#endif

/* What was just stored, for reading it back. gcc (12 and others) makes one vector of two neighbours
 * that are rounded from f64 to f32 and widened again, and forgets the rounding: the asm hides where
 * the value came from, and costs nothing where it is not read. */
#if defined(__CUDA_ARCH__)
#    define STN_HIDE(x) ((void)0)
#elif defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
#    define STN_HIDE(x) __asm__("" : "+x"(x))
#elif defined(__GNUC__) && !defined(__clang__) && defined(__aarch64__)
#    define STN_HIDE(x) __asm__("" : "+w"(x))
#else
#    define STN_HIDE(x) ((void)0)
#endif
/* Parts of a complex number are always neighbours, and hidden before they are stored too. */
#define STN_VALUE_STORED(real, name)                                                               \
    STN_FN stn_##name stn_storing_##real##_##name(stn_##name code)                                 \
    {                                                                                              \
        return code;                                                                               \
    }                                                                                              \
    STN_FN stn_##name stn_stored_##real##_##name(stn_##name code)                                  \
    {                                                                                              \
        return code;                                                                               \
    }

/* f64 and f32: the machine's conversion, unless another rule of storing can be seen in the result.
 */
#define STN_VALUE_WIDE(real, name, uint)                                                           \
    STN_FN stn_##real stn_read_##real##_##name(stn_##name code)                                    \
    {                                                                                              \
        return (stn_##real)code;                                                                   \
    }                                                                                              \
    STN_FN stn_##name stn_storing_##real##_##name(stn_##name code)                                 \
    {                                                                                              \
        return code;                                                                               \
    }                                                                                              \
    STN_FN stn_##name stn_stored_##real##_##name(stn_##name code)                                  \
    {                                                                                              \
        if (sizeof(stn_##real) > sizeof code)                                                      \
            STN_HIDE(code);                                                                        \
        return code;                                                                               \
    }                                                                                              \
    STN_FN stn_##name stn_write_##real##_##name(stn_##real value, STN_RULES)                       \
    {                                                                                              \
        unsigned events = 0;                                                                       \
        if ((rounding == STN_ROUND_NEAREST || sizeof(stn_##real) <= sizeof(stn_##name)) &&         \
            overflow <= STN_OVERFLOW_INFINITY)                                                     \
            return (stn_##name)value;                                                              \
        return stn_##name##_of_bits(                                                               \
            (uint)stn_float_encode(stn_wide_##real(value), stn_##name##_kind(), rounding,          \
                                   overflow, stn_random_bits(seed, index), &events));              \
    }
#define STN_VALUE_NARROW(real, name, uint)                                                         \
    STN_VALUE_STORED(real, name)                                                                   \
    STN_FN stn_##real stn_read_##real##_##name(stn_##name code)                                    \
    {                                                                                              \
        return (stn_##real)stn_narrow_to_f32(code.bits, stn_##name##_kind());                      \
    }                                                                                              \
    STN_FN stn_##name stn_write_##real##_##name(stn_##real value, STN_RULES)                       \
    {                                                                                              \
        stn_##name code;                                                                           \
        code.bits = (uint)stn_##real##_to_narrow(value, stn_##name##_kind(), STN_RULES_GIVEN);     \
        return code;                                                                               \
    }
#define STN_VALUE_INTEGER(real, name, width, is_signed)                                            \
    STN_VALUE_STORED(real, name)                                                                   \
    STN_FN stn_##real stn_read_##real##_##name(stn_##name code)                                    \
    {                                                                                              \
        return (stn_##real)code;                                                                   \
    }                                                                                              \
    STN_FN stn_##name stn_write_##real##_##name(stn_##real value, STN_RULES)                       \
    {                                                                                              \
        return (stn_##name)stn_##real##_to_integer(value, width, is_signed, STN_RULES_GIVEN);      \
    }
#define STN_VALUE_I64(name, width, is_signed)                                                      \
    STN_VALUE_STORED(i64, name)                                                                    \
    STN_FN stn_i64 stn_read_i64_##name(stn_##name code)                                            \
    {                                                                                              \
        return (stn_i64)code;                                                                      \
    }                                                                                              \
    STN_FN stn_##name stn_write_i64_##name(stn_i64 value, STN_RULES)                               \
    {                                                                                              \
        (void)rounding, (void)overflow, (void)seed, (void)index;                                   \
        return (stn_##name)stn_i64_to_integer(value, width, is_signed);                            \
    }
#define STN_VALUE_COMPLEX(complex, real, name, part)                                               \
    STN_FN stn_##complex stn_read_##complex##_##name(stn_##name code)                              \
    {                                                                                              \
        stn_##complex value;                                                                       \
        value.re = stn_read_##real##_##part(code.re);                                              \
        value.im = stn_read_##real##_##part(code.im);                                              \
        return value;                                                                              \
    }                                                                                              \
    STN_FN stn_##name stn_stored_##complex##_##name(stn_##name code)                               \
    {                                                                                              \
        code.re = stn_stored_##real##_##part(code.re);                                             \
        code.im = stn_stored_##real##_##part(code.im);                                             \
        return code;                                                                               \
    }                                                                                              \
    STN_FN stn_##name stn_storing_##complex##_##name(stn_##name code)                              \
    {                                                                                              \
        return stn_stored_##complex##_##name(code);                                                \
    }                                                                                              \
    STN_FN stn_##name stn_write_##complex##_##name(stn_##complex value, STN_RULES)                 \
    {                                                                                              \
        stn_##name code;                                                                           \
        code.re = stn_write_##real##_##part(value.re, rounding, overflow, seed, 2 * index);        \
        code.im = stn_write_##real##_##part(value.im, rounding, overflow, seed, 2 * index + 1);    \
        return code;                                                                               \
    }

#define STN_VALUES_64(name)                                                                        \
    STN_IF_DOUBLE(STN_VALUE_WIDE(f32, name, stn_u64) STN_VALUE_WIDE(f64, name, stn_u64))
#define STN_VALUES_32(name)                                                                        \
    STN_VALUE_WIDE(f32, name, stn_u32) STN_IF_DOUBLE(STN_VALUE_WIDE(f64, name, stn_u32))
#define STN_VALUES_16(name)                                                                        \
    STN_VALUE_NARROW(f32, name, stn_u16) STN_IF_DOUBLE(STN_VALUE_NARROW(f64, name, stn_u16))
#define STN_VALUES_8(name)                                                                         \
    STN_VALUE_NARROW(f32, name, stn_u8) STN_IF_DOUBLE(STN_VALUE_NARROW(f64, name, stn_u8))
#define STN_VALUES_F64(name)        STN_IF_DOUBLE(STN_VALUES_C128(name, f64) STN_VALUES_C64(name, f64))
#define STN_VALUES_F32(name)        STN_VALUES_C64(name, f32) STN_IF_DOUBLE(STN_VALUES_C128(name, f32))
#define STN_VALUES_F16(name)        STN_VALUES_C64(name, f16) STN_IF_DOUBLE(STN_VALUES_C128(name, f16))
#define STN_VALUES_C128(name, part) STN_VALUE_COMPLEX(c128, f64, name, part)
#define STN_VALUES_C64(name, part)  STN_VALUE_COMPLEX(c64, f32, name, part)

#define STN_VALUE_FLOAT_ROW(id, NAME, name, bits, ...)   STN_VALUES_##bits(name)
#define STN_VALUE_COMPLEX_ROW(id, NAME, name, COMPONENT) STN_VALUES_##COMPONENT(name)
#define STN_VALUE_INTEGER_ROW(id, NAME, name, bits, is_signed)                                     \
    STN_VALUE_I64(name, bits, is_signed)                                                           \
    STN_VALUE_INTEGER(f32, name, bits, is_signed)                                                  \
    STN_IF_DOUBLE(STN_VALUE_INTEGER(f64, name, bits, is_signed))
#define STN_NO_VALUE(...)

STN_FORMAT_TABLE(STN_VALUE_FLOAT_ROW, STN_VALUE_INTEGER_ROW, STN_NO_VALUE)
STN_FORMAT_TABLE(STN_NO_VALUE, STN_NO_VALUE, STN_VALUE_COMPLEX_ROW)

/* ---- operations of the arithmetic types; those of the complex ones are in complex.h ---- */

/* Integers wrap where they overflow; a quotient by 0 is 0. */
#define STN_OPERATIONS(real, wide)                                                                 \
    STN_FN stn_##real stn_zero_##real(void)                                                        \
    {                                                                                              \
        return 0;                                                                                  \
    }                                                                                              \
    STN_FN stn_##real stn_one_##real(void)                                                         \
    {                                                                                              \
        return 1;                                                                                  \
    }                                                                                              \
    STN_FN stn_##real stn_##real##_negate(stn_##real a)                                            \
    {                                                                                              \
        return -a;                                                                                 \
    }                                                                                              \
    STN_FN stn_##real stn_##real##_add(stn_##real a, stn_##real b)                                 \
    {                                                                                              \
        return (stn_##real)((wide)a + (wide)b);                                                    \
    }                                                                                              \
    STN_FN stn_##real stn_##real##_subtract(stn_##real a, stn_##real b)                            \
    {                                                                                              \
        return (stn_##real)((wide)a - (wide)b);                                                    \
    }                                                                                              \
    STN_FN stn_##real stn_##real##_multiply(stn_##real a, stn_##real b)                            \
    {                                                                                              \
        return (stn_##real)((wide)a * (wide)b);                                                    \
    }
#define STN_COMPLEX_UNITS(complex)                                                                 \
    STN_FN stn_##complex stn_zero_##complex(void)                                                  \
    {                                                                                              \
        return stn_##complex##_of(0, 0);                                                           \
    }                                                                                              \
    STN_FN stn_##complex stn_one_##complex(void)                                                   \
    {                                                                                              \
        return stn_##complex##_of(1, 0);                                                           \
    }

STN_OPERATIONS(i64, stn_u64)
STN_OPERATIONS(f32, float)
STN_IF_DOUBLE(STN_OPERATIONS(f64, double))
STN_FN float stn_f32_divide(float a, float b)
{
    return a / b;
}
STN_IF_DOUBLE(STN_FN double stn_f64_divide(double a, double b) { return a / b; })
STN_FN stn_i64 stn_i64_divide(stn_i64 a, stn_i64 b)
{
    if (b == 0 || b == -1)
        return (stn_i64)((0u - (stn_u64)a) & (stn_u64)b); /* where machines differ, or trap */
    return a / b;
}
STN_COMPLEX_UNITS(c64)
STN_IF_DOUBLE(STN_COMPLEX_UNITS(c128))

#endif
