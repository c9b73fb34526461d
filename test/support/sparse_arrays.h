/* Small arrays of each kind of sparse matrices for tests of what is refused and converted, and what
 * such tests say. */
#ifndef STENO_TEST_SPARSE_ARRAYS_H
#define STENO_TEST_SPARSE_ARRAYS_H

#include "order_oracle.h"
#include "matrix.h"
#include "steno/sparse.h"
#include "check.h"

__attribute__((unused)) static void says(stn_status is, stn_status wanted, const char *first,
                                         const char *second)
{
    if (is != wanted)
        fail_msg("%s, not %s: '%s'", stn_status_name(is), stn_status_name(wanted), stn_error());
    if (!strstr(stn_error(), first) || !strstr(stn_error(), second))
        fail_msg("'%s' does not say '%s' and '%s'", stn_error(), first, second);
}

/* ---- 3 x 5 with entries (0, 0), (0, 4), (2, 4) ---- */

typedef struct arrays {
    int64_t start[4], slice[3], sorted[3];
    int32_t row[4], column[4], padded[6];
    double values[6], scales[3];
    stn_view starts, slices, sorteds, rows, columns, table, value, value_table, scale, places;
} arrays;

static void wrap(stn_view *view, const char *name, stn_format format, void *data, int64_t count)
{
    expect_ok(stn_view_wrap(view, name, stn_storage_of(format), data, 1, &count));
}

__attribute__((unused)) static void make(arrays *a)
{
    static const int64_t table[2] = {3, 2};
    *a = (arrays){.start = {0, 2, 2, 3},
                  .slice = {0, 4, 6},
                  .sorted = {0, 1, 2},
                  .row = {0, 0, 2},
                  .column = {0, 4, 4},
                  .padded = {0, 4, -1, -1, 4, -1},
                  .values = {1, 2, 3, 4, 5, 6},
                  .scales = {1, 2, 3}};
    wrap(&a->starts, "start", STN_I64, a->start, 4);
    wrap(&a->slices, "slice", STN_I64, a->slice, 3);
    wrap(&a->sorteds, "sorted", STN_I64, a->sorted, 3);
    wrap(&a->rows, "row", STN_I32, a->row, 3);
    wrap(&a->columns, "column", STN_I32, a->column, 3);
    wrap(&a->value, "value", STN_F64, a->values, 3);
    wrap(&a->scale, "scale", STN_F64, a->scales, 3);
    wrap(&a->places, "places", STN_I32, a->padded, 6);
    expect_ok(stn_view_wrap(&a->table, "table", stn_storage_of(STN_I32), a->padded, 2, table));
    expect_ok(
        stn_view_wrap(&a->value_table, "values", stn_storage_of(STN_F64), a->values, 2, table));
}

#endif
