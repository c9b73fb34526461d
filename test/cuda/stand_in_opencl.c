/* A loader of OpenCL with two devices, whose memory is the host's and which compiles nothing. Its
 * arithmetic of f32 and f64 keeps the rules that the numbers in STENO_STAND_IN_RULES and
 * STENO_STAND_IN_F64_RULES say, bits of CL_DEVICE_SINGLE_FP_CONFIG. The call that
 * STENO_STAND_IN_FAILS names fails, or the question to the device of that number. What is read
 * arrives when the queue is waited for, or at its end. stand_in_opens is called where a context is
 * made.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE_NAME = 0x102B, SINGLE_RULES = 0x101B, DOUBLE_RULES = 0x1032 };
enum { ALL_BYTES = 0x101F, MOST_BYTES = 0x1010, FAILURE = -14 };

static char thing; /* platform, device, context and queue */

static int fails(const char *call)
{
    const char *const named = getenv("STENO_STAND_IN_FAILS");
    return named && strcmp(named, call) == 0;
}

static uint64_t number_in(const char *variable, uint64_t usual)
{
    const char *const words = getenv(variable);
    return words ? strtoull(words, NULL, 0) : usual;
}

int32_t clGetPlatformIDs(uint32_t size, void **platforms, uint32_t *count)
{
    if (size > 0)
        *platforms = &thing;
    *count = 1;
    return 0;
}

int32_t clGetDeviceIDs(void *platform, uint64_t kinds, uint32_t size, void **devices,
                       uint32_t *count)
{
    (void)platform, (void)kinds;
    for (uint32_t k = 0; k < size && k < 2; k++)
        devices[k] = &thing;
    *count = 2;
    return 0;
}

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t size, void *value, size_t *bytes)
{
    static const char name[] = "stand-in";
    char words[16];
    const uint64_t number = what == SINGLE_RULES   ? number_in("STENO_STAND_IN_RULES", 1)
                            : what == DOUBLE_RULES ? number_in("STENO_STAND_IN_F64_RULES", 63)
                            : what == ALL_BYTES    ? 1 << 20
                            : what == MOST_BYTES   ? 3 << 18
                                                   : 1;
    (void)device;
    snprintf(words, sizeof words, "0x%" PRIX32, what);
    const size_t all = what == DEVICE_NAME ? sizeof name : sizeof number;
    if (size < all || fails(words))
        return FAILURE;
    memcpy(value, what == DEVICE_NAME ? (const void *)name : &number, all);
    if (bytes)
        *bytes = all;
    return 0;
}

/* ---- memory: a buffer is its bytes ---- */

enum { MOST_READS = 16 };
static struct {
    void *to;
    const char *from;
    size_t bytes;
} reads[MOST_READS];
static int read_count;

static void carry_out(void)
{
    for (int k = 0; k < read_count; k++)
        memcpy(reads[k].to, reads[k].from, reads[k].bytes);
    read_count = 0;
}

void *clCreateBuffer(void *context, uint64_t flags, size_t bytes, void *host, int32_t *error)
{
    (void)context, (void)flags, (void)host;
    *error = 0;
    return calloc(1, bytes);
}

int32_t clReleaseMemObject(void *memory)
{
    carry_out();
    free(memory);
    return 0;
}

int32_t clEnqueueReadBuffer(void *queue, void *memory, uint32_t waits, size_t offset, size_t bytes,
                            void *host, uint32_t count, void *events, void *event)
{
    (void)queue, (void)waits, (void)count, (void)events, (void)event;
    if (fails("clEnqueueReadBuffer") || read_count == MOST_READS)
        return FAILURE;
    reads[read_count].to = host;
    reads[read_count].from = (const char *)memory + offset;
    reads[read_count++].bytes = bytes;
    return 0;
}

int32_t clEnqueueFillBuffer(void *queue, void *memory, const void *pattern, size_t pattern_bytes,
                            size_t offset, size_t bytes, uint32_t count, void *events, void *event)
{
    (void)queue, (void)pattern_bytes, (void)count, (void)events, (void)event;
    memset((char *)memory + offset, *(const unsigned char *)pattern, bytes);
    return 0;
}

int32_t clFinish(void *queue)
{
    (void)queue;
    carry_out();
    return fails("clFinish") ? FAILURE : 0;
}

int32_t clFlush(void *queue)
{
    (void)queue;
    return fails("clFlush") ? FAILURE : 0;
}

void (*stand_in_opens)(void);

void *clCreateContext(void)
{
    if (stand_in_opens)
        stand_in_opens();
    return &thing;
}

int32_t clReleaseCommandQueue(void *queue)
{
    (void)queue;
    carry_out();
    return 0;
}

int32_t clGetPlatformInfo(void *platform, uint32_t what, size_t size, void *value, size_t *bytes)
{
    (void)platform, (void)what, (void)size, (void)value, (void)bytes;
    return FAILURE;
}

void *clCreateProgramWithSource(void *context, uint32_t count, const char *const *texts,
                                const size_t *lengths, int32_t *error)
{
    (void)context, (void)count, (void)texts, (void)lengths;
    *error = FAILURE;
    return NULL;
}

/* ---- the calls that open and close it, whatever they are given, and those never made ---- */

#define MAKES(call)                                                                                \
    void *call(void)                                                                               \
    {                                                                                              \
        return &thing;                                                                             \
    }
#define DONE(call)                                                                                 \
    int32_t call(void)                                                                             \
    {                                                                                              \
        return 0;                                                                                  \
    }
#define NEVER(call)                                                                                \
    void call(void)                                                                                \
    {                                                                                              \
        abort();                                                                                   \
    }
MAKES(clCreateCommandQueue)
DONE(clReleaseContext)
NEVER(clEnqueueWriteBuffer)
NEVER(clEnqueueCopyBuffer)
NEVER(clEnqueueReadBufferRect)
NEVER(clEnqueueWriteBufferRect)
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
