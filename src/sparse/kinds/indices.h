/* Arrays of indices in views: reading in pieces, and checks. */
#ifndef STENO_SPARSE_KINDS_INDICES_H
#define STENO_SPARSE_KINDS_INDICES_H

#include "sparse/matrix.h"
#include "view/reader.h"

enum { STN_INDICES = 512 }; /* capacity of a piece */

typedef struct stn_indices {
    const char *call, *matrix, *what; /* for messages */
    stn_reader reader;
    int64_t count; /* extent of the first dimension */
} stn_indices;

/* The view must have the given rank, be in host memory and contain integers without scales.
 * STN_ERR_ARGUMENT, STN_ERR_SHAPE, STN_ERR_UNSUPPORTED, STN_ERR_FORMAT. */
stn_status stn_indices_init(stn_indices *result, const char *call, const char *matrix,
                            const char *what, const stn_view *view, int rank);

/* Reads `count` indices, at most STN_INDICES, from element k on, at intervals of `step`. */
static inline void stn_indices_read(const stn_indices *indices, int64_t *numbers, int64_t k,
                                    int64_t step, int64_t count)
{
    const int64_t one = indices->reader.steps[0];
    stn_read(&indices->reader, numbers, k * one, step * one, count);
}

/* Reads one index. */
static inline int64_t stn_index_at(const stn_indices *indices, int64_t k)
{
    int64_t number;
    stn_indices_read(indices, &number, k, 1, 1);
    return number;
}

#endif
