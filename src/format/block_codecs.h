/* Codecs of the block formats, for all instruction sets (format/block_codecs.c) and in portable C
 * (format/block.c). Loops over the elements of a block are vectorized; a scale is determined once
 * per block. Floats of 4 and 6 bits are decoded as f16, which contains them. */
#ifndef STENO_FORMAT_BLOCK_CODECS_H
#define STENO_FORMAT_BLOCK_CODECS_H

#include <math.h>
#include <string.h>

#include "format/block.h"
#include "format/codec.h"
#include "format/small_float.h"

/* ---- scales ---- */

enum { EXPONENT_NAN = 0x7fff, E8M0_NAN = 0xff, E8M0_BIAS = 127, E4M3_NAN = 0x7f };

/* Between encoders of a scale and of the codes: the exponent of a block with NaN. */
enum { NOT_FINITE = INT32_MAX };

static double power_of_two(int exponent)
{
    if (exponent >= -1022 && exponent <= 1023)
        return stn_f64_of_bits((stn_u64)(exponent + 1023) << 52);
    return ldexp(1.0, exponent);
}

static double read_exponent(const unsigned char *scale, int fraction)
{
    const int16_t exponent = (int16_t)(scale[0] | scale[1] << 8);
    return exponent == EXPONENT_NAN ? (double)NAN : power_of_two(exponent - fraction);
}

static double read_e8m0(const unsigned char *scale, int fraction)
{
    return *scale == E8M0_NAN ? (double)NAN : power_of_two(*scale - E8M0_BIAS - fraction);
}

static void write_exponent(unsigned char *scale, int exponent)
{
    const int stored = exponent == NOT_FINITE ? EXPONENT_NAN : exponent;
    scale[0] = (unsigned char)(stored & 0xff);
    scale[1] = (unsigned char)(stored >> 8 & 0xff);
}

static void write_e8m0(unsigned char *scale, int exponent)
{
    *scale = (unsigned char)(exponent == NOT_FINITE ? E8M0_NAN : exponent + E8M0_BIAS);
}

/* The bits of the largest magnitude: those of infinity or more if a value is not finite. Signed
 * comparisons are vectorized. */
STN_FN stn_u64 largest_bits(const double *values, int64_t count)
{
    int64_t largest = 0;
    for (int64_t k = 0; k < count; k++) {
        const int64_t bits = (int64_t)(stn_bits_of_f64(values[k]) & INT64_MAX);
        largest = bits > largest ? bits : largest;
    }
    return (stn_u64)largest;
}

static const stn_u64 infinity_bits = 0x7ff0000000000000u;

/* The exponent of the leading bit. */
static int exponent_of(stn_u64 bits)
{
    return bits >> 52 ? (int)(bits >> 52) - 1023 : ilogb(stn_f64_of_bits(bits));
}

/* value * 2^-exponent in two exact steps, because 2^-exponent may exceed the range. A result that
 * underflows is far below any code. */
typedef struct divisor {
    double first, second;
} divisor;

static divisor divisor_of(int exponent)
{
    const int half = -exponent / 2;
    return (divisor){power_of_two(half), power_of_two(-exponent - half)};
}

/* The smallest exponent of a scale with which no integer of `bits` bits overflows. Values that are
 * rounded to 2^1024 saturate. */
static int exponent_without_overflow(stn_u64 largest, int bits)
{
    enum { LOWEST = -1074, HIGHEST = 1024 };
    if (largest >= infinity_bits)
        return NOT_FINITE;
    if (largest == 0)
        return 0;
    int exponent = exponent_of(largest) - (bits - 2);
    exponent = exponent < LOWEST ? LOWEST : exponent;
    const divisor by = divisor_of(exponent);
    const double steps = stn_f64_of_bits(largest) * by.first * by.second;
    const int is_less = steps < ldexp(1.0, bits - 1) - 0.5;
    return is_less || exponent + bits - 1 == HIGHEST ? exponent : exponent + 1;
}

/* The largest power of two that does not exceed the largest magnitude, divided by the largest
 * power of two of the element format (OCP MX 1.0, 6.3). */
static int exponent_of_ocp(stn_u64 largest, int top)
{
    if (largest >= infinity_bits)
        return NOT_FINITE;
    const int exponent = largest == 0 ? -E8M0_BIAS : exponent_of(largest) - top;
    return exponent < -E8M0_BIAS ? -E8M0_BIAS : exponent > E8M0_BIAS ? E8M0_BIAS : exponent;
}

/* ---- integers ---- */

/* Adding this number rounds a double of up to 51 bits to an integer, in the lowest bits. */
#define TO_INTEGER 0x1.8p52

enum { MXINT8_FRACTION = 6 };

#define DEFINE_INTEGERS(bits, name, READ, WRITE, FRACTION, EXPONENT)                               \
    static void decode_##name(const stn_block_format *format, double *restrict values,             \
                              stn_blocks at, int64_t count)                                        \
    {                                                                                              \
        (void)format;                                                                              \
        for (int64_t b = 0; b < count; b++) {                                                      \
            const double scale = READ(at.scales + b * at.scale_step, FRACTION);                    \
            int##bits##_t integers[STN_BFP_BLOCK];                                                 \
            memcpy(integers, at.codes + b * at.code_step, sizeof integers);                        \
            for (int k = 0; k < STN_BFP_BLOCK; k++)                                                \
                values[b * STN_BFP_BLOCK + k] = (double)integers[k] * scale;                       \
        }                                                                                          \
    }                                                                                              \
    static void encode_##name(const stn_block_format *format, stn_blocks at,                       \
                              const double *restrict values, int64_t count)                        \
    {                                                                                              \
        const int64_t highest = (int64_t)stn_bits_of_f64((double)INT##bits##_MAX);                 \
        (void)format;                                                                              \
        for (int64_t b = 0; b < count; b++) {                                                      \
            const double *const block = values + b * STN_BFP_BLOCK;                                \
            const stn_u64 largest = largest_bits(block, STN_BFP_BLOCK);                            \
            const int exponent = EXPONENT;                                                         \
            const divisor by = divisor_of(exponent == NOT_FINITE ? 0 : exponent - FRACTION);       \
            int##bits##_t integers[STN_BFP_BLOCK];                                                 \
            WRITE(at.scales + b * at.scale_step, exponent);                                        \
            for (int k = 0; k < STN_BFP_BLOCK; k++) {                                              \
                const stn_u64 exact = stn_bits_of_f64(block[k] * by.first * by.second);            \
                const int64_t given = (int64_t)(exact & INT64_MAX);                                \
                const int64_t magnitude = given < highest ? given : highest;                       \
                const double kept = stn_f64_of_bits((stn_u64)magnitude | (exact >> 63 << 63));     \
                integers[k] = (int##bits##_t)(uint32_t)stn_bits_of_f64(kept + TO_INTEGER);         \
            }                                                                                      \
            if (exponent == NOT_FINITE)                                                            \
                memset(integers, 0, sizeof integers);                                              \
            memcpy(at.codes + b * at.code_step, integers, sizeof integers);                        \
        }                                                                                          \
    }

/* clang-format off */
DEFINE_INTEGERS(8, bfp8, read_exponent, write_exponent, 0, exponent_without_overflow(largest, 8))
DEFINE_INTEGERS(16, bfp16, read_exponent, write_exponent, 0, exponent_without_overflow(largest, 16))
DEFINE_INTEGERS(32, bfp32, read_exponent, write_exponent, 0, exponent_without_overflow(largest, 32))
DEFINE_INTEGERS(8, mxint8, read_e8m0, write_e8m0, MXINT8_FRACTION, exponent_of_ocp(largest, 0))
/* clang-format on */

/* ---- floats: elements are decoded by the codecs of arrays ---- */

enum {
    TOGETHER = 8, /* blocks decoded together */
    MX_BLOCK = 32
};

static const stn_affine unscaled = {.scale = 1.0, .inverse = 1.0, .plain = 1};

typedef double read_scale(const unsigned char *scale, int fraction);

/* Multiplies decoded blocks by their scales and `factor`, a power of two. */
STN_FN void scale_blocks(double *values, int64_t elements, stn_blocks at, int64_t count,
                         read_scale *read, double factor)
{
    for (int64_t b = 0; b < count; b++, values += elements) {
        const double scale = read(at.scales + b * at.scale_step, 0) * factor;
        for (int64_t k = 0; k < elements; k++)
            values[k] *= scale;
    }
}

static int64_t less(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- e4m3 and e5m2 ---- */

static void decode_bytes(double *restrict values, stn_blocks at, int64_t count, stn_format element)
{
    enum { elements = MX_BLOCK };
    unsigned char codes[TOGETHER * elements];
    for (int64_t b = 0; b < count; b += TOGETHER, values += TOGETHER * elements) {
        const int64_t some = less(count - b, TOGETHER);
        const stn_blocks from = stn_blocks_from(at, b);
        for (int64_t k = 0; k < some; k++)
            memcpy(codes + k * elements, from.codes + k * from.code_step, elements);
        stn_codec_of(element)->decode_f64(values, codes, some * elements, &unscaled);
        scale_blocks(values, elements, from, some, read_e8m0, 1.0);
    }
}

static void encode_bytes(const stn_block_format *format, stn_blocks at,
                         const double *restrict values, int64_t count, stn_format element, int top)
{
    const stn_codec *const codec = stn_codec_of(element);
    for (int64_t b = 0; b < count; b++) {
        const double *const block = values + b * STN_BFP_BLOCK;
        unsigned char *const codes = at.codes + b * at.code_step;
        const int exponent = exponent_of_ocp(largest_bits(block, STN_BFP_BLOCK), top);
        write_e8m0(at.scales + b * at.scale_step, exponent);
        if (exponent == NOT_FINITE) {
            memset(codes, 0, (size_t)format->code_bytes);
            continue;
        }
        const stn_affine affine = {.scale = power_of_two(exponent),
                                   .inverse = power_of_two(-exponent)};
        codec->encode_f64(codes, block, STN_BFP_BLOCK, &affine);
    }
}

#define DEFINE_BYTES(name, ELEMENT, top)                                                           \
    static void decode_##name(const stn_block_format *format, double *restrict values,             \
                              stn_blocks at, int64_t count)                                        \
    {                                                                                              \
        (void)format;                                                                              \
        decode_bytes(values, at, count, ELEMENT);                                                  \
    }                                                                                              \
    static void encode_##name(const stn_block_format *format, stn_blocks at,                       \
                              const double *restrict values, int64_t count)                        \
    {                                                                                              \
        encode_bytes(format, at, values, count, ELEMENT, top);                                     \
    }
DEFINE_BYTES(mxfp8_e4m3, STN_E4M3, 8)
DEFINE_BYTES(mxfp8_e5m2, STN_E5M2, 15)

/* ---- floats of 4 and 6 bits ---- */

/* Values of f16 multiplied by a scale. */
STN_FN void scale_f16(double *values, const uint16_t *halves, int64_t count, double scale)
{
#ifdef STN_ISA
    const vf64 factor = v_set_f64(scale);
    for (int64_t k = 0; k < count; k += V_PIECE) {
        const vf64x2 x = load_f64(halves + k);
        v_store_f64(values + k, (vf64x2){v_mul_f64(x.low, factor), v_mul_f64(x.high, factor)});
    }
#else
    stn_codec_of(STN_F16)->decode_f64(values, halves, count, &(stn_affine){.scale = scale});
#endif
}

#ifdef V_PICK
/* Codes of e2m1 by a table. */
STN_FN void scale_e2m1(double *values, const unsigned char *packed, int64_t count, double scale)
{
    static const double table[] = {0,    0.5,  1,  1.5,  2,  3,  4,  6,
                                   -0.0, -0.5, -1, -1.5, -2, -3, -4, -6};
    const vf64 factor = v_set_f64(scale);
    for (int64_t k = 0; k < count; k += V_PIECE, packed += sizeof(uint64_t)) {
        uint64_t indices;
        memcpy(&indices, packed, sizeof indices);
        const vf64x2 x = v_pick_f64(table, indices, 4);
        v_store_f64(values + k, (vf64x2){v_mul_f64(x.low, factor), v_mul_f64(x.high, factor)});
    }
}
#    define HAS_TABLE 1
#else
#    define scale_e2m1(values, packed, count, scale) ((void)0)
#    define HAS_TABLE                                0
#endif

/* Blocks of `elements` codes, a constant in each call. */
STN_FN void decode_small(double *restrict values, stn_blocks at, int64_t count, int64_t elements,
                         small_float f, read_scale *read)
{
    const f16_rule rule = f16_rule_of(f);
    const double factor = power_of_two(f16_shift(f));
    for (int64_t b = 0; b < count; b++, values += elements) {
        const unsigned char *const packed = at.codes + b * at.code_step;
        const double scale = read(at.scales + b * at.scale_step, 0);
        if (f.bits == 4 && HAS_TABLE) {
            scale_e2m1(values, packed, elements, scale);
        } else {
            uint16_t halves[MX_BLOCK];
            if (f.bits == 6)
                convert_6_bits(halves, packed, rule);
            else
                convert_4_bits(halves, packed, elements, rule);
            scale_f16(values, halves, elements, scale * factor);
        }
    }
}

/* The codes of values that are divided by their scale. Codes of equal sign are in the order of
 * their magnitudes, so that a fraction that is rounded up to a power of two is the next code. */
STN_FN void nearest_codes(unsigned char *codes, const double *values, small_float f, int64_t count)
{
    enum { FRACTION = 52, BIAS = 1023 };
    const int cut = FRACTION - f.fraction;
    const stn_u64 all = ((stn_u64)1 << (f.bits - 1)) - 1;
    const stn_u64 half = ((stn_u64)1 << (cut - 1)) - 1;
    const stn_u64 first = (stn_u64)(f.lowest + f.fraction + BIAS - 1) << f.fraction;
    const int64_t normal = (int64_t)(f.lowest + f.fraction + BIAS) << FRACTION;
    const int64_t highest = (int64_t)((all + first) << cut);
    const double steps = power_of_two(-f.lowest);
    for (int64_t k = 0; k < count; k++) {
        const stn_u64 bits = stn_bits_of_f64(values[k]);
        const int64_t given = (int64_t)(bits & INT64_MAX);
        const int64_t magnitude = given < highest ? given : highest;
        const stn_u64 kept = (stn_u64)magnitude;
        const stn_u64 rounded = ((kept + half + (kept >> cut & 1)) >> cut) - first;
        const stn_u64 small = stn_bits_of_f64(stn_f64_of_bits(kept) * steps + TO_INTEGER) & 0xff;
        const stn_u64 is_small = 0 - ((stn_u64)(magnitude - normal) >> 63); /* all bits, or 0 */
        const stn_u64 nearest = rounded ^ ((rounded ^ small) & is_small);
        codes[k] = (unsigned char)(nearest | bits >> 63 << (f.bits - 1));
    }
}

STN_FN void pack(unsigned char *packed, const unsigned char *codes, int bits, int64_t count)
{
    for (int64_t k = 0; bits == 4 && k < count / 2; k++)
        packed[k] = (unsigned char)(codes[2 * k] | codes[2 * k + 1] << 4);
    for (int64_t k = 0; bits == 6 && k < count; k += 4, packed += 3) {
        const unsigned group = codes[k] | (unsigned)codes[k + 1] << 6 |
                               (unsigned)codes[k + 2] << 12 | (unsigned)codes[k + 3] << 18;
        packed[0] = (unsigned char)(group & 0xff);
        packed[1] = (unsigned char)(group >> 8 & 0xff);
        packed[2] = (unsigned char)(group >> 16);
    }
}

/* Codes of values divided by a scale, whose inverse is exact or 0; a scale of 0 makes them 0. */
STN_FN void encode_codes(unsigned char *codes, const double *restrict values, int64_t elements,
                         small_float f, double scale, double inverse)
{
    double divided[MX_BLOCK];
    if (!(scale > 0.0)) {
        memset(codes, 0, (size_t)elements);
        return;
    }
    for (int64_t k = 0; inverse != 0.0 && k < elements; k++)
        divided[k] = values[k] * inverse;
    for (int64_t k = 0; inverse == 0.0 && k < elements; k++)
        divided[k] = values[k] / scale;
    nearest_codes(codes, divided, f, elements);
}

/* Packs codes of several blocks at once: wide loads of bytes that were stored just before by
 * narrower stores would wait for them. */
STN_FN void pack_blocks(stn_blocks to, const unsigned char *codes, int bits, int64_t elements,
                        int64_t count)
{
    for (int64_t b = 0; b < count; b++)
        pack(to.codes + b * to.code_step, codes + b * elements, bits, elements);
}

STN_FN void encode_small(stn_blocks at, const double *restrict values, int64_t count, small_float f)
{
    unsigned char codes[TOGETHER * MX_BLOCK];
    for (int64_t b = 0; b < count; b++) {
        const double *const block = values + b * MX_BLOCK;
        const int exponent = exponent_of_ocp(largest_bits(block, MX_BLOCK), f.top);
        const int is_finite = exponent != NOT_FINITE;
        write_e8m0(at.scales + b * at.scale_step, exponent);
        encode_codes(codes + b % TOGETHER * MX_BLOCK, block, MX_BLOCK, f,
                     is_finite ? power_of_two(exponent) : 0.0,
                     is_finite ? power_of_two(-exponent) : 0.0);
        if (b % TOGETHER == TOGETHER - 1 || b == count - 1)
            pack_blocks(stn_blocks_from(at, b / TOGETHER * TOGETHER), codes, f.bits, MX_BLOCK,
                        b % TOGETHER + 1);
    }
}

#define DEFINE_SMALL(name, f)                                                                      \
    static void decode_##name(const stn_block_format *format, double *restrict values,             \
                              stn_blocks at, int64_t count)                                        \
    {                                                                                              \
        (void)format;                                                                              \
        decode_small(values, at, count, MX_BLOCK, f, read_e8m0);                                   \
    }                                                                                              \
    static void encode_##name(const stn_block_format *format, stn_blocks at,                       \
                              const double *restrict values, int64_t count)                        \
    {                                                                                              \
        (void)format;                                                                              \
        encode_small(at, values, count, f);                                                        \
    }
DEFINE_SMALL(mxfp6_e3m2, e3m2)
DEFINE_SMALL(mxfp6_e2m3, e2m3)
DEFINE_SMALL(mxfp4, e2m1)

/* ---- NVFP4 ---- */

enum { NV_BLOCK = 16 };

static double read_e4m3(const unsigned char *scale, int fraction)
{
    const int exponent = *scale >> 3 & 15, lowest = exponent > 0 ? exponent : 1;
    const double magnitude =
        (double)((exponent > 0 ? 8 : 0) + (*scale & 7)) * power_of_two(lowest - 10);
    (void)fraction;
    if ((*scale & E4M3_NAN) == E4M3_NAN)
        return (double)NAN;
    return *scale & 0x80 ? -magnitude : magnitude;
}

static void decode_nvfp4(const stn_block_format *format, double *restrict values, stn_blocks at,
                         int64_t count)
{
    (void)format;
    decode_small(values, at, count, NV_BLOCK, e2m1, read_e4m3);
}

static void encode_nvfp4(const stn_block_format *format, stn_blocks at,
                         const double *restrict values, int64_t count)
{
    enum { HIGHEST = 6 }; /* of e2m1 */
    unsigned char codes[TOGETHER * NV_BLOCK];
    (void)format;
    for (int64_t b = 0; b < count; b++) {
        const double *const block = values + b * NV_BLOCK;
        unsigned char *const scale = at.scales + b * at.scale_step;
        const stn_u64 largest = largest_bits(block, NV_BLOCK);
        const double wanted = stn_f64_of_bits(largest) / HIGHEST;
        if (largest >= infinity_bits)
            *scale = E4M3_NAN;
        else
            stn_codec_of(STN_E4M3)->encode_f64(scale, &wanted, 1, &unscaled);
        encode_codes(codes + b % TOGETHER * NV_BLOCK, block, NV_BLOCK, e2m1, read_e4m3(scale, 0),
                     0.0);
        if (b % TOGETHER == TOGETHER - 1 || b == count - 1)
            pack_blocks(stn_blocks_from(at, b / TOGETHER * TOGETHER), codes, e2m1.bits, NV_BLOCK,
                        b % TOGETHER + 1);
    }
}

/* ---- the table ---- */

#define CODEC_ROW(id, NAME, name, element, count, scale, placement)                                \
    [STN_##NAME - STN_BUILTIN_FORMATS] = {decode_##name, encode_##name},
#define STN_BLOCK_CODECS                                                                           \
    {                                                                                              \
        {                                                                                          \
            STN_BLOCK_TABLE(CODEC_ROW)                                                             \
        }                                                                                          \
    }

#endif
