/* Functions shared by the actions of `steno contract`. */
#ifndef STENO_CONTRACT_COMMAND_CONTRACT_H
#define STENO_CONTRACT_COMMAND_CONTRACT_H

#include <stdio.h>

#include "contract/check/expect.h"

stn_status contract_report(int argc, char **argv);
stn_status contract_check(int argc, char **argv);
stn_status contract_diff(int argc, char **argv);
stn_status contract_cubin(int argc, char **argv);
stn_status contract_alignment(int argc, char **argv);

/* Parses the argument of --loop: main, none or a number; `all` yields LOOP_ALL. */
enum { LOOP_ALL = -3 };
stn_status contract_parse_loop(const char *word, int32_t *loop);

/* Opens the only file among the arguments after the options. */
stn_status contract_open_only(int argc, char **argv, stn_image **image);

/* Functions whose symbol is `name`, or whose name matches /expression/; NULL selects all. */
typedef struct contract_choice {
    int32_t *functions;
    int32_t count;
} contract_choice;

/* STN_ERR_RANGE if no function matches. */
stn_status contract_choose(stn_image *image, const char *name, contract_choice *choice);
void contract_choice_release(contract_choice *choice);

/* The file of an archive that contains a function; NULL without an archive. */
const char *contract_member(const stn_image *image, int32_t function);

/* The counts of a function, or of one of its loops. */
typedef struct contract_part {
    stn_function_info function;
    stn_code_counts counts;
    int32_t loop; /* a number or STN_LOOP_NONE */
} contract_part;

stn_status contract_count(stn_image *image, int32_t function, int32_t loop, contract_part *part);
stn_measure contract_measure(const contract_part *part, int32_t quantity);

/* "2x256 1x32"; "-" if empty. */
void contract_widths(const int32_t *widths, char *text, size_t capacity);

/* A measure as text; "-" if it is undefined. */
void contract_number(stn_measure measure, char *text, size_t capacity);

/* Prints a name from a file without control characters. */
void contract_print_name(const char *name, FILE *file);

#endif
