/* Loads and calls tool libraries. The functions, the order of their arguments and the struct passed
 * by value are those of the Kokkos Tools (KokkosP) interface. */
#include "core/tools.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/environment.h"

enum { MAX_TOOLS = 4, MAX_NESTED = 8, INTERFACE_VERSION = 20240906 };

typedef struct kokkosp_space {
    char name[64];
} kokkosp_space;

typedef struct tool {
    void (*init)(int sequence, uint64_t version, uint32_t devices, void *device);
    void (*finalize)(void);
    void (*allocate)(kokkosp_space space, const char *label, const void *data, uint64_t bytes);
    void (*deallocate)(kokkosp_space space, const char *label, const void *data, uint64_t bytes);
    void (*begin_copy)(kokkosp_space to, const char *to_label, const void *to_data,
                       kokkosp_space from, const char *from_label, const void *from_data,
                       uint64_t bytes);
    void (*end_copy)(void);
    void (*begin_kernel)(const char *name, uint32_t device, uint64_t *id);
    void (*end_kernel)(uint64_t id);
    void (*push_region)(const char *name);
    void (*pop_region)(void);
    void (*mark)(const char *text);
} tool;

static tool tools[MAX_TOOLS];
static int tool_count;

static char failure[512];
static _Atomic int failed;

/* ---- loading ---- */

static void note_failure(const char *path, const char *reason)
{
    if (atomic_load(&failed))
        return; /* the first error is reported */
    snprintf(failure, sizeof failure, "STENO_TOOLS_LIBS: %.200s cannot be used: %.240s", path,
             reason);
    atomic_store(&failed, 1);
}

/* Returns whether the function exists. */
static int find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* Returns the number of interface functions in the library. */
static int find_all(void *library, tool *found)
{
    return find(library, "kokkosp_init_library", &found->init) +
           find(library, "kokkosp_finalize_library", &found->finalize) +
           find(library, "kokkosp_allocate_data", &found->allocate) +
           find(library, "kokkosp_deallocate_data", &found->deallocate) +
           find(library, "kokkosp_begin_deep_copy", &found->begin_copy) +
           find(library, "kokkosp_end_deep_copy", &found->end_copy) +
           find(library, "kokkosp_begin_parallel_for", &found->begin_kernel) +
           find(library, "kokkosp_end_parallel_for", &found->end_kernel) +
           find(library, "kokkosp_push_profile_region", &found->push_region) +
           find(library, "kokkosp_pop_profile_region", &found->pop_region) +
           find(library, "kokkosp_profile_event", &found->mark);
}

static void load(const char *path)
{
    if (tool_count == MAX_TOOLS) {
        note_failure(path, "4 libraries are already loaded, which is the maximum");
        return;
    }
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *const reason = dlerror();
        note_failure(path, reason ? reason : "it cannot be loaded");
        return;
    }
    if (find_all(library, &tools[tool_count]) == 0) {
        note_failure(path, "it exports no function of the Kokkos Tools interface");
        dlclose(library);
        return;
    }
    if (tools[tool_count].init)
        tools[tool_count].init(tool_count, INTERFACE_VERSION, 0, NULL);
    tool_count++;
}

static void finalize(void)
{
    for (int k = 0; k < tool_count; k++)
        if (tools[k].finalize)
            tools[k].finalize();
}

int stn_tools_load(void)
{
    const char *list = stn_environment_get()->tools;
    while (list && *list) {
        char path[STN_MAX_PATH];
        const size_t length = strcspn(list, ":");
        if (length >= sizeof path)
            note_failure("a library", "its path is too long");
        else if (length > 0) {
            memcpy(path, list, length);
            path[length] = '\0';
            load(path);
        }
        list += length + (list[length] == ':');
    }
    if (tool_count > 0)
        atexit(finalize);
    return tool_count;
}

stn_status stn_tools_check(void)
{
    return atomic_exchange(&failed, 0) ? stn_fail(STN_ERR_IO, "%s", failure) : STN_OK;
}

/* ---- notification ---- */

/* The names known to tools: "Host" for "host". */
static kokkosp_space space_of(const char *name)
{
    kokkosp_space space = {""};
    snprintf(space.name, sizeof space.name, "%s", name);
    if (strcmp(name, "host") == 0)
        space.name[0] = 'H';
    return space;
}

/* Each tool assigns its own number to a kernel and expects it at the end. A kernel ends on the
 * thread where it began, after the kernels that began within it. */
typedef struct begun {
    uint64_t id, of_tool[MAX_TOOLS];
} begun;

static _Thread_local begun nested[MAX_NESTED];
static _Thread_local int nested_count;

static void begin_kernel(const stn_event *event)
{
    char name[512];
    if (nested_count == MAX_NESTED)
        return;
    begun *const kernel = &nested[nested_count++];
    if (*event->output)
        snprintf(name, sizeof name, "%s [%s]", event->label, event->output);
    else
        snprintf(name, sizeof name, "%s", event->label);
    kernel->id = event->id;
    for (int k = 0; k < tool_count; k++) {
        kernel->of_tool[k] = event->id;
        if (tools[k].begin_kernel)
            tools[k].begin_kernel(name, 0, &kernel->of_tool[k]);
    }
}

static void end_kernel(const stn_event *event)
{
    int at = nested_count - 1;
    while (at >= 0 && nested[at].id != event->id)
        at--;
    if (at < 0)
        return; /* its beginning was not reported */
    for (int k = 0; k < tool_count; k++)
        if (tools[k].end_kernel)
            tools[k].end_kernel(nested[at].of_tool[k]);
    nested_count = at;
}

static void push_region(const tool *to, const stn_event *event)
{
    char name[512];
    snprintf(name, sizeof name, "resize [%s]", event->label);
    to->push_region(name);
}

static void mark(const tool *to, const stn_event *event)
{
    char text[768];
    snprintf(text, sizeof text, "%.200s: %s", event->label, event->note);
    to->mark(text);
}

static void begin_copy(const tool *to, const stn_event *event)
{
    to->begin_copy(space_of(event->space), event->label, event->data, space_of(event->from_space),
                   event->from_label, event->from_data, event->bytes);
}

static void notify_one(const tool *to, const stn_event *event)
{
    switch (event->kind) {
    case STN_EVENT_ALLOCATE:
        if (to->allocate)
            to->allocate(space_of(event->space), event->label, event->data, event->bytes);
        break;
    case STN_EVENT_FREE:
        if (to->deallocate)
            to->deallocate(space_of(event->space), event->label, event->data, event->bytes);
        break;
    case STN_EVENT_COPY_BEGIN:
        if (to->begin_copy)
            begin_copy(to, event);
        break;
    case STN_EVENT_COPY_END:
        if (to->end_copy)
            to->end_copy();
        break;
    case STN_EVENT_RESIZE_BEGIN:
        if (to->push_region)
            push_region(to, event);
        break;
    case STN_EVENT_RESIZE_END:
        if (to->pop_region)
            to->pop_region();
        break;
    case STN_EVENT_NOTE:
        if (to->mark)
            mark(to, event);
        break;
    case STN_EVENT_COMPILE:
    case STN_EVENT_KERNEL_BEGIN:
    case STN_EVENT_KERNEL_END:
        break;
    }
}

void stn_tools_event(const stn_event *event)
{
    if (event->kind == STN_EVENT_KERNEL_BEGIN)
        begin_kernel(event);
    else if (event->kind == STN_EVENT_KERNEL_END)
        end_kernel(event);
    else
        for (int k = 0; k < tool_count; k++)
            notify_one(&tools[k], event);
}
