/* The codec of STN_FORMAT for STN_ISA: pieces of vectors, four at a time. */
#include "format/codec.h"
#include "format/vec.h"
#include "format/vec/affine.h"
#include "format/vec/quotient.h"

STN_FN void write_by_f64(code *p, vf64x2 x, const divisor_f64 *divisor, int plain)
{
    store_f64(p, plain ? x : quotient_f64(x, divisor));
}
STN_FN void write_by_f32(code *p, vf32 x, const divisor_f32 *divisor, int plain)
{
    store_f32(p, plain ? x : quotient_f32(x, divisor));
}

#define T    f64
#define REAL double
#include "format/tile_runs.h"

#define T    f32
#define REAL float
#include "format/tile_runs.h"

extern const stn_codec STN_INSTANCE(stn_codec);
const stn_codec STN_INSTANCE(stn_codec) = {decode_f64, decode_f32, encode_f64, encode_f32};
