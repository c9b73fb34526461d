/* Checks of the last residual: its rounding error and, if that exceeds the tolerance, the residual
 * in twice the precision of f64; and the backward error. */
#include <float.h>
#include <math.h>

#include "core/clock.h"
#include "core/memory.h"
#include "distribute/matrix.h"
#include "exec/exec.h"
#include "solver/solver.h"
#include "sparse/ops/accurate.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"

/* Weights of random sign between 0.5 and 1.5, from the index of the element: generators of 31 bits,
 * each followed by a shift, because the lowest bits of the former are not random. */
/* clang-format off */
STN_MAP(weigh, (at(i), index(first), in(x), out(y)),
    int64_t random = (first + i) % 2147483648 + 1;
    for (int k = 0; k < 3; k++) {
        random = (random * 1103515245 + 12345) % 2147483648;
        random = random ^ (random >> 15);
    }
    const real_t size = (real_t)(random % 32768 + 16384) / 32768;
    y = (random >> 15) % 2 ? size * x : -size * x;
)
STN_REDUCE(magnitude, max, (in(x)), fabs(x))
/* clang-format on */

static stn_status largest_of(const stn_solver_state *s, const stn_view *vector, double *largest)
{
    *largest = 0.0;
    if (s->length > 0)
        STN_TRY(magnitude_reduce(s->exec, s->arithmetic, largest, vector));
    return stn_partition_max(s->partition, largest);
}

/* ---- rounding errors ---- */

/* |A D x| with random weights D is about the root of the sum of the squares of all a_ij x_j: the
 * terms do not cancel, as they do in A x. With the rounding unit, this is the magnitude of the
 * rounding errors of A x. Product in vectors[2], D x in vectors[1]. */
static stn_status estimate_error(stn_solver_state *s)
{
    const int64_t first = s->partition ? stn_partition_first(s->partition) : 0;
    double norm;
    STN_TRY(weigh_run(s->exec, s->arithmetic, stn_solver_is_complex(s) ? 2 * first : first, &s->x,
                      &s->vectors[1]));
    STN_TRY(stn_solver_multiply(s, &s->vectors[1], &s->vectors[2]));
    STN_TRY(stn_solver_nrm2(s, &norm, &s->vectors[2]));
    s->rounding_error = stn_solver_rounding(s) * (norm + s->b_norm);
    return STN_OK;
}

/* ---- the residual in twice the precision of f64 ---- */

/* Elements of a vector as f64. */
static stn_status fetch(const stn_solver_state *s, const stn_view *vector, double *values)
{
    stn_view wide, narrow;
    void *copy = values;
    const int is_narrow = s->arithmetic == STN_F32;
    if (is_narrow)
        STN_TRY(stn_allocate(&copy, s->length, sizeof(float), "a vector of a residual"));
    stn_status status =
        stn_view_wrap(&wide, "a residual", stn_storage_of(STN_F64), values, 1, &s->length);
    if (status == STN_OK)
        status = stn_view_wrap(&narrow, "a residual", stn_storage_of(s->arithmetic), copy, 1,
                               &s->length);
    if (status == STN_OK)
        status = stn_view_copy(s->exec, &narrow, vector);
    if (status == STN_OK)
        status = stn_exec_wait(s->exec);
    if (status == STN_OK && is_narrow)
        status = stn_view_copy(NULL, &wide, &narrow);
    if (is_narrow)
        stn_free(copy);
    return status;
}

/* Elements of the caller's b or x, divided by s->scale, as f64: the arithmetic type may be narrower
 * than their storage. Memory that the host cannot access is read in the arithmetic type. */
static stn_status fetch_stored(const stn_solver_state *s, const stn_view *callers, double *values)
{
    const int is_host = stn_space_accessible(NULL, (stn_space)callers->space);
    stn_view to = stn_solver_numbers(s, &s->vectors[1]);
    if (is_host)
        STN_TRY(stn_view_wrap(&to, "a residual",
                              stn_storage_of(stn_solver_is_complex(s) ? STN_C128 : STN_F64), values,
                              1, &s->n));
    to.storage.scale = s->scale;
    STN_TRY(stn_view_copy(is_host ? NULL : s->exec, &to, callers));
    return is_host ? STN_OK : fetch(s, &s->vectors[1], values);
}

/* The norm of a vector whose squares may overflow. */
static stn_status norm_of(const stn_solver_state *s, const double *values, double *norm)
{
    stn_view view;
    stn_exec *host;
    STN_TRY(stn_view_wrap(&view, "a residual", stn_storage_of(STN_F64), (void *)(uintptr_t)values,
                          1, &s->length));
    STN_TRY(stn_exec_create(&host, "reference"));
    const stn_status status =
        stn_partition_nrm2(s->partition, host, STN_F64, stn_solver_parts(s), norm, &view);
    stn_exec_release(host);
    return status;
}

static stn_status subtract_accurately(const stn_solver_state *s, const double *b, const double *x,
                                      double *r)
{
    const int is_complex = stn_solver_is_complex(s);
    return s->partition
               ? stn_distributed_residual(s->exec, stn_operator_distributed_matrix(s->a),
                                          is_complex, b, x, r)
               : stn_residual_accurate(s->exec, stn_operator_matrix(s->a), is_complex, b, x, r);
}

stn_status stn_solver_residual_accurate(stn_solver_state *s, const stn_view *callers_x,
                                        double *residual, double *largest)
{
    double *b;
    STN_TRY(stn_allocate(&b, 3 * s->length, sizeof *b, "a residual"));
    double *const x = b + s->length, *const r = x + s->length;
    stn_status status = fetch_stored(s, s->given, b);
    if (status == STN_OK)
        status = callers_x ? fetch_stored(s, callers_x, x) : fetch(s, &s->x, x);
    if (status == STN_OK)
        status = subtract_accurately(s, b, x, r);
    if (status == STN_OK)
        status = norm_of(s, r, residual);
    *largest = 0.0;
    for (int64_t k = 0; status == STN_OK && k < s->length; k++)
        *largest = fmax(*largest, fabs(r[k]));
    stn_free(b);
    return status == STN_OK ? stn_partition_max(s->partition, largest) : status;
}

int stn_solver_has_matrix(const stn_solver_state *s)
{
    return s->partition ? stn_operator_distributed_matrix(s->a) != NULL
                        : stn_operator_matrix(s->a) != NULL;
}

static stn_status verify(stn_solver_state *s, int *reason)
{
    const int has_matrix = stn_solver_has_matrix(s);
    if (*reason != STN_STOP_CONVERGED || !(s->rounding_error > s->goal))
        return STN_OK;
    double residual = INFINITY, largest;
    if (has_matrix)
        STN_TRY(stn_solver_residual_accurate(s, NULL, &residual, &largest));
    if (!(residual <= s->goal))
        *reason = STN_STOP_RESIDUAL_UNCERTAIN;
    s->is_accurate = isfinite(residual); /* no overflow */
    if (s->is_accurate) {
        s->residual = residual;
        s->largest = largest;
    }
    return STN_OK;
}

/* ---- the backward error ---- */

static const double beyond_overflow = 0x1p-64; /* no row has 2^64 entries */

static int is_on_device(const stn_solver_state *s)
{
    const stn_matrix *const a = stn_operator_matrix(s->a);
    return a && !stn_space_accessible(NULL, (stn_space)a->memory.space);
}

static stn_status norm_of_matrix(stn_solver_state *s, double scale)
{
    s->a_scale = scale;
    return s->partition ? stn_distributed_norm(s->exec, stn_operator_distributed_matrix(s->a),
                                               scale, &s->a_norm)
                        : stn_matrix_norm(s->exec, stn_operator_matrix(s->a), scale, &s->a_norm);
}

/* The largest row sum of magnitudes of a_scale A; from below, by D x and A D x, if A is a function
 * or stored on a device. */
static stn_status norm_of_a(stn_solver_state *s, double *norm)
{
    double from, to;
    if (stn_solver_has_matrix(s) && !is_on_device(s)) {
        if (s->a_norm < 0.0)
            STN_TRY(norm_of_matrix(s, 1.0));
        if (isinf(s->a_norm) && s->a_scale == 1.0)
            STN_TRY(norm_of_matrix(s, beyond_overflow));
        *norm = s->a_norm;
        return STN_OK;
    }
    STN_TRY(largest_of(s, &s->vectors[1], &from));
    STN_TRY(largest_of(s, &s->vectors[2], &to));
    *norm = from > 0.0 ? to / from : 0.0;
    return STN_OK;
}

/* r / (a x + b), where a x may overflow. Not 0, although the quotient may underflow; NaN if a is
 * not finite. */
static double quotient(double r, double a, double x, double b)
{
    const double size = a * x + b;
    if (!isfinite(a))
        return NAN;
    return fmax(isinf(size) ? r / a / (x + b / a) : r / size, DBL_TRUE_MIN);
}

/* With maximum norms. s->largest is that of the residual. */
static stn_status find_backward_error(stn_solver_state *s, double a_norm)
{
    double x, b;
    STN_TRY(largest_of(s, &s->x, &x));
    const stn_view numbers = stn_solver_numbers(s, &s->vectors[1]);
    STN_TRY(stn_view_copy(s->exec, &numbers, s->b));
    STN_TRY(largest_of(s, &s->vectors[1], &b));
    s->backward_error =
        s->largest == 0.0 ? 0.0 : quotient(s->a_scale * s->largest, a_norm, x, s->a_scale * b);
    return STN_OK;
}

/* Computes the residual of x, without effect on s->residual, and its largest element. */
static stn_status find_largest(stn_solver_state *s)
{
    const double residual = s->residual, norm = s->norm, target = s->target;
    STN_TRY(stn_solver_residual(s, &s->x, &s->vectors[0]));
    STN_TRY(largest_of(s, s->left ? &s->between : &s->vectors[0], &s->largest));
    s->residual = residual;
    s->norm = norm;
    s->target = target;
    return STN_OK;
}

static stn_status check(stn_solver_state *s, int *reason)
{
    double a_norm = 0.0;
    s->largest = NAN;
    STN_TRY(estimate_error(s));
    if (s->has_report)
        STN_TRY(norm_of_a(s, &a_norm));
    STN_TRY(verify(s, reason));
    if (!s->has_report)
        return STN_OK;
    if (isnan(s->largest))
        STN_TRY(find_largest(s));
    return find_backward_error(s, a_norm);
}

stn_status stn_solver_verify(stn_solver_state *s, int *reason)
{
    stn_solver_report *const report = s->report;
    const double products = report->seconds_products + report->seconds_preconditioner;
    const double begun = stn_seconds_now();
    s->rounding_error = s->backward_error = NAN;
    s->is_accurate = 0;
    if (s->is_inner || !isfinite(s->residual))
        return STN_OK;
    const stn_status status = check(s, reason);
    const double more = report->seconds_products + report->seconds_preconditioner - products;
    report->seconds_verification += fmax(stn_seconds_now() - begun - more, 0.0);
    return status;
}
