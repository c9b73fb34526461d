/* Complex numbers and their arithmetic, which complex.h documents. */
#ifndef STENO_ACCESSOR_COMPLEX_H
#define STENO_ACCESSOR_COMPLEX_H

#include "steno/codec.h"

#if !defined(STN_OPENCL) && !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)
#    include <math.h>
#endif

/* These types may alias complex numbers of the program. */
#ifdef STN_HAVE_DOUBLE
typedef struct STN_MAY_ALIAS stn_c128 {
    double re, im;
} stn_c128;
#endif

typedef struct STN_MAY_ALIAS stn_c64 {
    float re, im;
} stn_c64;

/* Two binary16 parts; a storage format only. */
typedef struct STN_MAY_ALIAS stn_c32 {
    stn_f16 re, im;
} stn_c32;

/* Each operation is rounded separately. clang has a pragma, and CUDA has products that are never
 * fused. gcc fuses by default in GNU C, and (12 and others) fuses products of adjacent parts even
 * with -ffp-contract=off; fma(a, b, -0) prevents this without changing the result. */
#if defined(STN_OPENCL)
#    define STN_NO_FUSING _Pragma("OPENCL FP_CONTRACT OFF")
#elif defined(__clang__)
#    define STN_NO_FUSING _Pragma("STDC FP_CONTRACT OFF")
#else
#    define STN_NO_FUSING
#endif

#if defined(STN_OPENCL)
#    define STN_F32_FMA  fma
#    define STN_F32_ROOT sqrt
#else
#    define STN_F32_FMA  fmaf
#    define STN_F32_ROOT sqrtf
#endif

/* Are there instructions for fma? Otherwise, the error of a product is computed without; it is
 * equal. */
#if defined(STN_OPENCL) || defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__aarch64__) ||   \
    defined(__FP_FAST_FMA)
#    define STN_HAS_FMA 1
#else
#    define STN_HAS_FMA 0
#endif
#if defined(__CUDA_ARCH__)
STN_FN float stn_product_fmaf(float a_, float b_) { return __fmul_rn(a_, b_); }
STN_FN double stn_product_fma(double a_, double b_) { return __dmul_rn(a_, b_); }
#    define STN_PRODUCT_BY(a, b, fused) stn_product_##fused(a, b)
#    define STN_PRODUCT(a, b, fused)    STN_PRODUCT_BY(a, b, fused)
#elif STN_HAS_FMA && defined(__GNUC__) && !defined(__clang__)
#    define STN_PRODUCT(a, b, fused) fused(a, b, -0.0f)
#else
#    define STN_PRODUCT(a, b, fused) ((a) * (b))
#endif

/* The rounding error product - a b, exactly, and never -0. Without fma, f32 is computed in double,
 * and f64 factors are split in halves (Dekker, Numer. Math. 18, 1971), which is exact for factors
 * below 2^990 whose product is above 2^-900. */
#if STN_HAS_FMA
STN_FN float stn_f32_product_error(float product_, float a_, float b_)
{
    return STN_F32_FMA(-a_, b_, product_);
}
#    ifdef STN_HAVE_DOUBLE
STN_FN double stn_f64_product_error(double product_, double a_, double b_)
{
    return fma(-a_, b_, product_);
}
#    endif
#else
STN_FN float stn_f32_product_error(float product_, float a_, float b_)
{
    STN_NO_FUSING
    return (float)((double)product_ - (double)a_ * b_);
}
STN_FN double stn_f64_upper_half(double a_)
{
    STN_NO_FUSING
    const double wide_ = a_ * 134217729.0; /* 2^27 + 1 */
    return wide_ - (wide_ - a_);
}
STN_FN double stn_f64_product_error(double product_, double a_, double b_)
{
    STN_NO_FUSING
    const double a_high_ = stn_f64_upper_half(a_), a_low_ = a_ - a_high_;
    const double b_high_ = stn_f64_upper_half(b_), b_low_ = b_ - b_high_;
    return ((product_ - a_high_ * b_high_) - a_high_ * b_low_ - a_low_ * b_high_) - a_low_ * b_low_;
}
#endif

/* Functions of the parts of complex numbers. Magnitudes are scaled by even powers of two; the
 * square root of a scale is multiplied twice. The exponent K - e, where e is the exponent of the
 * larger part, prevents overflow and underflow of products and keeps errors of products exact. */
#define STN_COMPLEX_PARTS(part, P, real, uint, fraction, field, middle, one, magnitude_mask, sign, \
                          fused)                                                                   \
    /* Without a branch, into which compilers would move the arithmetic of one side, and make no   \
     * vectors. */                                                                                 \
    STN_FN real P##_choose(int condition_, real a_, real b_)                                       \
    {                                                                                              \
        const uint bits_ = stn_bits_of_##part(b_);                                                 \
        return P##_of_bits(bits_ ^                                                                 \
                           ((stn_bits_of_##part(a_) ^ bits_) & ((uint)0 - (uint)(condition_))));   \
    }                                                                                              \
    STN_FN uint P##_magnitude_bits(real a_) { return stn_bits_of_##part(a_) & (magnitude_mask); }  \
    STN_FN real P##_magnitude(real a_) { return P##_of_bits(P##_magnitude_bits(a_)); }             \
    STN_FN int P##_is_infinite(real a_)                                                            \
    {                                                                                              \
        return P##_magnitude(a_) == P##_of_bits((uint)(field) << (fraction));                      \
    }                                                                                              \
    STN_FN real P##_infinity(void) { return P##_of_bits((uint)(field) << (fraction)); }            \
    /* 1 for what is infinite, else 0, with its sign. */                                           \
    STN_FN real P##_boxed(real a_)                                                                 \
    {                                                                                              \
        return P##_of_bits((stn_bits_of_##part(a_) & (sign)) |                                     \
                           ((uint)(one) << (fraction) & ((uint)0 - (uint)P##_is_infinite(a_))));   \
    }                                                                                              \
    /* Half of the exponent of the larger part, at its position in the bits. */                    \
    STN_FN uint P##_half_exponent(real a_, real b_)                                                \
    {                                                                                              \
        const real of_a_ = P##_magnitude(a_), of_b_ = P##_magnitude(b_);                           \
        const real larger_ = P##_choose(of_a_ > of_b_, of_a_, of_b_);                              \
        return (stn_bits_of_##part(larger_) & (uint)((field)-1) << (fraction)) >> 1;               \
    }                                                                                              \
    STN_FN real P##_half_scale(uint half_exponent_)                                                \
    {                                                                                              \
        return P##_of_bits(((uint)((middle) + (one)) << (fraction)) - half_exponent_);             \
    }                                                                                              \
    STN_FN real P##_half_scale_back(uint half_exponent_)                                           \
    {                                                                                              \
        return P##_of_bits(half_exponent_ - ((uint)((middle) - (one)) << (fraction)));             \
    }                                                                                              \
    /* a b + c d of scaled operands, with an error of little more than half a unit in the last     \
     * place. */                                                                                   \
    STN_FN real P##_two_products(real a_, real b_, real c_, real d_)                               \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        const real p_ = STN_PRODUCT(a_, b_, fused), q_ = STN_PRODUCT(c_, d_, fused);               \
        const real sum_ = p_ + q_, of_q_ = sum_ - p_;                                              \
        const real of_sum_ = ((sum_ - of_q_) - p_) + (of_q_ - q_);                                 \
        const real of_products_ = P##_product_error(p_, a_, b_) + P##_product_error(q_, c_, d_);   \
        return sum_ - (of_sum_ + of_products_);                                                    \
    }

#define STN_COMPLEX_ARITHMETIC(C, P, real, uint, fraction, one, fused, root)                       \
    STN_FN C C##_of(real re_, real im_)                                                            \
    {                                                                                              \
        C z_;                                                                                      \
        z_.re = re_;                                                                               \
        z_.im = im_;                                                                               \
        return z_;                                                                                 \
    }                                                                                              \
    STN_FN C C##_add(C a_, C b_) { return C##_of(a_.re + b_.re, a_.im + b_.im); }                  \
    STN_FN C C##_subtract(C a_, C b_) { return C##_of(a_.re - b_.re, a_.im - b_.im); }             \
    STN_FN C C##_multiply_fast(C a_, C b_)                                                         \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        const real re_re_ = STN_PRODUCT(a_.re, b_.re, fused),                                      \
                   im_im_ = STN_PRODUCT(a_.im, b_.im, fused);                                      \
        const real re_im_ = STN_PRODUCT(a_.re, b_.im, fused),                                      \
                   im_re_ = STN_PRODUCT(a_.im, b_.re, fused);                                      \
        return C##_of(re_re_ - im_im_, re_im_ + im_re_);                                           \
    }                                                                                              \
    STN_FN int C##_is_infinite(C z_) { return P##_is_infinite(z_.re) | P##_is_infinite(z_.im); }   \
    /* The direction of an infinite operand by C11 G.5.1: NaN becomes 0. */                        \
    STN_FN real C##_directed(int infinite_, real a_)                                               \
    {                                                                                              \
        return P##_choose(infinite_ | (a_ != a_), P##_boxed(a_), a_);                              \
    }                                                                                              \
    STN_FN C C##_multiply(C a_, C b_)                                                              \
    {                                                                                              \
        const C c_ = C##_multiply_fast(a_, b_);                                                    \
        const int of_a_ = C##_is_infinite(a_), of_b_ = C##_is_infinite(b_);                        \
        const C d_ =                                                                               \
            C##_multiply_fast(C##_of(C##_directed(of_a_, a_.re), C##_directed(of_a_, a_.im)),      \
                              C##_of(C##_directed(of_b_, b_.re), C##_directed(of_b_, b_.im)));     \
        const int lost_ = (c_.re != c_.re) & (c_.im != c_.im) & (of_a_ | of_b_);                   \
        const real infinity_ = P##_infinity();                                                     \
        return C##_of(P##_choose(lost_, d_.re * infinity_, c_.re),                                 \
                      P##_choose(lost_, d_.im * infinity_, c_.im));                                \
    }                                                                                              \
    STN_FN C C##_divide_fast(C a_, C b_)                                                           \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        const real re_re_ = STN_PRODUCT(a_.re, b_.re, fused),                                      \
                   im_im_ = STN_PRODUCT(a_.im, b_.im, fused);                                      \
        const real im_re_ = STN_PRODUCT(a_.im, b_.re, fused),                                      \
                   re_im_ = STN_PRODUCT(a_.re, b_.im, fused);                                      \
        const real divisor_ = STN_PRODUCT(b_.re, b_.re, fused) + STN_PRODUCT(b_.im, b_.im, fused); \
        return C##_of((re_re_ + im_im_) / divisor_, (im_re_ - re_im_) / divisor_);                 \
    }                                                                                              \
    STN_FN C C##_choose(int condition_, C a_, C b_)                                                \
    {                                                                                              \
        return C##_of(P##_choose(condition_, a_.re, b_.re), P##_choose(condition_, a_.im, b_.im)); \
    }                                                                                              \
    /* Scaled, or of an infinite one the direction. */                                             \
    STN_FN C C##_scaled(C z_, uint half_exponent_)                                                 \
    {                                                                                              \
        const real scale_ = P##_half_scale(half_exponent_);                                        \
        const C direction_ = C##_of(P##_boxed(z_.re), P##_boxed(z_.im));                           \
        return C##_choose(C##_is_infinite(z_), direction_,                                         \
                          C##_of(z_.re * scale_ * scale_, z_.im * scale_ * scale_));               \
    }                                                                                              \
    STN_FN C C##_divide(C a_, C b_)                                                                \
    {                                                                                              \
        const int tall_ = P##_magnitude(b_.im) > P##_magnitude(b_.re);                             \
        const C x_ = C##_choose(tall_, C##_of(a_.im, -a_.re), a_);                                 \
        const C y_ = C##_choose(tall_, C##_of(b_.im, -b_.re), b_);                                 \
        const int is_real_ = y_.im == 0, of_x_ = C##_is_infinite(x_), of_y_ = C##_is_infinite(y_); \
        const uint x_half_ = P##_half_exponent(x_.re, x_.im);                                      \
        const uint y_half_ = P##_half_exponent(y_.re, y_.im);                                      \
        const C s_ = C##_scaled(x_, x_half_);                                                      \
        const C t_ = C##_scaled(y_, y_half_);                                                      \
        const real unit_ = P##_of_bits((uint)(one) << (fraction));                                 \
        const real infinity_ = P##_infinity();                                                     \
        const real back_ = P##_choose(                                                             \
            of_x_, infinity_, P##_of_bits(x_half_ - y_half_ + ((uint)(one) << (fraction))));       \
        const real first_ = P##_choose(is_real_, unit_, back_);                                    \
        const real second_ = P##_choose(is_real_, unit_, P##_choose(of_y_, 0, back_));             \
        const C above_ = C##_choose(is_real_, x_,                                                  \
                                    C##_of(P##_two_products(s_.re, t_.re, s_.im, t_.im),           \
                                           P##_two_products(s_.im, t_.re, -s_.re, t_.im)));        \
        const real below_ =                                                                        \
            P##_choose(is_real_, y_.re, P##_two_products(t_.re, t_.re, t_.im, t_.im));             \
        return C##_of(above_.re / below_ * first_ * second_,                                       \
                      above_.im / below_ * first_ * second_);                                      \
    }                                                                                              \
    STN_FN C C##_negate(C z_) { return C##_of(-z_.re, -z_.im); }                                   \
    STN_FN C C##_conj(C z_) { return C##_of(z_.re, -z_.im); }                                      \
    STN_FN real C##_real(C z_) { return z_.re; }                                                   \
    STN_FN real C##_imag(C z_) { return z_.im; }                                                   \
    STN_FN int C##_equal(C a_, C b_) { return (a_.re == b_.re) & (a_.im == b_.im); }               \
    STN_FN real C##_squared_norm(C z_)                                                             \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        return STN_PRODUCT(z_.re, z_.re, fused) + STN_PRODUCT(z_.im, z_.im, fused);                \
    }                                                                                              \
    STN_FN real C##_norm(C z_) { return C##_squared_norm(z_); }                                    \
    STN_FN real C##_abs(C z_)                                                                      \
    {                                                                                              \
        const uint half_exponent_ = P##_half_exponent(z_.re, z_.im);                               \
        const real scale_ = P##_half_scale(half_exponent_);                                        \
        const real back_ = P##_half_scale_back(half_exponent_);                                    \
        const real re_ = z_.re * scale_ * scale_, im_ = z_.im * scale_ * scale_;                   \
        const real scaled_ = root(P##_two_products(re_, re_, im_, im_));                           \
        const real infinity_ = P##_infinity();                                                     \
        return P##_choose(C##_is_infinite(z_), infinity_, scaled_ * back_ * back_);                \
    }

STN_COMPLEX_PARTS(f32, stn_f32, float, stn_u32, 23, 255, 91, 127, 0x7fffffffu, 0x80000000u,
                  STN_F32_FMA)
STN_COMPLEX_ARITHMETIC(stn_c64, stn_f32, float, stn_u32, 23, 127, STN_F32_FMA, STN_F32_ROOT)
#ifdef STN_HAVE_DOUBLE
STN_COMPLEX_PARTS(f64, stn_f64, double, stn_u64, 52, 2047, 752, 1023, ~(stn_u64)0 >> 1,
                  (stn_u64)1 << 63, fma)
STN_COMPLEX_ARITHMETIC(stn_c128, stn_f64, double, stn_u64, 52, 1023, fma, sqrt)
#endif

#endif
