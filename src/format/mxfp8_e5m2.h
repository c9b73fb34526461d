/* Blocks of e5m2 with an OCP MX scale (order/block_sums.c). */
#include "format/e5m2.h"
#include "format/scale/e8m0.h"

#define ELEMENTS     32
#define CODE_BYTES   32
#define SHIFT        0
#define NARROW_SHIFT 0

STN_FN vf64x2 load_exact(const unsigned char *codes, int piece)
{
    return load_f64(codes + piece * V_PIECE);
}

STN_FN vf32 load_narrow(const unsigned char *codes, int piece)
{
    return load_f32(codes + piece * V_PIECE);
}
#include "format/narrow_block.h"
