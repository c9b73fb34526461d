/* Opening drivers and compilers by name. */
#include "exec/cuda/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"

/* The first file that can be opened; *tried is what was tried first. */
static void *open_first(const stn_cuda_library *library, const char **tried)
{
    const char *const named = library->named();
    *tried = named ? named : library->files[library->file_count - 1];
    if (named)
        return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    for (int k = 0; k < library->file_count; k++) {
        void *const handle = dlopen(library->files[k], RTLD_NOW | RTLD_LOCAL);
        if (handle)
            return handle;
    }
    return NULL;
}

/* The first entry point that the library lacks, or NULL. */
static const char *find_all(const stn_cuda_library *library, void *handle)
{
    for (int k = 0; k < library->entry_count; k++) {
        void *const symbol = dlsym(handle, library->entries[k].name);
        if (!symbol)
            return library->entries[k].name;
        memcpy(library->entries[k].pointer, &symbol, sizeof symbol);
    }
    return NULL;
}

static void open_library(stn_cuda_library *library)
{
    const size_t room = sizeof library->failure;
    const char *tried;
    void *const handle = open_first(library, &tried);
    if (!handle) {
        snprintf(library->failure, room, "%s: %.100s cannot be opened%s", library->lack, tried,
                 library->use);
        return;
    }
    const char *const missing = find_all(library, handle);
    if (missing)
        snprintf(library->failure, room, "%s is too old: it has no %s", library->name, missing);
    else if (library->start)
        library->start(library->failure, room);
}

static stn_status get(stn_cuda_library *library)
{
    (void)pthread_mutex_lock(&library->lock);
    if (!library->is_opened)
        open_library(library);
    library->is_opened = 1;
    (void)pthread_mutex_unlock(&library->lock);
    return library->failure[0] ? stn_fail(STN_ERR_DEVICE, "%s", library->failure) : STN_OK;
}

stn_status stn_cuda_driver_get(const stn_cuda_platform *platform)
{
    return get(platform->driver_library);
}

stn_status stn_cuda_compiler_get(const stn_cuda_platform *platform)
{
    return get(platform->compiler_library);
}

const char *stn_cuda_words(const stn_cuda_driver *driver, int error, char *room, size_t bytes)
{
    const char *text = NULL, *name = NULL;
    if (driver->error_text(error, &text) != 0 || !text)
        text = "an error of the driver";
    if (driver->error_name(error, &name) != 0 || !name)
        name = "unknown";
    snprintf(room, bytes, "%s (%s, %d)", text, name, error);
    return room;
}

int stn_cuda_start(const stn_cuda_platform *platform, char *failure, size_t room)
{
    const stn_cuda_driver *const driver = platform->driver;
    char words[160];
    int count = 0;
    const int error = driver->init(0);
    if (error != 0)
        snprintf(failure, room, "%s does not start: %s", platform->driver_library->name,
                 stn_cuda_words(driver, error, words, sizeof words));
    else if (driver->device_count(&count) != 0 || count < 1)
        snprintf(failure, room, "%s has no device", platform->driver_library->name);
    return failure[0] == '\0';
}
