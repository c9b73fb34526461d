/* Incomplete factors in f64, of complex matrices in c128. */
#ifndef STENO_SOLVER_ILU_FACTOR_H
#define STENO_SOLVER_ILU_FACTOR_H

#include "sparse/compressed.h"
#include "steno/ilu.h"

/* Both strict triangles, by rows, and the pivots; *pivot is for stn_free. Where magnitudes differ
 * so much that factors are out of range, they are those of R A C with powers of two. */
typedef struct stn_factors {
    stn_compressed lower, upper;      /* their codes are f64 or c128 */
    void *pivot;                      /* and so are these */
    double *row_scale, *column_scale; /* R and C, or NULL */
    int64_t steps;                    /* of the elimination: entries looked at */
} stn_factors;

/* `call` is for messages; to be released also where it fails. */
stn_status stn_ilu_factor(const char *call, const stn_exec *exec, const stn_matrix *a,
                          stn_ilu_kind kind, stn_factors *factors);
void stn_factors_release(stn_factors *factors);

#endif
