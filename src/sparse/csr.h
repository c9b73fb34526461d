/* What operations ask of a matrix. */
#ifndef STENO_SPARSE_CSR_H
#define STENO_SPARSE_CSR_H

#include "steno/sparse.h"

/* For messages. */
const char *stn_csr_name(const stn_csr *csr);

/* STN_ERR_ARGUMENT unless it was made by the library. */
stn_status stn_csr_expect(const char *call, const stn_csr *csr);

/* STN_ERR_FORMAT unless values of a matrix can be stored in it; and are real then. */
stn_status stn_csr_expect_format(const char *name, stn_format format);
stn_status stn_csr_expect_real(const char *name, stn_format format);

int stn_csr_is_complex(const stn_csr *csr);

/* Is it compressed rows, whose arrays are row_start, column and values, and no views? */
int stn_csr_is_plain(const stn_csr *csr);

/* STN_ERR_UNSUPPORTED unless it is that, real and on the host: what loops of the library's other
 * operations read. */
stn_status stn_csr_expect_plain(const char *call, const stn_csr *csr);

/* The arrays of a matrix of any kind: where rows or slices begin, what tells columns, values. */
enum { STN_CSR_ARRAYS = 3, STN_CSR_STARTS = 0, STN_CSR_INDICES = 1, STN_CSR_VALUES = 2 };
typedef struct stn_csr_array {
    const char *name;
    const void *data;
    stn_storage storage;
    int64_t count;
} stn_csr_array;

void stn_csr_list(const stn_csr *csr, stn_csr_array *arrays);

/* Let the arrays be these. */
void stn_csr_set(stn_csr *csr, const void *const *data);

/* Memory for arrays of these bytes, and where each of them begins in it. */
stn_status stn_csr_allocate(const stn_exec *exec, const char *label, const int64_t *bytes,
                            stn_view *memory, void **data);

/* spmv without loops of the matrix's format, where the matrix is. Arguments have been checked. */
stn_status stn_spmv_rows(const stn_exec *exec, stn_format arithmetic, double alpha,
                         const stn_csr *a, const stn_view *x, double beta, const stn_view *y);

#endif
