/* The part of OpenCL 1.2 that tests need, by the loader's symbols: no header, nothing to link. */
#include "opencl.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    CL_DEVICE_NAME = 0x102B,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_MEM_READ_WRITE = 1,
    CL_MEM_COPY_HOST_PTR = 32
};
static const uint64_t CL_DEVICE_TYPE_ALL = 0xFFFFFFFF;

typedef struct opencl {
    int32_t (*GetPlatformIDs)(uint32_t, void **, uint32_t *);
    int32_t (*GetDeviceIDs)(void *, uint64_t, uint32_t, void **, uint32_t *);
    int32_t (*GetDeviceInfo)(void *, uint32_t, size_t, void *, size_t *);
    void *(*CreateContext)(const intptr_t *, uint32_t, void **, void *, void *, int32_t *);
    void *(*CreateCommandQueue)(void *, void *, uint64_t, int32_t *);
    void *(*CreateProgramWithSource)(void *, uint32_t, const char *const *, const size_t *,
                                     int32_t *);
    int32_t (*BuildProgram)(void *, uint32_t, void **, const char *, void *, void *);
    int32_t (*CompileProgram)(void *, uint32_t, void **, const char *, uint32_t, void **,
                              const char **, void *, void *);
    void *(*LinkProgram)(void *, uint32_t, void **, const char *, uint32_t, void **, void *, void *,
                         int32_t *);
    int32_t (*GetProgramBuildInfo)(void *, void *, uint32_t, size_t, void *, size_t *);
    void *(*CreateKernel)(void *, const char *, int32_t *);
    void *(*CreateBuffer)(void *, uint64_t, size_t, void *, int32_t *);
    int32_t (*SetKernelArg)(void *, uint32_t, size_t, const void *);
    int32_t (*EnqueueNDRangeKernel)(void *, void *, uint32_t, const size_t *, const size_t *,
                                    const size_t *, uint32_t, void *, void *);
    int32_t (*EnqueueReadBuffer)(void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *,
                                 void *);
    int32_t (*ReleaseMemObject)(void *);
    int32_t (*ReleaseKernel)(void *);
    int32_t (*ReleaseProgram)(void *);
    int32_t (*ReleaseCommandQueue)(void *);
    int32_t (*ReleaseContext)(void *);
} opencl;

static opencl cl;

static int find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static int load_opencl(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    int found = library != NULL;
#define FIND(name) found = found && find(library, "cl" #name, &cl.name);
    FIND(GetPlatformIDs)
    FIND(GetDeviceIDs)
    FIND(GetDeviceInfo)
    FIND(CreateContext)
    FIND(CreateCommandQueue)
    FIND(CreateProgramWithSource)
    FIND(BuildProgram)
    FIND(CompileProgram)
    FIND(LinkProgram)
    FIND(GetProgramBuildInfo)
    FIND(CreateKernel)
    FIND(CreateBuffer)
    FIND(SetKernelArg)
    FIND(EnqueueNDRangeKernel)
    FIND(EnqueueReadBuffer)
    FIND(ReleaseMemObject)
    FIND(ReleaseKernel)
    FIND(ReleaseProgram)
    FIND(ReleaseCommandQueue)
    FIND(ReleaseContext)
#undef FIND
    return found;
}

/* ---- devices ---- */

enum { MOST_DEVICES = 16 };
static void *devices[MOST_DEVICES];

int opencl_count(void)
{
    void *platforms[MOST_DEVICES];
    uint32_t platform_count = 0, device_count = 0;
    if (!load_opencl() || cl.GetPlatformIDs(MOST_DEVICES, platforms, &platform_count) != 0)
        return 0;
    for (uint32_t k = 0; k < platform_count && k < MOST_DEVICES; k++) {
        uint32_t found = 0;
        const uint32_t room = MOST_DEVICES - device_count;
        if (room && cl.GetDeviceIDs(platforms[k], CL_DEVICE_TYPE_ALL, room, devices + device_count,
                                    &found) == 0)
            device_count += found < room ? found : room;
    }
    return (int)device_count;
}

static void check_call(const opencl_device *d, int32_t status, const char *what)
{
    if (status != 0)
        fail_msg("%s: %s fails with %" PRId32, d->name, what, status);
}

void opencl_open(opencl_device *d, int index)
{
    int32_t status;
    uint64_t double_config = 0;
    memset(d, 0, sizeof *d);
    d->id = devices[index];
    cl.GetDeviceInfo(d->id, CL_DEVICE_NAME, sizeof d->name - 1, d->name, NULL);
    cl.GetDeviceInfo(d->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof double_config, &double_config, NULL);
    d->has_double = double_config != 0;
    d->context = cl.CreateContext(NULL, 1, &d->id, NULL, NULL, &status);
    check_call(d, status, "clCreateContext");
    d->queue = cl.CreateCommandQueue(d->context, d->id, 0, &status);
    check_call(d, status, "clCreateCommandQueue");
}

static void release_program(opencl_device *d)
{
    if (d->program)
        cl.ReleaseProgram(d->program);
    d->program = NULL;
}

void opencl_close(opencl_device *d)
{
    release_program(d);
    cl.ReleaseCommandQueue(d->queue);
    cl.ReleaseContext(d->context);
}

/* ---- programs ---- */

static void *create(const opencl_device *d, const char *const *texts, int count)
{
    int32_t status;
    void *program = cl.CreateProgramWithSource(d->context, (uint32_t)count, texts, NULL, &status);
    check_call(d, status, "clCreateProgramWithSource");
    return program;
}

static void check_build(const opencl_device *d, void *program, int32_t status)
{
    static char log[1 << 16];
    if (status == 0)
        return;
    cl.GetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fail_msg("%s does not compile the program:\n%s", d->name, log);
}

void opencl_build(opencl_device *d, const char *const *texts, int count, const char *options)
{
    release_program(d);
    d->program = create(d, texts, count);
    check_build(d, d->program, cl.BuildProgram(d->program, 1, &d->id, options, NULL, NULL));
}

enum { MOST_HEADERS = 16 };

void opencl_build_with(opencl_device *d, const char *text, const opencl_header *headers, int count,
                       const char *options)
{
    void *texts[MOST_HEADERS], *program = create(d, &text, 1);
    const char *names[MOST_HEADERS];
    int32_t status;
    assert_true(count <= MOST_HEADERS);
    for (int k = 0; k < count; k++) {
        texts[k] = create(d, &headers[k].text, 1);
        names[k] = headers[k].name;
    }
    check_build(
        d, program,
        cl.CompileProgram(program, 1, &d->id, options, (uint32_t)count, texts, names, NULL, NULL));
    release_program(d);
    d->program = cl.LinkProgram(d->context, 1, &d->id, "", 1, &program, NULL, NULL, &status);
    check_call(d, status, "clLinkProgram");
    cl.ReleaseProgram(program);
    for (int k = 0; k < count; k++)
        cl.ReleaseProgram(texts[k]);
}

char *opencl_read(const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, MOST);
    if (!file || !text || fread(text, 1, MOST - 1, file) == 0 || !feof(file))
        fail_msg("%s cannot be read", path);
    else
        fclose(file);
    return text;
}

/* ---- kernels ---- */

enum { MOST_ARRAYS = 8 };

static void *send(const opencl_device *d, const opencl_array *array)
{
    int32_t status;
    void *buffer = cl.CreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   array->bytes, array->host, &status);
    check_call(d, status, "clCreateBuffer");
    return buffer;
}

static void fetch(const opencl_device *d, void *buffer, const opencl_array *array)
{
    check_call(
        d, cl.EnqueueReadBuffer(d->queue, buffer, 1, 0, array->bytes, array->host, 0, NULL, NULL),
        "clEnqueueReadBuffer");
    cl.ReleaseMemObject(buffer);
}

void opencl_run(const opencl_device *d, const char *name, size_t count, const opencl_array *arrays,
                int array_count, const uint32_t *numbers, int number_count)
{
    void *buffers[MOST_ARRAYS];
    int32_t status;
    void *kernel = cl.CreateKernel(d->program, name, &status);
    check_call(d, status, name);
    assert_true(array_count <= MOST_ARRAYS);
    for (int k = 0; k < array_count; k++) {
        buffers[k] = send(d, &arrays[k]);
        check_call(d, cl.SetKernelArg(kernel, (uint32_t)k, sizeof buffers[k], &buffers[k]), name);
    }
    for (int k = 0; k < number_count; k++)
        check_call(d, cl.SetKernelArg(kernel, (uint32_t)(array_count + k), 4, &numbers[k]), name);
    check_call(d, cl.EnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL),
               name);
    for (int k = 0; k < array_count; k++)
        fetch(d, buffers[k], &arrays[k]);
    cl.ReleaseKernel(kernel);
}
