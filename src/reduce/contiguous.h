/* A thread's workspace for one output. */
#ifndef STENO_REDUCE_CONTIGUOUS_H
#define STENO_REDUCE_CONTIGUOUS_H

#include "reduce/job.h"

enum { STN_CONTIGUOUS_BYTES = 192 << 10 }; /* bytes of the values of all views */

_Static_assert(2 * STN_EXACT_TILES * STN_TILE_ELEMENTS * sizeof(double) <= STN_CONTIGUOUS_BYTES,
               "chunks of codes of two views fit");

typedef struct stn_contiguous {
    _Alignas(64) char values[STN_CONTIGUOUS_BYTES];
    _Alignas(64) char mapped[STN_TILE_ELEMENTS * STN_MAPPED_BYTES];
    _Alignas(64) char states[(STN_PANEL_TILES + 1) * STN_PANEL_COLUMNS * STN_STATE_BYTES];
    int64_t output;
    int64_t rank, ranked_at; /* best extreme of the output (order/extremes.h), and its chunk */
    int64_t position[STN_MAX_PARAMETERS]; /* of its first element */
    int64_t repeated[STN_MAX_PARAMETERS]; /* position of the element that fills a tile */
    int64_t filled;                       /* number of elements it fills */
    int64_t each;                         /* bytes of values per view */
    stn_panel panel;
} stn_contiguous;

/* The beginning of a thread's workspace. */
stn_contiguous *stn_contiguous_begin(const stn_reduce_job *job, stn_workspace *workspace);
void stn_contiguous_find(const stn_reduce_job *job, stn_contiguous *buffer, int64_t output);

/* Maps elements e to e + count - 1 of the output, into `mapped` or in place: within a row up to
 * the capacity given by `each`, across rows up to a tile. */
const void *stn_contiguous_map(const stn_reduce_job *job, stn_contiguous *buffer, int64_t e,
                               int64_t count, void *mapped);

#endif
