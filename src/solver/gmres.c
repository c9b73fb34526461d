/* GMRES(m): Y. Saad, M. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986). Basis in a narrower format:
 * J. Aliaga and others, Int. J. High Perf. Comp. Appl. 37 (2023). Flexible GMRES: Y. Saad, SIAM J.
 * Sci. Comput. 14 (1993); it stores M v for each v. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solver/checkpoint.h"
#include "solver/orthogonalize.h"
#include "solver/scalar.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(add, (in(x), inout(d)), d = x + d;)
/* clang-format on */

static const double hardly = 0.999; /* fraction of the residual before a cycle: no improvement */

/* Vectors of a cycle that are stored wide: those that the final residual requires, forecast or not;
 * none; or all. */
typedef enum storage_kind { STORE_FORECAST, STORE_NARROW, STORE_WIDE } storage_kind;

/* Decides which vectors of a narrow basis are stored wide. */
typedef struct precision {
    double first;                  /* norm of the residual at the start of the cycle */
    double last, forecast;         /* at the last forecast, and forecast for the end of the cycle */
    int64_t last_count, next;      /* number of columns at the last and at the next forecast */
    int64_t storage, next_storage; /* of this cycle and of the next one: a storage_kind */
    int64_t is_exhausted; /* errors of the stored vectors exceed the residual: more columns do not
                           * reduce it */
} precision;

static const double margin = 0.01; /* part of the forecast residual that narrow vectors of a whole
                                    * cycle may contribute: convergence may accelerate */
enum { FORECAST = 6 };             /* columns before the first forecast */
static const double tail = 0.25;   /* part of the final residual that narrow vectors at the end of a
                                    * cycle may contribute */

typedef struct arnoldi {
    stn_split basis;
    stn_basis directions; /* flexible GMRES: M v of each vector */
    precision precision;
    stn_gram_schmidt orthogonal;
    stn_c128 *h;           /* a column of the Hessenberg matrix: restart + 1 elements */
    stn_c128 *r;           /* columns of its triangular factor, with restart elements each */
    stn_c128 *cosines, *g; /* rotations, and |r| e1 after them: restart + 1 elements */
    double *sines; /* real, like the last element of g: the elements below the diagonal of h are
                    * norms */
    double *below; /* elements below the diagonal of the Hessenberg matrix */
    int64_t count; /* number of columns of this cycle */
    double ratio;  /* of the norm of the residual to that in which vectors have length 1, at the
                    * start  of the cycle */
    double norm;   /* norm of w, which is not yet a vector of the basis */
    int is_flexible;
    int is_singular;     /* columns of this cycle were dropped because x would consist of rounding
                          * errors */
    stn_view *v, *z, *w; /* the last vector, M v, and A M v, which becomes the next vector */
} arnoldi;

static void end(void *method_data)
{
    arnoldi *const job = method_data;
    stn_split_release(&job->basis);
    stn_gram_schmidt_release(&job->orthogonal);
    stn_basis_release(&job->directions);
    stn_free(job->h);
    stn_free(job->r);
    stn_free(job);
}

static stn_status begin(stn_solver_state *s, void **method_data)
{
    const int64_t m = s->restart;
    arnoldi *job = NULL;
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "GMRES"));
    memset(job, 0, sizeof *job);
    *method_data = job;
    STN_TRY(stn_allocate(&job->h, 4 * (m + 1), sizeof *job->h, "columns of GMRES"));
    memset(job->h, 0, (size_t)(4 * (m + 1)) * sizeof *job->h); /* checkpoints contain all of it */
    STN_TRY(stn_allocate(&job->r, m * m, sizeof *job->r, "the triangle of GMRES"));
    job->cosines = job->h + m + 1;
    job->g = job->cosines + m + 1;
    job->sines = (double *)(void *)(job->g + m + 1);
    job->v = &s->vectors[1];
    job->w = &s->vectors[2];
    job->z = s->right ? &s->vectors[3] : job->v;
    job->below = job->sines + m + 1;
    STN_TRY(stn_split_create(s, m + 1, &job->basis));
    return stn_gram_schmidt_create(s, m + 1, job->basis.rounding > 0.0, &job->orthogonal);
}

/* Without a preconditioner, or with one on the left, M v is v. */
static stn_status begin_flexible(stn_solver_state *s, void **method_data)
{
    STN_TRY(begin(s, method_data));
    arnoldi *const job = *method_data;
    job->is_flexible = s->right != NULL;
    return job->is_flexible ? stn_basis_create(s, s->restart, &job->directions) : STN_OK;
}

/* ---- the next vector ---- */

/* Applies a rotation to two elements. */
static void rotate_pair(stn_c128 c, double s, stn_c128 *upper, stn_c128 *lower)
{
    const stn_c128 one = *upper, other = *lower;
    *upper = stn_c128_add(stn_scalar_multiply(stn_c128_conj(c), one), stn_scalar_scale(other, s));
    *lower = stn_c128_subtract(stn_scalar_multiply(c, other), stn_scalar_scale(one, s));
}

/* Applies the previous rotations to the column, and a new one that makes its last element 0. */
static void rotate(const stn_solver_state *s, arnoldi *job, int64_t k, double last)
{
    stn_c128 *const column = job->r + k * s->restart;
    for (int64_t i = 0; i < k; i++)
        rotate_pair(job->cosines[i], job->sines[i], &job->h[i], &job->h[i + 1]);
    const stn_c128 method_data = job->h[k];
    const double both = hypot(hypot(method_data.re, method_data.im), last);
    job->cosines[k] =
        both > 0.0 ? stn_c128_of(method_data.re / both, method_data.im / both) : stn_scalar_of(1.0);
    job->sines[k] = both > 0.0 ? last / both : 0.0;
    job->h[k] = stn_scalar_of(both);
    memcpy(column, job->h, (size_t)(k + 1) * sizeof *column);
    job->g[k + 1] = stn_scalar_of(-job->sines[k] * job->g[k].re);
    job->g[k] = stn_scalar_multiply(stn_c128_conj(job->cosines[k]), job->g[k]);
}

/* z = M v for vector k, in v; flexible GMRES: as it is stored. */
static stn_status precondition(stn_solver_state *s, arnoldi *job, int64_t k, int *reason)
{
    double norm;
    if (job->z == job->v)
        return STN_OK;
    STN_TRY(stn_solver_precondition(s, job->v, job->z));
    if (!job->is_flexible)
        return STN_OK;
    STN_TRY(stn_solver_nrm2(s, &norm, job->z));
    if (norm > 0.0 && isfinite(norm))
        return stn_basis_set(s, &job->directions, k, job->z, norm, norm, job->z);
    *reason = norm == 0.0 ? STN_STOP_BREAKDOWN : STN_STOP_NOT_FINITE;
    return STN_OK;
}

/* Appends w to the basis, and copies the stored vector to v. */
static stn_status append(stn_solver_state *s, arnoldi *job)
{
    STN_TRY(stn_split_set(s, &job->basis, job->count, job->w, job->norm, job->v));
    return stn_gram_schmidt_append(s, &job->orthogonal, job->count, job->v);
}

/* y that minimizes the residual for the first `count` columns; returns its norm, or infinity if
 * there is no y. */
static double solve_triangle(const stn_solver_state *s, const arnoldi *job, int64_t count,
                             stn_c128 *y)
{
    double norm = 0.0;
    for (int64_t i = count; i-- > 0;) {
        const double pivot = job->r[i * (s->restart + 1)].re;
        stn_c128 sum = job->g[i];
        for (int64_t j = i + 1; j < count; j++)
            sum = stn_c128_subtract(sum, stn_scalar_multiply(job->r[j * s->restart + i], y[j]));
        y[i] = stn_c128_of(sum.re / pivot, sum.im / pivot);
        norm = hypot(norm, hypot(y[i].re, y[i].im));
    }
    return isnan(norm) ? INFINITY : norm;
}

/* ---- storage of the vectors ---- */

/* The part of the residual that is due to rounding the vectors after the first `wide`, if x is that
 * of y. */
static double rounding_error(const arnoldi *job, int64_t wide, const stn_c128 *y)
{
    double norm = wide == 0 ? job->precision.first / job->ratio : 0.0;
    for (int64_t k = wide > 0 ? wide - 1 : 0; k < job->count; k++)
        norm = hypot(norm, job->below[k] * hypot(y[k].re, y[k].im));
    return job->ratio * job->basis.rounding * norm;
}

/* Forecasts extrapolate from here. */
static void start_forecast(precision *p, int64_t count, double residual)
{
    p->last = residual;
    p->last_count = count;
}

/* The residual at the end of the cycle if it continues to decrease as since the last forecast. */
static void forecast(const stn_solver_state *s, arnoldi *job, double residual)
{
    precision *const p = &job->precision;
    const double steps = (double)(s->restart - job->count) / (double)(job->count - p->last_count);
    p->forecast = fmax(s->target, residual * pow(fmin(residual / p->last, 1.0), steps));
    start_forecast(p, job->count, residual);
    p->next = 2 * job->count;
}

/* Chooses the storage of the next vectors. While all are wide, forecasts decide whether the cycle
 * needs that, and from which vector on it does not. */
static stn_status choose_storage(stn_solver_state *s, arnoldi *job)
{
    precision *const p = &job->precision;
    const double residual = job->ratio * fabs(job->g[job->count].re);
    if (job->basis.rounding == 0.0 || !(residual > s->target))
        return STN_OK;
    (void)solve_triangle(s, job, job->count, job->orthogonal.again);
    if (job->basis.wide_count < STN_SPLIT_ALL) {
        p->is_exhausted =
            rounding_error(job, job->basis.wide_count, job->orthogonal.again) > residual;
        return STN_OK;
    }
    const double error = rounding_error(job, 0, job->orthogonal.again);
    const int is_due = job->count == p->next;
    if (is_due)
        forecast(s, job, residual);
    else if (2 * job->count == p->next && p->last_count == 0)
        start_forecast(p, job->count, residual); /* the first columns reduce it fast in any case */
    const int is_full = job->count >= job->basis.shared;
    if ((is_due && error <= margin * p->forecast) ||
        (is_full && p->next > 0 && error <= tail * p->forecast))
        return stn_split_narrow(s, &job->basis, job->count, job->v);
    if (is_full && p->storage != STORE_WIDE && error * (residual / p->first) <= tail * p->forecast)
        return stn_split_end_wide(s, &job->basis, job->count);
    return STN_OK;
}

/* After the columns of a cycle: storage of the vectors of the next one. */
static void choose_next(const stn_solver_state *s, arnoldi *job)
{
    const double residual = job->ratio * fabs(job->g[job->count].re);
    precision *const p = &job->precision;
    if (job->basis.rounding == 0.0 || job->count == 0)
        return;
    (void)solve_triangle(s, job, job->count, job->orthogonal.again);
    const double error = rounding_error(job, 0, job->orthogonal.again);
    p->next_storage = p->is_exhausted                               ? STORE_WIDE
                      : job->basis.wide_count == 0                  ? STORE_NARROW
                      : error <= margin * fmax(residual, s->target) ? STORE_NARROW
                                                                    : STORE_FORECAST;
}

/* Could the residual of this cycle have been smaller if all vectors had been wide? */
static int is_limited(const arnoldi *job)
{
    return job->basis.rounding > 0.0 && job->basis.wide_count < job->count && !job->is_singular &&
           job->precision.storage != STORE_WIDE;
}

/* A small basis, which caches hold, has no forecasts, because they may fail. */
static void start_storage(const stn_solver_state *s, arnoldi *job)
{
    const int is_small = stn_basis_is_small(s, (double)job->basis.vectors);
    const int64_t quarter = s->restart / 4;
    const int64_t first = quarter < 1 ? 1 : quarter < FORECAST ? quarter : FORECAST;
    const int64_t storage = job->basis.rounding > 0.0 ? job->precision.next_storage : STORE_NARROW;
    job->basis.wide_count = storage == STORE_NARROW ? 0 : STN_SPLIT_ALL;
    job->precision = (precision){.first = s->norm,
                                 .last = s->norm,
                                 .forecast = s->target,
                                 .next = storage == STORE_FORECAST && !is_small ? first : 0,
                                 .storage = storage,
                                 .next_storage = storage};
}

/* ---- columns ---- */

/* Computes a column and w from vector `count`; w becomes the next vector. If there is no column,
 * *reason is set. */
static stn_status extend(stn_solver_state *s, arnoldi *job, int *reason)
{
    const int64_t k = job->count;
    STN_TRY(append(s, job));
    STN_TRY(precondition(s, job, k, reason));
    if (*reason != STN_STOP_NONE)
        return STN_OK;
    STN_TRY(stn_solver_apply(s, job->z, job->w));
    const double begun = stn_seconds_now();
    STN_TRY(stn_orthogonalize(s, &job->orthogonal, &job->basis, k + 1, job->w, job->h, &job->norm));
    s->report->seconds_orthogonalization += stn_seconds_now() - begun;
    if (!isfinite(job->norm)) {
        *reason = STN_STOP_NOT_FINITE;
        return STN_OK;
    }
    job->below[k] = job->norm;
    rotate(s, job, k, job->norm);
    job->count++;
    STN_TRY(stn_solver_count(s, job->ratio * fabs(job->g[k + 1].re), reason));
    return choose_storage(s, job);
}

/* ---- checkpoints ---- */

static stn_state state_of(arnoldi *job, int64_t restart)
{
    stn_state state = {.vectors = {job->w}, .vector_count = 1};
    stn_state_add_numbers(&state, &job->count, sizeof job->count);
    stn_state_add_numbers(&state, &job->norm, sizeof job->norm);
    stn_state_add_numbers(&state, &job->ratio, sizeof job->ratio);
    stn_state_add_numbers(&state, &job->orthogonal.max, sizeof job->orthogonal.max);
    stn_state_add_numbers(&state, job->cosines,
                          (size_t)(restart + 1) * (2 * sizeof *job->g + 2 * sizeof *job->sines));
    stn_state_add_numbers(&state, &job->precision, sizeof job->precision);
    stn_state_add_numbers(&state, &job->basis.wide_count, sizeof job->basis.wide_count);
    return state; /* g, sines and elements below the diagonal follow the cosines in memory */
}

/* Columns are written completely; elements below the diagonal are not initialized otherwise. */
static stn_status save(stn_solver_state *s, arnoldi *job, int reason)
{
    const int64_t m = s->restart;
    const stn_state state = state_of(job, m);
    if (!s->options->checkpoint || !stn_solver_is_pause(reason))
        return STN_OK;
    for (int64_t k = 0; k < job->count; k++)
        memset(job->r + k * m + k + 1, 0, (size_t)(m - k - 1) * sizeof *job->r);
    STN_TRY(stn_solver_save(s, &state, reason));
    STN_TRY(stn_image_put(&s->saved, job->r, job->count * m * (int64_t)sizeof *job->r));
    STN_TRY(stn_gram_schmidt_save(s, &job->orthogonal, job->count));
    STN_TRY(stn_split_save(s, &job->basis, job->count));
    return job->is_flexible ? stn_basis_save(s, &job->directions, job->count) : STN_OK;
}

static stn_status restore(stn_solver_state *s, arnoldi *job, int *reason)
{
    const stn_state state = state_of(job, s->restart);
    stn_image *const image = &s->options->checkpoint->image;
    STN_TRY(stn_solver_restore(s, &state, reason));
    if (job->count < 0 || job->count > s->restart)
        return stn_fail(STN_ERR_PARSE,
                        "stn_solve: the checkpoint has %lld vectors; the maximum is %lld",
                        (long long)job->count, (long long)s->restart);
    STN_TRY(stn_image_get(image, job->r, job->count * s->restart * (int64_t)sizeof *job->r));
    STN_TRY(stn_gram_schmidt_restore(s, &job->orthogonal, job->count));
    STN_TRY(stn_split_restore(s, &job->basis, job->count));
    return job->is_flexible ? stn_basis_restore(s, &job->directions, job->count) : STN_OK;
}

/* ---- a cycle ---- */

/* Chooses the number of columns that are used, and their y: if A is singular, the last ones may
 * make x so large that its rounding errors exceed the improvement. The residual of fewer columns is
 * what the rotations left of |r| in the other columns. */
static int64_t choose_columns(const stn_solver_state *s, const arnoldi *job, int64_t count,
                              stn_c128 *y)
{
    const double unit = stn_gram_schmidt_noise * stn_solver_rounding(s) * job->orthogonal.max;
    double rest = fabs(job->g[count].re), whole = rest, least = INFINITY;
    int64_t best = 0;
    for (int64_t k = 0; k < count; k++)
        whole = hypot(whole, hypot(job->g[k].re, job->g[k].im));
    for (int64_t k = count; rest < least; k--) {
        const double error = k > 0 ? unit * solve_triangle(s, job, k, y) : 0.0;
        if (rest + error < least) {
            least = rest + error;
            best = k;
        }
        if (k == 0 || error <= sqrt(stn_solver_rounding(s)) * whole)
            break;
        rest = hypot(rest, hypot(job->g[k - 1].re, job->g[k - 1].im));
    }
    (void)solve_triangle(s, job, best, y);
    return best;
}

/* Adds the combination of the first `count` vectors that minimizes the residual to x; keeps the
 * previous x for a return to it. */
static stn_status update(stn_solver_state *s, arnoldi *job, int64_t count, stn_view **before)
{
    const int64_t chosen = choose_columns(s, job, count, job->orthogonal.again);
    stn_view *const next = job->z == job->v || job->is_flexible ? job->w : job->z;
    job->is_singular = chosen < count;
    *before = &s->x;
    if (chosen == 0)
        return STN_OK;
    STN_TRY(job->is_flexible
                ? stn_basis_combine(s, &job->directions, chosen, job->orthogonal.again, 0.0, job->w)
                : stn_split_combine(s, &job->basis, chosen, job->orthogonal.again, 0.0, job->w));
    if (next == job->z)
        STN_TRY(stn_solver_precondition(s, job->w, job->z));
    STN_TRY(add_run(s->exec, s->arithmetic, &s->x, next));
    stn_solver_swap(&s->x, next);
    *before = next;
    return STN_OK;
}

/* Starts from the residual of x, in vectors[0]. */
static stn_status start(stn_solver_state *s, arnoldi *job, int *reason)
{
    job->count = 0;
    *reason = isfinite(s->norm) ? STN_STOP_BREAKDOWN : STN_STOP_NOT_FINITE;
    if (!(s->norm > 0.0) || !isfinite(s->norm)) /* norm of M (b - A x) */
        return STN_OK;
    memset(job->g, 0, (size_t)(s->restart + 1) * sizeof *job->g);
    job->norm = s->norm;
    STN_TRY(stn_gram_schmidt_norm(s, &job->orthogonal, &s->vectors[0], &job->norm));
    job->ratio = s->norm / job->norm;
    job->g[0] = stn_scalar_of(job->norm);
    start_storage(s, job);
    *reason = STN_STOP_NONE;
    return stn_view_copy(s->exec, job->w, &s->vectors[0]);
}

/* Computes the residual of the new x. The previous x is restored if it is better; with a
 * preconditioner on the left, in the norm that the columns minimize. A cycle that hardly improves x
 * is the last one, unless the storage of its vectors is the reason. */
static stn_status finish(stn_solver_state *s, arnoldi *job, stn_view *before, int *reason)
{
    const double residual = s->residual, norm = s->norm;
    const int stands_still = job->is_singular ? STN_STOP_BREAKDOWN : STN_STOP_STAGNATED;
    STN_TRY(stn_solver_residual(s, &s->x, &s->vectors[0]));
    if (s->residual <= s->goal) {
        *reason = STN_STOP_CONVERGED;
        return STN_OK;
    }
    const int is_stalled = !(s->residual <= hardly * residual);
    const int may_improve = isfinite(s->residual) && is_limited(job);
    if (is_stalled && may_improve)
        job->precision.next_storage = STORE_WIDE;
    if (*reason == STN_STOP_NONE && is_stalled && !may_improve)
        *reason = isfinite(s->residual) ? stands_still : STN_STOP_NOT_FINITE;
    if (s->norm < norm)
        return stn_solver_update_best(s);
    stn_solver_swap(&s->x, before);
    s->residual = residual;
    s->norm = norm;
    return *reason == STN_STOP_NONE ? stn_solver_residual(s, &s->x, &s->vectors[0]) : STN_OK;
}

/* After a failed call, x is updated by the columns so far, if possible. */
static stn_status rescue(stn_solver_state *s, arnoldi *job, stn_status status)
{
    char message[512];
    stn_view *unused;
    if (s->partition)
        return status;
    snprintf(message, sizeof message, "%s", stn_error());
    if (update(s, job, job->count, &unused) == STN_OK)
        return status;
    s->iterations -= job->count;
    return stn_fail(status, "%s", message);
}

/* Computes up to `restart` columns and the residual; the state that is kept for a checkpoint is
 * that before the residual. */
static stn_status cycle(stn_solver_state *s, arnoldi *job, int *reason)
{
    stn_view *before = &s->x;
    stn_status status = STN_OK;
    while (status == STN_OK && *reason == STN_STOP_NONE && job->count < s->restart &&
           !job->precision.is_exhausted && job->ratio * fabs(job->g[job->count].re) > s->target)
        status = extend(s, job, reason);
    if (status == STN_OK)
        status = save(s, job, *reason);
    choose_next(s, job);
    if (status == STN_OK)
        status = update(s, job, job->count, &before);
    if (status != STN_OK)
        return rescue(s, job, status);
    STN_TRY(finish(s, job, before, reason));
    if (*reason != STN_STOP_NONE)
        return STN_OK;
    s->report->restarts++;
    return start(s, job, reason);
}

static stn_status run_cycles(stn_solver_state *s, arnoldi *job, int *reason)
{
    job->orthogonal.max = 0.0;
    job->precision.next_storage = STORE_FORECAST;
    STN_TRY(stn_solver_is_resumed(s) ? restore(s, job, reason) : start(s, job, reason));
    if (*reason != STN_STOP_NONE && !stn_solver_is_pause(*reason))
        return STN_OK;
    do {
        STN_TRY(cycle(s, job, reason));
    } while (*reason == STN_STOP_NONE);
    return STN_OK;
}

static stn_status run(stn_solver_state *s, void *method_data, int *reason)
{
    arnoldi *const job = method_data;
    const stn_status status = run_cycles(s, job, reason);
    s->report->bytes = stn_split_bytes(&job->basis) + stn_basis_bytes(&job->directions);
    return status;
}

const stn_solver_functions stn_solver_gmres = {.name = "GMRES",
                                               .vectors = 3,
                                               .more = 1,
                                               .has_left = 1,
                                               .has_basis = 1,
                                               .best = STN_BEST_IS_LAST,
                                               .begin = begin,
                                               .run = run,
                                               .end = end};
const stn_solver_functions stn_solver_fgmres = {.name = "flexible GMRES",
                                                .vectors = 3,
                                                .more = 1,
                                                .has_left = 1,
                                                .has_basis = 1,
                                                .best = STN_BEST_IS_LAST,
                                                .begin = begin_flexible,
                                                .run = run,
                                                .end = end};
