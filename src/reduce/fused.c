/* Folds that the library has itself: sums of a view, and of products of two of one format. Its
 * loops read the codes straight into the tree, whatever the program was compiled for. A reduction
 * is one of these when its expressions are nothing but parameters. */
#include "reduce/job.h"

#include <string.h>

#include "blas/operand.h"

/* ---- which reductions these are ---- */

/* The view that an expression is, of these alignments; or -1. */
static int find_view(const stn_kernel *kernel, int32_t once, int32_t again)
{
    for (int at = 0; at < kernel->count && at < STN_TAGGED; at++)
        if (once == 32 << at && again == 64 << at)
            return kernel->parameters[at].kind == STN_PARAMETER_IN ? at : -1;
    return -1;
}

static int can_be_read(const stn_reduce_job *job, int at)
{
    const stn_slot *slot = &job->launch.slots[at];
    const int last = job->reduced.count - 1;
    return slot->reader.plain && slot->reader.run.codec && !slot->reader.run.portable &&
           slot->reader.run.parts == 1 &&
           (job->reduced.stride[at][last] == 1 || job->reduced.extent[last] == 1);
}

/* Powers of two that may leave the sum do; a negative one would turn the sign of a sum of +0. */
static void take_scales_out(stn_reduce_job *job)
{
    stn_fused_sum *fused = &job->fused;
    const stn_slot *slots = job->launch.slots;
    const double x = stn_reader_free_scale(&slots[fused->x].reader);
    const double y = fused->y < 0 ? 1.0 : stn_reader_free_scale(&slots[fused->y].reader);
    fused->affine[0] = slots[fused->x].reader.run.affine;
    fused->affine[1] = slots[fused->y < 0 ? fused->x : fused->y].reader.run.affine;
    fused->factor = 1.0;
    if (x <= 0.0 || y <= 0.0)
        return;
    fused->factor = x * y;
    fused->affine[0] = fused->affine[1] = stn_affine_plain();
}

void stn_reduce_find_bare(stn_reduce_job *job)
{
    const stn_kernel *const kernel = &job->reduction->kernel;
    const int multiplies = job->reduction->operation == STN_REDUCE_WITH_products;
    int32_t alignments[4] = {0};
    job->reduction->bare(alignments);
    job->fused.x = find_view(kernel, alignments[0], alignments[2]);
    job->fused.y = multiplies ? find_view(kernel, alignments[1], alignments[3]) : -1;
    job->bare = multiplies ? -1 : job->fused.x;
}

void stn_reduce_find_fused(stn_reduce_job *job)
{
    const stn_launch *launch = &job->launch;
    const stn_reduction_kind operation = job->reduction->operation;
    stn_fused_sum *fused = &job->fused;
    const int x = fused->x, y = fused->y;
    fused->is = 0;
    if ((launch->arithmetic != STN_F64 && launch->arithmetic != STN_F32) ||
        launch->exec->kind == STN_EXEC_REFERENCE || x < 0 ||
        (y < 0 && operation != STN_REDUCE_WITH_sum))
        return;
    if (job->plain[x] && (y < 0 || job->plain[y])) /* folded in place already */
        return;
    if (!can_be_read(job, x) || (y >= 0 && !can_be_read(job, y)))
        return;
    const stn_format format = launch->slots[x].reader.run.real;
    fused->sums = stn_sums_find(format);
    fused->products = stn_fused_of(format);
    if (!fused->sums || !fused->products || (y >= 0 && launch->slots[y].reader.run.real != format))
        return;
    take_scales_out(job);
    fused->is = 1;
}

/* ---- the fold ---- */

/* Less than a tile. */
static double sum_rest(const stn_reduce_job *job, const char *x_codes, const char *y_codes,
                       int64_t count)
{
    const stn_fused_sum *fused = &job->fused;
    const stn_launch *launch = &job->launch;
    stn_run x = launch->slots[fused->x].reader.run;
    stn_tile_values left, right;
    x.affine = fused->affine[0];
    stn_run_decode(&x, &left, x_codes, 1, count);
    if (y_codes) {
        stn_run y = launch->slots[fused->y].reader.run;
        y.affine = fused->affine[1];
        stn_run_decode(&y, &right, y_codes, 1, count);
    } else if (launch->arithmetic == STN_F64) {
        for (int64_t k = 0; k < count; k++)
            right.f64[k] = 1.0;
    } else {
        for (int64_t k = 0; k < count; k++)
            right.f32[k] = 1.0f;
    }
    return stn_tile_dot(stn_exec_values(launch->exec, launch->arithmetic), launch->arithmetic,
                        &left, &right, count);
}

/* Are all sums of STN_EXACT_TILES tiles exact, so that they may be taken in any order? */
static int is_exact(const stn_reduce_job *job)
{
    const stn_fused_sum *fused = &job->fused;
    return job->launch.arithmetic == STN_F64 && fused->affine[0].plain && fused->affine[1].plain &&
           (fused->y < 0 ? fused->sums->exact_sum != NULL : fused->sums->exact_dot != NULL);
}

/* The sums of full tiles, or the one sum of all of them; how many there are. */
static int64_t sum_full(const stn_reduce_job *job, const char *x, const char *y, double *sums,
                        int64_t tiles)
{
    const stn_fused_sum *fused = &job->fused;
    const stn_affine *affine = fused->affine;
    const int wide = job->launch.arithmetic == STN_F64;
    if (tiles > 0 && is_exact(job)) {
        sums[0] = y ? fused->sums->exact_dot(x, y, tiles) : fused->sums->exact_sum(x, tiles);
        return 1;
    }
    if (y)
        (wide ? fused->products->dot_f64 : fused->products->dot_f32)(sums, x, &affine[0], y,
                                                                     &affine[1], tiles);
    else
        (wide ? fused->sums->tiles_f64 : fused->sums->tiles_f32)(sums, x, &affine[0], tiles);
    return tiles;
}

static void give_state(const stn_reduce_job *job, double sum, void *state)
{
    const double wide = sum * job->fused.factor;
    const float narrow = (float)wide;
    if (job->launch.arithmetic == STN_F32)
        memcpy(state, &narrow, sizeof narrow);
    else
        memcpy(state, &wide, sizeof wide);
}

void stn_reduce_fold_fused(const stn_reduce_job *job, const int64_t *position, int64_t count,
                           void *state)
{
    const stn_fused_sum *fused = &job->fused;
    const stn_slot *slots = job->launch.slots;
    const int64_t full = count / STN_TILE_ELEMENTS, rest = count % STN_TILE_ELEMENTS;
    const char *x = stn_code_at(job, fused->x, position[fused->x]);
    const char *y = fused->y < 0 ? NULL : stn_code_at(job, fused->y, position[fused->y]);
    double sums[STN_EXACT_TILES + 1];
    int64_t done = sum_full(job, x, y, sums, full);
    if (rest > 0)
        sums[done++] = sum_rest(
            job, x + full * STN_TILE_ELEMENTS * slots[fused->x].reader.run.bytes,
            y ? y + full * STN_TILE_ELEMENTS * slots[fused->y].reader.run.bytes : NULL, rest);
    stn_fold_leaves(stn_add_of(job->launch.arithmetic), sizeof *sums, sums, 1, done);
    give_state(job, sums[0], state);
}
