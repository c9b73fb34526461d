/* Iterative refinement: J. Wilkinson, Rounding Errors in Algebraic Processes, 1963. The inner
 * solver processes a residual of norm 1, so that narrow arithmetic does not overflow or underflow.
 */
#include <math.h>
#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "solver/checkpoint.h"
#include "steno/blas.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(correct, (real(norm), in(d), in(x), out(corrected)), corrected = x + norm * d;)
STN_MAP(subtract_from, (in(a), inout(b)), b = a - b;)
/* clang-format on */

static const double default_relative = 1e-10; /* of an inner solver without a tolerance */
static const double enough =
    0.25; /* fraction of the remaining reduction: inner_operator only approximates A */
static const double hardly =
    0.999; /* fraction of the residual that a partial correction must not exceed */

static const double slow =
    0.125; /* fraction of the residual above which the inner operator is too inaccurate */

typedef struct refinement_job {
    stn_checkpoint inner;     /* state of the inner solver if it was interrupted */
    int64_t counted;          /* iterations of the inner solver that are part of the total */
    int64_t current;          /* index of the current inner operator */
    stn_solver_state memory;  /* of the inner solver, for the next correction */
    stn_solver_method method; /* of the inner solver */
} refinement_job;

static void end(void *method_data)
{
    refinement_job *const job = method_data;
    stn_image_release(&job->inner.image);
    stn_solver_release(&job->memory, job->method);
    stn_free(job);
}

static stn_status begin(stn_solver_state *s, void **method_data)
{
    refinement_job *job;
    if (s->options->preconditioner)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_solve: refinement does not support a preconditioner: set that of its "
                        "inner solver");
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "refinement"));
    memset(job, 0, sizeof *job);
    *method_data = job;
    return STN_OK;
}

/* Did the inner solver produce an x that may be an improvement? */
static int is_usable(int reason)
{
    return reason == STN_STOP_CONVERGED || reason == STN_STOP_MAX_ITERATIONS ||
           reason == STN_STOP_STAGNATED || reason == STN_STOP_BREAKDOWN ||
           reason == STN_STOP_NOT_POSITIVE_DEFINITE || reason == STN_STOP_NOT_REPRESENTABLE;
}

static const stn_operator *operator_of(const stn_solver_state *s, const refinement_job *job)
{
    const stn_solver_options *const options = s->options;
    if (options->inner_operators)
        return &options->inner_operators[job->current];
    return options->inner_operator ? options->inner_operator : s->a;
}

/* Selects the next inner operator; returns 0 if there is none. */
static int select_next(const stn_solver_state *s, refinement_job *job)
{
    if (job->current + 1 >= s->options->inner_operator_count)
        return 0;
    job->current++;
    return 1;
}

/* Solves A d = r / |r| approximately and replaces r by r / |r|, unless the inner solver continues
 * from a checkpoint. */
static stn_status solve_inner(stn_solver_state *s, refinement_job *job, const stn_view *r,
                              const stn_view *d, int *reason)
{
    stn_solver_options options;
    stn_solver_report inner = STN_SOLVER_REPORT_INIT;
    STN_TRY(STN_STRUCT_READ(&options, s->options->inner, stn_solver_options, arithmetic,
                            "stn_solve: inner options"));
    const int is_given = options.relative_tolerance > 0.0 || options.absolute_tolerance > 0.0;
    options.relative_tolerance = fmax(is_given ? options.relative_tolerance : default_relative,
                                      enough * s->goal / s->residual);
    job->method = options.method;
    options.checkpoint = s->options->checkpoint ? &job->inner : NULL;
    options.partition = s->partition;
    const stn_view from = stn_solver_numbers(s, r), to = stn_solver_numbers(s, d);
    if (!job->inner.image.bytes)
        STN_TRY(stn_scal(s->exec, s->arithmetic, 1.0 / s->residual, r));
    STN_TRY(stn_view_fill(s->exec, d, 0.0));
    const stn_status status =
        stn_solve_inner(s->exec, &to, operator_of(s, job), &from, &options, &inner, &job->memory);
    s->report->seconds_products += inner.seconds_products;
    s->report->seconds_preconditioner += inner.seconds_preconditioner;
    s->report->seconds_orthogonalization += inner.seconds_orthogonalization;
    s->report->inner_iterations += inner.iterations - job->counted;
    job->counted = inner.iterations;
    if (status != STN_OK && status != STN_ERR_CONVERGENCE)
        return status;
    *reason = (int)inner.reason;
    if (!is_usable(*reason))
        return STN_OK;
    stn_image_release(&job->inner.image);
    job->counted = 0;
    return STN_OK;
}

/* vectors[2] = x + step d, with its residual in r. */
static stn_status try(stn_solver_state *s, double step)
{
    const stn_view *const d = &s->vectors[1];
    STN_TRY(correct_run(s->exec, s->arithmetic, step, d, &s->x, &s->vectors[2]));
    return stn_solver_residual(s, &s->vectors[2], &s->vectors[0]);
}

/* Fraction of the correction that minimizes the residual, from r = b - A (x + d); 0 unless it is
 * less than half, since r is longer than b - A x. An x of CG at its iteration limit is closer in
 * the norm of A, and in its direction the residual decreases at first. */
static stn_status find_share(stn_solver_state *s, double *share)
{
    const stn_view *const r = &s->vectors[0], *const old = &s->vectors[2];
    double product, length;
    STN_TRY(stn_solver_residual(s, &s->x, old));
    STN_TRY(subtract_from_run(s->exec, s->arithmetic, old, r)); /* A d */
    STN_TRY(stn_solver_dot(s, &product, old, r));
    STN_TRY(stn_solver_nrm2(s, &length, r));
    *share = product / length / length;
    *share = *share > 0.0 && *share < 1.0 ? *share : 0.0;
    return STN_OK;
}

/* Corrects x only if the residual decreases. */
static stn_status refine(stn_solver_state *s, refinement_job *job, int *reason)
{
    const double before = s->residual;
    double share = 1.0;
    int inner;
    STN_TRY(solve_inner(s, job, &s->vectors[0], &s->vectors[1], &inner));
    *reason = inner;
    if (!is_usable(inner))
        return STN_OK;
    STN_TRY(try(s, before));
    if (isfinite(s->residual) && !(s->residual < before)) {
        STN_TRY(find_share(s, &share));
        if (share > 0.0)
            STN_TRY(try(s, share * before));
    }
    if (!(s->residual < (share == 1.0 ? before : hardly * before))) {
        if (select_next(s, job)) {
            *reason = STN_STOP_NONE;
            return stn_solver_residual(s, &s->x, &s->vectors[0]);
        }
        *reason = !isfinite(s->residual) ? STN_STOP_NOT_FINITE
                  : inner == STN_STOP_BREAKDOWN || inner == STN_STOP_NOT_POSITIVE_DEFINITE
                      ? inner
                      : STN_STOP_STAGNATED;
        s->residual = before;
        return STN_OK;
    }
    stn_solver_swap(&s->x, &s->vectors[2]);
    s->report->restarts++;
    STN_TRY(stn_solver_count(s, s->residual, reason));
    if (s->residual <= s->goal)
        *reason = STN_STOP_CONVERGED;
    else if (!(s->residual <= slow * before))
        (void)select_next(s, job);
    return STN_OK;
}

/* Restores the state, followed by that of the inner solver. */
static stn_status restore(stn_solver_state *s, refinement_job *job, const stn_state *state,
                          int *reason)
{
    STN_TRY(stn_solver_restore(s, state, reason));
    if (job->counted < 0)
        return stn_fail(STN_ERR_PARSE, "stn_solve: the checkpoint counts %lld inner iterations",
                        (long long)job->counted);
    const int64_t operators = s->options->inner_operators ? s->options->inner_operator_count : 1;
    if (job->current < 0 || job->current >= operators)
        return stn_fail(STN_ERR_PARSE,
                        "stn_solve: the checkpoint continues with inner operator %lld of %lld",
                        (long long)job->current, (long long)operators);
    return stn_solver_restore_inner(s, &job->inner.image);
}

static stn_status save(stn_solver_state *s, refinement_job *job, const stn_state *state, int reason)
{
    if (!s->options->checkpoint || !stn_solver_is_pause(reason))
        return STN_OK;
    STN_TRY(stn_solver_save(s, state, reason));
    return stn_solver_save_inner(s, &job->inner.image);
}

static stn_status run(stn_solver_state *s, void *method_data, int *reason)
{
    refinement_job *const job = method_data;
    stn_state state = {.vectors = {&s->vectors[0]}, .vector_count = 1};
    stn_state_add_numbers(&state, &job->counted, sizeof job->counted);
    stn_state_add_numbers(&state, &job->current, sizeof job->current);
    stn_image_release(&job->inner.image);
    job->counted = job->current = 0;
    if (stn_solver_is_resumed(s))
        STN_TRY(restore(s, job, &state, reason));
    while (*reason == STN_STOP_NONE)
        STN_TRY(refine(s, job, reason));
    return save(s, job, &state, *reason);
}

const stn_solver_functions stn_solver_refinement = {.name = "refinement",
                                                    .vectors = 3,
                                                    .best = STN_BEST_IS_LAST,
                                                    .begin = begin,
                                                    .run = run,
                                                    .end = end};
