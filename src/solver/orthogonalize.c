/* Classical Gram-Schmidt with one, two or three passes over the basis for one vector. */
#include "solver/orthogonalize.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/versions.h"
#include "solver/checkpoint.h"
#include "solver/scalar.h"

enum { MAX_PROJECTIONS = 3, SWEEPS = 3 };

/* A second projection follows if the first leaves less than this part of the norm: with
 * STN_ORTHOGONALIZATION_IF_NEEDED as in Daniel, Gragg, Kaufman, Stewart, Math. Comp. 30 (1976);
 * otherwise if most of the digits cancel. */
static const double half = 0.70710678118654752, hardly_any = 0.01;

/* With STN_ORTHOGONALIZATION_DELAYED, largest deviation of a vector from orthogonality that is left
 * to the coefficients of later vectors. */
static const double deviation = 0.05;

stn_status stn_gram_schmidt_create(const stn_solver_state *s, int64_t vectors, int is_narrow,
                                   stn_gram_schmidt *job)
{
    job->kind = s->options->orthogonalization ? s->options->orthogonalization
                : is_narrow                   ? STN_ORTHOGONALIZATION_DELAYED
                                              : STN_ORTHOGONALIZATION_ONCE;
    job->vectors = vectors;
    STN_TRY(stn_allocate(&job->again, 2 * vectors, sizeof *job->again, "coefficients of GMRES"));
    job->solved = job->again + vectors;
    if (job->kind == STN_ORTHOGONALIZATION_SKETCHED) {
        STN_TRY(stn_sketch_create(s, vectors, &job->sketch));
        return stn_allocate(&job->sketches, (vectors + 1) * job->sketch.length,
                            sizeof *job->sketches, "sketches of GMRES");
    }
    if (job->kind != STN_ORTHOGONALIZATION_DELAYED)
        return STN_OK;
    return stn_allocate(&job->gram, vectors * vectors, sizeof *job->gram, "products of vectors");
}

void stn_gram_schmidt_release(stn_gram_schmidt *job)
{
    stn_sketch_release(&job->sketch);
    stn_free(job->sketches);
    stn_free(job->gram);
    stn_free(job->again);
}

static int64_t sketch_bytes(const stn_gram_schmidt *job, int64_t count)
{
    return count * job->sketch.length * (int64_t)sizeof *job->sketches;
}

/* Columns are complete above the diagonal. */
stn_status stn_gram_schmidt_save(stn_solver_state *s, const stn_gram_schmidt *job, int64_t count)
{
    for (int64_t k = 1; job->gram && k <= count; k++)
        STN_TRY(
            stn_image_put(&s->saved, job->gram + k * job->vectors, k * (int64_t)sizeof *job->gram));
    return job->sketches ? stn_image_put(&s->saved, job->sketches, sketch_bytes(job, count))
                         : STN_OK;
}

stn_status stn_gram_schmidt_restore(stn_solver_state *s, stn_gram_schmidt *job, int64_t count)
{
    stn_image *const image = &s->options->checkpoint->image;
    for (int64_t k = 1; job->gram && k <= count; k++)
        STN_TRY(stn_image_get(image, job->gram + k * job->vectors, k * (int64_t)sizeof *job->gram));
    return job->sketches ? stn_image_get(image, job->sketches, sketch_bytes(job, count)) : STN_OK;
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

/* ---- sketches ---- */

static double *sketch_at(const stn_gram_schmidt *job, int64_t k)
{
    return job->sketches + k * job->sketch.length;
}

/* x' y in eight sums. */
STN_VERSIONS static double dot_of_sketches(const double *x, const double *y, int64_t count)
{
    double sums[8] = {0.0};
    for (int64_t i = 0; i < count; i += 8)
        for (int lane = 0; lane < 8; lane++)
            sums[lane] += x[i + lane] * y[i + lane];
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/* y = y - factor x. */
STN_VERSIONS static void subtract_sketch(double *restrict y, double factor,
                                         const double *restrict x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        y[i] -= factor * x[i];
}

/* x^H y of sketches; complex ones have their imaginary parts after the real ones. */
static stn_c128 product_of(const stn_gram_schmidt *job, const double *x, const double *y)
{
    const int64_t k = job->sketch.rows, length = job->sketch.length;
    if (length == k)
        return stn_scalar_of(dot_of_sketches(x, y, k));
    return stn_c128_of(dot_of_sketches(x, y, length),
                       dot_of_sketches(x, y + k, k) - dot_of_sketches(x + k, y, k));
}

/* Subtracts the projection on the sketches of the first `count` vectors from that of w, twice, and
 * returns the coefficients. */
static void project_sketch(const stn_gram_schmidt *job, int64_t count, double *w, stn_c128 *h)
{
    const int64_t k = job->sketch.rows;
    const int is_complex = job->sketch.length > k;
    memset(h, 0, (size_t)count * sizeof *h);
    for (int turn = 0; turn < 2; turn++) {
        stn_c128 *const part = job->solved;
        for (int64_t i = 0; i < count; i++)
            part[i] = product_of(job, sketch_at(job, i), w);
        for (int64_t i = 0; i < count; i++) {
            const double *const v = sketch_at(job, i);
            h[i] = stn_c128_add(h[i], part[i]);
            subtract_sketch(w, part[i].re, v, job->sketch.length);
            if (is_complex) {
                subtract_sketch(w, -part[i].im, v + k, k);
                subtract_sketch(w + k, part[i].im, v, k);
            }
        }
    }
}

static double norm_of_sketch(const stn_gram_schmidt *job, const double *x)
{
    return sqrt(dot_of_sketches(x, x, job->sketch.length));
}

stn_status stn_gram_schmidt_norm(const stn_solver_state *s, stn_gram_schmidt *job,
                                 const stn_view *w, double *norm)
{
    double *const sketch = job->sketches ? sketch_at(job, job->vectors) : NULL;
    if (!sketch)
        return STN_OK;
    STN_TRY(stn_sketch_of(s, &job->sketch, w, sketch));
    *norm = norm_of_sketch(job, sketch);
    return STN_OK;
}

stn_status stn_gram_schmidt_append(const stn_solver_state *s, stn_gram_schmidt *job, int64_t k,
                                   const stn_view *v)
{
    return job->sketches ? stn_sketch_of(s, &job->sketch, v, sketch_at(job, k)) : STN_OK;
}

/* The sketches decide the coefficients, so the basis is read once. After much cancellation, the
 * remainder is orthogonalized again. O. Balabanov, L. Grigori, SIAM J. Sci. Comput. 44 (2022). */
static stn_status orthogonalize_sketch(const stn_solver_state *s, stn_gram_schmidt *job,
                                       stn_split *basis, int64_t count, const stn_view *w,
                                       stn_c128 *h, double *norm)
{
    memset(h, 0, (size_t)count * sizeof *h);
    for (int done = 0; done < MAX_PROJECTIONS; done++) {
        double before = 0.0;
        STN_TRY(stn_gram_schmidt_norm(s, job, w, &before));
        job->max = fmax(job->max, before);
        project_sketch(job, count, sketch_at(job, job->vectors), job->again);
        *norm = norm_of_sketch(job, sketch_at(job, job->vectors));
        for (int64_t i = 0; i < count; i++)
            h[i] = stn_c128_add(h[i], job->again[i]);
        STN_TRY(stn_split_combine(s, basis, count, job->again, -1.0, w));
        if (*norm <= stn_gram_schmidt_noise * stn_solver_rounding(s) * job->max)
            break;
        if (!isfinite(*norm) || *norm > hardly_any * before)
            return STN_OK;
    }
    *norm = 0.0;
    return STN_OK;
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
    if (job->sketches)
        return orthogonalize_sketch(s, job, basis, count, w, h, norm);
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
