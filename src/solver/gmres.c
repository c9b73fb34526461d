/* GMRES(m): Y. Saad, M. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986). Basis in a narrower format:
 * J. Aliaga and others, Int. J. High Perf. Comp. Appl. 37 (2023). Flexible GMRES: Y. Saad, SIAM J.
 * Sci. Comput. 14 (1993); it stores M v for each v. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "solver/basis.h"
#include "solver/checkpoint.h"
#include "solver/scalar.h"
#include "steno/blas.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(add, (in(x), inout(d)), d = x + d;)
/* clang-format on */

enum { MOST_PASSES = 3 };        /* largest number of Gram-Schmidt passes for one vector */
static const double noise = 4.0; /* rounding units of |A M| that are only rounding errors */

static const double hardly = 0.999; /* fraction of the residual before a cycle: no improvement */

typedef struct arnoldi {
    stn_basis basis, directions; /* flexible GMRES: M v of each vector */
    stn_c128 *h, *again;         /* a column of the Hessenberg matrix: restart + 1 elements */
    stn_c128 *r;                 /* columns of its triangular factor, with restart elements each */
    stn_c128 *cosines, *g;       /* rotations, and |r| e1 after them: restart + 1 elements */
    double *sines; /* real, like the last element of g: the elements below the diagonal of h are
                    * norms */
    int64_t count; /* number of columns of this cycle */
    double norm;   /* norm of w, which is not yet a vector of the basis */
    double most;   /* largest |A M v| so far: approximates |A M| */
    int is_flexible;
    int is_singular;     /* columns of this cycle were dropped because x would consist of rounding
                          * errors */
    stn_view *v, *z, *w; /* the last vector, M v, and A M v, which becomes the next vector */
} arnoldi;

static void end(void *own)
{
    arnoldi *const all = own;
    stn_basis_release(&all->basis);
    stn_basis_release(&all->directions);
    stn_free(all->h);
    stn_free(all->r);
    stn_free(all);
}

static stn_status begin(stn_solving *s, void **own)
{
    const int64_t m = s->restart;
    arnoldi *all = NULL;
    STN_TRY(stn_allocate(&all, 1, sizeof *all, "GMRES"));
    memset(all, 0, sizeof *all);
    *own = all;
    STN_TRY(stn_allocate(&all->h, 5 * (m + 1), sizeof *all->h, "columns of GMRES"));
    memset(all->h, 0, (size_t)(5 * (m + 1)) * sizeof *all->h); /* checkpoints contain all of it */
    STN_TRY(stn_allocate(&all->r, m * m, sizeof *all->r, "the triangle of GMRES"));
    all->again = all->h + m + 1;
    all->cosines = all->again + m + 1;
    all->g = all->cosines + m + 1;
    all->sines = (double *)(void *)(all->g + m + 1);
    all->v = &s->vectors[1];
    all->w = &s->vectors[2];
    all->z = s->right ? &s->vectors[3] : all->v;
    return stn_basis_make(s, m + 1, &all->basis);
}

/* Without a preconditioner, or with one on the left, M v is v. */
static stn_status begin_flexible(stn_solving *s, void **own)
{
    STN_TRY(begin(s, own));
    arnoldi *const all = *own;
    all->is_flexible = s->right != NULL;
    return all->is_flexible ? stn_basis_make(s, s->restart, &all->directions) : STN_OK;
}

/* ---- the next vector ---- */

/* Orthogonalizes w against the first `count` vectors and stores the coefficients in h; returns the
 * norm. If a projection removes more than half of the squared norm, a second pass removes rounding
 * errors (Daniel, Gragg, Kaufman, Stewart, Math. Comp. 30, 1976). The coefficients of the second
 * pass are already known: subtracting and computing the new coefficients is one pass over the
 * basis. So there are two or three passes. */
static stn_status orthogonalise(stn_solving *s, arnoldi *all, int64_t count, double *norm)
{
    double before;
    STN_TRY(stn_nrm2(s->exec, s->arithmetic, norm, all->w));
    all->most = fmax(all->most, *norm);
    STN_TRY(stn_basis_project(s, &all->basis, count, all->w, all->again));
    memset(all->h, 0, (size_t)count * sizeof *all->h);
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        before = *norm;
        for (int64_t i = 0; i < count; i++)
            all->h[i] = stn_c128_add(all->h[i], all->again[i]);
        if (pass == 0)
            STN_TRY(stn_basis_subtract(s, &all->basis, count, all->again, all->w, all->again));
        else
            STN_TRY(stn_basis_combine(s, &all->basis, count, all->again, -1.0, all->w));
        STN_TRY(stn_nrm2(s->exec, s->arithmetic, norm, all->w));
        if (*norm <= noise * stn_solver_rounding(s) * all->most)
            break;
        if (!isfinite(*norm) || *norm > 0.70710678118654752 * before)
            return STN_OK;
        if (pass > 0 && pass + 1 < MOST_PASSES) /* rare */
            STN_TRY(stn_basis_project(s, &all->basis, count, all->w, all->again));
    }
    *norm = 0.0; /* the remainder consists of rounding errors */
    return STN_OK;
}

/* Applies a rotation to two elements. */
static void turn(stn_c128 c, double s, stn_c128 *upper, stn_c128 *lower)
{
    const stn_c128 one = *upper, other = *lower;
    *upper = stn_c128_add(stn_scalar_multiply(stn_c128_conj(c), one), stn_scalar_scale(other, s));
    *lower = stn_c128_subtract(stn_scalar_multiply(c, other), stn_scalar_scale(one, s));
}

/* Applies the previous rotations to the column, and a new one that makes its last element 0. */
static void rotate(const stn_solving *s, arnoldi *all, int64_t k, double last)
{
    stn_c128 *const column = all->r + k * s->restart;
    for (int64_t i = 0; i < k; i++)
        turn(all->cosines[i], all->sines[i], &all->h[i], &all->h[i + 1]);
    const stn_c128 own = all->h[k];
    const double both = hypot(hypot(own.re, own.im), last);
    all->cosines[k] = both > 0.0 ? stn_c128_of(own.re / both, own.im / both) : stn_scalar_of(1.0);
    all->sines[k] = both > 0.0 ? last / both : 0.0;
    all->h[k] = stn_scalar_of(both);
    memcpy(column, all->h, (size_t)(k + 1) * sizeof *column);
    all->g[k + 1] = stn_scalar_of(-all->sines[k] * all->g[k].re);
    all->g[k] = stn_scalar_multiply(stn_c128_conj(all->cosines[k]), all->g[k]);
}

/* z = M v for vector k, in v; flexible GMRES: as it is stored. */
static stn_status precondition(stn_solving *s, arnoldi *all, int64_t k, int *reason)
{
    double norm;
    if (all->z == all->v)
        return STN_OK;
    STN_TRY(stn_solver_precondition(s, all->v, all->z));
    if (!all->is_flexible)
        return STN_OK;
    STN_TRY(stn_nrm2(s->exec, s->arithmetic, &norm, all->z));
    if (norm > 0.0 && isfinite(norm))
        return stn_basis_set(s, &all->directions, k, all->z, norm, norm, all->z);
    *reason = norm == 0.0 ? STN_STOP_BREAKDOWN : STN_STOP_NOT_FINITE;
    return STN_OK;
}

/* Appends w to the basis, and copies the stored vector to v. */
static stn_status append(stn_solving *s, arnoldi *all)
{
    return stn_basis_set(s, &all->basis, all->count, all->w, all->norm, 1.0, all->v);
}

/* Computes a column and w from vector `count`; w becomes the next vector. If there is no column,
 * *reason is set. */
static stn_status extend(stn_solving *s, arnoldi *all, int *reason)
{
    const int64_t k = all->count;
    STN_TRY(append(s, all));
    STN_TRY(precondition(s, all, k, reason));
    if (*reason != STN_STOP_NONE)
        return STN_OK;
    STN_TRY(stn_solver_apply(s, all->z, all->w));
    STN_TRY(orthogonalise(s, all, k + 1, &all->norm));
    if (!isfinite(all->norm)) {
        *reason = STN_STOP_NOT_FINITE;
        return STN_OK;
    }
    rotate(s, all, k, all->norm);
    all->count++;
    *reason = stn_solver_count(s, fabs(all->g[k + 1].re));
    return STN_OK;
}

/* ---- checkpoints ---- */

static stn_state state_of(arnoldi *all, int64_t restart)
{
    stn_state state = {.vectors = {all->w}, .vector_count = 1};
    stn_state_add_numbers(&state, &all->count, sizeof all->count);
    stn_state_add_numbers(&state, &all->norm, sizeof all->norm);
    stn_state_add_numbers(&state, &all->most, sizeof all->most);
    stn_state_add_numbers(&state, all->cosines,
                          (size_t)(restart + 1) * (2 * sizeof *all->g + sizeof *all->sines));
    return state; /* g and the sines follow the cosines in memory */
}

/* Columns are written completely; elements below the diagonal are not initialized otherwise. */
static stn_status keep(stn_solving *s, arnoldi *all, int reason)
{
    const int64_t m = s->restart;
    const stn_state state = state_of(all, m);
    if (!s->options->checkpoint || !stn_solver_is_pause(reason))
        return STN_OK;
    for (int64_t k = 0; k < all->count; k++)
        memset(all->r + k * m + k + 1, 0, (size_t)(m - k - 1) * sizeof *all->r);
    STN_TRY(stn_solver_keep(s, &state, reason));
    STN_TRY(stn_image_put(&s->kept, all->r, all->count * m * (int64_t)sizeof *all->r));
    STN_TRY(stn_basis_keep(s, &all->basis, all->count));
    return all->is_flexible ? stn_basis_keep(s, &all->directions, all->count) : STN_OK;
}

static stn_status recall(stn_solving *s, arnoldi *all, int *reason)
{
    const stn_state state = state_of(all, s->restart);
    stn_image *const image = &s->options->checkpoint->image;
    STN_TRY(stn_solver_recall(s, &state, reason));
    if (all->count < 0 || all->count > s->restart)
        return stn_fail(STN_ERR_PARSE, "stn_solve: the checkpoint has %lld vectors of at most %lld",
                        (long long)all->count, (long long)s->restart);
    STN_TRY(stn_image_get(image, all->r, all->count * s->restart * (int64_t)sizeof *all->r));
    STN_TRY(stn_basis_recall(s, &all->basis, all->count));
    return all->is_flexible ? stn_basis_recall(s, &all->directions, all->count) : STN_OK;
}

/* ---- a cycle ---- */

/* y that minimizes the residual for the first `count` columns; returns its norm, or infinity if
 * there is no y. */
static double solve_triangle(const stn_solving *s, const arnoldi *all, int64_t count, stn_c128 *y)
{
    double norm = 0.0;
    for (int64_t i = count; i-- > 0;) {
        const double pivot = all->r[i * (s->restart + 1)].re;
        stn_c128 sum = all->g[i];
        for (int64_t j = i + 1; j < count; j++)
            sum = stn_c128_subtract(sum, stn_scalar_multiply(all->r[j * s->restart + i], y[j]));
        y[i] = stn_c128_of(sum.re / pivot, sum.im / pivot);
        norm = hypot(norm, hypot(y[i].re, y[i].im));
    }
    return isnan(norm) ? INFINITY : norm;
}

/* Chooses the number of columns that are used, and their y: if A is singular, the last ones may
 * make x so large that its rounding errors exceed the improvement. The residual of fewer columns is
 * what the rotations left of |r| in the other columns. */
static int64_t choose_columns(const stn_solving *s, const arnoldi *all, int64_t count, stn_c128 *y)
{
    const double unit = noise * stn_solver_rounding(s) * all->most;
    double rest = fabs(all->g[count].re), whole = rest, least = INFINITY;
    int64_t best = 0;
    for (int64_t k = 0; k < count; k++)
        whole = hypot(whole, hypot(all->g[k].re, all->g[k].im));
    for (int64_t k = count; rest < least; k--) {
        const double error = k > 0 ? unit * solve_triangle(s, all, k, y) : 0.0;
        if (rest + error < least) {
            least = rest + error;
            best = k;
        }
        if (k == 0 || error <= sqrt(stn_solver_rounding(s)) * whole)
            break;
        rest = hypot(rest, hypot(all->g[k - 1].re, all->g[k - 1].im));
    }
    (void)solve_triangle(s, all, best, y);
    return best;
}

/* Adds the combination of the first `count` vectors that minimizes the residual to x; keeps the
 * previous x for a return to it. */
static stn_status update(stn_solving *s, arnoldi *all, int64_t count, stn_view **before)
{
    const int64_t chosen = choose_columns(s, all, count, all->again);
    const stn_basis *const from = all->is_flexible ? &all->directions : &all->basis;
    stn_view *const next = all->z == all->v || all->is_flexible ? all->w : all->z;
    all->is_singular = chosen < count;
    *before = &s->x;
    if (chosen == 0)
        return STN_OK;
    STN_TRY(stn_basis_combine(s, from, chosen, all->again, 0.0, all->w));
    if (next == all->z)
        STN_TRY(stn_solver_precondition(s, all->w, all->z));
    STN_TRY(add_run(s->exec, s->arithmetic, &s->x, next));
    stn_solver_swap(&s->x, next);
    *before = next;
    return STN_OK;
}

/* Starts from the residual of x, in vectors[0]. */
static stn_status start(stn_solving *s, arnoldi *all, int *reason)
{
    all->count = 0;
    *reason = isfinite(s->norm) ? STN_STOP_BREAKDOWN : STN_STOP_NOT_FINITE;
    if (!(s->norm > 0.0) || !isfinite(s->norm)) /* norm of M (b - A x) */
        return STN_OK;
    memset(all->g, 0, (size_t)(s->restart + 1) * sizeof *all->g);
    all->norm = s->norm;
    all->g[0] = stn_scalar_of(s->norm);
    *reason = STN_STOP_NONE;
    return stn_view_copy(s->exec, all->w, &s->vectors[0]);
}

/* Computes the residual of the new x. The previous x is restored if it is better; with a
 * preconditioner on the left, in the norm that the columns minimize. */
static stn_status finish(stn_solving *s, arnoldi *all, stn_view *before, int *reason)
{
    const double residual = s->residual, norm = s->norm;
    const int stands_still = all->is_singular ? STN_STOP_BREAKDOWN : STN_STOP_STAGNATED;
    STN_TRY(stn_solver_residual(s, &s->x, &s->vectors[0]));
    if (s->residual <= s->goal) {
        *reason = STN_STOP_CONVERGED;
        return STN_OK;
    }
    if (*reason == STN_STOP_NONE && !(s->residual <= hardly * residual))
        *reason = isfinite(s->residual) ? stands_still : STN_STOP_NOT_FINITE;
    if (s->norm < norm)
        return stn_solver_keep_best(s);
    stn_solver_swap(&s->x, before);
    s->residual = residual;
    s->norm = norm;
    return STN_OK;
}

/* After a failed call, x is updated by the columns so far, if possible. */
static stn_status rescue(stn_solving *s, arnoldi *all, stn_status status)
{
    char words[512];
    snprintf(words, sizeof words, "%s", stn_error());
    stn_view *unused;
    if (update(s, all, all->count, &unused) == STN_OK)
        return status;
    s->iterations -= all->count;
    return stn_fail(status, "%s", words);
}

/* Computes up to `restart` columns and the residual; the state that is kept for a checkpoint is
 * that before the residual. */
static stn_status cycle(stn_solving *s, arnoldi *all, int *reason)
{
    stn_view *before = &s->x;
    stn_status status = STN_OK;
    while (status == STN_OK && *reason == STN_STOP_NONE && all->count < s->restart &&
           fabs(all->g[all->count].re) > s->target)
        status = extend(s, all, reason);
    if (status == STN_OK)
        status = keep(s, all, *reason);
    if (status == STN_OK)
        status = update(s, all, all->count, &before);
    if (status != STN_OK)
        return rescue(s, all, status);
    STN_TRY(finish(s, all, before, reason));
    if (*reason != STN_STOP_NONE)
        return STN_OK;
    s->report->restarts++;
    return start(s, all, reason);
}

static stn_status run(stn_solving *s, void *own, int *reason)
{
    arnoldi *const all = own;
    all->most = 0.0;
    STN_TRY(stn_solver_is_resumed(s) ? recall(s, all, reason) : start(s, all, reason));
    if (*reason != STN_STOP_NONE && !stn_solver_is_pause(*reason))
        return STN_OK;
    do {
        STN_TRY(cycle(s, all, reason));
    } while (*reason == STN_STOP_NONE);
    return STN_OK;
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
