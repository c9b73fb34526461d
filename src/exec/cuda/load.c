/* Opens libraries by name. */
#include "exec/cuda/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "exec/forks.h"

/* The first missing entry point, or NULL. */
static const char *find_all(const stn_cuda_library *library, void *handle, void *table)
{
    for (int k = 0; k < library->entry_count; k++) {
        void *const symbol = dlsym(handle, library->entries[k].name);
        if (!symbol)
            return library->entries[k].name;
        memcpy((char *)table + library->entries[k].offset, &symbol, sizeof symbol);
    }
    return NULL;
}

int stn_cuda_open_next(stn_cuda_library *library, void *table)
{
    const char *const named = library->named(), *const *const files =
                                                    named ? &named : library->files;
    const int count = named ? 1 : library->file_count;
    while (library->tried < count) {
        void *const handle = dlopen(files[library->tried++], RTLD_NOW | RTLD_LOCAL);
        if (!handle)
            continue;
        library->found++;
        const char *const missing = find_all(library, handle, table);
        library->failure[0] = '\0';
        if (!missing)
            return 1;
        snprintf(library->failure, sizeof library->failure, "%s is too old: it has no %s",
                 library->name, missing);
    }
    if (library->found == 0)
        snprintf(library->failure, sizeof library->failure, "%s: %.100s cannot be opened%s",
                 library->lack, files[count - 1], library->use);
    return 0;
}

stn_status stn_cuda_driver_get(const stn_cuda_platform *platform)
{
    stn_cuda_library *const library = platform->driver_library;
    (void)pthread_mutex_lock(&library->lock);
    if (library->tried == 0) {
        stn_forks_watch();
        library->process_age = stn_forks();
        if (stn_cuda_open_next(library, platform->driver))
            platform->start(library->failure, sizeof library->failure);
    }
    (void)pthread_mutex_unlock(&library->lock);
    if (library->failure[0])
        return stn_fail(STN_ERR_DEVICE, "%s", library->failure);
    if (library->process_age != stn_forks())
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "%s was opened before this process was forked; a forked process cannot use it",
            library->name);
    return STN_OK;
}

const char *stn_cuda_error_text(const stn_cuda_driver *driver, int error, char *capacity,
                                size_t bytes)
{
    const char *text = NULL, *name = NULL;
    if (driver->error_text(error, &text) != 0 || !text)
        text = "unknown driver error";
    if (driver->error_name(error, &name) != 0 || !name)
        name = "unknown";
    snprintf(capacity, bytes, "%s (%s, %d)", text, name, error);
    return capacity;
}

int stn_cuda_start(const stn_cuda_platform *platform, char *failure, size_t capacity)
{
    const stn_cuda_driver *const driver = platform->driver;
    char description[160];
    int count = 0;
    const int error = driver->init(0);
    if (error != 0)
        snprintf(failure, capacity, "%s cannot be initialized: %s", platform->driver_library->name,
                 stn_cuda_error_text(driver, error, description, sizeof description));
    else if (driver->device_count(&count) != 0 || count < 1)
        snprintf(failure, capacity, "%s found no device", platform->driver_library->name);
    return failure[0] == '\0';
}
