/* Bytes at distinct addresses, and how far an iteration advances. */
#ifndef STENO_CONTRACT_DISTINCT_H
#define STENO_CONTRACT_DISTINCT_H

#include "contract/code.h"

/* Fill distinct_read and distinct_written of a loop or, with STN_LOOP_NONE, of the function. */
stn_status stn_code_distinct(const stn_code *code, int32_t loop, stn_code_counts *counts);

/* Elements that an iteration of the loop advances by, 0 when that cannot be told. */
int32_t stn_code_elements(const stn_code *code, int32_t loop);

#endif
