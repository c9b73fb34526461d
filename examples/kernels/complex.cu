/* One element per thread; see alignment.c. */
#include "complex.h"

template <class C> __device__ void multiply_add(C *c, const C *a, const C *b, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const C x = a[i], y = b[i];
    c[i].re += x.re * y.re - x.im * y.im;
    c[i].im += x.re * y.im + x.im * y.re;
}

extern "C" __global__ void muladd_c8(c8 *c, const c8 *a, const c8 *b, int count)
{
    multiply_add(c, a, b, count);
}

extern "C" __global__ void muladd_c16(c16 *c, const c16 *a, const c16 *b, int count)
{
    multiply_add(c, a, b, count);
}
