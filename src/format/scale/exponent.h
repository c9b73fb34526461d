/* Scales of bfp8, bfp16 and bfp32: exponents of powers of two, in front of the codes of a block.
 * The exponent INT16_MAX represents NaN. */
#define SCALE_BYTES 2
#define INLINE_SCALES

STN_FN int exponent_of(const unsigned char *scale)
{
    int16_t exponent;
    memcpy(&exponent, scale, sizeof exponent);
    return exponent;
}
