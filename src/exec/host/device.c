/* The host's compiler as a device; functions that are missing in its table are never called. */
#include "exec/host/host.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include "core/status.h"
#include "exec/dialect.h"

static const stn_device_calls calls;

stn_status stn_host_open(stn_device **device)
{
    STN_TRY(stn_device_create(&calls, 0, sizeof(stn_host_device), device));
    (void)pthread_mutex_init(&((stn_host_device *)(void *)*device)->choices.lock, NULL);
    (*device)->has_f64 = 1;
    snprintf((*device)->resource, sizeof(*device)->resource, "jit");
    return STN_OK;
}

static void close(stn_device *device)
{
    (void)pthread_mutex_destroy(&((stn_host_device *)(void *)device)->choices.lock);
    stn_device_destroy(device);
}

static void unload(stn_device *device, void *module, void *function)
{
    (void)device, (void)function;
    (void)dlclose(module);
}

static stn_status find_function(stn_device *device, void *module, const char *name, void **function)
{
    *function = dlsym(module, name);
    return *function
               ? STN_OK
               : stn_fail(STN_ERR_DEVICE, "%s: function %s not found", device->resource, name);
}

static stn_status locate(stn_device *device, const void *memory, void **handle, int64_t *offset)
{
    (void)device;
    *handle = (void *)(uintptr_t)memory;
    *offset = 0;
    return STN_OK;
}

static stn_status expect(stn_device *device, const char *call, const char *description,
                         const void *memory)
{
    (void)memory;
    return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is in memory that %s cannot access", call,
                    description, device->resource);
}

static const stn_device_calls calls = {.kind = "host",
                                       .dialect = STN_HOST_DIALECT,
                                       .keeps_failures = 1,
                                       .close = close,
                                       .expect = expect,
                                       .compile = stn_host_compile,
                                       .load = stn_host_load,
                                       .identify = stn_host_identify,
                                       .unload = unload,
                                       .function = find_function,
                                       .locate = locate};
