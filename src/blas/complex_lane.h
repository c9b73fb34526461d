/* One product of complex numbers, added to a lane whose parts are separate. Included after
 * format/vec.h, whose codes are the parts. */
#ifndef STENO_BLAS_COMPLEX_LANE_H
#define STENO_BLAS_COMPLEX_LANE_H

typedef code value;

#define STN_FUSE_PARTS(x, y, z)                                                                    \
    (sizeof(value) == sizeof(float) ? (value)__builtin_fmaf((float)(x), (float)(y), (float)(z))    \
                                    : (value)__builtin_fma((double)(x), (double)(y), (double)(z)))

/* The first element of a lane is a product; later ones are added to it. */
STN_FN void set_lane(value *to_re, value *to_im, const value *a, value re, value im,
                     int is_conjugated)
{
    const value a_im = is_conjugated ? -a[1] : a[1];
    *to_re = a[0] * re - a_im * im;
    *to_im = a[0] * im + a_im * re;
}

STN_FN void add_lane(value *to_re, value *to_im, const value *a, value re, value im,
                     int is_conjugated)
{
    const value a_im = is_conjugated ? -a[1] : a[1];
    *to_re = STN_FUSE_PARTS(-a_im, im, STN_FUSE_PARTS(a[0], re, *to_re));
    *to_im = STN_FUSE_PARTS(a_im, re, STN_FUSE_PARTS(a[0], im, *to_im));
}

#endif
