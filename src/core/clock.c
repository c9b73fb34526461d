/* See clock.h. */
#define _POSIX_C_SOURCE 200809L
#include "core/clock.h"

#include <time.h>

double stn_seconds_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
