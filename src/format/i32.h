/* Signed integers of 32 bits: exact in f64; rounded once in f32, and stored through f64. */
typedef int32_t code;

STN_FN vf32 load_f32(const code *p)
{
    return v_i32_to_f32(v_load_i32(p));
}
STN_FN vf64x2 load_f64(const code *p)
{
    return v_i32_to_f64(v_load_i32(p));
}
STN_FN void store_f64(code *p, vf64x2 x)
{
    v_store_i32(p, v_f64_to_i32(v_clamp_f64(v_zero_nan_f64(x), -0x1p31, 0x1p31 - 1)));
}
STN_FN void store_f32(code *p, vf32 x)
{
    store_f64(p, v_widen(x));
}
