/* Two triangular systems in a common order, solved in sequence. */
#ifndef STENO_SPARSE_OPS_TRIANGULAR_PAIR_H
#define STENO_SPARSE_OPS_TRIANGULAR_PAIR_H

#include "sparse/ops/triangular.h"

typedef struct stn_triangular_pair {
    const stn_triangular *lower, *upper; /* with unit diagonals, in the same levels */
    const stn_view *divisors;            /* in that order */
} stn_triangular_pair;

/* x = U^-1 (D^-1 (L^-1 b)), with the same bits as stn_triangular_solve, a division and
 * stn_triangular_solve, in one pass that reads b once and writes x once. *is_done is set to 0, and
 * nothing is written, if there are no loops for it: complex arithmetic, executors without host
 * threads, and an x that is not contiguous in the arithmetic type. Errors are those of
 * stn_triangular_solve. */
stn_status stn_triangular_solve_pair(const stn_exec *exec, stn_format arithmetic,
                                     const stn_triangular_pair *pair, const stn_view *b,
                                     const stn_view *x, int *is_done);

#endif
