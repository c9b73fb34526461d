/* Accessors over the 16-bit numbers of compilers and vendors: what one type stores the other reads.
 * The functions return how many checks failed; `CHECK_16(number, accessor, format)` defines those
 * of a type, whose one is `number(1.5)` as the program's language has it. */
#include "steno/accessor.h"

STN_ACCESSOR(halves, 1, double, stn_f16)
STN_ACCESSOR(brains, 1, double, stn_bf16)
STN_ACCESSOR(singles, 1, double, float)

/* Not inlined: the compiler does not see that the pointers are of one memory. */
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#    define APART static __device__ __noinline__
#else
#    define APART static __attribute__((__noinline__))
#endif

#define CHECK_16(number, accessor, format)                                                         \
    APART double number##_stored(number *p, accessor x, double value)                              \
    {                                                                                              \
        p[0] = (number)1.5f;                                                                       \
        accessor##_set(x, 0, value);                                                               \
        return (double)(float)p[0];                                                                \
    }                                                                                              \
    APART double number##_read(const number *p, accessor##_const x)                                \
    {                                                                                              \
        return accessor##_const_get(x, 0) - (double)(float)p[0];                                   \
    }                                                                                              \
    APART int number##_wrong(number *p)                                                            \
    {                                                                                              \
        const number *const constant = p;                                                          \
        const double values[2] = {-0.375, 2.5};                                                    \
        int wrong = STN_FORMAT_OF(p) != format || STN_FORMAT_OF(constant) != format;               \
        wrong += number##_stored(p, accessor##_dense(STN_CODES_OF(p), 2), 0.25) != 0.25;           \
        accessor##_store(accessor##_dense(STN_CODES_OF(p), 2), 0, 2, values);                      \
        wrong += (double)(float)p[0] != -0.375 || (double)(float)p[1] != 2.5;                      \
        p[0] = (number)3.0f;                                                                       \
        wrong += accessor##_get(accessor##_dense(STN_CODES_OF(p), 2), 0) != 3.0;                   \
        return wrong +                                                                             \
               (number##_read(p, accessor##_const_dense(STN_CODES_OF(constant), 2)) != 0.0);       \
    }

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#    include <cuda_bf16.h>
#    include <cuda_fp16.h>
CHECK_16(__half, halves, STN_F16)
CHECK_16(__nv_bfloat16, brains, STN_BF16)
extern "C" __global__ void check_pointers(__half *p, __nv_bfloat16 *q, int *wrong)
{
    *wrong = __half_wrong(p) + __nv_bfloat16_wrong(q);
}
#else
#    if defined(__FLT16_MANT_DIG__)
__extension__ typedef _Float16 float16;
CHECK_16(float16, halves, STN_F16)
#    endif
CHECK_16(float, singles, STN_F32)
int main(void)
{
    float wide[2];
#    if defined(__FLT16_MANT_DIG__)
    float16 narrow[2];
    return float16_wrong(narrow) + float_wrong(wide);
#    else
    return float_wrong(wide);
#    endif
}
#endif
