/* BiCGStab: H. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992). Inner products are x^H y in
 * complex arithmetic. */
#include <math.h>

#include "core/memory.h"
#include "solver/checkpoint.h"
#include "solver/scalar.h"
#include "solver/update.h"
#include "steno/blas.h"

/* clang-format off */
STN_MAP(turn, (real(beta), real(omega), in(r), in(v), inout(p)), p = r + beta * (p - omega * v);)
STN_MAP(shorten, (real(alpha), in(v), inout(r)), r = r - alpha * v;)
STN_MAP(advance_both, (real(alpha), real(omega), in(y), in(z), inout(x)),
    x = (x + alpha * y) + omega * z;
)
STN_MAP_COMPLEX(turn_complex, (real(beta), real(omega), in(r), in(v), inout(p)),
    const real_t less = stn_c_of(-omega.re, -omega.im);
    p = stn_c_add(r, stn_c_multiply(beta, stn_c_add(p, stn_c_multiply(less, v))));
)
STN_MAP_COMPLEX(shorten_complex, (real(alpha), in(v), inout(r)),
    r = stn_c_add(r, stn_c_multiply(stn_c_of(-alpha.re, -alpha.im), v));
)
STN_MAP_COMPLEX(advance_both_complex, (real(alpha), real(omega), in(y), in(z), inout(x)),
    x = stn_c_add(stn_c_add(x, stn_c_multiply(alpha, y)), stn_c_multiply(omega, z));
)
/* clang-format on */

typedef struct scalars {
    stn_c128 rho, alpha, omega;
    double last;      /* last |b - A x| that was computed from x */
    double begun;     /* |b - A x| at the last start */
    int64_t is_first; /* iterations since then */
} scalars;

typedef struct bicgstab_state {
    stn_view *r, *shadow, *p, *v, *t;
    stn_view *y, *z; /* M p and M r; without a preconditioner p and r */
    int is_second;   /* the requested product is t = A z, otherwise v = A y */
    double norm;     /* of r after the first step */
    scalars now;
} bicgstab_state;

/* ---- real, or complex ---- */

/* x^H y. */
static stn_status multiply(const stn_solver_state *s, stn_c128 *product, const stn_view *x,
                           const stn_view *y)
{
    const stn_view left = stn_solver_numbers(s, x), right = stn_solver_numbers(s, y);
    *product = stn_scalar_of(0.0);
    return stn_solver_is_complex(s)
               ? stn_partition_dotc(s->partition, s->exec, s->numbers, product, &left, &right)
               : stn_solver_dot(s, &product->re, x, y);
}

static stn_status turn(const stn_solver_state *s, const bicgstab_state *b, stn_c128 beta)
{
    const stn_c128 omega = b->now.omega;
    const stn_view r = stn_solver_numbers(s, b->r), v = stn_solver_numbers(s, b->v),
                   p = stn_solver_numbers(s, b->p);
    if (stn_solver_is_complex(s))
        return turn_complex_run(s->exec, s->numbers, beta, omega, &r, &v, &p);
    return turn_run(s->exec, s->arithmetic, beta.re, omega.re, b->r, b->v, b->p);
}

/* r = r - alpha v, and its norm. */
static stn_status shorten(const stn_solver_state *s, bicgstab_state *b, stn_c128 alpha,
                          const stn_view *v)
{
    const stn_view by = stn_solver_numbers(s, v), r = stn_solver_numbers(s, b->r);
    const stn_argument shorter[] = {{.real = alpha.re}, {.view = v}, {.view = b->r}};
    double square;
    if (!stn_solver_is_complex(s))
        return stn_solver_update(s, &shorten_kernel, shorter, b->r, &b->norm, &square);
    STN_TRY(shorten_complex_run(s->exec, s->numbers, alpha, &by, &r));
    return stn_solver_nrm2(s, &b->norm, b->r);
}

/* Without a second step, z does not belong to this iteration and may be uninitialized. */
static stn_status advance(stn_solver_state *s, const bicgstab_state *b)
{
    const stn_c128 alpha = b->now.alpha, omega = b->now.omega;
    const stn_view *const along = stn_scalar_is_zero(omega) ? b->y : b->z;
    const stn_view y = stn_solver_numbers(s, b->y), z = stn_solver_numbers(s, along),
                   x = stn_solver_numbers(s, &s->x);
    if (stn_solver_is_complex(s))
        return advance_both_complex_run(s->exec, s->numbers, alpha, omega, &y, &z, &x);
    return advance_both_run(s->exec, s->arithmetic, alpha.re, omega.re, b->y, along, &s->x);
}

/* ---- an iteration ---- */

/* Starts from the residual of x, which is in r. */
static stn_status start(stn_solver_state *s, bicgstab_state *b)
{
    b->now.is_first = 1;
    b->now.begun = s->residual;
    STN_TRY(stn_view_copy(s->exec, b->shadow, b->r));
    return stn_view_copy(s->exec, b->p, b->r);
}

/* An inner product is 0: restarts from x if it has improved since the last start. */
static stn_status restart_from_x(stn_solver_state *s, bicgstab_state *b, int *reason)
{
    STN_TRY(stn_solver_residual(s, &s->x, b->r));
    *reason = s->residual <= s->goal        ? STN_STOP_CONVERGED
              : !isfinite(s->residual)      ? STN_STOP_NOT_FINITE
              : s->residual >= b->now.begun ? STN_STOP_BREAKDOWN
                                            : STN_STOP_NONE;
    if (*reason != STN_STOP_NONE)
        return STN_OK;
    STN_TRY(stn_solver_update_best(s));
    return start(s, b);
}

/* p and y = M p; requests v = A y. */
static stn_status direct(stn_solver_state *s, bicgstab_state *b)
{
    const stn_c128 rho = b->now.rho;
    STN_TRY(multiply(s, &b->now.rho, b->shadow, b->r));
    if (!b->now.is_first)
        STN_TRY(turn(s, b,
                     stn_scalar_multiply(stn_scalar_divide(b->now.rho, rho),
                                         stn_scalar_divide(b->now.alpha, b->now.omega))));
    if (b->y != b->p)
        STN_TRY(stn_solver_precondition(s, b->p, b->y));
    b->is_second = 0;
    s->from = b->y;
    s->to = b->v;
    return STN_OK;
}

/* z = M r; requests t = A z. */
static stn_status request_second(stn_solver_state *s, bicgstab_state *b)
{
    if (b->z != b->r)
        STN_TRY(stn_solver_precondition(s, b->r, b->z));
    b->is_second = 1;
    s->from = b->z;
    s->to = b->t;
    return STN_OK;
}

/* The step omega in direction z that minimizes r - omega t. */
static stn_status stabilize_step(stn_solver_state *s, bicgstab_state *b)
{
    stn_c128 both;
    double square;
    if (b->z == b->r && !stn_solver_is_complex(s)) {
        both = stn_scalar_of(0.0);
        STN_TRY(stn_solver_dot_of_product(s, &both.re));
    } else {
        STN_TRY(multiply(s, &both, b->t, b->r));
    }
    STN_TRY(stn_solver_dot(s, &square, b->t, b->t));
    b->now.omega =
        square == 0.0 ? stn_scalar_of(0.0) : stn_c128_of(both.re / square, both.im / square);
    return STN_OK;
}

/* x and r after both steps, or after the first one if omega is 0. */
static stn_status advance_x(stn_solver_state *s, bicgstab_state *b, int *reason)
{
    if (!stn_scalar_is_finite(b->now.alpha) || !stn_scalar_is_finite(b->now.omega) ||
        !isfinite(b->norm)) {
        *reason = STN_STOP_NOT_FINITE;
        return STN_OK;
    }
    STN_TRY(advance(s, b));
    const int has_omega = !stn_scalar_is_zero(b->now.omega);
    if (has_omega)
        STN_TRY(shorten(s, b, b->now.omega, b->t));
    int begins_anew;
    STN_TRY(stn_solver_finish(s, b->norm, b->r, &b->now.last, &begins_anew, reason));
    b->now.is_first = 0;
    if (begins_anew)
        return start(s, b);
    if (has_omega || (*reason != STN_STOP_NONE && !stn_solver_is_pause(*reason)))
        return STN_OK;
    int next;
    STN_TRY(restart_from_x(s, b, &next));
    *reason = next == STN_STOP_NONE ? *reason : next;
    return STN_OK;
}

/* The step alpha in direction y, after v = A y. A product of 0 is a breakdown. *is_complete: the
 * iteration has ended. */
static stn_status step_first(stn_solver_state *s, bicgstab_state *b, int *is_complete, int *reason)
{
    stn_c128 along;
    *is_complete = 1;
    STN_TRY(multiply(s, &along, b->shadow, b->v));
    b->now.alpha = stn_scalar_divide(b->now.rho, along);
    if (stn_scalar_is_zero(along) || stn_scalar_is_zero(b->now.rho))
        return restart_from_x(s, b, reason);
    STN_TRY(shorten(s, b, b->now.alpha, b->v));
    b->now.omega = stn_scalar_of(0.0);
    if (!(b->norm > s->target))
        return advance_x(s, b, reason);
    *is_complete = 0;
    return request_second(s, b);
}

static stn_status step(stn_solver_state *s, void *method_data, int *reason)
{
    bicgstab_state *const b = method_data;
    int is_complete = b->is_second;
    if (b->is_second) {
        STN_TRY(stabilize_step(s, b));
        STN_TRY(advance_x(s, b, reason));
    } else {
        STN_TRY(step_first(s, b, &is_complete, reason));
    }
    return is_complete && *reason == STN_STOP_NONE ? direct(s, b) : STN_OK;
}

/* State between iterations. */
static stn_state state_of(bicgstab_state *b)
{
    stn_state state = {.vectors = {b->r, b->shadow, b->p, b->v}, .vector_count = 4};
    stn_state_add_numbers(&state, &b->now, sizeof b->now);
    return state;
}

static stn_status begin(stn_solver_state *s, void **method_data)
{
    bicgstab_state *b;
    (void)s;
    STN_TRY(stn_allocate(&b, 1, sizeof *b, "BiCGStab"));
    *method_data = b;
    return STN_OK;
}

static stn_status open(stn_solver_state *s, void *method_data, int *reason)
{
    stn_view *const vectors = s->vectors;
    bicgstab_state *const b = method_data;
    *b = (bicgstab_state){.r = &vectors[0],
                          .shadow = &vectors[1],
                          .p = &vectors[2],
                          .v = &vectors[3],
                          .t = &vectors[4],
                          .y = &vectors[s->right ? 5 : 2],
                          .z = &vectors[s->right ? 6 : 0],
                          .now = {.last = INFINITY}};
    const stn_state state = state_of(b);
    *reason = STN_STOP_NONE;
    STN_TRY(stn_solver_is_resumed(s) ? stn_solver_restore(s, &state, reason) : start(s, b));
    return *reason == STN_STOP_NONE ? direct(s, b) : STN_OK;
}

static stn_status close(stn_solver_state *s, void *method_data, int reason)
{
    bicgstab_state *const b = method_data;
    const stn_state state = state_of(b);
    STN_TRY(stn_solver_save(s, &state, reason));
    return reason == STN_STOP_CONVERGED ? STN_OK : stn_solver_residual(s, &s->x, b->r);
}

const stn_solver_functions stn_solver_bicgstab = {.name = "BiCGStab",
                                                  .vectors = 5,
                                                  .more = 2,
                                                  .has_left = 1,
                                                  .best = STN_BEST_ALWAYS,
                                                  .begin = begin,
                                                  .open = open,
                                                  .step = step,
                                                  .close = close,
                                                  .end = stn_free};
