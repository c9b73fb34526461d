/* GMRES(m): Y. Saad, M. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986); with a basis that is stored
 * narrower than it is computed: J. Aliaga and others, Int. J. High Perf. Comp. Appl. 37 (2023).
 * Flexible GMRES: Y. Saad, SIAM J. Sci. Comput. 14 (1993); it keeps M v of each v. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "solver/basis.h"
#include "steno/blas.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(add, (in(d), inout(x)), x = x + d;)
/* clang-format on */

enum { MOST_PASSES = 3 };           /* of Gram-Schmidt over one vector */
static const double hardly = 0.999; /* of the residual before a cycle: it has not become smaller */

typedef struct arnoldi {
    stn_basis basis, directions; /* of flexible GMRES: M v of each */
    double *h, *again;           /* a column of the Hessenberg matrix, of restart + 1 numbers */
    double *r;                   /* columns of its triangular factor, each of restart numbers */
    double *cosines, *sines, *g; /* rotations, and |r| e1 after them, of restart + 1 */
    int is_flexible;
    int is_spent;              /* A v was in the space of the vectors before */
    const stn_view *v, *z, *w; /* the last vector, M v, and A M v as it becomes the next one */
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
    STN_TRY(stn_allocate(&all->h, 5 * (m + 1), sizeof(double), "columns of GMRES"));
    STN_TRY(stn_allocate(&all->r, m * m, sizeof(double), "the triangle of GMRES"));
    all->again = all->h + m + 1;
    all->cosines = all->again + m + 1;
    all->sines = all->cosines + m + 1;
    all->g = all->sines + m + 1;
    all->v = &s->vectors[1];
    all->w = &s->vectors[2];
    all->z = s->right ? &s->vectors[3] : all->v;
    return stn_basis_make(s, m + 1, &all->basis);
}

/* Without a preconditioner, or one on the left, M v is v. */
static stn_status begin_flexible(stn_solving *s, void **own)
{
    STN_TRY(begin(s, own));
    arnoldi *const all = *own;
    all->is_flexible = s->right != NULL;
    return all->is_flexible ? stn_basis_make(s, s->restart, &all->directions) : STN_OK;
}

/* ---- one vector more ---- */

/* w minus what it has of the first `count` vectors, which h gets; its norm. A vector of which most
 * is taken away is turned from rounding errors by another pass (Daniel, Gragg, Kaufman, Stewart,
 * Math. Comp. 30, 1976: of half the square). What that has to take away is known by then: taking
 * away and finding what is left are one pass over the basis, so that there are two, or three. */
static stn_status orthogonalise(stn_solving *s, arnoldi *all, int64_t count, double *norm)
{
    double before;
    STN_TRY(stn_nrm2(s->exec, s->arithmetic, norm, all->w));
    STN_TRY(stn_basis_project(s, &all->basis, count, all->w, all->again));
    memset(all->h, 0, (size_t)count * sizeof *all->h);
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        before = *norm;
        for (int64_t i = 0; i < count; i++)
            all->h[i] += all->again[i];
        if (pass == 0)
            STN_TRY(stn_basis_subtract(s, &all->basis, count, all->again, all->w, all->again));
        else
            STN_TRY(stn_basis_combine(s, &all->basis, count, all->again, -1.0, all->w));
        STN_TRY(stn_nrm2(s->exec, s->arithmetic, norm, all->w));
        if (!isfinite(*norm) || *norm > 0.70710678118654752 * before)
            return STN_OK;
        if (pass > 0 && pass + 1 < MOST_PASSES) /* hardly ever */
            STN_TRY(stn_basis_project(s, &all->basis, count, all->w, all->again));
    }
    *norm = 0.0; /* what is left is rounding errors */
    return STN_OK;
}

/* The column behind the rotations so far and one that makes its last number 0. */
static void rotate(const stn_solving *s, arnoldi *all, int64_t k, double last)
{
    double *const column = all->r + k * s->restart;
    for (int64_t i = 0; i < k; i++) {
        const double upper = all->h[i], lower = all->h[i + 1];
        all->h[i] = all->cosines[i] * upper + all->sines[i] * lower;
        all->h[i + 1] = all->cosines[i] * lower - all->sines[i] * upper;
    }
    const double both = hypot(all->h[k], last);
    all->cosines[k] = both > 0.0 ? all->h[k] / both : 1.0;
    all->sines[k] = both > 0.0 ? last / both : 0.0;
    all->h[k] = both;
    memcpy(column, all->h, (size_t)(k + 1) * sizeof *column);
    all->g[k + 1] = -all->sines[k] * all->g[k];
    all->g[k] *= all->cosines[k];
}

/* z = M v of vector k, in v; of flexible GMRES as it is stored. */
static stn_status precondition(stn_solving *s, arnoldi *all, int64_t k, int *ending)
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
    *ending = norm == 0.0 ? STN_BROKE_DOWN : STN_NOT_FINITE;
    return STN_OK;
}

/* Vector k, in v, gives column k and vector k + 1. Without one, *ending is set; *is_added: there is
 * a column. */
static stn_status extend(stn_solving *s, arnoldi *all, int64_t k, int *is_added, int *ending)
{
    double norm;
    *is_added = 0;
    STN_TRY(precondition(s, all, k, ending));
    if (*ending != STN_GOES_ON)
        return STN_OK;
    STN_TRY(stn_solver_apply(s, all->z, all->w));
    STN_TRY(orthogonalise(s, all, k + 1, &norm));
    if (!isfinite(norm)) {
        *ending = STN_NOT_FINITE;
        return STN_OK;
    }
    rotate(s, all, k, norm);
    *is_added = 1;
    all->is_spent = norm == 0.0;
    *ending = stn_solver_count(s, fabs(all->g[k + 1]));
    if (*ending != STN_GOES_ON || k + 1 == s->restart || fabs(all->g[k + 1]) <= s->target)
        return STN_OK;
    return stn_basis_set(s, &all->basis, k + 1, all->w, norm, 1.0, all->v);
}

/* ---- a cycle ---- */

/* x plus the combination of `count` vectors with the least residual. Columns that have no number on
 * the diagonal, of a singular A, are left out. */
static stn_status update(stn_solving *s, arnoldi *all, int64_t count)
{
    double *const y = all->again;
    while (count > 0 && all->r[(count - 1) * (s->restart + 1)] == 0.0)
        count--;
    if (count == 0)
        return STN_OK;
    for (int64_t i = count; i-- > 0;) {
        double sum = all->g[i];
        for (int64_t j = i + 1; j < count; j++)
            sum -= all->r[j * s->restart + i] * y[j];
        y[i] = sum / all->r[i * (s->restart + 1)];
    }
    const stn_basis *const from = all->is_flexible ? &all->directions : &all->basis;
    STN_TRY(stn_basis_combine(s, from, count, y, 0.0, all->w));
    if (all->z == all->v || all->is_flexible)
        return add_run(s->exec, s->arithmetic, all->w, &s->x);
    STN_TRY(stn_solver_precondition(s, all->w, all->z));
    return add_run(s->exec, s->arithmetic, all->z, &s->x);
}

/* From the residual of x, in vectors[0], up to `restart` vectors, and the residual then. */
static stn_status cycle(stn_solving *s, arnoldi *all, int *ending)
{
    const double before = s->residual;
    int64_t count = 0;
    *ending = isfinite(s->norm) ? STN_BROKE_DOWN : STN_NOT_FINITE;
    if (!(s->norm > 0.0) || !isfinite(s->norm)) /* of M (b - A x) */
        return STN_OK;
    memset(all->g, 0, (size_t)(s->restart + 1) * sizeof *all->g);
    all->g[0] = s->norm;
    STN_TRY(stn_basis_set(s, &all->basis, 0, &s->vectors[0], s->norm, 1.0, all->v));
    all->is_spent = 0;
    *ending = STN_GOES_ON;
    while (*ending == STN_GOES_ON && count < s->restart && fabs(all->g[count]) > s->target) {
        int is_added;
        STN_TRY(extend(s, all, count, &is_added, ending));
        count += is_added;
    }
    STN_TRY(update(s, all, count));
    STN_TRY(stn_solver_residual(s, &s->x, &s->vectors[0]));
    s->solution->restarts++;
    if (!isfinite(s->residual))
        *ending = STN_NOT_FINITE;
    else if (s->residual <= s->goal)
        *ending = STN_CONVERGED;
    else if (*ending == STN_GOES_ON && s->residual > hardly * before)
        *ending = all->is_spent ? STN_BROKE_DOWN : STN_STAGNATED;
    return STN_OK;
}

static stn_status run(stn_solving *s, void *own, int *ending)
{
    do {
        STN_TRY(cycle(s, own, ending));
    } while (*ending == STN_GOES_ON);
    return STN_OK;
}

const stn_solver_method stn_solver_gmres = {"GMRES", 3, 1, 1, begin, run, end};
const stn_solver_method stn_solver_fgmres = {"flexible GMRES", 3, 1, 1, begin_flexible, run, end};
