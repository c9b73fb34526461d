/* The copy of a matrix that products read. */
#ifndef STENO_SPARSE_KINDS_OPTIMIZED_COPY_H
#define STENO_SPARSE_KINDS_OPTIMIZED_COPY_H

#include "exec/exec.h"
#include "sparse/matrix.h"

/* The arrays of a matrix without its copy; repeated entries are kept, as products do. */
stn_matrix stn_copy_source(const stn_matrix *a);

/* Creates a copy of this kind with the label of the matrix. On an error, *copy is NULL. Release it
 * with stn_copy_release, which ignores NULL. */
stn_status stn_copy_create(const stn_exec *exec, stn_matrix **copy, const stn_matrix *a,
                           stn_matrix_kind kind);
void stn_copy_release(stn_matrix *copy);

#endif
