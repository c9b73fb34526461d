/* The guard of an advised solve: formats and methods are promoted until the residual of the matrix
 * as given meets the target. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advise/attempt.h"
#include "core/clock.h"
#include "core/grow.h"
#include "core/modes.h"
#include "exec/exec.h"
#include "sparse/matrix.h"
#include "sparse/ops/accurate.h"
#include "steno/blas.h"
#include "view/overlap.h"
#include "view/view.h"

enum { MAX_PROMOTIONS = 12, MAX_TIGHTENINGS = 5, FIRST_RESTART = 100, MAX_RESTART = 2048 };
enum { LARGEST_EXPONENT = 960, SCALE_EXPONENT = 64 }; /* of b, which is scaled if it is larger */
static const char call[] = "stn_solve_advised";

typedef struct guarded {
    stn_attempt attempt;
    stn_guard_report report;
    stn_view residual, best; /* best: x of the smallest residual */
    double b_norm, best_residual, first_residual;
    double scale;   /* x and b of the attempts are multiplied by this power of two */
    int is_rounded; /* x met the target before it was stored */
} guarded;

/* ---- promotions ---- */

static int widen(stn_format *format)
{
    const stn_format wider = *format == STN_F16 || *format == STN_I16 ? STN_F32
                             : *format == STN_F32                     ? STN_F64
                             : *format == STN_C32                     ? STN_C64
                             : *format == STN_C64                     ? STN_C128
                                                                      : *format;
    const int is_wider = wider != *format;
    *format = wider;
    return is_wider;
}

static int change_preconditioner(stn_solve_choice *choice, stn_advise_preconditioner to,
                                 stn_format arithmetic, char text[STN_ADVISE_TEXT])
{
    static const char *const names[] = {"no preconditioner", "Jacobi", "ILU(0)", "IC(0)"};
    choice->preconditioner = to;
    choice->preconditioner_format = arithmetic;
    snprintf(text, STN_ADVISE_TEXT, "%s instead of the preconditioner", names[to]);
    return 1;
}

static int change_method(stn_solve_choice *choice, stn_solver_method to, const char *name,
                         char text[STN_ADVISE_TEXT])
{
    choice->method = choice->inner_method = to;
    snprintf(text, STN_ADVISE_TEXT, "method %s", name);
    return 1;
}

/* MINRES without a preconditioner: it needs neither a definite matrix nor incomplete factors. */
static int promote_to_minres(const stn_solve_advice *advice, stn_solve_choice *choice,
                             char text[STN_ADVISE_TEXT])
{
    choice->restart = 0;
    choice->orthogonalization = STN_ORTHOGONALIZATION_DEFAULT;
    choice->basis_format = choice->matrix_format = advice->arithmetic;
    choice->is_equilibrated = 0;
    if (!advice->traits.is_positive || choice->preconditioner != STN_ADVISE_JACOBI)
        choice->preconditioner = STN_ADVISE_NO_PRECONDITIONER;
    choice->preconditioner_format = advice->arithmetic;
    return change_method(choice, STN_SOLVER_MINRES, "MINRES", text);
}

/* GMRES in f64, with ILU(0) if that is possible. Small systems are solved without a restart, which
 * no stagnation prevents. */
static int promote_to_gmres(const stn_solve_advice *advice, stn_solve_choice *choice,
                            char text[STN_ADVISE_TEXT])
{
    choice->restart = advice->rows <= MAX_RESTART ? advice->rows : FIRST_RESTART;
    choice->orthogonalization = STN_ORTHOGONALIZATION_TWICE;
    choice->basis_format = choice->matrix_format = advice->arithmetic;
    choice->is_equilibrated = advice->traits.row_spread > 16.0;
    choice->preconditioner =
        advice->traits.has_diagonal ? STN_ADVISE_ILU0 : STN_ADVISE_NO_PRECONDITIONER;
    choice->preconditioner_format = advice->arithmetic;
    return change_method(choice, STN_SOLVER_GMRES, "GMRES", text);
}

static int promote_gmres(const stn_solve_advice *advice, stn_solve_choice *choice,
                         char text[STN_ADVISE_TEXT])
{
    const int64_t longer = choice->restart * 4;
    if (choice->restart >= advice->rows || choice->restart >= MAX_RESTART)
        return 0;
    choice->restart = longer < advice->rows ? longer : advice->rows;
    choice->orthogonalization = STN_ORTHOGONALIZATION_TWICE;
    snprintf(text, STN_ADVISE_TEXT, "restart %lld", (long long)choice->restart);
    return 1;
}

/* The next method without regard to its bytes. */
static int promote(const stn_solve_advice *advice, stn_solve_choice *choice, int is_missing,
                   char text[STN_ADVISE_TEXT])
{
    if (is_missing && choice->preconditioner == STN_ADVISE_IC0)
        return change_preconditioner(choice, STN_ADVISE_JACOBI, advice->arithmetic, text);
    if (is_missing && choice->preconditioner == STN_ADVISE_ILU0)
        return change_preconditioner(
            choice, advice->traits.has_diagonal ? STN_ADVISE_JACOBI : STN_ADVISE_NO_PRECONDITIONER,
            advice->arithmetic, text);
    if (is_missing)
        return change_preconditioner(choice, STN_ADVISE_NO_PRECONDITIONER, advice->arithmetic,
                                     text);
    if (choice->preconditioner != STN_ADVISE_NO_PRECONDITIONER &&
        widen(&choice->preconditioner_format)) {
        widen(&choice->basis_format);
        snprintf(text, STN_ADVISE_TEXT, "preconditioner in %s",
                 stn_advise_format_name(choice->preconditioner_format));
        return 1;
    }
    if (choice->method == STN_SOLVER_REFINEMENT && choice->matrix_format == STN_F16) {
        choice->matrix_format = STN_F32;
        snprintf(text, STN_ADVISE_TEXT, "matrix in f32");
        return 1;
    }
    if (choice->method == STN_SOLVER_GMRES && widen(&choice->basis_format)) {
        snprintf(text, STN_ADVISE_TEXT, "basis in %s",
                 stn_advise_format_name(choice->basis_format));
        return 1;
    }
    if (advice->traits.is_symmetric && choice->method != STN_SOLVER_MINRES &&
        choice->method != STN_SOLVER_GMRES)
        return promote_to_minres(advice, choice, text);
    if (choice->method == STN_SOLVER_GMRES)
        return promote_gmres(advice, choice, text);
    return promote_to_gmres(advice, choice, text);
}

static int is_same(const stn_solve_choice *a, const stn_solve_choice *b)
{
    return a->method == b->method && a->restart == b->restart &&
           a->basis_format == b->basis_format && a->preconditioner == b->preconditioner &&
           a->preconditioner_format == b->preconditioner_format &&
           a->matrix_format == b->matrix_format && a->is_equilibrated == b->is_equilibrated &&
           a->orthogonalization == b->orthogonalization;
}

int stn_advise_promote(const stn_solve_advice *advice, stn_solve_choice *choice, int is_missing,
                       char text[STN_ADVISE_TEXT])
{
    stn_solve_choice next = *choice;
    for (int k = 0; k < MAX_PROMOTIONS && promote(advice, &next, is_missing, text); k++) {
        if (stn_advise_fit(advice, &next) && !is_same(&next, choice)) {
            *choice = next;
            return 1;
        }
        is_missing = 0;
    }
    return 0;
}

/* ---- residuals ---- */

static int64_t count_of(const guarded *g)
{
    const stn_solve_advice *const advice = g->attempt.advice;
    return advice->rows * (advice->arithmetic == STN_C128 ? 2 : 1);
}

/* NaN if an element is. */
static double largest_of(const guarded *g, const stn_view *vector)
{
    const double *const values = vector->data;
    double most = 0.0;
    for (int64_t k = 0; k < count_of(g); k++)
        most = fabs(values[k]) <= most ? most : isnan(most) ? most : fabs(values[k]);
    return most;
}

/* The relative residual of the matrix as given, in twice the precision of f64. It is infinite if x
 * is not finite, also in elements that the matrix does not reference. */
static stn_status measure(guarded *g)
{
    const stn_attempt *const attempt = &g->attempt;
    const stn_format arithmetic = attempt->advice->arithmetic;
    double norm;
    STN_TRY(stn_residual_accurate(attempt->exec, attempt->advice->a, arithmetic == STN_C128,
                                  attempt->b.data, attempt->x.data, g->residual.data));
    STN_TRY(stn_nrm2(attempt->exec, arithmetic, &norm, &g->residual));
    if (!isfinite(norm) || !isfinite(largest_of(g, &attempt->x)))
        norm = INFINITY;
    g->report.residual = g->b_norm > 0.0 ? norm / g->b_norm : norm;
    return STN_OK;
}

/* Keeps the best x, the initial guess included. */
static stn_status measure_and_keep(guarded *g)
{
    const stn_attempt *const attempt = &g->attempt;
    STN_TRY(measure(g));
    if (!(g->report.residual < g->best_residual)) {
        g->report.residual = g->best_residual;
        return stn_view_copy(attempt->exec, &attempt->x, &g->best);
    }
    g->best_residual = g->report.residual;
    return stn_view_copy(attempt->exec, &g->best, &attempt->x);
}

static int meets_target(const guarded *g)
{
    return g->report.residual <= (g->b_norm > 0.0 ? g->attempt.advice->options.target : 0.0);
}

static int is_late(const guarded *g)
{
    return stn_seconds_now() >= g->attempt.end;
}

/* Repeats an attempt with a smaller tolerance as long as the method converges and the residual of
 * the matrix as given does not meet the target. */
static stn_status attempt_and_measure(guarded *g)
{
    const double target = g->attempt.advice->options.target;
    stn_status status = STN_OK;
    g->attempt.tolerance = target;
    for (int k = 0; status == STN_OK && k < MAX_TIGHTENINGS; k++) {
        status = stn_attempt_run(&g->attempt);
        if (status != STN_OK && status != STN_ERR_CONVERGENCE)
            return status;
        STN_TRY(measure_and_keep(g));
        if (meets_target(g) || is_late(g))
            return STN_OK;
        const double quotient = target / g->report.residual;
        g->attempt.tolerance *= fmin(0.5, fmax(1e-6, 0.3 * quotient));
    }
    return STN_OK;
}

/* Why the attempt did not converge. */
static const char *cause_of(guarded *g)
{
    stn_attempt *const attempt = &g->attempt;
    if (g->is_rounded)
        return "met before x was rounded to its storage";
    if (attempt->is_missing)
        return "cannot be created";
    if (attempt->is_lossy) {
        snprintf(attempt->losses, sizeof attempt->losses, "%lld values saturated, %lld underflowed",
                 (long long)attempt->lost.saturated, (long long)attempt->lost.underflowed);
        return attempt->losses;
    }
    return attempt->is_interrupted                   ? "interrupted"
           : attempt->reason == STN_STOP_INTERRUPTED ? "stagnated"
                                                     : stn_stop_reason_name(attempt->reason);
}

static void note(guarded *g, const char *text)
{
    stn_guard_report *const report = &g->report;
    const size_t length = strlen(report->reason);
    snprintf(report->reason + length, sizeof report->reason - length, "%s%s (%s)",
             length ? "; " : "", text, cause_of(g));
    report->promotions++;
}

static stn_status run_guarded(guarded *g)
{
    char text[STN_ADVISE_TEXT];
    STN_TRY(measure_and_keep(g));
    g->first_residual = g->best_residual;
    for (int k = 0; k <= MAX_PROMOTIONS && !meets_target(g) && !is_late(g); k++) {
        if (g->attempt.is_interrupted)
            break;
        if (k > 0) {
            if (!stn_advise_promote(g->attempt.advice, &g->attempt.choice, g->attempt.is_missing,
                                    text))
                break;
            note(g, text);
        }
        STN_TRY(attempt_and_measure(g));
        g->report.saturated += g->attempt.lost.saturated;
        g->report.underflowed += g->attempt.lost.underflowed;
    }
    return STN_OK;
}

static stn_status rescale(const guarded *g, const stn_view *vector, double factor)
{
    return factor == 1.0 ? STN_OK
                         : stn_scal(g->attempt.exec, g->attempt.advice->arithmetic, factor, vector);
}

/* Stores an unscaled vector in x, and measures x as stored. */
static stn_status store(guarded *g, const stn_view *x, const stn_view *from)
{
    const stn_attempt *const attempt = &g->attempt;
    STN_TRY(stn_view_copy(attempt->exec, x, from));
    STN_TRY(stn_view_copy(attempt->exec, &attempt->x, x));
    STN_TRY(rescale(g, &attempt->x, g->scale));
    return measure(g);
}

/* Stores the best x, unless the initial guess is better than x as stored. */
static stn_status finish(guarded *g, const stn_view *x)
{
    const stn_attempt *const attempt = &g->attempt;
    const stn_solve_advice *const advice = attempt->advice;
    const int has_met = meets_target(g);
    double norm;
    STN_TRY(stn_view_copy(attempt->exec, &g->best, x)); /* the initial guess */
    STN_TRY(rescale(g, &attempt->x, 1.0 / g->scale));
    STN_TRY(store(g, x, &attempt->x));
    g->is_rounded = has_met && !meets_target(g);
    if (!(g->report.residual < g->first_residual))
        STN_TRY(store(g, x, &g->best));
    STN_TRY(stn_matrix_norm(attempt->exec, advice->a, 1.0, &norm));
    const double scale = norm * largest_of(g, &attempt->x) + largest_of(g, &attempt->b);
    const double residual = largest_of(g, &g->residual);
    g->report.backward_error = residual > 0.0 ? residual / scale : 0.0;
    return STN_OK;
}

/* ---- the call ---- */

static stn_status create_vectors(guarded *g, const stn_view *x, const stn_view *b)
{
    const stn_attempt *const attempt = &g->attempt;
    stn_view *const vectors[] = {&g->attempt.x, &g->attempt.b, &g->residual, &g->best};
    for (int k = 0; k < 4; k++)
        STN_TRY(stn_view_create(attempt->exec, vectors[k], "a vector",
                                stn_storage_of(attempt->advice->arithmetic), 1,
                                &attempt->advice->rows));
    STN_TRY(stn_view_copy(attempt->exec, &g->attempt.b, b));
    STN_TRY(stn_view_copy(attempt->exec, &g->attempt.x, x));
    const double largest[] = {largest_of(g, &attempt->b), largest_of(g, &attempt->x)};
    for (int k = 0; k < 2; k++)
        if (!isfinite(largest[k]))
            return stn_fail(STN_ERR_ARGUMENT, "%s: %s has infinite or NaN elements", call,
                            stn_view_text(k ? x : b));
    g->scale = largest[0] > ldexp(1.0, LARGEST_EXPONENT) ? ldexp(1.0, -SCALE_EXPONENT) : 1.0;
    STN_TRY(rescale(g, &g->attempt.b, g->scale));
    STN_TRY(rescale(g, &g->attempt.x, g->scale));
    STN_TRY(stn_view_copy(attempt->exec, &g->best, &attempt->x));
    return stn_nrm2(attempt->exec, attempt->advice->arithmetic, &g->b_norm, &g->attempt.b);
}

static stn_status expect(const stn_exec *exec, const stn_view *x, const stn_solve_advice *advice,
                         int index, const stn_view *b)
{
    STN_TRY(stn_exec_expect(call, exec));
    if (!x || !b || !advice)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, !x ? "x" : !b ? "b" : "advice");
    if (index < 0 || index >= advice->count)
        return stn_fail(STN_ERR_RANGE, "%s: index is %d; there are %d methods", call, index,
                        advice->count);
    if (stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: exec is a device; an executor of the host is required", call);
    STN_TRY(stn_view_check(call, x));
    STN_TRY(stn_view_check(call, b));
    STN_TRY(stn_view_writable(call, x));
    if (x->rank != 1 || b->rank != 1 || x->extent[0] != advice->rows ||
        b->extent[0] != advice->rows)
        return stn_fail(STN_ERR_SHAPE, "%s: x and b must have rank 1 and %lld elements", call,
                        (long long)advice->rows);
    if (!stn_view_is_unique(x))
        return stn_fail(STN_ERR_ALIAS, "%s: %s has elements that share memory", call,
                        stn_view_text(x));
    if (stn_view_may_share(b, x))
        return stn_fail(STN_ERR_ALIAS, "%s: %s overlaps %s", call, stn_view_text(x),
                        stn_view_text(b));
    return STN_OK;
}

static stn_status solve(const stn_exec *exec, const stn_view *x, const stn_solve_advice *advice,
                        int index, const stn_view *b, guarded *g)
{
    const double begin = stn_seconds_now();
    const double limit = advice->options.max_seconds;
    g->attempt = (stn_attempt){.exec = exec,
                               .advice = advice,
                               .choice = advice->list[index],
                               .end = limit > 0.0 ? begin + limit : (double)INFINITY};
    stn_status status = create_vectors(g, x, b);
    if (status == STN_OK)
        status = run_guarded(g);
    if (status == STN_OK)
        status = finish(g, x);
    g->report.converged = status == STN_OK && meets_target(g);
    g->report.iterations = g->attempt.iterations;
    stn_view *const vectors[] = {&g->attempt.x, &g->attempt.b, &g->residual, &g->best};
    for (int k = 0; k < 4; k++)
        (void)stn_view_release(vectors[k]);
    g->report.seconds = stn_seconds_now() - begin;
    return status;
}

/* Members that the call sets. */
static void clear(stn_guard_report *report)
{
    *report = (stn_guard_report)STN_INIT(stn_guard_report, .used = report->used);
}

static stn_status run(const stn_exec *exec, const stn_view *x, const stn_solve_advice *advice,
                      int index, const stn_view *b, stn_guard_report *report)
{
    guarded g = {.report = STN_GUARD_REPORT_INIT, .best_residual = (double)INFINITY};
    if (report)
        STN_TRY(STN_STRUCT_READ(&g.report, report, stn_guard_report, reason,
                                "stn_solve_advised: report"));
    if (g.report.used)
        STN_TRY(STN_STRUCT_CHECK(g.report.used, stn_solve_choice, text,
                                 "stn_solve_advised: report->used"));
    clear(&g.report);
    STN_TRY(expect(exec, x, advice, index, b));
    const stn_status status = solve(exec, x, advice, index, b, &g);
    stn_advise_predict(advice, &g.attempt.choice);
    if (g.report.used)
        STN_STRUCT_WRITE(g.report.used, &g.attempt.choice, stn_solve_choice);
    if (report)
        STN_STRUCT_WRITE(report, &g.report, stn_guard_report);
    STN_TRY(status);
    return g.report.converged
               ? STN_OK
               : stn_fail(STN_ERR_CONVERGENCE,
                          "%s: the residual is %.3g, more than the target %.3g; %s: %s%s%s", call,
                          g.report.residual, advice->options.target, g.attempt.choice.text,
                          cause_of(&g), g.report.promotions ? "; before: " : "", g.report.reason);
}

stn_status stn_solve_advised(const stn_exec *exec, const stn_view *x,
                             const stn_solve_advice *advice, int index, const stn_view *b,
                             stn_guard_report *report)
{
    STN_RETURN_IN_MODES(run(exec, x, advice, index, b, report));
}
