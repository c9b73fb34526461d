/* One pass over rows of codes: what is combined of them into y, and then their products with y. */
#ifndef STENO_BLAS_GEMVT_H
#define STENO_BLAS_GEMVT_H

#include "blas/operand.h"
#include "steno/blas.h"

/* Of real vectors one part. Of complex ones two: elements of rows and of y are real and imaginary
 * parts in turn, y = alpha (A' x[0] + i A' x[1]) + beta y, with alpha 1 or -1, and z gets A y and
 * A (-i y). */
typedef struct stn_gemvt_job {
    const stn_fused *fused;
    const char *a;
    char *y;
    const void *x[2];        /* values of the arithmetic type; NULL: y stays as it is */
    const stn_operand *z[2]; /* NULL: no products */
    stn_affine affine;       /* of a */
    int64_t rows, columns, row_bytes, a_bytes, value_bytes;
    int parts;
    stn_format arithmetic;
    double alpha, beta;
} stn_gemvt_job;

/* Are these rows of contiguous codes, as many as a tile has, and values y that follow each other,
 * and x and z, which may be one vector, apart from both? */
int stn_gemvt_is_usual(const stn_exec *exec, stn_format arithmetic, const stn_view *a,
                       const stn_view *x, const stn_view *y, const stn_view *z);

/* Where a and y are, in a job that has its arithmetic. */
void stn_gemvt_set_places(stn_gemvt_job *job, const stn_view *a, const stn_view *y);

/* With products, and without. `y`: for the trace. STN_ERR_MEMORY. */
stn_status stn_gemvt_run(const stn_exec *exec, stn_gemvt_job *job, const stn_view *y);
void stn_gemvt_combine(const stn_exec *exec, stn_gemvt_job *job);

#endif
