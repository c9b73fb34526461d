/* Choosing scales so that all elements of one view are in the range of the format of another. */
#include <math.h>
#include <string.h>

#include "core/modes.h"
#include "core/status.h"
#include "format/fit.h"
#include "view/copy/copy.h"
#include "view/layout/mapping.h"
#include "view/reader.h"
#include "view/scale_run.h"

/* Number of elements decoded at a time. */
enum { BLOCK = 1024 };

/* Largest finite magnitudes of positive and negative values, as bits of doubles: bits of doubles
 * that are not negative are ordered like integers. */
typedef struct fit_job {
    const stn_view *from;
    int64_t begin[STN_MAX_RANK], count[STN_MAX_RANK]; /* box of elements with one scale */
    int64_t block[STN_MAX_RANK], blocks[STN_MAX_RANK];
    int64_t number;
    int inner; /* dimension of contiguous elements */
    uint64_t above, below;
    stn_reader reader;
} fit_job;

static void raise(uint64_t *maximum, double x)
{
    uint64_t bits, old = __atomic_load_n(maximum, __ATOMIC_RELAXED);
    memcpy(&bits, &x, sizeof bits);
    while (bits > old &&
           !__atomic_compare_exchange_n(maximum, &old, bits, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static double read_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Decodes the elements of a part, row by row along the inner dimension. Parts may begin within
 * blocks of a block format. */
static int64_t decode(const fit_job *job, int64_t number, double *values)
{
    const int rank = job->from->rank, inner = job->inner;
    int64_t extent[STN_MAX_RANK], index[STN_MAX_RANK], at[STN_MAX_RANK] = {0}, count = 0;
    int64_t row = 1, step = 1, first = 0;
    stn_nest_indices(rank, job->blocks, (uint64_t)number, index);
    for (int d = 0; d < rank; d++) {
        const int64_t begin = index[d] * job->block[d], left = job->count[d] - begin;
        extent[d] = left < job->block[d] ? left : job->block[d];
        first += (job->begin[d] + begin) * job->reader.steps[d];
    }
    if (rank > 0) {
        row = extent[inner];
        step = job->reader.steps[inner];
        extent[inner] = 1;
    }
    do {
        int64_t position = first;
        for (int d = 0; d < rank; d++)
            position += at[d] * job->reader.steps[d];
        stn_read(&job->reader, values + count, position, step, row);
        count += row;
    } while (stn_nest_next(rank, extent, at));
    return count;
}

static void share_blocks(void *context, int part, int parts)
{
    fit_job *job = context;
    double values[BLOCK], above = 0.0, below = 0.0;
    int64_t begin, end;
    stn_share(job->number, part, parts, &begin, &end);
    for (int64_t b = begin; b < end; b++) {
        const int64_t count = decode(job, b, values);
        for (int64_t k = 0; k < count; k++) {
            const double x = isfinite(values[k]) ? values[k] : 0.0;
            above = x > above ? x : above;
            below = -x > below ? -x : below;
        }
    }
    raise(&job->above, above);
    raise(&job->below, below);
}

/* Chooses the scale for the elements of a box. */
static stn_status fit_box(const stn_exec *exec, fit_job *job, const stn_view *view,
                          stn_scale_choice choice, double *scale)
{
    int64_t capacity = BLOCK, elements = 1;
    stn_storage fitted = view->storage;
    fitted.scale = 1.0;
    job->number = 1;
    job->above = job->below = 0;
    for (int k = 0, rank = job->from->rank; k < rank; k++) {
        const int d = k == 0 ? job->inner : rank - k - (rank - k <= job->inner);
        job->block[d] = job->count[d] < capacity ? job->count[d] : capacity;
        capacity /= job->block[d];
        job->blocks[d] = (job->count[d] + job->block[d] - 1) / job->block[d];
        job->number *= job->blocks[d];
        elements *= job->count[d];
    }
    stn_exec_run_sized(exec, (double)(elements * (int64_t)sizeof(double)), share_blocks, job);
    const double reach[2] = {read_of(job->above), -read_of(job->below)};
    const stn_status status = stn_fit_scale(&fitted, STN_F64, reach, 2, choice);
    if (status != STN_OK)
        return stn_view_error_prefix("stn_view_fit_scales", view, status);
    *scale = fitted.scale;
    return STN_OK;
}

/* ---- one scale for each part ---- */

/* Rounded up to f32, so that quotients stay within the range of the format. */
static float to_f32(double scale)
{
    const float narrow = (float)scale;
    return (double)narrow < scale ? nextafterf(narrow, INFINITY) : narrow;
}

static stn_status put_scale(const stn_view *view, const int64_t *indices, double scale,
                            int is_trial)
{
    const stn_scales *const scales = &stn_view_whole(view)->scales;
    const float narrow = to_f32(scale);
    if (scales->format == STN_F32 && !isfinite(narrow))
        return stn_fail(
            STN_ERR_RANGE,
            "stn_view_fit_scales: scale %g for %s does not fit in f32, the format of its scales",
            scale, stn_view_text(view));
    if (is_trial)
        return STN_OK;
    void *address = stn_scale_address(view, indices);
    if (scales->format == STN_F32)
        memcpy(address, &narrow, sizeof narrow);
    else
        memcpy(address, &scale, sizeof scale);
    return STN_OK;
}

static stn_status fit_each(const stn_exec *exec, const stn_view *view, fit_job *job,
                           stn_scale_choice choice, int is_trial)
{
    const stn_scales scales = stn_scales_of(view);
    int64_t extents[STN_MAX_RANK], at[STN_MAX_RANK] = {0};
    for (int d = 0; d < view->rank; d++)
        extents[d] = stn_view_scale_extent(view, &scales, d);
    do {
        double scale;
        for (int d = 0; d < view->rank; d++) {
            job->begin[d] = stn_view_scale_begin(view, &scales, d, at[d]);
            job->count[d] = stn_view_scale_begin(view, &scales, d, at[d] + 1) - job->begin[d];
        }
        STN_TRY(fit_box(exec, job, view, choice, &scale));
        STN_TRY(put_scale(view, job->begin, scale, is_trial));
    } while (stn_nest_next(view->rank, extents, at));
    return STN_OK;
}

/* ---- the public call ---- */

static int inner_of(const stn_view *view)
{
    const stn_mapping *const mapping = stn_view_mapping(view);
    if (!mapping)
        return stn_view_layout(view) == STN_LAYOUT_LEFT ? 0 : view->rank - 1;
    for (int d = 0; d < view->rank; d++)
        if (view->axis[d] == mapping->rank - 1)
            return d;
    return view->rank - 1;
}

static stn_status check(const stn_exec *exec, const stn_view *view, const stn_view *from,
                        fit_job *job)
{
    static const char call[] = "stn_view_fit_scales";
    stn_view like = *from;
    stn_conversion conversion;
    int moves;
    like.read_only = 0; /* no elements are written */
    like.traits = 0;
    STN_TRY(stn_view_check(call, view));
    stn_view shape = *view;
    shape.read_only = 0;
    shape.traits = 0;
    STN_TRY(stn_copy_expect(call, exec, &shape, from));
    if (stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: the %s executor does not choose scales for %s",
                        call, stn_exec_name(exec), stn_view_text(from));
    if (stn_view_is_empty(view))
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is " STN_EMPTY_VIEW, call);
    like.storage = stn_storage_of(STN_F64);
    stn_view_drop_scales(&like);
    STN_TRY(stn_conversion_init(&conversion, &moves, call, exec, &like, from));
    job->inner = inner_of(from);
    return stn_reader_init(&job->reader, call, exec, STN_F64, from);
}

static stn_status fit(const stn_exec *exec, stn_view *view, const stn_view *from,
                      stn_scale_choice choice)
{
    fit_job job = {.from = from};
    STN_TRY(stn_view_check("stn_view_fit_scales", from));
    STN_TRY(check(exec, view, from, &job));
    if (stn_view_count(view) == 0)
        return STN_OK;
    if (!stn_view_has_scales(view)) {
        memcpy(job.count, view->extent, sizeof job.count);
        return fit_box(exec, &job, view, choice, &view->storage.scale);
    }
    STN_TRY(fit_each(exec, view, &job, choice, 1)); /* on an error, nothing is written */
    return fit_each(exec, view, &job, choice, 0);
}

stn_status stn_view_fit_scales(const stn_exec *exec, stn_view *view, const stn_view *from,
                               stn_scale_choice choice)
{
    STN_RETURN_IN_MODES(fit(exec, view, from, choice));
}
