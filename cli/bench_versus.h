/* steno bench versus, and steno bench small for short calls. */
#ifndef STENO_CLI_BENCH_VERSUS_H
#define STENO_CLI_BENCH_VERSUS_H

#include "core/status.h"

/* `argv` begins with the word `versus` or `small`. */
stn_status bench_versus(int argc, char **argv);

#endif
