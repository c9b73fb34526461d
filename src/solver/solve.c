/* stn_solve: vectors, the run of a method, and names of stop reasons. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/failures.h"
#include "core/grow.h"
#include "core/modes.h"
#include "distribute/matrix.h"
#include "exec/exec.h"
#include "solver/checkpoint.h"
#include "sparse/product/spmv_run.h"
#include "steno/blas.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(subtract_from, (in(b), inout(r)), r = b - r;)
STN_MAP_COMPLEX(subtract_from_complex, (in(b), inout(r)), 
    r.re = b.re - r.re;
    r.im = b.im - r.im;
)
/* clang-format on */

static const stn_solver_functions *const methods[] = {&stn_solver_cg,         &stn_solver_gmres,
                                                      &stn_solver_refinement, &stn_solver_bicgstab,
                                                      &stn_solver_minres,     &stn_solver_fgmres};
enum {
    METHODS = sizeof methods / sizeof *methods,
    DEFAULT_RESTART = 100,
    DEFAULT_ITERATIONS = 100000
};
static const double default_relative = 1e-10;
static const double beyond = 0x1p-10; /* rounding units of |b| that b - A x does not reach, but
                                       * recurrences do: there the residual is computed */

static const char *const reasons[] = {"converged",
                                      "maximum number of iterations reached",
                                      "time limit reached",
                                      "interrupted by the monitor",
                                      "stagnation",
                                      "breakdown",
                                      "not positive definite",
                                      "not finite",
                                      "a call failed",
                                      "x is not representable in its storage",
                                      "residual uncertain"};

const stn_solver_functions *stn_solver_functions_of(stn_solver_method method)
{
    return (size_t)method < METHODS ? methods[method] : NULL;
}

const char *stn_stop_reason_name(stn_stop_reason reason)
{
    return (size_t)reason < sizeof reasons / sizeof *reasons ? reasons[reason]
                                                             : "unknown stop reason";
}

/* ---- functions that methods share ---- */

stn_status stn_solver_vector(const stn_solver_state *s, const char *label, stn_view *vector)
{
    return stn_view_create_spec(
        s->exec, vector,
        &STN_VIEW_SPEC(.label = label, .storage = stn_storage_of(s->arithmetic), .rank = 1,
                       .extents = &s->length, .flags = STN_CREATE_UNINITIALIZED));
}

int stn_solver_is_complex(const stn_solver_state *s)
{
    return s->numbers != s->arithmetic;
}

int stn_solver_parts(const stn_solver_state *s)
{
    return stn_solver_is_complex(s) ? 2 : 1;
}

stn_view stn_solver_numbers(const stn_solver_state *s, const stn_view *vector)
{
    stn_view numbers = *vector;
    numbers.storage.format = s->numbers;
    numbers.extent[0] = s->n;
    return numbers;
}

/* If a function of the program returns a status without a message, a message replaces that of the
 * last failure. */
static stn_status apply(const stn_solver_state *s, const stn_operator *a, const stn_view *x,
                        const stn_view *y)
{
    const uint64_t before = stn_failures();
    const stn_view from = stn_solver_numbers(s, x), to = stn_solver_numbers(s, y);
    const stn_modes_guarded modes = stn_modes_guard();
    const double begun = stn_seconds_now();
    const stn_status status = a->apply(a->context, s->exec, s->numbers, &from, &to);
    stn_modes_again(modes);
    *(a == s->a ? &s->report->seconds_products : &s->report->seconds_preconditioner) +=
        stn_seconds_now() - begun;
    if (status != STN_OK)
        *s->has_failed = 1;
    if (status != STN_OK && stn_failures() == before)
        return stn_fail(status, "stn_solve: %s returned status %d (%s)",
                        a->label ? a->label : "an operator", (int)status, stn_status_name(status));
    return status;
}

stn_status stn_solver_multiply(const stn_solver_state *s, const stn_view *x, const stn_view *y)
{
    return apply(s, s->a, x, y);
}

stn_status stn_solver_apply(const stn_solver_state *s, const stn_view *x, const stn_view *y)
{
    if (!s->left)
        return apply(s, s->a, x, y);
    STN_TRY(apply(s, s->a, x, &s->between));
    return apply(s, s->left, &s->between, y);
}

stn_status stn_solver_precondition(const stn_solver_state *s, const stn_view *x, const stn_view *y)
{
    return apply(s, s->right, x, y);
}

void stn_solver_set_target(stn_solver_state *s)
{
    const double least = fmax(s->goal, beyond * stn_solver_rounding(s) * s->b_norm);
    s->target = !s->left ? least : s->residual > 0.0 ? least * (s->norm / s->residual) : 0.0;
}

/* r = b - r; b is in any format and layout. */
static stn_status subtract_from_b(const stn_solver_state *s, const stn_view *r)
{
    const stn_view numbers = stn_solver_numbers(s, r);
    if (stn_solver_is_complex(s))
        return subtract_from_complex_run(s->exec, s->numbers, s->b, &numbers);
    return subtract_from_run(s->exec, s->arithmetic, s->b, r);
}

stn_status stn_solver_residual(stn_solver_state *s, const stn_view *x, const stn_view *r)
{
    const stn_view *const plain = s->left ? &s->between : r;
    int64_t not_finite;
    STN_TRY(apply(s, s->a, x, plain));
    STN_TRY(subtract_from_b(s, plain));
    STN_TRY(stn_solver_nrm2(s, &s->residual, plain));
    s->norm = s->residual;
    if (s->left) {
        STN_TRY(apply(s, s->left, plain, r));
        STN_TRY(stn_solver_nrm2(s, &s->norm, r));
    }
    STN_TRY(stn_solver_count_not_finite(s, x, &not_finite));
    if (not_finite > 0)
        s->residual = s->norm = INFINITY;
    stn_solver_set_target(s);
    return STN_OK;
}

stn_status stn_solver_update_best(stn_solver_state *s)
{
    if (!s->best.data || !(s->residual < s->best_residual))
        return STN_OK;
    s->best_residual = s->residual;
    return stn_view_copy(s->exec, &s->best, &s->x);
}

void stn_solver_swap(stn_view *a, stn_view *b)
{
    const stn_view old = *a;
    *a = *b;
    *b = old;
}

double stn_solver_rounding(const stn_solver_state *s)
{
    return s->arithmetic == STN_F32 ? 0x1p-24 : 0x1p-53;
}

double stn_solver_relative(const stn_solver_state *s, double residual)
{
    return s->b_norm > 0.0 ? residual / s->b_norm : residual;
}

static void append_history(stn_solver_report *report, double residual)
{
    if (report->history && report->history_count < report->history_capacity)
        report->history[report->history_count++] = residual;
}

/* Does the monitor stop the solve? */
static int is_interrupted(const stn_solver_state *s, const stn_solver_progress *progress)
{
    const stn_modes_guarded modes = stn_modes_guard();
    const int answer =
        s->options->monitor ? s->options->monitor(s->options->monitor_context, progress) : 0;
    stn_modes_again(modes);
    return answer != 0;
}

stn_status stn_solver_count(stn_solver_state *s, double norm, int *reason)
{
    const double ratio = s->left ? s->residual / s->norm : 1.0; /* at the last check */
    const stn_solver_progress progress = {sizeof progress, ++s->iterations,
                                          stn_solver_relative(s, norm * ratio),
                                          stn_seconds_now() - s->begin, s->column};
    append_history(s->report, progress.residual);
    int stops = is_interrupted(s, &progress);
    int is_late = s->options->max_seconds > 0.0 && progress.seconds >= s->options->max_seconds;
    STN_TRY(stn_solver_agree_on_limits(s, &stops, &is_late));
    *reason = stops                                ? STN_STOP_INTERRUPTED
              : s->iterations >= s->max_iterations ? STN_STOP_MAX_ITERATIONS
              : is_late                            ? STN_STOP_MAX_SECONDS
                                                   : STN_STOP_NONE;
    return STN_OK;
}

stn_status stn_solver_finish(stn_solver_state *s, double norm, const stn_view *r, double *last,
                             int *begins_anew, int *reason)
{
    *begins_anew = 0;
    STN_TRY(stn_solver_count(s, norm, reason));
    if (norm > s->lost)
        *reason = STN_STOP_BREAKDOWN;
    if (norm > s->target)
        return STN_OK;
    STN_TRY(stn_solver_residual(s, &s->x, r));
    if (s->residual <= s->goal)
        *reason = STN_STOP_CONVERGED;
    else if (!isfinite(s->residual))
        *reason = STN_STOP_NOT_FINITE;
    else if (s->residual > 0.5 * *last)
        *reason = STN_STOP_STAGNATED;
    else
        *begins_anew = 1;
    *last = s->residual;
    return *begins_anew ? stn_solver_update_best(s) : STN_OK;
}

/* ---- a run ---- */

static stn_status create_vectors(stn_solver_state *s, const stn_solver_functions *method)
{
    STN_TRY(stn_solver_vector(s, "x of a solver", &s->x));
    for (int k = 0; k < method->vectors + (s->right ? method->more : 0); k++)
        STN_TRY(stn_solver_vector(s, "a vector of a solver", &s->vectors[k]));
    if (method->best != STN_BEST_IS_LAST || s->left)
        STN_TRY(stn_solver_vector(s, "the best x of a solver", &s->best));
    return s->left ? stn_solver_vector(s, "a vector of a solver", &s->between) : STN_OK;
}

static void plan(stn_solver_state *s)
{
    const stn_solver_options *const options = s->options;
    s->max_iterations = options->max_iterations             ? options->max_iterations
                        : s->rows < DEFAULT_ITERATIONS / 10 ? 10 * s->rows
                                                            : DEFAULT_ITERATIONS;
    s->restart = options->restart ? options->restart : DEFAULT_RESTART;
    if (s->restart > s->rows)
        s->restart = s->rows > 0 ? s->rows : 1;
    s->arithmetic = s->numbers == STN_C128 ? STN_F64 : s->numbers == STN_C64 ? STN_F32 : s->numbers;
    s->length = s->n; /* vectors of more than half of all addressable bytes cannot be allocated in
                       * either case */
    if (stn_solver_is_complex(s) && s->n <= INT64_MAX / 2)
        s->length = 2 * s->n;
}

static stn_status set_goal(stn_solver_state *s)
{
    const stn_solver_options *const options = s->options;
    const int is_given = options->relative_tolerance > 0.0 || options->absolute_tolerance > 0.0;
    STN_TRY(stn_partition_nrm2(s->partition, s->exec, s->numbers, 1, &s->b_norm, s->b));
    s->goal = fmax((is_given ? options->relative_tolerance : default_relative) * s->b_norm,
                   options->absolute_tolerance / s->scale);
    return STN_OK;
}

static void fill(stn_solver_state *s, double begin, int reason)
{
    s->report->reason = (stn_stop_reason)reason;
    s->report->iterations = s->iterations;
    s->report->residual = stn_solver_relative(s, s->residual);
    s->report->stored_residual = stn_solver_relative(s, s->stored);
    s->report->saturated = s->saturated;
    s->report->rounding_error = stn_solver_relative(s, s->rounding_error);
    s->report->backward_error = s->backward_error;
    s->report->seconds = stn_seconds_now() - begin;
}

static stn_status failure_of(const stn_solver_state *s, const char *method, int reason)
{
    const char *const label = s->a->label ? s->a->label : "an operator";
    if (reason == STN_STOP_CONVERGED)
        return STN_OK;
    if (reason == STN_STOP_NOT_REPRESENTABLE)
        return stn_fail(STN_ERR_CONVERGENCE,
                        "stn_solve: %s with %s: %s: %lld elements are out of range, and the "
                        "residual of the stored x is %.3g of b, before %.3g%s",
                        method, label, stn_stop_reason_name(STN_STOP_NOT_REPRESENTABLE),
                        (long long)s->saturated, stn_solver_relative(s, s->stored),
                        stn_solver_relative(s, s->residual),
                        s->is_kept ? "; x has its initial values, which are not worse" : "");
    if (reason == STN_STOP_RESIDUAL_UNCERTAIN)
        return stn_fail(STN_ERR_CONVERGENCE,
                        "stn_solve: %s with %s: %s: rounding errors of about %.3g exceed the "
                        "tolerance %.3g, and the residual %s %.3g%s",
                        method, label, stn_stop_reason_name(STN_STOP_RESIDUAL_UNCERTAIN),
                        stn_solver_relative(s, s->rounding_error), stn_solver_relative(s, s->goal),
                        stn_solver_has_matrix(s) ? "in twice the precision is" : "is computed as",
                        stn_solver_relative(s, s->residual), s->b_norm > 0.0 ? " of b" : "");
    return stn_fail(STN_ERR_CONVERGENCE,
                    "stn_solve: %s with %s: %s, after %lld iteration%s; the residual is %.3g%s",
                    method, label, stn_stop_reason_name((stn_stop_reason)reason),
                    (long long)s->iterations, s->iterations == 1 ? "" : "s",
                    fabs(stn_solver_relative(s, s->residual)), s->b_norm > 0.0 ? " of b" : "");
}

void stn_solver_clear(stn_solver_report *report)
{
    report->reason = STN_STOP_CALL_FAILED;
    report->history_count = report->iterations = report->restarts = 0;
    report->inner_iterations = 0;
    report->columns = report->unsolved_columns = 0;
    report->residual = report->stored_residual = NAN;
    report->seconds = 0.0;
    report->saturated = 0;
    report->rounding_error = report->backward_error = NAN;
    report->seconds_products = report->seconds_preconditioner = 0.0;
    report->seconds_orthogonalization = report->seconds_verification = 0.0;
    report->bytes = 0;
}

/* Starts from x, which may be the solution already. */
static stn_status begin(stn_solver_state *s, const stn_view *x, int *reason)
{
    const int is_zero = s->b_norm == 0.0 && s->goal == 0.0;
    if (is_zero)
        STN_TRY(stn_view_fill(s->exec, &s->x, 0.0));
    STN_TRY(stn_solver_residual(s, &s->x, &s->vectors[0]));
    STN_TRY(stn_solver_expect_guess(s, x));
    if (!s->is_replaced)
        s->first = is_zero ? INFINITY : s->residual;
    s->lost = s->norm / stn_solver_rounding(s);
    *reason = !isfinite(s->residual) || !isfinite(s->b_norm) ? STN_STOP_NOT_FINITE
              : s->residual <= s->goal                       ? STN_STOP_CONVERGED
                                                             : STN_STOP_NONE;
    s->best_residual = INFINITY;
    return *reason == STN_STOP_NONE ? stn_solver_update_best(s) : STN_OK;
}

/* Is the last iterate returned, although another one may have a smaller residual? */
static int returns_last(const stn_solver_state *s, int reason)
{
    return stn_solver_is_pause(reason) &&
           stn_solver_functions_of(s->options->method)->best == STN_BEST_OF_FAILURES;
}

/* If a method did not converge, an earlier x may be better than the current one, or as good: the
 * initial guess is then kept. */
static void choose_best(stn_solver_state *s, int reason)
{
    if (reason == STN_STOP_CONVERGED || returns_last(s, reason) || !s->best.data ||
        !isfinite(s->best_residual) || s->residual < s->best_residual)
        return;
    stn_solver_swap(&s->x, &s->best);
    s->residual = s->best_residual;
}

/* Stores the result in x, unless its residual is not finite. The state that was kept for a
 * checkpoint is released if the solve cannot be continued. */
static stn_status return_x(stn_solver_state *s, const stn_view *x, int *reason)
{
    if (*reason != STN_STOP_CONVERGED && !isfinite(s->residual))
        *reason = STN_STOP_NOT_FINITE;
    if (!stn_solver_is_pause(*reason))
        stn_image_release(&s->saved);
    choose_best(s, *reason);
    const stn_status status = stn_solver_verify(s, reason);
    if (status != STN_OK) {
        if (!s->partition) /* ranks may have different iterates */
            (void)stn_solver_store_unmeasured(s, x);
        return status;
    }
    if (!isfinite(s->residual))
        return STN_OK;
    STN_TRY(stn_solver_store(s, x, returns_last(s, *reason)));
    if (*reason == STN_STOP_CONVERGED && s->is_lost)
        *reason = STN_STOP_NOT_REPRESENTABLE;
    return STN_OK;
}

stn_status stn_solver_start(stn_solver_state *s, const stn_view *b, const stn_view *x, int *reason)
{
    const stn_solver_functions *const method = stn_solver_functions_of(s->options->method);
    s->begun = stn_seconds_now();
    s->iterations = 0;
    s->before = INT64_MAX;
    s->is_started = s->is_open = 0;
    s->residual = s->stored = NAN;
    s->saturated = 0;
    s->rounding_error = s->backward_error = NAN;
    s->first = INFINITY; /* solve from a checkpoint */
    *reason = STN_STOP_NONE;
    STN_TRY(stn_solver_load(s, b, x));
    STN_TRY(set_goal(s));
    if (s->options->checkpoint)
        STN_TRY(stn_solver_sum_b(s));
    s->is_started = 1;
    STN_TRY(stn_solver_is_resumed(s) ? stn_solver_reopen(s) : begin(s, x, reason));
    s->before = s->iterations;
    if (*reason != STN_STOP_NONE || !method->open)
        return STN_OK;
    s->is_open = 1;
    return method->open(s, s->method_data, reason);
}

/* If a call fails, x is that of the last completed iteration. */
stn_status stn_solver_end(stn_solver_state *s, const stn_view *x, stn_status status, int reason)
{
    const stn_solver_functions *const method = stn_solver_functions_of(s->options->method);
    if (!s->is_started)
        return status;
    if (status == STN_OK && s->is_open)
        status = method->close(s, s->method_data, reason);
    if (status == STN_OK)
        status = return_x(s, x, &reason);
    else if (s->iterations > s->before && !s->partition) /* ranks may have different iterates */
        (void)stn_solver_store_unmeasured(s, x);
    fill(s, s->begun, status == STN_OK ? reason : STN_STOP_CALL_FAILED);
    return status == STN_OK ? failure_of(s, method->name, reason) : status;
}

/* ---- products of one column or several ---- */

/* Whether products with A read a matrix on the host once for several vectors. */
static int has_list(const stn_solver_state *s)
{
    const stn_matrix *const matrix = stn_operator_matrix(s->a);
    return stn_solver_functions_of(s->options->method)->open && !s->partition &&
           !stn_solver_is_complex(s) && matrix && stn_spmv_list_is_supported(s->exec, matrix);
}

/* The inner products are those of from and A from. */
static stn_status multiply_list(stn_solver_state *const *solves, int64_t count)
{
    const stn_view *from[STN_SPMV_TOGETHER], *to[STN_SPMV_TOGETHER];
    const stn_solver_state *const s = solves[0];
    double products[STN_SPMV_TOGETHER];
    for (int64_t k = 0; k < count; k++) {
        from[k] = solves[k]->from;
        to[k] = s->left ? &solves[k]->between : solves[k]->to;
    }
    const double begun = stn_seconds_now();
    const stn_status status = stn_spmv_list(s->exec, s->arithmetic, stn_operator_matrix(s->a),
                                            count, from, to, s->left ? NULL : products);
    const double seconds = (stn_seconds_now() - begun) / (double)count;
    for (int64_t k = 0; k < count; k++) {
        solves[k]->report->seconds_products += seconds;
        solves[k]->product = s->left ? NAN : products[k];
    }
    return status;
}

void stn_solver_multiply_together(stn_solver_state *const *solves, stn_status **statuses,
                                  int64_t count)
{
    stn_solver_state *const s = solves[0];
    if (!s->has_list) {
        s->product = NAN;
        *statuses[0] = stn_solver_apply(s, s->from, s->to);
        return;
    }
    const stn_status status = multiply_list(solves, count);
    for (int64_t k = 0; k < count; k++)
        *statuses[k] = status != STN_OK ? status
                       : s->left ? apply(solves[k], s->left, &solves[k]->between, solves[k]->to)
                                 : STN_OK;
}

stn_status stn_solver_run(stn_solver_state *s, const stn_view *b, const stn_view *x)
{
    const stn_solver_functions *const method = stn_solver_functions_of(s->options->method);
    int reason;
    stn_status status = stn_solver_start(s, b, x, &reason);
    if (status == STN_OK && reason == STN_STOP_NONE && method->run)
        status = method->run(s, s->method_data, &reason);
    while (status == STN_OK && reason == STN_STOP_NONE) {
        stn_status *const of = &status;
        stn_solver_multiply_together(&s, (stn_status **)&of, 1);
        if (status == STN_OK)
            status = method->step(s, s->method_data, &reason);
    }
    return stn_solver_end(s, x, status, reason);
}

/* ---- memory ---- */

stn_status stn_solver_create_memory(stn_solver_state *s)
{
    const stn_solver_functions *const method = stn_solver_functions_of(s->options->method);
    STN_TRY(create_vectors(s, method));
    return method->begin ? method->begin(s, &s->method_data) : STN_OK;
}

/* Moves the memory of a solve; `from` has none afterward. */
static void move_memory(stn_solver_state *to, stn_solver_state *from)
{
    static const stn_view nothing;
    for (int k = 0; k < STN_SOLVER_VECTORS; k++) {
        to->vectors[k] = from->vectors[k];
        from->vectors[k] = nothing;
    }
    to->between = from->between;
    to->best = from->best;
    to->x = from->x;
    to->copy = from->copy;
    to->guess = from->guess;
    to->method_data = from->method_data;
    from->between = from->best = from->x = from->copy = from->guess = nothing;
    from->method_data = NULL;
}

void stn_solver_release(stn_solver_state *s, stn_solver_method method)
{
    if (s->method_data)
        stn_solver_functions_of(method)->end(s->method_data);
    for (int k = 0; k < STN_SOLVER_VECTORS; k++)
        (void)stn_view_release(&s->vectors[k]);
    (void)stn_view_release(&s->between);
    (void)stn_view_release(&s->best);
    (void)stn_view_release(&s->x);
    (void)stn_view_release(&s->copy);
    (void)stn_view_release(&s->guess);
    s->method_data = NULL;
}

static int has_ended(stn_status status)
{
    return status == STN_OK || status == STN_ERR_CONVERGENCE;
}

/* `kept` has the memory of the previous solve with these options, or none, and receives it; NULL:
 * the memory is released. */
static stn_status create_and_run(stn_solver_state *s, const stn_view *x, const stn_view *b,
                                 stn_solver_report *report, stn_solver_state *kept)
{
    const int is_kept = kept && kept->x.data;
    if (is_kept)
        move_memory(s, kept);
    stn_status status = STN_OK;
    if (!is_kept) {
        status = stn_solver_expect_memory(s, stn_solver_functions_of(s->options->method));
        if (status == STN_OK)
            status = stn_solver_create_memory(s);
    }
    if (status == STN_OK)
        status = stn_solver_columns(s, b, x, report);
    if (s->partition && s->options->checkpoint && has_ended(status)) { /* on all ranks, or none */
        const stn_status all = stn_partition_agree(s->partition);
        status = all == STN_OK ? status : all;
    }
    stn_solver_close(s, !has_ended(status));
    if (kept && has_ended(status) && s->x.data)
        move_memory(kept, s);
    else
        stn_solver_release(s, s->options->method);
    return status;
}

/* Fails a call without partition on all ranks of A, if A is distributed: other ranks may wait. */
static stn_status fail_on_all_ranks(const stn_operator *a, stn_status status)
{
    const int is_operator = a && a->size == sizeof *a;
    const stn_distributed_matrix *const matrix =
        is_operator ? stn_operator_distributed_matrix(a) : NULL;
    if (!matrix)
        return status;
    stn_comm_begin(matrix->partition->comm);
    return stn_comm_end(matrix->partition->comm, status, STN_COMM_ENDS_TOGETHER);
}

static int lacks_partition(const stn_operator *a, const stn_solver_options *options)
{
    return !options->partition && a && a->size == sizeof *a && stn_operator_distributed_matrix(a);
}

/* Solves with options and a report in the layout of this version. */
static stn_status solve_known(const stn_exec *exec, const stn_view *x, const stn_operator *a,
                              const stn_view *b, const stn_solver_options *options,
                              stn_solver_report *report, size_t report_size, stn_solver_state *kept)
{
    int has_failed = 0;
    const int is_left = options->side == STN_PRECONDITIONER_LEFT;
    stn_solver_state s = {.exec = exec,
                          .options = options,
                          .a = a,
                          .numbers = options->arithmetic ? options->arithmetic : STN_F64,
                          .n = a ? a->rows : 0,
                          .partition = options->partition,
                          .has_failed = &has_failed,
                          .left = is_left ? options->preconditioner : NULL,
                          .right = is_left ? NULL : options->preconditioner,
                          .begin = stn_seconds_now(),
                          .is_inner = kept != NULL,
                          .has_report = report_size > 0 || options->partition,
                          .a_norm = -1.0,
                          .a_scale = 1.0,
                          .report_size = report_size};
    if (s.partition)
        stn_comm_begin(s.partition->comm);
    stn_status status = stn_solver_expect(exec, x, a, b, options, report, report_size);
    if (status == STN_OK)
        status = stn_solver_agree(&s, b, x);
    if (status == STN_OK) {
        plan(&s);
        const int64_t columns = stn_solver_columns_of(b);
        s.has_list = has_list(&s);
        s.together = !s.has_list ? 1 : columns < STN_SPMV_TOGETHER ? columns : STN_SPMV_TOGETHER;
        status = create_and_run(&s, x, b, report, kept);
    }
    if (!s.partition)
        return status;
    return stn_comm_end(s.partition->comm, status,
                        has_failed ? STN_COMM_ENDS_TOGETHER : STN_COMM_ENDS_SOLVE);
}

static stn_status solve(const stn_exec *exec, const stn_view *x, const stn_operator *a,
                        const stn_view *b, const stn_solver_options *options,
                        stn_solver_report *report, stn_solver_state *kept)
{
    stn_solver_report method_data = STN_SOLVER_REPORT_INIT;
    stn_solver_options full = STN_SOLVER_OPTIONS_INIT;
    stn_status status = STN_OK;
    if (report)
        status = STN_STRUCT_READ(&method_data, report, stn_solver_report, iterations,
                                 "stn_solve: report");
    if (status != STN_OK)
        return fail_on_all_ranks(a, status);
    stn_solver_clear(&method_data);
    if (options)
        status =
            STN_STRUCT_READ(&full, options, stn_solver_options, arithmetic, "stn_solve: options");
    if (status == STN_OK && lacks_partition(a, &full))
        status = stn_fail(STN_ERR_ARGUMENT, "stn_solve: A is a distributed matrix, which requires "
                                            "options with its partition");
    status = status == STN_OK
                 ? solve_known(exec, x, a, b, &full, &method_data, report ? report->size : 0, kept)
                 : fail_on_all_ranks(a, status);
    if (report)
        STN_STRUCT_WRITE(report, &method_data, stn_solver_report);
    return status;
}

stn_status stn_solve(const stn_exec *exec, const stn_view *x, const stn_operator *a,
                     const stn_view *b, const stn_solver_options *options,
                     stn_solver_report *report)
{
    STN_RETURN_IN_MODES(solve(exec, x, a, b, options, report, NULL));
}

stn_status stn_solve_inner(const stn_exec *exec, const stn_view *x, const stn_operator *a,
                           const stn_view *b, const stn_solver_options *options,
                           stn_solver_report *report, stn_solver_state *kept)
{
    STN_RETURN_IN_MODES(solve(exec, x, a, b, options, report, kept));
}
