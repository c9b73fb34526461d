/* Transfer of b and x between the caller's views and the vectors of a solve. If the magnitude of b
 * is far from 1, the vectors contain b / scale and x / scale with a power of two: the bits are
 * those of the unscaled solve, but squares and products neither overflow nor underflow. */
#include <math.h>

#include "exec/device.h"
#include "exec/exec.h"
#include "solver/solver.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "view/extra.h"

/* clang-format off */
STN_REDUCE(not_finite, count, (in(x)), !(x - x == 0))
/* clang-format on */

enum {
    UNSCALED_F64 = 128, /* exponents of |b| for which scale is 1 */
    UNSCALED_F32 = 16,
    MAX_EXPONENT = 1000 /* limit of the exponent of scale: its inverse is finite */
};

/* ---- copies ---- */

/* Are the codes of a view values, without scale and zero point? */
static int is_plain(const stn_view *view, stn_format format)
{
    return view->storage.format == format && view->storage.scale == 1.0 &&
           view->storage.zero == 0.0 && !stn_view_has_scales(view);
}

/* Does x receive the bits of s->x? */
static int is_exact(const stn_solver_state *s, const stn_view *x)
{
    return is_plain(x, s->numbers) && s->scale == 1.0;
}

static stn_status create_staging(const stn_solver_state *s, stn_view *on_host, stn_view *scaled)
{
    STN_TRY(stn_view_create_spec(
        NULL, on_host,
        &STN_VIEW_SPEC(.label = "staging memory of a solver", .storage = stn_storage_of(s->numbers),
                       .rank = 1, .extents = &s->n, .flags = STN_CREATE_UNINITIALIZED)));
    *scaled = *on_host;
    scaled->storage.scale = s->scale;
    return STN_OK;
}

/* Devices convert in their own memory only: the host converts views that they cannot access. */
static int needs_staging(const stn_solver_state *s, const stn_view *callers)
{
    return !stn_space_accessible(s->exec, (stn_space)callers->space) && !is_exact(s, callers);
}

/* vector = the caller's view / scale. */
static stn_status load(const stn_solver_state *s, const stn_view *vector, const stn_view *callers)
{
    stn_view to = stn_solver_numbers(s, vector), on_host, scaled = to;
    scaled.storage.scale = s->scale;
    if (!needs_staging(s, callers))
        return stn_view_copy(s->exec, &scaled, callers);
    STN_TRY(create_staging(s, &on_host, &scaled));
    stn_status status = stn_view_copy(NULL, &scaled, callers);
    if (status == STN_OK)
        status = stn_view_copy(s->exec, &to, &on_host);
    if (status == STN_OK)
        status = stn_exec_wait(s->exec); /* the copy reads `on_host` until then */
    (void)stn_view_release(&on_host);
    return status;
}

stn_status stn_solver_copy_x(const stn_solver_state *s, const stn_view *x)
{
    const stn_view from = stn_solver_numbers(s, &s->x);
    stn_view on_host, scaled = from;
    scaled.storage.scale = s->scale;
    if (!needs_staging(s, x))
        return stn_view_copy(s->exec, x, &scaled);
    STN_TRY(create_staging(s, &on_host, &scaled));
    stn_status status = stn_view_copy(s->exec, &on_host, &from);
    if (status == STN_OK)
        status = stn_exec_wait(s->exec);
    if (status == STN_OK)
        status = stn_view_copy(NULL, x, &scaled);
    (void)stn_view_release(&on_host);
    return status;
}

/* ---- the scale ---- */

/* |b| in the widest arithmetic type available where b is stored, because b may become 0 or infinite
 * in the arithmetic type of the solve. */
static stn_status measure(const stn_solver_state *s, const stn_view *b, double *norm)
{
    const int has_f64 = !s->exec->device || s->exec->device->has_f64;
    const stn_format wide = stn_solver_is_complex(s) ? STN_C128 : STN_F64;
    stn_exec *host;
    if (stn_space_accessible(s->exec, (stn_space)b->space))
        return stn_partition_nrm2(s->partition, s->exec, has_f64 ? wide : s->numbers, 1, norm, b);
    STN_TRY(stn_exec_create(&host, "reference"));
    const stn_status status = stn_partition_nrm2(s->partition, host, wide, 1, norm, b);
    stn_exec_release(host);
    return status;
}

/* The power of two above |b|; 1 where that is near. */
static stn_status find_scale(stn_solver_state *s, const stn_view *b)
{
    const int unscaled = s->arithmetic == STN_F32 ? UNSCALED_F32 : UNSCALED_F64;
    stn_view smaller = *b;
    double norm;
    int exponent, missing = 0;
    s->scale = 1.0;
    STN_TRY(measure(s, b, &norm));
    if (isinf(norm) && !stn_view_has_scales(b)) { /* elements may nevertheless be finite */
        missing = 600;
        smaller.storage.scale *= 0x1p-600;
        STN_TRY(measure(s, &smaller, &norm));
    }
    if (!isfinite(norm) || norm == 0.0)
        return STN_OK;
    (void)frexp(norm, &exponent);
    exponent += missing;
    if (exponent > MAX_EXPONENT || exponent < -MAX_EXPONENT)
        exponent = exponent > 0 ? MAX_EXPONENT : -MAX_EXPONENT;
    if (exponent > unscaled || exponent < -unscaled)
        s->scale = ldexp(1.0, exponent);
    return STN_OK;
}

/* Uses b in place, or a copy that is scaled or accessible to the executor. */
static stn_status load_b(stn_solver_state *s, const stn_view *b)
{
    s->b = s->given = b;
    if (s->scale == 1.0 && stn_space_accessible(s->exec, (stn_space)b->space))
        return STN_OK;
    if (!s->copy.data)
        STN_TRY(stn_solver_vector(s, "b of a solver", &s->copy));
    s->copied = stn_solver_numbers(s, &s->copy);
    s->b = &s->copied;
    return load(s, &s->copy, b);
}

stn_status stn_solver_count_not_finite(const stn_solver_state *s, const stn_view *vector,
                                       int64_t *count)
{
    STN_TRY(not_finite_reduce(s->exec, s->arithmetic, count, vector));
    return stn_partition_count_all(s->partition, count);
}

/* s->first of the caller's x, computed accurately. */
static stn_status measure_guess(stn_solver_state *s, const stn_view *x)
{
    double largest;
    s->first = INFINITY;
    if (stn_solver_has_matrix(s))
        STN_TRY(stn_solver_residual_accurate(s, x, &s->first, &largest));
    if (!isfinite(s->first))
        s->first = INFINITY;
    return STN_OK;
}

stn_status stn_solver_expect_guess(stn_solver_state *s, const stn_view *x)
{
    const double max = s->arithmetic == STN_F32 ? 0x1p48 : 0x1p400;
    double norm;
    if (s->scale >= 1.0 || s->residual <= max)
        return STN_OK;
    STN_TRY(measure(s, x, &norm));
    if (!isfinite(norm))
        return STN_OK;
    s->is_replaced = 1;
    STN_TRY(measure_guess(s, x));
    STN_TRY(stn_view_fill(s->exec, &s->x, 0.0));
    return stn_solver_residual(s, &s->x, &s->vectors[0]);
}

/* The codes of a view, without their scale and zero point. */
static stn_view codes_of(const stn_view *view)
{
    stn_view codes = *view;
    codes.storage = stn_storage_of(view->storage.format);
    stn_view_drop_scales(&codes);
    return codes;
}

/* Copies the codes of x for restore_guess. If x has the arithmetic type, no copy is needed. */
static stn_status save_guess(stn_solver_state *s, const stn_view *x)
{
    const stn_view codes = codes_of(x);
    if (is_exact(s, x))
        return STN_OK;
    if (!s->guess.data)
        STN_TRY(stn_view_create_spec(
            s->exec, &s->guess,
            &STN_VIEW_SPEC(.label = "initial x of a solver", .storage = codes.storage, .rank = 1,
                           .extents = &s->n, .flags = STN_CREATE_UNINITIALIZED)));
    return stn_view_copy(s->exec, &s->guess, &codes);
}

static stn_status restore_guess(const stn_solver_state *s, const stn_view *x)
{
    const stn_view codes = codes_of(x);
    STN_TRY(stn_view_copy(s->exec, &codes, &s->guess));
    return stn_exec_wait(s->exec);
}

stn_status stn_solver_load(stn_solver_state *s, const stn_view *b, const stn_view *x)
{
    s->is_replaced = 0;
    STN_TRY(find_scale(s, b));
    STN_TRY(load_b(s, b));
    STN_TRY(load(s, &s->x, x));
    return save_guess(s, x);
}

/* ---- x as it is stored ---- */

static void add_counters(stn_counters *to, const stn_counters *from)
{
    __atomic_fetch_add(&to->saturated, from->saturated, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->underflowed, from->underflowed, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->nan, from->nan, __ATOMIC_RELAXED);
}

/* Writes x, reads it back into s->x, and counts the elements that its storage cannot represent.
 * Overflow in the product with s->scale is not counted by the storage, because it stores
 * infinities. */
static stn_status write_counted(stn_solver_state *s, const stn_view *x)
{
    stn_counters counters = {0, 0, 0};
    stn_view counted = *x;
    int64_t infinite;
    counted.storage.counters = &counters;
    STN_TRY(stn_solver_copy_x(s, &counted));
    STN_TRY(stn_exec_wait(s->exec));
    STN_TRY(load(s, &s->x, x));
    STN_TRY(not_finite_reduce(s->exec, s->arithmetic, &infinite, &s->x));
    if (counters.saturated < infinite)
        counters.saturated = infinite;
    if (x->storage.counters)
        add_counters(x->storage.counters, &counters);
    s->saturated = counters.saturated;
    return stn_partition_count_all(s->partition, &s->saturated);
}

/* s->stored of x, whose values are in s->x; infinite if it is NaN. */
static stn_status measure_stored(stn_solver_state *s, const stn_view *x)
{
    const double residual = s->residual, norm = s->norm;
    double largest;
    if (s->is_accurate) {
        STN_TRY(stn_solver_residual_accurate(s, x, &s->stored, &largest));
        s->stored = isnan(s->stored) ? INFINITY : s->stored;
        return STN_OK;
    }
    STN_TRY(stn_solver_residual(s, &s->x, &s->vectors[0]));
    s->stored = isnan(s->residual) ? INFINITY : s->residual;
    s->residual = residual;
    s->norm = norm;
    return STN_OK;
}

stn_status stn_solver_store(stn_solver_state *s, const stn_view *x, int is_last)
{
    double before, after;
    s->stored = s->residual;
    s->saturated = s->is_lost = s->is_kept = 0;
    if (is_exact(s, x))
        return stn_solver_copy_x(s, x);
    if (s->is_accurate && isfinite(s->first)) /* compares residuals of the same accuracy */
        STN_TRY(measure_guess(s, x));
    s->is_kept = !is_last && !(s->residual < s->first);
    if (s->is_kept) { /* the method found no better x */
        s->stored = s->first;
        return STN_OK;
    }
    STN_TRY(stn_solver_nrm2(s, &before, &s->x));
    STN_TRY(write_counted(s, x));
    STN_TRY(stn_solver_nrm2(s, &after, &s->x));
    STN_TRY(measure_stored(s, x));
    s->is_lost = s->saturated > 0 || (before > 0.0 && after == 0.0) ||
                 (is_plain(x, s->numbers) && !(s->stored <= s->goal));
    s->is_kept = is_last ? !isfinite(s->stored) : !(s->stored < s->first);
    if (!s->is_kept)
        return STN_OK;
    STN_TRY(restore_guess(s, x));
    STN_TRY(load(s, &s->x, x));
    return measure_stored(s, x);
}

stn_status stn_solver_store_unmeasured(stn_solver_state *s, const stn_view *x)
{
    if (is_exact(s, x))
        return stn_solver_copy_x(s, x);
    STN_TRY(write_counted(s, x));
    return s->saturated > 0 ? restore_guess(s, x) : STN_OK;
}
