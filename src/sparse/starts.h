/* Where rows of entries begin, however that is stored, and even shares of them. */
#ifndef STENO_SPARSE_STARTS_H
#define STENO_SPARSE_STARTS_H

#include "sparse/indices.h"

typedef struct stn_starts {
    const int64_t *wide;   /* one of these, or */
    const int32_t *narrow; /* neither */
    stn_indices any;
    int64_t rows;
    int is_found; /* `any` is the row of each entry */
} stn_starts;

/* Of a matrix in compressed rows, or of entries whose rows ascend, on the host, whose views have
 * been checked. */
stn_status stn_starts_make(stn_starts *starts, const char *call, const stn_matrix *csr);

/* The first entry of this row or one behind it. */
int64_t stn_starts_find(const stn_starts *starts, int64_t row);

static inline int64_t stn_start_at(const stn_starts *starts, int64_t row)
{
    if (starts->wide)
        return starts->wide[row];
    if (starts->narrow)
        return starts->narrow[row];
    return starts->is_found ? stn_starts_find(starts, row) : stn_index_at(&starts->any, row);
}

/* `count` of them from this row on, in `room` or where they lie. */
const int64_t *stn_starts_read(const stn_starts *starts, int64_t *room, int64_t row, int64_t count);

/* The first row of a share, of which all have as many entries and rows together. */
int64_t stn_starts_share(const stn_starts *starts, int64_t part, int64_t parts);

#endif
