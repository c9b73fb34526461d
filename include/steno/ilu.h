/* Incomplete factors without fill-in, ILU(0) and IC(0), as preconditioners: calculated in f64,
 * of complex matrices in c128, and stored in any format. J. Meijerink, H. van der Vorst, Math.
 * Comp. 31 (1977), 148; Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., 2003, 10.3.
 */
#ifndef STENO_ILU_H
#define STENO_ILU_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/solver.h"
#include "steno/sparse.h"
#include "steno/sparse_operations.h"

STN_BEGIN_DECLS

typedef enum stn_ilu_kind {
    STN_ILU0 = 0, /* of any matrix */
    /* Of a symmetric or Hermitian positive definite one, whose diagonal is real; above it nothing
     * is looked at. */
    STN_IC0 = 1
} stn_ilu_kind;

/* All zeros, but the size: ILU(0) in f64. */
typedef struct stn_ilu_options {
    size_t size; /* of this struct */
    stn_ilu_kind kind;
    /* NULL: f64. Else any real format with a sign, of the entries beside the diagonal; those of
     * less range than f32 with a power of two as the scale of each factor, so that the largest
     * entry fits just so. The diagonal is in f32 where that has the digits of the format and
     * the range, else in f64. Of complex matrices c128, c64 or c32, also by the
     * names of their parts, f64, f32 or f16, and the diagonal in c64 or c128. */
    const stn_format *format;
} stn_ilu_options;

/* L D U, where L is lower and U upper triangular with unit diagonals, and D the diagonal: of A's
 * entries those of L D U are A's; of IC(0) U is the transpose of L as it is stored, of a
 * complex matrix its adjoint. */
typedef struct stn_ilu {
    size_t size;                 /* of this struct */
    int64_t rows, bytes;         /* bytes that an application reads, beside the vectors */
    stn_triangular lower, upper; /* where one order serves both, upper shares lower's, and its room:
                                  * one call at a time with either */
    stn_view pivots;             /* D */
    stn_view ordered;            /* the same in that order; or nothing */
    /* R and C, powers of two, or nothing: if the magnitudes of rows, or of columns, differ by more
     * than 2^250, the factors are those of R A C. */
    stn_view row_scale, column_scale;
} stn_ilu;

/* Factors of a square matrix of any kind and in any memory, on the host or in that of the
 * executor's device; made by one thread. Columns may stand in any order. STN_ERR_ARGUMENT (NULL;
 * with their rows, from 0: repeated and infinite entries and NaN, a diagonal entry that is missing,
 * a pivot that is 0 or not finite, or of IC(0) not positive, a diagonal of it that is not real, an
 * entry of a factor that is not finite), STN_ERR_SHAPE (a matrix that is not square),
 * STN_ERR_FORMAT, STN_ERR_UNSUPPORTED (no format with real numbers and a sign; of a complex matrix
 * no complex one), STN_ERR_MEMORY, STN_ERR_DEVICE; *made is
 * all zeros then. */
STN_API stn_status stn_ilu_create(const stn_exec *exec, stn_ilu *made, const stn_matrix *a,
                                  const stn_ilu_options *options);

/* The operator that solvers take: y = U^-1 (D^-1 (L^-1 x)), each factor as by stn_triangular_solve,
 * or y = C U^-1 (D^-1 (L^-1 (R x))). In complex arithmetic real factors are applied to each part of
 * x. The factors must live as long as the operator. STN_ERR_ARGUMENT; scaled factors in arithmetic
 * other than f64 or c128 are STN_ERR_UNSUPPORTED when the operator is applied. */
STN_API stn_status stn_operator_of_ilu(stn_operator *made, const stn_ilu *from);

/* All zeros may be given back too. STN_ERR_ARGUMENT as stn_matrix_release. */
STN_API stn_status stn_ilu_release(stn_ilu *made);

STN_END_DECLS

#endif
