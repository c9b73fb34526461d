/* What a device is told of a launch: its numbers, and each view as it is stored. */
#ifndef STENO_MAP_DESCRIBE_H
#define STENO_MAP_DESCRIBE_H

#include "exec/constant.h"
#include "exec/scratch.h"
#include "expr/source.h"
#include "map/launch.h"

/* What CUDA passes to a kernel is 4096 bytes at most: numbers and addresses. */
enum { STN_DESCRIBED_NUMBERS = 450, STN_DESCRIBED_ARGUMENTS = 53, STN_DESCRIBED_BYTES = 4096 };

/* It begins as zeros but for the source, all of whose bytes are part of a key: they begin as zeros
 * too. It is released in the end. */
typedef struct stn_description {
    const stn_launch *launch;
    stn_device *device;
    const int *from; /* of each dimension, which one of the views' it was; NULL: the same */
    int views_rank;  /* of the space as views have it, where dimensions are not the same */
    stn_source *source;
    int64_t numbers[STN_DESCRIBED_NUMBERS];
    void *handles[STN_DESCRIBED_ARGUMENTS];
    stn_device_argument arguments[STN_DESCRIBED_ARGUMENTS];
    int count;   /* of arguments; the first one is the numbers */
    char *extra; /* scales, and places of custom layouts: what goes along */
    int64_t extra_bytes;
    stn_device_constant *kept; /* the device's memory of it */
    stn_device_scratch *words; /* of what the kernel reports */
    int counted;               /* views with counters */
    stn_counters *counters[STN_DESCRIBED_ARGUMENTS];
    uint64_t reach; /* of indices and places */
} stn_description;

/* Numbers are counted on, and only kept where there is room. */
int stn_describe_number(stn_description *r, int64_t number);
int stn_describe_bits(stn_description *r, double number);

/* Count and extents of the space, and all parameters. STN_ERR_UNSUPPORTED for views that no device
 * computes with, or in other memory. */
stn_status stn_describe(stn_description *r, const stn_launch *launch);

/* A view beside the parameters, of `rank` dimensions of the space from the first one on; `own` says
 * which of its dimensions each is, or -1. */
stn_status stn_describe_view(stn_description *r, const stn_slot *slot, const char *name, int rank,
                             const int *own, stn_source_view *v);

/* Memory of the device's, or none, as an argument. */
stn_status stn_describe_memory(stn_description *r, const void *memory);

/* Wait for a launch that tells something: which parameters were asked for an element beyond their
 * radius, unless `beyond` is NULL, and what the views' counters are to be told. */
stn_status stn_describe_declared(stn_description *r, int *beyond);

/* Give back what was taken for the launch, whatever happened before. */
void stn_describe_release(stn_description *r);

/* After the last number, and the last argument of the text before what goes along, which is sent,
 * and the words that it tells: STN_ERR_UNSUPPORTED when there are too many numbers. */
stn_status stn_describe_end(stn_description *r);

/* How many neighbours along a dimension are 16 bytes of the widest view, where a thread may have so
 * many: rows of all views are contiguous, chunks of so many elements begin at multiples of their
 * bytes, and nothing but elements is asked for. Else 1. */
int stn_describe_neighbours(const stn_description *r, int along);

/* Is what is left over at the end of a row little, or nothing? */
int stn_describe_is_long(int64_t row, int neighbours);

/* Let threads of a kernel have so many; and how many threads there is work for. */
void stn_describe_chunks(stn_description *r);
int64_t stn_describe_work(const stn_description *r);

/* What a text follows from: the kernel with its words, and how its views are stored. */
void stn_describe_key(const stn_description *r, stn_device_key *key);

static inline void stn_describe_part(stn_device_key *key, const void *bytes, size_t size)
{
    key->part[key->count].bytes = bytes;
    key->part[key->count++].size = size;
}

#endif
