/* Where threads that work together wait for each other, many times in a millisecond. */
#ifndef STENO_EXEC_BARRIER_H
#define STENO_EXEC_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct stn_barrier {
    _Alignas(64) atomic_uint age; /* times that all have met */
    atomic_int asleep;            /* threads that are, or are about to be */
    atomic_int looks;             /* of a thread before it goes to sleep */
    _Alignas(64) atomic_int here;
    pthread_mutex_t mutex;
    pthread_cond_t all_are_here;
} stn_barrier;

void stn_barrier_open(stn_barrier *barrier);
void stn_barrier_close(stn_barrier *barrier); /* when nobody is there */

/* Wait until each of these parts, in work of stn_exec_run_together, has come here. What a part did
 * before is seen by all behind. A thread looks for some 50 us and sleeps then; where that goes on,
 * as on fewer processors than threads, all sleep nearly at once. */
void stn_barrier_wait(stn_barrier *barrier, int parts);

#endif
