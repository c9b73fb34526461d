/* Barriers of threads that synchronize many times per millisecond. */
#ifndef STENO_EXEC_BARRIER_H
#define STENO_EXEC_BARRIER_H

#include "exec/signal.h"

typedef struct stn_barrier {
    stn_signal age;   /* number of completed barriers */
    atomic_int polls; /* of a thread before it sleeps */
    _Alignas(64) atomic_int arrived;
} stn_barrier;

void stn_barrier_open(stn_barrier *barrier);
void stn_barrier_close(stn_barrier *barrier); /* no thread may be waiting */

/* Waits until all parts of a stn_exec_run_together have called this. Writes of a part before the
 * call are visible to all parts after it. A thread polls for about 50 us and then sleeps; if
 * this recurs, as with fewer processors than threads, all sleep almost at once. */
void stn_barrier_wait(stn_barrier *barrier, int parts);

#endif
