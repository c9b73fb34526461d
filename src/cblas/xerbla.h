/* The names beside BLAS that programs expect or define anew. */
#ifndef STENO_CBLAS_XERBLA_H
#define STENO_CBLAS_XERBLA_H

#include "steno/status.h"

/* With the name of a Fortran routine, of so many letters, and the place of a wrong argument. */
STN_API void xerbla_(const char *name, const int *info, size_t length);

/* Why the library calls xerbla_ in this thread: "(lda) is 2; it must be at least 5". Empty in other
 * calls. */
const char *stn_cblas_reason(void);

/* Is a call of cblas_xerbla of row-major order? The reference's variables: its testers look. */
STN_API extern int RowMajorStrg, CBLAS_CallFromC;

#endif
