/* e4m3 (OCP 8-bit FP, E4M3FN): an f16 whose exponent is biased by 8 less and whose last 7 bits are
 * cut. 480 would be the value of the code that means NaN, so values are clamped to 448 first. */
typedef uint8_t code;

#ifdef V_LOOKUP
/* The upper 16 bits of each magnitude's double and float, which hold all of it. `top` is where the
 * exponent begins, `one` the biased exponent of 2^-9, the least value: the first 8 codes are
 * multiples of it, the others have their exponent moved, the last is NaN. */
#    define LEAST_8(top, one)                                                                      \
        0, (one) << (top), ((one) + 1) << (top), ((one) + 1) << (top) | 1 << ((top)-1),            \
            ((one) + 2) << (top), ((one) + 2) << (top) | 1 << ((top)-2),                           \
            ((one) + 2) << (top) | 2 << ((top)-2), ((one) + 2) << (top) | 3 << ((top)-2)
#    define UPPER(m, top, one) ((m) << ((top)-3)) + (((one) + 2) << (top))
#    define UPPER_7(m, ...)                                                                        \
        UPPER(m, __VA_ARGS__), UPPER(m + 1, __VA_ARGS__), UPPER(m + 2, __VA_ARGS__),               \
            UPPER(m + 3, __VA_ARGS__), UPPER(m + 4, __VA_ARGS__), UPPER(m + 5, __VA_ARGS__),       \
            UPPER(m + 6, __VA_ARGS__)
#    define UPPER_8(m, ...) UPPER_7(m, __VA_ARGS__), UPPER(m + 7, __VA_ARGS__)
#    define UPPER_128(nan, ...)                                                                    \
        LEAST_8(__VA_ARGS__), UPPER_8(8, __VA_ARGS__), UPPER_8(16, __VA_ARGS__),                   \
            UPPER_8(24, __VA_ARGS__), UPPER_8(32, __VA_ARGS__), UPPER_8(40, __VA_ARGS__),          \
            UPPER_8(48, __VA_ARGS__), UPPER_8(56, __VA_ARGS__), UPPER_8(64, __VA_ARGS__),          \
            UPPER_8(72, __VA_ARGS__), UPPER_8(80, __VA_ARGS__), UPPER_8(88, __VA_ARGS__),          \
            UPPER_8(96, __VA_ARGS__), UPPER_8(104, __VA_ARGS__), UPPER_8(112, __VA_ARGS__),        \
            UPPER_7(120, __VA_ARGS__), nan
static const uint16_t upper_f64[128] = {UPPER_128(0x7ff8, 4, 1014)};
static const uint16_t upper_f32[128] = {UPPER_128(0x7fc0, 7, 118)};

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
    store_f32(p, v_narrow_odd(x));
}
