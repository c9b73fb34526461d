/* Opening the driver and the compiler by name. */
#include "exec/cuda/load.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/environment.h"
#include "core/status.h"

/* The name and the place of each entry point in its table. */
typedef struct entry {
    const char *name;
    size_t offset;
} entry;

#define DRIVER_ENTRY(member, name, parameters)   {name, offsetof(stn_cuda_driver, member)},
#define COMPILER_ENTRY(member, name, parameters) {name, offsetof(stn_cuda_compiler, member)},

static const entry driver_entries[] = {STN_CUDA_DRIVER_TABLE(DRIVER_ENTRY)};
static const entry compiler_entries[] = {STN_CUDA_COMPILER_TABLE(COMPILER_ENTRY)};
enum {
    DRIVER_ENTRIES = sizeof driver_entries / sizeof *driver_entries,
    COMPILER_ENTRIES = sizeof compiler_entries / sizeof *compiler_entries,
    OLDEST_DRIVER = 11020 /* 11.2, as the driver has it */
};

/* What came of opening one of them; `failure` is "" when it is there. */
typedef struct opened {
    pthread_once_t once;
    char failure[256];
} opened;

static opened driver_opened = {PTHREAD_ONCE_INIT, ""}, compiler_opened = {PTHREAD_ONCE_INIT, ""};
static stn_cuda_driver driver_table;
static stn_cuda_compiler compiler_table;

/* ---- libraries ---- */

/* The first of these that can be opened; `named` is the environment's, and then the only one. */
static void *open_first(const char *named, const char *const *names, int count)
{
    if (named)
        return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    for (int k = 0; k < count; k++) {
        void *const library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
        if (library)
            return library;
    }
    return NULL;
}

/* The first entry point that the library lacks, or NULL. */
static const char *find_all(void *library, const entry *entries, int count, void *table)
{
    for (int k = 0; k < count; k++) {
        void *const symbol = dlsym(library, entries[k].name);
        if (!symbol)
            return entries[k].name;
        memcpy((char *)table + entries[k].offset, &symbol, sizeof symbol);
    }
    return NULL;
}

/* ---- the driver ---- */

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

static void start_driver(char *failure, size_t room)
{
    char words[160];
    int version = 0, count = 0;
    const int error = driver_table.init(0);
    if (error != 0) {
        snprintf(failure, room, "the CUDA driver does not start: %s",
                 stn_cuda_words(&driver_table, error, words, sizeof words));
        return;
    }
    if (driver_table.version(&version) != 0 || version < OLDEST_DRIVER)
        snprintf(failure, room, "the CUDA driver is for CUDA %d.%d: 11.2 or later is needed",
                 version / 1000, version % 1000 / 10);
    else if (driver_table.device_count(&count) != 0 || count < 1)
        snprintf(failure, room, "the CUDA driver has no device");
}

static void open_driver(void)
{
    static const char *const names[] = {"libcuda.so.1"};
    const char *const named = stn_environment_get()->cuda_driver;
    char *const failure = driver_opened.failure;
    const size_t room = sizeof driver_opened.failure;
    void *const library = open_first(named, names, 1);
    if (!library) {
        snprintf(failure, room, "there is no CUDA driver: %.100s cannot be opened",
                 named ? named : names[0]);
        return;
    }
    const char *const missing = find_all(library, driver_entries, DRIVER_ENTRIES, &driver_table);
    if (missing)
        snprintf(failure, room, "the CUDA driver is too old: it has no %s", missing);
    else
        start_driver(failure, room);
}

stn_status stn_cuda_driver_get(const stn_cuda_driver **driver)
{
    (void)pthread_once(&driver_opened.once, open_driver);
    *driver = &driver_table;
    return driver_opened.failure[0] ? stn_fail(STN_ERR_DEVICE, "%s", driver_opened.failure)
                                    : STN_OK;
}

/* ---- the compiler ---- */

static void open_compiler(void)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                        "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"};
    const char *const named = stn_environment_get()->nvrtc;
    char *const failure = compiler_opened.failure;
    const size_t room = sizeof compiler_opened.failure;
    void *const library = open_first(named, names, sizeof names / sizeof *names);
    if (!library) {
        snprintf(failure, room,
                 "there is no NVRTC, which compiles kernels for CUDA devices: %.100s cannot be "
                 "opened (STENO_NVRTC names another file)",
                 named ? named : "libnvrtc.so");
        return;
    }
    const char *const missing =
        find_all(library, compiler_entries, COMPILER_ENTRIES, &compiler_table);
    if (missing)
        snprintf(failure, room, "NVRTC is too old: it has no %s", missing);
}

stn_status stn_cuda_compiler_get(const stn_cuda_compiler **compiler)
{
    (void)pthread_once(&compiler_opened.once, open_compiler);
    *compiler = &compiler_table;
    return compiler_opened.failure[0] ? stn_fail(STN_ERR_DEVICE, "%s", compiler_opened.failure)
                                      : STN_OK;
}
