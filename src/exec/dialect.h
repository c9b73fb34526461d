/* What CUDA C++ and OpenCL C call by different names, in texts that are compiled for both:
 *   KERNEL name(...)        a kernel
 *   GLOBAL                  in front of what a pointer into the device's memory points to
 *   GIVEN(type) a           a kernel's struct of constants; PASSED(type) a, as functions get it
 *   OF(a).member            a member of it, CONSTANT_SPACE where its bytes are
 *   THIS_THREAD ALL_THREADS the thread's number, and how many there are, of 64 bits
 *   LEADING_ZEROS(x)        of 64 bits
 *   SWAP_32 SWAP_64(p, old, fresh)  what is at p becomes fresh where it is old; what it was
 *   BODY_BEGIN BODY_END     around statements that RETURN leaves
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
    "#define LEADING_ZEROS(x) __clzll((long long)(x))\n"                                           \
    "#define SWAP_32(p, old, fresh) atomicCAS((unsigned int *)(p), old, fresh)\n"                  \
    "#define SWAP_64(p, old, fresh) atomicCAS((unsigned long long *)(p), old, fresh)\n"            \
    "#define BODY_BEGIN [&]() {\n"                                                                 \
    "#define BODY_END }();\n"                                                                      \
    "#define RETURN return\n"                                                                      \
    "#ifndef INFINITY\n"                                                                           \
    "#define INFINITY __int_as_float(0x7f800000)\n"                                                \
    "#endif\n"                                                                                     \
    "#ifndef NAN\n"                                                                                \
    "#define NAN __int_as_float(0x7fc00000)\n"                                                     \
    "#endif\n"                                                                                     \
    "#define HUGE_VAL ((double)INFINITY)\n"

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
    "#define LEADING_ZEROS(x) (int)clz((ulong)(x))\n"                                              \
    "#ifdef cl_khr_int64_base_atomics\n"                                                           \
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"                                \
    "#endif\n"                                                                                     \
    "#define SWAP_32(p, old, fresh) atomic_cmpxchg(p, old, fresh)\n"                               \
    "#define SWAP_64(p, old, fresh) atom_cmpxchg(p, old, fresh)\n"                                 \
    "#define BODY_BEGIN {\n"                                                                       \
    "#define BODY_END } stn_end:;\n"                                                               \
    "#define RETURN goto stn_end\n"                                                                \
    "#define nearbyint rint\n"

#endif
