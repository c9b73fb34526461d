/* Sparse matrices in one call, for tests: the descriptors of steno/sparse.h from lists of
 * arguments, and the members of handles. Tests release the handles. */
#ifndef STENO_TEST_MATRIX_H
#define STENO_TEST_MATRIX_H

#include "check.h"
#include "order_oracle.h"
#include "sparse/matrix.h"
#include "steno/sparse_operations.h"

/* Group teardown. */
static inline int release_executors(void **unused)
{
    (void)unused;
    order_release_executors();
    return 0;
}

/* Compressed rows with 64-bit starts and 32-bit columns. */
static inline stn_status wrap_csr(stn_matrix **made, const char *label, stn_storage storage,
                                  int64_t rows, int64_t columns, const int64_t *row_start,
                                  const int32_t *column, const void *values)
{
    const stn_csr_arrays arrays = {.size = sizeof arrays,
                                   .label = label,
                                   .rows = rows,
                                   .columns = columns,
                                   .row_start = row_start,
                                   .row_start_format = STN_I64,
                                   .column = column,
                                   .column_format = STN_I32,
                                   .values = values,
                                   .storage = storage};
    return stn_matrix_wrap_csr(made, &arrays);
}

static inline stn_triangular_info triangular_info(const stn_triangular *t)
{
    stn_triangular_info info = STN_TRIANGULAR_INFO_INIT;
    (void)stn_triangular_describe(t, &info);
    return info;
}

/* Below, NULL is an empty view. */
static inline stn_view view_or_empty(const stn_view *view)
{
    return view ? *view : (stn_view){0};
}

static inline stn_status wrap_csr_views(stn_matrix **made, const char *label, int64_t columns,
                                        const stn_view *row_start, const stn_view *column,
                                        const stn_view *values)
{
    const stn_matrix_views views = {.size = sizeof views,
                                    .label = label,
                                    .kind = STN_MATRIX_CSR,
                                    .columns = columns,
                                    .row_start = view_or_empty(row_start),
                                    .column = view_or_empty(column),
                                    .values = view_or_empty(values)};
    return stn_matrix_wrap_views(made, &views);
}

static inline stn_status wrap_coo(stn_matrix **made, const char *label, int64_t rows,
                                  int64_t columns, const stn_view *row, const stn_view *column,
                                  const stn_view *values, stn_matrix_duplicates duplicates)
{
    const stn_matrix_views views = {.size = sizeof views,
                                    .label = label,
                                    .kind = STN_MATRIX_COO,
                                    .rows = rows,
                                    .columns = columns,
                                    .row = view_or_empty(row),
                                    .column = view_or_empty(column),
                                    .values = view_or_empty(values),
                                    .duplicates = duplicates};
    return stn_matrix_wrap_views(made, &views);
}

static inline stn_status wrap_ell(stn_matrix **made, const char *label, int64_t columns,
                                  const stn_view *column, const stn_view *values)
{
    const stn_matrix_views views = {.size = sizeof views,
                                    .label = label,
                                    .kind = STN_MATRIX_ELL,
                                    .columns = columns,
                                    .column = view_or_empty(column),
                                    .values = view_or_empty(values)};
    return stn_matrix_wrap_views(made, &views);
}

static inline stn_status wrap_sell(stn_matrix **made, const char *label, int64_t rows,
                                   int64_t columns, int64_t height, const stn_view *slice_start,
                                   const stn_view *row_position, const stn_view *column,
                                   const stn_view *values)
{
    const stn_matrix_views views = {.size = sizeof views,
                                    .label = label,
                                    .kind = STN_MATRIX_SELL,
                                    .rows = rows,
                                    .columns = columns,
                                    .slice_start = view_or_empty(slice_start),
                                    .row_position = view_or_empty(row_position),
                                    .column = view_or_empty(column),
                                    .values = view_or_empty(values),
                                    .height = height};
    return stn_matrix_wrap_views(made, &views);
}

#endif
