/* steno bench versus. */
#ifndef STENO_CLI_BENCH_VERSUS_H
#define STENO_CLI_BENCH_VERSUS_H

#include "core/status.h"

/* The words from `versus` on. */
stn_status bench_versus(int argc, char **argv);

#endif
