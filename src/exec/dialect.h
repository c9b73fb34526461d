/* What CUDA C++ and OpenCL C call by different names, in texts that are compiled for both:
 *   KERNEL name(...)        a kernel
 *   GLOBAL                  in front of what a pointer into the device's memory points to
 *   GIVEN(type) a           a kernel's struct of constants; PASSED(type) a, as functions get it
 *   OF(a).member            a member of it, CONSTANT_SPACE where its bytes are
 *   THIS_THREAD ALL_THREADS the thread's number, and how many there are, of 64 bits
 *   LEADING_ZEROS(x)        of 64 bits
 */
#ifndef STENO_EXEC_DIALECT_H
#define STENO_EXEC_DIALECT_H

#define STN_CUDA_DIALECT                                                                           \
    "#define KERNEL extern \"C\" __global__ void\n"                                                \
    "#define GLOBAL\n"                                                                             \
    "#define CONSTANT_SPACE\n"                                                                     \
    "#define GIVEN(type) const type\n"                                                             \
    "#define PASSED(type) const type &\n"                                                          \
    "#define OF(a) (a)\n"                                                                          \
    "#define THIS_THREAD (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x)\n"            \
    "#define ALL_THREADS (gridDim.x * (unsigned long long)blockDim.x)\n"                           \
    "#define LEADING_ZEROS(x) __clzll((long long)(x))\n"

#define STN_OPENCL_DIALECT                                                                         \
    "#pragma OPENCL FP_CONTRACT OFF\n"                                                             \
    "#define KERNEL __kernel void\n"                                                               \
    "#define GLOBAL __global\n"                                                                    \
    "#define CONSTANT_SPACE __constant\n"                                                          \
    "#define GIVEN(type) __constant type *\n"                                                      \
    "#define PASSED(type) __constant type *\n"                                                     \
    "#define OF(a) (*(a))\n"                                                                       \
    "#define THIS_THREAD get_global_id(0)\n"                                                       \
    "#define ALL_THREADS get_global_size(0)\n"                                                     \
    "#define LEADING_ZEROS(x) (int)clz((ulong)(x))\n"

#endif
