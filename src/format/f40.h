/* 40 bits: the upper five bytes of a binary64. */
#include "format/vec/bytes.h"

typedef struct code {
    uint8_t byte[5];
} code;

#define PACKED_CODES
#define ONLY_F64

STN_FN vf64x2 load_f64(const code *p)
{
    return v_load_f40(p);
}
STN_FN vf32 load_f32(const code *p)
{
    return v_narrow(load_f64(p));
}
STN_FN void store_f64(code *p, vf64x2 x)
{
    v_store_f40(p, v_canonical_f64(x));
}
STN_FN void store_f32(code *p, vf32 x)
{
    store_f64(p, v_widen(x));
}
