/* Incomplete factors in f64; for complex matrices in c128. */
#ifndef STENO_PRECONDITION_ILU_FACTOR_H
#define STENO_PRECONDITION_ILU_FACTOR_H

#include "sparse/kinds/compressed.h"
#include "steno/ilu.h"

/* Both strict triangles, by rows, and the pivots; *pivot is freed with stn_free. If magnitudes
 * differ so much that factors would be out of range, these are the factors of R A C, where R and C
 * are powers of two. */
typedef struct stn_factors {
    stn_compressed lower, upper;      /* with codes in f64 or c128 */
    void *pivot;                      /* f64 or c128 */
    double *row_scale, *column_scale; /* R and C, or NULL */
    int64_t steps;                    /* number of entries visited by the elimination */
} stn_factors;

/* `call` is for messages. The factors must be released even after an error. */
stn_status stn_ilu_factor(const char *call, const stn_exec *exec, const stn_matrix *a,
                          stn_ilu_kind kind, stn_factors *factors);
void stn_factors_release(stn_factors *factors);

#endif
