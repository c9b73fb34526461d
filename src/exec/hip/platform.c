/* AMD's runtime and hipRTC, called through the tables of CUDA: most entry points differ only in
 * name, and a few in their parameters. Constants are those of the runtime's binary interface. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/environment.h"
#include "exec/cuda/load.h"

enum {
    PROCESSORS = 63,
    CONCURRENT = 9,            /* access of host and device to managed memory */
    DIRECTION_DEFAULT = 4,     /* kind of a copy: determined by the runtime */
    KINDS_AS_CUDA = 60000000,  /* from this version on, memory kinds have CUDA's numbers */
    PROPERTIES_BYTES = 8 << 10 /* more than any version's properties */
};

/* ---- entry points with other parameters ---- */

#define OTHER_TABLE(ENTRY)                                                                         \
    ENTRY(const char *, error_name, "hipGetErrorName", (int error))                                \
    ENTRY(const char *, error_text, "hipGetErrorString", (int error))                              \
    ENTRY(int, pointer, "hipPointerGetAttribute", (void *value, int attribute, void *pointer))     \
    ENTRY(int, copy, "hipMemcpyAsync",                                                             \
          (void *to, const void *from, size_t bytes, int direction, void *stream))                 \
    ENTRY(int, copy_rows, "hipMemcpy2DAsync",                                                      \
          (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,           \
           size_t height, int direction, void *stream))                                            \
    ENTRY(int, properties, "hipGetDeviceProperties", (void *properties, int device))               \
    ENTRY(int, device_get, "hipGetDevice", (int *device))                                          \
    ENTRY(int, device_set, "hipSetDevice", (int device))                                           \
    ENTRY(int, push, "hipCtxPushCurrent", (void *context))                                         \
    ENTRY(int, pop, "hipCtxPopCurrent", (void **context))
#define OTHER_MEMBER(result, member, name, parameters) result(*member) parameters;

static struct runtime {
    stn_cuda_driver driver;
    OTHER_TABLE(OTHER_MEMBER)
} runtime;

static int error_name(int error, const char **name)
{
    *name = runtime.error_name(error);
    return 0;
}

static int error_text(int error, const char **text)
{
    *text = runtime.error_text(error);
    return 0;
}

static int pointer(void *value, int attribute, const void *at)
{
    int version = 0;
    const int error = runtime.pointer(value, attribute, (void *)(uintptr_t)at);
    if (error == 0 && attribute == STN_CUDA_POINTER_KIND && runtime.driver.version(&version) == 0 &&
        version < KINDS_AS_CUDA)
        *(int *)value += 1; /* host 0, device 1 */
    return error;
}

static int copy(void *to, const void *from, size_t bytes, void *stream)
{
    return runtime.copy(to, from, bytes, DIRECTION_DEFAULT, stream);
}

/* Plane by plane, because structs of boxes differ between versions. */
static int copy_boxes(const stn_cuda_copy *box, void *stream)
{
    int error = 0;
    for (size_t z = 0; z < box->depth && error == 0; z++)
        error =
            runtime.copy_rows((char *)box->to + z * box->to_height * box->to_pitch, box->to_pitch,
                              (const char *)box->from + z * box->from_height * box->from_pitch,
                              box->from_pitch, box->width, box->height, DIRECTION_DEFAULT, stream);
    return error;
}

/* The thread's device before push: hipCtxPushCurrent changes it, and hipCtxPopCurrent does not
 * restore it. */
static _Thread_local int device_before;

static int push(void *context)
{
    int error = runtime.device_get(&device_before);
    if (error != 0)
        return error;
    error = runtime.push(context);
    if (error != 0)
        (void)runtime.device_set(device_before);
    return error;
}

static int pop(void **context)
{
    const int error = runtime.pop(context), later = runtime.device_set(device_before);
    return error ? error : later;
}

/* ---- the libraries ---- */

#define SAME(member, name)                      {name, offsetof(struct runtime, driver.member)},
#define COMPILER(member, name)                  {name, offsetof(stn_cuda_compiler, member)},
#define OTHER(result, member, name, parameters) {name, offsetof(struct runtime, member)},

/* clang-format off */
static const stn_cuda_entry driver_entries[] = {
    OTHER_TABLE(OTHER)
    SAME(init, "hipInit")
    SAME(version, "hipDriverGetVersion")
    SAME(device_count, "hipGetDeviceCount")
    SAME(device, "hipDeviceGet")
    SAME(device_name, "hipDeviceGetName")
    SAME(device_bytes, "hipDeviceTotalMem")
    SAME(attribute, "hipDeviceGetAttribute")
    SAME(context_retain, "hipDevicePrimaryCtxRetain")
    SAME(context_release, "hipDevicePrimaryCtxRelease")
    SAME(context_device, "hipCtxGetDevice")
    SAME(capture_mode, "hipThreadExchangeStreamCaptureMode")
    SAME(memory_info, "hipMemGetInfo")
    SAME(memory_allocate, "hipMalloc")
    SAME(memory_release, "hipFree")
    SAME(pinned_allocate, "hipHostMalloc")
    SAME(pinned_release, "hipHostFree")
    SAME(managed_allocate, "hipMallocManaged")
    SAME(fill, "hipMemsetD8Async")
    SAME(stream_make, "hipStreamCreateWithFlags")
    SAME(stream_end, "hipStreamDestroy")
    SAME(stream_wait, "hipStreamSynchronize")
    SAME(stream_query, "hipStreamQuery")
    SAME(stream_captures, "hipStreamIsCapturing")
    SAME(event_make, "hipEventCreateWithFlags")
    SAME(event_end, "hipEventDestroy")
    SAME(event_record, "hipEventRecord")
    SAME(event_wait, "hipEventSynchronize")
    SAME(event_time, "hipEventElapsedTime")
    SAME(module_load, "hipModuleLoadData")
    SAME(module_unload, "hipModuleUnload")
    SAME(module_function, "hipModuleGetFunction")
    SAME(launch, "hipModuleLaunchKernel")
};
/* clang-format on */

static const stn_cuda_entry compiler_entries[] = {
    COMPILER(compiler_version, "hiprtcVersion") COMPILER(program_make, "hiprtcCreateProgram")
        COMPILER(program_end, "hiprtcDestroyProgram")
            COMPILER(program_compile, "hiprtcCompileProgram")
                COMPILER(program_log_bytes, "hiprtcGetProgramLogSize")
                    COMPILER(program_log, "hiprtcGetProgramLog")
                        COMPILER(program_code_bytes, "hiprtcGetCodeSize")
                            COMPILER(program_code, "hiprtcGetCode")};

static const char *named_driver(void)
{
    return stn_environment_get()->hip;
}

static const char *named_compiler(void)
{
    return stn_environment_get()->hiprtc;
}

static void start(char *failure, size_t capacity)
{
    runtime.driver.error_name = error_name;
    runtime.driver.error_text = error_text;
    runtime.driver.pointer = pointer;
    runtime.driver.copy = copy;
    runtime.driver.copy_boxes = copy_boxes;
    runtime.driver.context_push = push;
    runtime.driver.context_pop = pop;
    (void)stn_cuda_start(&stn_cuda_platform_amd, failure, capacity);
}

static const char *const driver_files[] = {"libamdhip64.so.7", "libamdhip64.so.6",
                                           "libamdhip64.so.5", "libamdhip64.so"};
static const char *const compiler_files[] = {"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5",
                                             "libamdhip64.so.5", /* also contains it */
                                             "libhiprtc.so"};

static stn_cuda_library driver_library = STN_CUDA_LIBRARY(
    "the HIP runtime", "HIP runtime not found", "", driver_files, named_driver, driver_entries);
static stn_cuda_compilers compilers = {
    .library = STN_CUDA_LIBRARY(
        "hipRTC", "hipRTC, which compiles kernels for HIP devices, was not found",
        " (STENO_HIPRTC selects another file)", compiler_files, named_compiler, compiler_entries)};

/* ---- architectures ---- */

/* "gfx90a:sramecc+:xnack-" is one of the device properties, whose offset differs between
 * versions. */
static int find_architecture(stn_cuda_device *device)
{
    static const char begin[] = "gfx";
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz-+:";
    _Alignas(16) char properties[PROPERTIES_BYTES] = {0};
    const int error = runtime.properties(properties, device->id);
    for (size_t at = 0; error == 0 && at + 64 < sizeof properties; at++)
        if (memcmp(properties + at, begin, sizeof begin - 1) == 0) {
            const int length = (int)strspn(properties + at, letters);
            snprintf(device->architecture, sizeof device->architecture, "--offload-arch=%.*s",
                     length < 64 ? length : 64, properties + at);
            snprintf(device->device.version, sizeof device->device.version, "%.*s",
                     length < 64 ? length : 64, properties + at);
            return 0;
        }
    return error ? error : STN_CUDA_INVALID;
}

static const char *const exact[] = {"-ffp-contract=off", "-fno-gpu-flush-denormals-to-zero",
                                    "-fhip-fp32-correctly-rounded-divide-sqrt"};

const stn_cuda_platform stn_cuda_platform_amd = {.name = "HIP",
                                                 .driver_library = &driver_library,
                                                 .driver = &runtime.driver,
                                                 .start = start,
                                                 .compilers = &compilers,
                                                 .exact = exact,
                                                 .exact_count = sizeof exact / sizeof *exact,
                                                 .processors = PROCESSORS,
                                                 .concurrent = CONCURRENT,
                                                 .find_architecture = find_architecture};
