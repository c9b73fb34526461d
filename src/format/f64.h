/* binary64: no decoding; stored NaNs are canonical. */
typedef double code;

STN_FN vf64x2 load_f64(const code *p)
{
    return v_load_f64(p);
}
STN_FN vf32 load_f32(const code *p)
{
    return v_narrow(v_load_f64(p));
}
STN_FN void store_f64(code *p, vf64x2 x)
{
    v_store_f64(p, v_canonical_f64(x));
}
STN_FN void store_f32(code *p, vf32 x)
{
    v_store_f64(p, v_canonical_f64(v_widen(x)));
}
