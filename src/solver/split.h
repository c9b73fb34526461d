/* The basis of GMRES in two parts: the first vectors in the arithmetic type, the other ones as the
 * options select.
 *
 * Rounding a vector changes the residual that the columns of a cycle can reach by the size of its
 * error times its coefficient in x, and no later vector corrects that. Coefficients decrease with
 * the residual. So if a cycle reduces the residual by more than the rounding of the format permits,
 * as it does with a good preconditioner, only its first vectors must be stored wide: V. Simoncini,
 * D. Szyld, SIAM J. Sci. Comput. 25 (2003); E. Agullo and others, SIAM J. Matrix Anal. Appl. 43
 * (2022).
 *
 * While all vectors are wide, they are stored in the memory of the narrow ones, as long as they fit
 * there. Separate memory is allocated when they do not, or when narrow vectors follow. */
#ifndef STENO_SOLVER_SPLIT_H
#define STENO_SOLVER_SPLIT_H

#include "solver/basis.h"

#define STN_SPLIT_ALL INT64_MAX

typedef struct stn_split {
    stn_basis wide, narrow;
    int64_t vectors;    /* capacity */
    int64_t wide_count; /* the first vectors; STN_SPLIT_ALL: all */
    int64_t shared;     /* number of wide vectors that have the size of all narrow ones */
    int is_borrowed;    /* the memory of `wide` is that of `narrow` */
    double rounding;    /* of narrow vectors; 0: all vectors are in `narrow`, which is not narrower
                         * than the arithmetic type */
} stn_split;

/* As of stn_basis. */
stn_status stn_split_create(const stn_solver_state *s, int64_t vectors, stn_split *split);
void stn_split_release(stn_split *split);
stn_status stn_split_set(const stn_solver_state *s, stn_split *split, int64_t k, const stn_view *w,
                         double norm, const stn_view *v);
stn_status stn_split_project(const stn_solver_state *s, stn_split *split, int64_t count,
                             const stn_view *w, stn_c128 *numbers);
stn_status stn_split_combine(const stn_solver_state *s, const stn_split *split, int64_t count,
                             const stn_c128 *numbers, double sign, const stn_view *w);
stn_status stn_split_subtract(const stn_solver_state *s, stn_split *split, int64_t count,
                              const stn_c128 *numbers, const stn_view *w, stn_c128 *left);
stn_status stn_split_save(stn_solver_state *s, const stn_split *split, int64_t count);
stn_status stn_split_restore(stn_solver_state *s, stn_split *split, int64_t count);

/* Stores the vectors after the first `count`, which are wide, narrow. STN_ERR_MEMORY. */
stn_status stn_split_end_wide(const stn_solver_state *s, stn_split *split, int64_t count);

/* Memory of all vectors. */
int64_t stn_split_bytes(const stn_split *split);

/* Stores the first `count` vectors narrow, and all later ones; overwrites v. */
stn_status stn_split_narrow(const stn_solver_state *s, stn_split *split, int64_t count,
                            const stn_view *v);

#endif
