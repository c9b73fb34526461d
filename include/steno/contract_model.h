/** @file
 * Number of executed instructions and cache requests of a CUDA kernel launch, derived from the
 * machine code of the kernel and the shape of the launch.
 *
 * Neither a GPU nor a run is required. doc/alignment.md contains the formulas and their sources.
 * The function is in libsteno_contract.
 */
#ifndef STENO_CONTRACT_MODEL_H
#define STENO_CONTRACT_MODEL_H

#include "steno/detail/macro_check.h"
#include "steno/contract.h"

STN_BEGIN_DECLS

/** Constants of NVIDIA GPUs. */
enum {
    STN_WARP_THREADS = 32, /**< Threads of a warp. */
    STN_SECTOR_BYTES = 32  /**< Bytes of a sector, the unit that caches transfer. */
};

/** Shape of a launch. Thread i, counted over all blocks, processes element i of each array. */
typedef struct stn_gpu_launch {
    size_t size;      /**< Size of this struct in bytes. */
    int64_t blocks;   /**< Number of blocks; of a grid with several dimensions, the product. */
    int64_t elements; /**< Threads from this index on leave at the bounds check of the kernel. */
    int32_t threads;  /**< Threads per block, 1 to 1024; the product of the dimensions. */
    /** Distance of consecutive elements in bytes. 0: for each array, the total size of a thread's
     * accesses to it. */
    int32_t stride;
    int32_t
        offset; /**< Offset of the arrays from a multiple of 32 bytes; 0 for memory from CUDA. */
} stn_gpu_launch;
/** Initializer of stn_gpu_launch. */
#define STN_GPU_LAUNCH_INIT STN_INIT(stn_gpu_launch)

/** Quantities of a launch. Unless stated otherwise, they count warps: an instruction counts once
 * per warp that executes it. */
typedef struct stn_gpu_counts {
    size_t size;                      /**< Size of this struct in bytes. */
    int64_t warps;                    /**< Warps launched. */
    int64_t instructions;             /**< Instructions executed. */
    int64_t global_loads;             /**< Loads from global memory. */
    int64_t global_stores;            /**< Stores to global memory. */
    int64_t local_loads;              /**< Loads from local memory. */
    int64_t local_stores;             /**< Stores to local memory. */
    int64_t load_requests;            /**< Requests to the L1 cache: one per load. */
    int64_t store_requests;           /**< Requests to the L1 cache: one per store. */
    int64_t load_sectors;             /**< Sectors of 32 bytes accessed, summed over all loads. */
    int64_t store_sectors;            /**< Sectors of 32 bytes accessed, summed over all stores. */
    int64_t load_misses;              /**< Distinct sectors loaded: misses of caches that were
                                       * empty; or STN_CONTRACT_UNKNOWN. */
    int64_t store_misses;             /**< Distinct sectors stored; or STN_CONTRACT_UNKNOWN. */
    int64_t load_bytes;               /**< Bytes requested by the loads of all threads. */
    int64_t store_bytes;              /**< Bytes requested by the stores of all threads. */
    double load_sectors_per_request;  /**< `load_sectors` divided by `load_requests`. */
    double store_sectors_per_request; /**< `store_sectors` divided by `store_requests`. */
    double load_efficiency;           /**< `load_bytes` divided by the bytes of `load_sectors`: 0 to
                                       * 1 unless addresses repeat; 0 without loads. */
    double store_efficiency;          /**< The same for stores. */
    double load_hits;                 /**< Fraction of `load_sectors` that a previous instruction
                                       * loaded; or STN_CONTRACT_UNKNOWN. */
} stn_gpu_counts;
/** Initializer of stn_gpu_counts. */
#define STN_GPU_COUNTS_INIT STN_INIT(stn_gpu_counts)

/** Computes the quantities of a launch.
 * @param image        the image
 * @param function     index of the kernel in the image
 * @param launch       shape of the launch
 * @param[out] counts  the quantities
 * @retval STN_ERR_ARGUMENT     the launch is invalid
 * @retval STN_ERR_RANGE        the image has no such function
 * @retval STN_ERR_UNSUPPORTED  the code alone does not determine the quantities: it has loops,
 *                              calls, unknown instructions, conditional accesses, branches other
 *                              than leaving at a bounds check or around code without memory
 *                              accesses, or several bounds checks at which the threads from
 *                              `elements` on could leave
 * @retval STN_ERR_MEMORY       out of memory */
STN_API stn_status stn_image_model(stn_image *image, int32_t function, const stn_gpu_launch *launch,
                                   stn_gpu_counts *counts);

STN_END_DECLS

#endif
