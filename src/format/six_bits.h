/* Pieces of blocks of ELEMENT, a float of 6 bits. */
#include "format/small_float.h"

typedef unsigned char code;
#define ELEMENTS     32
#define CODE_BYTES   24
#define NARROW_SHIFT f16_shift(ELEMENT)
#define SHIFT        NARROW_SHIFT

STN_FN vf32 load_narrow(const unsigned char *codes, int piece)
{
    uint16_t halves[ELEMENTS];
    convert_6_bits(halves, codes, f16_rule_of(ELEMENT));
    return v_f16_to_f32(v_load_h(halves + piece * V_PIECE));
}

STN_FN vf64x2 load_exact(const unsigned char *codes, int piece)
{
    return v_widen(load_narrow(codes, piece));
}
#include "format/narrow_block.h"
