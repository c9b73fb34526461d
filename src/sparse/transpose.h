/* Transposes of compressed rows. */
#ifndef STENO_SPARSE_TRANSPOSE_H
#define STENO_SPARSE_TRANSPOSE_H

#include "sparse/compressed.h"

/* Made where it is not yet; entries of a row in the order of the rows that they come from. */
stn_status stn_transpose_compressed(const char *call, const stn_exec *exec, const char *label,
                                    const stn_compressed *from, stn_matrix *made);

/* Made in the same way: columns ascend, and entries of one column stay in their order. */
stn_status stn_sort_compressed(const char *call, const stn_exec *exec, const char *label,
                               const stn_compressed *from, stn_matrix *made);

#endif
