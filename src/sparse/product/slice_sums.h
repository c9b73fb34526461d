/* Sums of the rows of slices, in loops compiled for each format. */
#ifndef STENO_SPARSE_PRODUCT_SLICE_SUMS_H
#define STENO_SPARSE_PRODUCT_SLICE_SUMS_H

#include "format/run.h"
#include "sparse/product/row_sums.h"
#include "sparse/kinds/packed.h"
#include "sparse/kinds/slice.h"

typedef struct stn_slices {
    const int64_t *start; /* of each slice: codes and words */
    const int32_t *word;
    const void *codes;
    const stn_run *run;              /* of the codes */
    int64_t count;                   /* number of codes */
    const stn_row_entries *entries;  /* their arithmetic, run and codes */
    const stn_packed_values *packed; /* instead of `codes` and `run`, or NULL */
} stn_slices;

/* sums[r] is the sum of row first + r, for `count` rows. `first` is the first row of a slice, and
 * `sums` has capacity for all rows of the last slice. */
typedef void stn_sum_slices(double *sums, const stn_slices *slices, int64_t first, int64_t count,
                            const void *x);

/* The loops for a real built-in format on an instruction set. */
typedef struct stn_slice_loops {
    stn_sum_slices *f64, *f32;
} stn_slice_loops;

/* The loops for packed slices on the chosen instruction set, or NULL. */
stn_sum_slices *stn_packed_sums_of(stn_format arithmetic);

/* The same for one slice whose rows are stored consecutively. */
void stn_sum_consecutive(double *sums, const stn_slices *slices, int64_t first, const void *x);

#endif
