/* What is the same bits everywhere, and all functions, as kernels of OpenCL C and CUDA: x and y are
 * operands, z is product, quotient, root and (|x|, |x|^2) of each. */
#include "steno/accessor.h"
#include "steno/complex.h"

#if defined(STN_OPENCL)
#    define KERNEL __kernel
#    define GLOBAL __global
#    define ITEM   ((int)get_global_id(0))
#else
#    define KERNEL extern "C" __global__
#    define GLOBAL
#    define ITEM ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#endif

#define KERNELS(T)                                                                                 \
    KERNEL void same_##T(GLOBAL const stn_##T *x, GLOBAL const stn_##T *y, GLOBAL stn_##T *z)      \
    {                                                                                              \
        const int k = ITEM;                                                                        \
        z[4 * k] = stn_##T##_multiply(x[k], y[k]);                                                 \
        z[4 * k + 1] = stn_##T##_divide(x[k], y[k]);                                               \
        z[4 * k + 2] = stn_##T##_sqrt(x[k]);                                                       \
        z[4 * k + 3] = stn_##T##_of(stn_##T##_abs(x[k]), stn_##T##_norm(x[k]));                    \
    }                                                                                              \
    KERNEL void all_##T(GLOBAL const stn_##T *x, GLOBAL const stn_##T *y, GLOBAL stn_##T *z)       \
    {                                                                                              \
        const int k = ITEM;                                                                        \
        stn_##T w = stn_##T##_pow(x[k], stn_##T##_polar(stn_##T##_arg(y[k]), y[k].re));            \
        w = stn_##T##_asin(stn_##T##_sin(stn_##T##_acos(stn_##T##_cos(w))));                       \
        w = stn_##T##_atan(stn_##T##_tan(stn_##T##_asinh(stn_##T##_sinh(w))));                     \
        w = stn_##T##_acosh(stn_##T##_cosh(stn_##T##_atanh(stn_##T##_tanh(w))));                   \
        z[k] = stn_##T##_log(stn_##T##_exp(stn_##T##_divide_fast(w, y[k])));                       \
    }
KERNELS(c64)
#ifdef STN_HAVE_DOUBLE
KERNELS(c128)
#endif
