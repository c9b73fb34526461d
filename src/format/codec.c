/* Selection of the codec of a format for an instruction set, generated from the table of
 * formats. */
#include "format/codec.h"

#include <math.h>

#include "format/portable.h"

#define STN_TEMPLATE           stn_codec
#define STN_TEMPLATE_TYPE      stn_codec
#define STN_TEMPLATE_INSTANCES STN_TILE_INSTANCES
#include "format/instance_table.h"

const stn_codec *stn_codec_on(stn_format format, stn_isa isa)
{
    return isa == STN_ISA_C ? &stn_portable_codec_of(format)->codec : instances[isa][format];
}

const stn_codec *stn_codec_of(stn_format format)
{
    return stn_codec_on(format, stn_isa_chosen());
}

/* 1 / scale if scale is a power of two whose reciprocal is normal: then x / scale and x * inverse
 * have the same bits for every x. */
static double exact_inverse(double scale, double least_normal)
{
    const uint64_t fraction = ((uint64_t)1 << 52) - 1;
    if (stn_bits_of_f64(scale) & fraction)
        return 0.0;
    const double inverse = 1.0 / scale;
    return fabs(inverse) >= least_normal && fabs(inverse) <= 1.0 / least_normal ? inverse : 0.0;
}

/* In integer code, independent of the caller's floating-point modes. gcc 12 at -O2 drops the
 * conversion of two neighbors written as `narrow ? (double)(float)x : x`. */
static double rounded_to_f32(double x)
{
    return (double)stn_f32_of_f64_bits(stn_bits_of_f64(x));
}

void stn_affine_init(stn_affine *affine, const stn_storage *storage, stn_format arithmetic)
{
    /* A struct assembled from stores of 8 bytes and copied by 16 bytes would wait for them. */
    static const stn_affine plain = {.scale = 1.0, .inverse = 1.0, .plain = 1};
    const int narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    if (storage->scale == 1.0 && storage->zero == 0.0) {
        *affine = plain;
        return;
    }
    affine->scale = narrow ? rounded_to_f32(storage->scale) : storage->scale;
    affine->zero = narrow && storage->zero != 0.0 ? rounded_to_f32(storage->zero) : storage->zero;
    if (affine->scale == 1.0 && affine->zero == 0.0) { /* rounded; the zero may be -0 */
        *affine = plain;
        return;
    }
    affine->plain = 0;
    affine->inverse = exact_inverse(affine->scale, narrow ? 0x1p-126 : 0x1p-1022);
}
