/* Data of the kernels of this folder: inputs and codes of every kind from a counter, and a hash of
 * values. In the dialect of accessor.h. */
#ifndef TEST_ACCESSOR_INPUTS_H
#define TEST_ACCESSOR_INPUTS_H

/* Left out if a device has no double. */
#ifdef STN_HAVE_DOUBLE
#    define DOUBLE(...) __VA_ARGS__
#else
#    define DOUBLE(...)
#endif

/* Left out of compilations without a comparison. */
#ifdef FEW_KERNELS
#    define MORE(...)
#else
#    define MORE(...) __VA_ARGS__
#endif

/* ---- inputs ---- */

/* Bits of binary64 values at which some format or rule changes what it does. */
ROUTINE stn_u64 special_bits(stn_u64 k)
{
    const stn_u64 specials[24] = {
        0x0000000000000000u, 0x8000000000000000u, /* zeros */
        0x7ff0000000000000u, 0xfff0000000000000u, /* infinities */
        0x7ff8000000000001u, 0xfff4000000000000u, /* NaN, quiet and signalling */
        0x0000000000000001u, 0x8010000000000000u, /* subnormal; least normal */
        0x7fefffffffffffffu, 0xc7efffffffffffffu, /* largest; beyond f32 */
        0x47efffffe0000000u, 0x47effffff0000000u, /* largest of f32; the tie above */
        0x3690000000000000u, 0xb810000000000000u, /* half of f32's least; its least normal */
        0x40effc0000000000u, 0xc0effe0000000000u, /* largest of f16; the tie above */
        0x3e60000000000000u, 0x407d000000000000u, /* half of f16's least; the tie above e4m3 */
        0x40ee000000000000u, 0x405fe00000000000u, /* tie above e5m2; 127.5 */
        0xc060100000000000u, 0x406fe80000000000u, /* -128.5; 255.25 */
        0x41dfffffffe00000u, 0xc3e0000000000000u  /* 2^31 - 0.5; -2^63 */
    };
    return specials[k % 24];
}

/* Bits of a binary64: anything, of middling size, of middling size and few bits (so that ties are
 * met), or special. */
ROUTINE stn_u64 input_bits(stn_u64 k)
{
    const stn_u64 kind = stn_hash_bits(k + 0x51ed270b7a3f0a55u), any = stn_hash_bits(kind);
    const stn_u64 exponent = 1023 - 16 + (kind >> 8 & 31);
    const stn_u64 middling = (any & 0x800fffffffffffffu) | exponent << 52;
    const stn_u64 lost = 52 - (kind >> 16 & 15);
    switch (kind & 3) {
    case 0:
        return any;
    case 1:
        return middling;
    case 2:
        return middling >> lost << lost;
    default:
        return special_bits(kind >> 24);
    }
}

DOUBLE(ROUTINE stn_f64 input_f64(stn_u64 k) { return stn_f64_of_bits(input_bits(k)); })

ROUTINE stn_f32 input_f32(stn_u64 k)
{
    unsigned events = 0;
    return stn_f32_of_bits((stn_u32)stn_float_encode(
        input_bits(k), stn_f32_kind(), STN_ROUND_NEAREST, STN_OVERFLOW_INFINITY, 0, &events));
}

/* Of any size. */
ROUTINE stn_i64 input_i64(stn_u64 k)
{
    const stn_u64 kind = stn_hash_bits(k + 0x2545f4914f6cdd1du), any = stn_hash_bits(kind);
    const stn_u64 magnitude = any >> (kind & 63);
    return (stn_i64)(kind & 64 ? 0 - magnitude : magnitude);
}

ROUTINE stn_c64 input_c64(stn_u64 k)
{
    return stn_c64_of(input_f32(2 * k), input_f32(2 * k + 1));
}

DOUBLE(ROUTINE stn_c128 input_c128(stn_u64 k) {
    return stn_c128_of(input_f64(2 * k), input_f64(2 * k + 1));
})

/* What is divided by: anything, but no integer that overflows. */
#define divisor_f64(k)  input_f64(k)
#define divisor_f32(k)  input_f32(k)
#define divisor_i64(k)  ((stn_i64)(stn_hash_bits(k) & 255) + 2)
#define divisor_c64(k)  input_c64(k)
#define divisor_c128(k) input_c128(k)

/* A scale, hardly ever a power of two: its magnitude is from 2^-12 to 16. */
ROUTINE stn_f32 scale_f32(stn_u64 k)
{
    const stn_u32 bits = (stn_u32)stn_hash_bits(k + 0x6a09e667f3bcc909u);
    return stn_f32_of_bits((bits & 0x807fffffu) | (127 - 12 + (bits >> 24 & 15)) << 23);
}

DOUBLE(ROUTINE stn_f64 scale_f64(stn_u64 k) { return (stn_f64)scale_f32(k) * 1.0000001; })

/* ---- codes: every bit pattern ---- */

/* Rows of the table of formats whose type a device without double lacks are left out: by the number
 * of bits, or by the parts of a complex number. */
#define WIDTH_8(...)   __VA_ARGS__
#define WIDTH_16(...)  __VA_ARGS__
#define WIDTH_24(...)  __VA_ARGS__
#define WIDTH_32(...)  __VA_ARGS__
#define WIDTH_40(...)  DOUBLE(__VA_ARGS__)
#define WIDTH_48(...)  DOUBLE(__VA_ARGS__)
#define WIDTH_64(...)  DOUBLE(__VA_ARGS__)
#define WIDTH_F16(...) __VA_ARGS__
#define WIDTH_F32(...) __VA_ARGS__
#define WIDTH_F64(...) DOUBLE(__VA_ARGS__)
#define NO_ROW(...)

#define CODE_OF(name, ...)                                                                         \
    ROUTINE stn_##name code_##name(stn_u64 k)                                                      \
    {                                                                                              \
        stn_##name code;                                                                           \
        __VA_ARGS__;                                                                               \
        return code;                                                                               \
    }
#define CODE_8(name, bits_)  CODE_OF(name, code = stn_##name##_of_bits(k))
#define CODE_16(name, bits_) CODE_8(name, bits_)
#define CODE_24(name, bits_) CODE_8(name, bits_)
#define CODE_40(name, bits_) CODE_8(name, bits_)
#define CODE_48(name, bits_) CODE_8(name, bits_)
/* clang-format off */
#define CODE_32(name, bits_) CODE_OF(name, code = stn_##name##_of_bits((stn_u##bits_)k))
/* clang-format on */
#define CODE_64(name, bits_)                      CODE_32(name, bits_)
#define CODE_FLOAT_ROW(id, NAME, name, bits, ...) WIDTH_##bits(CODE_##bits(name, bits))
#define CODE_INTEGER_ROW(id, NAME, name, ...)     CODE_OF(name, code = (stn_##name)k)
#define PART_F16                                  f16
#define PART_F32                                  f32
#define PART_F64                                  f64
#define CODE_COMPLEX(name, part)                                                                   \
    CODE_OF(name, code.re = code_##part(k), code.im = code_##part(stn_hash_bits(k)))
#define CODE_COMPLEX_OF(name, part)            CODE_COMPLEX(name, part)
#define CODE_COMPLEX_ROW(id, NAME, name, PART) WIDTH_##PART(CODE_COMPLEX_OF(name, PART_##PART))

STN_FORMAT_TABLE(CODE_FLOAT_ROW, CODE_INTEGER_ROW, NO_ROW)
STN_FORMAT_TABLE(NO_ROW, NO_ROW, CODE_COMPLEX_ROW)

/* ---- words ---- */

ROUTINE stn_u64 fold(stn_u64 sum, stn_u64 word)
{
    return stn_hash_bits(sum * 3 + word + 0x9e3779b97f4a7c15u);
}

/* Sign and payload of NaN are promised nowhere. */
DOUBLE(ROUTINE stn_u64 fold_f64(stn_u64 sum, stn_f64 value) {
    return fold(sum, value == value ? stn_bits_of_f64(value) : 0x7ff8000000000000u);
})

ROUTINE stn_u64 fold_f32(stn_u64 sum, stn_f32 value)
{
    return fold(sum, value == value ? stn_bits_of_f32(value) : 0x7fc00000u);
}

#define FOLD_OF(name, ...)                                                                         \
    ROUTINE stn_u64 fold_##name(stn_u64 sum, stn_##name value)                                     \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#define FOLD_8(name)  FOLD_OF(name, fold(sum, stn_bits_of_##name(value)))
#define FOLD_16(name) FOLD_8(name)
#define FOLD_24(name) FOLD_8(name)
#define FOLD_40(name) FOLD_8(name)
#define FOLD_48(name) FOLD_8(name)
#define FOLD_32(name)
#define FOLD_64(name)
#define FOLD_FLOAT_ROW(id, NAME, name, bits, ...) FOLD_##bits(name)
#define FOLD_INTEGER_ROW(id, NAME, name, ...)     FOLD_OF(name, fold(sum, (stn_u64)value))
/* clang-format off */
#define FOLD_COMPLEX(name, part) FOLD_OF(name, fold_##part(fold_##part(sum, value.re), value.im))
/* clang-format on */
#define FOLD_COMPLEX_OF(name, part)            FOLD_COMPLEX(name, part)
#define FOLD_COMPLEX_ROW(id, NAME, name, PART) WIDTH_##PART(FOLD_COMPLEX_OF(name, PART_##PART))

STN_FORMAT_TABLE(FOLD_FLOAT_ROW, FOLD_INTEGER_ROW, NO_ROW)
STN_FORMAT_TABLE(NO_ROW, NO_ROW, FOLD_COMPLEX_ROW)

/* ---- memory ---- */

#define MEMORY_OF(name)                                                                            \
    ROUTINE void fill_##name(STN_MEM stn_##name *codes, int count, stn_u64 seed)                   \
    {                                                                                              \
        for (int place = 0; place < count; place++)                                                \
            codes[place] = code_##name(stn_hash_bits(seed + (stn_u64)place));                      \
    }                                                                                              \
    ROUTINE stn_u64 fold_all_##name(stn_u64 sum, const STN_MEM stn_##name *codes, int count)       \
    {                                                                                              \
        for (int place = 0; place < count; place++)                                                \
            sum = fold_##name(sum, codes[place]);                                                  \
        return sum;                                                                                \
    }
#define MEMORY_FLOAT_ROW(id, NAME, name, bits, ...) WIDTH_##bits(MEMORY_OF(name))
#define MEMORY_INTEGER_ROW(id, NAME, name, ...)     MEMORY_OF(name)
#define MEMORY_COMPLEX_ROW(id, NAME, name, PART)    WIDTH_##PART(MEMORY_OF(name))

STN_FORMAT_TABLE(MEMORY_FLOAT_ROW, MEMORY_INTEGER_ROW, MEMORY_COMPLEX_ROW)

#endif
