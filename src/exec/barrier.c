/* Barriers. A system call takes as long as the work of a small level, so it is made only if a
 * thread sleeps, which OpenMP's barriers do not check. */
#include "exec/barrier.h"

enum { MAX_POLLS = 2048, MIN_POLLS = 8 };

void stn_barrier_open(stn_barrier *barrier)
{
    stn_signal_open(&barrier->age, 0);
    atomic_init(&barrier->polls, MAX_POLLS);
    atomic_init(&barrier->arrived, 0);
}

void stn_barrier_close(stn_barrier *barrier)
{
    stn_signal_close(&barrier->age);
}

/* Does the age change while the thread polls? If so, all threads have processors. */
static int poll(stn_barrier *barrier, uintptr_t age)
{
    const int polls = atomic_load_explicit(&barrier->polls, memory_order_relaxed);
    const int has_changed = stn_signal_poll(&barrier->age, age, polls);
    if (has_changed && polls < MAX_POLLS)
        atomic_store_explicit(&barrier->polls, 2 * polls, memory_order_relaxed);
    if (!has_changed && polls > MIN_POLLS)
        atomic_store_explicit(&barrier->polls, polls / 4, memory_order_relaxed);
    return has_changed;
}

void stn_barrier_wait(stn_barrier *barrier, int parts)
{
    if (parts == 1)
        return;
    const uintptr_t age = atomic_load_explicit(&barrier->age.value, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == parts) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        stn_signal_set(&barrier->age, age + 1);
    } else if (!poll(barrier, age)) {
        while (stn_signal_get(&barrier->age) == age)
            stn_signal_sleep(&barrier->age, age);
    }
}
