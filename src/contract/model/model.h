/* What a launch executes. */
#ifndef STENO_CONTRACT_MODEL_MODEL_H
#define STENO_CONTRACT_MODEL_MODEL_H

#include "contract/isa/code.h"
#include "steno/contract_model.h"

/* Where the threads of a launch are: those that have an element are in the first blocks. */
typedef struct stn_gpu_shape {
    int64_t full;        /* blocks of which every thread has an element */
    int64_t rest;        /* threads that have one in the block behind these */
    int64_t warps, busy; /* launched; of them, those with an element */
} stn_gpu_shape;

stn_gpu_shape stn_launch_shape(const stn_gpu_launch *launch);

enum { STN_UNTOLD = -1 };

/* model.c: times that each instruction is executed, by all warps together; STN_UNTOLD where a
 * branch may go around it. STN_ERR_UNSUPPORTED. */
stn_status stn_code_executions(const stn_code *code, const stn_gpu_launch *launch, int64_t *times);

/* sectors.c: fills in sectors, misses and bytes. */
stn_status stn_code_sectors(const stn_code *code, const stn_gpu_launch *launch,
                            stn_gpu_counts *counts);

#endif
