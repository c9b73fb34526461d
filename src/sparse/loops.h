/* Selects the fused loops for a matrix. */
#ifndef STENO_SPARSE_LOOPS_H
#define STENO_SPARSE_LOOPS_H

#include "exec/exec.h"
#include "format/run.h"
#include "sparse/fused.h"
#include "sparse/slice.h"
#include "steno/sparse.h"

enum { STN_ROW_BATCH = 4 * STN_SLICE_ROWS }; /* number of rows whose sums are stored together */

/* The loops for a matrix of this kind with such values, or NULL if there are none. */
stn_sum_rows *stn_sum_rows_of(const stn_exec *exec, stn_matrix_kind kind, const stn_run *run);

#endif
