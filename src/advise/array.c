/* Advice for arrays: exact errors and measured speed of every format with every kind of scales. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/grow.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "steno/advise.h"
#include "steno/array_functions.h"

/* SLAB: elements that are converted together, and on which the speed is measured. */
enum { BLOCK = 32, SLAB = 1 << 21, PART = 1 << 12, KINDS = 3, READS = 3 };
static const char call[] = "stn_advise_array";

struct stn_array_advice {
    stn_array_choice *list;
    int count, best;
};

/* Sums over PART elements, which are added in ascending order. */
typedef struct part_errors {
    double most, sum; /* largest magnitude, and sum of the squares over `scale` squared */
} part_errors;

typedef struct evaluation {
    const stn_exec *exec;
    stn_array_advice_options options;
    int is_complex;
    double *values;      /* the array as rows of `width` f64 */
    double *decoded;     /* a slab */
    int64_t rows, width; /* width: elements of the last dimension, twice as many if complex */
    int64_t slab_rows;
    double largest, root; /* largest magnitude and root mean square of the finite values */
    double unit;          /* power of two near `largest`: squares are of values / unit */
    part_errors *parts;   /* of a slab */
    stn_array_advice *advice;
} evaluation;

/* ---- errors ---- */

/* 0 for infinities and NaN that are kept. */
static double error_of(double value, double stored)
{
    if (isfinite(value))
        return isfinite(stored) ? fabs(value - stored) : INFINITY;
    return value == stored || (isnan(value) && isnan(stored)) ? 0.0 : INFINITY;
}

typedef struct comparison {
    const evaluation *job;
    const double *values, *stored; /* stored NULL: magnitudes of the finite values */
    int64_t count;
} comparison;

static void compare_parts(void *context, int part, int parts)
{
    const comparison *const of = context;
    int64_t begin, end;
    stn_share((of->count + PART - 1) / PART, part, parts, &begin, &end);
    for (int64_t p = begin; p < end; p++) {
        const int64_t last = (p + 1) * PART < of->count ? (p + 1) * PART : of->count;
        part_errors own = {0.0, 0.0};
        for (int64_t k = p * PART; k < last; k++) {
            const double error = of->stored                ? error_of(of->values[k], of->stored[k])
                                 : isfinite(of->values[k]) ? fabs(of->values[k])
                                                           : 0.0;
            const double scaled = error / of->job->unit;
            own.most = error > own.most ? error : own.most;
            own.sum += scaled * scaled;
        }
        of->job->parts[p] = own;
    }
}

/* Adds the errors of a slab. */
static void compare(const evaluation *job, const comparison *of, part_errors *total)
{
    stn_exec_run_sized(job->exec, 16.0 * (double)of->count, compare_parts, (void *)(uintptr_t)of);
    for (int64_t p = 0; p < (of->count + PART - 1) / PART; p++) {
        total->most = fmax(total->most, job->parts[p].most);
        total->sum += job->parts[p].sum;
    }
}

static double root_of(const evaluation *job, double sum)
{
    const double count = (double)job->rows * (double)job->width;
    return count > 0.0 ? sqrt(sum / count) * job->unit : 0.0;
}

/* The unit avoids overflow and underflow of squares. */
static void measure_values(evaluation *job)
{
    part_errors total = {0.0, 0.0};
    for (int pass = 0; pass < 2; pass++) {
        total = (part_errors){0.0, 0.0};
        for (int64_t r = 0; r < job->rows; r += job->slab_rows) {
            const int64_t rows = job->rows - r < job->slab_rows ? job->rows - r : job->slab_rows;
            const comparison of = {job, job->values + r * job->width, NULL, rows * job->width};
            compare(job, &of, &total);
        }
        job->unit = total.most > 0.0 ? ldexp(1.0, ilogb(total.most)) : 1.0;
    }
    job->largest = total.most;
    job->root = root_of(job, total.sum);
}

/* ---- one storage ---- */

typedef struct trial {
    stn_array_choice choice;
    stn_view codes, inside, outside; /* a slab: stored, decoded, and of the array */
    float *block_scales;
    int64_t blocks; /* per row */
} trial;

static stn_status wrap_rows(stn_view *view, double *values, int64_t rows, int64_t width)
{
    const int64_t extents[] = {rows, width};
    return stn_view_wrap(view, "values", stn_storage_of(STN_F64), values, 2, extents);
}

static stn_status set_block_scales(const evaluation *job, trial *t)
{
    t->blocks = (job->width + BLOCK - 1) / BLOCK;
    STN_TRY(stn_allocate(&t->block_scales, job->slab_rows * t->blocks, sizeof(float), "scales"));
    for (int64_t k = 0; k < job->slab_rows * t->blocks; k++)
        t->block_scales[k] = 1.0f;
    const stn_scales scales = {.data = t->block_scales,
                               .format = STN_F32,
                               .dimension = 1,
                               .block = BLOCK,
                               .stride = {t->blocks, 1}};
    return stn_view_set_scales(&t->codes, &scales);
}

static stn_status begin_trial(const evaluation *job, trial *t)
{
    const int64_t extents[] = {job->slab_rows, job->width};
    stn_storage storage = stn_storage_of(t->choice.format);
    if (t->choice.scales == STN_ADVISE_FITTED)
        STN_TRY(stn_storage_fit_scale(&storage, STN_F64, job->values, job->rows * job->width,
                                      STN_SCALE_POWER_OF_TWO));
    t->choice.scale = storage.scale;
    STN_TRY(stn_view_create(job->exec, &t->codes, "codes", storage, 2, extents));
    return t->choice.scales == STN_ADVISE_BLOCKS ? set_block_scales(job, t) : STN_OK;
}

static stn_status try_slab(const evaluation *job, trial *t, int64_t first, int64_t rows,
                           part_errors *total)
{
    const stn_slice slices[] = {stn_slice_range(0, rows), stn_slice_all()};
    const comparison of = {job, job->values + first * job->width, job->decoded, rows * job->width};
    stn_view codes;
    STN_TRY(wrap_rows(&t->outside, job->values + first * job->width, rows, job->width));
    STN_TRY(wrap_rows(&t->inside, job->decoded, rows, job->width));
    if (t->choice.scales == STN_ADVISE_BLOCKS && rows == job->slab_rows)
        STN_TRY(stn_view_fit_scales(job->exec, &t->codes, &t->outside, STN_SCALE_POWER_OF_TWO));
    STN_TRY(stn_view_slice(&codes, &t->codes, 2, slices));
    if (t->choice.scales == STN_ADVISE_BLOCKS && rows < job->slab_rows)
        STN_TRY(stn_view_fit_scales(job->exec, &codes, &t->outside, STN_SCALE_POWER_OF_TWO));
    STN_TRY(stn_view_copy(job->exec, &codes, &t->outside));
    STN_TRY(stn_view_copy(job->exec, &t->inside, &codes));
    compare(job, &of, total);
    return STN_OK;
}

/* The first call is not timed. */
static stn_status measure_speed(const evaluation *job, trial *t)
{
    double best = INFINITY, sum;
    for (int k = 0; k <= READS; k++) {
        const double begin = stn_seconds_now();
        STN_TRY(stn_sum(job->exec, STN_F64, &sum, &t->codes));
        const double seconds = stn_seconds_now() - begin;
        best = k > 0 && seconds < best ? seconds : best;
    }
    t->choice.read_seconds = best / ((double)job->slab_rows * (double)job->width);
    return STN_OK;
}

static stn_status evaluate(const evaluation *job, trial *t)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    part_errors total = {0.0, 0.0};
    STN_TRY(stn_format_describe(t->choice.format, &info));
    STN_TRY(begin_trial(job, t));
    for (int64_t r = 0; r < job->rows; r += job->slab_rows) {
        const int64_t rows = job->rows - r < job->slab_rows ? job->rows - r : job->slab_rows;
        STN_TRY(try_slab(job, t, r, rows, &total));
        if (r == 0)
            STN_TRY(measure_speed(job, t));
    }
    const int64_t units = (job->width + info.block_elements - 1) / info.block_elements;
    t->choice.bytes = job->rows * (units * info.block_bytes + t->blocks * (int64_t)sizeof(float));
    t->choice.max_error = total.most;
    t->choice.rms_error = root_of(job, total.sum);
    t->choice.max_relative = job->largest > 0.0 ? total.most / job->largest : total.most;
    t->choice.rms_relative = job->root > 0.0 ? t->choice.rms_error / job->root : total.most;
    return STN_OK;
}

/* ---- all storages ---- */

static double error_in(const evaluation *job, const stn_array_choice *choice)
{
    const int is_rms = job->options.norm == STN_ERROR_RMS;
    if (job->options.is_relative)
        return is_rms ? choice->rms_relative : choice->max_relative;
    return is_rms ? choice->rms_error : choice->max_error;
}

/* A storage that cannot hold the values is omitted: no scale fits, or the codes cannot be summed.
 */
static int is_omitted(stn_status status)
{
    return status == STN_ERR_RANGE || status == STN_ERR_UNSUPPORTED || status == STN_ERR_FORMAT;
}

static stn_status try_storage(evaluation *job, stn_format component, stn_format format,
                              stn_advise_scales scales)
{
    trial t = {.choice = {.size = sizeof t.choice, .format = component, .scales = scales}};
    const stn_status status = evaluate(job, &t);
    (void)stn_view_release(&t.codes);
    stn_free(t.block_scales);
    if (is_omitted(status))
        return STN_OK;
    STN_TRY(status);
    t.choice.format = format;
    t.choice.meets_target = error_in(job, &t.choice) <= job->options.target;
    /* A fitted scale of 1 is the unscaled storage. */
    if (scales != STN_ADVISE_FITTED || t.choice.scale != 1.0)
        job->advice->list[job->advice->count++] = t.choice;
    return STN_OK;
}

static int matches(const evaluation *job, const stn_format_info *info)
{
    if (info->kind == STN_CLASS_COMPLEX)
        return job->is_complex;
    return !job->is_complex && info->kind != STN_CLASS_OPAQUE;
}

static stn_status try_formats(evaluation *job)
{
    const int32_t formats = stn_format_count();
    STN_TRY(stn_allocate(&job->advice->list, (int64_t)formats * KINDS, sizeof *job->advice->list,
                         "list of storages"));
    for (stn_format format = 0; format < formats; format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        STN_TRY(stn_format_describe(format, &info));
        for (int scales = 0; matches(job, &info) && scales < KINDS; scales++)
            STN_TRY(try_storage(job, job->is_complex ? info.component : format, format,
                                (stn_advise_scales)scales));
    }
    return STN_OK;
}

/* ---- order and selection ---- */

static int compare_choices(const void *left, const void *right)
{
    const stn_array_choice *const a = left, *const b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    if (a->max_error != b->max_error)
        return a->max_error < b->max_error ? -1 : 1;
    if (a->format != b->format)
        return a->format < b->format ? -1 : 1;
    return (a->scales > b->scales) - (a->scales < b->scales);
}

/* Times within 10 % are equal, as far as short measurements can distinguish them. Of two equal
 * storages, the first one in the list dominates. */
static int is_faster(const stn_array_choice *a, const stn_array_choice *b)
{
    return a->read_seconds < 0.9 * b->read_seconds;
}

static int dominates(const evaluation *job, const stn_array_choice *a, const stn_array_choice *b)
{
    const double error = error_in(job, a), other = error_in(job, b);
    if (a->bytes > b->bytes || error > other || is_faster(b, a))
        return 0;
    return a->bytes < b->bytes || error < other || is_faster(a, b) || a < b;
}

static int is_better(const evaluation *job, const stn_array_choice *a, const stn_array_choice *b)
{
    if (job->options.goal == STN_ADVISE_SPEED && (is_faster(a, b) || is_faster(b, a)))
        return is_faster(a, b);
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes;
    return is_faster(a, b);
}

static void select_best(const evaluation *job)
{
    stn_array_advice *const advice = job->advice;
    qsort(advice->list, (size_t)advice->count, sizeof *advice->list, compare_choices);
    advice->best = -1;
    for (int k = 0; k < advice->count; k++) {
        stn_array_choice *const choice = &advice->list[k];
        choice->is_efficient = 1;
        for (int other = 0; other < advice->count; other++)
            if (other != k && dominates(job, &advice->list[other], choice))
                choice->is_efficient = 0;
        if (choice->meets_target &&
            (advice->best < 0 || is_better(job, choice, &advice->list[advice->best])))
            advice->best = k;
    }
}

/* ---- calls ---- */

static stn_status expect(const stn_exec *exec, const stn_view *view,
                         const stn_array_advice_options *options)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    STN_TRY(stn_exec_expect(call, exec));
    if (stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: exec is a device; an executor of the host is "
                        "required",
                        call);
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is NULL", call);
    if (!(options->target >= 0.0))
        return stn_fail(STN_ERR_ARGUMENT, "%s: target is %g; it must be at least 0", call,
                        options->target);
    if (options->norm != STN_ERROR_MAX && options->norm != STN_ERROR_RMS)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: norm is %d; it must be STN_ERROR_MAX (0) or STN_ERROR_RMS (1)", call,
                        (int)options->norm);
    if (options->goal != STN_ADVISE_BYTES && options->goal != STN_ADVISE_SPEED)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: goal is %d; it must be STN_ADVISE_BYTES (0) or STN_ADVISE_SPEED (1)",
                        call, (int)options->goal);
    if (stn_view_count(view) == 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the view has no elements", call);
    STN_TRY(stn_format_describe(view->storage.format, &info));
    return info.kind == STN_CLASS_OPAQUE
               ? stn_fail(STN_ERR_FORMAT, "%s: the elements of the view are opaque", call)
               : STN_OK;
}

/* Copies the array to f64, complex numbers to c128. */
static stn_status read_values(evaluation *job, const stn_view *view)
{
    const stn_format wide = job->is_complex ? STN_C128 : STN_F64;
    const int64_t parts = job->is_complex ? 2 : 1, count = stn_view_count(view);
    const int64_t last = view->rank > 0 ? view->extent[view->rank - 1] : 1;
    stn_view all;
    job->width = last * parts;
    job->rows = last > 0 ? count / last : 0;
    job->slab_rows = job->width > 0 ? SLAB / job->width : 1;
    job->slab_rows = job->slab_rows < 1 ? 1 : job->slab_rows;
    job->slab_rows = job->slab_rows > job->rows ? job->rows : job->slab_rows;
    const int64_t slab = job->slab_rows * job->width;
    STN_TRY(stn_allocate(&job->values, count * parts, sizeof(double), "values"));
    STN_TRY(stn_allocate(&job->decoded, slab, sizeof(double), "values"));
    STN_TRY(stn_allocate(&job->parts, slab / PART + 1, sizeof *job->parts, "errors"));
    STN_TRY(
        stn_view_wrap(&all, "values", stn_storage_of(wide), job->values, view->rank, view->extent));
    return stn_view_copy(job->exec, &all, view);
}

static stn_status advise(evaluation *job, const stn_view *view)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    STN_TRY(expect(job->exec, view, &job->options));
    STN_TRY(stn_format_describe(view->storage.format, &info));
    job->is_complex = info.kind == STN_CLASS_COMPLEX;
    job->unit = 1.0;
    STN_TRY(stn_allocate(&job->advice, 1, sizeof *job->advice, "advice"));
    *job->advice = (stn_array_advice){.best = -1};
    STN_TRY(read_values(job, view));
    measure_values(job);
    STN_TRY(try_formats(job));
    select_best(job);
    return STN_OK;
}

static stn_status run(const stn_exec *exec, stn_array_advice **advice, const stn_view *view,
                      const stn_array_advice_options *options)
{
    evaluation job = {.exec = exec, .options = STN_ARRAY_ADVICE_OPTIONS_INIT};
    if (!advice)
        return stn_fail(STN_ERR_ARGUMENT, "%s: advice is NULL", call);
    *advice = NULL;
    if (options)
        STN_TRY(STN_STRUCT_READ(&job.options, options, stn_array_advice_options, target,
                                "stn_advise_array: options"));
    const stn_status status = advise(&job, view);
    stn_free(job.values);
    stn_free(job.decoded);
    stn_free(job.parts);
    if (status == STN_OK)
        *advice = job.advice;
    else
        stn_array_advice_release(job.advice);
    return status;
}

stn_status stn_advise_array(const stn_exec *exec, stn_array_advice **advice, const stn_view *view,
                            const stn_array_advice_options *options)
{
    STN_RETURN_IN_MODES(run(exec, advice, view, options));
}

int stn_array_advice_count(const stn_array_advice *advice)
{
    return advice ? advice->count : 0;
}

int stn_array_advice_best(const stn_array_advice *advice)
{
    return advice ? advice->best : -1;
}

stn_status stn_array_advice_describe(const stn_array_advice *advice, int index,
                                     stn_array_choice *choice)
{
    static const char name[] = "stn_array_advice_describe";
    if (!advice)
        return stn_fail(STN_ERR_ARGUMENT, "%s: advice is NULL", name);
    STN_TRY(STN_STRUCT_CHECK(choice, stn_array_choice, is_efficient,
                             "stn_array_advice_describe: choice"));
    if (index < 0 || index >= advice->count)
        return stn_fail(STN_ERR_RANGE, "%s: index is %d; there are %d storages", name, index,
                        advice->count);
    STN_STRUCT_WRITE(choice, &advice->list[index], stn_array_choice);
    return STN_OK;
}

void stn_array_advice_release(stn_array_advice *advice)
{
    if (advice)
        stn_free(advice->list);
    stn_free(advice);
}
