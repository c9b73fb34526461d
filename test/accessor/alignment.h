/* Complex numbers whose addresses are multiples of their bytes, or of their parts' only. */
#include "steno/accessor.h"

STN_ACCESSOR_ALIGNED(whole_c128, 1, stn_c128, stn_c128, 16)
STN_ACCESSOR_ALIGNED(halves_c128, 1, stn_c128, stn_c128, 8)
STN_ACCESSOR(plain_c128, 1, stn_c128, stn_c128)
STN_ACCESSOR_ALIGNED(whole_c64, 1, stn_c128, stn_c64, 8)
STN_ACCESSOR_ALIGNED(whole_c32, 1, stn_c64, stn_c32, 4)

#define KERNEL(name)                                                                               \
    extern "C" __global__ void add_##name(name##_const x, name y)                                  \
    {                                                                                              \
        const stn_size i = (stn_size)blockIdx.x * blockDim.x + threadIdx.x;                        \
        y(i) += x(i);                                                                              \
    }                                                                                              \
    extern "C" __global__ void copy_##name(name##_const x, name y)                                 \
    {                                                                                              \
        const stn_size i = 4 * ((stn_size)blockIdx.x * blockDim.x + threadIdx.x);                  \
        name##_real values[4];                                                                     \
        name##_const_load(x, i, 4, values);                                                        \
        name##_store(y, i, 4, values);                                                             \
    }
KERNEL(whole_c128)
KERNEL(halves_c128)
KERNEL(plain_c128)
KERNEL(whole_c64)
KERNEL(whole_c32)
