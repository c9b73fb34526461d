/* Entry points of NVIDIA's driver and run-time compiler, declared here so that neither is needed
 * to build. Constants are those of the binary interface. AMD's runtime is called through the
 * same tables (exec/hip). */
#ifndef STENO_EXEC_CUDA_ENTRY_H
#define STENO_EXEC_CUDA_ENTRY_H

#include <stddef.h>

/* Parameters of a copy between arrays of up to three dimensions, in bytes. */
typedef struct stn_cuda_copy {
    size_t from_x, from_y, from_z, from_level;
    int from_kind;
    const void *from_host;
    const void *from;
    void *from_array, *unused_from;
    size_t from_pitch, from_height;
    size_t to_x, to_y, to_z, to_level;
    int to_kind;
    void *to_host;
    void *to;
    void *to_array, *unused_to;
    size_t to_pitch, to_height;
    size_t width, height, depth;
} stn_cuda_copy;

/* ENTRY(member, name in the library, parameters); all return 0 on success. */
#define STN_CUDA_DRIVER_TABLE(ENTRY)                                                               \
    ENTRY(init, "cuInit", (unsigned flags))                                                        \
    ENTRY(version, "cuDriverGetVersion", (int *version))                                           \
    ENTRY(error_name, "cuGetErrorName", (int error, const char **name))                            \
    ENTRY(error_text, "cuGetErrorString", (int error, const char **text))                          \
    ENTRY(device_count, "cuDeviceGetCount", (int *count))                                          \
    ENTRY(device, "cuDeviceGet", (int *device, int number))                                        \
    ENTRY(device_name, "cuDeviceGetName", (char *name, int capacity, int device))                  \
    ENTRY(device_bytes, "cuDeviceTotalMem_v2", (size_t * bytes, int device))                       \
    ENTRY(attribute, "cuDeviceGetAttribute", (int *value, int attribute, int device))              \
    ENTRY(context_retain, "cuDevicePrimaryCtxRetain", (void **context, int device))                \
    ENTRY(context_release, "cuDevicePrimaryCtxRelease_v2", (int device))                           \
    ENTRY(context_device, "cuCtxGetDevice", (int *device))                                         \
    ENTRY(context_push, "cuCtxPushCurrent_v2", (void *context))                                    \
    ENTRY(context_pop, "cuCtxPopCurrent_v2", (void **context))                                     \
    ENTRY(capture_mode, "cuThreadExchangeStreamCaptureMode", (int *mode))                          \
    ENTRY(memory_info, "cuMemGetInfo_v2", (size_t * free, size_t * all))                           \
    ENTRY(memory_allocate, "cuMemAlloc_v2", (void **memory, size_t bytes))                         \
    ENTRY(memory_release, "cuMemFree_v2", (void *memory))                                          \
    ENTRY(pinned_allocate, "cuMemHostAlloc", (void **memory, size_t bytes, unsigned flags))        \
    ENTRY(pinned_release, "cuMemFreeHost", (void *memory))                                         \
    ENTRY(managed_allocate, "cuMemAllocManaged", (void **memory, size_t bytes, unsigned flags))    \
    ENTRY(pointer, "cuPointerGetAttribute", (void *value, int attribute, const void *pointer))     \
    ENTRY(copy, "cuMemcpyAsync", (void *to, const void *from, size_t bytes, void *stream))         \
    ENTRY(copy_boxes, "cuMemcpy3DAsync_v2", (const stn_cuda_copy *copy, void *stream))             \
    ENTRY(fill, "cuMemsetD8Async",                                                                 \
          (void *memory, unsigned char value, size_t count, void *stream))                         \
    ENTRY(stream_make, "cuStreamCreate", (void **stream, unsigned flags))                          \
    ENTRY(stream_end, "cuStreamDestroy_v2", (void *stream))                                        \
    ENTRY(stream_wait, "cuStreamSynchronize", (void *stream))                                      \
    ENTRY(stream_query, "cuStreamQuery", (void *stream))                                           \
    ENTRY(stream_captures, "cuStreamIsCapturing", (void *stream, int *status))                     \
    ENTRY(event_make, "cuEventCreate", (void **event, unsigned flags))                             \
    ENTRY(event_end, "cuEventDestroy_v2", (void *event))                                           \
    ENTRY(event_record, "cuEventRecord", (void *event, void *stream))                              \
    ENTRY(event_wait, "cuEventSynchronize", (void *event))                                         \
    ENTRY(event_time, "cuEventElapsedTime", (float *milliseconds, void *begin, void *end))         \
    ENTRY(module_load, "cuModuleLoadData", (void **module, const void *code))                      \
    ENTRY(module_unload, "cuModuleUnload", (void *module))                                         \
    ENTRY(module_function, "cuModuleGetFunction",                                                  \
          (void **function, void *module, const char *name))                                       \
    ENTRY(launch, "cuLaunchKernel",                                                                \
          (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,    \
           unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **arguments,    \
           void **extra))

#define STN_CUDA_COMPILER_TABLE(ENTRY)                                                             \
    ENTRY(compiler_version, "nvrtcVersion", (int *major, int *minor))                              \
    ENTRY(program_make, "nvrtcCreateProgram",                                                      \
          (void **program, const char *text, const char *name, int headers,                        \
           const char *const *texts, const char *const *names))                                    \
    ENTRY(program_end, "nvrtcDestroyProgram", (void **program))                                    \
    ENTRY(program_compile, "nvrtcCompileProgram",                                                  \
          (void *program, int count, const char *const *options))                                  \
    ENTRY(program_log_bytes, "nvrtcGetProgramLogSize", (void *program, size_t *bytes))             \
    ENTRY(program_log, "nvrtcGetProgramLog", (void *program, char *log))                           \
    ENTRY(program_code_bytes, "nvrtcGetCUBINSize", (void *program, size_t *bytes))                 \
    ENTRY(program_code, "nvrtcGetCUBIN", (void *program, char *code))

/* Only NVRTC has these. */
#define STN_CUDA_NVRTC_TABLE(ENTRY)                                                                \
    ENTRY(program_ptx_bytes, "nvrtcGetPTXSize", (void *program, size_t *bytes))                    \
    ENTRY(program_ptx, "nvrtcGetPTX", (void *program, char *ptx))                                  \
    ENTRY(architecture_count, "nvrtcGetNumSupportedArchs", (int *count))                           \
    ENTRY(architecture_list, "nvrtcGetSupportedArchs", (int *architectures))

#define STN_CUDA_MEMBER(member, name, parameters) int(*member) parameters;

typedef struct stn_cuda_driver {
    STN_CUDA_DRIVER_TABLE(STN_CUDA_MEMBER)
} stn_cuda_driver;

enum { STN_CUDA_ARCHITECTURES = 64 };

typedef struct stn_cuda_compiler {
    STN_CUDA_COMPILER_TABLE(STN_CUDA_MEMBER)
    STN_CUDA_NVRTC_TABLE(STN_CUDA_MEMBER)
    int version;       /* of NVRTC, in the driver's units: 12040 is 12.4; of hipRTC 0 */
    int architectures; /* number of architectures that it compiles for; hipRTC does not list them */
    int architecture[STN_CUDA_ARCHITECTURES]; /* ascending; 90 is compute capability 9.0 */
} stn_cuda_compiler;

/* A query about a pointer, and the answer for device memory. */
enum { STN_CUDA_POINTER_KIND = 2, STN_CUDA_POINTER_DEVICE = 9, STN_CUDA_KIND_DEVICE = 2 };

/* Kind of a pointer in a copy: determined by the driver. */
enum { STN_CUDA_KIND_UNIFIED = 4 };

/* Flags of queues, pinned and managed memory. */
enum { STN_CUDA_NON_BLOCKING = 1, STN_CUDA_PORTABLE = 1, STN_CUDA_ATTACH_GLOBAL = 1 };

/* In this mode, a thread may make any call while another stream is captured. */
enum { STN_CUDA_CAPTURE_RELAXED = 2 };

/* Errors that the library distinguishes. The last one: a blocking stream is being captured,
 * during which the default stream cannot be used. */
enum {
    STN_CUDA_INVALID = 1,
    STN_CUDA_OUT_OF_MEMORY = 2,
    STN_CUDA_NOT_READY = 600,
    STN_CUDA_CAPTURE_IMPLICIT = 906
};

#endif
