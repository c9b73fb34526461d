/* Kernels: compilation, loading and launches. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/cache.h"
#include "exec/cuda/call.h"
#include "exec/cuda/load.h"

enum { MAX_OPTIONS = 32, MAX_ARGUMENTS = 64 };

typedef struct compilation {
    const stn_cuda_compiler *compiler;
    const stn_device_text *text;
    const char *options[MAX_OPTIONS];
    int count;
    int is_ptx; /* the driver compiles it further */
    void *program;
    stn_device_code code;
} compilation;

/* ---- compilation ---- */

/* The first lines of the compiler's log. */
static stn_status refuse_text(const compilation *c)
{
    size_t bytes = 0;
    char *log = NULL;
    if (c->compiler->program_log_bytes(c->program, &bytes) == 0 && bytes > 0 &&
        stn_allocate(&log, (int64_t)bytes + 1, 1, "log") == STN_OK) {
        memset(log, 0, bytes + 1);
        (void)c->compiler->program_log(c->program, log);
    }
    const stn_status status = stn_fail(STN_ERR_DEVICE, "%s cannot be compiled: %.400s",
                                       c->text->name, log ? log : "the compiler log is empty");
    stn_free(log);
    return status;
}

static stn_status read_code(compilation *c)
{
    const stn_cuda_compiler *const calls = c->compiler;
    int (*const bytes_of)(void *, size_t *) =
        c->is_ptx ? calls->program_ptx_bytes : calls->program_code_bytes;
    int (*const code_of)(void *, char *) = c->is_ptx ? calls->program_ptx : calls->program_code;
    size_t bytes = 0;
    if (bytes_of(c->program, &bytes) != 0 || bytes == 0)
        return stn_fail(STN_ERR_DEVICE, "%s: the compiler returned no code", c->text->name);
    if (stn_allocate(&c->code.bytes, (int64_t)bytes, 1, c->text->name) != STN_OK)
        return stn_fail(STN_ERR_MEMORY, "%s: no memory for its code", c->text->name);
    c->code.size = bytes;
    if (code_of(c->program, c->code.bytes) != 0)
        return stn_fail(STN_ERR_DEVICE, "%s: the compiler returned no code", c->text->name);
    return STN_OK;
}

static stn_status compile_text(void *context)
{
    compilation *const c = context;
    const stn_device_text *const t = c->text;
    if (c->compiler->program_make(&c->program, t->text, t->name, t->headers, t->header_texts,
                                  t->header_names) != 0)
        return stn_fail(STN_ERR_DEVICE, "%s: the compiler rejects the source text", t->name);
    const stn_status status = c->compiler->program_compile(c->program, c->count, c->options) == 0
                                  ? read_code(c)
                                  : refuse_text(c);
    (void)c->compiler->program_end(&c->program);
    return status;
}

/* For architectures newer than the compiler: the newest PTX that it writes. Returns whether it is
 * PTX. */
static int name_architecture(const stn_cuda_device *device, const stn_cuda_compiler *compiler,
                             char *option, size_t capacity)
{
    const int target = stn_cuda_target(compiler, device->capability);
    const int is_ptx = target != device->capability;
    if (is_ptx)
        snprintf(option, capacity, "--gpu-architecture=compute_%d", target);
    else
        snprintf(option, capacity, "%s", device->architecture);
    return is_ptx;
}

/* "the code of NAME cannot be loaded", and for NVIDIA the versions, which may be the reason. */
static void describe_load(stn_cuda_device *device, const char *name, char *what, size_t capacity)
{
    const stn_cuda_compiler *compiler;
    int version = 0;
    const int at = snprintf(what, capacity, "the code of %s cannot be loaded", name);
    if (stn_cuda_compiler_get(device->platform, device->capability, &compiler) == STN_OK &&
        compiler->version > 0 && device->driver->version(&version) == 0 && (size_t)at < capacity)
        snprintf(what + at, capacity - (size_t)at,
                 " (compiled by NVRTC %d.%d; the driver supports CUDA %d.%d)",
                 compiler->version / 1000, compiler->version % 1000 / 10, version / 1000,
                 version % 1000 / 10);
}

stn_status stn_cuda_load(stn_device *device, const char *name, const stn_device_code *code,
                         void **module)
{
    char what[400] = "";
    STN_TRY(stn_cuda_enter(device));
    const int error = stn_cuda_of(device)->driver->module_load(module, code->bytes);
    if (error != 0)
        describe_load(stn_cuda_of(device), name, what, sizeof what);
    return stn_cuda_leave(device, what, error);
}

stn_status stn_cuda_compile(stn_device *device, const stn_device_text *text, void **module,
                            stn_device_code *code)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    const stn_cuda_platform *const platform = d->platform;
    char architecture[sizeof d->architecture];
    compilation c = {.text = text};
    STN_TRY(stn_cuda_compiler_get(platform, d->capability, &c.compiler));
    c.is_ptx = name_architecture(d, c.compiler, architecture, sizeof architecture);
    c.options[c.count++] = architecture;
    for (int k = 0; k < platform->exact_count; k++)
        c.options[c.count++] = platform->exact[k];
    for (int k = 0; k < text->option_count && c.count < MAX_OPTIONS; k++)
        c.options[c.count++] = text->options[k];
    stn_status status = stn_device_is_separate(text->name, compile_text, &c);
    if (status == STN_OK)
        status = stn_cuda_load(device, text->name, &c.code, module);
    if (status == STN_OK && code)
        *code = c.code;
    else
        stn_free(c.code.bytes);
    return status;
}

/* The compiler's version does not identify its patches, but its file does. */
void stn_cuda_identify(stn_device *device, char *description, size_t capacity)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    const stn_cuda_platform *const platform = d->platform;
    const stn_cuda_compiler *compiler;
    int major = 0, minor = 0, driver = 0, at = 0;
    (void)d->driver->version(&driver);
    at = snprintf(description, capacity, "%s, driver %d", d->architecture, driver);
    if (stn_cuda_compiler_get(platform, d->capability, &compiler) == STN_OK) {
        Dl_info where;
        void *symbol;
        memcpy(&symbol, &compiler->program_compile, sizeof symbol);
        (void)compiler->compiler_version(&major, &minor);
        at += snprintf(description + at, capacity - (size_t)at, ", %s %d.%d, ",
                       platform->compilers->library.name, major, minor);
        if (dladdr(symbol, &where) != 0)
            at += stn_cache_identify_file(where.dli_fname, description + at, capacity - (size_t)at);
    }
    for (int k = 0; k < platform->exact_count && (size_t)at < capacity; k++)
        at += snprintf(description + at, capacity - (size_t)at, " %s", platform->exact[k]);
}

void stn_cuda_unload(stn_device *device, void *module, void *function)
{
    (void)function;
    if (stn_cuda_enter(device) == STN_OK)
        (void)stn_cuda_leave(device, "code cannot be unloaded",
                             stn_cuda_of(device)->driver->module_unload(module));
}

stn_status stn_cuda_function(stn_device *device, void *module, const char *name, void **function)
{
    STN_TRY(stn_cuda_enter(device));
    const int error = stn_cuda_of(device)->driver->module_function(function, module, name);
    return stn_cuda_leave(device, name, error);
}

/* ---- launches ---- */

stn_status stn_cuda_launch_values(stn_device *device, const char *name, void *function,
                                  unsigned blocks, unsigned threads, void **values)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    STN_TRY(stn_cuda_enter(device));
    atomic_store_explicit(&device->newest, name, memory_order_relaxed);
    const int error =
        d->driver->launch(function, blocks, 1, 1, threads, 1, 1, 0, d->queue, values, NULL);
    return stn_cuda_leave(device, name, error);
}

stn_status stn_cuda_launch(stn_device *device, const char *name, void *function, unsigned blocks,
                           unsigned threads, const stn_device_argument *arguments, int count)
{
    void *values[MAX_ARGUMENTS];
    if (count > MAX_ARGUMENTS)
        return stn_fail(STN_ERR_RANGE, "%s: too many kernel arguments: %d", name, count);
    for (int k = 0; k < count; k++)
        values[k] = (void *)(uintptr_t)arguments[k].value;
    return stn_cuda_launch_values(device, name, function, blocks, threads, values);
}
