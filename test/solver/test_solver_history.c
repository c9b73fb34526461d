/* Residuals of GMRES, MINRES and CG after each iteration against a second GMRES, by modified
 * Gram-Schmidt, and a second CG, both in long double; and the passes of GMRES over its basis. */
#include <math.h>

#include "linear_system.h"
#include "order_oracle.h"
#include "steno/event.h"
#include "order/fused.h"

enum { MOST = 60 };

typedef struct oracle {
    wide v[MOST + 1][MOST_ROWS], h[MOST + 1][MOST], g[MOST + 1];
    long double residual[MOST];
    int losses; /* vectors that keep less than half of their square */
} oracle;

static linear_system s;
static oracle expected;
static outcome found;

/* x^H y. */
static wide dot(const wide *x, const wide *y)
{
    wide sum = 0;
    for (int i = 0; i < s.rows; i++)
        sum += conjl(x[i]) * y[i];
    return sum;
}

static long double norm(const wide *x)
{
    return sqrtl(creall(dot(x, x)));
}

static void multiply(const wide *x, wide *y)
{
    for (int i = 0; i < s.rows; i++) {
        y[i] = 0;
        for (int j = 0; j < s.rows; j++)
            if (s.is_stored[i][j])
                y[i] += (wide)s.dense[i][j] * x[j];
    }
}

/* Twice, so that the basis is orthogonal. */
static void orthogonalize(oracle *o, int k)
{
    wide *const w = o->v[k + 1];
    const long double before = norm(w);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= k; i++) {
            const wide part = dot(o->v[i], w);
            o->h[i][k] += part;
            for (int e = 0; e < s.rows; e++)
                w[e] -= part * o->v[i][e];
        }
    o->h[k + 1][k] = norm(w);
    o->losses += norm(w) < before * sqrtl(0.5L);
    for (int e = 0; e < s.rows; e++)
        w[e] /= o->h[k + 1][k];
}

/* Real cosines and complex sines make column k triangular. The residual is |g[k + 1]|. */
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

static void run_gmres(oracle *o, int count)
{
    long double cosine[MOST];
    wide sine[MOST], b[MOST_ROWS] = {0};
    for (int i = 0; i < s.rows; i++)
        b[i] = s.b[i];
    o->g[0] = norm(b);
    for (int i = 0; i < s.rows; i++)
        o->v[0][i] = b[i] / o->g[0];
    for (int k = 0; k < count; k++) {
        multiply(o->v[k], o->v[k + 1]);
        orthogonalize(o, k);
        rotate(o, cosine, sine, k);
        o->residual[k] = cabsl(o->g[k + 1]) / norm(b);
    }
}

/* All scalars are complex, as those of a general matrix are. */
static void run_cg(oracle *o, int count)
{
    wide r[MOST_ROWS], p[MOST_ROWS], q[MOST_ROWS];
    for (int i = 0; i < s.rows; i++)
        p[i] = r[i] = s.b[i];
    const long double b_norm = norm(r);
    for (int k = 0; k < count; k++) {
        const wide rr = dot(r, r);
        multiply(p, q);
        const wide alpha = rr / dot(p, q);
        for (int i = 0; i < s.rows; i++)
            r[i] -= alpha * q[i];
        const wide beta = dot(r, r) / rr;
        for (int i = 0; i < s.rows; i++)
            p[i] = r[i] + beta * p[i];
        o->residual[k] = norm(r) / b_norm;
    }
}

/* Compares `count` residuals. */
static void compare(int64_t count, const char *what, const stn_solver_options *solver)
{
    for (int64_t k = 0; k < count; k++) {
        const double residual = (double)expected.residual[k];
        if (!(fabs(found.history[k] - residual) <= 1e-6 * residual))
            fail_msg("%s, method %d, orthogonalization %d: residual %d is %g, not %g", what,
                     (int)solver->method, (int)solver->orthogonalization, (int)k, found.history[k],
                     residual);
    }
}

/* On s, with every orthogonalization; `all` compares every residual until the solve converges,
 * otherwise the first 20. */
static void check(stn_solver_method method, int all, const char *what)
{
    const int restart = all ? MOST : 40;
    stn_solver_options solver = STN_INIT(
        stn_solver_options, .method = method, .arithmetic = s.is_complex ? STN_C128 : STN_F64,
        .relative_tolerance = 1e-9, .restart = restart, .max_iterations = restart);
    stn_exec *exec;
    memset(&expected, 0, sizeof expected);
    (method == STN_SOLVER_CG ? run_cg : run_gmres)(&expected, restart);
    assert_true(!all || expected.losses >= 10);
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    for (int k = 0; k < (method == STN_SOLVER_GMRES ? ORTHOGONALIZATIONS : 1); k++) {
        solver.orthogonalization = (stn_orthogonalization)k;
        system_solve(exec, &solver, &s, &found);
        assert_true(found.solution.history_count >= 20);
        compare(all ? found.solution.history_count : 20, what, &solver);
    }
    stn_exec_release(exec);
}

UNIT_TEST(test_real_residuals)
{
    static const double cases[][2] = {{0.0, 0.0}, {0.3, 0.0}, {0.6, 1.0}};
    for (int k = 0; k < 3; k++) {
        system_diagonals(&s, cases[k][0], cases[k][1]);
        check(STN_SOLVER_GMRES, 1, "real");
    }
}

UNIT_TEST(test_complex_residuals)
{
    for (int kind = 0; kind < SYSTEMS; kind++) {
        system_make(&s, (system_kind)kind, 1);
        check(STN_SOLVER_GMRES, 0, "complex");
        if (kind <= INDEFINITE)
            check(STN_SOLVER_MINRES, 0, "Hermitian");
        if (kind == POSITIVE)
            check(STN_SOLVER_CG, 0, "positive definite");
    }
}

/* ---- passes over the basis ---- */

typedef struct passes {
    int64_t one, two; /* calls of gemv, and of gemvt, which has two products */
} passes;

static void count(const stn_event *event, void *context)
{
    passes *const all = context;
    if (event->kind != STN_EVENT_KERNEL_BEGIN)
        return;
    all->one += strcmp(event->label, "gemv") == 0;
    all->two += strcmp(event->label, "gemvt") == 0;
}

/* Besides the update of x in each cycle: the smallest and largest number of calls of gemv in an
 * iteration, and the number of calls of gemvt. */
static const int expected_passes[ORTHOGONALIZATIONS][3] = {
    [STN_ORTHOGONALIZATION_ONCE] = {2, 2, 0},
    [STN_ORTHOGONALIZATION_IF_NEEDED] = {1, 2, 1},
    [STN_ORTHOGONALIZATION_TWICE] = {2, 2, 1},
    [STN_ORTHOGONALIZATION_DELAYED] = {1, 2, 1},
    [STN_ORTHOGONALIZATION_SKETCHED] = {1, 1, 0}};

UNIT_TEST(test_passes)
{
    static const stn_format bases[] = {STN_F64, STN_F16, STN_I8, STN_I8};
    stn_exec *exec;
    if (!stn_fused_of(STN_F64, STN_F64))
        skip(); /* portable C has no such loops */
    system_diagonals(&s, 0.6, 0.0);
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    for (int k = 0; k < 4 * ORTHOGONALIZATIONS; k++) {
        const int kind = k / 4,
                  selected = k % 4 ? STN_ORTHOGONALIZATION_DELAYED : STN_ORTHOGONALIZATION_ONCE;
        const int *const one = expected_passes[kind ? kind : selected];
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .restart = 20,
                     .basis = stn_storage_of(bases[k % 4]), .basis_block = k % 4 == 3 ? 32 : 0,
                     .orthogonalization = (stn_orthogonalization)kind);
        passes all = {0, 0};
        stn_event_set_hook(count, &all);
        system_solve(exec, &solver, &s, &found);
        stn_event_set_hook(NULL, NULL);
        expect_ok(found.status);
        const int64_t iterations = found.solution.iterations, updates = found.solution.restarts + 1;
        assert_true(iterations > 20);
        const int64_t least = one[0] * iterations + updates, most = one[1] * iterations + updates;
        assert_int_equal(all.two, one[2] * iterations);
        assert_in_range(all.one, least, k % 4 ? 2 * most : most); /* a narrow basis has two parts */
    }
    stn_exec_release(exec);
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
