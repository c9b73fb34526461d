/* Classical Gram-Schmidt with one, two or three passes over the basis for one vector. */
#include "solver/orthogonalize.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "solver/checkpoint.h"
#include "solver/scalar.h"

enum { MAX_PROJECTIONS = 3, SWEEPS = 3 };

/* A second projection follows if the first leaves less than this part of the norm: with
 * STN_ORTHOGONALIZATION_IF_NEEDED as in Daniel, Gragg, Kaufman, Stewart, Math. Comp. 30 (1976);
 * otherwise if most of the digits cancel. */
static const double half = 0.70710678118654752, hardly_any = 0x1p-20;

/* With STN_ORTHOGONALIZATION_DELAYED, largest deviation of a vector from orthogonality that is left
 * to the coefficients of later vectors. */
static const double deviation = 0.05;

stn_status stn_gram_schmidt_create(const stn_solver_state *s, int64_t vectors,
                                   stn_gram_schmidt *job)
{
    job->kind = s->options->orthogonalization ? s->options->orthogonalization
                                              : STN_ORTHOGONALIZATION_IF_NEEDED;
    job->vectors = vectors;
    STN_TRY(stn_allocate(&job->again, 2 * vectors, sizeof *job->again, "coefficients of GMRES"));
    job->solved = job->again + vectors;
    if (job->kind != STN_ORTHOGONALIZATION_DELAYED)
        return STN_OK;
    return stn_allocate(&job->gram, vectors * vectors, sizeof *job->gram, "products of vectors");
}

void stn_gram_schmidt_release(stn_gram_schmidt *job)
{
    stn_free(job->gram);
    stn_free(job->again);
}

/* Columns are complete above the diagonal. */
stn_status stn_gram_schmidt_save(stn_solver_state *s, const stn_gram_schmidt *job, int64_t count)
{
    for (int64_t k = 1; job->gram && k <= count; k++)
        STN_TRY(
            stn_image_put(&s->saved, job->gram + k * job->vectors, k * (int64_t)sizeof *job->gram));
    return STN_OK;
}

stn_status stn_gram_schmidt_restore(stn_solver_state *s, stn_gram_schmidt *job, int64_t count)
{
    for (int64_t k = 1; job->gram && k <= count; k++)
        STN_TRY(stn_image_get(&s->options->checkpoint->image, job->gram + k * job->vectors,
                              k * (int64_t)sizeof *job->gram));
    return STN_OK;
}

/* ---- the Gram matrix ---- */

/* The column of the next vector, remainder / norm: products of the remainder. */
static void keep_products(stn_gram_schmidt *job, int64_t count, const stn_c128 *left, double norm)
{
    stn_c128 *const column = job->gram + count * job->vectors;
    for (int64_t i = 0; i < count; i++)
        column[i] = stn_c128_of(left[i].re / norm, left[i].im / norm);
}

/* sums = E x for the Gram matrix I + E. */
static void multiply_gram(const stn_gram_schmidt *job, int64_t count, int is_complex,
                          const stn_c128 *x, stn_c128 *sums)
{
    memset(sums, 0, (size_t)count * sizeof *sums);
    for (int64_t k = 1; k < count; k++) {
        const stn_c128 *const column = job->gram + k * job->vectors;
        stn_c128 sum = stn_scalar_of(0.0);
        for (int64_t i = 0; i < k && !is_complex; i++) {
            sums[i].re += column[i].re * x[k].re;
            sum.re += column[i].re * x[i].re;
        }
        for (int64_t i = 0; i < k && is_complex; i++) {
            sums[i] = stn_c128_add(sums[i], stn_c128_multiply(column[i], x[k]));
            sum = stn_c128_add(sum, stn_c128_multiply(stn_c128_conj(column[i]), x[i]));
        }
        sums[k] = stn_c128_add(sums[k], sum);
    }
}

/* Products with the vectors become the coefficients of the projection on their span: the solution
 * of (I + E) h = products, where E is small: K. Swirydowicz and others, Numer. Linear Algebra Appl.
 * 28 (2021). h, of the same length, is workspace. */
static void solve_gram(const stn_gram_schmidt *job, int64_t count, int is_complex,
                       stn_c128 *products, stn_c128 *h)
{
    stn_c128 *const sums = h, *const x = job->solved;
    memcpy(x, products, (size_t)count * sizeof *x);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        multiply_gram(job, count, is_complex, x, sums);
        for (int64_t i = 0; i < count; i++)
            x[i] = stn_c128_subtract(products[i], sums[i]);
    }
    memcpy(products, x, (size_t)count * sizeof *x);
}

/* ---- projections ---- */

/* The norm of a vector from its coefficients and its remainder, which are orthogonal. */
static double norm_of_sum(const stn_c128 *h, int64_t count, double rest)
{
    double norm = rest;
    for (int64_t i = 0; i < count; i++)
        norm = hypot(norm, hypot(h[i].re, h[i].im));
    return norm;
}

/* Is another projection necessary after `done` of them, which left `norm` of the norm before? */
static int needs_more(const stn_gram_schmidt *job, int64_t count, int done, double norm,
                      double before)
{
    if (job->kind == STN_ORTHOGONALIZATION_TWICE && done == 1)
        return 1;
    if (job->kind == STN_ORTHOGONALIZATION_DELAYED && done == 1)
        return norm_of_sum(job->again, count, 0.0) > deviation * norm;
    return norm <= (job->kind == STN_ORTHOGONALIZATION_ONCE ? hardly_any : half) * before;
}

/* The coefficients of the second projection are computed in the pass that subtracts the first one,
 * so two projections are three passes. */
stn_status stn_orthogonalize(const stn_solver_state *s, stn_gram_schmidt *job, stn_split *basis,
                             int64_t count, const stn_view *w, stn_c128 *h, double *norm)
{
    const int is_fused = job->kind != STN_ORTHOGONALIZATION_ONCE;
    stn_c128 *const again = job->again;
    for (int done = 0; done < MAX_PROJECTIONS; done++) {
        double before = done == 0 ? 0.0 : *norm;
        if (done != 1 || !is_fused)
            STN_TRY(stn_split_project(s, basis, count, w, again));
        if (done == 0 && job->gram)
            solve_gram(job, count, stn_solver_is_complex(s), again, h);
        for (int64_t i = 0; i < count; i++)
            h[i] = done == 0 ? again[i] : stn_c128_add(h[i], again[i]);
        if (done == 0 && is_fused)
            STN_TRY(stn_split_subtract(s, basis, count, again, w, again));
        else
            STN_TRY(stn_split_combine(s, basis, count, again, -1.0, w));
        STN_TRY(stn_solver_nrm2(s, norm, w));
        if (done == 0) {
            before = norm_of_sum(h, count, *norm);
            job->max = fmax(job->max, before);
        }
        if (job->gram && done > 0)
            memset(again, 0, (size_t)count * sizeof *again);
        if (job->gram)
            keep_products(job, count, again, *norm);
        if (*norm <= stn_gram_schmidt_noise * stn_solver_rounding(s) * job->max)
            break;
        if (!isfinite(*norm) || !needs_more(job, count, done + 1, *norm, before))
            return STN_OK;
    }
    *norm = 0.0;
    return STN_OK;
}
