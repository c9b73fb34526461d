/* MINRES: C. Paige, M. Saunders, SIAM J. Numer. Anal. 12 (1975); with a preconditioner as in
 * H. Elman, D. Silvester, A. Wathen, Finite Elements and Fast Iterative Solvers, 2nd ed., 2014,
 * 4.1. */
#include <math.h>

#include "core/memory.h"
#include "solver/checkpoint.h"
#include "solver/update.h"

/* clang-format off */
STN_MAP(orthogonalise, (real(a), real(b), real(c), in(q), in(v), inout(before)),
    before = (a * q - b * v) - c * before;
)
STN_MAP(direct, (real(a), real(b), real(c), real(step), in(z), in(w), inout(before), inout(x)),
    before = (a * z - b * w) - c * before;
    x = x + step * before;
)
STN_MAP(mix, (real(a), real(b), in(v), inout(r)), r = a * r + b * v;)
/* clang-format on */

enum { NEGLIGIBLE = 128 };        /* rounding units */
static const double grown = 1.01; /* growth of the residual that is not accepted */

typedef struct rotation {
    double c, s;
} rotation;

typedef struct scalars {
    double length, length_before; /* of v and v_before */
    rotation turn, turn_before;
    double eta;     /* signed length of the residual in the norm of M */
    double max;     /* largest column norm of the tridiagonal matrix so far: approximates |A| */
    double suspect; /* |A r| / (|A| |r|) below which the residual is computed */
    double last;    /* last |b - A x| that was computed from x */
} scalars;

typedef struct lanczos {
    stn_view *v, *v_before, *q; /* vectors in the norm of M; A z */
    stn_view *z, *z_before, *r; /* M v and the residual; NULL without a preconditioner */
    stn_view *w, *w_before;     /* search directions */
    scalars now;
} lanczos;

static void swap(stn_view **a, stn_view **b)
{
    stn_view *const old = *a;
    *a = *b;
    *b = old;
}

/* Stop reason for a squared length. */
static int judge(double square)
{
    return !isfinite(square) ? STN_STOP_NOT_FINITE
           : square < 0.0    ? STN_STOP_NOT_POSITIVE_DEFINITE
                             : STN_STOP_NONE;
}

/* z = M v and the length of v, which is |v| without a preconditioner. */
static stn_status measure(stn_solver_state *s, lanczos *job, double norm, int *reason)
{
    double square;
    if (!job->z) {
        job->now.length = norm;
        *reason = judge(norm);
        return STN_OK;
    }
    STN_TRY(stn_solver_precondition(s, job->v, job->z));
    STN_TRY(stn_solver_dot(s, &square, job->v, job->z));
    *reason = judge(square);
    job->now.length = sqrt(fmax(square, 0.0));
    return STN_OK;
}

/* Starts from the residual of x, which is in v. */
static stn_status start(stn_solver_state *s, lanczos *job, int *reason)
{
    stn_view *const zeros[] = {job->v_before, job->w, job->w_before};
    for (int k = 0; k < 3; k++)
        STN_TRY(stn_view_fill(s->exec, zeros[k], 0.0));
    if (job->r)
        STN_TRY(stn_view_copy(s->exec, job->r, job->v));
    job->now.length_before = 1.0;
    job->now.turn = job->now.turn_before = (rotation){1.0, 0.0};
    double norm = NAN;
    if (!job->z)
        STN_TRY(stn_solver_nrm2(s, &norm, job->v));
    STN_TRY(measure(s, job, norm, reason));
    job->now.eta = job->now.length;
    if (*reason == STN_STOP_NONE && job->now.length == 0.0)
        *reason = STN_STOP_BREAKDOWN;
    return STN_OK;
}

/* The next product is q = A z. */
static void request(stn_solver_state *s, const lanczos *job)
{
    s->from = job->z ? job->z : job->v;
    s->to = job->q;
}

/* Computes the next vector; *delta is z' A z of the previous one, which has length 1. */
static stn_status extend(stn_solver_state *s, lanczos *job, double *delta, int *reason)
{
    const double length = job->now.length;
    double norm, square;
    STN_TRY(stn_solver_dot_of_product(s, delta));
    *delta = *delta / length / length;
    const stn_argument next[] = {{.real = 1.0 / length},
                                 {.real = *delta / length},
                                 {.real = length / job->now.length_before},
                                 {.view = job->q},
                                 {.view = job->v},
                                 {.view = job->v_before}};
    STN_TRY(stn_solver_update(s, &orthogonalise_kernel, next, job->v_before, &norm, &square));
    job->now.length_before = length;
    swap(&job->v, &job->v_before);
    swap(&job->z, &job->z_before);
    STN_TRY(measure(s, job, norm, reason));
    if (*reason == STN_STOP_NONE && !isfinite(*delta))
        *reason = STN_STOP_NOT_FINITE;
    return STN_OK;
}

/* Norm of the residual: of r, which is updated with x, if lengths are in the norm of M. */
static stn_status shrink(stn_solver_state *s, lanczos *job, double *norm)
{
    const double c = job->now.turn.c, sine = job->now.turn.s;
    job->now.eta *= -sine;
    *norm = fabs(job->now.eta);
    if (!job->r)
        return STN_OK;
    const double part = job->now.length > 0.0 ? job->now.eta * c / job->now.length : 0.0;
    const stn_argument mixed[] = {
        {.real = sine * sine}, {.real = part}, {.view = job->v}, {.view = job->r}};
    double square;
    return stn_solver_update(s, &mix_kernel, mixed, job->r, norm, &square);
}

/* If A is singular, A r vanishes where r is minimal, and further iterations make x arbitrarily
 * large. |A r| / (|A| |r|) is known before x is updated (S.-C. Choi, C. Paige, M. Saunders, SIAM J.
 * Sci. Comput. 33, 2011). If it is small, the residual of x is computed; it must not have grown.
 * This happens only a few times, because each time it must be ten times smaller. */
static stn_status expect_direction(stn_solver_state *s, lanczos *job, double delta, double diagonal,
                                   int *reason)
{
    const double next = job->now.length;
    const double unit = stn_solver_rounding(s);
    job->now.max = fmax(job->now.max, hypot(delta, next));
    const double share = hypot(diagonal, job->now.turn.c * next) / job->now.max;
    if (!(share > NEGLIGIBLE * unit))
        *reason = STN_STOP_BREAKDOWN;
    if (!(share < job->now.suspect))
        return STN_OK;
    job->now.suspect = 0.1 * share;
    STN_TRY(stn_solver_residual(s, &s->x, job->q));
    if (!(s->residual <= grown * s->best_residual))
        *reason = STN_STOP_BREAKDOWN;
    return stn_solver_update_best(s);
}

/* After q = A z. */
static stn_status iterate(stn_solver_state *s, lanczos *job, int *reason)
{
    double delta, norm;
    STN_TRY(extend(s, job, &delta, reason));
    const rotation one = job->now.turn, before = job->now.turn_before;
    const double length = job->now.length_before;
    const double diagonal = one.c * delta - before.c * one.s * length;
    const double both = hypot(diagonal, job->now.length);
    if (*reason == STN_STOP_NONE)
        STN_TRY(expect_direction(s, job, delta, diagonal, reason));
    if (*reason != STN_STOP_NONE)
        return STN_OK;
    job->now.turn_before = one;
    job->now.turn = (rotation){diagonal / both, job->now.length / both};
    STN_TRY(direct_run(s->exec, s->arithmetic, 1.0 / (length * both),
                       (one.s * delta + before.c * one.c * length) / both, before.s * length / both,
                       job->now.turn.c * job->now.eta, job->z ? job->z_before : job->v_before,
                       job->w, job->w_before, &s->x));
    swap(&job->w, &job->w_before);
    STN_TRY(shrink(s, job, &norm));
    int begins_anew;
    STN_TRY(stn_solver_finish(s, norm, job->v, &job->now.last, &begins_anew, reason));
    if (!begins_anew)
        return STN_OK;
    int next;
    STN_TRY(start(s, job, &next));
    *reason = next == STN_STOP_NONE ? *reason : next;
    return STN_OK;
}

/* State between iterations, in the current order of the vectors. */
static stn_state state_of(lanczos *job)
{
    stn_state state = {.vectors = {job->v, job->v_before, job->w, job->w_before},
                       .vector_count = 4};
    if (job->z) {
        stn_state_add(&state, job->z);
        stn_state_add(&state, job->r);
    }
    stn_state_add_numbers(&state, &job->now, sizeof job->now);
    return state;
}

static stn_status begin(stn_solver_state *s, void **method_data)
{
    lanczos *job;
    (void)s;
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "MINRES"));
    *method_data = job;
    return STN_OK;
}

static stn_status open(stn_solver_state *s, void *method_data, int *reason)
{
    stn_view *const vectors = s->vectors;
    lanczos *const job = method_data;
    *job = (lanczos){.v = &vectors[0],
                     .v_before = &vectors[1],
                     .q = &vectors[2],
                     .w = &vectors[3],
                     .w_before = &vectors[4],
                     .z = s->right ? &vectors[5] : NULL,
                     .z_before = s->right ? &vectors[6] : NULL,
                     .r = s->right ? &vectors[7] : NULL,
                     .now = {.last = INFINITY, .suspect = sqrt(stn_solver_rounding(s))}};
    const stn_state state = state_of(job);
    request(s, job);
    return stn_solver_is_resumed(s) ? stn_solver_restore(s, &state, reason) : start(s, job, reason);
}

static stn_status step(stn_solver_state *s, void *method_data, int *reason)
{
    lanczos *const job = method_data;
    STN_TRY(iterate(s, job, reason));
    request(s, job);
    return STN_OK;
}

static stn_status close(stn_solver_state *s, void *method_data, int reason)
{
    lanczos *const job = method_data;
    const stn_state state = state_of(job);
    STN_TRY(stn_solver_save(s, &state, reason));
    return reason == STN_STOP_CONVERGED ? STN_OK : stn_solver_residual(s, &s->x, job->v);
}

const stn_solver_functions stn_solver_minres = {.name = "MINRES",
                                                .vectors = 5,
                                                .more = 3,
                                                .best = STN_BEST_ALWAYS,
                                                .begin = begin,
                                                .open = open,
                                                .step = step,
                                                .close = close,
                                                .end = stn_free};
