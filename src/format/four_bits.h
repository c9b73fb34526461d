/* Pieces of blocks of e2m1. */
#include "format/small_float.h"

typedef unsigned char code;
#define HAS_NIBBLES

#ifdef V_PICK
#    define SHIFT        0
#    define NARROW_SHIFT 0
/* The values of all codes, times a scale. */
typedef struct scaled_codes {
    double value[16];
} scaled_codes;

STN_FN scaled_codes scale_codes(vf64 scale)
{
    static const double values[] = {0,    0.5,  1,  1.5,  2,  3,  4,  6,
                                    -0.0, -0.5, -1, -1.5, -2, -3, -4, -6};
    scaled_codes to;
    for (int k = 0; k < 16; k += V_PIECE) {
        const vf64x2 x = v_load_f64(values + k);
        v_store_f64(to.value + k, (vf64x2){v_mul_f64(x.low, scale), v_mul_f64(x.high, scale)});
    }
    return to;
}

STN_FN vf64x2 load_scaled(const scaled_codes *of, const unsigned char *codes, int piece)
{
    uint64_t indices;
    memcpy(&indices, codes + piece * V_PIECE / 2, sizeof indices);
    return v_pick_f64(of->value, indices, 4);
}

/* The code of element 2 k has the lower bits of byte k, that of element 2 k + 1 the upper ones. */
STN_FN vf32 load_scaled_f32(const unsigned char *codes, int piece, vf32 scale)
{
    static const float values[] = {0,     0.5F,  1,  1.5F,  2,  3,  4,  6,
                                   -0.0F, -0.5F, -1, -1.5F, -2, -3, -4, -6};
    const __m128i pairs = _mm_loadl_epi64((const void *)(codes + piece * V_PIECE / 2));
    const __m512i wide = _mm512_cvtepu8_epi64(pairs);
    const __m512i index = _mm512_or_si512(wide, _mm512_slli_epi64(wide, 32 - 4));
    return _mm512_permutexvar_ps(index, v_mul_f32(v_load_f32(values), scale));
}

STN_FN vf64x2 load_exact(const unsigned char *codes, int piece)
{
    const scaled_codes unscaled = scale_codes(v_set_f64(1.0));
    return load_scaled(&unscaled, codes, piece);
}
#else
#    define SHIFT        f16_shift(e2m1)
#    define NARROW_SHIFT SHIFT
STN_FN vf32 load_narrow(const unsigned char *codes, int piece)
{
    uint16_t halves[ELEMENTS];
    convert_4_bits(halves, codes, ELEMENTS, f16_rule_of(e2m1));
    return v_f16_to_f32(v_load_h(halves + piece * V_PIECE));
}

STN_FN vf64x2 load_exact(const unsigned char *codes, int piece)
{
    return v_widen(load_narrow(codes, piece));
}
#endif
