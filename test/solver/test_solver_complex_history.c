/* The residuals of complex GMRES, MINRES and CG behind each iteration are those of a second GMRES,
 * by modified Gram-Schmidt, and a second CG in this file, in long double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "complex_system.h"

enum { MOST = 40 };

typedef struct oracle {
    wide v[MOST + 1][ROWS], h[MOST + 1][MOST], g[MOST + 1];
    long double residual[MOST];
} oracle;

/* x^H y. */
static wide dot(const wide *x, const wide *y)
{
    wide sum = 0;
    for (int i = 0; i < ROWS; i++)
        sum += conjl(x[i]) * y[i];
    return sum;
}

static long double norm(const wide *x)
{
    return sqrtl(creall(dot(x, x)));
}

static void multiply(const complex_system *s, const wide *x, wide *y)
{
    for (int i = 0; i < ROWS; i++) {
        y[i] = 0;
        for (int j = 0; j < ROWS; j++)
            y[i] += (wide)s->dense[i][j] * x[j];
    }
}

/* Twice, so that the basis is orthogonal. */
static void orthogonalise(oracle *o, int k)
{
    wide *const w = o->v[k + 1];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= k; i++) {
            const wide part = dot(o->v[i], w);
            o->h[i][k] += part;
            for (int e = 0; e < ROWS; e++)
                w[e] -= part * o->v[i][e];
        }
    o->h[k + 1][k] = norm(w);
    for (int e = 0; e < ROWS; e++)
        w[e] /= o->h[k + 1][k];
}

/* Real cosines and complex sines, with which column k becomes triangular. */
static void rotate(oracle *o, long double *cosine, wide *sine, int k)
{
    for (int i = 0; i <= k; i++) {
        const wide upper = o->h[i][k], lower = o->h[i + 1][k];
        if (i == k) {
            const long double both = hypotl(cabsl(upper), cabsl(lower));
            cosine[k] = cabsl(upper) / both;
            sine[k] = upper / cabsl(upper) * conjl(lower) / both;
        }
        o->h[i][k] = cosine[i] * upper + sine[i] * lower;
        o->h[i + 1][k] = cosine[i] * lower - conjl(sine[i]) * upper;
    }
    o->g[k + 1] = -conjl(sine[k]) * o->g[k];
    o->g[k] *= cosine[k];
}

static void run_gmres(const complex_system *s, oracle *o)
{
    long double cosine[MOST];
    wide sine[MOST], b[ROWS];
    memset(o, 0, sizeof *o);
    for (int i = 0; i < ROWS; i++)
        b[i] = s->b[i];
    o->g[0] = norm(b);
    for (int i = 0; i < ROWS; i++)
        o->v[0][i] = b[i] / o->g[0];
    for (int k = 0; k < MOST; k++) {
        multiply(s, o->v[k], o->v[k + 1]);
        orthogonalise(o, k);
        rotate(o, cosine, sine, k);
        o->residual[k] = cabsl(o->g[k + 1]) / norm(b);
    }
}

/* All scalars complex, as they would be of any matrix. */
static void run_cg(const complex_system *s, oracle *o)
{
    wide x[ROWS] = {0}, r[ROWS], p[ROWS], q[ROWS];
    memset(o, 0, sizeof *o);
    for (int i = 0; i < ROWS; i++)
        p[i] = r[i] = s->b[i];
    const long double b_norm = norm(r);
    for (int k = 0; k < MOST; k++) {
        const wide rr = dot(r, r);
        multiply(s, p, q);
        const wide alpha = rr / dot(p, q);
        for (int i = 0; i < ROWS; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        const wide beta = dot(r, r) / rr;
        for (int i = 0; i < ROWS; i++)
            p[i] = r[i] + beta * p[i];
        o->residual[k] = norm(r) / b_norm;
    }
}

/* As long as the method's own rounding errors are beside them. */
static void check(stn_solver_method method, system_kind kind, int entries)
{
    static complex_system s;
    static oracle o;
    static complex_outcome found;
    stn_exec *exec;
    const stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = method, .arithmetic = STN_C128,
                 .relative_tolerance = 1e-9, .restart = MOST, .max_iterations = MOST);
    system_make(&s, kind);
    if (method == STN_SOLVER_CG)
        run_cg(&s, &o);
    else
        run_gmres(&s, &o);
    system_must(stn_exec_create(&exec, "openmp:threads=2"));
    system_solve(exec, &solver, &s, &found);
    stn_exec_release(exec);
    assert_true(found.solution.history_count >= entries);
    for (int64_t k = 0; k < entries; k++)
        if (!(fabs(found.history[k] - (double)o.residual[k]) <= 1e-6 * (double)o.residual[k]))
            fail_msg("method %d, matrix %d: residual %d is %g, not %g", (int)method, (int)kind,
                     (int)k, found.history[k], (double)o.residual[k]);
}

static void test_residuals(void **context)
{
    (void)context;
    for (int kind = 0; kind < SYSTEMS; kind++)
        check(STN_SOLVER_GMRES, (system_kind)kind, 20);
    check(STN_SOLVER_MINRES, MAGNETIC, 20);
    check(STN_SOLVER_MINRES, SHIFTED, 20);
    check(STN_SOLVER_CG, MAGNETIC, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_residuals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
