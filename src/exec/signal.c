/* Either the setting thread sees the sleeper, or the sleeper sees the new value: both orders are
 * sequentially consistent. */
#include "exec/signal.h"

void stn_signal_open(stn_signal *signal, uintptr_t value)
{
    atomic_init(&signal->value, value);
    atomic_init(&signal->asleep, 0);
    (void)pthread_mutex_init(&signal->mutex, NULL);
    (void)pthread_cond_init(&signal->changed, NULL);
}

void stn_signal_close(stn_signal *signal)
{
    (void)pthread_cond_destroy(&signal->changed);
    (void)pthread_mutex_destroy(&signal->mutex);
}

static void wake(stn_signal *signal)
{
    if (atomic_load(&signal->asleep) == 0)
        return;
    (void)pthread_mutex_lock(&signal->mutex);
    (void)pthread_cond_broadcast(&signal->changed);
    (void)pthread_mutex_unlock(&signal->mutex);
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

void stn_signal_sleep(stn_signal *signal, uintptr_t value)
{
    (void)pthread_mutex_lock(&signal->mutex);
    atomic_fetch_add(&signal->asleep, 1);
    if (atomic_load(&signal->value) == value)
        (void)pthread_cond_wait(&signal->changed, &signal->mutex);
    atomic_fetch_sub(&signal->asleep, 1);
    (void)pthread_mutex_unlock(&signal->mutex);
}
