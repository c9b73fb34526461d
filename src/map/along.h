/* What goes along with a launch on a device: scales, places of custom layouts, and words that
 * kernels write. */
#ifndef STENO_MAP_ALONG_H
#define STENO_MAP_ALONG_H

#include "map/describe.h"
#include "view/layout/mapping.h"

/* A view, and which of its dimensions each one of the space is, from the first one on; -1: none. */
typedef struct stn_described {
    const stn_slot *slot;
    const char *name;
    int rank; /* of what an element's place is found by */
    int own[STN_MAX_RANK];
    int is_permuted; /* and numbers of elements are those that the view has */
} stn_described;

/* Elements of the whole between neighbours along a dimension of the mapping, in C order. */
int64_t stn_described_step(const stn_mapping *mapping, int dimension);

/* A view's scales and places, where it has some. */
stn_status stn_describe_along(stn_description *r, const stn_described *of, stn_source_view *v);

/* Count what is stored in the view. */
void stn_describe_counters(stn_description *r, stn_counters *counters, stn_source_view *v);

/* A handle as an argument. */
void stn_describe_argument(stn_description *r);

/* All of it to the device, as its last arguments. */
stn_status stn_describe_send(stn_description *r);

#endif
