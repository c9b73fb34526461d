/* What the launch of a CUDA kernel executes and asks of the caches, from its machine code and the
 * shape of the launch: neither a GPU nor a run is needed. Part of libsteno_contract; the formulas
 * and their sources stand in doc/alignment.md. */
#ifndef STENO_CONTRACT_MODEL_H
#define STENO_CONTRACT_MODEL_H

#include "steno/contract.h"

#include "steno/detail/names/hide.h"

STN_BEGIN_DECLS

/* Threads of a warp, and bytes of a sector, which is what caches move. */
enum { STN_WARP_THREADS = 32, STN_SECTOR_BYTES = 32 };

/* Thread i, counted through all blocks, takes element i of each array. */
typedef struct stn_gpu_launch {
    size_t size;      /* of this struct */
    int64_t blocks;   /* of the grid; of several dimensions their product */
    int64_t elements; /* threads from this one on leave at the kernel's bounds check */
    int32_t threads;  /* per block, 1 to 1024; likewise */
    int32_t stride;   /* bytes from an element to the next; 0: of each array, as many as a thread's
                       * accesses of it take together */
    int32_t offset;   /* of the arrays: bytes behind a multiple of 32; 0 for what CUDA allocates */
} stn_gpu_launch;

/* Counts are of warps unless they say otherwise: an instruction counts once for each warp. */
typedef struct stn_gpu_counts {
    size_t size;          /* of this struct */
    int64_t warps;        /* launched */
    int64_t instructions; /* executed, all */
    int64_t global_loads, global_stores;
    int64_t local_loads, local_stores;
    int64_t load_requests, store_requests; /* to L1: one for each executed load or store */
    int64_t load_sectors, store_sectors;   /* of 32 bytes that these touch, each on its own */
    int64_t load_misses, store_misses;     /* sectors that are touched at all: what caches that were
                                            * empty have to fetch. -1: cannot be told */
    int64_t load_bytes, store_bytes;       /* that all threads ask for */
    double load_sectors_per_request, store_sectors_per_request;
    double load_efficiency, store_efficiency; /* bytes asked for, over those of the sectors: 0 to 1
                                               * unless addresses repeat; 0 without any */
    double load_hits; /* of the sectors, those that an earlier instruction brought: 0 to 1; -1 */
} stn_gpu_counts;

/* STN_ERR_ARGUMENT for a launch that is none; STN_ERR_RANGE for a function that is not there;
 * STN_ERR_UNSUPPORTED where counts do not follow from the code alone: loops, branches other than
 * leaving at a bounds check and going around what touches no memory, calls, unknown instructions,
 * accesses under a condition, and several checks of which nobody knows at which the threads beyond
 * `elements` leave; STN_ERR_MEMORY. */
STN_API stn_status stn_image_model(stn_image *image, int32_t function, const stn_gpu_launch *launch,
                                   stn_gpu_counts *counts);

STN_END_DECLS

#include "steno/detail/names/show.h"

#endif
