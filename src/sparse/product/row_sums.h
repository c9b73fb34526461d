/* Sums of rows: of products of their entries and one or several right-hand sides, in the order of
 * doc/order.md. */
#ifndef STENO_SPARSE_PRODUCT_ROW_SUMS_H
#define STENO_SPARSE_PRODUCT_ROW_SUMS_H

#include "sparse/kinds/indices.h"
#include "sparse/kinds/packed.h"
#include "sparse/product/row_tile.h"
#include "sparse/product/tile.h"

enum { STN_ROW_BATCH = 64 }; /* maximum number of rows that are summed together */

/* Columns and values of entries, in any form that has an element for each entry. */
typedef struct stn_row_entries {
    stn_format arithmetic;      /* f64 or f32; of the parts of complex values */
    int64_t parts;              /* of a value: 2 if complex */
    int64_t count;              /* entries that may be read */
    const int32_t *column;      /* or */
    const uint16_t *near;       /* distances from `base`, or */
    const stn_indices *indices; /* a view */
    int32_t base;               /* of `near` */
    const char *codes;          /* contiguous codes, or NULL: `values` */
    const stn_run *run;         /* of the codes */
    const char *planes;         /* without codes: the first plane of segmented values, or NULL */
    const stn_reader *values;
    const stn_packed_values *packed; /* instead of `values`, or NULL */
    int64_t first;                   /* of the entries, in `values` or `packed` */
    int are_in_place;                /* codes, or the first plane alone, have this form: */
    stn_row_form form;
    int are_irregular, is_far, has_gathers; /* row_tile.h */
} stn_row_entries;

/* Right-hand sides: `width` numbers of the arithmetic type for each column, which `tile`
 * multiplies; one without a tile. Two are the parts of a complex number if the values are complex.
 */
typedef struct stn_right {
    const void *x;
    int64_t width;
    stn_sparse_tile *tile;
    const int64_t *steps; /* argument of the tile */
} stn_right;

/* Row r has entries start[r] to start[r + 1] - 1, whose values are multiplied by scale[r] unless
 * `scale` is NULL. `sums` receives `width` sums of each row. */
void stn_sum_rows(const stn_row_entries *entries, const stn_right *right, double *sums,
                  const int64_t *start, const double *scale, int64_t rows);

/* Returns whether the instruction set has these loops. */
int stn_sum_rows_is_supported(void);

#endif
