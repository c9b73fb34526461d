/* Kernels: texts to code to functions, and launches. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/cuda/call.h"
#include "exec/cuda/load.h"

enum { MOST_OPTIONS = 16, COMPILER_STACK = 16 << 20 };

typedef struct compilation {
    const stn_cuda_compiler *compiler;
    const stn_device_text *text;
    const char *options[MOST_OPTIONS];
    int count;
    void *program;
    char *code;
    stn_status status;
    char failure[512]; /* of the thread that compiles */
} compilation;

/* ---- texts to code ---- */

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
                                       c->text->name, log ? log : "there is no log");
    stn_free(log);
    return status;
}

static stn_status take_code(compilation *c)
{
    size_t bytes = 0;
    if (c->compiler->program_code_bytes(c->program, &bytes) != 0 || bytes == 0)
        return stn_fail(STN_ERR_DEVICE, "%s: the compiler gives no code", c->text->name);
    if (stn_allocate(&c->code, (int64_t)bytes, 1, c->text->name) != STN_OK)
        return stn_fail(STN_ERR_MEMORY, "%s: no memory for its code", c->text->name);
    if (c->compiler->program_code(c->program, c->code) != 0)
        return stn_fail(STN_ERR_DEVICE, "%s: the compiler gives no code", c->text->name);
    return STN_OK;
}

static stn_status compile_text(compilation *c)
{
    const stn_device_text *const t = c->text;
    if (c->compiler->program_make(&c->program, t->text, t->name, t->headers, t->header_texts,
                                  t->header_names) != 0)
        return stn_fail(STN_ERR_DEVICE, "%s: the compiler does not take the text", t->name);
    const stn_status status = c->compiler->program_compile(c->program, c->count, c->options) == 0
                                  ? take_code(c)
                                  : refuse_text(c);
    (void)c->compiler->program_end(&c->program);
    return status;
}

static void *compile_here(void *context)
{
    compilation *const c = context;
    c->status = compile_text(c);
    if (c->status != STN_OK)
        snprintf(c->failure, sizeof c->failure, "%s", stn_error());
    return NULL;
}

/* Compilers need more stack than a program's thread may have. */
static stn_status compile_apart(compilation *c)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        (void)pthread_attr_setstacksize(&attributes, COMPILER_STACK);
        error = pthread_create(&thread, &attributes, compile_here, c);
        (void)pthread_attr_destroy(&attributes);
    }
    if (error != 0)
        return stn_fail(STN_ERR_MEMORY, "%s: no thread to compile it", c->text->name);
    (void)pthread_join(thread, NULL);
    return c->status == STN_OK ? STN_OK : stn_fail(c->status, "%s", c->failure);
}

stn_status stn_device_compile(stn_device *device, const stn_device_text *text, void **module)
{
    /* Each operation is rounded once, and subnormals are kept. */
    static const char *const exact[] = {"--fmad=false",     "--ftz=false",     "--prec-div=true",
                                        "--prec-sqrt=true", "-default-device", "--device-int128"};
    enum { EXACT = sizeof exact / sizeof *exact };
    compilation c = {.text = text};
    char architecture[32];
    *module = NULL;
    STN_TRY(stn_cuda_compiler_get(&c.compiler));
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", device->major,
             device->minor);
    c.options[c.count++] = architecture;
    for (int k = 0; k < EXACT; k++)
        c.options[c.count++] = exact[k];
    for (int k = 0; k < text->option_count && c.count < MOST_OPTIONS; k++)
        c.options[c.count++] = text->options[k];
    stn_status status = compile_apart(&c);
    if (status == STN_OK && (status = stn_device_enter(device)) == STN_OK)
        status = stn_device_leave(device, "code cannot be loaded",
                                  device->driver->module_load(module, c.code));
    stn_free(c.code);
    return status;
}

void stn_device_unload(stn_device *device, void *module)
{
    if (module && stn_device_enter(device) == STN_OK)
        (void)stn_device_leave(device, "code cannot be unloaded",
                               device->driver->module_unload(module));
}

stn_status stn_device_function(stn_device *device, void *module, const char *name, void **function)
{
    *function = NULL;
    STN_TRY(stn_device_enter(device));
    const int error = device->driver->module_function(function, module, name);
    return stn_device_leave(device, name, error);
}

/* ---- launches ---- */

stn_status stn_device_launch(stn_device *device, const char *name, void *function, unsigned blocks,
                             unsigned threads, void **arguments)
{
    STN_TRY(stn_device_enter(device));
    atomic_store_explicit(&device->newest, name, memory_order_relaxed);
    const int error = device->driver->launch(function, blocks, 1, 1, threads, 1, 1, 0,
                                             device->queue, arguments, NULL);
    return stn_device_leave(device, name, error);
}
