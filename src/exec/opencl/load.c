/* Opens the OpenCL loader by name. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/environment.h"
#include "core/status.h"
#include "exec/forks.h"
#include "exec/opencl/device.h"

typedef struct entry {
    const char *name;
    size_t offset;
} entry;

#define ENTRY(member, name, result, parameters) {name, offsetof(stn_opencl, member)},
static const entry entries[] = {STN_OPENCL_TABLE(ENTRY)};
enum { ENTRIES = sizeof entries / sizeof *entries };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static stn_opencl table;
static char failure[256];    /* "" if it is available */
static unsigned process_age; /* when it was opened: its threads do not exist after a fork */

static void open_loader(void)
{
    const char *const named = stn_environment_get()->opencl;
    const char *const name = named ? named : "libOpenCL.so.1";
    void *const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    process_age = stn_forks();
    if (!library)
        snprintf(failure, sizeof failure, "OpenCL loader not found: %.100s cannot be opened", name);
    for (int k = 0; k < ENTRIES && library; k++) {
        void *const symbol = dlsym(library, entries[k].name);
        if (!symbol)
            snprintf(failure, sizeof failure, "the OpenCL loader is too old: it has no %s",
                     entries[k].name);
        memcpy((char *)&table + entries[k].offset, &symbol, sizeof symbol);
    }
}

stn_status stn_opencl_get(const stn_opencl **cl)
{
    (void)pthread_once(&once, open_loader);
    *cl = &table;
    if (process_age != stn_forks())
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "OpenCL was opened before this process was forked; a forked process cannot use it");
    return failure[0] ? stn_fail(STN_ERR_DEVICE, "%s", failure) : STN_OK;
}
