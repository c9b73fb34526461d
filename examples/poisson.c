/* Poisson's equation on a cube by conjugate gradients. The program, the iterations and the bits are
 * the same on the host and on a device. The matrix is a stencil or stored in compressed rows.
 *
 *   poisson [reference|threads|opencl:0|cuda:0 [points per edge [csr]]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/sparse.h"
#include "steno/steno.h"

/* clang-format off */
STN_MAP(load, (at(i, j, k), out(f)), f = STN_R(0.1) * (real_t)((7 * i + 3 * j + k) % 11 - 5);)
STN_MAP(minus_laplace, (at(i, j, k), stencil(u, zero, 1, 1, 1), out(v)),
    v = STN_R(6) * STN_AT(u, i, j, k) - STN_AT(u, i - 1, j, k) - STN_AT(u, i + 1, j, k) -
        STN_AT(u, i, j - 1, k) - STN_AT(u, i, j + 1, k) - STN_AT(u, i, j, k - 1) -
        STN_AT(u, i, j, k + 1);
)
STN_MAP(step, (real(alpha), in(p), in(q), inout(x), inout(r)),
    x = x + alpha * p;
    r = r - alpha * q;
)
STN_MAP(turn, (real(beta), in(r), inout(p)), p = r + beta * p;)
STN_REDUCE(inner, products, (in(x), in(y)), x, y)
STN_REDUCE(total, sum, (in(x)), x)
/* clang-format on */

typedef struct fields {
    stn_view x, r, p, q;
    stn_matrix *matrix; /* NULL: the stencil */
} fields;

static int make(const stn_exec *exec, int64_t points, fields *f)
{
    const int64_t extents[] = {points, points, points};
    const stn_storage f64 = stn_storage_of(STN_F64);
    return stn_view_create(exec, &f->x, "x", f64, 3, extents) ||
           stn_view_create(exec, &f->r, "r", f64, 3, extents) ||
           stn_view_create(exec, &f->p, "p", f64, 3, extents) ||
           stn_view_create(exec, &f->q, "q", f64, 3, extents) || stn_view_fill(exec, &f->x, 0) ||
           load_run(exec, STN_F64, &f->r) || stn_view_copy(exec, &f->p, &f->r);
}

/* The seven points of the stencil as rows of a matrix. 6 and -1 are exact in every format. */
static int32_t fill_rows(int64_t n, int32_t *start, int32_t *column, signed char *value)
{
    const int64_t step[] = {-n * n, -n, -1, 0, 1, n, n * n};
    int32_t entries = 0;
    for (int64_t row = 0; row < n * n * n; row++) {
        const int64_t i = row / (n * n), j = row / n % n, k = row % n;
        const int is_inside[] = {i > 0, j > 0, k > 0, 1, k + 1 < n, j + 1 < n, i + 1 < n};
        start[row] = entries;
        for (int e = 0; e < 7; e++) {
            column[entries] = (int32_t)(row + step[e]);
            value[entries] = e == 3 ? 6 : -1;
            entries += is_inside[e];
        }
    }
    return entries;
}

/* The matrix in the memory of the executor. */
static int make_matrix(const stn_exec *exec, int64_t points, fields *f)
{
    const int64_t rows = points * points * points;
    int32_t *start = (int32_t *)malloc((size_t)(rows + 1) * sizeof *start);
    int32_t *column = (int32_t *)malloc((size_t)(7 * rows + 1) * sizeof *column);
    signed char *value = (signed char *)malloc((size_t)(7 * rows + 1));
    stn_matrix *here;
    int failed = !start || !column || !value;
    if (!failed) {
        start[rows] = fill_rows(points, start, column, value);
        failed = stn_matrix_wrap_csr_i32(&here, rows, rows, start, column, stn_storage_of(STN_I8),
                                         value) ||
                 stn_matrix_mirror(exec, &f->matrix, here);
        stn_matrix_release(here);
    }
    free(start);
    free(column);
    free(value);
    return failed;
}

/* Views the elements of a cube as a vector. */
static int flatten(const stn_view *cube, stn_view *vector)
{
    const int64_t count = cube->extent[0] * cube->extent[1] * cube->extent[2];
    return stn_view_wrap(vector, cube->label, cube->storage, cube->data, 1, &count) ||
           stn_view_set_space(vector, (stn_space)cube->space);
}

/* q = A p */
static int multiply(const stn_exec *exec, const fields *f)
{
    stn_view p, q;
    if (!f->matrix)
        return minus_laplace_run(exec, STN_F64, &f->p, &f->q) != STN_OK;
    return flatten(&f->p, &p) || flatten(&f->q, &q) ||
           stn_spmv(exec, STN_F64, 1, f->matrix, &p, 0, &q);
}

/* Iterates until the residual is at most 1e-10 times the initial one. */
static int solve(const stn_exec *exec, const fields *f, int *iterations)
{
    double rr, first, pq;
    if (inner_reduce(exec, STN_F64, &first, &f->r, &f->r))
        return 1;
    rr = first;
    for (*iterations = 0; sqrt(rr) > 1e-10 * sqrt(first); ++*iterations) {
        const double before = rr;
        if (multiply(exec, f) || inner_reduce(exec, STN_F64, &pq, &f->p, &f->q) ||
            step_run(exec, STN_F64, rr / pq, &f->p, &f->q, &f->x, &f->r) ||
            inner_reduce(exec, STN_F64, &rr, &f->r, &f->r) ||
            turn_run(exec, STN_F64, rr / before, &f->r, &f->p))
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const int64_t points = argc > 2 ? atoi(argv[2]) : 12;
    double sum;
    stn_exec *exec = NULL;
    fields f;
    int iterations;
    memset(&f, 0, sizeof f);
    if (stn_exec_create(&exec, argc > 1 ? argv[1] : "reference") || make(exec, points, &f) ||
        (argc > 3 && make_matrix(exec, points, &f)) || solve(exec, &f, &iterations) ||
        total_reduce(exec, STN_F64, &sum, &f.x)) {
        fprintf(stderr, "poisson: %s\n", stn_error());
        return 1;
    }
    printf("%d iterations, the sum of x is %a\n", iterations, sum);
    stn_matrix_release(f.matrix);
    stn_view_release(&f.x);
    stn_view_release(&f.r);
    stn_view_release(&f.p);
    stn_view_release(&f.q);
    stn_exec_release(exec);
    return 0;
}
