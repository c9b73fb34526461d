/* See clock.h. */
#define _POSIX_C_SOURCE 200809L
#include "core/clock.h"

#include <time.h>

static int64_t nanoseconds_of(clockid_t clock)
{
    struct timespec time;
    (void)clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t stn_nanoseconds_now(void)
{
    return nanoseconds_of(CLOCK_MONOTONIC);
}

int64_t stn_nanoseconds_of_thread(void)
{
    return nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double stn_seconds_now(void)
{
    return 1e-9 * (double)stn_nanoseconds_now();
}
