/* Conjugate gradients: M. Hestenes, E. Stiefel, J. Res. NBS 49 (1952); with a preconditioner as in
 * Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., 2003, 9.1. */
#include <math.h>

#include "core/memory.h"
#include "solver/checkpoint.h"
#include "solver/update.h"

/* clang-format off */
STN_MAP(descend, (real(alpha), in(q), inout(r)), r = r - alpha * q;)
STN_MAP(advance, (real(alpha), real(beta), in(z), inout(p), inout(x)),
    x = x + alpha * p;
    p = z + beta * p;
)
/* clang-format on */

typedef struct gradients {
    stn_view *r, *p, *q, *z; /* z is r without a preconditioner */
    double rz;               /* r' z */
    double square;           /* r' r, or NaN */
    double last;             /* last |b - A x| that was computed from x */
} gradients;

/* Stop reason for a value that should be positive. */
static int judge(double number)
{
    return !isfinite(number) ? STN_STOP_NOT_FINITE
           : number > 0.0    ? STN_STOP_NONE
                             : STN_STOP_NOT_POSITIVE_DEFINITE;
}

/* z = M r and r' z; a breakdown if it is 0 and r is not. */
static stn_status precondition(stn_solver_state *s, gradients *g, int *reason)
{
    if (g->z != g->r)
        STN_TRY(stn_solver_precondition(s, g->r, g->z));
    g->rz = g->square;
    if (g->z != g->r || isnan(g->rz))
        STN_TRY(stn_solver_dot(s, &g->rz, g->r, g->z));
    *reason = g->rz == 0.0 ? STN_STOP_BREAKDOWN : judge(g->rz);
    return STN_OK;
}

/* Starts from the residual of x, which is in r. */
static stn_status start(stn_solver_state *s, gradients *g, int *reason)
{
    g->square = NAN;
    STN_TRY(precondition(s, g, reason));
    return stn_view_copy(s->exec, g->p, g->z);
}

/* After q = A p. */
static stn_status step(stn_solver_state *s, void *method_data, int *reason)
{
    gradients *const g = method_data;
    const double rz = g->rz;
    double pq, residual;
    STN_TRY(stn_solver_dot_of_product(s, &pq));
    *reason = judge(pq);
    if (*reason != STN_STOP_NONE)
        return STN_OK;
    const double alpha = rz / pq;
    const stn_argument descent[] = {{.real = alpha}, {.view = g->q}, {.view = g->r}};
    STN_TRY(stn_solver_update(s, &descend_kernel, descent, g->r, &residual, &g->square));
    if (!isfinite(residual) || !isfinite(alpha)) {
        *reason = STN_STOP_NOT_FINITE;
        return STN_OK;
    }
    int next = STN_STOP_NONE;
    if (residual > s->target)
        STN_TRY(precondition(s, g, &next));
    STN_TRY(advance_run(s->exec, s->arithmetic, alpha, next == STN_STOP_NONE ? g->rz / rz : 0.0,
                        g->z, g->p, &s->x));
    int begins_anew;
    STN_TRY(stn_solver_finish(s, residual, g->r, &g->last, &begins_anew, reason));
    if (begins_anew)
        STN_TRY(start(s, g, &next));
    *reason = next == STN_STOP_NONE ? *reason : next;
    return STN_OK;
}

static stn_state state_of(gradients *g)
{
    stn_state state = {.vectors = {g->r, g->p}, .vector_count = 2};
    stn_state_add_numbers(&state, &g->rz, sizeof g->rz);
    stn_state_add_numbers(&state, &g->last, sizeof g->last);
    return state;
}

static stn_status begin(stn_solver_state *s, void **method_data)
{
    gradients *g;
    (void)s;
    STN_TRY(stn_allocate(&g, 1, sizeof *g, "CG"));
    *method_data = g;
    return STN_OK;
}

static stn_status open(stn_solver_state *s, void *method_data, int *reason)
{
    gradients *const g = method_data;
    *g = (gradients){.r = &s->vectors[0],
                     .p = &s->vectors[1],
                     .q = &s->vectors[2],
                     .z = &s->vectors[s->right ? 3 : 0],
                     .last = INFINITY};
    const stn_state state = state_of(g);
    s->from = g->p;
    s->to = g->q;
    return stn_solver_is_resumed(s) ? stn_solver_restore(s, &state, reason) : start(s, g, reason);
}

static stn_status close(stn_solver_state *s, void *method_data, int reason)
{
    gradients *const g = method_data;
    const stn_state state = state_of(g);
    STN_TRY(stn_solver_save(s, &state, reason));
    return reason == STN_STOP_CONVERGED ? STN_OK : stn_solver_residual(s, &s->x, g->r);
}

const stn_solver_functions stn_solver_cg = {.name = "CG",
                                            .vectors = 3,
                                            .more = 1,
                                            .best = STN_BEST_OF_FAILURES,
                                            .begin = begin,
                                            .open = open,
                                            .step = step,
                                            .close = close,
                                            .end = stn_free};
