/* A value that threads wait for: they poll it, and then sleep. Setting it makes a system call only
 * if a thread sleeps. */
#ifndef STENO_EXEC_SIGNAL_H
#define STENO_EXEC_SIGNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct stn_signal {
    _Alignas(64) atomic_uintptr_t value;
    atomic_int asleep; /* 1 if threads sleep or are about to */
#ifdef __linux__
    atomic_int wakes;
#else
    _Alignas(64) pthread_mutex_t mutex;
    pthread_cond_t changed;
#endif
} stn_signal;

void stn_signal_open(stn_signal *signal, uintptr_t value);
void stn_signal_close(stn_signal *signal); /* no thread may be waiting */

static inline uintptr_t stn_signal_get(const stn_signal *signal)
{
    return atomic_load_explicit(&signal->value, memory_order_acquire);
}

/* Does a thread sleep, or is about to? It may have been woken by then. */
static inline int stn_signal_has_sleepers(const stn_signal *signal)
{
    return atomic_load_explicit(&signal->asleep, memory_order_relaxed);
}

void stn_signal_set(stn_signal *signal, uintptr_t value);

/* Sets the value if it is `from`, and returns whether it was. */
int stn_signal_replace(stn_signal *signal, uintptr_t from, uintptr_t to);

/* Polls the value, of about 20 to 60 ns each, and returns whether it differs from `value`. */
int stn_signal_poll(const stn_signal *signal, uintptr_t value, int polls);

/* Sleeps until it is set, or does not sleep if it differs from `value`, which it may have again
 * afterward. */
void stn_signal_sleep(stn_signal *signal, uintptr_t value);

#endif
