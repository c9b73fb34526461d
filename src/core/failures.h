/* Detects whether a failed callback of the program recorded a message. */
#ifndef STENO_CORE_FAILURES_H
#define STENO_CORE_FAILURES_H

#include <stdint.h>

/* Number of messages recorded by stn_fail on this thread. */
uint64_t stn_failures(void);

#endif
