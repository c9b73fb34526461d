/* What operations ask of a matrix. */
#ifndef STENO_SPARSE_CSR_H
#define STENO_SPARSE_CSR_H

#include "steno/sparse.h"

/* For messages. */
const char *stn_csr_name(const stn_csr *csr);

/* STN_ERR_ARGUMENT unless it was made by the library. */
stn_status stn_csr_expect(const char *call, const stn_csr *csr);

/* spmv without loops of the matrix's format, where the matrix is. Arguments have been checked. */
stn_status stn_spmv_rows(const stn_exec *exec, stn_format arithmetic, double alpha,
                         const stn_csr *a, const stn_view *x, double beta, const stn_view *y);

#endif
