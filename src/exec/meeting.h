/* Where threads that work together wait for each other, many times in a millisecond. */
#ifndef STENO_EXEC_MEETING_H
#define STENO_EXEC_MEETING_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct stn_meeting {
    _Alignas(64) atomic_uint age; /* times that all have met */
    atomic_int asleep;            /* threads that are, or are about to be */
    atomic_int looks;             /* of a thread before it goes to sleep */
    _Alignas(64) atomic_int here;
    pthread_mutex_t mutex;
    pthread_cond_t all_are_here;
} stn_meeting;

void stn_meeting_open(stn_meeting *meeting);
void stn_meeting_close(stn_meeting *meeting); /* when nobody is there */

/* Wait until each of these parts, in work of stn_exec_run_together, has come here. What a part did
 * before is seen by all behind. A thread looks for some 50 us and sleeps then; where that goes on,
 * as on fewer processors than threads, all sleep nearly at once. */
void stn_meet(stn_meeting *meeting, int parts);

#endif
