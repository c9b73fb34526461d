/* Execution of a launch. */
#ifndef STENO_CONTRACT_MODEL_MODEL_H
#define STENO_CONTRACT_MODEL_MODEL_H

#include "contract/isa/code.h"
#include "steno/contract_model.h"

/* Distribution of elements over threads: threads with an element are in the first blocks. */
typedef struct stn_gpu_shape {
    int64_t full;        /* blocks in which every thread has an element */
    int64_t rest;        /* threads with an element in the next block */
    int64_t warps, busy; /* launched warps, and those with an element */
} stn_gpu_shape;

stn_gpu_shape stn_launch_shape(const stn_gpu_launch *launch);

enum { STN_UNTOLD = -1 };

/* model.c: executions of each instruction by all warps; STN_UNTOLD if a branch may skip it.
 * STN_ERR_UNSUPPORTED. */
STN_PRIVATE_API stn_status stn_code_executions(const stn_code *code, const stn_gpu_launch *launch,
                                               int64_t *times);

/* sectors.c: computes sectors, misses and bytes. */
stn_status stn_code_sectors(const stn_code *code, const stn_gpu_launch *launch,
                            stn_gpu_counts *counts);

#endif
