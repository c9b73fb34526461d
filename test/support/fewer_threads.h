/* The test program run again where it is granted fewer threads than it asks for. */
#ifndef STENO_TEST_FEWER_THREADS_H
#define STENO_TEST_FEWER_THREADS_H

/* To be called first in main: is this such a run? It is to end with 0 when all is well. */
int fewer_threads_here(int count, char **arguments);

/* Run the program once under each limit that OpenMP's environment knows; it reads it only once.
 * Fails, naming the limit, unless every run ends with 0; skipped where it cannot be run, as under
 * an emulator. */
void fewer_threads_try(void);

#endif
