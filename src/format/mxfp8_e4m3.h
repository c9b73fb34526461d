/* Blocks of e4m3 with an OCP MX scale (order/block_sums.c). */
#include "format/e4m3.h"
#include "format/scale/e8m0.h"

#define ELEMENTS     32
#define CODE_BYTES   32
#define SHIFT        0
#define NARROW_SHIFT 8

STN_FN vf64x2 load_exact(const unsigned char *codes, int piece)
{
    return load_f64(codes + piece * V_PIECE);
}

/* Through f16. NaN is decoded as a number. */
STN_FN vf32 load_narrow(const unsigned char *codes, int piece)
{
    const vh words = v_load_i8_h(codes + piece * V_PIECE);
    return v_f16_to_f32(v_and_h(v_shl_h(words, 7), v_set_h(0xbf80)));
}

/* The highest bit of a byte is set after NaN. */
#define HAS_NAN_CODES
typedef unsigned char codes_seen __attribute__((vector_size(CODE_BYTES)));
STN_FN void look_for_nan(codes_seen *seen, const unsigned char *codes)
{
    codes_seen block;
    memcpy(&block, codes, sizeof block);
    *seen |= (block & 0x7f) + 1;
}
#include "format/narrow_block.h"
