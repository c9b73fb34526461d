/* steno bench versus, and of short calls: steno bench small. */
#ifndef STENO_CLI_BENCH_VERSUS_H
#define STENO_CLI_BENCH_VERSUS_H

#include "core/status.h"

/* The words from `versus` or `small` on. */
stn_status bench_versus(int argc, char **argv);

#endif
