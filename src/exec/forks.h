/* Detection of forks. */
#ifndef STENO_EXEC_FORKS_H
#define STENO_EXEC_FORKS_H

/* Forks that led to this process since the first call of stn_forks_watch. */
void stn_forks_watch(void);
unsigned stn_forks(void);

#endif
