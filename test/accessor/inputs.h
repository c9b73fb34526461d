/* What the kernels of this folder calculate with: inputs and codes of every kind from a counter,
 * and a word in which every value takes part. In the dialect of accessor.h. */
#ifndef TEST_ACCESSOR_INPUTS_H
#define TEST_ACCESSOR_INPUTS_H

/* What names double, left out where a device has none. */
#ifdef STN_HAVE_DOUBLE
#    define DOUBLE(...) __VA_ARGS__
#else
#    define DOUBLE(...)
#endif

/* What compilations that only show that it compiles do without. */
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

#define CODE_8(name)                                                                               \
    ROUTINE stn_##name code_##name(stn_u64 k)                                                      \
    {                                                                                              \
        stn_##name code;                                                                           \
        code.bits = (stn_u8)k;                                                                     \
        return code;                                                                               \
    }
#define CODE_16(name)                                                                              \
    ROUTINE stn_##name code_##name(stn_u64 k)                                                      \
    {                                                                                              \
        stn_##name code;                                                                           \
        code.bits = (stn_u16)k;                                                                    \
        return code;                                                                               \
    }
#define CODE_32(name)                                                                              \
    ROUTINE stn_##name code_##name(stn_u64 k)                                                      \
    {                                                                                              \
        return stn_##name##_of_bits((stn_u32)k);                                                   \
    }
#define CODE_64(name)                                                                              \
    DOUBLE(ROUTINE stn_##name code_##name(stn_u64 k) { return stn_##name##_of_bits(k); })
#define CODE_INTEGER(name)                                                                         \
    ROUTINE stn_##name code_##name(stn_u64 k)                                                      \
    {                                                                                              \
        return (stn_##name)k;                                                                      \
    }
#define CODE_COMPLEX(name, part)                                                                   \
    ROUTINE stn_##name code_##name(stn_u64 k)                                                      \
    {                                                                                              \
        stn_##name code;                                                                           \
        code.re = code_##part(k);                                                                  \
        code.im = code_##part(stn_hash_bits(k));                                                   \
        return code;                                                                               \
    }
#define CODE_F64(name)                            DOUBLE(CODE_COMPLEX(name, f64))
#define CODE_F32(name)                            CODE_COMPLEX(name, f32)
#define CODE_F16(name)                            CODE_COMPLEX(name, f16)
#define CODE_FLOAT_ROW(id, NAME, name, bits, ...) CODE_##bits(name)
#define CODE_INTEGER_ROW(id, NAME, name, ...)     CODE_INTEGER(name)
#define CODE_COMPLEX_ROW(id, NAME, name, PART)    CODE_##PART(name)
#define NO_ROW(...)

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

#define FOLD_8(name)                                                                               \
    ROUTINE stn_u64 fold_##name(stn_u64 sum, stn_##name code)                                      \
    {                                                                                              \
        return fold(sum, code.bits);                                                               \
    }
#define FOLD_16(name) FOLD_8(name)
#define FOLD_32(name)
#define FOLD_64(name)
#define FOLD_INTEGER(name)                                                                         \
    ROUTINE stn_u64 fold_##name(stn_u64 sum, stn_##name value)                                     \
    {                                                                                              \
        return fold(sum, (stn_u64)value);                                                          \
    }
#define FOLD_COMPLEX(name, part)                                                                   \
    ROUTINE stn_u64 fold_##name(stn_u64 sum, stn_##name value)                                     \
    {                                                                                              \
        return fold_##part(fold_##part(sum, value.re), value.im);                                  \
    }
#define FOLD_F64(name)                            DOUBLE(FOLD_COMPLEX(name, f64))
#define FOLD_F32(name)                            FOLD_COMPLEX(name, f32)
#define FOLD_F16(name)                            FOLD_COMPLEX(name, f16)
#define FOLD_FLOAT_ROW(id, NAME, name, bits, ...) FOLD_##bits(name)
#define FOLD_INTEGER_ROW(id, NAME, name, ...)     FOLD_INTEGER(name)
#define FOLD_COMPLEX_ROW(id, NAME, name, PART)    FOLD_##PART(name)

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
#define MEMORY_8(name)                              MEMORY_OF(name)
#define MEMORY_16(name)                             MEMORY_OF(name)
#define MEMORY_32(name)                             MEMORY_OF(name)
#define MEMORY_64(name)                             DOUBLE(MEMORY_OF(name))
#define MEMORY_F64(name)                            DOUBLE(MEMORY_OF(name))
#define MEMORY_F32(name)                            MEMORY_OF(name)
#define MEMORY_F16(name)                            MEMORY_OF(name)
#define MEMORY_FLOAT_ROW(id, NAME, name, bits, ...) MEMORY_##bits(name)
#define MEMORY_INTEGER_ROW(id, NAME, name, ...)     MEMORY_OF(name)
#define MEMORY_COMPLEX_ROW(id, NAME, name, PART)    MEMORY_##PART(name)

STN_FORMAT_TABLE(MEMORY_FLOAT_ROW, MEMORY_INTEGER_ROW, MEMORY_COMPLEX_ROW)

#endif
