/* A driver of CUDA and an NVRTC that need no device: what tests ask of the stand-in, whose
 * functions are found by dlsym. */
#ifndef TEST_CUDA_STAND_IN_H
#define TEST_CUDA_STAND_IN_H

#include <stddef.h>

/* Calls since the last stand_in_reset, and objects that there are. */
typedef struct stand_in_state {
    int calls;                      /* of all functions of the driver and the compiler */
    int contexts, streams, modules; /* that have not been given back */
    int memories;
    size_t bytes;          /* of them */
    int contexts_in;       /* pushed and not popped, by this thread */
    int compilations;      /* of texts */
    size_t compiler_stack; /* of the thread that compiled last */
    int launches;          /* of kernels; copies without conversion are carried out */
    int sent;              /* copies of bytes of the host's */
    int queued;            /* copies, fills and launches that have not run */
    int captured;          /* of those, which became part of a graph */
    int mode;              /* of captures, of this thread; 0 outside of the library */
    int freed_queued;      /* memory given back with something queued: must stay 0 */
    int wrong;             /* calls in a wrong order or with wrong arguments: must stay 0 */
    char what[128];        /* the first of these */
    char options[512];     /* of the text compiled last, or the code loaded last if it is text */
} stand_in_state;

void stand_in_reset(void);
const stand_in_state *stand_in_look(void);

/* Calls of one function since the last stand_in_reset. */
int stand_in_calls(const char *function);

/* What launches of this kernel do when they run: queued work runs as late as the driver's
 * documentation permits, when its stream is waited for. */
void stand_in_kernel(const char *name, void (*run)(void *context), void *context);

/* Begin the capture of a stream into a graph, in global mode, as another library would, or end it.
 * Returns whether no call has invalidated the capture. */
int stand_in_capture(void *stream, int begins);

/* Whether devices access managed memory while the host does; they do at the beginning. */
void stand_in_concurrent(int is_concurrent);

/* Let the nth call (1 is the next one) of a function, or with NULL of any, fail with an error of
 * the driver's; `sticky`: every one after it, too, as when a kernel has failed. */
void stand_in_fail(const char *function, int nth, int error, int sticky);

/* What the machine has from now on: devices, version of the driver (12020), bytes of each device.
 */
void stand_in_machine(int devices, int version, size_t bytes);

/* Their architecture: 90 is compute capability 9.0. */
void stand_in_architecture(int major_and_minor);

#endif
