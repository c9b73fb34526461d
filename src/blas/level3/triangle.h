/* Small triangles of values on the host: products and solutions in place, column by column of many.
 */
#ifndef STENO_BLAS_LEVEL3_TRIANGLE_H
#define STENO_BLAS_LEVEL3_TRIANGLE_H

#include "exec/exec.h"
#include "steno/view.h"

/* Values of the arithmetic type whose rows are `a_step` and `x_step` of them apart. */
typedef struct stn_triangle_job {
    stn_format arithmetic;
    const void *a;
    void *x;
    int64_t n, columns, a_step, x_step;
    int is_upper, has_units, solves;
} stn_triangle_job;

/* x = A x: of a row the diagonal's product, then the others added by ascending column. Or A x = x:
 * of a row the products with those solved before subtracted by ascending column, the rest divided
 * by the diagonal. Each operation rounded. */
void stn_triangle_run(const stn_exec *exec, const stn_triangle_job *job);

#endif
