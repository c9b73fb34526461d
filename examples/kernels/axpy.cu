/* y = alpha x + y in CUDA and HIP: an accessor is an argument like any other struct. */
#ifdef __HIP__
#include <hip/hip_runtime.h>
#endif

#include "steno/accessor.h"

STN_ACCESSOR(wide, 1, double, double)
STN_ACCESSOR(narrow, 1, double, float)

template <class X, class Y>
__global__ void axpy(typename Y::real alpha, X x, Y y)
{
    const stn_size i = (stn_size)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x.length(0))
        y(i) = alpha * x(i) + y(i);
}

/* x and y point into the device's memory. */
void axpy_on_device(stn_size n, double alpha, float *x, double *y)
{
    axpy<<<(unsigned)((n + 255) / 256), 256>>>(alpha, narrow_dense(x, n), wide_dense(y, n));
}
