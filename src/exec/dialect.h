/* Macros for features that CUDA C++, OpenCL C and C spell differently, for texts compiled for all:
 * - STN_DEVICE_KERNEL name(...): a kernel; STN_GLOBAL: qualifier of pointers into device memory.
 * - STN_GIVEN(type) a: a kernel parameter with constants; STN_PASSED(type) a: the same of
 * functions.
 * - STN_OF(a).member: one of its members; STN_CONSTANT: its address space.
 * - STN_STATIC: precedes constants of a function.
 * - STN_THREAD, STN_THREADS: index of the thread and number of threads, in 64 bits.
 * - STN_LEADING_ZEROS(x): of 64 bits. STN_ADD_32(p, more): atomic addition, returns the old value.
 * - STN_SWAP_32, STN_SWAP_64(p, old, fresh): atomic compare-and-swap, returns the old value.
 * - STN_BEGIN ... STN_END: statements that STN_LEAVE leaves.
 */
#ifndef STENO_EXEC_DIALECT_H
#define STENO_EXEC_DIALECT_H

#include <stdint.h>

#define STN_CUDA_DIALECT                                                                           \
    "#define STN_DEVICE_KERNEL extern \"C\" __global__ void\n"                                     \
    "#define STN_GLOBAL\n"                                                                         \
    "#define STN_CONSTANT\n"                                                                       \
    "#define STN_STATIC static\n"                                                                  \
    "#define STN_GIVEN(type) const type\n"                                                         \
    "#define STN_PASSED(type) const type &\n"                                                      \
    "#define STN_OF(a) (a)\n"                                                                      \
    "#define STN_THREAD (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x)\n"             \
    "#define STN_THREADS (gridDim.x * (unsigned long long)blockDim.x)\n"                           \
    "#define STN_LOCAL __shared__\n"                                                               \
    "#define STN_BARRIER __syncthreads()\n"                                                        \
    "#define STN_GROUP blockIdx.x\n"                                                               \
    "#define STN_GROUPS gridDim.x\n"                                                               \
    "#define STN_ITEM (int)threadIdx.x\n"                                                          \
    "#define STN_ITEMS (int)blockDim.x\n"                                                          \
    "#define STN_LEADING_ZEROS(x) __clzll((long long)(x))\n"                                       \
    "#define STN_UNROLL _Pragma(\"unroll\")\n"                                                     \
    "#define STN_ADD_32(p, more) atomicAdd((unsigned int *)(p), more)\n"                           \
    "#define STN_SWAP_32(p, old, fresh) atomicCAS((unsigned int *)(p), old, fresh)\n"              \
    "#define STN_SWAP_64(p, old, fresh) atomicCAS((unsigned long long *)(p), old, fresh)\n"        \
    "#define STN_BEGIN [&]() {\n"                                                                  \
    "#define STN_END }();\n"                                                                       \
    "#define STN_LEAVE return\n"                                                                   \
    "#ifndef INFINITY\n"                                                                           \
    "#define INFINITY __int_as_float(0x7f800000)\n"                                                \
    "#endif\n"                                                                                     \
    "#ifndef NAN\n"                                                                                \
    "#define NAN __int_as_float(0x7fc00000)\n"                                                     \
    "#endif\n"                                                                                     \
    "#define HUGE_VAL ((double)INFINITY)\n"

/* hipRTC has no option that makes unqualified functions device functions. */
#define STN_HIP_DIALECT "#pragma clang force_cuda_host_device begin\n" STN_CUDA_DIALECT

#define STN_OPENCL_DIALECT                                                                         \
    "#pragma OPENCL FP_CONTRACT OFF\n"                                                             \
    "#define STN_DEVICE_KERNEL __kernel void\n"                                                    \
    "#define STN_GLOBAL __global\n"                                                                \
    "#define STN_CONSTANT __constant\n"                                                            \
    "#define STN_STATIC\n"                                                                         \
    "#define STN_GIVEN(type) __constant type *\n"                                                  \
    "#define STN_PASSED(type) __constant type *\n"                                                 \
    "#define STN_OF(a) (*(a))\n"                                                                   \
    "#define STN_THREAD get_global_id(0)\n"                                                        \
    "#define STN_THREADS get_global_size(0)\n"                                                     \
    "#define STN_LOCAL __local\n"                                                                  \
    "#define STN_BARRIER barrier(CLK_LOCAL_MEM_FENCE)\n"                                           \
    "#define STN_GROUP get_group_id(0)\n"                                                          \
    "#define STN_GROUPS get_num_groups(0)\n"                                                       \
    "#define STN_ITEM (int)get_local_id(0)\n"                                                      \
    "#define STN_ITEMS (int)get_local_size(0)\n"                                                   \
    "#define fmaf fma\n"                                                                           \
    "#define fabsf fabs\n"                                                                         \
    "#define sqrtf sqrt\n"                                                                         \
    "#define STN_LEADING_ZEROS(x) (int)clz((stn_u64)(x))\n"                                        \
    "#define STN_UNROLL _Pragma(\"unroll\")\n"                                                     \
    "#ifdef cl_khr_int64_base_atomics\n"                                                           \
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"                                \
    "#endif\n"                                                                                     \
    "#define STN_ADD_32(p, more) atomic_add(p, more)\n"                                            \
    "#define STN_SWAP_32(p, old, fresh) atomic_cmpxchg(p, old, fresh)\n"                           \
    "#define STN_SWAP_64(p, old, fresh) atom_cmpxchg(p, old, fresh)\n"                             \
    "#define STN_BEGIN {\n"                                                                        \
    "#define STN_END } STN_LABEL:;\n"                                                              \
    "#define STN_LEAVE goto STN_LABEL\n"                                                           \
    "#define STN_LABEL stn_end\n"                                                                  \
    "#define nearbyint rint\n"

/* For the host's gcc or clang; STN_NO_ORDER precedes a loop whose iterations are
 * independent. */
#define STN_HOST_DIALECT                                                                           \
    "#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__\n"   \
    "#error kernels must not be compiled with options such as -ffast-math\n"                       \
    "#endif\n"                                                                                     \
    "_Static_assert(sizeof 1.0 == 8, \"constants of type double must have 8 bytes\");\n"           \
    "#define STN_DEVICE_KERNEL __attribute__((visibility(\"default\"))) void\n"                    \
    "#define STN_GLOBAL\n"                                                                         \
    "#define STN_STATIC static\n"                                                                  \
    "#define STN_PASSED(type) const type *\n"                                                      \
    "#define STN_OF(a) (*(a))\n"                                                                   \
    "#define STN_LEADING_ZEROS(x) __builtin_clzll(x)\n"                                            \
    "#define STN_SWAP_32(p, old, fresh) __sync_val_compare_and_swap(p, old, fresh)\n"              \
    "#define STN_SWAP_64(p, old, fresh) __sync_val_compare_and_swap(p, old, fresh)\n"              \
    "#define STN_BEGIN { __label__ stn_end; {\n"                                                   \
    "#define STN_END } stn_end:; }\n"                                                              \
    "#define STN_LEAVE goto stn_end\n"                                                             \
    "#ifdef __clang__\n"                                                                           \
    "#define STN_NO_ORDER _Pragma(\"clang loop vectorize(assume_safety)\")\n"                      \
    "#else\n"                                                                                      \
    "#define STN_NO_ORDER _Pragma(\"GCC ivdep\")\n"                                                \
    "#endif\n"

/* The type of 1 to 16 bytes that one access moves. */
static inline const char *stn_dialect_word(int64_t bytes)
{
    return bytes == 16  ? "uint4"
           : bytes == 8 ? "uint2"
           : bytes == 4 ? "stn_u32"
           : bytes == 2 ? "stn_u16"
                        : "stn_u8";
}

#endif
