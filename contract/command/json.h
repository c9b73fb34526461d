/* Counts as JSON, shared by the actions of `steno contract`. */
#ifndef STENO_CONTRACT_COMMAND_JSON_H
#define STENO_CONTRACT_COMMAND_JSON_H

#include <jansson.h>

#include "contract/command/contract.h"

/* Sets the keys file and compiler. */
void contract_json_file(json_t *object, const stn_image *image);

/* symbol, name, target, bytes, loops, main_loop, and an empty array counts. */
json_t *contract_json_function(const stn_function_info *info);

/* Adds the instructions, their classification and the innermost loop around each (or null); for GPU
 * functions also control codes and the number of live registers. */
void contract_json_instructions(json_t *object, const stn_code *code, int has_control);

/* One element of counts: loop (null: the whole function) and every quantity. */
json_t *contract_json_part(const contract_part *part);

json_t *contract_json_name(const char *name);

/* Prints the object on one line and releases it. STN_ERR_MEMORY. */
stn_status contract_json_print(json_t *all);

#endif
