/* Starts of rows in any representation, and shares of equal work. */
#ifndef STENO_SPARSE_KINDS_STARTS_H
#define STENO_SPARSE_KINDS_STARTS_H

#include "sparse/kinds/indices.h"

typedef struct stn_starts {
    const int64_t *wide;   /* one of these two, or */
    const int32_t *narrow; /* neither of them */
    stn_indices any;
    int64_t rows;
    int is_found; /* `any` contains the row of each entry */
} stn_starts;

/* For a matrix on the host in compressed rows, or of entries sorted by row. The caller has checked
 * its views. */
stn_status stn_starts_init(stn_starts *starts, const char *call, const stn_matrix *csr);

/* The first entry of this row or a later one. */
int64_t stn_starts_find(const stn_starts *starts, int64_t row);

static inline int64_t stn_start_at(const stn_starts *starts, int64_t row)
{
    if (starts->wide)
        return starts->wide[row];
    if (starts->narrow)
        return starts->narrow[row];
    return starts->is_found ? stn_starts_find(starts, row) : stn_index_at(&starts->any, row);
}

/* Starts of `count` rows from this row on: written to `buffer`, or a pointer to the stored array.
 */
const int64_t *stn_starts_read(const stn_starts *starts, int64_t *buffer, int64_t row,
                               int64_t count);

/* Do lengths vary? In a sample, the length differs from that of the previous row in more than one
 * row of 8. Processors predict such lengths wrongly, unless the matrix has so few entries that they
 * remember them from the previous product. */
int stn_starts_are_irregular(const stn_starts *starts);

/* The first row of a share. Shares have equal numbers of entries plus rows. */
int64_t stn_starts_share(const stn_starts *starts, int64_t part, int64_t parts);

#endif
