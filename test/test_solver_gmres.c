/* The residuals of GMRES behind each iteration are those of a second GMRES in this file, by
 * modified Gram-Schmidt in long double, on systems whose vectors lose most of themselves to the
 * basis. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver_problem.h"

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
    const stn_solver solver = {.size = sizeof solver,
                               .method = STN_GMRES,
                               .relative = 1e-9,
                               .restart = MOST,
                               .iterations = MOST};
    problem_make(&p, wind, shift);
    run_oracle(&p, &o);
    assert_true(o.losses >= 10);
    solver_must(stn_exec_create("openmp:threads=2", &exec));
    problem_solve(exec, &solver, &p, &found);
    assert_true(found.solution.entries >= 20);
    for (int64_t k = 0; k < found.solution.entries; k++)
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_residuals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
