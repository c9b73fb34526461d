/* A loader of OpenCL with one device, which can be opened and does nothing. Its arithmetic of f32
 * keeps the rules that the number in STENO_STAND_IN_RULES says, bits of CL_DEVICE_SINGLE_FP_CONFIG.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE_NAME = 0x102B, SINGLE_RULES = 0x101B, DOUBLE_RULES = 0x1032 };

static char thing; /* platform, device, context and queue */

static int32_t give(uint32_t room, void **things, uint32_t *count)
{
    if (things && room > 0)
        *things = &thing;
    if (count)
        *count = 1;
    return 0;
}

int32_t clGetPlatformIDs(uint32_t room, void **platforms, uint32_t *count);
int32_t clGetPlatformIDs(uint32_t room, void **platforms, uint32_t *count)
{
    return give(room, platforms, count);
}

int32_t clGetDeviceIDs(void *platform, uint64_t kinds, uint32_t room, void **devices,
                       uint32_t *count);
int32_t clGetDeviceIDs(void *platform, uint64_t kinds, uint32_t room, void **devices,
                       uint32_t *count)
{
    (void)platform, (void)kinds;
    return give(room, devices, count);
}

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *bytes);
int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *bytes)
{
    static const char name[] = "stand-in";
    const char *const rules = getenv("STENO_STAND_IN_RULES");
    const uint64_t number = what == SINGLE_RULES && rules ? strtoull(rules, NULL, 0)
                            : what == DOUBLE_RULES        ? 63
                                                          : 1;
    (void)device;
    *bytes = what == DEVICE_NAME ? sizeof name : sizeof number;
    if (room < *bytes)
        return -1;
    memcpy(value, what == DEVICE_NAME ? (const void *)name : &number, *bytes);
    return 0;
}

/* The calls that open and close it, whatever they are given. */
#define MAKES(call)                                                                                \
    void *call(void);                                                                              \
    void *call(void)                                                                               \
    {                                                                                              \
        return &thing;                                                                             \
    }
#define DONE(call)                                                                                 \
    int32_t call(void);                                                                            \
    int32_t call(void)                                                                             \
    {                                                                                              \
        return 0;                                                                                  \
    }
#define NEVER(call)                                                                                \
    void call(void);                                                                               \
    void call(void)                                                                                \
    {                                                                                              \
        abort();                                                                                   \
    }
MAKES(clCreateContext)
MAKES(clCreateCommandQueue)
DONE(clFinish)
DONE(clReleaseCommandQueue)
DONE(clReleaseContext)
NEVER(clGetPlatformInfo)
NEVER(clFlush)
NEVER(clCreateBuffer)
NEVER(clReleaseMemObject)
NEVER(clEnqueueReadBuffer)
NEVER(clEnqueueWriteBuffer)
NEVER(clEnqueueCopyBuffer)
NEVER(clEnqueueReadBufferRect)
NEVER(clEnqueueWriteBufferRect)
NEVER(clEnqueueFillBuffer)
NEVER(clCreateProgramWithSource)
NEVER(clCompileProgram)
NEVER(clLinkProgram)
NEVER(clGetProgramBuildInfo)
NEVER(clGetProgramInfo)
NEVER(clCreateProgramWithBinary)
NEVER(clBuildProgram)
NEVER(clReleaseProgram)
NEVER(clCreateKernel)
NEVER(clReleaseKernel)
NEVER(clSetKernelArg)
NEVER(clEnqueueNDRangeKernel)
