/* binary16: hardware conversion from and to f32; from f64 through an f32 rounded to odd. */
typedef uint16_t code;

#define PRODUCTS_EXACT_IN_F32
#define EXACT_SUM exact_sum_placed

STN_FN vf32 load_f32(const code *p)
{
    return v_f16_to_f32(v_load_h(p));
}
STN_FN vf64x2 load_f64(const code *p)
{
    return v_load_f16_f64(p);
}
STN_FN void store_f32(code *p, vf32 x)
{
    v_store_h(p, v_f32_to_f16(v_canonical_f32(x)));
}
STN_FN void store_f64(code *p, vf64x2 x)
{
    store_f32(p, v_narrow_normal(x));
}
