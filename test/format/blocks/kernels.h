/* All functions of steno/block_codec.h in a kernel of OpenCL C, CUDA C++ and HIP, and in a function
 * of C and C++: blocks are encoded, decoded, and read by element. */
#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
#    include "steno/accessor.h" /* of the text of runtime_compiler.c */
#endif
#include "steno/block_codec.h"

#if defined(STN_OPENCL)
#    define KERNEL __kernel
#    define GLOBAL __global
#    define ITEM   ((int)get_global_id(0))
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIPCC__) || defined(__HIPCC_RTC__)
#    define KERNEL extern "C" __global__
#    define GLOBAL
#    define ITEM ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#else
#    define KERNEL static
#    define GLOBAL
#    define ITEM 0
#endif

KERNEL void convert(GLOBAL stn_u8 *codes, GLOBAL stn_u8 *scales, GLOBAL const double *values,
                    GLOBAL double *elements, int format, int code_bytes, int scale_bytes)
{
    const int block = ITEM, count = stn_block_elements(format);
    GLOBAL stn_u8 *const code = codes + block * code_bytes;
    GLOBAL stn_u8 *const scale = scales + block * scale_bytes;
    double decoded[STN_BLOCK_ELEMENTS];
    int k;
    for (k = 0; k < count; k++)
        decoded[k] = values[block * count + k];
    stn_block_encode(format, code, scale, decoded);
    stn_block_decode(format, decoded, code, scale);
    for (k = 0; k < count; k++)
        elements[block * count + k] = decoded[k] - stn_block_read(format, code, scale, k);
}

#ifndef STN_OPENCL
#    if !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)
/* The two ways to read agree, and values come back that every format represents. */
int main(void)
{
    double values[STN_BLOCK_ELEMENTS], elements[STN_BLOCK_ELEMENTS], again[STN_BLOCK_ELEMENTS];
    stn_u8 codes[4 * STN_BLOCK_ELEMENTS] = {0}, scale[2] = {0};
    int format, k;
    for (format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        for (k = 0; k < STN_BLOCK_ELEMENTS; k++)
            values[k] = k % 3 == 0 ? 1.5 : k % 3 == 1 ? -1.0 : 0.0;
        convert(codes, scale, values, elements, format, 0, 0);
        stn_block_decode(format, again, codes, scale);
        for (k = 0; k < stn_block_elements(format); k++)
            if (elements[k] != 0.0 || again[k] != values[k])
                return format;
    }
    return 0;
}
#    endif
#endif
