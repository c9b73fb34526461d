/* steno solve --equilibrate: the system R A C z = R b with x = C z. */
#ifndef STENO_CLI_EQUILIBRATE_H
#define STENO_CLI_EQUILIBRATE_H

#include "solve.h"

/* Replaces job->csr by R A C, and keeps the matrix as given. */
stn_status equilibrate_matrix(solve_job *job);
void equilibrate_release(solve_job *job);

/* Stores the z whose x consists of ones in job->x. */
stn_status equilibrate_ones(const solve_job *job);

/* |b - A x| / |b| of the system as given with b = A 1, for the z in job->x. */
stn_status equilibrate_residual(const solve_job *job, double *residual);

#endif
