/* The table of block formats: their codecs for the instruction set in use, and registered formats.
 */
#include "format/block.h"

#include <float.h>
#include <math.h>

#include "core/modes.h"
#include "format/block_codecs.h"

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

/* ---- built-in formats ---- */

static const stn_block_codecs portable = STN_BLOCK_CODECS;

#define DECLARE(isa) extern const stn_block_codecs stn_block_codecs_f16_##isa;
#ifdef STN_HAVE_ISA_NEON
DECLARE(neon)
#endif
#ifdef STN_HAVE_ISA_AVX2
DECLARE(avx2)
#endif
#ifdef STN_HAVE_ISA_AVX512
DECLARE(avx512)
#endif

static const stn_block_codecs *const codecs[STN_ISA_COUNT] = {
    [STN_ISA_C] = &portable,
#ifdef STN_HAVE_ISA_NEON
    [STN_ISA_NEON] = &stn_block_codecs_f16_neon,
#endif
#ifdef STN_HAVE_ISA_AVX2
    [STN_ISA_AVX2] = &stn_block_codecs_f16_avx2,
#endif
#ifdef STN_HAVE_ISA_AVX512
    [STN_ISA_AVX512] = &stn_block_codecs_f16_avx512,
#endif
};

static void decode_builtin(const stn_block_format *format, double *restrict values, stn_blocks at,
                           int64_t count)
{
    const stn_format number = (stn_format)(format - stn_block_builtin(STN_BUILTIN_FORMATS));
    codecs[stn_isa_chosen()]->row[number].decode(format, values, at, count);
}

static void encode_builtin(const stn_block_format *format, stn_blocks at,
                           const double *restrict values, int64_t count)
{
    const stn_format number = (stn_format)(format - stn_block_builtin(STN_BUILTIN_FORMATS));
    codecs[stn_isa_chosen()]->row[number].encode(format, at, values, count);
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
                                          .decode = decode_builtin,                                \
                                          .encode = encode_builtin},
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
