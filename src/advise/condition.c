/* Estimate of a condition number by the method of W. Hager (SIAM J. Sci. Stat. Comput. 5, 1984,
 * 311) and N. Higham (ACM Trans. Math. Softw. 14, 1988, 381), with inexact solves. */
#include <float.h>
#include <math.h>

#include "advise/solve.h"
#include "core/memory.h"
#include "core/modes.h"
#include "exec/exec.h"
#include "sparse/matrix.h"
#include "sparse/ops/accurate.h"
#include "steno/blas.h"
#include "steno/sparse_operations.h"

enum { MAX_STEPS = 4 };
static const double SOLVE_TARGET = 1e-3;
static const char call[] = "stn_estimate_condition";

typedef struct estimate {
    const stn_exec *exec;
    const stn_matrix *a;
    stn_matrix *transpose;       /* or NULL: A is its own adjoint */
    stn_solve_advice *advice[2]; /* for A and for the transpose, which may be the same */
    stn_view right, solution;    /* b and x of a solve */
    int64_t rows, parts;
    double norm; /* |inverse of A|, so far */
} estimate;

static double *values_of(const stn_view *view)
{
    return view->data;
}

static double size_of(const estimate *e, const double *z)
{
    return e->parts == 2 ? hypot(z[0], z[1]) : fabs(z[0]);
}

static double sum_of(const estimate *e, const stn_view *view)
{
    double sum = 0.0;
    for (int64_t k = 0; k < e->rows; k++)
        sum += size_of(e, values_of(view) + k * e->parts);
    return sum;
}

static int64_t largest_of(const estimate *e, const stn_view *view)
{
    int64_t best = 0;
    for (int64_t k = 1; k < e->rows; k++)
        if (size_of(e, values_of(view) + k * e->parts) >
            size_of(e, values_of(view) + best * e->parts))
            best = k;
    return best;
}

static void conjugate(const estimate *e, const stn_view *view)
{
    for (int64_t k = 0; k < e->rows; k++)
        values_of(view)[2 * k + 1] = -values_of(view)[2 * k + 1];
}

/* Solves with A or its adjoint from 0. The inexact solution is the exact one of the right-hand side
 * `right`, which is replaced by it. */
static stn_status solve(const estimate *e, int is_adjoint)
{
    const stn_solve_advice *const advice = e->advice[is_adjoint];
    const int is_conjugated = is_adjoint && e->parts == 2 && e->transpose;
    if (is_conjugated) /* the system is that of the transpose */
        conjugate(e, &e->right);
    STN_TRY(stn_view_fill(e->exec, &e->solution, 0.0));
    const stn_status status = stn_solve_advised(e->exec, &e->solution, advice, 0, &e->right, NULL);
    if (status == STN_ERR_CONVERGENCE)
        return stn_fail(status,
                        "%s: %s is singular or nearly so: a solve to a relative residual of %g "
                        "does not converge",
                        call, stn_matrix_name(e->a), SOLVE_TARGET);
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    STN_TRY(stn_spmv(e->exec, advice->arithmetic, 1.0, advice->a, &e->solution, 0.0, &e->right));
    if (is_conjugated)
        conjugate(e, &e->solution);
    return STN_OK;
}

/* z / |z| of each element; 1 for 0. */
static void store_signs(const estimate *e)
{
    const double *const from = values_of(&e->solution);
    double *const to = values_of(&e->right);
    for (int64_t k = 0; k < e->rows; k++) {
        const double size = size_of(e, from + k * e->parts);
        for (int64_t part = 0; part < e->parts; part++)
            to[k * e->parts + part] = size > 0.0  ? from[k * e->parts + part] / size
                                      : part == 0 ? 1.0
                                                  : 0.0;
    }
}

static void store_unit(const estimate *e, int64_t index)
{
    for (int64_t k = 0; k < e->rows * e->parts; k++)
        values_of(&e->right)[k] = k == index * e->parts ? 1.0 : 0.0;
}

/* |y|_1 / |b|_1 with the inverse y of b is a lower bound. The norm of rows of the inverse is that
 * of columns of its adjoint. */
static stn_status take_quotient(estimate *e, int *has_grown)
{
    STN_TRY(solve(e, 1));
    const double quotient = sum_of(e, &e->solution) / sum_of(e, &e->right);
    *has_grown = quotient > e->norm;
    e->norm = fmax(e->norm, quotient);
    return isfinite(e->norm)
               ? STN_OK
               : stn_fail(STN_ERR_CONVERGENCE, "%s: %s is singular", call, stn_matrix_name(e->a));
}

static stn_status iterate(estimate *e)
{
    int64_t index = -1;
    int has_grown;
    STN_TRY(stn_view_fill(e->exec, &e->right, 1.0 / (double)e->rows));
    STN_TRY(take_quotient(e, &has_grown));
    for (int k = 0; k < MAX_STEPS && has_grown; k++) {
        store_signs(e);
        STN_TRY(solve(e, 0));
        const int64_t next = largest_of(e, &e->solution);
        if (next == index)
            break;
        index = next;
        store_unit(e, index);
        STN_TRY(take_quotient(e, &has_grown));
    }
    /* A vector with alternating signs and growing elements, in case that the maximum is local. */
    for (int64_t k = 0; k < e->rows * e->parts; k++) {
        const int64_t row = k / e->parts;
        const double size = 1.0 + (double)row / (double)(e->rows > 1 ? e->rows - 1 : 1);
        values_of(&e->right)[k] = k % e->parts ? 0.0 : row % 2 ? -size : size;
    }
    return take_quotient(e, &has_grown);
}

static stn_status prepare(estimate *e, const stn_solve_advice *advice)
{
    stn_solve_advice_options options = advice->options;
    options.target = SOLVE_TARGET;
    e->rows = advice->rows;
    e->parts = advice->arithmetic == STN_C128 ? 2 : 1;
    STN_TRY(stn_advise_solve(e->exec, &e->advice[0], e->a, &options));
    e->advice[1] = e->advice[0];
    if (!advice->traits.is_symmetric) {
        STN_TRY(stn_sparse_transpose(e->exec, &e->transpose, e->a));
        STN_TRY(stn_advise_solve(e->exec, &e->advice[1], e->transpose, &options));
    }
    STN_TRY(stn_view_create(e->exec, &e->right, "a vector", stn_storage_of(advice->arithmetic), 1,
                            &e->rows));
    return stn_view_create(e->exec, &e->solution, "a vector", stn_storage_of(advice->arithmetic), 1,
                           &e->rows);
}

static stn_status run(const stn_exec *exec, const stn_solve_advice *advice, double *value)
{
    STN_TRY(stn_exec_expect(call, exec));
    if (!advice || !value)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, advice ? "value" : "advice");
    estimate e = {.exec = exec, .a = advice->a};
    double norm = 0.0;
    stn_status status = prepare(&e, advice);
    if (status == STN_OK)
        status = stn_matrix_norm(exec, e.a, 1.0, &norm);
    if (status == STN_OK)
        status = iterate(&e);
    if (status == STN_OK)
        *value = fmax(1.0, norm * e.norm);
    (void)stn_view_release(&e.right);
    (void)stn_view_release(&e.solution);
    if (e.advice[1] != e.advice[0])
        stn_solve_advice_release(e.advice[1]);
    stn_solve_advice_release(e.advice[0]);
    stn_matrix_release(e.transpose);
    return status;
}

stn_status stn_estimate_condition(const stn_exec *exec, const stn_solve_advice *advice,
                                  double *value)
{
    STN_RETURN_IN_MODES(run(exec, advice, value));
}
