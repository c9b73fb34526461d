/* Either the setting thread sees the sleeper, or the sleeper sees the new value: both orders are
 * sequentially consistent. */
#define _GNU_SOURCE
#include "exec/signal.h"

#ifdef __linux__
#    include <limits.h>
#    include <linux/futex.h>
#    include <sys/syscall.h>
#    include <unistd.h>
#endif

/* ---- the system's functions ---- */

#ifdef __linux__
/* A condition variable takes two system calls of each thread: the woken one waits for the mutex. */
static long futex(stn_signal *signal, int operation, int number)
{
    return syscall(SYS_futex, &signal->wakes, operation, number, NULL, NULL, 0);
}

static void open_system(stn_signal *signal)
{
    atomic_init(&signal->wakes, 0);
}

void stn_signal_close(stn_signal *signal)
{
    (void)signal;
}

/* The futex is the number of wakes: before the system call, the value may change, and another
 * thread may set `asleep` again to wait for the next value. */
void stn_signal_sleep(stn_signal *signal, uintptr_t value)
{
    const int wakes = atomic_load(&signal->wakes);
    atomic_store(&signal->asleep, 1);
    if (atomic_load(&signal->value) == value)
        (void)futex(signal, FUTEX_WAIT_PRIVATE, wakes);
}

static void wake_sleepers(stn_signal *signal)
{
    atomic_fetch_add(&signal->wakes, 1);
    (void)futex(signal, FUTEX_WAKE_PRIVATE, INT_MAX);
}
#else
static void open_system(stn_signal *signal)
{
    (void)pthread_mutex_init(&signal->mutex, NULL);
    (void)pthread_cond_init(&signal->changed, NULL);
}

void stn_signal_close(stn_signal *signal)
{
    (void)pthread_cond_destroy(&signal->changed);
    (void)pthread_mutex_destroy(&signal->mutex);
}

void stn_signal_sleep(stn_signal *signal, uintptr_t value)
{
    (void)pthread_mutex_lock(&signal->mutex);
    atomic_store(&signal->asleep, 1);
    if (atomic_load(&signal->value) == value)
        (void)pthread_cond_wait(&signal->changed, &signal->mutex);
    (void)pthread_mutex_unlock(&signal->mutex);
}

static void wake_sleepers(stn_signal *signal)
{
    (void)pthread_mutex_lock(&signal->mutex);
    (void)pthread_cond_broadcast(&signal->changed);
    (void)pthread_mutex_unlock(&signal->mutex);
}
#endif

/* ---- signals ---- */

void stn_signal_open(stn_signal *signal, uintptr_t value)
{
    atomic_init(&signal->value, value);
    atomic_init(&signal->asleep, 0);
    open_system(signal);
}

static void wake(stn_signal *signal)
{
    if (atomic_load(&signal->asleep) && atomic_exchange(&signal->asleep, 0))
        wake_sleepers(signal);
}

void stn_signal_set(stn_signal *signal, uintptr_t value)
{
    atomic_store(&signal->value, value);
    wake(signal);
}

int stn_signal_replace(stn_signal *signal, uintptr_t from, uintptr_t to)
{
    if (!atomic_compare_exchange_strong(&signal->value, &from, to))
        return 0;
    wake(signal);
    return 1;
}

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

int stn_signal_poll(const stn_signal *signal, uintptr_t value, int polls)
{
    for (int k = 0; k < polls; k++) {
        if (stn_signal_get(signal) != value)
            return 1;
        pause_briefly();
    }
    return 0;
}
