/* What the actions of `steno contract` share. */
#ifndef STENO_CLI_CONTRACT_H
#define STENO_CLI_CONTRACT_H

#include <stdio.h>

#include "contract/check/expect.h"

stn_status contract_report(int argc, char **argv);
stn_status contract_check(int argc, char **argv);
stn_status contract_diff(int argc, char **argv);
stn_status contract_cubin(int argc, char **argv);
stn_status contract_alignment(int argc, char **argv);

/* Takes the word of --loop: main, none, a number; `all` gives LOOP_ALL. */
enum { LOOP_ALL = -3 };
stn_status contract_parse_loop(const char *word, int32_t *loop);

/* Opens the only file that argv has after its options. */
stn_status contract_open_only(int argc, char **argv, stn_image **image);

/* Functions whose symbol is `name`, or whose name matches it as /expression/; all for NULL. */
typedef struct contract_choice {
    int32_t *functions;
    int32_t count;
} contract_choice;

/* STN_ERR_RANGE when there is none. */
stn_status contract_choose(stn_image *image, const char *name, contract_choice *choice);
void contract_choice_release(contract_choice *choice);

/* The file of an archive that a function is in; NULL where there is no archive. */
const char *contract_member(const stn_image *image, int32_t function);

/* A function, one of its loops or all of it, counted. */
typedef struct contract_part {
    stn_function_info function;
    stn_code_counts counts;
    int32_t loop; /* a number or STN_LOOP_NONE */
} contract_part;

stn_status contract_count(stn_image *image, int32_t function, int32_t loop, contract_part *part);
stn_measure contract_measure(const contract_part *part, int32_t quantity);

/* "2x256 1x32"; "-" when there are none. */
void contract_widths(const int32_t *widths, char *text, size_t room);

/* A measure as text: a number, or - where there is none. */
void contract_number(stn_measure measure, char *text, size_t room);

/* What a name from a file may do to a terminal is taken out of it. */
void contract_print_name(const char *name, FILE *file);

#endif
