/* Whether a call of a program's own that failed has said why. */
#ifndef STENO_CORE_FAILURES_H
#define STENO_CORE_FAILURES_H

#include <stdint.h>

/* How many sentences stn_fail has recorded on this thread. */
uint64_t stn_failures(void);

#endif
