/* steno bench report. */
#ifndef STENO_CLI_BENCH_REPORT_H
#define STENO_CLI_BENCH_REPORT_H

#include "core/status.h"

/* `argv` begins with the word `report`. */
stn_status bench_report(int argc, char **argv);

#endif
