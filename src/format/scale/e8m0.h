/* Scales of OCP MX: powers of two in one byte. The exponent INT16_MAX represents NaN. */
#define SCALE_BYTES 1
#define BYTE_SCALES

STN_FN int exponent_of(const unsigned char *scale)
{
    return *scale == 255 ? INT16_MAX : *scale - 127;
}
