/* Barriers: a call of the system takes as long as the work of a small level, and is made only where
 * somebody sleeps, which OpenMP's barriers do not ask. */
#include "exec/meeting.h"

enum { MOST_LOOKS = 2048, LEAST_LOOKS = 8 }; /* of some 40 to 140 cycles */

void stn_meeting_open(stn_meeting *meeting)
{
    atomic_init(&meeting->age, 0);
    atomic_init(&meeting->asleep, 0);
    atomic_init(&meeting->looks, MOST_LOOKS);
    atomic_init(&meeting->here, 0);
    (void)pthread_mutex_init(&meeting->mutex, NULL);
    (void)pthread_cond_init(&meeting->all_are_here, NULL);
}

void stn_meeting_close(stn_meeting *meeting)
{
    (void)pthread_cond_destroy(&meeting->all_are_here);
    (void)pthread_mutex_destroy(&meeting->mutex);
}

static void pause_for_a_moment(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Either who wakes sees that somebody sleeps, or that one sees the new age: both orders are one. */
static void wake(stn_meeting *meeting, unsigned age)
{
    atomic_store(&meeting->age, age);
    if (atomic_load(&meeting->asleep) == 0)
        return;
    (void)pthread_mutex_lock(&meeting->mutex);
    (void)pthread_cond_broadcast(&meeting->all_are_here);
    (void)pthread_mutex_unlock(&meeting->mutex);
}

static void sleep_through(stn_meeting *meeting, unsigned age)
{
    (void)pthread_mutex_lock(&meeting->mutex);
    atomic_fetch_add(&meeting->asleep, 1);
    while (atomic_load(&meeting->age) == age)
        (void)pthread_cond_wait(&meeting->all_are_here, &meeting->mutex);
    atomic_fetch_sub(&meeting->asleep, 1);
    (void)pthread_mutex_unlock(&meeting->mutex);
}

/* Does the new age come while the thread looks? Where it does, threads have processors. */
static int look(stn_meeting *meeting, unsigned age)
{
    const int looks = atomic_load_explicit(&meeting->looks, memory_order_relaxed);
    for (int k = 0; k < looks; k++) {
        if (atomic_load_explicit(&meeting->age, memory_order_acquire) != age) {
            if (looks < MOST_LOOKS)
                atomic_store_explicit(&meeting->looks, 2 * looks, memory_order_relaxed);
            return 1;
        }
        pause_for_a_moment();
    }
    if (looks > LEAST_LOOKS)
        atomic_store_explicit(&meeting->looks, looks / 4, memory_order_relaxed);
    return 0;
}

void stn_meet(stn_meeting *meeting, int parts)
{
    if (parts == 1)
        return;
    const unsigned age = atomic_load_explicit(&meeting->age, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&meeting->here, 1, memory_order_acq_rel) + 1 == parts) {
        atomic_store_explicit(&meeting->here, 0, memory_order_relaxed);
        wake(meeting, age + 1);
    } else if (!look(meeting, age)) {
        sleep_through(meeting, age);
    }
}
