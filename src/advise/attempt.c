/* One attempt: creates the narrow matrix and the preconditioner of a method, and solves. */
#include "advise/attempt.h"

#include <math.h>

#include "core/clock.h"
#include "precondition/preconditioner.h"
#include "sparse/matrix.h"
#include "steno/block_jacobi.h"
#include "steno/blas.h"
#include "steno/ilu.h"
#include "steno/kernel.h"
#include "steno/sparse_operations.h"

/* clang-format off */
STN_MAP(advise_scale, (in(s), in(x), out(y)), y = s * x;)
STN_MAP(advise_divide, (in(s), in(x), out(y)), y = x / s;)
/* clang-format on */

enum { INNER_ITERATIONS = 10000, MAX_DOUBLINGS = 8 };

/* A format that stores more than this part of the values as 0 is not tried. */
static const double MOST_UNDERFLOWS = 0x1p-4;

typedef struct system {
    stn_attempt *attempt;
    const stn_matrix *matrix; /* that is solved with: as given, or `scaled` */
    stn_matrix *scaled, *narrow;
    stn_preconditioner *preconditioner;
    stn_view by_row, by_column, x, b; /* scales, and vectors of the scaled system */
    stn_operator a, inner, inverse;
    stn_watch watch;
} system;

/* ---- parts ---- */

static stn_status create_vector(const stn_attempt *attempt, stn_view *view, stn_format format)
{
    return stn_view_create(attempt->exec, view, "a vector", stn_storage_of(format), 1,
                           &attempt->advice->rows);
}

/* Parts of complex vectors are scaled as rows of two. */
static stn_status scale_vector(const stn_attempt *attempt, const stn_view *scales,
                               const stn_view *from, const stn_view *to, int divides)
{
    stn_view factors = *scales, x = *from, y = *to;
    if (attempt->advice->arithmetic == STN_C128) {
        STN_TRY(stn_parts_of(&x, from));
        STN_TRY(stn_parts_of(&y, to));
        STN_TRY(stn_view_insert_axis(&factors, scales, 1));
    }
    return divides ? advise_divide_run(attempt->exec, STN_F64, &factors, &x, &y)
                   : advise_scale_run(attempt->exec, STN_F64, &factors, &x, &y);
}

static stn_status equilibrate(const stn_attempt *attempt, system *s)
{
    const stn_solve_advice *const advice = attempt->advice;
    s->matrix = advice->a;
    if (!attempt->choice.is_equilibrated)
        return STN_OK;
    STN_TRY(create_vector(attempt, &s->by_row, STN_F64));
    STN_TRY(create_vector(attempt, &s->by_column, STN_F64));
    STN_TRY(create_vector(attempt, &s->x, advice->arithmetic));
    STN_TRY(create_vector(attempt, &s->b, advice->arithmetic));
    STN_TRY(stn_sparse_equilibrate(attempt->exec, &s->scaled, &s->by_row, &s->by_column, advice->a,
                                   STN_EQUILIBRATE_BOTH));
    s->matrix = s->scaled;
    STN_TRY(scale_vector(attempt, &s->by_row, &attempt->b, &s->b, 0));
    return scale_vector(attempt, &s->by_column, &attempt->x, &s->x, 1);
}

static stn_status create_preconditioner(const stn_attempt *attempt, system *s)
{
    static const stn_ilu_kind kinds[] = {STN_ILU0, STN_ILU0, STN_ILU0, STN_IC0};
    const stn_solve_choice *const choice = &attempt->choice;
    const stn_ilu_options ilu = STN_INIT(stn_ilu_options, .kind = kinds[choice->preconditioner],
                                         .format = &choice->preconditioner_format);
    const stn_block_jacobi_options jacobi = STN_INIT(stn_block_jacobi_options, .max_block_rows = 1,
                                                     .format = &choice->preconditioner_format);
    if (choice->preconditioner == STN_ADVISE_NO_PRECONDITIONER)
        return STN_OK;
    if (choice->preconditioner == STN_ADVISE_JACOBI)
        STN_TRY(stn_block_jacobi_create(attempt->exec, &s->preconditioner, s->matrix, &jacobi));
    else
        STN_TRY(stn_ilu_create(attempt->exec, &s->preconditioner, s->matrix, &ilu));
    return stn_operator_of_preconditioner(&s->inverse, s->preconditioner);
}

/* Matrices with counters have slower products. */
static void forget_counters(stn_matrix *a)
{
    a->storage.counters = a->codes.storage.counters = NULL;
}

/* The matrix of corrections. A diagonal that compensates the rounding errors of its row may exceed
 * the largest value, so the scale is doubled. */
static stn_status create_narrow(stn_attempt *attempt, system *s)
{
    const stn_counters before = attempt->lost;
    stn_storage storage = stn_storage_of(attempt->choice.matrix_format);
    stn_matrix_traits traits = STN_MATRIX_TRAITS_INIT;
    stn_matrix *rounded;
    stn_status status = STN_ERR_RANGE;
    if (attempt->choice.method != STN_SOLVER_REFINEMENT)
        return STN_OK;
    STN_TRY(stn_sparse_traits(attempt->exec, s->matrix, &traits));
    const double ends[] = {traits.largest, -traits.largest};
    STN_TRY(stn_storage_fit_scale(&storage, STN_F64, ends, 2, STN_SCALE_POWER_OF_TWO));
    storage.counters = &attempt->lost;
    if (storage.format == STN_F32) {
        STN_TRY(
            stn_sparse_convert(attempt->exec, &s->narrow, s->matrix, STN_MATRIX_AUTO, &storage));
        forget_counters(s->narrow);
        return stn_operator_of_matrix(&s->inner, s->narrow);
    }
    for (int k = 0; status == STN_ERR_RANGE && k < MAX_DOUBLINGS; k++, storage.scale *= 2.0) {
        attempt->lost = before;
        status = stn_sparse_compensate(attempt->exec, &rounded, s->matrix, &storage);
    }
    STN_TRY(status);
    forget_counters(rounded);
    status = stn_sparse_convert(attempt->exec, &s->narrow, rounded, STN_MATRIX_AUTO, NULL);
    stn_matrix_release(rounded);
    STN_TRY(status);
    return stn_operator_of_matrix(&s->inner, s->narrow);
}

/* ---- the solve ---- */

int stn_watch_stagnates(stn_watch *watch, int64_t iteration, double residual)
{
    watch->best = fmin(watch->best, residual);
    if (isinf(watch->first))
        watch->first = residual;
    if (iteration - watch->begin < watch->window)
        return 0;
    const double gain = log(watch->first / watch->best), missing = log(watch->best / watch->target);
    watch->first = watch->best;
    watch->begin = iteration;
    if (watch->window < iteration / STN_WATCH_PART)
        watch->window = iteration / STN_WATCH_PART;
    return !(gain * STN_WATCH_MOST >= missing);
}

/* Calls the monitor of the options. */
static int interrupt(void *context, const stn_solver_progress *progress)
{
    stn_attempt *const attempt = context;
    const stn_solve_advice_options *const options = &attempt->advice->options;
    if (options->monitor && options->monitor(options->monitor_context, progress))
        attempt->is_interrupted = 1;
    return attempt->is_interrupted;
}

static int observe(void *context, const stn_solver_progress *progress)
{
    system *const s = context;
    return interrupt(s->attempt, progress) ||
           stn_watch_stagnates(&s->watch, progress->iteration, progress->residual);
}

static stn_format inner_arithmetic(const stn_solve_advice *advice)
{
    return advice->arithmetic == STN_C128 ? STN_C64 : STN_F32;
}

static void set_basis(const stn_solve_choice *choice, stn_solver_method method,
                      stn_solver_options *options)
{
    if (method != STN_SOLVER_GMRES)
        return;
    options->basis = stn_storage_of(choice->basis_format);
    options->restart = choice->restart;
    options->orthogonalization = choice->orthogonalization;
}

/* 0: no limit. */
static double seconds_left(const stn_attempt *attempt)
{
    return isfinite(attempt->end) ? fmax(1e-9, attempt->end - stn_seconds_now()) : 0.0;
}

static stn_status solve(stn_attempt *attempt, system *s)
{
    const stn_solve_choice *const choice = &attempt->choice;
    const stn_operator *const inverse = s->preconditioner ? &s->inverse : NULL;
    const int is_refined = choice->method == STN_SOLVER_REFINEMENT;
    stn_solver_options inner =
        STN_INIT(stn_solver_options, .method = choice->inner_method,
                 .arithmetic = inner_arithmetic(attempt->advice), .relative_tolerance = 1e-3,
                 .max_iterations = INNER_ITERATIONS, .preconditioner = inverse,
                 .monitor = interrupt, .monitor_context = attempt);
    stn_solver_options options = STN_INIT(
        stn_solver_options, .method = choice->method, .arithmetic = attempt->advice->arithmetic,
        .relative_tolerance = attempt->tolerance, .preconditioner = is_refined ? NULL : inverse,
        .inner = is_refined ? &inner : NULL, .inner_operator = is_refined ? &s->inner : NULL,
        .max_seconds = seconds_left(attempt), .monitor = observe, .monitor_context = s);
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    set_basis(choice, choice->inner_method, &inner);
    set_basis(choice, choice->method, &options);
    s->watch =
        (stn_watch){attempt->tolerance, (double)INFINITY, (double)INFINITY, 0, STN_WATCH_WINDOW};
    if (choice->method == STN_SOLVER_GMRES && STN_WATCH_CYCLES * choice->restart < STN_WATCH_WINDOW)
        s->watch.window = STN_WATCH_CYCLES * choice->restart;
    const int is_scaled = choice->is_equilibrated;
    const stn_status status = stn_solve(attempt->exec, is_scaled ? &s->x : &attempt->x, &s->a,
                                        is_scaled ? &s->b : &attempt->b, &options, &report);
    attempt->reason = report.reason;
    attempt->iterations += is_refined ? report.inner_iterations : report.iterations;
    if (is_scaled && (status == STN_OK || status == STN_ERR_CONVERGENCE))
        STN_TRY(scale_vector(attempt, &s->by_column, &s->x, &attempt->x, 0));
    return status;
}

/* A matrix that does not fit, whose values exceed the range of an arithmetic type, or that has no
 * incomplete factors, needs another method. */
static int is_unsuitable(stn_status status)
{
    return status == STN_ERR_ARGUMENT || status == STN_ERR_RANGE || status == STN_ERR_UNSUPPORTED;
}

static int is_lossy(const stn_attempt *attempt)
{
    const double most = MOST_UNDERFLOWS * (double)attempt->advice->entries;
    return attempt->lost.saturated > 0 || (double)attempt->lost.underflowed > most;
}

static stn_status prepare(stn_attempt *attempt, system *s)
{
    STN_TRY(equilibrate(attempt, s));
    STN_TRY(stn_operator_of_matrix(&s->a, s->matrix));
    stn_status status = create_preconditioner(attempt, s);
    attempt->is_missing = is_unsuitable(status);
    if (s->preconditioner)
        attempt->lost = s->preconditioner->lost;
    if (status == STN_OK)
        status = create_narrow(attempt, s);
    attempt->is_lossy = is_lossy(attempt);
    return status == STN_OK && attempt->is_lossy ? STN_ERR_CONVERGENCE : status;
}

stn_status stn_attempt_run(stn_attempt *attempt)
{
    system s = {.attempt = attempt};
    attempt->is_missing = attempt->is_lossy = 0;
    attempt->lost = (stn_counters){0};
    attempt->reason = STN_STOP_CALL_FAILED;
    stn_status status = prepare(attempt, &s);
    if (status == STN_OK)
        status = solve(attempt, &s);
    stn_preconditioner_release(s.preconditioner);
    stn_matrix_release(s.narrow);
    stn_matrix_release(s.scaled);
    (void)stn_view_release(&s.by_row);
    (void)stn_view_release(&s.by_column);
    (void)stn_view_release(&s.x);
    (void)stn_view_release(&s.b);
    return is_unsuitable(status) ? STN_ERR_CONVERGENCE : status;
}
