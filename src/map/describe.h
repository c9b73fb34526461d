/* Description of a launch for a device: its constants, and the storage of each view. */
#ifndef STENO_MAP_DESCRIBE_H
#define STENO_MAP_DESCRIBE_H

#include "exec/constant.h"
#include "exec/scratch.h"
#include "expr/source.h"
#include "map/launch.h"

/* CUDA passes at most 4096 bytes to a kernel: constants and addresses. */
enum { STN_DESCRIBED_NUMBERS = 450, STN_DESCRIBED_ARGUMENTS = 53, STN_DESCRIBED_BYTES = 4096 };

/* Elements of an output in blocks that wait until the kernel has finished: their codes, as a view,
 * whose memory follows that of other views. */
typedef struct stn_described_stage {
    const stn_view *view;
    int64_t begin; /* position of element (0, ...) of the view */
} stn_described_stage;

/* Must be initialized with zeros, including the padding of the source, which is part of a key.
 * It must be released. */
typedef struct stn_description {
    const stn_launch *launch;
    stn_device *device;
    const int *from; /* original dimension of each dimension; NULL: identity */
    int views_rank;  /* rank of the space before merging, if it differs */
    stn_source *source;
    int64_t numbers[STN_DESCRIBED_NUMBERS];
    void *handles[STN_DESCRIBED_ARGUMENTS];
    stn_device_argument arguments[STN_DESCRIBED_ARGUMENTS];
    int count;   /* number of arguments; the first one is the constants */
    char *extra; /* data sent with the launch: scales, and offsets of custom layouts */
    int64_t extra_bytes;
    stn_device_constant *constant; /* copy in device memory */
    stn_device_scratch *words;     /* counters and flags that the kernel writes */
    stn_device_scratch *staged;    /* codes of all stages */
    int stages;
    int64_t staged_count; /* number of these codes */
    stn_described_stage *stage;
    int counted; /* views with counters */
    stn_counters *counters[STN_DESCRIBED_ARGUMENTS];
    uint64_t reach; /* bound on indices and offsets */
} stn_description;

/* Counts the constant, and stores it if it fits. */
int stn_describe_number(stn_description *r, int64_t number);
int stn_describe_bits(stn_description *r, double number);

/* Describes count and extents of the space, and all parameters. STN_ERR_UNSUPPORTED for views
 * that devices do not support or cannot access. */
stn_status stn_describe(stn_description *r, const stn_launch *launch);

/* Describes a view that is not a parameter, with `rank` dimensions of the space from the first
 * one on; `own` is its dimension for each, or -1. */
stn_status stn_describe_view(stn_description *r, const stn_slot *slot, const char *name, int rank,
                             const int *own, stn_source_view *v);

/* Adds device memory, or NULL, as an argument. */
stn_status stn_describe_memory(stn_description *r, const void *memory);

/* Call after the launch has been queued: queues launches that encode the blocks of the staged
 * elements, and keep the other ones. */
stn_status stn_describe_encode(const stn_description *r);

/* Waits for a launch that writes flags or counters: parameters with accesses beyond their radius
 * (unless `beyond` is NULL), and the counters of views. */
stn_status stn_describe_declared(stn_description *r, int *beyond);

/* Releases everything that was acquired for the launch, also after errors. */
void stn_describe_release(stn_description *r);

/* Call after the last constant and the last argument of the text. Adds the additional data,
 * which is sent, and counters: STN_ERR_UNSUPPORTED if there are too many constants. */
stn_status stn_describe_end(stn_description *r);

/* The dimension of the space along which an output has blocks; -1: each block has one element. */
int stn_describe_block_dimension(const stn_description *r, const stn_view *view);

/* The number of neighbors along a dimension that whole accesses of 16 bytes of the widest view
 * move, if a thread may process them together: rows of all views are contiguous, chunks begin at
 * multiples of their accesses, and there are only element-wise accesses. Otherwise 1. */
int stn_describe_neighbors(const stn_description *r, int along);

/* Is the remainder at the end of a row small or empty? */
int stn_describe_is_long(int64_t row, int neighbors);

/* Assigns chunks of neighbors to threads, and computes the number of threads. STN_ERR_UNSUPPORTED
 * for outputs in block formats that would not be written in whole blocks. */
stn_status stn_describe_chunks(stn_description *r);
int64_t stn_describe_work(const stn_description *r);

/* The key of a text: the kernel with its texts, and the storage of its views. */
void stn_describe_key(const stn_description *r, stn_device_key *key);

static inline void stn_describe_part(stn_device_key *key, const void *bytes, size_t size)
{
    key->part[key->count].bytes = bytes;
    key->part[key->count++].size = size;
}

#endif
