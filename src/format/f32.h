/* binary32: hardware conversions. */
typedef float code;

STN_FN vf64x2 load_f64(const code *p)
{
    return v_load_f32_f64(p);
}
STN_FN vf32 load_f32(const code *p)
{
    return v_load_f32(p);
}
STN_FN void store_f64(code *p, vf64x2 x)
{
    v_store_f32(p, v_canonical_f32(v_narrow(x)));
}
STN_FN void store_f32(code *p, vf32 x)
{
    v_store_f32(p, v_canonical_f32(x));
}
