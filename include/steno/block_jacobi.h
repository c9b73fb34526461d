/** @file
 * Block-Jacobi preconditioner: the inverses of square blocks on the diagonal of a matrix. Each
 * inverse is stored in as few bits as the condition number of its block allows.
 *
 * @par Source
 * H. Anzt, J. Dongarra, G. Flegar, N. Higham, E. Quintana-Orti, Concurrency Computat. Pract. Exper.
 * 31 (2019), e4460.
 */
#ifndef STENO_BLOCK_JACOBI_H
#define STENO_BLOCK_JACOBI_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/preconditioner.h"
#include "steno/sparse.h"

STN_BEGIN_DECLS

/** Maximum number of rows of a block. */
enum { STN_BLOCK_JACOBI_MAX_ROWS = 32 };

struct stn_partition; /* steno/distribute.h */

/** Options of a block-Jacobi preconditioner. The default of each member is 0. Initialize the struct
 * with STN_BLOCK_JACOBI_OPTIONS_INIT: blocks of at most 8 rows are detected, and the format of each
 * block is chosen by its condition number. */
typedef struct stn_block_jacobi_options {
    size_t size; /**< size of this struct */
    /** Maximum number of rows of a detected block, at most 32. 0 selects 8; 1 is Jacobi. Adjacent
     * rows with entries in the same columns form a block. Adjacent blocks are merged up to this
     * maximum. Not used with `block_start`. */
    int64_t max_block_rows;
    /** First row of each block, followed by the number of rows: block_count + 1 elements; or NULL.
     * Each block has 1 to 32 rows. */
    const int64_t *block_start;
    int64_t block_count; /**< number of blocks in `block_start` */
    /** Format of all blocks, or NULL. NULL selects f16, f32 or f64 (for complex matrices c32, c64
     * or c128) for each block such that its rounding error times its condition number in the 1-norm
     * is less than 0.1. Otherwise any signed real format; for complex matrices c128, c64 or c32, or
     * the format of their parts. If the inverses exceed the range of the format, or its range is
     * less than that of f32, it is scaled by a power of two. */
    const stn_format *format;
    /** Rows of all ranks if the matrix has the rows and columns of this rank
     * (stn_distributed_local_matrix()), or NULL. The call is then collective, and the scales and
     * formats of all ranks are those of one rank: with blocks in `block_start` that do not cross
     * multiples of 128 rows, the preconditioner has the same bits for every number of ranks. A rank
     * may have no rows. */
    const struct stn_partition *partition;
} stn_block_jacobi_options;
/** Initializer of stn_block_jacobi_options. */
#define STN_BLOCK_JACOBI_OPTIONS_INIT STN_INIT(stn_block_jacobi_options)

/** Creates a block-Jacobi preconditioner: the inverses of square diagonal blocks of a matrix.
 *
 * Entries outside of the blocks are ignored. Repeated entries are added, unless a STN_MATRIX_COO
 * refuses them. The inverse of a symmetric block is symmetric, of a Hermitian one Hermitian. Blocks
 * are inverted in f64 or c128, accurately also if their rows or columns differ in magnitude: they
 * are scaled by powers of two. The preconditioner is applied as stn_spmv applies a matrix.
 *
 * @param exec       executor; the blocks are stored in its memory
 * @param[out] made  preconditioner, to be released with stn_preconditioner_release; NULL on errors
 * @param a          square matrix of any kind, in any memory; may be released after the call
 * @param options    blocks and format; NULL selects the defaults
 * @retval STN_ERR_ARGUMENT     NULL; block starts that do not ascend; with its rows: a block that
 *                              is singular or not finite, or whose inverse exceeds the range of f64
 * @retval STN_ERR_SHAPE        the matrix is not square or does not have the rows of this rank
 * @retval STN_ERR_RANGE        a block has more than 32 rows
 * @retval STN_ERR_FORMAT       an invalid format
 * @retval STN_ERR_UNSUPPORTED  a format that is not real and signed or, for a complex matrix, not
 *                              complex
 * @retval STN_ERR_MEMORY       not enough memory
 * @retval STN_ERR_DEVICE       the device failed */
STN_API stn_status stn_block_jacobi_create(const stn_exec *exec, stn_preconditioner **made,
                                           const stn_matrix *a,
                                           const stn_block_jacobi_options *options);

STN_END_DECLS

#endif
