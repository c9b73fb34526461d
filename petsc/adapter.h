/* What the files of libsteno_petsc share: errors of PETSc and Steno, and blocks of matrices. */
#ifndef STENO_PETSC_ADAPTER_H
#define STENO_PETSC_ADAPTER_H

#include <petscksp.h>

#include "core/status.h"
#include "steno/petsc.h"

/* The blocks of a matrix on this rank; `others` is NULL with one rank. `ghost` has the column of
 * the matrix for each column of `others`. */
typedef struct stn_petsc_parts {
    Mat diagonal, others;
    const PetscInt *ghost;
} stn_petsc_parts;

/* STN_OK, or the status for an error that PETSc reports. */
stn_status stn_petsc_status(const char *call, PetscErrorCode code);

#define STN_PETSC_TRY(call, expression) STN_TRY(stn_petsc_status(call, expression))

/* The status of the rank with the highest one; ranks without an error name the call. */
stn_status stn_petsc_agree(const char *call, MPI_Comm comm, stn_status status);

/* For functions that PETSc calls: raises a failure of Steno as an error of PETSc. */
PetscErrorCode stn_petsc_raise(stn_status status);

/* STN_ERR_ARGUMENT if the executor is NULL, STN_ERR_UNSUPPORTED if it is that of a device. */
stn_status stn_petsc_check_exec(const char *call, const stn_exec *exec);

/* STN_ERR_UNSUPPORTED unless `a` has a type with compressed rows; STN_ERR_ARGUMENT unless it is
 * assembled. */
stn_status stn_petsc_parts_of(const char *call, Mat a, stn_petsc_parts *parts);

/* A copy of the entries of a Mat of type seqaij. A scale of 1 is replaced by a power of two if the
 * range of the format is less than that of f32. */
stn_status stn_petsc_convert(const char *call, const stn_exec *exec, stn_matrix **made, Mat block,
                             stn_matrix_kind kind, const stn_storage *storage);

/* The matrix of stn_petsc_mat_create's shells on this rank; NULL for other matrices. */
const stn_matrix *stn_petsc_diagonal_of(Mat mat);

/* Elements of a vector in place, for the duration of a function that PETSc calls. */
PetscErrorCode stn_petsc_borrow(Vec x, Vec y, stn_view *from, stn_view *to);
PetscErrorCode stn_petsc_return(Vec x, Vec y, stn_view *from, stn_view *to);

#endif
