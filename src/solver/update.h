/* Updates of vectors of a solve. */
#ifndef STENO_SOLVER_UPDATE_H
#define STENO_SOLVER_UPDATE_H

#include "solver/solver.h"
#include "steno/kernel.h"

/* Runs a kernel of STN_MAP on real scalars and vectors of the solve, and computes |x| of a vector
 * that it writes; in one pass on host executors. *square is x'x, or NaN if it is unknown. The bits
 * are those of stn_solver_nrm2 and stn_solver_dot. STN_ERR_MEMORY. */
stn_status stn_solver_update(const stn_solver_state *s, const stn_kernel *kernel,
                             const stn_argument *arguments, const stn_view *x, double *norm,
                             double *square);

#endif
