/* A driver of CUDA and an NVRTC without a device: memory of the "device" is this process's, kernels
 * of the library that move codes are interpreted, those that a test describes do what it says, and
 * all others are counted. What is queued runs when its stream is waited for. It checks the order of
 * calls, counts what has not been given back, and fails on demand. STENO_CUDA_DRIVER and
 * STENO_NVRTC name it. */
#define _GNU_SOURCE
#include "stand_in.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OK,
    INVALID = 1,
    MEMORY = 2,
    NO_DEVICE = 100,
    NO_CONTEXT = 201,
    NOT_FOUND = 500,
    NOT_READY = 600,
    CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901
};
enum { MOST_MEMORIES = 4096, MOST_DEVICES = 8, MOST_CONTEXTS = 16, MOST_FUNCTIONS = 64 };
enum { NOT_CAPTURED, CAPTURED, INVALIDATED, RELAXED = 2 };
enum { DEVICE_MEMORY = 2, HOST_MEMORY = 1 };
#ifndef CONCURRENT
#    define CONCURRENT 89 /* the attribute: concurrent access to managed memory */
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static stand_in_state state;
static int devices = 1, driver_version = 12020, architecture = 90, concurrent = 1;
static size_t device_bytes = (size_t)1 << 30;

static struct memory {
    char *data;
    size_t bytes;
    int kind, device;
} memories[MOST_MEMORIES];

static struct context {
    int number, users;
} contexts[MOST_DEVICES];
static _Thread_local struct context *stack[MOST_CONTEXTS];
static _Thread_local int depth, mode;

static struct counted {
    const char *function;
    int calls;
} counted[MOST_FUNCTIONS];

/* What a stream has to do, and the streams. */
typedef struct task {
    struct task *next;
    void (*run)(const struct task *task);
    const void *bytes; /* allocated for the task, or NULL */
    struct box *box;
    struct moved *moved;
    void (*kernel)(void *context);
    void *context, *to;
    size_t size;
    unsigned char value;
} task;

static pthread_mutex_t queueing = PTHREAD_MUTEX_INITIALIZER;
static struct stream {
    struct stream *next;
    task *first, **last;
    int capture;
} * streams;

static struct kernel {
    const char *name;
    void (*run)(void *context);
    void *context;
} described;

static struct failure {
    char function[64];
    int nth, error, sticky;
} failure;

/* ---- what tests ask ---- */

/* What has not been given back stays. */
void stand_in_reset(void)
{
    const stand_in_state kept = {.contexts = state.contexts,
                                 .streams = state.streams,
                                 .modules = state.modules,
                                 .memories = state.memories,
                                 .bytes = state.bytes};
    state = kept;
    for (const struct stream *s = streams; s; s = s->next)
        for (const task *t = s->first; t; t = t->next)
            state.queued++;
    memset(counted, 0, sizeof counted);
    failure.nth = failure.sticky = failure.error = 0;
}

const stand_in_state *stand_in_look(void)
{
    state.contexts_in = depth;
    state.mode = mode;
    return &state;
}

int stand_in_calls(const char *function)
{
    for (int k = 0; k < MOST_FUNCTIONS && counted[k].function; k++)
        if (strcmp(counted[k].function, function) == 0)
            return counted[k].calls;
    return 0;
}

void stand_in_kernel(const char *name, void (*run)(void *context), void *context)
{
    described = (struct kernel){name, run, context};
}

int stand_in_capture(void *stream, int begins)
{
    struct stream *const s = stream;
    const int survived = s->capture != INVALIDATED;
    s->capture = begins ? CAPTURED : NOT_CAPTURED;
    return survived;
}

void stand_in_concurrent(int is_concurrent)
{
    concurrent = is_concurrent;
}

void stand_in_fail(const char *function, int nth, int error, int sticky)
{
    snprintf(failure.function, sizeof failure.function, "%s", function ? function : "");
    failure.nth = nth;
    failure.error = error;
    failure.sticky = sticky;
}

void stand_in_machine(int count, int version, size_t bytes)
{
    devices = count;
    driver_version = version;
    device_bytes = bytes;
}

void stand_in_architecture(int major_and_minor)
{
    architecture = major_and_minor;
}

/* ---- every call ---- */

static void wrong(const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    if (state.wrong++ == 0)
        vsnprintf(state.what, sizeof state.what, text, arguments);
    va_end(arguments);
}

static void count(const char *function)
{
    int k = 0;
    while (k < MOST_FUNCTIONS - 1 && counted[k].function &&
           strcmp(counted[k].function, function) != 0)
        k++;
    counted[k].function = function;
    counted[k].calls++;
}

/* The error that the call is to give. */
static int enter(const char *function)
{
    pthread_mutex_lock(&lock);
    state.calls++;
    count(function);
    int error = failure.sticky && failure.nth < 0 ? failure.error : OK;
    if (failure.nth > 0 && (!failure.function[0] || strcmp(failure.function, function) == 0) &&
        --failure.nth == 0) {
        error = failure.error;
        failure.nth = -1;
    }
    pthread_mutex_unlock(&lock);
    return error;
}
#define ENTER                                                                                      \
    const int error_ = enter(__func__);                                                            \
    if (error_)                                                                                    \
        return error_;
#define IN_CONTEXT                                                                                 \
    ENTER                                                                                          \
    if (depth == 0) {                                                                              \
        wrong("%s without a context", __func__);                                                   \
        return NO_CONTEXT;                                                                         \
    }
/* A call that could not be part of a graph. Which ones they are the driver does not say: all that
 * are not of a stream. */
#define UNSAFE                                                                                     \
    IN_CONTEXT                                                                                     \
    if (mode != RELAXED && invalidate())                                                           \
        return CAPTURE_UNSUPPORTED;

/* Is there a capture? It ends as a failure. */
static int invalidate(void)
{
    int is_captured = 0;
    for (struct stream *s = streams; s; s = s->next)
        if (s->capture == CAPTURED) {
            s->capture = INVALIDATED;
            is_captured = 1;
        }
    return is_captured;
}

/* ---- the driver: devices and contexts ---- */

int cuInit(unsigned flags)
{
    ENTER
    return flags ? INVALID : OK;
}
int cuDriverGetVersion(int *version)
{
    ENTER
    *version = driver_version;
    return OK;
}
int cuGetErrorName(int error, const char **name)
{
    *name = error == MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_THE_STAND_IN";
    return OK;
}
int cuGetErrorString(int error, const char **text)
{
    *text = error == MEMORY ? "out of memory" : "as the test wanted";
    return OK;
}
int cuDeviceGetCount(int *count)
{
    ENTER
    *count = devices;
    return OK;
}
int cuDeviceGet(int *device, int number)
{
    ENTER
    *device = number;
    return number < devices ? OK : 101;
}
int cuDeviceGetName(char *name, int room, int device)
{
    ENTER
    snprintf(name, (size_t)room, "stand-in %d", device);
    return OK;
}
int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    ENTER(void) device;
    *bytes = device_bytes;
    return OK;
}
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    ENTER(void) device;
    *value = attribute == 75           ? architecture / 10
             : attribute == 76         ? architecture % 10
             : attribute == CONCURRENT ? concurrent
                                       : 1;
    return OK;
}
int cuDevicePrimaryCtxRetain(void **context, int device)
{
    ENTER
    contexts[device].number = device;
    contexts[device].users++;
    state.contexts++;
    *context = &contexts[device];
    return OK;
}
int cuDevicePrimaryCtxRelease_v2(int device)
{
    ENTER
    if (contexts[device].users-- == 0)
        wrong("a context is released that was not retained");
    state.contexts--;
    return OK;
}
int cuCtxPushCurrent_v2(void *context)
{
    ENTER
    if (depth == MOST_CONTEXTS || ((struct context *)context)->users == 0)
        return INVALID;
    stack[depth++] = context;
    return OK;
}
/* An error may be one of what was launched before: it is popped all the same. */
int cuCtxPopCurrent_v2(void **context)
{
    const int error = enter(__func__);
    if (depth == 0) {
        wrong("%s without a context", __func__);
        return NO_CONTEXT;
    }
    *context = stack[--depth];
    return error;
}
int cuCtxGetDevice(int *device)
{
    IN_CONTEXT
    *device = stack[depth - 1]->number;
    return OK;
}
int cuThreadExchangeStreamCaptureMode(int *exchanged)
{
    ENTER
    const int before = mode;
    if (*exchanged < 0 || *exchanged > RELAXED)
        return INVALID;
    mode = *exchanged;
    *exchanged = before;
    return OK;
}

/* ---- queues ---- */

static void run_all(struct stream *s)
{
    pthread_mutex_lock(&queueing);
    while (s->first) {
        task *const t = s->first;
        s->first = t->next;
        t->run(t);
        free((void *)(uintptr_t)t->bytes);
        free(t->box);
        free(t->moved);
        free(t);
        state.queued--;
    }
    s->last = &s->first;
    pthread_mutex_unlock(&queueing);
}

static int drop(task *t, int error)
{
    free((void *)(uintptr_t)t->bytes);
    free(t->box);
    free(t->moved);
    free(t);
    return error;
}

/* The error of queueing it. */
static int queue(void *stream, const task *made)
{
    struct stream *const s = stream;
    task *const t = malloc(sizeof *t);
    *t = *made;
    if (!s) {
        wrong("something is queued on the default stream");
        return drop(t, INVALID);
    }
    if (s->capture == CAPTURED)
        state.captured++;
    if (s->capture != NOT_CAPTURED)
        return drop(t, s->capture == CAPTURED ? OK : CAPTURE_INVALIDATED);
    pthread_mutex_lock(&queueing);
    *s->last = t;
    s->last = &t->next;
    state.queued++;
    pthread_mutex_unlock(&queueing);
    return OK;
}

/* In whatever mode. */
int cuCtxSynchronize(void)
{
    IN_CONTEXT
    if (invalidate())
        return CAPTURE_UNSUPPORTED;
    for (struct stream *s = streams; s; s = s->next)
        run_all(s);
    return OK;
}

/* ---- memory ---- */

static struct memory *find(const void *pointer)
{
    for (int k = 0; k < MOST_MEMORIES; k++)
        if (memories[k].data && (const char *)pointer >= memories[k].data &&
            (const char *)pointer < memories[k].data + memories[k].bytes)
            return &memories[k];
    return NULL;
}

static int take_locked(void **memory, size_t bytes, int kind)
{
    int k = 0;
    if (bytes == 0)
        return INVALID;
    if (state.bytes + bytes > device_bytes)
        return MEMORY;
    while (k < MOST_MEMORIES && memories[k].data)
        k++;
    if (k == MOST_MEMORIES || posix_memalign(memory, 256, bytes) != 0)
        return MEMORY;
    memset(*memory, 0xa5, bytes); /* as it comes */
    memories[k] = (struct memory){*memory, bytes, kind, stack[depth - 1]->number};
    state.memories++;
    state.bytes += bytes;
    return OK;
}

static int give_locked(void *memory, int kind)
{
    struct memory *const m = find(memory);
    if (!m || m->data != memory || m->kind != kind) {
        wrong("memory is given back that was not taken");
        return INVALID;
    }
    if (state.queued)
        state.freed_queued++;
    state.memories--;
    state.bytes -= m->bytes;
    m->data = NULL;
    free(memory);
    return OK;
}

static int take(void **memory, size_t bytes, int kind)
{
    pthread_mutex_lock(&lock);
    const int error = take_locked(memory, bytes, kind);
    pthread_mutex_unlock(&lock);
    return error;
}

static int give(void *memory, int kind)
{
    pthread_mutex_lock(&lock);
    const int error = give_locked(memory, kind);
    pthread_mutex_unlock(&lock);
    return error;
}

int cuMemGetInfo_v2(size_t *unused, size_t *all)
{
    IN_CONTEXT
    *all = device_bytes;
    *unused = device_bytes - state.bytes;
    return OK;
}
int cuMemAlloc_v2(void **memory, size_t bytes)
{
    UNSAFE
    return take(memory, bytes, DEVICE_MEMORY);
}
int cuMemAllocManaged(void **memory, size_t bytes, unsigned flags)
{
    UNSAFE
    return flags == 1 ? take(memory, bytes, DEVICE_MEMORY) : INVALID;
}
int cuMemFree_v2(void *memory)
{
    UNSAFE
    return give(memory, DEVICE_MEMORY);
}
int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    UNSAFE(void) flags;
    return take(memory, bytes, HOST_MEMORY);
}
int cuMemFreeHost(void *memory)
{
    UNSAFE
    return give(memory, HOST_MEMORY);
}
int cuPointerGetAttribute(void *value, int attribute, const void *pointer)
{
    IN_CONTEXT
    const struct memory *const m = find(pointer);
    if (!m)
        return INVALID;
    *(int *)value = attribute == 2 ? m->kind : m->device;
    return OK;
}

/* ---- streams and events ---- */

int cuStreamCreate(void **stream, unsigned flags)
{
    IN_CONTEXT(void) flags;
    struct stream *const made = calloc(1, sizeof *made);
    made->last = &made->first;
    made->next = streams;
    streams = made;
    *stream = made;
    state.streams++;
    return OK;
}
int cuStreamDestroy_v2(void *stream)
{
    IN_CONTEXT
    struct stream **link = &streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = (*link)->next;
    run_all(stream);
    free(stream);
    state.streams--;
    return OK;
}
int cuStreamIsCapturing(void *stream, int *status)
{
    IN_CONTEXT
    *status = stream ? ((struct stream *)stream)->capture == CAPTURED      ? 1
                       : ((struct stream *)stream)->capture == INVALIDATED ? 2
                                                                           : 0
                     : 0;
    return OK;
}

/* A stream that is being captured cannot be asked about, in no mode. */
static int breaks_capture(void *stream)
{
    struct stream *const s = stream;
    if (s->capture == NOT_CAPTURED)
        return 0;
    s->capture = INVALIDATED;
    return 1;
}

int cuStreamSynchronize(void *stream)
{
    UNSAFE
    if (!stream) {
        wrong("the default stream is waited for");
        return INVALID;
    }
    if (breaks_capture(stream))
        return CAPTURE_UNSUPPORTED;
    run_all(stream);
    return OK;
}
int cuStreamQuery(void *stream)
{
    UNSAFE
    if (!stream || breaks_capture(stream))
        return stream ? CAPTURE_UNSUPPORTED : INVALID;
    return ((struct stream *)stream)->first ? NOT_READY : OK;
}
int cuEventCreate(void **event, unsigned flags)
{
    IN_CONTEXT(void) flags;
    *event = malloc(1);
    return OK;
}
int cuEventDestroy_v2(void *event)
{
    IN_CONTEXT
    free(event);
    return OK;
}
int cuEventRecord(void *event, void *stream)
{
    IN_CONTEXT
    return event && stream ? OK : INVALID;
}
int cuEventSynchronize(void *event)
{
    IN_CONTEXT
    return event ? OK : INVALID;
}
int cuEventElapsedTime(float *milliseconds, void *begin, void *end)
{
    IN_CONTEXT
    *milliseconds = 1.0f;
    return begin && end ? OK : INVALID;
}

#include "stand_in_work.h"
