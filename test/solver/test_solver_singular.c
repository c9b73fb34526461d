/* Random singular systems, consistent and inconsistent, real and complex: every method ends with an
 * x no worse than the initial guess, and reports its residual. Entries are small integers, so that
 * the matrices are exactly singular; least residuals come from a projection in long double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "linear_system.h"
#include "matrix.h"
#include "order_oracle.h"

enum { ORDER = 25 };

static linear_system s;
static outcome o;

static struct {
    int is_symmetric, is_consistent;
    long double b_norm, a_norm; /* of A: Frobenius */
    long double least;          /* the least |b - A x| / |b| */
} facts;

/* ---- systems ---- */

static int draw(uint64_t *state, int most)
{
    return (int)(order_next(state) % (uint64_t)(2 * most + 1)) - most;
}

static number draw_number(uint64_t *state, int most)
{
    const double re = draw(state, most);
    return s.is_complex ? re + I * (double)draw(state, most) : re;
}

/* A sum of fewer outer products than there are rows. */
static void draw_matrix(uint64_t *state, int is_definite)
{
    const int rank = s.rows - 1 - (int)(order_next(state) % 3 == 0 ? order_next(state) % 3 : 0);
    for (int k = 0; k < rank; k++) {
        number left[ORDER], right[ORDER];
        const double sign = facts.is_symmetric && !is_definite && draw(state, 1) < 0 ? -1.0 : 1.0;
        for (int i = 0; i < s.rows; i++) {
            left[i] = order_next(state) % 2 ? draw_number(state, 2) : 0.0;
            right[i] = facts.is_symmetric      ? conj(left[i])
                       : order_next(state) % 2 ? draw_number(state, 2)
                                               : 0.0;
        }
        for (int i = 0; i < s.rows; i++)
            for (int j = 0; j < s.rows; j++)
                system_store(&s, i, j, s.dense[i][j] + sign * left[i] * right[j]);
    }
}

static void draw_b(uint64_t *state)
{
    facts.b_norm = 0;
    while (facts.b_norm == 0) {
        number y[ORDER];
        for (int i = 0; i < s.rows; i++)
            s.b[i] = y[i] = draw_number(state, 3);
        for (int i = 0; i < s.rows && facts.is_consistent; i++) {
            s.b[i] = 0;
            for (int j = 0; j < s.rows; j++)
                s.b[i] += s.dense[i][j] * y[j];
        }
        for (int i = 0; i < s.rows; i++)
            facts.b_norm = hypotl(facts.b_norm, (long double)cabs(s.b[i]));
        facts.is_consistent = facts.is_consistent && facts.b_norm > 0; /* A may be 0 */
    }
}

/* w minus its projection on q. */
static void subtract(wide *w, const wide *q)
{
    wide product = 0;
    for (int i = 0; i < s.rows; i++)
        product += conjl(q[i]) * w[i];
    for (int i = 0; i < s.rows; i++)
        w[i] -= product * q[i];
}

static long double length(const wide *w)
{
    long double square = 0;
    for (int i = 0; i < s.rows; i++)
        square += creall(w[i] * conjl(w[i]));
    return sqrtl(square);
}

/* The part of b outside the range of A, whose columns are orthonormalized twice. */
static void find_least(void)
{
    wide q[ORDER][ORDER], rest[ORDER];
    int count = 0;
    for (int i = 0; i < s.rows; i++)
        rest[i] = s.b[i];
    for (int j = 0; j < s.rows; j++) {
        wide *const w = q[count];
        for (int i = 0; i < s.rows; i++)
            w[i] = s.dense[i][j];
        for (int k = 0; k < 2 * count; k++)
            subtract(w, q[k % count]);
        const long double size = length(w);
        if (size < 1e-12L * facts.a_norm || size == 0)
            continue;
        for (int i = 0; i < s.rows; i++)
            w[i] /= size;
        count++;
    }
    for (int k = 0; k < 2 * count; k++)
        subtract(rest, q[k % count]);
    facts.least = length(rest) / facts.b_norm;
}

static void make(uint64_t *state, int rows, int is_complex, int is_definite)
{
    system_clear(&s, rows, is_complex);
    draw_matrix(state, is_definite);
    draw_b(state);
    facts.a_norm = 0;
    for (int k = 0; k < rows * rows; k++)
        facts.a_norm = hypotl(facts.a_norm, (long double)cabs(s.dense[k / rows][k % rows]));
    system_wrap(&s);
    find_least();
}

/* ---- solves ---- */

/* MINRES loses some of the least residuals, since its vectors do not stay orthogonal. */
typedef struct tally {
    int least, all;
} tally;

static void check(const stn_solver_options *solver, double before, const char *what, tally *minres)
{
    long double x_norm = 0;
    for (int i = 0; i < s.rows; i++)
        x_norm = hypotl(x_norm, (long double)cabs(o.x[i]));
    const long double found = (long double)system_residual(&s, o.x);
    const long double rounding = 1e-14L * (1 + facts.a_norm * x_norm / facts.b_norm);
    const stn_stop_reason reason = o.solution.reason;
    const char *const name = stn_stop_reason_name(reason);
    if (!(fabsl(found - (long double)o.solution.residual) <= rounding))
        fail_msg("%s: residual %Lg, reported %g", what, found, o.solution.residual);
    const int is_limited = reason == STN_STOP_MAX_ITERATIONS && solver->method == STN_SOLVER_CG;
    if (!is_limited && !(found <= (long double)before * (1.0L + 1e-12L) + rounding))
        fail_msg("%s: %s, residual %Lg, worse than %g", what, name, found, before);
    if ((reason == STN_STOP_CONVERGED) != (o.status == STN_OK) ||
        (reason == STN_STOP_CONVERGED && found > 1e-10L + rounding))
        fail_msg("%s: %s, residual %Lg", what, name, found);
    const int is_least =
        traits[solver->method].has_basis && solver->restart == 0 && !solver->preconditioner;
    const int is_minres = solver->method == STN_SOLVER_MINRES && !solver->preconditioner;
    minres->all += is_minres;
    minres->least += is_minres && found <= facts.least * 1.01L + 1e-9L;
    if (facts.is_symmetric && is_least && !(found <= facts.least + 1e-6L))
        fail_msg("%s: %s, residual %Lg, the least is %Lg", what, name, found, facts.least);
}

UNIT_TEST(test_random)
{
    const int rounds = getenv("STENO_TEST_FULL") ? 4000 : oracle_quick() ? 32 : 96;
    uint64_t random = 2026;
    tally minres = {0, 0};
    for (int k = 0; k < METHODS * rounds; k++) {
        const int round = k / METHODS, method = k % METHODS, is_complex = round & 1;
        const int needs_symmetry = traits[method].is_symmetric;
        char what[80];
        if (method == 0) {
            facts.is_symmetric = round >> 1 & 1;
            facts.is_consistent = round >> 2 & 1;
            make(&random, 2 + (int)(order_next(&random) % (ORDER - 1)), is_complex, round >> 3 & 1);
        }
        if (needs_symmetry && !facts.is_symmetric)
            continue;
        const stn_operator m = system_inverse(&s, 1);
        const stn_solver_options inner =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_MINRES, .relative_tolerance = 1e-3,
                     .arithmetic = is_complex ? STN_C128 : STN_F64);
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                     .arithmetic = inner.arithmetic, .restart = round % 3 ? 0 : 5, .inner = &inner);
        if (round % 7 == 6 && traits[method].has_left)
            solver.side = STN_PRECONDITIONER_LEFT;
        if (round % 7 > 4 && method != STN_SOLVER_REFINEMENT)
            solver.preconditioner = &m;
        memset(&o, 0, sizeof o);
        for (int i = 0; i < s.rows; i++)
            o.x[i] = round % 5 == 1 ? draw_number(&random, 2) : 0.0;
        const double before = system_residual(&s, o.x);
        snprintf(what, sizeof what, "round %d, %s, %d rows", round, traits[method].name, s.rows);
        system_continue(order_use(0), &solver, &s, &o);
        check(&solver, before, what, &minres);
    }
    assert_true(minres.all > rounds / 4 && minres.least >= minres.all - minres.all / 20);
}

/* A has one entry, at (1, 1): x[0] does not affect the residual, and BiCGStab increases it without
 * bound. */
UNIT_TEST(test_unread_element)
{
    static const double dense[] = {0.0, 0.0, 0.0, 0.30221805};
    static const stn_solver_options bicgstab =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_BICGSTAB, .arithmetic = STN_C64);
    uint64_t random = 11;
    int not_finite = 0;
    system_of(&s, 2, dense);
    s.is_complex = 1; /* the vectors; the matrix is real */
    for (int k = 0; k < 40; k++) {
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = k % 2 ? STN_SOLVER_REFINEMENT : STN_SOLVER_BICGSTAB,
            .arithmetic = STN_C64, .max_iterations = 1000, .inner = &bicgstab);
        for (int i = 0; i < 2; i++)
            s.b[i] = draw_number(&random, 100) * 0x1p-7;
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        for (int i = 0; i < 2; i++)
            if (!isfinite(creal(o.x[i])) || !isfinite(cimag(o.x[i])))
                fail_msg("b %d: x[%d] is %g: %s", k, i, creal(o.x[i]), stn_error());
        assert_true(o.solution.residual <= 1.0 && o.solution.stored_residual <= 1.0);
        not_finite += o.solution.reason == STN_STOP_NOT_FINITE;
    }
    assert_true(not_finite > 0);
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
