/* The host's C compiler as a device: kernels are compiled for it, and memory stays in place. */
#ifndef STENO_EXEC_HOST_HOST_H
#define STENO_EXEC_HOST_HOST_H

#include <pthread.h>
#include <stdatomic.h>

#include "exec/device.h"

/* A kernel of such a text (expr/source_host.c). piece: first, end, number of pieces per row,
 * elements per piece. */
typedef void stn_host_function(const int64_t *numbers, char *const *memory, int *words,
                               const int64_t *piece);

/* STN_ERR_MEMORY. */
stn_status stn_host_open(stn_device **device);

/* ---- tiles or compiled code ---- */

enum { STN_HOST_CHOICES = 1024 };
typedef struct stn_host_choice {
    _Atomic uint64_t word; /* kind of launch, and what is known of it; 0: unused */
    float best[2];         /* least time per element: by tiles, by compiled code */
    int trials[2];
} stn_host_choice;
typedef struct stn_host_choices {
    pthread_mutex_t lock; /* for all writes */
    stn_host_choice entries[STN_HOST_CHOICES];
} stn_host_choices;

typedef struct stn_host_trial {
    uint64_t kind;
    int is_compiled; /* the way to run the launch */
    int is_timed;    /* nothing is decided yet */
    int64_t start;
} stn_host_trial;

/* Begins a launch of a kind: a hash of the kernel and of all else that determines its time per
 * element. */
stn_host_trial stn_host_begin(stn_device *device, uint64_t kind);

/* Ends a successful launch over this number of elements. If compiled code should have been run but
 * was not, other launches of its kind run by tiles. */
void stn_host_end(stn_device *device, const stn_host_trial *trial, int is_compiled,
                  double elements);

/* ---- parts of it ---- */

typedef struct stn_host_device {
    stn_device device;
    stn_host_choices choices;
} stn_host_device;

stn_status stn_host_compile(stn_device *device, const stn_device_text *text, void **module,
                            stn_device_code *code);
stn_status stn_host_load(stn_device *device, const char *name, const stn_device_code *code,
                         void **module);
void stn_host_identify(stn_device *device, char *words, size_t capacity);

#endif
