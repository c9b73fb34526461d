/* Lists of the real functions of <math.h> (C11 7.12), nextup and nextdown. Kernels declare them for
 * their arithmetic type; kernel texts and tests use the lists as well. Type-generic macros such as
 * isnan are listed for name lookup only. */
#ifndef STENO_KERNEL_MATH_H
#define STENO_KERNEL_MATH_H

#include <math.h>

/* clang-format off */

/* Functions of one, two and three floats. */
#define STN_MATH_OF_1(ROW) STN_MATH_NOT_TO_WHOLE(ROW) STN_MATH_TO_WHOLE(ROW)
#define STN_MATH_TO_WHOLE(ROW) ROW(ceil) ROW(floor) ROW(round) ROW(trunc)
#define STN_MATH_NOT_TO_WHOLE(ROW)                                                                 \
    ROW(acos) ROW(asin) ROW(atan) ROW(cos) ROW(sin) ROW(tan)                                       \
    ROW(acosh) ROW(asinh) ROW(atanh) ROW(cosh) ROW(sinh) ROW(tanh)                                 \
    ROW(exp) ROW(exp2) ROW(expm1) ROW(log) ROW(log10) ROW(log1p) ROW(log2) ROW(logb)               \
    ROW(cbrt) ROW(fabs) ROW(sqrt) ROW(erf) ROW(erfc) ROW(lgamma) ROW(tgamma)                       \
    ROW(nearbyint) ROW(rint)
#define STN_MATH_OF_2(ROW)                                                                         \
    ROW(atan2) ROW(hypot) ROW(pow) ROW(fmod) ROW(remainder) ROW(copysign) ROW(nextafter)           \
    ROW(fdim) ROW(fmax) ROW(fmin)
#define STN_MATH_OF_3(ROW) ROW(fma)

/* Functions of a float and an integer, and of a float to an integer, with the type of the integer. */
#define STN_MATH_BY_INTEGER(ROW) ROW(ldexp, int) ROW(scalbn, int) ROW(scalbln, long)
#define STN_MATH_TO_INTEGER(ROW)                                                                   \
    ROW(ilogb, int) ROW(lrint, long) ROW(lround, long) ROW(llrint, long long) ROW(llround, long long)

/* nextafter toward the infinity with this sign; <math.h> may not declare them. */
#define STN_MATH_NEXT(ROW) ROW(nextup, +) ROW(nextdown, -)

/* Functions with other arguments. Kernel texts support nexttoward only. */
#define STN_MATH_OTHERS(ROW) ROW(nexttoward) ROW(frexp) ROW(modf) ROW(remquo) ROW(nan)

/* Conditions of one and two floats. */
#define STN_MATH_MACROS_OF_1(ROW) ROW(isfinite) ROW(isinf) ROW(isnan) ROW(isnormal) ROW(signbit)
#define STN_MATH_MACROS_OF_2(ROW)                                                                  \
    ROW(isgreater) ROW(isgreaterequal) ROW(isless) ROW(islessequal) ROW(islessgreater)             \
    ROW(isunordered)

/* ---- functions of the arithmetic type by the names of the double functions ---- */

#define STN_MATH_IS(name, function, result, ...)                                                   \
    result (*const name)(__VA_ARGS__) __attribute__((__unused__)) = function;
#define STN_DEFINE_NEXT(name, sign)                                                                \
    static inline float stn_##name##_f32(float x_) { return nextafterf(x_, sign __builtin_inff()); }\
    static inline double stn_##name##_f64(double x_) { return nextafter(x_, sign __builtin_inf()); }
STN_MATH_NEXT(STN_DEFINE_NEXT)
/* With trapping-math (kernel_compiler.h), gcc vectorizes rint but no other rounding function. These
 * versions have no branches, which gcc could vectorize only with masks. The last argument is the
 * largest float below 0.5. */
#if defined(__GNUC__) && !defined(__clang__)
#    ifdef STN_KERNEL_INLINE
#        define STN_MATH_FN STN_KERNEL_INLINE
#    else
#        define STN_MATH_FN static inline __attribute__((__always_inline__, __unused__))
#    endif
#    define STN_DEFINE_TO_WHOLE(T, real, f, below_half)                                            \
        STN_MATH_FN real stn_floor_##T(real x_)                                                    \
        {                                                                                          \
            const real near_ = rint##f(x_);                                                        \
            return near_ - ((real)0.5 - copysign##f((real)0.5, x_ - near_)); /* 0, or 1 too high */\
        }                                                                                          \
        STN_MATH_FN real stn_ceil_##T(real x_) { return -stn_floor_##T(-x_); }                     \
        STN_MATH_FN real stn_trunc_##T(real x_)                                                    \
        {                                                                                          \
            return copysign##f(stn_floor_##T(fabs##f(x_)), x_);                                    \
        }                                                                                          \
        STN_MATH_FN real stn_round_##T(real x_)                                                    \
        {                                                                                          \
            return stn_trunc_##T(x_ + copysign##f(below_half, x_));                                \
        }
STN_DEFINE_TO_WHOLE(f32, float, f, 0.49999997f)
STN_DEFINE_TO_WHOLE(f64, double, , 0.49999999999999994)
#    define STN_MATH_F32_WHOLE(name) STN_MATH_IS(name, stn_##name##_f32, float, float)
#    define STN_MATH_F64_WHOLE(name) STN_MATH_IS(name, stn_##name##_f64, double, double)
#elif defined(__cplusplus)
#    define STN_MATH_F32_WHOLE(name) STN_MATH_F32_1(name)
#    define STN_MATH_F64_WHOLE(name) STN_MATH_F64_1(name)
#else
#    define STN_MATH_F32_WHOLE(name) STN_MATH_F32_1(name)
#    define STN_MATH_F64_WHOLE(name)
#endif
#define STN_MATH_F32_NEXT(name, sign) STN_MATH_IS(name, stn_##name##_f32, float, float)
#define STN_MATH_F64_NEXT(name, sign) STN_MATH_IS(name, stn_##name##_f64, double, double)
#define STN_MATH_F32_1(name)          STN_MATH_IS(name, name##f, float, float)
#define STN_MATH_F32_2(name)          STN_MATH_IS(name, name##f, float, float, float)
#define STN_MATH_F32_3(name)          STN_MATH_IS(name, name##f, float, float, float, float)
#define STN_MATH_F32_BY(name, type)   STN_MATH_IS(name, name##f, float, float, type)
#define STN_MATH_F32_TO(name, type)   STN_MATH_IS(name, name##f, type, float)
#define STN_MATHS_f32                                                                              \
    STN_MATH_NOT_TO_WHOLE(STN_MATH_F32_1) STN_MATH_TO_WHOLE(STN_MATH_F32_WHOLE)                    \
    STN_MATH_OF_2(STN_MATH_F32_2) STN_MATH_OF_3(STN_MATH_F32_3)                                    \
    STN_MATH_BY_INTEGER(STN_MATH_F32_BY) STN_MATH_TO_INTEGER(STN_MATH_F32_TO)                      \
    STN_MATH_NEXT(STN_MATH_F32_NEXT)                                                               \
    STN_MATH_IS(nexttoward, nexttowardf, float, float, long double)                                \
    STN_MATH_IS(frexp, frexpf, float, float, int *)                                                \
    STN_MATH_IS(modf, modff, float, float, float *)                                                \
    STN_MATH_IS(remquo, remquof, float, float, float, int *)                                       \
    STN_MATH_IS(nan, nanf, float, const char *)

/* In C, the names are those of double already. In C++, a float argument would select an overload. */
#ifdef __cplusplus
#    define STN_MATH_F64_1(name)        STN_MATH_IS(name, ::name, double, double)
#    define STN_MATH_F64_2(name)        STN_MATH_IS(name, ::name, double, double, double)
#    define STN_MATH_F64_3(name)        STN_MATH_IS(name, ::name, double, double, double, double)
#    define STN_MATH_F64_BY(name, type) STN_MATH_IS(name, ::name, double, double, type)
#    define STN_MATH_F64_TO(name, type) STN_MATH_IS(name, ::name, type, double)
#    define STN_MATHS_f64                                                                          \
        STN_MATH_NOT_TO_WHOLE(STN_MATH_F64_1) STN_MATH_TO_WHOLE(STN_MATH_F64_WHOLE)                \
        STN_MATH_OF_2(STN_MATH_F64_2) STN_MATH_OF_3(STN_MATH_F64_3)                                \
        STN_MATH_BY_INTEGER(STN_MATH_F64_BY) STN_MATH_TO_INTEGER(STN_MATH_F64_TO)                  \
        STN_MATH_NEXT(STN_MATH_F64_NEXT)                                                           \
        STN_MATH_IS(nexttoward, ::nexttoward, double, double, long double)                         \
        STN_MATH_IS(frexp, ::frexp, double, double, int *)                                         \
        STN_MATH_IS(modf, ::modf, double, double, double *)                                        \
        STN_MATH_IS(remquo, ::remquo, double, double, double, int *)
#else
#    define STN_MATHS_f64 STN_MATH_TO_WHOLE(STN_MATH_F64_WHOLE) STN_MATH_NEXT(STN_MATH_F64_NEXT)
#endif
#define STN_MATHS_i64
#define STN_MATHS_c128 STN_MATHS_f64 STN_COMPLEX_FORMS(stn_c128, stn_c128, double)
#define STN_MATHS_c64  STN_MATHS_f32 STN_COMPLEX_FORMS(stn_c64, stn_c64, float)

/* Functions of complex.h without the type in the name. */
#define STN_COMPLEX_FORMS(T, function, part)                                                       \
    STN_MATH_IS(stn_c_of, function##_of, T, part, part)                                            \
    STN_MATH_IS(stn_c_add, function##_add, T, T, T)                                                \
    STN_MATH_IS(stn_c_multiply, function##_multiply_fast, T, T, T)                                 \
    STN_MATH_IS(stn_c_divide, function##_divide, T, T, T)                                          \
    STN_MATH_IS(stn_c_abs, function##_abs, part, T)                                                \
    STN_MATH_IS(stn_c_arg, function##_arg, part, T)                                                \
    STN_MATH_IS(stn_c_polar, function##_polar, T, part, part)                                      \
    STN_MATH_IS(stn_c_pow, function##_pow, T, T, T)                                                \
    STN_COMPLEX_FORM(T, function, conj) STN_COMPLEX_FORM(T, function, proj)                        \
    STN_COMPLEX_FORM(T, function, sqrt) STN_COMPLEX_FORM(T, function, exp)                         \
    STN_COMPLEX_FORM(T, function, log) STN_COMPLEX_FORM(T, function, log10)                        \
    STN_COMPLEX_FORM(T, function, sin) STN_COMPLEX_FORM(T, function, cos)                          \
    STN_COMPLEX_FORM(T, function, tan) STN_COMPLEX_FORM(T, function, asin)                         \
    STN_COMPLEX_FORM(T, function, acos) STN_COMPLEX_FORM(T, function, atan)                        \
    STN_COMPLEX_FORM(T, function, sinh) STN_COMPLEX_FORM(T, function, cosh)                        \
    STN_COMPLEX_FORM(T, function, tanh) STN_COMPLEX_FORM(T, function, asinh)                       \
    STN_COMPLEX_FORM(T, function, acosh) STN_COMPLEX_FORM(T, function, atanh)
#define STN_COMPLEX_FORM(T, function, name) STN_MATH_IS(stn_c_##name, function##_##name, T, T)

/* clang-format on */

#endif
