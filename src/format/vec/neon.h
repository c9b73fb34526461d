/* Vector operations in NEON, which every AArch64 processor has: a piece is 4 elements. */
#ifndef STENO_FORMAT_VEC_NEON_H
#define STENO_FORMAT_VEC_NEON_H

#include <arm_neon.h>

#include "steno/codec.h"

enum { V_PIECE = 4 };

typedef float32x4_t vf32; /* 4 floats */
typedef int32x4_t vi32;   /* 4 integers of 32 bits */
typedef float64x2_t vf64; /* half a piece: 2 doubles */
typedef struct vf64x2 {
    vf64 low, high;
} vf64x2; /* 4 doubles */
typedef struct vi64x2 {
    int64x2_t low, high;
} vi64x2;              /* 4 integers of 64 bits */
typedef uint16x4_t vh; /* 4 integers of 16 bits */

/* ---- memory ---- */
/* Four bytes, twice. */
STN_FN uint8x8_t v_load_4_bytes(const void *p)
{
    uint32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return vreinterpret_u8_u32(vdup_n_u32(bytes));
}
STN_FN vf32 v_load_f32(const void *p)
{
    return vld1q_f32(p);
}
STN_FN void v_store_f32(void *p, vf32 x)
{
    vst1q_f32(p, x);
}
STN_FN vf64x2 v_load_f64(const void *p)
{
    return (vf64x2){vld1q_f64(p), vld1q_f64((const double *)p + 2)};
}
STN_FN void v_store_f64(void *p, vf64x2 x)
{
    vst1q_f64(p, x.low);
    vst1q_f64((double *)p + 2, x.high);
}
STN_FN vh v_load_h(const void *p)
{
    return vld1_u16(p);
}
STN_FN void v_store_h(void *p, vh x)
{
    vst1_u16(p, x);
}
STN_FN vh v_load_i8_h(const void *p)
{
    return vreinterpret_u16_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u8(v_load_4_bytes(p)))));
}
STN_FN void v_store_u8_h(void *p, vh x)
{
    const uint8x8_t bytes = vmovn_u16(vcombine_u16(x, x));
    const uint32_t four = vget_lane_u32(vreinterpret_u32_u8(bytes), 0);
    memcpy(p, &four, sizeof four);
}
STN_FN vi32 v_load_i8(const void *p)
{
    return vmovl_s16(vreinterpret_s16_u16(v_load_i8_h(p)));
}
STN_FN vi32 v_load_u8(const void *p)
{
    const vh halves = vget_low_u16(vmovl_u8(v_load_4_bytes(p)));
    return vreinterpretq_s32_u32(vmovl_u16(halves));
}
STN_FN vi32 v_load_i16(const void *p)
{
    return vmovl_s16(vld1_s16(p));
}
STN_FN vi32 v_load_u16(const void *p)
{
    return vreinterpretq_s32_u32(vmovl_u16(vld1_u16(p)));
}
STN_FN vi32 v_load_i32(const void *p)
{
    return vld1q_s32(p);
}
STN_FN vi64x2 v_load_i64(const void *p)
{
    return (vi64x2){vld1q_s64(p), vld1q_s64((const int64_t *)p + 2)};
}
STN_FN void v_store_i8(void *p, vi32 x)
{
    v_store_u8_h(p, vreinterpret_u16_s16(vmovn_s32(x)));
}
STN_FN void v_store_i16(void *p, vi32 x)
{
    vst1_s16(p, vmovn_s32(x));
}
STN_FN void v_store_i32(void *p, vi32 x)
{
    vst1q_s32(p, x);
}
STN_FN void v_store_i64(void *p, vi64x2 x)
{
    vst1q_s64(p, x.low);
    vst1q_s64((int64_t *)p + 2, x.high);
}

/* ---- arithmetic ---- */
STN_FN vf32 v_set_f32(float x)
{
    return vdupq_n_f32(x);
}
STN_FN vf64 v_set_f64(double x)
{
    return vdupq_n_f64(x);
}
STN_FN vf32 v_add_f32(vf32 a, vf32 b)
{
    return vaddq_f32(a, b);
}
STN_FN vf32 v_sub_f32(vf32 a, vf32 b)
{
    return vsubq_f32(a, b);
}
STN_FN vf32 v_mul_f32(vf32 a, vf32 b)
{
    return vmulq_f32(a, b);
}
STN_FN vf32 v_div_f32(vf32 a, vf32 b)
{
    return vdivq_f32(a, b);
}
STN_FN vf32 v_fma_f32(vf32 a, vf32 b, vf32 c)
{
    return vfmaq_f32(c, a, b);
}
STN_FN vf64 v_add_f64(vf64 a, vf64 b)
{
    return vaddq_f64(a, b);
}
STN_FN vf64 v_sub_f64(vf64 a, vf64 b)
{
    return vsubq_f64(a, b);
}
STN_FN vf64 v_mul_f64(vf64 a, vf64 b)
{
    return vmulq_f64(a, b);
}
STN_FN vf64 v_div_f64(vf64 a, vf64 b)
{
    return vdivq_f64(a, b);
}
STN_FN vf64 v_fma_f64(vf64 a, vf64 b, vf64 c)
{
    return vfmaq_f64(c, a, b);
}

/* ---- x[index[k]] of half a piece or a whole one, and the first lanes of a register ---- */
STN_FN vf64 v_gather_half_f64(const double *x, const int32_t *index)
{
    return (vf64){x[index[0]], x[index[1]]};
}
STN_FN vf64 v_gather_half_f64_u16(const double *x, const uint16_t *index)
{
    return (vf64){x[index[0]], x[index[1]]};
}
STN_FN vf32 v_gather_f32_u16(const float *x, const uint16_t *index)
{
    return (vf32){x[index[0]], x[index[1]], x[index[2]], x[index[3]]};
}
/* Lanes from `count` on are undefined. */
STN_FN vf32 v_gather_f32(const float *x, const int32_t *index, int64_t count)
{
    (void)count;
    return (vf32){x[index[0]], x[index[1]], x[index[2]], x[index[3]]};
}
STN_FN vf64 v_gather_far_f64(const double *x, const int32_t *index)
{
    return v_gather_half_f64(x, index);
}
STN_FN vf32 v_gather_far_f32(const float *x, const int32_t *index)
{
    return v_gather_f32(x, index, 4);
}
/* Lanes below `count` from `some`, the others from `rest`. */
STN_FN vf64 v_first_f64(vf64 some, vf64 rest, int64_t count)
{
    const int64x2_t lane = {0, 1};
    return vbslq_f64(vcgtq_s64(vdupq_n_s64(count), lane), some, rest);
}
STN_FN vf32 v_first_f32(vf32 some, vf32 rest, int64_t count)
{
    const int32x4_t lane = {0, 1, 2, 3};
    const int limit = count > 4 ? 4 : count < 0 ? 0 : (int)count;
    return vbslq_f32(vcgtq_s32(vdupq_n_s32(limit), lane), some, rest);
}

/* Lanes whose bit is set from `yes`, the others from `no`. */
STN_FN vf64 v_choose_half_f64(vf64 yes, vf64 no, unsigned mask)
{
    const uint64x2_t bit = {1, 2};
    return vbslq_f64(vtstq_u64(vdupq_n_u64(mask), bit), yes, no);
}
STN_FN vf32 v_choose_f32(vf32 yes, vf32 no, unsigned mask)
{
    const uint32x4_t bit = {1, 2, 4, 8};
    return vbslq_f32(vtstq_u32(vdupq_n_u32(mask), bit), yes, no);
}

/* Sums in tree order: lane l + h is added to lane l for h = half the lanes, ..., 1.
 * (vaddvq_f32 adds neighbors first.) */
STN_FN double v_sum_f64(vf64 x)
{
    return vpaddd_f64(x);
}
STN_FN float v_sum_f32(vf32 x)
{
    return vpadds_f32(vadd_f32(vget_low_f32(x), vget_high_f32(x)));
}

/* ---- NaN and limits: a NaN passes a clamp unchanged ---- */
STN_FN vf32 v_clamp_f32(vf32 x, float low, float high)
{
    return vmaxq_f32(vdupq_n_f32(low), vminq_f32(vdupq_n_f32(high), x));
}
STN_FN vf64 v_clamp_half_f64(vf64 x, double low, double high)
{
    return vmaxq_f64(vdupq_n_f64(low), vminq_f64(vdupq_n_f64(high), x));
}
STN_FN vf32 v_zero_nan_f32(vf32 x)
{
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(x), vceqq_f32(x, x)));
}
STN_FN vf64 v_zero_nan_half_f64(vf64 x)
{
    return vreinterpretq_f64_u64(vandq_u64(vreinterpretq_u64_f64(x), vceqq_f64(x, x)));
}
STN_FN vf32 v_canonical_f32(vf32 x)
{
    return vbslq_f32(vceqq_f32(x, x), x, vdupq_n_f32(stn_f32_of_bits(0x7fc00000u)));
}
STN_FN vf64 v_canonical_half_f64(vf64 x)
{
    return vbslq_f64(vceqq_f64(x, x), x, vdupq_n_f64(stn_f64_of_bits(0x7ff8000000000000u)));
}

/* ---- between f64 and f32 ---- */
STN_FN vf64x2 v_widen(vf32 x)
{
    return (vf64x2){vcvt_f64_f32(vget_low_f32(x)), vcvt_high_f64_f32(x)};
}
STN_FN vf32 v_narrow(vf64x2 x)
{
    return vcvt_high_f32_f64(vcvt_f32_f64(x.low), x.high);
}
/* Round to odd: truncates, and sets the last bit if bits were lost. A second rounding to fewer
 * bits then equals a single rounding. */
STN_FN vf32 v_narrow_odd(vf64x2 x)
{
    return vcvtx_high_f32_f64(vcvtx_f32_f64(x.low), x.high);
}

/* ---- 16-bit integers ---- */
STN_FN vh v_set_h(int x)
{
    return vdup_n_u16((uint16_t)x);
}
STN_FN vh v_add_h(vh a, vh b)
{
    return vadd_u16(a, b);
}
/* All bits set where a == b. */
STN_FN vh v_equal_h(vh a, vh b)
{
    return vceq_u16(a, b);
}
STN_FN vh v_and_h(vh a, vh b)
{
    return vand_u16(a, b);
}
STN_FN vh v_or_h(vh a, vh b)
{
    return vorr_u16(a, b);
}
#define v_shl_h(x, n) vshl_n_u16(x, n)
#define v_shr_h(x, n) vshr_n_u16(x, n)
/* `yes` where x is NaN, else `no`. */
STN_FN vh v_if_nan_h(vf32 x, vh yes, vh no)
{
    return vbsl_u16(vmovn_u32(vceqq_f32(x, x)), no, yes);
}

/* ---- 16-bit floats ---- */
STN_FN vf32 v_f16_to_f32(vh x)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(x));
}
STN_FN vh v_f32_to_f16(vf32 x)
{
    return vreinterpret_u16_f16(vcvt_f16_f32(x));
}
/* The conversion cannot round toward zero, so results rounded away from zero, including to
 * infinity, are decremented (the mask is -1); then the last bit is set. */
STN_FN vh v_f32_to_f16_odd(vf32 x)
{
    const vh nearest = v_f32_to_f16(x);
    const vf32 back = v_f16_to_f32(nearest);
    const vh away = vmovn_u32(vcagtq_f32(back, x));
    const vh exact = vmovn_u32(vceqq_f32(back, x));
    return vorr_u16(vadd_u16(nearest, away), vbic_u16(vdup_n_u16(1), exact));
}
STN_FN vf32 v_bf16_to_f32(vh x)
{
    return vreinterpretq_f32_u32(vshll_n_u16(x, 16));
}
STN_FN vh v_f32_to_bf16(vf32 x)
{
    const uint32x4_t bits = vreinterpretq_u32_f32(x);
    const uint32x4_t last = vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(1));
    return vaddhn_u32(vaddq_u32(bits, last), vdupq_n_u32(0x7fff));
}

/* ---- integers; values converted to at most 32 bits are in range and not NaN ---- */
STN_FN vf32 v_i32_to_f32(vi32 x)
{
    return vcvtq_f32_s32(x);
}
STN_FN vf32 v_u32_to_f32(vi32 x)
{
    return vcvtq_f32_u32(vreinterpretq_u32_s32(x));
}
STN_FN vf64x2 v_i32_to_f64(vi32 x)
{
    return (vf64x2){vcvtq_f64_s64(vmovl_s32(vget_low_s32(x))), vcvtq_f64_s64(vmovl_high_s32(x))};
}
STN_FN vf64x2 v_u32_to_f64(vi32 x)
{
    const uint32x4_t words = vreinterpretq_u32_s32(x);
    return (vf64x2){vcvtq_f64_u64(vmovl_u32(vget_low_u32(words))),
                    vcvtq_f64_u64(vmovl_high_u32(words))};
}
/* The low 32 bits of each 64. */
STN_FN vi32 v_low_words(vi64x2 x)
{
    return vuzp1q_s32(vreinterpretq_s32_s64(x.low), vreinterpretq_s32_s64(x.high));
}
/* Conversions to 64 bits saturate and yield 0 for NaN in hardware. */
STN_FN vi64x2 v_f64_to_i64(vf64x2 x)
{
    return (vi64x2){vcvtnq_s64_f64(x.low), vcvtnq_s64_f64(x.high)};
}
STN_FN vi64x2 v_f64_to_u64(vf64x2 x)
{
    return (vi64x2){vreinterpretq_s64_u64(vcvtnq_u64_f64(x.low)),
                    vreinterpretq_s64_u64(vcvtnq_u64_f64(x.high))};
}
STN_FN vi32 v_f32_to_i32(vf32 x)
{
    return vcvtnq_s32_f32(x);
}
STN_FN vi32 v_f64_to_i32(vf64x2 x)
{
    return v_low_words(v_f64_to_i64(x));
}
STN_FN vi32 v_f64_to_u32(vf64x2 x)
{
    return v_low_words(v_f64_to_u64(x));
}
STN_FN vf64x2 v_i64_to_f64(vi64x2 x)
{
    return (vf64x2){vcvtq_f64_s64(x.low), vcvtq_f64_s64(x.high)};
}
STN_FN vf64x2 v_u64_to_f64(vi64x2 x)
{
    return (vf64x2){vcvtq_f64_u64(vreinterpretq_u64_s64(x.low)),
                    vcvtq_f64_u64(vreinterpretq_u64_s64(x.high))};
}
/* Lane by lane: only the scalar instruction converts to f32 with a single rounding. */
STN_FN vf32 v_i64_to_f32(vi64x2 x)
{
    return (vf32){(float)vgetq_lane_s64(x.low, 0), (float)vgetq_lane_s64(x.low, 1),
                  (float)vgetq_lane_s64(x.high, 0), (float)vgetq_lane_s64(x.high, 1)};
}
STN_FN vf32 v_u64_to_f32(vi64x2 x)
{
    return (vf32){
        (float)(uint64_t)vgetq_lane_s64(x.low, 0), (float)(uint64_t)vgetq_lane_s64(x.low, 1),
        (float)(uint64_t)vgetq_lane_s64(x.high, 0), (float)(uint64_t)vgetq_lane_s64(x.high, 1)};
}

#endif
