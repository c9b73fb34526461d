/* Several entries for one row and column. */
#ifndef STENO_SPARSE_REPEATED_H
#define STENO_SPARSE_REPEATED_H

#include "sparse/csr.h"

/* STN_ERR_RANGE with both positions where two entries of a row of plain compressed rows have the
 * same column. `order`: the number of each entry in the arrays that they come from. */
stn_status stn_repeated_refuse(const char *call, const stn_csr *rows, const int64_t *order);

/* What values of a storage are summed in: i64, f64 or c128. */
stn_format stn_repeated_wide(const stn_storage *storage);

/* Entries of one place become one, in place, and columns ascend: values are summed, in order, and
 * stored as they were, or stay what they are summed in, for which there is room then. */
stn_status stn_repeated_sum(const stn_exec *exec, stn_csr *rows, int stays_wide);

#endif
