/* Rows of a matrix in compressed rows, of entries sorted by row, or in slices, in any form: where
 * their entries are, and their sums. */
#ifndef STENO_SPARSE_PRODUCT_SOURCE_H
#define STENO_SPARSE_PRODUCT_SOURCE_H

#include "sparse/product/row_sums.h"
#include "sparse/product/slice_sums.h"
#include "sparse/kinds/starts.h"

typedef struct stn_row_source {
    const stn_matrix *a;
    stn_row_entries entries; /* compressed rows, and entries sorted by row */
    stn_starts starts;
    stn_indices indices;
    stn_run run; /* of the values */
    stn_reader values, scales;
    int is_scaled;
    stn_view views[STN_ARRAYS];
    stn_slices slices;
    stn_packed_values packed;   /* of a packed matrix */
    stn_sum_slices *sum_slices; /* NULL: not in slices */
} stn_row_source;

/* Returns whether there are loops over such a matrix for a host executor with threads. Slices have
 * loops for one real right-hand side. */
int stn_source_is_supported(const stn_exec *exec, const stn_matrix *a);

/* Opens a supported matrix, in the modes of core/modes.h. `run` is that of its values, and
 * `arithmetic` that of their parts. The addresses in *source must not change. */
stn_status stn_source_open(stn_row_source *source, const char *call, const stn_exec *exec,
                           stn_format arithmetic, const stn_run *run, const stn_matrix *a);

/* Releases the decoded dictionary of a packed matrix. Sources of other kinds own nothing. */
void stn_source_close(stn_row_source *source);

/* Sums of `count` rows from `first` on, at most STN_ROW_BATCH unless row starts have 64 bits and
 * rows have no scales. In slices, `first` is the first row
 * of a slice, and `sums` has capacity for all rows of the last slice. */
void stn_source_sum(const stn_row_source *source, const stn_right *right, double *sums,
                    int64_t first, int64_t count);

/* The first row of a share. Shares have equal amounts of work. */
int64_t stn_source_share(const stn_row_source *source, int64_t part, int64_t parts);

#endif
