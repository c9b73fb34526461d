/* Complex numbers and their arithmetic, for accessors, kernels and complex.h, which says what the
 * functions do. */
#ifndef STENO_ACCESSOR_COMPLEX_H
#define STENO_ACCESSOR_COMPLEX_H

#include "steno/codec.h"

#if !defined(STN_OPENCL) && !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)
#    include <math.h>
#endif

/* The memory may be a program's own complex numbers, which these types may alias. */
#ifdef STN_HAVE_DOUBLE
typedef struct STN_MAY_ALIAS stn_c128 {
    double re, im;
} stn_c128;
#endif

typedef struct STN_MAY_ALIAS stn_c64 {
    float re, im;
} stn_c64;

/* Two binary16 parts: a storage format only. */
typedef struct STN_MAY_ALIAS stn_c32 {
    stn_f16 re, im;
} stn_c32;

/* Each operation is rounded by itself: clang is asked, CUDA has products that are never fused, and
 * from gcc, whose default is to fuse in GNU C and which (12 and others) makes one operation of
 * neighbours even with -ffp-contract=off, a product with one rounding is hidden: fma adds -0, which
 * changes nothing. */
#if defined(STN_OPENCL)
#    define STN_NO_FUSING _Pragma("OPENCL FP_CONTRACT OFF")
#elif defined(__clang__)
#    define STN_NO_FUSING _Pragma("STDC FP_CONTRACT OFF")
#else
#    define STN_NO_FUSING
#endif

/* Are there instructions for fma? Else the error of a product is calculated without: the same. */
#if defined(STN_OPENCL) || defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__aarch64__) ||   \
    defined(__FP_FAST_FMA)
#    define STN_HAS_FMA 1
#else
#    define STN_HAS_FMA 0
#endif
#if defined(__CUDA_ARCH__)
STN_FN float stn_product_fmaf(float a, float b)
{
    return __fmul_rn(a, b);
}
STN_FN double stn_product_fma(double a, double b)
{
    return __dmul_rn(a, b);
}
#    define STN_PRODUCT_BY(a, b, fused) stn_product_##fused(a, b)
#    define STN_PRODUCT(a, b, fused)    STN_PRODUCT_BY(a, b, fused)
#elif STN_HAS_FMA && defined(__GNUC__) && !defined(__clang__)
#    define STN_PRODUCT(a, b, fused) fused(a, b, -0.0f)
#else
#    define STN_PRODUCT(a, b, fused) ((a) * (b))
#endif

/* What a product was rounded up by: product - a b, exactly, and never -0. Without fma, which is as
 * exact, f32 goes through double, and f64 is cut in halves (Dekker, Numer. Math. 18, 1971), for
 * factors below 2^990 whose product is above 2^-900. */
#if STN_HAS_FMA && defined(STN_OPENCL)
STN_FN float stn_f32_product_error(float product, float a, float b)
{
    return fma(-a, b, product);
}
#    ifdef STN_HAVE_DOUBLE
STN_FN double stn_f64_product_error(double product, double a, double b)
{
    return fma(-a, b, product);
}
#    endif
#elif STN_HAS_FMA
STN_FN float stn_f32_product_error(float product, float a, float b)
{
    return fmaf(-a, b, product);
}
STN_FN double stn_f64_product_error(double product, double a, double b)
{
    return fma(-a, b, product);
}
#else
STN_FN float stn_f32_product_error(float product, float a, float b)
{
    STN_NO_FUSING
    return (float)((double)product - (double)a * b);
}
STN_FN double stn_f64_upper_half(double a)
{
    STN_NO_FUSING
    const double wide = a * 134217729.0; /* 2^27 + 1 */
    return wide - (wide - a);
}
STN_FN double stn_f64_product_error(double product, double a, double b)
{
    STN_NO_FUSING
    const double a_high = stn_f64_upper_half(a), a_low = a - a_high;
    const double b_high = stn_f64_upper_half(b), b_low = b - b_high;
    return ((product - a_high * b_high) - a_high * b_low - a_low * b_high) - a_low * b_low;
}
#endif

/* The parts of complex numbers of one type. Magnitudes are scaled by even powers of two, half of
 * which a factor is that is taken twice: K - e of the exponent e of the larger part, made even, is
 * such that no product over- or underflows, and that errors of products are exact. */
#define STN_COMPLEX_PARTS(part, real, uint, fraction, field, middle, one, magnitude_mask, sign,    \
                          fused)                                                                   \
    /* Without a branch, into which compilers would move the arithmetic of one side, and make no   \
     * vectors. */                                                                                 \
    STN_FN real stn_##part##_choose(int condition, real a, real b)                                 \
    {                                                                                              \
        const uint bits = stn_bits_of_##part(b);                                                   \
        return stn_##part##_of_bits(                                                               \
            bits ^ ((stn_bits_of_##part(a) ^ bits) & ((uint)0 - (uint)(condition))));              \
    }                                                                                              \
    STN_FN uint stn_##part##_magnitude_bits(real a)                                                \
    {                                                                                              \
        return stn_bits_of_##part(a) & (magnitude_mask);                                           \
    }                                                                                              \
    STN_FN real stn_##part##_magnitude(real a)                                                     \
    {                                                                                              \
        return stn_##part##_of_bits(stn_##part##_magnitude_bits(a));                               \
    }                                                                                              \
    STN_FN int stn_##part##_is_infinite(real a)                                                    \
    {                                                                                              \
        return stn_##part##_magnitude(a) == stn_##part##_of_bits((uint)(field) << (fraction));     \
    }                                                                                              \
    STN_FN real stn_##part##_infinity(void)                                                        \
    {                                                                                              \
        return stn_##part##_of_bits((uint)(field) << (fraction));                                  \
    }                                                                                              \
    /* 1 for what is infinite, else 0, with its sign. */                                           \
    STN_FN real stn_##part##_boxed(real a)                                                         \
    {                                                                                              \
        return stn_##part##_of_bits(                                                               \
            (stn_bits_of_##part(a) & (sign)) |                                                     \
            ((uint)(one) << (fraction) & ((uint)0 - (uint)stn_##part##_is_infinite(a))));          \
    }                                                                                              \
    /* Half of the larger part's exponent, in place. */                                            \
    STN_FN uint stn_##part##_half_exponent(real a, real b)                                         \
    {                                                                                              \
        const real of_a = stn_##part##_magnitude(a), of_b = stn_##part##_magnitude(b);             \
        const real larger = stn_##part##_choose(of_a > of_b, of_a, of_b);                          \
        return (stn_bits_of_##part(larger) & (uint)((field)-1) << (fraction)) >> 1;                \
    }                                                                                              \
    STN_FN real stn_##part##_half_scale(uint half_exponent)                                        \
    {                                                                                              \
        return stn_##part##_of_bits(((uint)((middle) + (one)) << (fraction)) - half_exponent);     \
    }                                                                                              \
    STN_FN real stn_##part##_half_scale_back(uint half_exponent)                                   \
    {                                                                                              \
        return stn_##part##_of_bits(half_exponent - ((uint)((middle) - (one)) << (fraction)));     \
    }                                                                                              \
    /* a b + c d: of what is scaled, off by half a unit in the last place and hardly more. */      \
    STN_FN real stn_##part##_two_products(real a, real b, real c, real d)                          \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        const real p = STN_PRODUCT(a, b, fused), q = STN_PRODUCT(c, d, fused);                     \
        const real sum = p + q, of_q = sum - p;                                                    \
        const real of_sum = ((sum - of_q) - p) + (of_q - q);                                       \
        const real of_products =                                                                   \
            stn_##part##_product_error(p, a, b) + stn_##part##_product_error(q, c, d);             \
        return sum - (of_sum + of_products);                                                       \
    }

#define STN_COMPLEX_ARITHMETIC(complex, part, real, uint, fraction, one, fused, root)              \
    STN_FN stn_##complex stn_##complex##_of(real re, real im)                                      \
    {                                                                                              \
        stn_##complex z;                                                                           \
        z.re = re;                                                                                 \
        z.im = im;                                                                                 \
        return z;                                                                                  \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_add(stn_##complex a, stn_##complex b)                     \
    {                                                                                              \
        return stn_##complex##_of(a.re + b.re, a.im + b.im);                                       \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_subtract(stn_##complex a, stn_##complex b)                \
    {                                                                                              \
        return stn_##complex##_of(a.re - b.re, a.im - b.im);                                       \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_multiply_fast(stn_##complex a, stn_##complex b)           \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        const real re_re = STN_PRODUCT(a.re, b.re, fused), im_im = STN_PRODUCT(a.im, b.im, fused); \
        const real re_im = STN_PRODUCT(a.re, b.im, fused), im_re = STN_PRODUCT(a.im, b.re, fused); \
        return stn_##complex##_of(re_re - im_im, re_im + im_re);                                   \
    }                                                                                              \
    STN_FN int stn_##complex##_is_infinite(stn_##complex z)                                        \
    {                                                                                              \
        return stn_##part##_is_infinite(z.re) | stn_##part##_is_infinite(z.im);                    \
    }                                                                                              \
    /* As C11 G.5.1 takes an operand for the direction of an infinite one: NaN is 0. */            \
    STN_FN real stn_##complex##_directed(int infinite, real a)                                     \
    {                                                                                              \
        return stn_##part##_choose(infinite | (a != a), stn_##part##_boxed(a), a);                 \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_multiply(stn_##complex a, stn_##complex b)                \
    {                                                                                              \
        const stn_##complex c = stn_##complex##_multiply_fast(a, b);                               \
        const int of_a = stn_##complex##_is_infinite(a), of_b = stn_##complex##_is_infinite(b);    \
        const stn_##complex d = stn_##complex##_multiply_fast(                                     \
            stn_##complex##_of(stn_##complex##_directed(of_a, a.re),                               \
                               stn_##complex##_directed(of_a, a.im)),                              \
            stn_##complex##_of(stn_##complex##_directed(of_b, b.re),                               \
                               stn_##complex##_directed(of_b, b.im)));                             \
        const int lost = (c.re != c.re) & (c.im != c.im) & (of_a | of_b);                          \
        const real infinity = stn_##part##_infinity();                                             \
        return stn_##complex##_of(stn_##part##_choose(lost, d.re * infinity, c.re),                \
                                  stn_##part##_choose(lost, d.im * infinity, c.im));               \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_divide_fast(stn_##complex a, stn_##complex b)             \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        const real re_re = STN_PRODUCT(a.re, b.re, fused), im_im = STN_PRODUCT(a.im, b.im, fused); \
        const real im_re = STN_PRODUCT(a.im, b.re, fused), re_im = STN_PRODUCT(a.re, b.im, fused); \
        const real divisor = STN_PRODUCT(b.re, b.re, fused) + STN_PRODUCT(b.im, b.im, fused);      \
        return stn_##complex##_of((re_re + im_im) / divisor, (im_re - re_im) / divisor);           \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_choose(int condition, stn_##complex a, stn_##complex b)   \
    {                                                                                              \
        return stn_##complex##_of(stn_##part##_choose(condition, a.re, b.re),                      \
                                  stn_##part##_choose(condition, a.im, b.im));                     \
    }                                                                                              \
    /* Scaled, or of an infinite one the direction. */                                             \
    STN_FN stn_##complex stn_##complex##_scaled(stn_##complex z, uint half_exponent)               \
    {                                                                                              \
        const real scale = stn_##part##_half_scale(half_exponent);                                 \
        const stn_##complex direction =                                                            \
            stn_##complex##_of(stn_##part##_boxed(z.re), stn_##part##_boxed(z.im));                \
        return stn_##complex##_choose(                                                             \
            stn_##complex##_is_infinite(z), direction,                                             \
            stn_##complex##_of(z.re * scale * scale, z.im * scale * scale));                       \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_divide(stn_##complex a, stn_##complex b)                  \
    {                                                                                              \
        const int tall = stn_##part##_magnitude(b.im) > stn_##part##_magnitude(b.re);              \
        const stn_##complex x = stn_##complex##_choose(tall, stn_##complex##_of(a.im, -a.re), a);  \
        const stn_##complex y = stn_##complex##_choose(tall, stn_##complex##_of(b.im, -b.re), b);  \
        const int is_real = y.im == 0, of_x = stn_##complex##_is_infinite(x),                      \
                  of_y = stn_##complex##_is_infinite(y);                                           \
        const uint x_half = stn_##part##_half_exponent(x.re, x.im);                                \
        const uint y_half = stn_##part##_half_exponent(y.re, y.im);                                \
        const stn_##complex s = stn_##complex##_scaled(x, x_half);                                 \
        const stn_##complex t = stn_##complex##_scaled(y, y_half);                                 \
        const real unit = stn_##part##_of_bits((uint)(one) << (fraction));                         \
        const real infinity = stn_##part##_infinity();                                             \
        const real back = stn_##part##_choose(                                                     \
            of_x, infinity, stn_##part##_of_bits(x_half - y_half + ((uint)(one) << (fraction))));  \
        const real first = stn_##part##_choose(is_real, unit, back);                               \
        const real second =                                                                        \
            stn_##part##_choose(is_real, unit, stn_##part##_choose(of_y, 0, back));                \
        const stn_##complex above = stn_##complex##_choose(                                        \
            is_real, x,                                                                            \
            stn_##complex##_of(stn_##part##_two_products(s.re, t.re, s.im, t.im),                  \
                               stn_##part##_two_products(s.im, t.re, -s.re, t.im)));               \
        const real below =                                                                         \
            stn_##part##_choose(is_real, y.re, stn_##part##_two_products(t.re, t.re, t.im, t.im)); \
        return stn_##complex##_of(above.re / below * first * second,                               \
                                  above.im / below * first * second);                              \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_negate(stn_##complex z)                                   \
    {                                                                                              \
        return stn_##complex##_of(-z.re, -z.im);                                                   \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_conj(stn_##complex z)                                     \
    {                                                                                              \
        return stn_##complex##_of(z.re, -z.im);                                                    \
    }                                                                                              \
    STN_FN real stn_##complex##_real(stn_##complex z)                                              \
    {                                                                                              \
        return z.re;                                                                               \
    }                                                                                              \
    STN_FN real stn_##complex##_imag(stn_##complex z)                                              \
    {                                                                                              \
        return z.im;                                                                               \
    }                                                                                              \
    STN_FN int stn_##complex##_equal(stn_##complex a, stn_##complex b)                             \
    {                                                                                              \
        return (a.re == b.re) & (a.im == b.im);                                                    \
    }                                                                                              \
    STN_FN real stn_##complex##_squared_norm(stn_##complex z)                                      \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        return STN_PRODUCT(z.re, z.re, fused) + STN_PRODUCT(z.im, z.im, fused);                    \
    }                                                                                              \
    STN_FN real stn_##complex##_norm(stn_##complex z)                                              \
    {                                                                                              \
        return stn_##complex##_squared_norm(z);                                                    \
    }                                                                                              \
    STN_FN real stn_##complex##_abs(stn_##complex z)                                               \
    {                                                                                              \
        const uint half_exponent = stn_##part##_half_exponent(z.re, z.im);                         \
        const real scale = stn_##part##_half_scale(half_exponent);                                 \
        const real back = stn_##part##_half_scale_back(half_exponent);                             \
        const real re = z.re * scale * scale, im = z.im * scale * scale;                           \
        const real scaled = root(stn_##part##_two_products(re, re, im, im));                       \
        const real infinity = stn_##part##_infinity();                                             \
        return stn_##part##_choose(stn_##complex##_is_infinite(z), infinity,                       \
                                   scaled * back * back);                                          \
    }

#if defined(STN_OPENCL)
#    define STN_F32_FMA  fma
#    define STN_F32_ROOT sqrt
#else
#    define STN_F32_FMA  fmaf
#    define STN_F32_ROOT sqrtf
#endif
STN_COMPLEX_PARTS(f32, float, stn_u32, 23, 255, 91, 127, 0x7fffffffu, 0x80000000u, STN_F32_FMA)
STN_COMPLEX_ARITHMETIC(c64, f32, float, stn_u32, 23, 127, STN_F32_FMA, STN_F32_ROOT)
#ifdef STN_HAVE_DOUBLE
STN_COMPLEX_PARTS(f64, double, stn_u64, 52, 2047, 752, 1023, ~(stn_u64)0 >> 1, (stn_u64)1 << 63,
                  fma)
STN_COMPLEX_ARITHMETIC(c128, f64, double, stn_u64, 52, 1023, fma, sqrt)
#endif

#undef STN_COMPLEX_PARTS
#undef STN_COMPLEX_ARITHMETIC
#undef STN_F32_FMA
#undef STN_F32_ROOT
#undef STN_HAS_FMA

#endif
