/** @file
 * Preconditioners: approximate inverses that solvers apply as operators.
 *
 * stn_ilu_create (steno/ilu.h) and stn_block_jacobi_create (steno/block_jacobi.h) create them. A
 * preconditioner does not refer to its matrix, which may be released after the creation. It is
 * immutable and may be shared by threads, except that one thread at a time may apply incomplete
 * factors. */
#ifndef STENO_PRECONDITIONER_H
#define STENO_PRECONDITIONER_H

#include "steno/detail/macro_check.h"
#include "steno/solver.h"

STN_BEGIN_DECLS

/** Preconditioner of any kind. */
typedef struct stn_preconditioner stn_preconditioner;

/** Number of formats that block-Jacobi selects from. */
enum { STN_BLOCK_JACOBI_FORMATS = 3 };

/** Properties of a preconditioner. Members that do not apply to its kind are 0. */
typedef struct stn_preconditioner_info {
    size_t size;          /**< sizeof(stn_preconditioner_info), set by the caller */
    const char *name;     /**< kind, such as "block-Jacobi" */
    int64_t rows;         /**< number of rows */
    int64_t bytes;        /**< bytes that an application reads in addition to the vectors */
    int64_t lower_levels; /**< incomplete factors: levels of L */
    int64_t upper_levels; /**< incomplete factors: levels of U */
    int64_t blocks;       /**< block-Jacobi: number of blocks */
    /** Block-Jacobi: number of blocks stored in f16, f32 and f64, for complex matrices in c32, c64
     * and c128. If the options request a format, all blocks are counted in the last element. */
    int64_t format_blocks[STN_BLOCK_JACOBI_FORMATS];
} stn_preconditioner_info;
/** Initializer of a stn_preconditioner_info. */
#define STN_PRECONDITIONER_INFO_INIT STN_INIT(stn_preconditioner_info)

/** Reports the properties of the preconditioner `m` in `info`, whose `size` must be set.
 * @retval STN_ERR_ARGUMENT  NULL, or an invalid size */
STN_API stn_status stn_preconditioner_describe(const stn_preconditioner *m,
                                               stn_preconditioner_info *info);

/** Creates the operator y = M x in `made`, which solvers take as a preconditioner. It refers to the
 * preconditioner `m`, which must live as long as the operator. The operator itself needs no
 * release. NULL is STN_ERR_ARGUMENT. */
STN_API stn_status stn_operator_of_preconditioner(stn_operator *made, const stn_preconditioner *m);
/** Releases the preconditioner `m`. No operator of it may be in use. NULL is a no-op. */
STN_API void stn_preconditioner_release(stn_preconditioner *m);

STN_END_DECLS

#endif
