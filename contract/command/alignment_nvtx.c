/* Ranges for profilers: the part of NVTX's binary interface that is needed here. A profiler passes
 * the path of its library in the environment; this library fills in a table of functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "contract/command/alignment.h"

/* Constants of the interface. */
enum {
    CALLBACKS = 1,
    VERSION_INFO = 3,
    VERSION = 3,
    MODULE_CORE = 1,
    RANGE_PUSH = 9,
    RANGE_POP = 11,
    FUNCTIONS = 16,
    MODULES = 7
};

typedef void (*function)(void);
typedef int (*push_function)(const char *name);
typedef int (*pop_function)(void);

/* Entries of each module, plus 1. ncu's library attaches only if it gets the tables of all. */
static const unsigned char sizes[MODULES] = {0, 16, 9, 15, 7, 16, 7};
static function functions[MODULES][FUNCTIONS];
static function *slots[MODULES][FUNCTIONS + 1]; /* the first and the last one are NULL */

static int get_table(int module, function ***table, unsigned *count)
{
    if (module < MODULE_CORE || module >= MODULES)
        return 0;
    for (int k = 1; k < sizes[module]; k++)
        slots[module][k] = &functions[module][k];
    if (count)
        *count = sizes[module];
    *table = slots[module];
    return 1;
}

static void take_version(uint32_t version)
{
    (void)version; /* all versions of the profiler's library have these entries */
}

static const void *get_export_table(uint32_t table)
{
    static const struct {
        size_t size;
        uint32_t version, unused;
        void (*take_version)(uint32_t version);
    } version = {sizeof version, VERSION, 0, take_version};
    static const struct {
        size_t size;
        int (*get_table)(int module, function ***table, unsigned *count);
    } callbacks = {sizeof callbacks, get_table};
    if (table == VERSION_INFO)
        return &version;
    return table == CALLBACKS ? &callbacks : NULL;
}

static void attach(void)
{
    static int is_done;
    int (*initialise)(const void *(*get_export_table)(uint32_t)) = NULL;
    const char *const path = secure_getenv("NVTX_INJECTION64_PATH");
    if (is_done++ || !path)
        return;
    void *const library = dlopen(path, RTLD_LAZY);
    void *const symbol = library ? dlsym(library, "InitializeInjectionNvtx2") : NULL;
    memcpy(&initialise, &symbol, sizeof symbol);
    if (initialise && !initialise(get_export_table))
        memset(functions, 0, sizeof functions);
}

void alignment_range_push(const char *name)
{
    attach();
    const push_function push = (push_function)functions[MODULE_CORE][RANGE_PUSH];
    if (push)
        (void)push(name);
}

void alignment_range_pop(void)
{
    const pop_function pop = (pop_function)functions[MODULE_CORE][RANGE_POP];
    if (pop)
        (void)pop();
}
