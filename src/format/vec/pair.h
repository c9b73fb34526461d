/* Operations on a piece of doubles in terms of its halves, for every instruction set. */
#ifndef STENO_FORMAT_VEC_PAIR_H
#define STENO_FORMAT_VEC_PAIR_H

/* `bytes` bytes, less than a full register and a multiple of `unit`, followed by zeros. */
#ifndef V_TAKE
STN_FN void v_take(char *buffer, int64_t buffer_bytes, const char *p, int64_t bytes, int64_t unit)
{
#    ifdef V_TAKE_WORDS
    if (unit >= 4) {
        v_take_words(buffer, buffer_bytes, p, bytes);
        return;
    }
#    endif
    memset(buffer, 0, (size_t)buffer_bytes);
#    define TAKE(some)                                                                             \
        if ((some) >= unit && (some) < buffer_bytes && (bytes & (some))) {                         \
            memcpy(buffer, p, some);                                                               \
            buffer += (some);                                                                      \
            p += (some);                                                                           \
        }
    TAKE(128)
    TAKE(64)
    TAKE(32)
    TAKE(16)
    TAKE(8)
    TAKE(4)
    TAKE(2)
    TAKE(1)
#    undef TAKE
}
#endif

/* table[i] for V_PIECE indices i of `bits` bits, 2 or 4. A table has 16 values; with 2 bits, it
 * contains 4 values repeatedly. */
#ifndef V_PICK
STN_FN vf64x2 v_pick_f64(const double *table, uint64_t indices, int bits)
{
    double values[V_PIECE];
    for (int r = 0; r < V_PIECE; r++)
        values[r] = table[indices >> r * bits & 15];
    return v_load_f64(values);
}
STN_FN vf32 v_pick_f32(const float *table, uint64_t indices, int bits)
{
    float values[V_PIECE];
    for (int r = 0; r < V_PIECE; r++)
        values[r] = table[indices >> r * bits & 15];
    return v_load_f32(values);
}
#endif

STN_FN vf64x2 v_clamp_f64(vf64x2 x, double low, double high)
{
    return (vf64x2){v_clamp_half_f64(x.low, low, high), v_clamp_half_f64(x.high, low, high)};
}
STN_FN vf64x2 v_zero_nan_f64(vf64x2 x)
{
    return (vf64x2){v_zero_nan_half_f64(x.low), v_zero_nan_half_f64(x.high)};
}
STN_FN vf64x2 v_canonical_f64(vf64x2 x)
{
    return (vf64x2){v_canonical_half_f64(x.low), v_canonical_half_f64(x.high)};
}

/* Round to odd, for formats whose values are normal in f32. */
#ifndef V_NARROW_NORMAL
STN_FN vf32 v_narrow_normal(vf64x2 x)
{
    return v_narrow_odd(x);
}
#endif

/* Direct conversion of codes to f64: through a piece in f32 or 32-bit integers, unless the
 * instruction set provides a better way. */
#ifndef V_STRAIGHT
STN_FN vf64x2 v_load_f32_f64(const void *p)
{
    return v_widen(v_load_f32(p));
}
STN_FN vf64x2 v_f16_to_f64(vh x)
{
    return v_widen(v_f16_to_f32(x));
}
STN_FN vf64x2 v_load_f16_f64(const void *p)
{
    return v_f16_to_f64(v_load_h(p));
}
STN_FN vf64x2 v_load_upper_f16_f64(const void *p)
{
    return v_f16_to_f64(v_shl_h(v_load_i8_h(p), 8));
}
STN_FN vf64x2 v_load_bf16_f64(const void *p)
{
    return v_widen(v_bf16_to_f32(v_load_h(p)));
}
STN_FN vf64x2 v_load_i8_f64(const void *p)
{
    return v_i32_to_f64(v_load_i8(p));
}
STN_FN vf64x2 v_load_u8_f64(const void *p)
{
    return v_i32_to_f64(v_load_u8(p));
}
STN_FN vf64x2 v_load_i16_f64(const void *p)
{
    return v_i32_to_f64(v_load_i16(p));
}
STN_FN vf64x2 v_load_u16_f64(const void *p)
{
    return v_i32_to_f64(v_load_u16(p));
}
#endif

#endif
