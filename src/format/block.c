/* Codecs of the block formats. Loops over the elements of a block are vectorized; a scale is
 * determined once per block. */
#include "format/block.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/modes.h"
#include "core/versions.h"
#include "format/codec.h"

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
    const int code = exponent == NOT_FINITE ? EXPONENT_NAN : exponent;
    scale[0] = (unsigned char)(code & 0xff);
    scale[1] = (unsigned char)(code >> 8 & 0xff);
}

static void write_e8m0(unsigned char *scale, int exponent)
{
    *scale = (unsigned char)(exponent == NOT_FINITE ? E8M0_NAN : exponent + E8M0_BIAS);
}

/* The bits of the largest magnitude: those of infinity or more if a value is not finite. */
static inline stn_u64 largest_bits(const double *values, int64_t count)
{
    stn_u64 largest = 0;
    for (int64_t k = 0; k < count; k++) {
        const stn_u64 bits = stn_bits_of_f64(values[k]) & 0x7fffffffffffffffu;
        largest = bits > largest ? bits : largest;
    }
    return largest;
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
    const double code = stn_f64_of_bits(largest) * by.first * by.second;
    const int is_less = code < ldexp(1.0, bits - 1) - 0.5;
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

enum { MAX = STN_BLOCK_MOST_ELEMENTS, MXINT8_FRACTION = 6 };

#define DEFINE_INTEGERS(bits, name, READ, WRITE, FRACTION, EXPONENT)                               \
    STN_VERSIONS static void decode_##name(const stn_block_format *format,                         \
                                           double *restrict values, stn_blocks at, int64_t count)  \
    {                                                                                              \
        (void)format;                                                                              \
        for (int64_t b = 0; b < count; b++) {                                                      \
            const double scale = READ(at.scales + b * at.scale_step, FRACTION);                    \
            int##bits##_t codes[STN_BFP_BLOCK];                                                    \
            memcpy(codes, at.codes + b * at.code_step, sizeof codes);                              \
            for (int k = 0; k < STN_BFP_BLOCK; k++)                                                \
                values[b * STN_BFP_BLOCK + k] = (double)codes[k] * scale;                          \
        }                                                                                          \
    }                                                                                              \
    STN_VERSIONS static void encode_##name(const stn_block_format *format, stn_blocks at,          \
                                           const double *restrict values, int64_t count)           \
    {                                                                                              \
        const double highest = (double)INT##bits##_MAX;                                            \
        (void)format;                                                                              \
        for (int64_t b = 0; b < count; b++) {                                                      \
            const double *const block = values + b * STN_BFP_BLOCK;                                \
            const stn_u64 largest = largest_bits(block, STN_BFP_BLOCK);                            \
            const int exponent = EXPONENT;                                                         \
            const divisor by = divisor_of(exponent == NOT_FINITE ? 0 : exponent - FRACTION);       \
            int##bits##_t codes[STN_BFP_BLOCK];                                                    \
            WRITE(at.scales + b * at.scale_step, exponent);                                        \
            for (int k = 0; k < STN_BFP_BLOCK; k++) {                                              \
                double code = block[k] * by.first * by.second;                                     \
                code = code > highest ? highest : code < -highest ? -highest : code;               \
                codes[k] = (int##bits##_t)(uint32_t)stn_bits_of_f64(code + TO_INTEGER);            \
            }                                                                                      \
            if (exponent == NOT_FINITE)                                                            \
                memset(codes, 0, sizeof codes);                                                    \
            memcpy(at.codes + b * at.code_step, codes, sizeof codes);                              \
        }                                                                                          \
    }

/* clang-format off */
DEFINE_INTEGERS(8, bfp8, read_exponent, write_exponent, 0, exponent_without_overflow(largest, 8))
DEFINE_INTEGERS(16, bfp16, read_exponent, write_exponent, 0, exponent_without_overflow(largest, 16))
DEFINE_INTEGERS(32, bfp32, read_exponent, write_exponent, 0, exponent_without_overflow(largest, 32))
DEFINE_INTEGERS(8, mxint8, read_e8m0, write_e8m0, MXINT8_FRACTION, exponent_of_ocp(largest, 0))
/* clang-format on */

/* ---- e4m3 and e5m2, which have codecs for contiguous arrays ---- */

static void decode_bytes(const stn_block_format *format, double *restrict values, stn_blocks at,
                         int64_t count, stn_format element)
{
    const stn_codec *const codec = stn_codec_of(element);
    for (int64_t b = 0; b < count; b++) {
        const double scale = read_e8m0(at.scales + b * at.scale_step, 0);
        const stn_affine affine = {.scale = scale, .inverse = 1.0 / scale};
        codec->decode_f64(values + b * format->elements, at.codes + b * at.code_step,
                          format->elements, &affine);
    }
}

static void encode_bytes(const stn_block_format *format, stn_blocks at,
                         const double *restrict values, int64_t count, stn_format element, int top)
{
    const stn_codec *const codec = stn_codec_of(element);
    for (int64_t b = 0; b < count; b++) {
        const double *const block = values + b * format->elements;
        unsigned char *const codes = at.codes + b * at.code_step;
        const int exponent = exponent_of_ocp(largest_bits(block, format->elements), top);
        write_e8m0(at.scales + b * at.scale_step, exponent);
        if (exponent == NOT_FINITE) {
            memset(codes, 0, (size_t)format->code_bytes);
            continue;
        }
        const stn_affine affine = {.scale = power_of_two(exponent),
                                   .inverse = power_of_two(-exponent)};
        codec->encode_f64(codes, block, format->elements, &affine);
    }
}

#define DEFINE_BYTES(name, ELEMENT, top)                                                           \
    static void decode_##name(const stn_block_format *format, double *restrict values,             \
                              stn_blocks at, int64_t count)                                        \
    {                                                                                              \
        decode_bytes(format, values, at, count, ELEMENT);                                          \
    }                                                                                              \
    static void encode_##name(const stn_block_format *format, stn_blocks at,                       \
                              const double *restrict values, int64_t count)                        \
    {                                                                                              \
        encode_bytes(format, at, values, count, ELEMENT, top);                                     \
    }
DEFINE_BYTES(mxfp8_e4m3, STN_E4M3, 8)
DEFINE_BYTES(mxfp8_e5m2, STN_E5M2, 15)

/* ---- floats of 4 and 6 bits ---- */

/* Values of the codes without sign: OCP MX 1.0, 5.3. */
/* clang-format off */
static const double e3m2_values[] = {
    0,   0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.625, 0.75, 0.875, 1,  1.25, 1.5, 1.75,
    2,   2.5,    3,     3.5,    4,    5,      6,     7,      8,   10,    12,   14,    16, 20,   24,  28};
static const double e2m3_values[] = {
    0,   0.125,  0.25,  0.375,  0.5,  0.625,  0.75,  0.875,  1,   1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875,
    2,   2.25,   2.5,   2.75,   3,    3.25,   3.5,   3.75,   4,   4.5,   5,    5.5,   6,   6.5,   7,    7.5};
static const double e2m1_values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
/* clang-format on */

/* Floats without infinity and NaN. The largest power of two is 2^top, the spacing of the subnormal
 * numbers 2^lowest. */
typedef struct small_float {
    int bits, fraction, lowest, top;
    const double *values;
} small_float;

static const small_float e3m2 = {6, 2, -4, 4, e3m2_values}, e2m3 = {6, 3, -3, 2, e2m3_values},
                         e2m1 = {4, 1, -1, 2, e2m1_values};

static double small_value(small_float f, unsigned code)
{
    const unsigned largest = (1u << (f.bits - 1)) - 1;
    return stn_f64_of_bits(stn_bits_of_f64(f.values[code & largest]) |
                           (stn_u64)(code >> (f.bits - 1)) << 63);
}

/* Codes of equal sign are in the order of their magnitudes, so that a fraction that is rounded up
 * to a power of two is the next code. */
static unsigned small_code(small_float f, double value)
{
    const unsigned largest = (1u << (f.bits - 1)) - 1, sign = signbit(value) ? largest + 1 : 0;
    const double magnitude = fabs(value);
    if (magnitude >= f.values[largest])
        return sign | largest;
    if (magnitude == 0.0)
        return sign;
    int above = exponent_of(stn_bits_of_f64(magnitude)) - (f.lowest + f.fraction);
    above = above < 0 ? 0 : above;
    const double steps = magnitude * power_of_two(-f.lowest - above) + TO_INTEGER;
    return sign | ((unsigned)(above << f.fraction) + (unsigned)(stn_bits_of_f64(steps) & 0xff));
}

/* The first element has the lowest bits. 4 codes of 6 bits have 3 bytes, 2 codes of 4 bits one. */
static void unpack(unsigned char *codes, const unsigned char *packed, int bits, int64_t count)
{
    for (int64_t k = 0; k < count; k += 4, packed += bits / 2) {
        const unsigned group =
            packed[0] | (unsigned)packed[1] << 8 | (bits == 6 ? (unsigned)packed[2] << 16 : 0);
        for (int at = 0; at < 4; at++)
            codes[k + at] = (unsigned char)(group >> at * bits & ((1u << bits) - 1));
    }
}

static void pack(unsigned char *packed, const unsigned char *codes, int bits, int64_t count)
{
    for (int64_t k = 0; k < count; k += 4, packed += bits / 2) {
        unsigned group = 0;
        for (int at = 0; at < 4; at++)
            group |= (unsigned)codes[k + at] << at * bits;
        for (int at = 0; at < bits / 2; at++)
            packed[at] = (unsigned char)(group >> 8 * at & 0xff);
    }
}

static void decode_small(const stn_block_format *format, double *restrict values, stn_blocks at,
                         int64_t count, small_float f,
                         double (*read)(const unsigned char *scale, int fraction))
{
    unsigned char codes[MAX];
    for (int64_t b = 0; b < count; b++) {
        const double scale = read(at.scales + b * at.scale_step, 0);
        unpack(codes, at.codes + b * at.code_step, f.bits, format->elements);
        for (int64_t k = 0; k < format->elements; k++)
            values[b * format->elements + k] = small_value(f, codes[k]) * scale;
    }
}

/* Codes of values divided by a scale; a scale of 0 makes them 0. */
static void encode_codes(const stn_block_format *format, unsigned char *packed,
                         const double *restrict values, small_float f, double scale)
{
    unsigned char codes[MAX];
    for (int64_t k = 0; k < format->elements; k++)
        codes[k] = (unsigned char)(scale > 0.0 ? small_code(f, values[k] / scale) : 0);
    pack(packed, codes, f.bits, format->elements);
}

static void encode_small(const stn_block_format *format, stn_blocks at,
                         const double *restrict values, int64_t count, small_float f)
{
    for (int64_t b = 0; b < count; b++) {
        const double *const block = values + b * format->elements;
        const int exponent = exponent_of_ocp(largest_bits(block, format->elements), f.top);
        write_e8m0(at.scales + b * at.scale_step, exponent);
        encode_codes(format, at.codes + b * at.code_step, block, f,
                     exponent == NOT_FINITE ? 0.0 : power_of_two(exponent));
    }
}

#define DEFINE_SMALL(name, f)                                                                      \
    static void decode_##name(const stn_block_format *format, double *restrict values,             \
                              stn_blocks at, int64_t count)                                        \
    {                                                                                              \
        decode_small(format, values, at, count, f, read_e8m0);                                     \
    }                                                                                              \
    static void encode_##name(const stn_block_format *format, stn_blocks at,                       \
                              const double *restrict values, int64_t count)                        \
    {                                                                                              \
        encode_small(format, at, values, count, f);                                                \
    }
DEFINE_SMALL(mxfp6_e3m2, e3m2)
DEFINE_SMALL(mxfp6_e2m3, e2m3)
DEFINE_SMALL(mxfp4, e2m1)

/* ---- NVFP4 ---- */

static const stn_affine unscaled = {.scale = 1.0, .inverse = 1.0, .plain = 1};

static double read_e4m3(const unsigned char *scale, int fraction)
{
    double value;
    (void)fraction;
    stn_codec_of(STN_E4M3)->decode_f64(&value, scale, 1, &unscaled);
    return value;
}

static void decode_nvfp4(const stn_block_format *format, double *restrict values, stn_blocks at,
                         int64_t count)
{
    decode_small(format, values, at, count, e2m1, read_e4m3);
}

static void encode_nvfp4(const stn_block_format *format, stn_blocks at,
                         const double *restrict values, int64_t count)
{
    enum { HIGHEST = 6 }; /* of e2m1 */
    for (int64_t b = 0; b < count; b++) {
        const double *const block = values + b * format->elements;
        unsigned char *const scale = at.scales + b * at.scale_step;
        const stn_u64 largest = largest_bits(block, format->elements);
        const double wanted = stn_f64_of_bits(largest) / HIGHEST;
        if (largest >= infinity_bits)
            *scale = E4M3_NAN;
        else
            stn_codec_of(STN_E4M3)->encode_f64(scale, &wanted, 1, &unscaled);
        encode_codes(format, at.codes + b * at.code_step, block, e2m1, read_e4m3(scale, 0));
    }
}

/* ---- registered formats ---- */

static void decode_registered(const stn_block_format *format, double *restrict values,
                              stn_blocks at, int64_t count)
{
    const stn_modes_guarded modes = stn_modes_guard();
    for (int64_t b = 0; b < count; b++)
        format->codec.decode(values + b * format->elements, at.codes + b * at.code_step,
                             at.scales + b * at.scale_step, format->codec.context);
    stn_modes_again(modes);
}

static void encode_registered(const stn_block_format *format, stn_blocks at,
                              const double *restrict values, int64_t count)
{
    const stn_modes_guarded modes = stn_modes_guard();
    for (int64_t b = 0; b < count; b++)
        format->codec.encode(at.codes + b * at.code_step, at.scales + b * at.scale_step,
                             values + b * format->elements, format->codec.context);
    stn_modes_again(modes);
}

stn_block_format stn_block_registered(const stn_block_codec *codec)
{
    return (stn_block_format){.elements = codec->elements,
                              .code_bytes = codec->code_bytes,
                              .scale_bytes = codec->scale_bytes,
                              .is_inline = 1,
                              .decode = decode_registered,
                              .encode = encode_registered,
                              .codec = *codec};
}

/* ---- the table ---- */

/* Of the elements: bits, fraction bits (integers: without sign), largest value (mxint8: 127/64). */
#define BITS_INT8      8
#define BITS_INT16     16
#define BITS_INT32     32
#define BITS_E4M3      8
#define BITS_E5M2      8
#define BITS_E3M2      6
#define BITS_E2M3      6
#define BITS_E2M1      4
#define FRACTION_INT8  6
#define FRACTION_INT16 14
#define FRACTION_INT32 30
#define FRACTION_E4M3  3
#define FRACTION_E5M2  2
#define FRACTION_E3M2  2
#define FRACTION_E2M3  3
#define FRACTION_E2M1  1
#define HIGHEST_INT8   (127.0 / 64)
#define HIGHEST_INT16  INT16_MAX
#define HIGHEST_INT32  INT32_MAX
#define HIGHEST_E4M3   448.0
#define HIGHEST_E5M2   57344.0
#define HIGHEST_E3M2   28.0
#define HIGHEST_E2M3   7.5
#define HIGHEST_E2M1   6.0
#define SMALLEST_INT8  0x1p-6
#define SMALLEST_INT16 1.0
#define SMALLEST_INT32 1.0
#define SMALLEST_E4M3  0x1p-9
#define SMALLEST_E5M2  0x1p-16
#define SMALLEST_E3M2  0x1p-4
#define SMALLEST_E2M3  0x1p-3
#define SMALLEST_E2M1  0x1p-1

/* Of the scales: bytes, bits of the exponent, and the range of values of an element of magnitude x
 * with the largest and smallest scale. */
#define BYTES_EXPONENT         2
#define BYTES_E8M0             1
#define BYTES_UE4M3            1
#define EXPONENT_BITS_EXPONENT 11
#define EXPONENT_BITS_E8M0     8
#define EXPONENT_BITS_UE4M3    4
#define UP_EXPONENT(x)         DBL_MAX
#define UP_E8M0(x)             ((x)*0x1p127)
#define UP_UE4M3(x)            ((x)*448.0)
#define DOWN_EXPONENT(x)       0x1p-1074
#define DOWN_E8M0(x)           ((x)*0x1p-127)
#define DOWN_UE4M3(x)          ((x)*0x1p-9)
#define INLINE                 1
#define SEPARATE               0

#define FORMAT_ROW(id, NAME, name, element, count, scale, placement)                               \
    [STN_##NAME - STN_BUILTIN_FORMATS] = {.elements = count,                                       \
                                          .code_bytes = count * BITS_##element / 8,                \
                                          .scale_bytes = BYTES_##scale,                            \
                                          .is_inline = placement,                                  \
                                          .decode = decode_##name,                                 \
                                          .encode = encode_##name},
static const stn_block_format formats[STN_BLOCK_FORMATS] = {STN_BLOCK_TABLE(FORMAT_ROW)};

#define INFO_ROW(id, NAME, text, element, count, scale, placement)                                 \
    [STN_##NAME - STN_BUILTIN_FORMATS] = {.name = #text,                                           \
                                          .bits = BITS_##element,                                  \
                                          .exponent_bits = EXPONENT_BITS_##scale,                  \
                                          .fraction_bits = FRACTION_##element,                     \
                                          .highest = UP_##scale(HIGHEST_##element),                \
                                          .smallest = DOWN_##scale(SMALLEST_##element)},
static const stn_format_info infos[STN_BLOCK_FORMATS] = {STN_BLOCK_TABLE(INFO_ROW)};

const stn_block_format *stn_block_builtin(stn_format format)
{
    return &formats[format - STN_BUILTIN_FORMATS];
}

void stn_block_describe(stn_format_info *info)
{
    const stn_block_format *const block = stn_block_builtin(info->format);
    const stn_format format = info->format;
    *info = infos[format - STN_BUILTIN_FORMATS];
    info->size = sizeof *info;
    info->format = format;
    info->kind = STN_CLASS_BLOCK;
    info->component = STN_F64;
    info->bytes = info->alignment = sizeof(double);
    info->is_signed = 1;
    info->lowest = -info->highest;
    info->epsilon = ldexp(1.0, -info->fraction_bits);
    info->block_elements = block->elements;
    info->block_bytes = block->code_bytes + block->scale_bytes;
}
