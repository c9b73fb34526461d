/* Classical Gram-Schmidt with one, two or three passes over the basis for one vector. */
#include "solver/orthogonalize.h"

#include <math.h>
#include <string.h>

#include "solver/scalar.h"

enum { MAX_PROJECTIONS = 3 };

/* A second projection follows if the first leaves less than this part of the norm: with
 * STN_ORTHOGONALIZATION_IF_NEEDED as in Daniel, Gragg, Kaufman, Stewart, Math. Comp. 30 (1976);
 * otherwise if most of the digits cancel. */
static const double half = 0.70710678118654752, hardly_any = 0x1p-20;

/* The norm of a vector from its coefficients and its remainder, which are orthogonal. */
static double norm_of_sum(const stn_c128 *h, int64_t count, double rest)
{
    double norm = rest;
    for (int64_t i = 0; i < count; i++)
        norm = hypot(norm, hypot(h[i].re, h[i].im));
    return norm;
}

/* Is another projection necessary after `done` of them, which left `norm` of the norm before? */
static int needs_more(const stn_gram_schmidt *job, int done, double norm, double before)
{
    if (job->kind == STN_ORTHOGONALIZATION_TWICE && done == 1)
        return 1;
    return norm <= (job->kind == STN_ORTHOGONALIZATION_ONCE ? hardly_any : half) * before;
}

/* The coefficients of the second projection are computed in the pass that subtracts the first one,
 * so two projections are three passes. */
stn_status stn_orthogonalize(const stn_solver_state *s, stn_gram_schmidt *job, stn_basis *basis,
                             int64_t count, const stn_view *w, stn_c128 *h, double *norm)
{
    const int is_fused = job->kind != STN_ORTHOGONALIZATION_ONCE;
    stn_c128 *const again = job->again;
    memset(h, 0, (size_t)count * sizeof *h);
    for (int done = 0; done < MAX_PROJECTIONS; done++) {
        double before = done == 0 ? 0.0 : *norm;
        if (done != 1 || !is_fused)
            STN_TRY(stn_basis_project(s, basis, count, w, again));
        for (int64_t i = 0; i < count; i++)
            h[i] = stn_c128_add(h[i], again[i]);
        if (done == 0 && is_fused)
            STN_TRY(stn_basis_subtract(s, basis, count, again, w, again));
        else
            STN_TRY(stn_basis_combine(s, basis, count, again, -1.0, w));
        STN_TRY(stn_solver_nrm2(s, norm, w));
        if (done == 0) {
            before = norm_of_sum(h, count, *norm);
            job->max = fmax(job->max, before);
        }
        if (*norm <= stn_gram_schmidt_noise * stn_solver_rounding(s) * job->max)
            break;
        if (!isfinite(*norm) || !needs_more(job, done + 1, *norm, before))
            return STN_OK;
    }
    *norm = 0.0;
    return STN_OK;
}
