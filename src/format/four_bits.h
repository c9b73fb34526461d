/* Pieces of blocks of e2m1. */
#include "format/small_float.h"

typedef unsigned char code;
#define HAS_NIBBLES

#ifdef V_PICK
#    define SHIFT 0
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

STN_FN vf64x2 load_exact(const unsigned char *codes, int piece)
{
    const scaled_codes unscaled = scale_codes(v_set_f64(1.0));
    return load_scaled(&unscaled, codes, piece);
}
#else
#    define SHIFT f16_shift(e2m1)
STN_FN vf64x2 load_exact(const unsigned char *codes, int piece)
{
    uint16_t halves[ELEMENTS];
    convert_4_bits(halves, codes, ELEMENTS, f16_rule_of(e2m1));
    return v_widen(v_f16_to_f32(v_load_h(halves + piece * V_PIECE)));
}
#endif
