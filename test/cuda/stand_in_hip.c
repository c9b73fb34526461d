/* The same as HIP's runtime and hipRTC: other names, and what is called in another way. */
#define cuInit                       hipInit
#define cuDriverGetVersion           hipDriverGetVersion
#define cuDeviceGetCount             hipGetDeviceCount
#define cuDeviceGet                  hipDeviceGet
#define cuDeviceGetName              hipDeviceGetName
#define cuDeviceTotalMem_v2          hipDeviceTotalMem
#define cuDeviceGetAttribute         hipDeviceGetAttribute
#define cuDevicePrimaryCtxRetain     hipDevicePrimaryCtxRetain
#define cuDevicePrimaryCtxRelease_v2 hipDevicePrimaryCtxRelease
#define cuCtxSynchronize             hipDeviceSynchronize
#define cuMemGetInfo_v2              hipMemGetInfo
#define cuMemAlloc_v2                hipMalloc
#define cuMemFree_v2                 hipFree
#define cuMemHostAlloc               hipHostMalloc
#define cuMemFreeHost                hipHostFree
#define cuMemAllocManaged            hipMallocManaged
#define cuMemsetD8Async              hipMemsetD8Async
#define cuStreamCreate               hipStreamCreateWithFlags
#define cuStreamDestroy_v2           hipStreamDestroy
#define cuStreamSynchronize          hipStreamSynchronize
#define cuStreamIsCapturing          hipStreamIsCapturing
#define cuStreamQuery                hipStreamQuery
#define cuEventCreate                hipEventCreateWithFlags
#define cuEventDestroy_v2            hipEventDestroy
#define cuEventRecord                hipEventRecord
#define cuEventSynchronize           hipEventSynchronize
#define cuEventElapsedTime           hipEventElapsedTime
#define cuModuleLoadData             hipModuleLoadData
#define cuModuleUnload               hipModuleUnload
#define cuModuleGetFunction          hipModuleGetFunction
#define cuLaunchKernel               hipModuleLaunchKernel
#define nvrtcVersion                 hiprtcVersion
#define nvrtcCreateProgram           hiprtcCreateProgram
#define nvrtcDestroyProgram          hiprtcDestroyProgram
#define nvrtcCompileProgram          hiprtcCompileProgram
#define nvrtcGetProgramLogSize       hiprtcGetProgramLogSize
#define nvrtcGetProgramLog           hiprtcGetProgramLog
#define nvrtcGetCUBINSize            hiprtcGetCodeSize
#define nvrtcGetCUBIN                hiprtcGetCode

#define cuThreadExchangeStreamCaptureMode hipThreadExchangeStreamCaptureMode
#define CONCURRENT                        9
#include "stand_in.c"

enum { DEFAULT_DIRECTION = 4, KIND = 2 };

const char *hipGetErrorName(int error)
{
    const char *name;
    (void)cuGetErrorName(error, &name);
    return name;
}
const char *hipGetErrorString(int error)
{
    const char *text;
    (void)cuGetErrorString(error, &text);
    return text;
}

/* Before version 6 memory of the host is 0 and of a device 1. */
int hipPointerGetAttribute(void *value, int attribute, void *pointer)
{
    const int error = cuPointerGetAttribute(value, attribute, pointer);
    if (error == OK && attribute == KIND)
        *(int *)value -= 1;
    return error;
}

int hipMemcpyAsync(void *to, const void *from, size_t bytes, int direction, void *stream)
{
    if (direction != DEFAULT_DIRECTION)
        wrong("a copy of direction %d", direction);
    return cuMemcpyAsync(to, from, bytes, stream);
}

int hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                     size_t height, int direction, void *stream)
{
    const box rows = {.from_kind = 4,
                      .from = from,
                      .from_pitch = from_pitch,
                      .from_height = height,
                      .to_kind = 4,
                      .to = to,
                      .to_pitch = to_pitch,
                      .to_height = height,
                      .width = width,
                      .height = height,
                      .depth = 1};
    if (direction != DEFAULT_DIRECTION)
        wrong("a copy of direction %d", direction);
    return cuMemcpy3DAsync_v2(&rows, stream);
}

int hipGetDeviceProperties(void *properties, int device)
{
    ENTER(void) device;
    memcpy((char *)properties + 400, "gfx90a:sramecc+:xnack-", sizeof "gfx90a:sramecc+:xnack-");
    return OK;
}

/* ---- the device of a thread, which hipCtxPopCurrent leaves as hipCtxPushCurrent set it ---- */

static _Thread_local int current;

int stand_in_hip_device(void)
{
    return current;
}
int hipGetDevice(int *device)
{
    ENTER
    *device = current;
    return OK;
}
/* Errors may be of work that was queued before: the device is set all the same. */
int hipSetDevice(int device)
{
    current = device;
    return enter(__func__);
}
int hipCtxPushCurrent(void *context)
{
    current = ((const struct context *)context)->number;
    return cuCtxPushCurrent_v2(context);
}
int hipCtxPopCurrent(void **context)
{
    return cuCtxPopCurrent_v2(context);
}
int hipCtxGetDevice(int *device)
{
    return hipGetDevice(device);
}
