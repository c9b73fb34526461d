/* The input data of kernels: random, from an equation, or from a file. */
#ifndef STENO_CLI_PROBLEM_H
#define STENO_CLI_PROBLEM_H

#include "settings.h"

/* Shape of the problem for these settings; `file` is the matrix that was read, or NULL. Allocates
 * nothing, so that all shapes are checked before the first measurement. */
stn_status problem_plan(const bench_kernel *kernel, const bench_settings *settings,
                        const stn_market_matrix *file, bench_problem *problem);

/* Fills a planned problem. Random values are uniform in (-0.5, 0.99) and do not depend on the
 * number of threads. */
stn_status problem_fill(const bench_kernel *kernel, const stn_market_matrix *file,
                        bench_problem *problem);
void problem_release(bench_problem *problem);

/* Reads the Matrix Market file of the settings and converts its values to doubles. */
stn_status problem_read_matrix(const bench_settings *settings, stn_market_matrix *matrix);

/* Converts the values of a real or integer matrix to doubles in place. */
void problem_widen(stn_market_matrix *matrix);

/* Minimum size of arrays that are streamed from memory: several times the last-level cache, as long
 * as a dozen of them fit into memory. */
double problem_large_bytes(void);

#endif
