/* Signed integers of 64 bits: rounded once in both arithmetic types. */
typedef int64_t code;

STN_FN vf32 load_f32(const code *p)
{
    return v_i64_to_f32(v_load_i64(p));
}
STN_FN vf64x2 load_f64(const code *p)
{
    return v_i64_to_f64(v_load_i64(p));
}
STN_FN void store_f64(code *p, vf64x2 x)
{
    v_store_i64(p, v_f64_to_i64(v_zero_nan_f64(x)));
}
STN_FN void store_f32(code *p, vf32 x)
{
    store_f64(p, v_widen(x));
}
