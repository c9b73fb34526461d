/* The matrix product of the system: cblas_dgemm and similar functions of a library that is
 * opened on first use. Its accuracy and threads are those of the library. */
#ifndef STENO_BLAS_LEVEL3_SYSTEM_H
#define STENO_BLAS_LEVEL3_SYSTEM_H

#include "steno/blas.h"
#include "steno/view.h"

/* Is it available? STN_ERR_IO or STN_ERR_UNSUPPORTED with a message if STENO_GEMM names an
 * unusable library. */
stn_status stn_system_gemm_find(const char *call, int *is_there);

/* For tests: enables or disables it until the next call of this function; -1: as in
 * STENO_GEMM. */
void stn_system_gemm_use(int is_used);

/* Does it support the view in place: values of the arithmetic type at suitable strides? */
int stn_system_gemm_supports(stn_format arithmetic, const stn_view *view);

/* c = alpha a b + beta c for supported views with matching extents. With beta = 0, c is not
 * read. */
void stn_system_gemm(stn_format arithmetic, stn_c128 alpha, const stn_view *a, const stn_view *b,
                     stn_c128 beta, const stn_view *c);

/* The other functions of level 3, if the library has them: for supported views with matching
 * extents, on which they are called directly. They return 0 if they did nothing. */
typedef struct stn_system_call {
    stn_format arithmetic;
    stn_side side;
    stn_triangle triangle;
    stn_diagonal diagonal;
    int is_hermitian;
    stn_conjugate conj; /* of a, and of b in products with their own transposes */
    stn_c128 alpha, beta;
    const stn_view *a, *b, *c; /* c is written, and b NULL if there is none */
} stn_system_call;

int stn_system_symm(const stn_system_call *call); /* or hemm */
int stn_system_syrk(const stn_system_call *call); /* herk, and with b syr2k or her2k */
int stn_system_triangular(const stn_system_call *call, int solves); /* trmm or trsm */

#endif
