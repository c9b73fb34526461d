/* Number of forks. */
#include "exec/forks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint forks;

static void count_fork(void)
{
    atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
}

static void watch(void)
{
    (void)pthread_atfork(NULL, NULL, count_fork);
}

void stn_forks_watch(void)
{
    static pthread_once_t watching = PTHREAD_ONCE_INIT;
    (void)pthread_once(&watching, watch);
}

unsigned stn_forks(void)
{
    return atomic_load_explicit(&forks, memory_order_relaxed);
}
