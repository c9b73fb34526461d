/* Data sent with a launch on a device: scales, offsets of custom layouts, and counters and flags
 * that kernels write. */
#ifndef STENO_MAP_ALONG_H
#define STENO_MAP_ALONG_H

#include "map/describe.h"
#include "view/layout/mapping.h"

/* A view, and its dimension for each dimension of the space, from the first one on; -1: none. */
typedef struct stn_described {
    const stn_slot *slot;
    const char *name;
    int rank; /* of the offset of an element */
    int own[STN_MAX_RANK];
    int is_permuted; /* and element numbers are those of the view */
    int is_staged;   /* elements in blocks are stored in any order */
} stn_described;

/* Number of elements between neighbors along a dimension of the mapping, in C order. */
int64_t stn_described_step(const stn_mapping *mapping, int dimension);

/* Adds the scales and offsets of a view, if any. */
stn_status stn_describe_along(stn_description *r, const stn_described *of, stn_source_view *v);

/* Counts events of stores to the view. */
void stn_describe_counters(stn_description *r, stn_counters *counters, stn_source_view *v);

/* Reserves the codes of a view whose elements are staged. */
stn_status stn_describe_stage(stn_description *r, const stn_view *view, stn_source_view *v);

/* Adds a handle as an argument. */
void stn_describe_argument(stn_description *r);

/* Sends the data as the last arguments. */
stn_status stn_describe_send(stn_description *r);

#endif
