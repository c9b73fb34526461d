/* See clock.h. */
#define _POSIX_C_SOURCE 200809L
#include "core/clock.h"

#include <time.h>

int64_t stn_nanoseconds_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

double stn_seconds_now(void)
{
    return 1e-9 * (double)stn_nanoseconds_now();
}
