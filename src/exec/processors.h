/* The number of threads that an executor has if its resource string does not say it. */
#ifndef STENO_EXEC_PROCESSORS_H
#define STENO_EXEC_PROCESSORS_H

#include "core/status.h"

/* STENO_NUM_THREADS; 0 if it is not set. STN_ERR_ARGUMENT unless it is from 1 to 1024. */
stn_status stn_processors_requested(const char *resource, int *threads);

/* The first of these that is set: STENO_NUM_THREADS; the first number of OMP_NUM_THREADS, at most
 * 1024; the smaller one of the number of processors in the affinity mask of the calling thread and
 * of the quota of its control groups, rounded down, but at least 1. */
stn_status stn_processors_default(const char *resource, int *threads);

/* The default number of threads, and what determines it. */
typedef struct stn_processors {
    int threads;
    int allowed;        /* stn_processors_allowed() */
    double quota;       /* stn_processors_quota("") */
    const char *source; /* of `threads`: "variable NAME", "affinity mask" or "CPU quota" */
} stn_processors;

/* STN_ERR_ARGUMENT as stn_processors_requested. */
STN_PRIVATE_API stn_status stn_processors_describe(const char *resource, stn_processors *result);

/* Processors in the affinity mask of the calling thread; or in OpenMP's places, if it binds threads
 * (exec/openmp/places.h). */
int stn_processors_allowed(void);

/* Processors' time that the control groups of this process (version 2 or 1) grant it, as a number
 * of processors; infinite without a limit. `root` precedes /proc, which is read ("" for the
 * system's), and the mount points of the control groups. */
double stn_processors_quota(const char *root);

#endif
