/* The part of `steno info` about the threads of executors `threads`. */
#ifndef STENO_CLI_POOL_H
#define STENO_CLI_POOL_H

#include <jansson.h>

#include "exec/processors.h"

/* Prints the default number of threads, its source, and how threads of the pool wait. */
void pool_print(const stn_processors *processors);

/* The same as an object. */
json_t *pool_to_json(const stn_processors *processors);

#endif
