/* Kernels on an OpenCL device: compilation, loading and launches. */
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/opencl/device.h"

enum { MAX_CONSTANTS = 4 };

/* Each operation is rounded once if the device supports it, and subnormals are kept. */
static const char *rules_of(const stn_opencl_device *d)
{
    return d->divides ? "-w -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
                      : "-w -cl-std=CL1.2";
}

typedef struct compilation {
    stn_opencl_device *device;
    const stn_device_text *text;
    char options[STN_DEVICE_LETTERS];
    void *headers[STN_DEVICE_HEADERS];
    void *program;
    stn_device_code *code; /* code to load, or place for compiled code; or NULL */
} compilation;

/* ---- compilation ---- */

static void *create_program(const stn_opencl_device *d, const char *text)
{
    int32_t error;
    return d->cl->program_make(d->context, 1, &text, NULL, &error);
}

/* The first lines of the compiler's log. */
static stn_status refuse_text(const compilation *c, void *program)
{
    const stn_opencl_device *const d = c->device;
    char *log = NULL;
    size_t bytes = 0;
    if (d->cl->program_info(program, d->id, STN_CL_LOG, 0, NULL, &bytes) == 0 && bytes > 0 &&
        stn_allocate(&log, (int64_t)bytes + 1, 1, "log") == STN_OK) {
        memset(log, 0, bytes + 1);
        (void)d->cl->program_info(program, d->id, STN_CL_LOG, bytes, log, NULL);
    }
    const stn_status status =
        stn_fail(STN_ERR_DEVICE, "%s cannot be compiled on %s: %.400s", c->text->name,
                 d->device.resource, log ? log : "the compiler log is empty");
    stn_free(log);
    return status;
}

static stn_status compile_and_link(compilation *c, void *program)
{
    const stn_opencl_device *const d = c->device;
    int32_t error = d->cl->program_compile(
        program, 1, &d->id, c->options, (uint32_t)c->text->headers,
        c->text->headers ? c->headers : NULL, c->text->header_names, NULL, NULL);
    if (error != 0)
        return refuse_text(c, program);
    c->program = d->cl->program_link(d->context, 1, &d->id, "", 1, &program, NULL, NULL, &error);
    return c->program ? STN_OK
                      : stn_opencl_refuse(&c->device->device, "a kernel cannot be linked", error);
}

/* For one device. A program without code is still usable. */
static void read_code(compilation *c)
{
    const stn_opencl_device *const d = c->device;
    size_t bytes = 0;
    if (d->cl->program_code(c->program, STN_CL_CODE_BYTES, sizeof bytes, &bytes, NULL) != 0 ||
        bytes == 0 || stn_allocate(&c->code->bytes, (int64_t)bytes, 1, c->text->name) != STN_OK)
        return;
    c->code->size = bytes;
    if (d->cl->program_code(c->program, STN_CL_CODE, sizeof c->code->bytes, &c->code->bytes,
                            NULL) == 0)
        return;
    stn_free(c->code->bytes);
    c->code->bytes = NULL;
}

static stn_status load_code(void *context)
{
    compilation *const c = context;
    const stn_opencl_device *const d = c->device;
    const void *const code = c->code->bytes;
    int32_t error = 0, state = 0;
    c->program = d->cl->program_load(d->context, 1, &d->id, &c->code->size, &code, &state, &error);
    if (c->program && (error = d->cl->program_build(c->program, 1, &d->id, "", NULL, NULL)) != 0)
        (void)d->cl->program_release(c->program);
    return error == 0 ? STN_OK
                      : stn_opencl_refuse(&c->device->device, "code cannot be loaded", error);
}

static stn_status compile_text(void *context)
{
    compilation *const c = context;
    const stn_opencl_device *const d = c->device;
    void *const program = create_program(d, c->text->text);
    int whole = program != NULL;
    for (int k = 0; k < c->text->headers; k++) {
        c->headers[k] = create_program(d, c->text->header_texts[k]);
        whole &= c->headers[k] != NULL;
    }
    const stn_status status =
        whole ? compile_and_link(c, program)
              : stn_fail(STN_ERR_MEMORY, "%s: no memory for its text", c->text->name);
    for (int k = 0; k < c->text->headers; k++)
        if (c->headers[k])
            (void)d->cl->program_release(c->headers[k]);
    if (program)
        (void)d->cl->program_release(program);
    if (status == STN_OK && c->code)
        read_code(c);
    return status;
}

stn_status stn_opencl_load(stn_device *device, const char *name, const stn_device_code *code,
                           void **module)
{
    stn_device_code given = *code;
    compilation c = {.device = stn_opencl_of(device), .code = &given};
    STN_TRY(stn_device_check(device));
    STN_TRY(stn_device_is_separate(name, load_code, &c));
    *module = c.program;
    return STN_OK;
}

void stn_opencl_identify(stn_device *device, char *description, size_t capacity)
{
    const stn_opencl_device *const d = stn_opencl_of(device);
    char driver[64] = "", platform[256] = "";
    void *id = NULL;
    if (d->cl->device_info(d->id, STN_CL_PLATFORM, sizeof id, &id, NULL) == 0)
        (void)d->cl->platform_info(id, STN_CL_PLATFORM_VERSION, sizeof platform, platform, NULL);
    (void)d->cl->device_info(d->id, STN_CL_DRIVER, sizeof driver, driver, NULL);
    snprintf(description, capacity, "%s, %s, %s, %s %s", platform, device->name, device->version,
             driver, rules_of(d));
}

stn_status stn_opencl_compile(stn_device *device, const stn_device_text *text, void **module,
                              stn_device_code *code)
{
    compilation c = {.device = stn_opencl_of(device), .text = text, .code = code};
    const char *const rules = rules_of(c.device);
    size_t letters = strlen(rules);
    STN_TRY(stn_device_check(device));
    memcpy(c.options, rules, letters + 1);
    for (int k = 0; k < text->option_count && letters < STN_DEVICE_LETTERS; k++)
        letters += (size_t)snprintf(c.options + letters, STN_DEVICE_LETTERS - letters, " %s",
                                    text->options[k]);
    if (letters >= STN_DEVICE_LETTERS || text->headers > STN_DEVICE_HEADERS)
        return stn_fail(STN_ERR_RANGE, "%s: too many options or headers", text->name);
    STN_TRY(stn_device_is_separate(text->name, compile_text, &c));
    *module = c.program;
    return STN_OK;
}

void stn_opencl_unload(stn_device *device, void *module, void *function)
{
    const stn_opencl *const cl = stn_opencl_of(device)->cl;
    if (!stn_device_is_current(device))
        return;
    if (function)
        (void)cl->kernel_release(function);
    (void)cl->program_release(module);
}

stn_status stn_opencl_function(stn_device *device, void *module, const char *name, void **function)
{
    int32_t error = 0;
    STN_TRY(stn_device_check(device));
    *function = stn_opencl_of(device)->cl->kernel_make(module, name, &error);
    return *function ? STN_OK : stn_opencl_refuse(device, name, error);
}

/* ---- launches ---- */

/* Arguments belong to the kernel until it is queued; structs of constants are buffers, which queued
 * work retains. */
static int32_t set_arguments(const stn_opencl_device *d, void *function,
                             const stn_device_argument *arguments, int count, void **constants)
{
    int32_t error = 0;
    for (int k = 0, result = 0; k < count && error == 0; k++) {
        const stn_device_argument *const a = &arguments[k];
        const void *value = a->value;
        if (a->is_constants) {
            constants[result] = d->cl->memory_make(d->context, STN_CL_READ_ONLY | STN_CL_COPY,
                                                   a->bytes, (void *)(uintptr_t)a->value, &error);
            value = &constants[result++];
        }
        if (error == 0)
            error = d->cl->kernel_argument(function, (uint32_t)k,
                                           a->is_constants ? sizeof(void *) : a->bytes, value);
    }
    return error;
}

stn_status stn_opencl_launch(stn_device *device, const char *name, void *function, unsigned blocks,
                             unsigned threads, const stn_device_argument *arguments, int count)
{
    stn_opencl_device *const d = stn_opencl_of(device);
    void *constants[MAX_CONSTANTS] = {NULL};
    const size_t group = threads < d->group ? threads : d->group;
    const size_t total_threads = (size_t)blocks * group;
    STN_TRY(stn_device_check(device));
    atomic_store_explicit(&device->newest, name, memory_order_relaxed);
    (void)pthread_mutex_lock(&d->lock);
    int32_t error = set_arguments(d, function, arguments, count, constants);
    if (error == 0)
        error = d->cl->launch(d->queue, function, 1, NULL, &total_threads, &group, 0, NULL, NULL);
    (void)pthread_mutex_unlock(&d->lock);
    for (int k = 0; k < MAX_CONSTANTS; k++)
        if (constants[k])
            (void)d->cl->memory_release(constants[k]);
    return stn_opencl_send(device, name, error);
}
