/* e5m2 (OCP 8-bit FP): the upper byte of a binary16. Values are clamped to the largest finite
 * value, 57344, because the format saturates. */
typedef uint8_t code;

#define PRODUCTS_EXACT_IN_F32
#define EXACT_SUM exact_sum_placed

STN_FN vf32 load_f32(const code *p)
{
    return v_f16_to_f32(v_shl_h(v_load_i8_h(p), 8));
}
STN_FN vf64x2 load_f64(const code *p)
{
    return v_load_upper_f16_f64(p);
}

STN_FN void store_f32(code *p, vf32 x)
{
    const vh f16 = v_f32_to_f16_odd(v_clamp_f32(x, -57344.0f, 57344.0f));
    const vh last = v_and_h(v_shr_h(f16, 8), v_set_h(1));
    const vh rounded = v_shr_h(v_add_h(v_add_h(f16, last), v_set_h(0x7f)), 8);
    v_store_u8_h(p, v_if_nan_h(x, v_set_h(0x7e), rounded));
}
STN_FN void store_f64(code *p, vf64x2 x)
{
    store_f32(p, v_narrow_normal(x));
}
