/* Small triangles of values on the host: products and solutions in place, for many
 * columns. */
#ifndef STENO_BLAS_LEVEL3_TRIANGLE_H
#define STENO_BLAS_LEVEL3_TRIANGLE_H

#include "exec/exec.h"
#include "steno/view.h"

/* Values of the arithmetic type with row strides `a_step` and `x_step`. */
typedef struct stn_triangle_job {
    stn_format arithmetic;
    const void *a;
    void *x;
    int64_t n, columns, a_step, x_step;
    int is_upper, has_units, solves;
} stn_triangle_job;

/* x = A x: for each row, the product with the diagonal, plus the others by ascending column. Or
 * A x = x: for each row, minus the products with solved elements by ascending column, divided by
 * the diagonal. Each operation is rounded. */
void stn_triangle_run(const stn_exec *exec, const stn_triangle_job *job);

#endif
