/* Whether a launch should wake threads that sleep. That takes the calling thread several
 * microseconds for each, and they begin tens of microseconds later: a short launch is over by then.
 */
#ifndef STENO_EXEC_THREADS_WAKE_H
#define STENO_EXEC_THREADS_WAKE_H

#include <stdint.h>

/* Should the launch that the calling thread begins now wake threads? Not if that was useless for
 * its last launches that met sleeping threads, and this launch does not follow one of them closely.
 */
int stn_wake_is_useful(int64_t now);

/* Reports a launch that met sleeping threads: whether it woke them, when it began and ended, and
 * the time that one thread would have taken. */
void stn_wake_report(int has_woken, int64_t begin, int64_t end, int64_t alone);

#endif
