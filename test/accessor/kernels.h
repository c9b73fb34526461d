/* Kernels over accessors, one text for C11, C++11, CUDA C++, HIP, SYCL and OpenCL C 1.2. Each work
 * item calculates in memory of its own and gives one word, in which everything it read and stored
 * takes part: the same word in every language, on every device, at every optimisation.
 *
 * With STENO_SINGLE_FILE the header is the one that tools/dist-accessor.sh makes. */
#ifndef TEST_ACCESSOR_KERNELS_H
#define TEST_ACCESSOR_KERNELS_H

#ifdef STENO_SINGLE_FILE
#    define ACCESSOR        "steno_accessor.h"
#    define ACCESSOR_DEFINE "steno_accessor.h"
#else
#    define ACCESSOR        "steno/accessor.h"
#    define ACCESSOR_DEFINE "steno/accessor_define.h"
#endif
#ifdef __OPENCL_VERSION__
#    pragma OPENCL FP_CONTRACT OFF
#endif
#include ACCESSOR

/* Functions of this text: called, not copied, so that it compiles in reasonable time. */
#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIP__) || defined(__HIPCC_RTC__)
#    define ROUTINE static __device__ __attribute__((noinline, unused))
#else
#    define ROUTINE static __attribute__((noinline, unused))
#endif

/* clang-format off */
#include "inputs.h"
#include "steps.h"
#include "formats.h"
#include "rules.h"
#include "scaled.h"
#include "layouts.h"
#ifdef EVERY_CODE
#    include "codes.h"
#endif
/* clang-format on */

/* ON_KERNEL(name, format of the elements, arithmetic type, format of the scales) for each kernel.
 */
#define KERNEL_LIST                                                                                \
    PLAIN_LIST RULE_LIST SCALED_LIST LAYOUT_LIST DOUBLE(                                           \
        MORE(ON_KERNEL(scaled_cube_i16, i16, f64, f64)))
#define ON_PLAIN(format, real)                    ON_KERNEL(plain_##format##_##real, format, real, real)
#define ON_RULE(type, format, real, ...)          ON_KERNEL(rule_##type, format, real, real)
#define ON_SCALED(type, format, real, scale, ...) ON_KERNEL(scaled_##type, format, real, scale)

/* ---- what the kernels are in each language; a device that has those of codes.h has no others ----
 */

#if defined(EVERY_CODE) && defined(__CUDACC_RTC__)
#    define ON_KERNEL(name, format, real, scale)
#elif defined(STN_OPENCL)
#    define ON_KERNEL(name, format, real, scale)                                                   \
        kernel void run_##name(global stn_##format *memory, global stn_##real *wide,               \
                               global stn_##scale *scales, global ulong *words)                    \
        {                                                                                          \
            const ulong item = get_global_id(0);                                                   \
            words[item] = name(memory, wide, scales, item);                                        \
        }
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIP__) || defined(__HIPCC_RTC__)
#    define ON_KERNEL(name, format, real, scale)                                                   \
        extern "C" __global__ void run_##name(stn_##format *memory, stn_##real *wide,              \
                                              stn_##scale *scales, stn_u64 *words)                 \
        {                                                                                          \
            const stn_u64 item = blockIdx.x * (stn_u64)blockDim.x + threadIdx.x;                   \
            if (item < ITEMS)                                                                      \
                words[item] = name(memory, wide, scales, item);                                    \
        }
#else
#    define ON_KERNEL(name, format, real, scale)                                                   \
        ROUTINE void run_##name(void *memory, void *wide, void *scales, stn_u64 *words)            \
        {                                                                                          \
            for (stn_u64 item = 0; item < ITEMS; item++)                                           \
                words[item] =                                                                      \
                    name((stn_##format *)memory, (stn_##real *)wide, (stn_##scale *)scales, item); \
        }
#endif
KERNEL_LIST
#undef ON_KERNEL

#endif
