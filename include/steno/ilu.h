/** @file
 * Preconditioners by incomplete factors without fill-in, ILU(0) and IC(0). They are computed in
 * f64, those of complex matrices in c128, and stored in any format.
 *
 * @par Source
 * J. Meijerink, H. van der Vorst, Math. Comp. 31 (1977), 148; Y. Saad, Iterative Methods for Sparse
 * Linear Systems, 2nd ed., 2003, 10.3.
 */
#ifndef STENO_ILU_H
#define STENO_ILU_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/preconditioner.h"
#include "steno/sparse.h"

STN_BEGIN_DECLS

/** Kind of an incomplete factorization. */
typedef enum stn_ilu_kind {
    STN_ILU0 = 0, /**< ILU(0), for general matrices */
    /** IC(0), for symmetric (complex: Hermitian) positive definite matrices with a real diagonal.
     * Entries above the diagonal are not referenced. */
    STN_IC0 = 1
} stn_ilu_kind;

/** Options of an incomplete factorization. The default of each member is 0. Initialize the struct
 * with STN_ILU_OPTIONS_INIT: ILU(0) in f64. */
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

/** Creates an incomplete factorization A ~ L D U of a square matrix.
 *
 * L and U are triangular with unit diagonals, and D is diagonal. The entries of L D U that are
 * entries of A are those of A. For IC(0), U is the transpose of L as it is stored, for a complex
 * matrix its adjoint. If the magnitudes of rows or columns differ by more than 2^250, R A C is
 * factored instead, with powers of two R and C. One thread factors the matrix.
 *
 * The preconditioner computes y = U^-1 (D^-1 (L^-1 x)), each triangle as stn_triangular_solve does,
 * or y = C U^-1 (D^-1 (L^-1 (R x))), which needs arithmetic f64 or c128. In complex arithmetic,
 * real factors are applied to the real and the imaginary part.
 *
 * @param exec       executor; the factors are stored in its memory
 * @param[out] made  preconditioner, to be released with stn_preconditioner_release; NULL on errors
 * @param a          square matrix of any kind, in any memory; its columns may be in any order; it
 *                   may be released after the call
 * @param options    kind and format; NULL selects the defaults
 * @retval STN_ERR_ARGUMENT     NULL; an invalid option; with the row, counted from 0: a repeated,
 *                              infinite or NaN entry, a missing diagonal entry, a pivot that is 0,
 *                              not finite or, for IC(0), not positive, an entry of a factor that is
 *                              not finite
 * @retval STN_ERR_SHAPE        the matrix is not square
 * @retval STN_ERR_FORMAT       an invalid format
 * @retval STN_ERR_UNSUPPORTED  a format that is not real and signed or, for a complex matrix, not
 *                              complex
 * @retval STN_ERR_MEMORY       not enough memory
 * @retval STN_ERR_DEVICE       the device failed
 * @code
 * stn_ilu_create(exec, &ilu, matrix, NULL);
 * stn_operator_of_preconditioner(&inverse, ilu); // valid until ilu is released
 * options.preconditioner = &inverse;
 * stn_solve(exec, &x, &a, &b, &options, &report);
 * stn_preconditioner_release(ilu);
 * @endcode */
STN_API stn_status stn_ilu_create(const stn_exec *exec, stn_preconditioner **made,
                                  const stn_matrix *a, const stn_ilu_options *options);

STN_END_DECLS

#endif
