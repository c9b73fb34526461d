/* Random singular systems, consistent and inconsistent, real and complex: every method ends with an
 * x no worse than the initial guess, and says how good it is. Entries are small integers, so that
 * the matrices are exactly singular; least residuals come from a projection in long double. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "order_oracle.h"
#include "solver_problem.h"
#include "matrix.h"

enum { ORDER = 25 };

typedef double complex number;
typedef long double complex wide;

typedef struct singular {
    int n, is_complex, is_symmetric, is_consistent;
    number a[ORDER][ORDER], b[ORDER], x[ORDER];
    double real_b[ORDER], real_x[ORDER];
    long double b_norm, a_norm; /* of A: Frobenius */
    long double least;          /* the least |b - A x| / |b| */
    int64_t start[ORDER + 1];
    int32_t column[ORDER * ORDER];
    number value[ORDER * ORDER];
    double real_value[ORDER * ORDER];
    stn_matrix *matrix;
    stn_operator operator_a;
    stn_solver_report solution;
    stn_status status;
} singular;

/* ---- systems ---- */

static int draw(uint64_t *state, int most)
{
    return (int)(order_next(state) % (uint64_t)(2 * most + 1)) - most;
}

static number draw_number(uint64_t *state, const singular *s, int most)
{
    const double re = draw(state, most);
    return s->is_complex ? re + I * (double)draw(state, most) : re;
}

/* A sum of fewer products of vectors than there are rows. */
static void draw_matrix(singular *s, uint64_t *state, int is_definite)
{
    const int rank = s->n - 1 - (int)(order_next(state) % 3 == 0 ? order_next(state) % 3 : 0);
    memset(s->a, 0, sizeof s->a);
    for (int k = 0; k < rank; k++) {
        number left[ORDER], right[ORDER];
        const double sign = s->is_symmetric && !is_definite && draw(state, 1) < 0 ? -1.0 : 1.0;
        for (int i = 0; i < s->n; i++) {
            left[i] = order_next(state) % 2 ? draw_number(state, s, 2) : 0.0;
            right[i] = s->is_symmetric         ? conj(left[i])
                       : order_next(state) % 2 ? draw_number(state, s, 2)
                                               : 0.0;
        }
        for (int i = 0; i < s->n; i++)
            for (int j = 0; j < s->n; j++)
                s->a[i][j] += sign * left[i] * right[j];
    }
}

static void draw_b(singular *s, uint64_t *state)
{
    s->b_norm = 0;
    while (s->b_norm == 0) {
        number y[ORDER];
        for (int i = 0; i < s->n; i++)
            s->b[i] = y[i] = draw_number(state, s, 3);
        for (int i = 0; i < s->n && s->is_consistent; i++) {
            s->b[i] = 0;
            for (int j = 0; j < s->n; j++)
                s->b[i] += s->a[i][j] * y[j];
        }
        for (int i = 0; i < s->n; i++)
            s->b_norm = hypotl(s->b_norm, (long double)cabs(s->b[i]));
        s->is_consistent = s->is_consistent && s->b_norm > 0; /* A may be 0 */
    }
}

/* w minus its projection on q. */
static void subtract(wide *w, const wide *q, int n)
{
    wide product = 0;
    for (int i = 0; i < n; i++)
        product += conjl(q[i]) * w[i];
    for (int i = 0; i < n; i++)
        w[i] -= product * q[i];
}

static long double length(const wide *w, int n)
{
    long double square = 0;
    for (int i = 0; i < n; i++)
        square += creall(w[i] * conjl(w[i]));
    return sqrtl(square);
}

/* What is left of b after the columns of A, orthonormalized twice. */
static void find_least(singular *s)
{
    wide q[ORDER][ORDER], rest[ORDER];
    int count = 0;
    for (int i = 0; i < s->n; i++)
        rest[i] = s->b[i];
    for (int j = 0; j < s->n; j++) {
        wide *const w = q[count];
        for (int i = 0; i < s->n; i++)
            w[i] = s->a[i][j];
        for (int k = 0; k < 2 * count; k++)
            subtract(w, q[k % count], s->n);
        const long double size = length(w, s->n);
        if (size < 1e-12L * s->a_norm || size == 0)
            continue;
        for (int i = 0; i < s->n; i++)
            w[i] /= size;
        count++;
    }
    for (int k = 0; k < 2 * count; k++)
        subtract(rest, q[k % count], s->n);
    s->least = length(rest, s->n) / s->b_norm;
}

static void make(singular *s, uint64_t *state, int is_definite)
{
    int64_t at = 0;
    draw_matrix(s, state, is_definite);
    draw_b(s, state);
    s->a_norm = 0;
    for (int i = 0; i < s->n; i++) {
        s->start[i] = at;
        s->real_b[i] = creal(s->b[i]);
        for (int j = 0; j < s->n; j++) {
            s->a_norm = hypotl(s->a_norm, (long double)cabs(s->a[i][j]));
            s->column[at] = j;
            s->real_value[at] = creal(s->a[i][j]);
            s->value[at++] = s->a[i][j];
        }
    }
    s->start[s->n] = at;
    find_least(s);
    void *const values = s->is_complex ? (void *)s->value : (void *)s->real_value;
    solver_must(wrap_csr(&s->matrix, "singular", stn_storage_of(s->is_complex ? STN_C128 : STN_F64),
                         s->n, s->n, s->start, s->column, values));
    solver_must(stn_operator_of_matrix(&s->operator_a, s->matrix));
}

/* ---- solves ---- */

/* Multiplies by a positive diagonal: a preconditioner for every method. */
static stn_status precondition(void *context, const stn_exec *exec, stn_format arithmetic,
                               const stn_view *x, const stn_view *y)
{
    const int parts = arithmetic == STN_C128 ? 2 : 1;
    (void)context, (void)exec;
    for (int64_t i = 0; i < parts * x->extent[0]; i++)
        ((double *)y->data)[i] = ((const double *)x->data)[i] / (double)(1 + i / parts % 7);
    return STN_OK;
}

/* From s->x. */
static void solve(singular *s, stn_solver_options *solver)
{
    const int64_t n = s->n;
    const stn_storage storage = stn_storage_of(s->is_complex ? STN_C128 : STN_F64);
    stn_view b, x;
    for (int i = 0; i < s->n; i++)
        s->real_x[i] = creal(s->x[i]);
    solver->arithmetic = s->is_complex ? STN_C128 : STN_F64;
    s->solution = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    solver_must(
        stn_view_wrap(&b, "b", storage, s->is_complex ? (void *)s->b : (void *)s->real_b, 1, &n));
    solver_must(
        stn_view_wrap(&x, "x", storage, s->is_complex ? (void *)s->x : (void *)s->real_x, 1, &n));
    s->status = stn_solve(order_use(0), &x, &s->operator_a, &b, solver, &s->solution);
    for (int i = 0; i < s->n && !s->is_complex; i++)
        s->x[i] = s->real_x[i];
}

static long double residual(const singular *s, long double *x_norm)
{
    wide r[ORDER];
    *x_norm = 0;
    for (int i = 0; i < s->n; i++) {
        r[i] = s->b[i];
        *x_norm = hypotl(*x_norm, (long double)cabs(s->x[i]));
        for (int j = 0; j < s->n; j++)
            r[i] -= (wide)s->a[i][j] * (wide)s->x[j];
    }
    return length(r, s->n) / s->b_norm;
}

/* MINRES loses some of the least residuals, since its vectors do not stay orthogonal. */
typedef struct tally {
    int least, all;
} tally;

static void check(const singular *s, const stn_solver_options *solver, long double before,
                  const char *what, tally *minres)
{
    long double x_norm;
    const long double found = residual(s, &x_norm);
    const long double rounding = 1e-14L * (1 + s->a_norm * x_norm / s->b_norm);
    const stn_stop_reason reason = s->solution.reason;
    if (!(fabsl(found - (long double)s->solution.residual) <= rounding))
        fail_msg("%s: residual %Lg, reported %g", what, found, s->solution.residual);
    const int is_limited = reason == STN_STOP_MAX_ITERATIONS && solver->method == STN_SOLVER_CG;
    if (!is_limited && !(found <= before * (1.0L + 1e-12L) + rounding))
        fail_msg("%s: %s, residual %Lg, worse than %Lg", what, stn_stop_reason_name(reason), found,
                 before);
    if ((reason == STN_STOP_CONVERGED) != (s->status == STN_OK) ||
        (reason == STN_STOP_CONVERGED && found > 1e-10L + rounding))
        fail_msg("%s: %s, residual %Lg", what, stn_stop_reason_name(reason), found);
    const int is_least =
        (solver->method == STN_SOLVER_GMRES || solver->method == STN_SOLVER_FGMRES) &&
        solver->restart == 0 && !solver->preconditioner;
    const int is_minres = solver->method == STN_SOLVER_MINRES && !solver->preconditioner;
    minres->all += is_minres;
    minres->least += is_minres && found <= s->least * 1.01L + 1e-9L;
    if (s->is_symmetric && is_least && !(found <= s->least + 1e-6L))
        fail_msg("%s: %s, residual %Lg, the least is %Lg", what, stn_stop_reason_name(reason),
                 found, s->least);
}

static void test_random(void **state)
{
    static const struct {
        stn_solver_method method;
        int needs_symmetry;
        const char *name;
    } methods[] = {{STN_SOLVER_GMRES, 0, "GMRES"},
                   {STN_SOLVER_FGMRES, 0, "flexible GMRES"},
                   {STN_SOLVER_BICGSTAB, 0, "BiCGStab"},
                   {STN_SOLVER_MINRES, 1, "MINRES"},
                   {STN_SOLVER_CG, 1, "CG"},
                   {STN_SOLVER_REFINEMENT, 1, "refinement"}};
    static singular s;
    const stn_solver_options inner =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_MINRES, .relative_tolerance = 1e-3);
    const int rounds = getenv("STENO_TEST_FULL") ? 4000 : oracle_quick() ? 32 : 96;
    uint64_t random = 2026;
    tally minres = {0, 0};
    (void)state;
    for (int round = 0; round < rounds; round++) {
        long double x_norm;
        stn_operator m;
        s.n = 2 + (int)(order_next(&random) % (ORDER - 1));
        solver_must(stn_operator_create(&m, "a diagonal", s.n, precondition, NULL));
        s.is_complex = round & 1;
        s.is_symmetric = round >> 1 & 1;
        s.is_consistent = round >> 2 & 1;
        make(&s, &random, round >> 3 & 1);
        for (int k = 0; k < 6; k++) {
            char what[80];
            stn_solver_options inside = inner;
            stn_solver_options solver =
                STN_INIT(stn_solver_options, .method = methods[k].method, .inner = &inside);
            if (methods[k].needs_symmetry && !s.is_symmetric)
                continue;
            inside.arithmetic = s.is_complex ? STN_C128 : STN_F64;
            solver.restart = round % 3 ? 0 : 5;
            solver.side =
                round % 7 == 6 && k < 3 ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT;
            if (round % 7 > 4 && methods[k].method != STN_SOLVER_REFINEMENT)
                solver.preconditioner = &m;
            for (int i = 0; i < s.n; i++)
                s.x[i] = round % 5 == 1 ? draw_number(&random, &s, 2) : 0.0;
            const long double before = residual(&s, &x_norm);
            snprintf(what, sizeof what, "round %d, %s, %d rows", round, methods[k].name, s.n);
            solve(&s, &solver);
            check(&s, &solver, before, what, &minres);
        }
    }
    assert_true(minres.all > rounds / 4 && minres.least >= minres.all - minres.all / 20);
}

/* A has one entry, at (1, 1): its residuals do not show x[0], which BiCGStab makes ever larger. */
static void test_unread_element(void **state)
{
    static const int64_t start[] = {0, 0, 1}, rows = 2;
    static const int32_t column[] = {1};
    static const double value[] = {0.30221805};
    static const stn_solver_options bicgstab =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_BICGSTAB, .arithmetic = STN_C64);
    uint64_t random = 11;
    int not_finite = 0;
    stn_matrix *matrix;
    stn_operator a;
    (void)state;
    solver_must(wrap_csr(&matrix, "A", stn_storage_of(STN_F64), 2, 2, start, column, value));
    solver_must(stn_operator_of_matrix(&a, matrix));
    for (int k = 0; k < 40; k++) {
        const int is_inner = k % 2;
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = is_inner ? STN_SOLVER_REFINEMENT : STN_SOLVER_BICGSTAB,
            .arithmetic = STN_C64, .max_iterations = 1000, .inner = &bicgstab);
        double b[4], x[4] = {0.0};
        stn_view b_view, x_view;
        stn_solver_report solution = STN_SOLVER_REPORT_INIT;
        for (int i = 0; i < 4; i++)
            b[i] = draw(&random, 100) * 0x1p-7;
        solver_must(stn_view_wrap(&b_view, "b", stn_storage_of(STN_C128), b, 1, &rows));
        solver_must(stn_view_wrap(&x_view, "x", stn_storage_of(STN_C128), x, 1, &rows));
        assert_int_equal(stn_solve(order_use(0), &x_view, &a, &b_view, &solver, &solution),
                         STN_ERR_CONVERGENCE);
        for (int i = 0; i < 4; i++)
            if (!isfinite(x[i]))
                fail_msg("b %d: x[%d] is %g: %s", k, i, x[i], stn_error());
        assert_true(solution.residual <= 1.0 && solution.stored_residual <= 1.0);
        not_finite += solution.reason == STN_STOP_NOT_FINITE;
    }
    assert_true(not_finite > 0);
}

static int release(void **state)
{
    (void)state;
    order_release_executors();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_unread_element)};
    return cmocka_run_group_tests_name("singular systems", tests, NULL, release);
}
