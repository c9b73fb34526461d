/* e4m3 (OCP 8-bit FP, E4M3FN): an f16 with its exponent bias reduced by 8 and its last 7 bits
 * removed. 480 would have the code of NaN, so values are clamped to 448 first. */
#include "steno/detail/accessor/e4m3_table.h"

typedef uint8_t code;

#define EXACT_SUM exact_sum_e4m3
#define EXACT_DOT exact_dot_e4m3

#ifdef V_LOOKUP
static const uint16_t upper_f64[128] = STN_E4M3_TABLE_F64;
static const uint16_t upper_f32[128] = STN_E4M3_TABLE_F32;

STN_FN vf32 load_f32(const code *p)
{
    return v_bf16_to_f32(v_lookup_h(upper_f32, v_load_i8_h(p)));
}
STN_FN vf64x2 load_f64(const code *p)
{
    return v_upper_f64(v_lookup_h(upper_f64, v_load_i8_h(p)));
}
#else
#    define PRODUCTS_EXACT_IN_F32

STN_FN vf32 load_f32(const code *p)
{
    const vh small = v_and_h(v_shl_h(v_load_i8_h(p), 7), v_set_h(0xbf80)); /* value times 2^-8 */
    const vh nan = v_equal_h(v_or_h(small, v_set_h(0x8000)), v_set_h(0xbf80));
    const vh f16 = v_or_h(small, v_and_h(nan, v_set_h(0x4000)));
    return v_mul_f32(v_f16_to_f32(f16), v_set_f32(0x1p8f));
}
STN_FN vf64x2 load_f64(const code *p)
{
    return v_widen(load_f32(p));
}
#endif

STN_FN void store_f32(code *p, vf32 x)
{
    const vf32 small = v_mul_f32(v_clamp_f32(x, -448.0f, 448.0f), v_set_f32(0x1p-8f));
    const vh f16 = v_f32_to_f16_odd(small);
    const vh magnitude = v_and_h(f16, v_set_h(0x7fff));
    const vh last = v_and_h(v_shr_h(magnitude, 7), v_set_h(1));
    const vh rounded = v_shr_h(v_add_h(v_add_h(magnitude, last), v_set_h(0x3f)), 7);
    const vh sign = v_shl_h(v_shr_h(f16, 15), 7);
    v_store_u8_h(p, v_if_nan_h(x, v_set_h(0x7f), v_or_h(sign, rounded)));
}
STN_FN void store_f64(code *p, vf64x2 x)
{
    store_f32(p, v_narrow_normal(x));
}
