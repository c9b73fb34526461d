/* The commands of `steno NAME` and their shared functions. */
#ifndef STENO_CLI_COMMAND_H
#define STENO_CLI_COMMAND_H

#include <getopt.h>
#include <stdint.h>

#include "core/status.h"

/* Each function receives the words from its own name on and prints its result. On failure,
 * stn_error() has the message. */
stn_status command_info(int argc, char **argv);
stn_status command_bench(int argc, char **argv);
stn_status command_tune(int argc, char **argv);
stn_status command_matrix(int argc, char **argv);
stn_status command_solve(int argc, char **argv);
stn_status command_advise(int argc, char **argv);
stn_status command_view(int argc, char **argv);
stn_status command_contract(int argc, char **argv);
stn_status command_pack(int argc, char **argv);
stn_status command_unpack(int argc, char **argv);

/* Exit status of a command that succeeds: 0, or EXIT_SKIPPED if it could check nothing. */
enum { EXIT_SKIPPED = 77 };
extern int command_exit_status;

/* Long options are numbered from here, beyond the letters of short options. */
enum { FIRST_LONG_OPTION = 256 };

/* Returns the next option of `argv` as getopt_long does: -1 after the last one, '?' for an invalid
 * one, whose message is recorded. */
int next_option(int argc, char **argv, const struct option *options);

/* Available memory in bytes, of the machine or of the container, whichever is less. */
double available_memory(void);

/* The name of the processor, or "" if the system does not report it. */
const char *processor_name(void);

/* Size of the largest cache in bytes, or 32 MiB if it is unknown. */
double last_cache_bytes(void);

/* STN_ERR_MEMORY unless about `bytes` are available. Called before memory is touched, because
 * systems overcommit. */
stn_status expect_memory(double bytes, const char *what);

#endif
