/* Checks, by two products, whether the solver of `steno solve` supports the matrix. */
#ifndef STENO_CLI_SYMMETRY_H
#define STENO_CLI_SYMMETRY_H

#include "solve.h"

/* CG and refinement require a Hermitian matrix with a positive diagonal, MINRES a Hermitian matrix.
 * Otherwise a note is printed. */
stn_status symmetry_check(const solve_job *job);

#endif
