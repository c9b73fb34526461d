/* The commands behind `steno NAME`, and what they share. */
#ifndef STENO_CLI_COMMAND_H
#define STENO_CLI_COMMAND_H

#include <getopt.h>
#include <stdint.h>

#include "core/status.h"

/* Each gets the words from its own name on, prints its result, and leaves the sentence of a failure
 * to stn_error(). */
stn_status command_info(int argc, char **argv);
stn_status command_bench(int argc, char **argv);
stn_status command_tune(int argc, char **argv);
stn_status command_matrix(int argc, char **argv);
stn_status command_solve(int argc, char **argv);
stn_status command_view(int argc, char **argv);
stn_status command_contract(int argc, char **argv);

/* Exit status of a command that succeeds: 0, or EXIT_SKIPPED when it could check nothing. */
enum { EXIT_SKIPPED = 77 };
extern int command_exit_status;

/* Long options are numbered from here, beyond every letter of a short one. */
enum { FIRST_LONG_OPTION = 256 };

/* The next option of `argv`, as getopt_long gives it; -1 after the last one and '?' after an
 * unusable one, with the sentence recorded. */
int next_option(int argc, char **argv, const struct option *options);

/* Bytes of memory that the machine has available, or a container's limit where that is less. */
double available_memory(void);

/* Bytes of the largest cache, or 32 MiB where the system does not tell. */
double last_cache_bytes(void);

/* STN_ERR_MEMORY unless about `bytes` can be had, which is asked before touching any of them:
 * systems promise memory that is not there. */
stn_status expect_memory(double bytes, const char *what);

#endif
