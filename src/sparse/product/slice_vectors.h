/* Vectors of the sums of slices, one row in each lane. Included after format/vec.h and
 * order/fold.h. */
#ifndef STENO_SPARSE_PRODUCT_SLICE_VECTORS_H
#define STENO_SPARSE_PRODUCT_SLICE_VECTORS_H

enum {
    MAX_UNROLLED = 8
}; /* maximum number of entries of rows at the boundary of a stencil's domain */

STN_FN piece_f64 values_f64(const double *x)
{
    return v_load_f64(x);
}

STN_FN piece_f32 values_f32(const float *x)
{
    return v_load_f32(x);
}

STN_FN piece_f64 gather_f64(const double *x, const int32_t *column)
{
    return (vf64x2){v_gather_half_f64(x, column), v_gather_half_f64(x, column + V_PIECE / 2)};
}

STN_FN piece_f32 gather_f32(const float *x, const int32_t *column)
{
    return v_gather_f32(x, column, V_PIECE);
}

/* By gather instructions. */
STN_FN piece_f64 gather_far_f64(const double *x, const int32_t *column)
{
    return (vf64x2){v_gather_far_f64(x, column), v_gather_far_f64(x, column + V_PIECE / 2)};
}

STN_FN piece_f32 gather_far_f32(const float *x, const int32_t *column)
{
    return v_gather_far_f32(x, column);
}

STN_FN piece_f64 gather_near_f64(const double *x, const uint16_t *near)
{
    return (vf64x2){v_gather_half_f64_u16(x, near), v_gather_half_f64_u16(x, near + V_PIECE / 2)};
}

STN_FN piece_f32 gather_near_f32(const float *x, const uint16_t *near)
{
    return v_gather_f32_u16(x, near);
}

STN_FN piece_f64 choose_f64(piece_f64 yes, piece_f64 no, unsigned mask)
{
    return (vf64x2){v_choose_half_f64(yes.low, no.low, mask),
                    v_choose_half_f64(yes.high, no.high, mask >> V_PIECE / 2)};
}

STN_FN piece_f32 choose_f32(piece_f32 yes, piece_f32 no, unsigned mask)
{
    return v_choose_f32(yes, no, mask);
}

STN_FN piece_f64 add_pieces_f64(piece_f64 a, piece_f64 b)
{
    return (vf64x2){v_add_f64(a.low, b.low), v_add_f64(a.high, b.high)};
}

STN_FN piece_f32 add_pieces_f32(piece_f32 a, piece_f32 b)
{
    return v_add_f32(a, b);
}

/* fma(a, b, -0) */
STN_FN piece_f64 times_f64(piece_f64 a, piece_f64 b)
{
    return (vf64x2){v_mul_f64(a.low, b.low), v_mul_f64(a.high, b.high)};
}

STN_FN piece_f32 times_f32(piece_f32 a, piece_f32 b)
{
    return v_mul_f32(a, b);
}

STN_FN piece_f64 fma_f64(piece_f64 a, piece_f64 b, piece_f64 c)
{
    return (vf64x2){v_fma_f64(a.low, b.low, c.low), v_fma_f64(a.high, b.high, c.high)};
}

STN_FN piece_f32 fma_f32(piece_f32 a, piece_f32 b, piece_f32 c)
{
    return v_fma_f32(a, b, c);
}

STN_FN void put_f64(double *sums, piece_f64 x)
{
    v_store_f64(sums, x);
}

STN_FN void put_f32(double *sums, piece_f32 x)
{
    v_store_f64(sums, v_widen(x));
}

#endif
