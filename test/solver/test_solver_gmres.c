/* The residuals of GMRES behind each iteration are those of a second GMRES in this file, by
 * modified Gram-Schmidt in long double, on systems whose vectors lose most of themselves to the
 * basis; and what an iteration reads of the basis is counted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver_problem.h"
#include "steno/event.h"
#include "sum/fused.h"

enum { MOST = 60 };

typedef struct oracle {
    long double v[MOST + 1][N], h[MOST + 1][MOST], g[MOST + 1], residual[MOST];
    int losses; /* vectors that keep less than half of their square */
} oracle;

static long double dot(const long double *x, const long double *y)
{
    long double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * y[i];
    return sum;
}

static void multiply(const problem *p, const long double *x, long double *y)
{
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int j = 0; j < N; j++)
            y[i] += p->dense[i][j] * x[j];
    }
}

/* Twice, so that the basis is orthogonal; the norm of what is left. */
static long double orthogonalise(oracle *o, int k, long double *w)
{
    const long double before = dot(w, w);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= k; i++) {
            const long double part = dot(o->v[i], w);
            o->h[i][k] += part;
            for (int e = 0; e < N; e++)
                w[e] -= part * o->v[i][e];
        }
    o->losses += dot(w, w) < before / 2;
    return sqrtl(dot(w, w));
}

/* Column k made triangular by rotations, from the first on: each step's residual is |g[k + 1]|. */
static void rotate(oracle *o, long double *cosine, long double *sine, int k)
{
    for (int i = 0; i <= k; i++) {
        if (i == k) {
            const long double both = hypotl(o->h[k][k], o->h[k + 1][k]);
            cosine[k] = o->h[k][k] / both;
            sine[k] = o->h[k + 1][k] / both;
        }
        const long double upper = o->h[i][k], lower = o->h[i + 1][k];
        o->h[i][k] = cosine[i] * upper + sine[i] * lower;
        o->h[i + 1][k] = cosine[i] * lower - sine[i] * upper;
    }
    o->g[k + 1] = -sine[k] * o->g[k];
    o->g[k] *= cosine[k];
}

static void run_oracle(const problem *p, oracle *o)
{
    long double b[N], cosine[MOST], sine[MOST];
    memset(o, 0, sizeof *o);
    for (int i = 0; i < N; i++)
        b[i] = p->b[i];
    const long double norm = sqrtl(dot(b, b));
    for (int i = 0; i < N; i++)
        o->v[0][i] = b[i] / norm;
    o->g[0] = norm;
    for (int k = 0; k < MOST; k++) {
        long double *const w = o->v[k + 1];
        multiply(p, o->v[k], w);
        o->h[k + 1][k] = orthogonalise(o, k, w);
        for (int i = 0; i < N; i++)
            w[i] /= o->h[k + 1][k];
        rotate(o, cosine, sine, k);
        o->residual[k] = fabsl(o->g[k + 1]) / norm;
    }
}

static void check(double wind, double shift)
{
    static problem p;
    static oracle o;
    static outcome found;
    stn_exec *exec;
    const stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .relative_tolerance = 1e-9,
                 .restart = MOST, .max_iterations = MOST);
    problem_make(&p, wind, shift);
    run_oracle(&p, &o);
    assert_true(o.losses >= 10);
    solver_must(stn_exec_create(&exec, "openmp:threads=2"));
    problem_solve(exec, &solver, &p, &found);
    assert_true(found.solution.history_count >= 20);
    for (int64_t k = 0; k < found.solution.history_count; k++)
        if (!(fabs(found.history[k] - (double)o.residual[k]) <= 1e-6 * (double)o.residual[k]))
            fail_msg("wind %g, shift %g: residual %d is %g, not %g", wind, shift, (int)k,
                     found.history[k], (double)o.residual[k]);
    stn_exec_release(exec);
}

static void test_residuals(void **context)
{
    (void)context;
    check(0.0, 0.0);
    check(0.3, 0.0);
    check(0.6, 1.0);
}

/* ---- passes over the basis ---- */

typedef struct passes {
    int64_t one, two; /* products by one pass, and of two in one */
} passes;

static void count(const stn_event *event, void *context)
{
    passes *const all = context;
    if (event->kind != STN_EVENT_KERNEL_BEGIN)
        return;
    all->one += strcmp(event->label, "gemv") == 0;
    all->two += strcmp(event->label, "gemvt") == 0;
}

/* A projection, a subtraction that projects again, and at most a subtraction more; and behind a
 * cycle what x gets. */
static void test_passes(void **context)
{
    static const stn_format bases[] = {STN_F64, STN_F16, STN_I8, STN_I8};
    static problem p;
    static outcome found;
    stn_exec *exec;
    (void)context;
    if (!stn_fused_of(STN_F64, STN_F64))
        skip(); /* portable C has no such loops */
    problem_make(&p, 0.6, 0.0);
    solver_must(stn_exec_create(&exec, "openmp:threads=2"));
    for (int k = 0; k < 4; k++) {
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .restart = 20,
                     .basis = stn_storage_of(bases[k]), .basis_block = k == 3 ? 32 : 0);
        passes all = {0, 0};
        stn_event_set_hook(count, &all);
        problem_solve(exec, &solver, &p, &found);
        stn_event_set_hook(NULL, NULL);
        solver_must(found.status);
        const int64_t iterations = found.solution.iterations;
        assert_true(iterations > 20);
        assert_int_equal(all.two, iterations);
        assert_true(all.one >= iterations + found.solution.restarts);
        assert_true(all.one <= 2 * iterations + found.solution.restarts);
    }
    stn_exec_release(exec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_residuals),
                                       cmocka_unit_test(test_passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
