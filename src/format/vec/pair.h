/* What every vector vocabulary has in terms of its halves: operations on a piece of doubles. */
#ifndef STENO_FORMAT_VEC_PAIR_H
#define STENO_FORMAT_VEC_PAIR_H

STN_FN vf64x2 v_clamp_f64(vf64x2 x, double low, double high)
{
    return (vf64x2){v_clamp_half_f64(x.low, low, high), v_clamp_half_f64(x.high, low, high)};
}
STN_FN vf64x2 v_zero_nan_f64(vf64x2 x)
{
    return (vf64x2){v_zero_nan_half_f64(x.low), v_zero_nan_half_f64(x.high)};
}
STN_FN vf64x2 v_canonical_f64(vf64x2 x)
{
    return (vf64x2){v_canonical_half_f64(x.low), v_canonical_half_f64(x.high)};
}

#endif
