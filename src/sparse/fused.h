/* Fused loops over the rows of sparse matrices. */
#ifndef STENO_SPARSE_FUSED_H
#define STENO_SPARSE_FUSED_H

#include "format/run.h"
#include "sparse/short_rows.h"

/* The arrays of a sparse matrix, as the loops read them: compressed rows or slices. */
typedef struct stn_rows {
    const int64_t *start;
    const int32_t *index;
    const void *codes;
    const stn_run *run;  /* of the codes */
    int64_t entries;     /* number of codes, and of columns of compressed rows */
    int64_t x_bytes;     /* size of x */
    int are_irregular;   /* lengths of rows that processors cannot predict; compressed rows only */
    const double *scale; /* of each row from row 0 on, or NULL; compressed rows only */
} stn_rows;

/* sums[r] is the sum of codes[k] * x[column[k]] over row first + r, in the order of doc/order.md,
 * for `count` rows. In slices, `first` is the first row of a slice, and `sums` has capacity for
 * all rows of the last slice. */
typedef void stn_sum_rows(double *sums, const stn_rows *rows, int64_t first, int64_t count,
                          const void *x);

/* The loops over slices for a real built-in format on an instruction set. */
typedef struct stn_sparse_fused {
    stn_sum_rows *slices_f64, *slices_f32;
} stn_sparse_fused;

/* Compressed rows of any real built-in format; the processor must have loops over short rows. */
stn_sum_rows stn_sum_compressed_rows;

#endif
