/* The codec of STN_FORMAT for STN_ISA: pieces of vectors, four at a time. */
#include "format/codec.h"
#include "format/vec.h"
#include "format/vec/affine.h"

#define T    f64
#define REAL double
#include "format/tile_runs.h"

#define T    f32
#define REAL float
#include "format/tile_runs.h"

extern const stn_codec STN_INSTANCE(stn_codec);
const stn_codec STN_INSTANCE(stn_codec) = {decode_f64, decode_f32, encode_f64, encode_f32};
