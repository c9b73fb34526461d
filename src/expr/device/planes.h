/* Bits of f64 in planes (view/segmented.h). */
#ifndef STENO_EXPR_PLANES_H
#define STENO_EXPR_PLANES_H

STN_FN stn_u64 stn_extended(stn_u16 part)
{
    return (stn_u64)(stn_i64)(stn_i16)part;
}

/* A NaN keeps its upper part. */
STN_FN stn_u64 stn_storable(stn_u64 bits)
{
    return bits << 1 > 0xffe0000000000000u ? (bits >> 32 << 32) | 0x0008000000000000u : bits;
}

STN_FN void stn_write_planes(STN_GLOBAL stn_u32 *upper, STN_GLOBAL stn_u16 *middle,
                             STN_GLOBAL stn_u16 *lower, stn_u64 value)
{
    const stn_u64 bits = stn_storable(value);
    const stn_u64 upper_two = bits - stn_extended((stn_u16)bits);
    const stn_u16 second = (stn_u16)(upper_two >> 16);
    *upper = (stn_u32)((upper_two - (stn_extended(second) << 16)) >> 32);
    *middle = second;
    *lower = (stn_u16)bits;
}

#endif
