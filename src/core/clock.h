/* A clock that is never set back. */
#ifndef STENO_CORE_CLOCK_H
#define STENO_CORE_CLOCK_H

#include <stdint.h>

/* Since an arbitrary time. */
int64_t stn_nanoseconds_now(void);
double stn_seconds_now(void);

/* Processor time of the calling thread. */
int64_t stn_nanoseconds_of_thread(void);

#endif
