/** @file
 * PETSc with Steno's storage (library libsteno_petsc): matrices and preconditioners whose values
 * are stored in any format, for PETSc's Krylov methods, and views of PETSc's vectors.
 *
 * PETSc distributes rows and communicates; each rank stores its rows in Steno's formats. Vectors
 * are PETSc's, in f64. The header does not include PETSc's: `struct _p_Mat *` is Mat, `struct
 * _p_PC *` is PC, and `struct _p_Vec *` is Vec. Programs include <petscksp.h> themselves.
 *
 * PETSc must have real scalars in double precision and indices of 32 bits. Executors are those of
 * host memory, such as "threads:threads=1" with one rank per core. An executor must live as long as
 * the objects that were created with it.
 *
 * stn_petsc_mat_create, stn_petsc_mat_update and PCSetUp are collective: if a call fails on one
 * rank, it fails on all of them. If PETSc itself reports an error, its handler has been called.
 * Errors inside PETSc's calls, such as PCSetUp and MatMult, are raised by PETSc's error handler
 * with the message of stn_error().
 *
 * Errors of all functions, where they apply:
 * @retval STN_ERR_ARGUMENT     NULL, or an error that PETSc reports
 * @retval STN_ERR_FORMAT       an invalid or opaque format
 * @retval STN_ERR_UNSUPPORTED  an executor of a device
 * @retval STN_ERR_MEMORY       not enough memory
 */
#ifndef STENO_PETSC_H
#define STENO_PETSC_H

#include "steno/detail/macro_check.h"
#include "steno/block_jacobi.h"
#include "steno/ilu.h"
#include "steno/solver.h"

#if defined(PETSC_USE_COMPLEX)
#    error "steno/petsc.h: PETSc has complex scalars, but libsteno_petsc needs real ones"
#elif defined(PETSC_USE_64BIT_INDICES)
#    error "steno/petsc.h: PETSc has 64-bit indices, but libsteno_petsc needs indices of 32 bits"
#elif defined(PETSC_USE_REAL_SINGLE) || defined(PETSC_USE_REAL___FLOAT128) ||                      \
    defined(PETSC_USE_REAL___FP16)
#    error "steno/petsc.h: PETSc's scalars are not double, which libsteno_petsc needs"
#endif

/** @cond INTERNAL */
struct _p_Mat;
struct _p_PC;
struct _p_Vec;
/** @endcond */

STN_BEGIN_DECLS

/* ---- matrices ---- */

/** Creates a PETSc matrix, of type shell, with the entries of another one in Steno's storage.
 *
 * It supports MatMult, MatMultAdd, MatMultTranspose and MatGetDiagonal in f64. The entries of `a`
 * are copied, so `a` may be destroyed. Each rank converts its rows as stn_sparse_convert does: the
 * block of columns that it owns, and the other columns. MatMult communicates during the product
 * with the first block. If the range of the format is less than that of f32 and storage->scale is
 * 1, each block has a power of two as its scale, which maps its largest entry to the range of the
 * format.
 *
 * @param exec       executor of the products
 * @param[out] made  matrix, to be destroyed by MatDestroy; NULL on errors
 * @param a          assembled matrix of type seqaij or mpiaij
 * @param kind       kind of storage of each block; STN_MATRIX_AUTO: the choice of
 * stn_matrix_optimize
 * @param storage    storage of the values; NULL is f64
 * @retval STN_ERR_UNSUPPORTED  a matrix of another type, or complex values
 *
 * @code
 * stn_storage f16 = stn_storage_of(STN_F16);
 * stn_petsc_mat_create(exec, &narrow, a, STN_MATRIX_AUTO, &f16);
 * KSPSetOperators(ksp, narrow, a);
 * @endcode */
STN_API stn_status stn_petsc_mat_create(const stn_exec *exec, struct _p_Mat **made,
                                        struct _p_Mat *a, stn_matrix_kind kind,
                                        const stn_storage *storage);

/** Copies the entries of a matrix `a`, with the rows and columns of the matrix it was created from,
 * to `shell`, a matrix of stn_petsc_mat_create. MatScale and MatShift of `shell` are
 * undone. On an error, `shell` is unchanged.
 * @retval STN_ERR_SHAPE  `a` has another distribution of rows or columns */
STN_API stn_status stn_petsc_mat_update(struct _p_Mat *shell, struct _p_Mat *a);

/** Returns the blocks of this rank: `diagonal` has its columns, `others` those of other ranks. Both
 * belong to `shell` and are valid until it is updated or destroyed. `diagonal` or `others` may be
 * NULL. Not collective.
 * @retval STN_ERR_ARGUMENT  `shell` is not a matrix of stn_petsc_mat_create */
STN_API stn_status stn_petsc_mat_blocks(struct _p_Mat *shell, const stn_matrix **diagonal,
                                        const stn_matrix **others);

/* ---- preconditioners ---- */

/** Makes `pc` a preconditioner of type shell, with incomplete factors of stn_ilu_create.
 *
 * PCSetUp factors the block of rows and columns of each rank, as PETSc's block-Jacobi with ILU(0)
 * does, so the preconditioner depends on the number of ranks. The matrix that PCSetOperators or
 * KSPSetOperators sets for the preconditioner is of type seqaij, mpiaij, or created by
 * stn_petsc_mat_create. PCSetUp fails if its block on a rank is not square.
 *
 * @param exec        executor of set-up and applications
 * @param[in,out] pc  preconditioner
 * @param options     kind and format; copied; NULL selects ILU(0) in f64 */
STN_API stn_status stn_petsc_pc_set_ilu(const stn_exec *exec, struct _p_PC *pc,
                                        const stn_ilu_options *options);

/** Makes `pc` a preconditioner with the blocks of stn_block_jacobi_create, in each rank's block of
 * rows and columns. See stn_petsc_pc_set_ilu. The array `block_start` of `options` must live as
 * long as `pc`; it has the blocks of this rank. */
STN_API stn_status stn_petsc_pc_set_block_jacobi(const stn_exec *exec, struct _p_PC *pc,
                                                 const stn_block_jacobi_options *options);

/** Makes `pc` a preconditioner that solves with each rank's block of rows and columns by stn_solve.
 * See stn_petsc_pc_set_ilu. The matrix is stored as stn_petsc_mat_create does.
 *
 * Each application starts from 0. It need not converge. As the result is no linear function of the
 * right-hand side, the outer method must be flexible, such as KSPFGMRES.
 *
 * @param exec        executor of set-up and applications
 * @param[in,out] pc  preconditioner
 * @param storage     storage of the values; NULL is f32
 * @param options     method, arithmetic (STN_F64 or STN_F32), tolerances and limits; copied, except
 *                    for objects that it points to, which must live as long as `pc`. NULL: GMRES in
 *                    f32 with a basis in f16, 20 iterations or a relative residual of 0.01
 * @retval STN_ERR_ARGUMENT     options with a checkpoint
 * @retval STN_ERR_UNSUPPORTED  another arithmetic type */
STN_API stn_status stn_petsc_pc_set_solver(const stn_exec *exec, struct _p_PC *pc,
                                           const stn_storage *storage,
                                           const stn_solver_options *options);

/* ---- vectors ---- */

/** Creates a view of the elements of `vec` on this rank, without a copy.
 *
 * The view holds a reference to `vec`. Until the last handle of the view is released by
 * stn_view_release, PETSc considers the array of `vec` as borrowed by VecGetArray, so no function
 * of PETSc may use `vec`. The release calls VecRestoreArray, after which cached norms of `vec` are
 * computed again. Not collective.
 *
 * @param[out] view  rank 1, f64; empty on errors
 * @param vec        vector */
STN_API stn_status stn_petsc_vec_wrap(stn_view *view, struct _p_Vec *vec);
/** Read-only version of stn_petsc_vec_wrap. PETSc may read `vec` while the view exists. */
STN_API stn_status stn_petsc_vec_wrap_const(stn_view *view, struct _p_Vec *vec);

STN_END_DECLS

#endif
