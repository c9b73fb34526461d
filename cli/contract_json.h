/* Counts as JSON, which the actions of `steno contract` have in common. */
#ifndef STENO_CLI_CONTRACT_JSON_H
#define STENO_CLI_CONTRACT_JSON_H

#include <jansson.h>

#include "contract.h"

/* Sets the keys file and compiler. */
void contract_json_file(json_t *object, const stn_image *image);

/* symbol, name, target, bytes, loops, main_loop, and counts, which is empty yet. */
json_t *contract_json_function(const stn_function_info *info);

/* Adds the instructions, what each was taken for and the innermost loop around it (null: none); of
 * a GPU's function also control codes and how many registers are live. */
void contract_json_instructions(json_t *object, const stn_code *code, int has_control);

/* One of its counts: loop (null: the whole function) and every quantity. */
json_t *contract_json_part(const contract_part *part);

json_t *contract_json_name(const char *name);

/* Prints it as one line and lets it go. STN_ERR_MEMORY. */
stn_status contract_json_print(json_t *all);

#endif
