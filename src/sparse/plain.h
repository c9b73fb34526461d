/* Any matrix on the host as plain compressed rows. */
#ifndef STENO_SPARSE_PLAIN_H
#define STENO_SPARSE_PLAIN_H

#include "sparse/csr.h"

/* Compressed rows of the same entries, in `memory` of their own where the matrix is not such: codes
 * as they are, or where scales differ between them f64 (or c128). Scales of rows stay what they are
 * and where. Repeated entries become what the matrix says, and their sums with all values stay i64,
 * f64 or c128 where `stays_wide` says so. Without `is_whole` values are NULL, and what is repeated
 * stays. To be given back with stn_csr_release, whatever it is. */
stn_status stn_plain_make(const char *call, const stn_exec *exec, const stn_csr *from, int is_whole,
                          int stays_wide, stn_csr *made);

#endif
