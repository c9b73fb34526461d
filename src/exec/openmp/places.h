/* Places of OpenMP's threads (OMP_PROC_BIND, OMP_PLACES). Threads of the pool are bound to them,
 * too: OpenMP binds the program's first thread, whose affinity mask its new threads would have. */
#ifndef STENO_EXEC_OPENMP_PLACES_H
#define STENO_EXEC_OPENMP_PLACES_H

#include "core/status.h"

#include <pthread.h>

/* Number of places if OpenMP binds threads to different places; 0 if not, and without OpenMP. */
STN_PRIVATE_API int stn_places_count(void);

/* Number of processors in all places. */
int stn_places_processors(void);

/* Binds thread `thread` of `threads` to its place. */
void stn_places_bind(pthread_t id, int thread, int threads);

#endif
