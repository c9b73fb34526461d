/* Pieces of blocks of floats that are decoded to f32, based on load_narrow: the values of elements
 * times 2^-NARROW_SHIFT. */
#define IS_NARROW
#define PRODUCT_SHIFT (2 * NARROW_SHIFT)
STN_FN vf64x2 product_of(const unsigned char *x, const unsigned char *y, int piece)
{
    return v_widen(v_mul_f32(load_narrow(x, piece), load_narrow(y, piece)));
}
