/* Kernels that are templates on the storage, over CUDA's own types among them. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "steno/accessor.hpp"

template <class X, class Y> __device__ void axpy(typename Y::real alpha, X x, Y y)
{
    const stn_size i = (stn_size)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x.length(0))
        y(i) += alpha * x(i);
}

template <class storage>
__device__ void of_storage(stn_size n, double alpha, const storage *x, double *y)
{
    axpy(alpha, stn::accessor<1, double, const storage>(x, n),
         stn::accessor<1, double, double>(y, n));
}

#define KERNEL(name, storage)                                                                      \
    extern "C" __global__ void axpy_##name(stn_size n, double alpha, const storage *x, double *y)  \
    {                                                                                              \
        of_storage(n, alpha, x, y);                                                                \
    }
KERNEL(f64, double)
KERNEL(f32, float)
KERNEL(f16, __half)
KERNEL(bf16, __nv_bfloat16)
KERNEL(e4m3, stn_e4m3)
KERNEL(i8, stn_i8)
extern "C" __global__ void axpy_c64(stn_size n, stn_c64 *x, stn_c128 *y)
{
    axpy(stn_c128_of(2, 1), stn::accessor<1, stn_c128, stn_c64>(x, n),
         stn::accessor<1, stn_c128, stn_c128>(y, n));
}
