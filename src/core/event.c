/* Listeners of events, and their notification. */
#include "core/event.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/modes.h"
#include "core/tools.h"

enum { NOT_KNOWN = 1, HOOK = 2, TOOLS = 4 };

_Atomic unsigned stn_event_listeners = NOT_KNOWN;
static _Atomic uint64_t kernels;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static stn_event_hook *hook; /* both protected by the lock */
static void *hook_context;

static void read_environment(void)
{
    if (stn_tools_load() > 0)
        atomic_fetch_or(&stn_event_listeners, TOOLS);
    atomic_fetch_and(&stn_event_listeners, ~(unsigned)NOT_KNOWN);
}

int stn_event_read_environment(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_environment);
    return atomic_load_explicit(&stn_event_listeners, memory_order_relaxed) != 0;
}

stn_status stn_event_check_tools(void)
{
    (void)stn_event_is_traced(); /* loads them */
    return stn_tools_check();
}

void stn_event_set_hook(stn_event_hook *new_hook, void *context)
{
    pthread_mutex_lock(&lock);
    hook = new_hook;
    hook_context = context;
    if (new_hook)
        atomic_fetch_or(&stn_event_listeners, HOOK);
    else
        atomic_fetch_and(&stn_event_listeners, ~(unsigned)HOOK);
    pthread_mutex_unlock(&lock);
}

/* Not under the lock, because a hook may set another one. */
static void notify(const stn_event *event)
{
    if (!stn_event_is_traced())
        return;
    pthread_mutex_lock(&lock);
    stn_event_hook *const called = hook;
    void *const context = hook_context;
    pthread_mutex_unlock(&lock);
    const stn_modes_guarded modes = stn_modes_guard();
    if (called)
        called(event, context);
    if (atomic_load(&stn_event_listeners) & TOOLS)
        stn_tools_event(event);
    stn_modes_again(modes);
}

static const char *text_of(const char *text)
{
    return text ? text : "";
}

static stn_event event_of(stn_event_kind kind, stn_event_data what)
{
    return (stn_event){.size = sizeof(stn_event),
                       .kind = kind,
                       .label = text_of(what.label),
                       .space = text_of(what.space),
                       .data = what.data,
                       .bytes = what.bytes,
                       .note = ""};
}

static void notify_of(stn_event_kind kind, stn_event_data what)
{
    const stn_event event = event_of(kind, what);
    notify(&event);
}

void stn_event_allocated(stn_event_data what)
{
    notify_of(STN_EVENT_ALLOCATE, what);
}

void stn_event_freed(stn_event_data what)
{
    notify_of(STN_EVENT_FREE, what);
}

void stn_event_resize_begins(stn_event_data what)
{
    notify_of(STN_EVENT_RESIZE_BEGIN, what);
}

void stn_event_resize_ends(stn_event_data what)
{
    notify_of(STN_EVENT_RESIZE_END, what);
}

static void notify_copy(stn_event_kind kind, stn_event_data to, stn_event_data from)
{
    stn_event event = event_of(kind, to);
    event.from_label = text_of(from.label);
    event.from_space = text_of(from.space);
    event.from_data = from.data;
    notify(&event);
}

void stn_event_copy_begins(stn_event_data to, stn_event_data from)
{
    notify_copy(STN_EVENT_COPY_BEGIN, to, from);
}

void stn_event_copy_ends(stn_event_data to, stn_event_data from)
{
    notify_copy(STN_EVENT_COPY_END, to, from);
}

static void notify_kernel(stn_event_kind kind, const char *name, stn_event_data what, uint64_t id)
{
    stn_event event = event_of(kind, what);
    event.output = event.label;
    event.label = text_of(name);
    event.id = id;
    notify(&event);
}

void stn_event_compiles(const char *kernel, const char *executor)
{
    notify_of(STN_EVENT_COMPILE, (stn_event_data){.label = kernel, .space = executor});
}

void stn_event_note(const char *kernel, const char *message_format, ...)
{
    char note[512];
    stn_event event = event_of(STN_EVENT_NOTE, (stn_event_data){.label = kernel});
    va_list arguments;
    va_start(arguments, message_format);
    (void)vsnprintf(note, sizeof note, message_format, arguments);
    va_end(arguments);
    event.note = note;
    notify(&event);
}

uint64_t stn_event_kernel_begins(const char *name, stn_event_data what)
{
    const uint64_t id = atomic_fetch_add(&kernels, 1) + 1;
    notify_kernel(STN_EVENT_KERNEL_BEGIN, name, what, id);
    return id;
}

void stn_event_kernel_ends(const char *name, stn_event_data what, uint64_t id)
{
    notify_kernel(STN_EVENT_KERNEL_END, name, what, id);
}
