/* The data that kernels are measured on: random, from an equation, or from a file. */
#ifndef STENO_CLI_PROBLEM_H
#define STENO_CLI_PROBLEM_H

#include "settings.h"

/* Shape of the problem that the settings ask for; `file` is the matrix read, or NULL. Allocates
 * nothing: every shape is known to fit before the first is measured. */
stn_status problem_plan(const bench_kernel *kernel, const bench_settings *settings,
                        const stn_market_matrix *file, bench_problem *problem);

/* Fill a planned problem. Random values are uniform in (-0.5, 0.99), the same for every number of
 * threads. */
stn_status problem_fill(const bench_kernel *kernel, const stn_market_matrix *file,
                        bench_problem *problem);
void problem_release(bench_problem *problem);

/* Read the Matrix Market file that the settings name; its values become doubles. */
stn_status problem_read_matrix(const bench_settings *settings, stn_market_matrix *matrix);

/* The values of a real or integer matrix become doubles, where they are. */
void problem_widen(stn_market_matrix *matrix);

/* What arrays must be larger than to be streamed from memory: several times the last cache, as long
 * as a dozen of them fit. */
double problem_large_bytes(void);

#endif
