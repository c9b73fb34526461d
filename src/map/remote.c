/* Launches on devices: the storage of each view and constants are passed to a text that is compiled
 * once. */
#include "map/remote.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "expr/program.h"
#include "map/describe.h"

enum { THREADS = 128 };

/* Not inlined: its variables and the description together exceed the limit of a stack frame. */
static __attribute__((noinline)) stn_status find_function(const stn_description *r,
                                                          stn_device_function *function)
{
    char name[256];
    char *text;
    stn_device_key key = {.name = name};
    snprintf(name, sizeof name, "steno_%s", r->launch->kernel->name);
    stn_describe_key(r, &key);
    if (stn_device_has_kernel(r->device, &key, function))
        return STN_OK;
    STN_TRY(stn_source_write(r->source, &text));
    const stn_status status = stn_device_create_kernel(r->device, &key, text, "", function);
    stn_free(text);
    return status;
}

static stn_status queue(const stn_description *r)
{
    const uint64_t blocks = ((uint64_t)stn_describe_work(r) + THREADS - 1) / THREADS;
    stn_device_function function;
    STN_TRY(find_function(r, &function));
    return stn_device_launch(r->device, function.name, function.function,
                             blocks < STN_DEVICE_BLOCKS ? (unsigned)blocks : STN_DEVICE_BLOCKS,
                             THREADS, r->arguments, r->count);
}

stn_status stn_launch_remote(stn_launch *launch)
{
    stn_source source;
    stn_description r = {.source = &source};
    memset(&source, 0, sizeof source); /* including padding, because it becomes part of a key */
    if (stn_program_is_loop(launch->loop))
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "kernel %s: a kernel text given at run time runs on the host only: compilers of "
            "devices leave operations such as integer x / 0 undefined",
            launch->kernel->name);
    if (!launch->kernel->text)
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "kernel %s: a device needs the text of the kernel, which steno_embed_kernels adds",
            launch->kernel->name);
    stn_status status = stn_describe(&r, launch);
    source.reports |= launch->stencil.views > 0;
    if (status == STN_OK)
        status = stn_describe_chunks(&r);
    if (status == STN_OK)
        status = stn_describe_end(&r);
    for (int at = 0; at < launch->kernel->count; at++)
        launch->beyond[at] = launch->unassigned[at] = 0;
    if (status == STN_OK && r.numbers[0] > 0)
        status = queue(&r);
    if (status == STN_OK)
        status = stn_describe_encode(&r);
    if (status == STN_OK)
        status = stn_describe_declared(&r, launch->beyond);
    stn_describe_release(&r);
    return status;
}
