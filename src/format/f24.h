/* 24 bits: the upper three bytes of a binary32; from f64 through an f32 rounded to odd. */
#include "format/vec/bytes.h"

typedef struct code {
    uint8_t byte[3];
} code;

#define PACKED_CODES

STN_FN vf32 load_f32(const code *p)
{
    return v_load_f24(p);
}
STN_FN vf64x2 load_f64(const code *p)
{
    return v_load_f24_f64(p);
}
STN_FN void store_f32(code *p, vf32 x)
{
    v_store_f24(p, v_canonical_f32(x));
}
STN_FN void store_f64(code *p, vf64x2 x)
{
    store_f32(p, v_narrow_odd_f32(x));
}
