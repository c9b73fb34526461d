/* Conversion of any matrix on the host to plain compressed rows. */
#ifndef STENO_SPARSE_KINDS_PLAIN_H
#define STENO_SPARSE_KINDS_PLAIN_H

#include "sparse/matrix.h"

/* Compressed rows of the same entries, in separate memory unless the matrix is stored that way.
 * Codes are copied, or converted to f64 (or c128) if they have several scales. Scales of rows are
 * shared. Repeated entries are treated as the matrix specifies; `wanted` is the storage that
 * values are converted to afterwards, or NULL (duplicates.h). Without `is_whole`, values are NULL
 * and repeated entries are kept. Release with stn_matrix_release. */
stn_status stn_plain_create(const char *call, const stn_exec *exec, const stn_matrix *from,
                            int is_whole, const stn_storage *wanted, stn_matrix *result);

#endif
