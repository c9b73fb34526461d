/* The matrix product of the system: cblas_dgemm and its like, from a library that is opened when it
 * is needed first. It is as exact as that library says, and on as many threads as it takes. */
#ifndef STENO_BLAS_LEVEL3_SYSTEM_H
#define STENO_BLAS_LEVEL3_SYSTEM_H

#include "steno/complex.h"
#include "steno/view.h"

/* Is there one? STN_ERR_IO or STN_ERR_UNSUPPORTED, and a sentence, where STENO_GEMM names a library
 * that cannot be used. */
stn_status stn_system_gemm_find(const char *call, int *is_there);

/* For tests: use it, or do without, until the next call of this function; -1: as STENO_GEMM has it.
 */
void stn_system_gemm_use(int is_used);

/* Does it take the view where it is: values of the arithmetic type at strides that it knows? */
int stn_system_gemm_takes(stn_format arithmetic, const stn_view *view);

/* c = alpha a b + beta c; views that it takes, whose extents go together. With beta = 0 it does not
 * read c. */
void stn_system_gemm(stn_format arithmetic, stn_c128 alpha, const stn_view *a, const stn_view *b,
                     stn_c128 beta, const stn_view *c);

#endif
