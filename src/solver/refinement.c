/* Iterative refinement: J. Wilkinson, Rounding Errors in Algebraic Processes, 1963; the inner
 * solver works on a residual of norm 1, so that narrow arithmetic has its range. */
#include <math.h>

#include "solver/solver.h"
#include "steno/blas.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(correct, (real(norm), in(d), in(x), out(corrected)), corrected = x + norm * d;)
/* clang-format on */

static stn_status begin(stn_solving *s, void **own)
{
    const stn_solver *const inner = s->solver->inner;
    (void)own;
    if (!inner || inner == s->solver)
        return stn_fail(STN_ERR_ARGUMENT, "stn_solve: refinement has no inner solver%s",
                        inner ? " but itself" : "");
    if (s->solver->preconditioner)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_solve: refinement takes no preconditioner: its inner solver does");
    return STN_OK;
}

/* d about A^-1 r / |r|. An inner solver that spent its iterations has done what it can. */
static stn_status solve_inner(stn_solving *s, const stn_view *r, const stn_view *d, int *ending)
{
    const stn_operator *const other = s->solver->inner_operator;
    stn_solution inner = {.size = sizeof inner};
    STN_TRY(stn_scal(s->exec, s->arithmetic, 1.0 / s->residual, r));
    STN_TRY(stn_view_fill(s->exec, d, 0.0));
    const stn_status status =
        stn_solve(s->exec, s->solver->inner, other ? other : s->a, r, d, &inner);
    s->solution->inner_iterations += inner.iterations;
    if (status != STN_OK && status != STN_ERR_CONVERGENCE)
        return status;
    *ending = inner.ending == STN_CONVERGED || inner.ending == STN_ITERATIONS_SPENT ||
                      inner.ending == STN_STAGNATED
                  ? STN_GOES_ON
                  : (int)inner.ending;
    return STN_OK;
}

/* x is corrected only where that makes the residual less. */
static stn_status refine(stn_solving *s, int *ending)
{
    const stn_view *const r = &s->vectors[0], *const d = &s->vectors[1];
    const double before = s->residual;
    STN_TRY(solve_inner(s, r, d, ending));
    if (*ending != STN_GOES_ON)
        return STN_OK;
    STN_TRY(correct_run(s->exec, s->arithmetic, before, d, &s->x, &s->vectors[2]));
    STN_TRY(stn_solver_residual(s, &s->vectors[2], r));
    if (!(s->residual < before)) {
        *ending = isfinite(s->residual) ? STN_STAGNATED : STN_NOT_FINITE;
        s->residual = before;
        return STN_OK;
    }
    const stn_view x = s->x;
    s->x = s->vectors[2];
    s->vectors[2] = x;
    s->solution->restarts++;
    *ending = stn_solver_count(s, s->residual);
    if (s->residual <= s->goal)
        *ending = STN_CONVERGED;
    return STN_OK;
}

static stn_status run(stn_solving *s, void *own, int *ending)
{
    (void)own;
    do {
        STN_TRY(refine(s, ending));
    } while (*ending == STN_GOES_ON);
    return STN_OK;
}

const stn_solver_method stn_solver_refinement = {"refinement", 3, 0, 0, begin, run, NULL};
