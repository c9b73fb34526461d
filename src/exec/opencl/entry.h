/* Entry points of OpenCL 1.2, declared here so that no header is needed to build. Constants are
 * those of the binary interface. */
#ifndef STENO_EXEC_OPENCL_ENTRY_H
#define STENO_EXEC_OPENCL_ENTRY_H

#include <stddef.h>
#include <stdint.h>

/* ENTRY(member, name in the library, result, parameters); int32_t results are 0 on success. */
#define STN_OPENCL_TABLE(ENTRY)                                                                    \
    ENTRY(platforms, "clGetPlatformIDs", int32_t,                                                  \
          (uint32_t capacity, void **platforms, uint32_t *count))                                  \
    ENTRY(devices, "clGetDeviceIDs", int32_t,                                                      \
          (void *platform, uint64_t kinds, uint32_t capacity, void **devices, uint32_t *count))    \
    ENTRY(platform_info, "clGetPlatformInfo", int32_t,                                             \
          (void *platform, uint32_t what, size_t capacity, void *value, size_t *bytes))            \
    ENTRY(device_info, "clGetDeviceInfo", int32_t,                                                 \
          (void *device, uint32_t what, size_t capacity, void *value, size_t *bytes))              \
    ENTRY(context_make, "clCreateContext", void *,                                                 \
          (const intptr_t *properties, uint32_t count, void *const *devices, void *notify,         \
           void *context, int32_t *error))                                                         \
    ENTRY(context_release, "clReleaseContext", int32_t, (void *context))                           \
    ENTRY(queue_make, "clCreateCommandQueue", void *,                                              \
          (void *context, void *device, uint64_t properties, int32_t *error))                      \
    ENTRY(queue_wait, "clFinish", int32_t, (void *queue))                                          \
    ENTRY(queue_send, "clFlush", int32_t, (void *queue))                                           \
    ENTRY(queue_release, "clReleaseCommandQueue", int32_t, (void *queue))                          \
    ENTRY(memory_make, "clCreateBuffer", void *,                                                   \
          (void *context, uint64_t flags, size_t bytes, void *host, int32_t *error))               \
    ENTRY(memory_release, "clReleaseMemObject", int32_t, (void *memory))                           \
    ENTRY(read, "clEnqueueReadBuffer", int32_t,                                                    \
          (void *queue, void *memory, uint32_t waits, size_t offset, size_t bytes, void *host,     \
           uint32_t count, void *events, void *event))                                             \
    ENTRY(write, "clEnqueueWriteBuffer", int32_t,                                                  \
          (void *queue, void *memory, uint32_t waits, size_t offset, size_t bytes,                 \
           const void *host, uint32_t count, void *events, void *event))                           \
    ENTRY(copy, "clEnqueueCopyBuffer", int32_t,                                                    \
          (void *queue, void *from, void *to, size_t from_offset, size_t to_offset, size_t bytes,  \
           uint32_t count, void *events, void *event))                                             \
    ENTRY(read_box, "clEnqueueReadBufferRect", int32_t,                                            \
          (void *queue, void *memory, uint32_t waits, const size_t *origin,                        \
           const size_t *host_origin, const size_t *region, size_t pitch, size_t plane,            \
           size_t host_pitch, size_t host_plane, void *host, uint32_t count, void *events,         \
           void *event))                                                                           \
    ENTRY(write_box, "clEnqueueWriteBufferRect", int32_t,                                          \
          (void *queue, void *memory, uint32_t waits, const size_t *origin,                        \
           const size_t *host_origin, const size_t *region, size_t pitch, size_t plane,            \
           size_t host_pitch, size_t host_plane, const void *host, uint32_t count, void *events,   \
           void *event))                                                                           \
    ENTRY(fill, "clEnqueueFillBuffer", int32_t,                                                    \
          (void *queue, void *memory, const void *pattern, size_t pattern_bytes, size_t offset,    \
           size_t bytes, uint32_t count, void *events, void *event))                               \
    ENTRY(program_make, "clCreateProgramWithSource", void *,                                       \
          (void *context, uint32_t count, const char *const *texts, const size_t *lengths,         \
           int32_t *error))                                                                        \
    ENTRY(program_compile, "clCompileProgram", int32_t,                                            \
          (void *program, uint32_t count, void *const *devices, const char *options,               \
           uint32_t headers, void *const *programs, const char *const *names, void *notify,        \
           void *context))                                                                         \
    ENTRY(program_link, "clLinkProgram", void *,                                                   \
          (void *context, uint32_t count, void *const *devices, const char *options,               \
           uint32_t parts, void *const *programs, void *notify, void *user, int32_t *error))       \
    ENTRY(                                                                                         \
        program_info, "clGetProgramBuildInfo", int32_t,                                            \
        (void *program, void *device, uint32_t what, size_t capacity, void *value, size_t *bytes)) \
    ENTRY(program_code, "clGetProgramInfo", int32_t,                                               \
          (void *program, uint32_t what, size_t capacity, void *value, size_t *bytes))             \
    ENTRY(program_load, "clCreateProgramWithBinary", void *,                                       \
          (void *context, uint32_t count, void *const *devices, const size_t *sizes,               \
           const void *const *codes, int32_t *states, int32_t *error))                             \
    ENTRY(program_build, "clBuildProgram", int32_t,                                                \
          (void *program, uint32_t count, void *const *devices, const char *options, void *notify, \
           void *user))                                                                            \
    ENTRY(program_release, "clReleaseProgram", int32_t, (void *program))                           \
    ENTRY(kernel_make, "clCreateKernel", void *,                                                   \
          (void *program, const char *name, int32_t *error))                                       \
    ENTRY(kernel_release, "clReleaseKernel", int32_t, (void *kernel))                              \
    ENTRY(kernel_argument, "clSetKernelArg", int32_t,                                              \
          (void *kernel, uint32_t at, size_t bytes, const void *value))                            \
    ENTRY(launch, "clEnqueueNDRangeKernel", int32_t,                                               \
          (void *queue, void *kernel, uint32_t rank, const size_t *offset, const size_t *all,      \
           const size_t *group, uint32_t count, void *events, void *event))

#define STN_OPENCL_MEMBER(member, name, result, parameters) result(*member) parameters;

typedef struct stn_opencl {
    STN_OPENCL_TABLE(STN_OPENCL_MEMBER)
} stn_opencl;

/* Properties of a device. */
enum {
    STN_CL_PROCESSORS = 0x1002,
    STN_CL_F32_RULES = 0x101B,
    STN_CL_BYTES = 0x101F,
    STN_CL_MAX_BYTES = 0x1010,
    STN_CL_GROUP = 0x1004, /* maximum group size */
    STN_CL_NAME = 0x102B,
    STN_CL_DRIVER = 0x102D, /* driver version */
    STN_CL_VERSION = 0x102F,
    STN_CL_PLATFORM = 0x1031,
    STN_CL_F64_RULES = 0x1032
};

/* Properties of floating-point arithmetic: subnormals, infinities and NaN, round to nearest,
 * correctly rounded f32 division and square root. */
enum { STN_CL_SUBNORMALS = 1, STN_CL_INFINITIES = 2, STN_CL_NEAREST = 4, STN_CL_DIVIDES = 128 };

enum { STN_CL_READ_WRITE = 1, STN_CL_READ_ONLY = 4, STN_CL_COPY = 32 };
enum {
    STN_CL_LOG = 0x1183,
    STN_CL_CODE_BYTES = 0x1165, /* of a program, for each of its devices */
    STN_CL_CODE = 0x1166,
    STN_CL_PLATFORM_VERSION = 0x0901
};
#define STN_CL_ALL_KINDS 0xFFFFFFFFu

/* Errors with special treatment: no memory on the device, or for it. */
enum { STN_CL_NO_MEMORY = -4, STN_CL_NO_RESOURCES = -5, STN_CL_NO_HOST_MEMORY = -6 };

#endif
