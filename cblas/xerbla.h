/* Auxiliary names of BLAS that programs expect or define. */
#ifndef STENO_CBLAS_XERBLA_H
#define STENO_CBLAS_XERBLA_H

#include "steno/status.h"

/* With the name of a Fortran routine of this length, and the position of an invalid argument. */
STN_API void xerbla_(const char *name, const int *info, size_t length);

/* The reason for a call of xerbla_ in this thread: "(lda) is 2; it must be at least 5". Empty in
 * other calls. */
const char *stn_cblas_reason(void);

/* Is a call of cblas_xerbla row-major? Variables of the reference implementation, which its testers
 * read. */
STN_API extern int RowMajorStrg, CBLAS_CallFromC;

#endif
