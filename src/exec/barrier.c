/* Barriers. A system call takes as long as the work of a small level, so it is made only if a
 * thread sleeps, which OpenMP's barriers do not check. */
#include "exec/barrier.h"

enum { MAX_POLLS = 2048, MIN_POLLS = 8 }; /* polls, of about 40 to 140 cycles each */

void stn_barrier_open(stn_barrier *barrier)
{
    atomic_init(&barrier->age, 0);
    atomic_init(&barrier->asleep, 0);
    atomic_init(&barrier->polls, MAX_POLLS);
    atomic_init(&barrier->arrived, 0);
    (void)pthread_mutex_init(&barrier->mutex, NULL);
    (void)pthread_cond_init(&barrier->all_are_present, NULL);
}

void stn_barrier_close(stn_barrier *barrier)
{
    (void)pthread_cond_destroy(&barrier->all_are_present);
    (void)pthread_mutex_destroy(&barrier->mutex);
}

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Either the waking thread sees the sleeper, or the sleeper sees the new age: both orders are
 * sequentially consistent. */
static void wake(stn_barrier *barrier, unsigned age)
{
    atomic_store(&barrier->age, age);
    if (atomic_load(&barrier->asleep) == 0)
        return;
    (void)pthread_mutex_lock(&barrier->mutex);
    (void)pthread_cond_broadcast(&barrier->all_are_present);
    (void)pthread_mutex_unlock(&barrier->mutex);
}

static void sleep_through(stn_barrier *barrier, unsigned age)
{
    (void)pthread_mutex_lock(&barrier->mutex);
    atomic_fetch_add(&barrier->asleep, 1);
    while (atomic_load(&barrier->age) == age)
        (void)pthread_cond_wait(&barrier->all_are_present, &barrier->mutex);
    atomic_fetch_sub(&barrier->asleep, 1);
    (void)pthread_mutex_unlock(&barrier->mutex);
}

/* Does the age change while the thread polls? If so, all threads have processors. */
static int poll(stn_barrier *barrier, unsigned age)
{
    const int polls = atomic_load_explicit(&barrier->polls, memory_order_relaxed);
    for (int k = 0; k < polls; k++) {
        if (atomic_load_explicit(&barrier->age, memory_order_acquire) != age) {
            if (polls < MAX_POLLS)
                atomic_store_explicit(&barrier->polls, 2 * polls, memory_order_relaxed);
            return 1;
        }
        pause_briefly();
    }
    if (polls > MIN_POLLS)
        atomic_store_explicit(&barrier->polls, polls / 4, memory_order_relaxed);
    return 0;
}

void stn_barrier_wait(stn_barrier *barrier, int parts)
{
    if (parts == 1)
        return;
    const unsigned age = atomic_load_explicit(&barrier->age, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == parts) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        wake(barrier, age + 1);
    } else if (!poll(barrier, age)) {
        sleep_through(barrier, age);
    }
}
