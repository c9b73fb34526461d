/* What the tests of reductions and scans by hand share: executors, views over arrays, bits. */
#ifndef STENO_TEST_REDUCE_CHECK_H
#define STENO_TEST_REDUCE_CHECK_H

#include "check.h"
#include "steno/exec.h"
#include "steno/view.h"

enum { CHECK_EXECS = 4 };
extern stn_exec *check_execs[CHECK_EXECS]; /* reference, and openmp with 1, 3 and 5 threads */

/* Fixtures of cmocka. */
int check_make_execs(void **context);
int check_release_execs(void **context);

stn_view check_view(const char *label, stn_format format, const void *data, int rank,
                    const int64_t *extents, const int64_t *strides);
stn_view check_line(stn_format format, const void *data, int64_t count);

/* The bits of numbers, with one NaN for all. */
uint64_t check_bits(double value);

#endif
