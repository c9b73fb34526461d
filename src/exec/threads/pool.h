/* The threads of all executors `threads` of this process. */
#ifndef STENO_EXEC_THREADS_POOL_H
#define STENO_EXEC_THREADS_POOL_H

#include "exec/exec.h"

/* ns for which a thread polls before it sleeps: usually, and while the processors are busy. */
enum { STN_POOL_LONG_WAIT = 1000000, STN_POOL_SHORT_WAIT = 5000 };

/* Adds to the number of threads that launches may start, which they do when they need them.
 * Negative for an executor that is released; at 0 all threads end. */
void stn_pool_reserve(int threads);

/* Calls `work` for threads 0 to threads - 1: on the calling thread, and on threads of the pool that
 * no other launch uses. Without enough of them, the calling thread does their work, too. */
void stn_pool_launch(int threads, stn_thread_work *work, void *context);

/* The same, for threads that wait for each other: the number of threads is the number that run. */
void stn_pool_launch_together(int threads, stn_thread_work *work, void *context);

/* Number of threads that have been started and not ended. */
int stn_pool_threads(void);

#endif
