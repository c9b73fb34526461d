/* stn_solve: checks, vectors, and the words of endings. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>
#include <time.h>

#include "core/modes.h"
#include "exec/exec.h"
#include "solver/solver.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "view/overlap.h"
#include "view/view.h"

/* clang-format off */
STN_MAP(subtract_from, (in(b), inout(r)), r = b - r;)
/* clang-format on */

static const stn_solver_method *const methods[] = {&stn_solver_cg,         &stn_solver_gmres,
                                                   &stn_solver_refinement, &stn_solver_bicgstab,
                                                   &stn_solver_minres,     &stn_solver_fgmres};
enum { METHODS = sizeof methods / sizeof *methods, USUAL_RESTART = 100, USUAL_MOST = 100000 };
enum { MOST_RESTART = 1 << 20 }; /* its square is a number of elements */
static const double usual_relative = 1e-10;

static const char *const endings[] = {"converged",
                                      "all iterations are spent",
                                      "the time is spent",
                                      "interrupted",
                                      "it has stagnated",
                                      "it broke down",
                                      "not positive definite",
                                      "not finite",
                                      "a call failed"};

const char *stn_ending_name(stn_ending ending)
{
    return (size_t)ending < sizeof endings / sizeof *endings ? endings[ending] : "unknown ending";
}

double stn_solver_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- what methods share ---- */

stn_status stn_solver_vector(const stn_solving *s, const char *label, stn_view *vector)
{
    return stn_view_create(s->exec, vector, label, stn_storage_of(s->arithmetic), NULL, 1, &s->n,
                           STN_UNINITIALISED);
}

static stn_status apply(const stn_solving *s, const stn_operator *a, const stn_view *x,
                        const stn_view *y)
{
    return a->apply(a->context, s->exec, s->arithmetic, x, y);
}

stn_status stn_solver_apply(const stn_solving *s, const stn_view *x, const stn_view *y)
{
    if (!s->left)
        return apply(s, s->a, x, y);
    STN_TRY(apply(s, s->a, x, &s->between));
    return apply(s, s->left, &s->between, y);
}

stn_status stn_solver_precondition(const stn_solving *s, const stn_view *x, const stn_view *y)
{
    return apply(s, s->right, x, y);
}

stn_status stn_solver_residual(stn_solving *s, const stn_view *x, const stn_view *r)
{
    const stn_view *const plain = s->left ? &s->between : r;
    STN_TRY(apply(s, s->a, x, plain));
    STN_TRY(subtract_from_run(s->exec, s->arithmetic, s->b, plain));
    STN_TRY(stn_nrm2(s->exec, s->arithmetic, &s->residual, plain));
    s->norm = s->residual;
    s->target = s->goal;
    if (!s->left)
        return STN_OK;
    STN_TRY(apply(s, s->left, plain, r));
    STN_TRY(stn_nrm2(s->exec, s->arithmetic, &s->norm, r));
    s->target = s->residual > 0.0 ? s->goal * (s->norm / s->residual) : 0.0;
    return STN_OK;
}

double stn_solver_relative(const stn_solving *s, double residual)
{
    return s->b_norm > 0.0 ? residual / s->b_norm : residual;
}

static void note(stn_solution *solution, double residual)
{
    if (solution->history && solution->entries < solution->most)
        solution->history[solution->entries++] = residual;
}

int stn_solver_count(stn_solving *s, double norm)
{
    const double ratio = s->left ? s->residual / s->norm : 1.0; /* at the last check */
    const stn_progress progress = {sizeof progress, ++s->iterations,
                                   stn_solver_relative(s, norm * ratio),
                                   stn_solver_now() - s->begin};
    note(s->solution, progress.residual);
    if (s->solver->monitor && s->solver->monitor(s->solver->context, &progress) != 0)
        return STN_INTERRUPTED;
    if (s->iterations >= s->most)
        return STN_ITERATIONS_SPENT;
    if (s->solver->seconds > 0.0 && progress.seconds >= s->solver->seconds)
        return STN_TIME_SPENT;
    return STN_GOES_ON;
}

stn_status stn_solver_finish(stn_solving *s, double norm, const stn_view *r, double *last,
                             int *begins_anew, int *ending)
{
    *begins_anew = 0;
    *ending = stn_solver_count(s, norm);
    if (norm > s->target)
        return STN_OK;
    STN_TRY(stn_solver_residual(s, &s->x, r));
    if (s->residual <= s->goal)
        *ending = STN_CONVERGED;
    else if (*ending == STN_GOES_ON)
        *ending = !isfinite(s->residual)      ? STN_NOT_FINITE
                  : s->residual > 0.5 * *last ? STN_STAGNATED
                                              : STN_GOES_ON;
    *begins_anew = *ending == STN_GOES_ON;
    *last = s->residual;
    return STN_OK;
}

/* ---- checks ---- */

static stn_status expect_operator(const char *what, const stn_operator *a, int64_t rows)
{
    if (!a || a->size != sizeof *a || !a->apply)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: %s %s", what,
                        a ? "was not made by stn_operator_make" : "is NULL");
    if (a->rows != rows)
        return stn_fail(STN_ERR_SHAPE, "stn_solve: %s has %lld rows, not %lld", what,
                        (long long)a->rows, (long long)rows);
    return STN_OK;
}

static stn_status expect_numbers(const stn_solver *solver)
{
    const struct {
        const char *what;
        double number;
    } numbers[] = {{"relative", solver->relative},
                   {"absolute", solver->absolute},
                   {"seconds", solver->seconds},
                   {"iterations", (double)solver->iterations},
                   {"restart", (double)solver->restart}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (!(numbers[k].number >= 0.0))
            return stn_fail(STN_ERR_ARGUMENT, "stn_solve: %s is %g", numbers[k].what,
                            numbers[k].number);
    if (solver->restart > MOST_RESTART)
        return stn_fail(STN_ERR_RANGE, "stn_solve: restart is %lld; at most %d",
                        (long long)solver->restart, MOST_RESTART);
    return STN_OK;
}

static stn_status expect_solver(const stn_solver *solver)
{
    if (!solver || solver->size != sizeof *solver)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: the solver %s",
                        solver ? "has a wrong size" : "is NULL");
    if ((unsigned)solver->method >= METHODS)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: there is no method %d", (int)solver->method);
    if (solver->on_left && !methods[solver->method]->has_left)
        return stn_fail(STN_ERR_UNSUPPORTED, "stn_solve: %s takes no preconditioner on the left",
                        methods[solver->method]->name);
    if (solver->arithmetic != (stn_format)0 && solver->arithmetic != STN_F64 &&
        solver->arithmetic != STN_F32)
        return stn_fail(STN_ERR_UNSUPPORTED, "stn_solve: arithmetic f64 or f32 only");
    return expect_numbers(solver);
}

static stn_status expect_vectors(const stn_operator *a, const stn_view *b, const stn_view *x)
{
    STN_TRY(stn_view_check("stn_solve", b));
    STN_TRY(stn_view_check("stn_solve", x));
    STN_TRY(stn_view_writable("stn_solve", x));
    if (b->rank != 1 || x->rank != 1 || b->extent[0] != a->rows || x->extent[0] != a->rows)
        return stn_fail(STN_ERR_SHAPE, "stn_solve: %s and %s are not vectors of %lld elements",
                        stn_view_words(b), stn_view_words(x), (long long)a->rows);
    if (stn_view_may_share(b, x))
        return stn_fail(STN_ERR_ALIAS, "stn_solve: %s overlaps %s", stn_view_words(x),
                        stn_view_words(b));
    return STN_OK;
}

/* ---- a run ---- */

/* b where it is, or a copy that the executor reaches. */
static stn_status take_b(stn_solving *s, const stn_view *b, stn_view *copy)
{
    s->b = b;
    if (stn_space_accessible(s->exec, (stn_space)b->space))
        return STN_OK;
    s->b = copy;
    STN_TRY(stn_solver_vector(s, "b of a solver", copy));
    return stn_view_copy(s->exec, copy, b);
}

static stn_status make_vectors(stn_solving *s, const stn_solver_method *method, const stn_view *x)
{
    STN_TRY(stn_solver_vector(s, "x of a solver", &s->x));
    for (int k = 0; k < method->vectors + (s->right ? method->more : 0); k++)
        STN_TRY(stn_solver_vector(s, "a vector of a solver", &s->vectors[k]));
    if (s->left)
        STN_TRY(stn_solver_vector(s, "a vector of a solver", &s->between));
    return stn_view_copy(s->exec, &s->x, x);
}

static void plan(stn_solving *s)
{
    const stn_solver *const solver = s->solver;
    s->most = solver->iterations       ? solver->iterations
              : s->n < USUAL_MOST / 10 ? 10 * s->n
                                       : USUAL_MOST;
    s->restart = solver->restart ? solver->restart : USUAL_RESTART;
    if (s->restart > s->n)
        s->restart = s->n > 0 ? s->n : 1;
}

static stn_status set_goal(stn_solving *s)
{
    const stn_solver *const solver = s->solver;
    const int is_given = solver->relative > 0.0 || solver->absolute > 0.0;
    STN_TRY(stn_nrm2(s->exec, s->arithmetic, &s->b_norm, s->b));
    s->goal = fmax((is_given ? solver->relative : usual_relative) * s->b_norm, solver->absolute);
    return STN_OK;
}

static void fill(stn_solving *s, int ending)
{
    s->solution->ending = (stn_ending)ending;
    s->solution->iterations = s->iterations;
    s->solution->residual = stn_solver_relative(s, s->residual);
    s->solution->seconds = stn_solver_now() - s->begin;
}

static stn_status words_of(const stn_solving *s, const char *method, int ending)
{
    if (ending == STN_CONVERGED)
        return STN_OK;
    return stn_fail(STN_ERR_CONVERGENCE,
                    "stn_solve: %s with %s: %s, after %lld iterations; the residual is %.3g%s",
                    method, s->a->label ? s->a->label : "an operator",
                    stn_ending_name((stn_ending)ending), (long long)s->iterations,
                    stn_solver_relative(s, s->residual), s->b_norm > 0.0 ? " of b" : "");
}

static stn_status run(stn_solving *s, const stn_solver_method *method, void *own, const stn_view *x)
{
    int ending = STN_NOT_FINITE;
    STN_TRY(set_goal(s));
    if (s->b_norm == 0.0 && s->goal == 0.0)
        STN_TRY(stn_view_fill(s->exec, &s->x, 0.0));
    STN_TRY(stn_solver_residual(s, &s->x, &s->vectors[0]));
    if (!isfinite(s->residual) || !isfinite(s->b_norm))
        ending = STN_NOT_FINITE;
    else if (s->residual <= s->goal)
        ending = STN_CONVERGED;
    else
        STN_TRY(method->run(s, own, &ending));
    STN_TRY(stn_view_copy(s->exec, x, &s->x));
    fill(s, ending);
    return words_of(s, method->name, ending);
}

static stn_status make_and_run(stn_solving *s, const stn_view *b, const stn_view *x)
{
    const stn_solver_method *const method = methods[s->solver->method];
    stn_view copy = {0};
    void *own = NULL;
    stn_status status = take_b(s, b, &copy);
    if (status == STN_OK)
        status = make_vectors(s, method, x);
    if (status == STN_OK && method->begin)
        status = method->begin(s, &own);
    if (status == STN_OK)
        status = run(s, method, own, x);
    if (own)
        method->end(own);
    for (int k = 0; k < STN_SOLVER_VECTORS; k++)
        (void)stn_view_release(&s->vectors[k]);
    (void)stn_view_release(&s->between);
    (void)stn_view_release(&s->x);
    (void)stn_view_release(&copy);
    return status;
}

static stn_status solve(const stn_exec *exec, const stn_solver *solver, const stn_operator *a,
                        const stn_view *b, const stn_view *x, stn_solution *solution)
{
    stn_solution unasked = {.size = sizeof unasked};
    if (solution && solution->size != sizeof *solution)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: the solution has a wrong size");
    solution = solution ? solution : &unasked;
    solution->entries = solution->iterations = solution->restarts = solution->inner_iterations = 0;
    solution->residual = solution->seconds = 0.0;
    solution->ending = STN_CALL_FAILED;
    STN_TRY(stn_exec_expect("stn_solve", exec));
    STN_TRY(expect_solver(solver));
    STN_TRY(expect_operator("A", a, a ? a->rows : 0));
    if (solver->preconditioner)
        STN_TRY(expect_operator("the preconditioner", solver->preconditioner, a->rows));
    STN_TRY(expect_vectors(a, b, x));
    stn_solving s = {.exec = exec,
                     .solver = solver,
                     .a = a,
                     .arithmetic = solver->arithmetic ? solver->arithmetic : STN_F64,
                     .n = a->rows,
                     .left = solver->on_left ? solver->preconditioner : NULL,
                     .right = solver->on_left ? NULL : solver->preconditioner,
                     .begin = stn_solver_now(),
                     .solution = solution};
    plan(&s);
    return make_and_run(&s, b, x);
}

stn_status stn_solve(const stn_exec *exec, const stn_solver *solver, const stn_operator *a,
                     const stn_view *b, const stn_view *x, stn_solution *solution)
{
    STN_RETURN_IN_MODES(solve(exec, solver, a, b, x, solution));
}
