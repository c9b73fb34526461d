/* Integers of up to 16 bits, based on code, LOWEST, HIGHEST, load_integers, load_doubles and
 * store_integers of a file: exact in both arithmetic types; NaN is stored as 0. */
STN_FN vf32 load_f32(const code *p)
{
    return v_i32_to_f32(load_integers(p));
}
STN_FN vf64x2 load_f64(const code *p)
{
    return load_doubles(p);
}
STN_FN void store_f32(code *p, vf32 x)
{
    store_integers(p, v_f32_to_i32(v_clamp_f32(v_zero_nan_f32(x), LOWEST, HIGHEST)));
}
STN_FN void store_f64(code *p, vf64x2 x)
{
    store_integers(p, v_f64_to_i32(v_clamp_f64(v_zero_nan_f64(x), LOWEST, HIGHEST)));
}
