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

/** Kind of an incomplete factorization. */
typedef enum stn_ilu_kind {
    STN_ILU0 = 0, /**< ILU(0), for general matrices */
    /** IC(0), for symmetric (complex: Hermitian) positive definite matrices with a real diagonal.
     * Entries above the diagonal are not referenced. */
    STN_IC0 = 1
} stn_ilu_kind;

/**
 * Options of an incomplete factorization. The default of each member is 0. Initialize the struct
 * with STN_ILU_OPTIONS_INIT: ILU(0) in f64.
 */
typedef struct stn_ilu_options {
    size_t size;       /**< size of this struct */
    stn_ilu_kind kind; /**< kind of factorization */
    /** Format of the entries outside of the diagonal; NULL selects f64. Any signed real format; if
     * its range is less than that of f32, each factor has a power of two as its scale, which maps
     * the largest entry to the range of the format. The diagonal is stored in f32 if that has
     * sufficient precision and range, otherwise in f64. For complex matrices c128, c64 or c32, or
     * the format of their parts, and the diagonal is stored in c64 or c128. */
    const stn_format *format;
} stn_ilu_options;

/** Initializer of stn_ilu_options. */
#define STN_ILU_OPTIONS_INIT STN_INIT(stn_ilu_options)

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
