/* Several entries with the same row and column. */
#ifndef STENO_SPARSE_KINDS_DUPLICATES_H
#define STENO_SPARSE_KINDS_DUPLICATES_H

#include "sparse/matrix.h"

/* STN_ERR_RANGE, with both positions, if two entries of a row of plain compressed rows have the
 * same column. `order` is the index of each entry in the arrays of the original matrix. */
stn_status stn_duplicates_refuse(const char *call, const stn_matrix *rows, const int64_t *order);

/* The format in which values of a storage are summed: i64, u64, f64 or c128. */
stn_format stn_duplicates_wide_format(const stn_storage *storage);

/* Merges the entries of each position in place, and sorts rows by columns. A value that is not
 * summed keeps its code. Sums of integers without a scale are exact.
 *
 * The storage of the result is that of the matrix, with two exceptions. The values of a pattern are
 * the numbers of entries; they are u32 if one of them exceeds u8. If any values are summed, and
 * `wanted` is the storage that they are converted to afterwards, they are in the format returned by
 * stn_duplicates_wide_format, for which the arrays have capacity.
 *
 * STN_ERR_RANGE   a sum beyond the range of the values' storage, or of integers beyond 64 bits or
 *                 beyond the range of `wanted`, if that is integers without a scale
 * STN_ERR_MEMORY */
stn_status stn_duplicates_sum(const char *call, const stn_exec *exec, stn_matrix *rows,
                              int is_pattern, const stn_storage *wanted);

#endif
