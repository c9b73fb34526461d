/* Transposes of compressed rows. */
#ifndef STENO_SPARSE_OPS_TRANSPOSE_H
#define STENO_SPARSE_OPS_TRANSPOSE_H

#include "sparse/kinds/compressed.h"

/* Creates the transpose unless it exists. Entries of a row are in the order of the rows that they
 * come from. */
stn_status stn_transpose_compressed(const char *call, const stn_exec *exec, const char *label,
                                    const stn_compressed *from, stn_matrix *result);

/* The same for a matrix of any kind; the transpose is in the memory of the executor. */
stn_status stn_transpose(const char *call, const stn_exec *exec, const stn_matrix *from,
                         stn_matrix *result);

/* Sorts in the same way: columns ascend, and entries of one column keep their order. */
stn_status stn_sort_compressed(const char *call, const stn_exec *exec, const char *label,
                               const stn_compressed *from, stn_matrix *result);

#endif
