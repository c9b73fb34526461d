/* How busy the processors are with other work: threads that wait for a processor are noticed by the
 * threads of the pool, which then poll briefly and are used only if that saves time. */
#ifndef STENO_EXEC_THREADS_LOAD_H
#define STENO_EXEC_THREADS_LOAD_H

#include <stdint.h>

/* Preemptions of one thread. */
typedef struct stn_preemptions {
    int64_t checked, first; /* times of the last check and of the first of the following */
    long switches;          /* involuntary ones so far, by the system's count */
    int recent;
} stn_preemptions;

/* Called by a thread of the pool between jobs; looks at the system's count once per millisecond. */
void stn_load_watch(stn_preemptions *of_thread);

/* Have threads been preempted repeatedly in the last tenths of a second? */
int stn_load_is_high(void);

/* Should the calling thread do the next work alone, while the load is high? */
int stn_load_favors_one(void);

/* Reports a launch on this number of threads while the load is high: the time that the calling
 * thread worked, and the time until all threads had finished. */
void stn_load_report(int threads, int64_t working, int64_t elapsed);

#endif
