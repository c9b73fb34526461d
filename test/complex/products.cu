// Products and what is made of them, by nvcc as it is, which fuses: here nothing may be.
#include <complex>

#include "steno/complex.h"

#define PRODUCTS(T, real)                                                                          \
    extern "C" __global__ void products_##T(const stn_##T *x, const stn_##T *y, stn_##T *z,        \
                                            real by)                                               \
    {                                                                                              \
        const int k = (int)threadIdx.x;                                                            \
        z[4 * k] = stn_##T##_multiply(x[k], y[k]);                                                 \
        z[4 * k + 1] = stn_##T##_multiply_fast(x[k], y[k]);                                        \
        z[4 * k + 2] = by * x[k] + y[k];                                                           \
        z[4 * k + 3] = stn_##T##_of(stn_##T##_norm(x[k]), 0);                                      \
    }
PRODUCTS(c128, double)
PRODUCTS(c64, float)

stn_c128 of_the_host(std::complex<double> z);
stn_c128 of_the_host(std::complex<double> z)
{
    return stn_c128_of_cxx(stn_c128_to_cxx<std::complex<double>>(stn_c128_of_cxx(z)));
}
