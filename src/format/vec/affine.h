/* Loads of pieces with scale and zero point. `plain` is a constant in each call: 1 for
 * plain storage, whose loops then contain no scaling; 0; or STN_BLOCK_SCALES, with one scale per 32
 * codes and no zero point. */
#ifndef STENO_FORMAT_VEC_AFFINE_H
#define STENO_FORMAT_VEC_AFFINE_H

#include "format/codec.h"

/* Scale and zero point in the arithmetic of a run, loaded once before the loop, because stores
 * in the loop might alias them, and each piece would convert them again. */
typedef stn_affine affine_f64;
#ifdef SEGMENTED_CODES
typedef stn_affine affine_f32;
#else
typedef struct affine_f32 {
    float scale, zero;
    const void *codes;
    const float *blocks;
} affine_f32;
#endif

STN_FN affine_f64 take_affine_f64(const stn_affine *affine)
{
    return *affine;
}

#ifdef SEGMENTED_CODES
STN_FN affine_f32 take_affine_f32(const stn_affine *affine)
{
    return *affine;
}
#else
STN_FN affine_f32 take_affine_f32(const stn_affine *affine)
{
    return (affine_f32){(float)affine->scale, (float)affine->zero, affine->codes, affine->blocks};
}
#endif

/* The scale of the block that contains a piece. */
STN_FN float scale_at(const code *p, const void *codes, const float *blocks)
{
    return blocks[((uintptr_t)p - (uintptr_t)codes) / (STN_BLOCK * sizeof *p)];
}

#ifdef SEGMENTED_CODES
STN_FN vf64x2 read_f64(const code *p, const affine_f64 *affine, int plain)
{
    return plain ? load_f64(p) : load_planes(p, affine);
}

STN_FN vf32 read_f32(const code *p, const affine_f64 *affine, int plain)
{
    return v_narrow(read_f64(p, affine, plain));
}
#else
STN_FN vf64x2 read_f64(const code *p, const affine_f64 *affine, int plain)
{
    vf64x2 x = load_f64(p);
    if (plain == STN_BLOCK_SCALES) {
        const vf64 scale = v_set_f64((double)scale_at(p, affine->codes, affine->blocks));
        return (vf64x2){v_mul_f64(x.low, scale), v_mul_f64(x.high, scale)};
    }
    if (!plain) {
        const vf64 zero = v_set_f64(affine->zero), scale = v_set_f64(affine->scale);
        x.low = v_mul_f64(v_sub_f64(x.low, zero), scale);
        x.high = v_mul_f64(v_sub_f64(x.high, zero), scale);
    }
    return x;
}

STN_FN vf32 read_f32(const code *p, const affine_f32 *affine, int plain)
{
    const vf32 x = load_f32(p);
    if (plain == STN_BLOCK_SCALES)
        return v_mul_f32(x, v_set_f32(scale_at(p, affine->codes, affine->blocks)));
    if (plain)
        return x;
    const vf32 zero = v_set_f32(affine->zero), scale = v_set_f32(affine->scale);
    return v_mul_f32(v_sub_f32(x, zero), scale);
}
#endif

#endif
