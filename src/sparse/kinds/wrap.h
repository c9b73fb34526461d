/* Shared parts of functions that create matrices from views. */
#ifndef STENO_SPARSE_KINDS_WRAP_H
#define STENO_SPARSE_KINDS_WRAP_H

#include "sparse/kinds/indices.h"

/* For messages about a matrix that does not exist yet. */
static inline const char *stn_wrap_name(const char *label)
{
    return label ? label : "without a label";
}

/* ELL and SELL. The scalar members and the columns of *result are those of `views`. */
stn_status stn_wrap_ell(stn_matrix *result, const char *call, const stn_matrix_views *views);
stn_status stn_wrap_sell(stn_matrix *result, const char *call, const stn_matrix_views *views);

/* STN_ERR_SHAPE for an invalid size. */
stn_status stn_wrap_expect_size(const char *call, const char *label, int64_t rows, int64_t columns);

/* STN_ERR_RANGE unless the numbers ascend from 0; *last is the last one. */
stn_status stn_wrap_expect_ascending(const stn_indices *starts, const char *of_what, int64_t *last);

/* The position of the first number that is not in 0 to limit - 1; their count if there is none. */
int64_t stn_wrap_first_outside(const stn_indices *indices, int64_t limit, int64_t *number);

stn_status stn_wrap_refuse_column(const stn_indices *columns, int64_t row, int64_t entry,
                                  int64_t number, int64_t limit);

/* STN_ERR_SHAPE unless `rows` is 0 or the number of rows of the arrays. */
stn_status stn_wrap_expect_rows(const char *call, const stn_matrix *result, int64_t rows);

/* Sets codes and storage from a view with the same extents as the columns; an empty view is a
 * pattern. */
stn_status stn_wrap_values(stn_matrix *result, const char *call, const stn_view *values);

#endif
