/* Selection of the kind of storage that products of a matrix read. */
#include <math.h>
#include <stdio.h>

#include "blas/call.h"
#include "core/clock.h"
#include "core/grow.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/run.h"
#include "sparse/kinds/cost.h"
#include "sparse/kinds/optimized_copy.h"
#include "sparse/kinds/packed.h"
#include "sparse/kinds/plain.h"
#include "sparse/product/row_sums.h"
#include "steno/sparse_optimize.h"
#include "view/scales.h"
#include "view/view.h"

static const char call[] = "stn_matrix_optimize";

enum {
    MIN_PRODUCTS = 4,    /* no conversion is recovered by fewer products */
    MANY_PRODUCTS = 100, /* a few more of them are negligible */
    MIN_ROUNDS = 3,      /* of timed products */
    MAX_ROUNDS = 20,
    MAX_KINDS = 4
};

/* Relative error of the model up to which products are timed: other processors than those of the
 * model, and other load of the memory, change the quotients of the kinds by this much. */
static const double MODEL_ERROR = 0.35;

/* A copy must be faster than the arrays by this factor, which exceeds the noise of timed products.
 */
static const double LEAST_GAIN = 1.03;

/* Seconds of timed products in total, as a part of the expected ones and at least. */
static const double TIMED_PART = 0.02, LEAST_SECONDS = 2e-3;

typedef struct candidate {
    stn_matrix_kind kind;
    double seconds, conversion; /* of a product and of the conversion */
} candidate;

typedef struct optimization {
    const stn_exec *exec;
    stn_format arithmetic;
    const stn_matrix *a;
    stn_matrix source; /* the arrays of `a`; repeated entries are kept */
    int64_t products;
    stn_optimize_options options;
    stn_optimize_report report;
    candidate kinds[MAX_KINDS];
    int count;        /* of kinds */
    stn_matrix *copy; /* fastest copy, or NULL */
    double best;      /* seconds per product of the copy or, without one, of the arrays */
    stn_view x, y;    /* operands of timed products, or empty */
} optimization;

/* ---- reasons ---- */

static const char *name_of(stn_matrix_kind kind)
{
    static const char *const names[] = {[STN_MATRIX_AUTO] = "no kind",
                                        [STN_MATRIX_CSR] = "compressed rows",
                                        [STN_MATRIX_SLICED] = "slices",
                                        [STN_MATRIX_COO] = "coordinates",
                                        [STN_MATRIX_ELL] = "ELL",
                                        [STN_MATRIX_SELL] = "SELL-C-sigma",
                                        [STN_MATRIX_PACKED] = "packed slices"};
    return names[kind];
}

typedef struct duration {
    char text[24];
} duration;

static duration duration_of(double seconds)
{
    duration result;
    const double scale = seconds < 1e-3 ? 1e6 : seconds < 1.0 ? 1e3 : 1.0;
    (void)snprintf(result.text, sizeof result.text, "%.3g %s", scale * seconds,
                   seconds < 1e-3  ? "us"
                   : seconds < 1.0 ? "ms"
                                   : "s");
    return result;
}

#define REASON(job, ...)                                                                           \
    (void)snprintf((job)->report.reason, sizeof(job)->report.reason, __VA_ARGS__)
#define UNCHANGED(job, text, ...)                                                                  \
    REASON(job, "%s, unchanged: " text, name_of((job)->a->kind), __VA_ARGS__)

static const char *basis_of(const optimization *job)
{
    return job->report.is_timed ? "timed" : "estimated";
}

static void explain_slower(optimization *job, const candidate *kind)
{
    UNCHANGED(job, "%s take %s per product instead of %s (%s)", name_of(kind->kind),
              duration_of(kind->seconds).text, duration_of(job->best).text, basis_of(job));
}

static void explain_estimate(optimization *job, const candidate *kind)
{
    const double gain = (job->best - kind->seconds) * (double)job->products;
    if (gain <= 0.0)
        explain_slower(job, kind);
    else
        UNCHANGED(job, "%lld products with %s gain %s (%s), but the conversion takes %s",
                  (long long)job->products, name_of(kind->kind), duration_of(gain).text,
                  basis_of(job), duration_of(kind->conversion).text);
}

static void explain_copy(optimization *job, const candidate *kind)
{
    REASON(job, "%s: %s per product instead of %s (%s); %.3g products recover the conversion of %s",
           name_of(kind->kind), duration_of(kind->seconds).text,
           duration_of(job->report.original_seconds).text, basis_of(job),
           ceil(kind->conversion / (job->report.original_seconds - kind->seconds)),
           duration_of(kind->conversion).text);
}

/* ---- timed products ---- */

static stn_status create_operands(optimization *job)
{
    const int64_t count[2] = {job->a->columns, job->a->rows};
    stn_view *const operands[2] = {&job->x, &job->y};
    for (int k = 0; k < 2 && stn_view_is_empty(operands[k]); k++) {
        STN_TRY(stn_view_create_spec(job->exec, operands[k],
                                     &STN_VIEW_SPEC(.label = "a vector of timed products",
                                                    .storage = stn_storage_of(job->arithmetic),
                                                    .rank = 1, .extents = &count[k],
                                                    .flags = STN_CREATE_UNINITIALIZED)));
        STN_TRY(stn_view_fill(job->exec, operands[k], 1.0));
    }
    return STN_OK;
}

static stn_status time_product(const optimization *job, const stn_matrix *a, double *seconds)
{
    STN_TRY(stn_exec_wait(job->exec));
    const double begin = stn_seconds_now();
    STN_TRY(stn_spmv(job->exec, job->arithmetic, 1.0, a, &job->x, 0.0, &job->y));
    STN_TRY(stn_exec_wait(job->exec));
    *seconds = stn_seconds_now() - begin;
    return STN_OK;
}

/* Alternates between the matrices, which are one or two; *seconds are the shortest times. */
static stn_status time_products(optimization *job, int count, const stn_matrix *const *matrices,
                                double *seconds)
{
    const double limit = fmax(LEAST_SECONDS, TIMED_PART * (double)job->products * job->best);
    double total = 0.0, one;
    STN_TRY(create_operands(job));
    for (int m = 0; m < count; m++) {
        seconds[m] = INFINITY;
        STN_TRY(time_product(job, matrices[m], &one)); /* loads the caches */
    }
    for (int round = 0; round < MAX_ROUNDS && (round < MIN_ROUNDS || total < limit); round++)
        for (int m = 0; m < count; m++) {
            STN_TRY(time_product(job, matrices[m], &one));
            seconds[m] = fmin(seconds[m], one);
            total += one;
        }
    return STN_OK;
}

/* ---- copies ---- */

static stn_status create_copy(const optimization *job, stn_matrix_kind kind, stn_matrix **copy,
                              double *seconds)
{
    const double begin = stn_seconds_now();
    const stn_status status = stn_copy_create(job->exec, copy, job->a, kind);
    *seconds = stn_seconds_now() - begin;
    return status;
}

/* The size of a copy that would exceed the limit of the options; 0 if it does not. */
static stn_status find_excess(const optimization *job, stn_matrix_kind kind, int64_t *bytes)
{
    *bytes = 0;
    if (job->options.max_bytes == 0)
        return STN_OK;
    STN_TRY(stn_sparse_bytes(&job->source, kind, job->source.storage.format, bytes));
    if (*bytes <= job->options.max_bytes)
        *bytes = 0;
    return STN_OK;
}

/* ---- candidates ---- */

static int has_block_scales(const stn_matrix *a)
{
    return !stn_view_is_empty(&a->codes) && stn_view_has_scales(&a->codes);
}

static void add_kind(optimization *job, stn_matrix_kind kind)
{
    const int are_slices = kind == STN_MATRIX_SLICED || kind == STN_MATRIX_PACKED;
    if (are_slices && !stn_view_is_empty(&job->a->scales))
        return;
    job->kinds[job->count++].kind = kind;
}

/* Kinds that may be faster than the arrays. On devices, threads read interleaved rows together. */
static void list_kinds(optimization *job)
{
    const stn_matrix *const a = job->a;
    static const stn_matrix_kind remote[] = {STN_MATRIX_SLICED, STN_MATRIX_SELL, STN_MATRIX_ELL,
                                             STN_MATRIX_CSR};
    if (has_block_scales(a) || stn_exec_is_reference(job->exec) || a->entries == 0)
        return;
    for (int k = 0; k < MAX_KINDS && stn_exec_device(job->exec); k++)
        if (remote[k] != a->kind)
            add_kind(job, remote[k]);
    if (stn_exec_device(job->exec))
        return;
    if (a->kind != STN_MATRIX_SLICED)
        add_kind(job, STN_MATRIX_SLICED);
    if (a->kind != STN_MATRIX_PACKED && !stn_matrix_is_complex(a) && stn_sum_rows_is_supported())
        add_kind(job, STN_MATRIX_PACKED);
    if (stn_matrix_has_slices(a) || !stn_spmv_is_fusible(a))
        add_kind(job, STN_MATRIX_CSR);
}

static int has_kind(const optimization *job, stn_matrix_kind kind)
{
    for (int k = 0; k < job->count; k++)
        if (job->kinds[k].kind == kind)
            return 1;
    return 0;
}

static void remove_kind(optimization *job, stn_matrix_kind kind)
{
    int kept = 0;
    for (int k = 0; k < job->count; k++)
        if (job->kinds[k].kind != kind)
            job->kinds[kept++] = job->kinds[k];
    job->count = kept;
}

static void explain_no_kind(optimization *job)
{
    if (job->a->entries == 0)
        UNCHANGED(job, "%s", "the matrix has no entries");
    else if (stn_exec_is_reference(job->exec))
        UNCHANGED(job, "%s", "the reference executor has one loop for all kinds");
    else if (has_block_scales(job->a))
        UNCHANGED(job, "%s", "values with scales of blocks have no other kind");
    else
        UNCHANGED(job, "%s", "slices have no scales of rows");
}

static void sort_kinds(optimization *job)
{
    for (int k = 1; k < job->count; k++)
        for (int n = k; n > 0 && job->kinds[n].seconds < job->kinds[n - 1].seconds; n--) {
            const candidate slower = job->kinds[n - 1];
            job->kinds[n - 1] = job->kinds[n];
            job->kinds[n] = slower;
        }
}

/* ---- estimates ---- */

static void estimate_host(optimization *job, const stn_costs *costs)
{
    const stn_cost original = stn_cost_of_arrays(job->a, costs);
    job->best = stn_cost_seconds(job->exec, &original);
    for (int k = 0; k < job->count; k++) {
        const stn_matrix_kind kind = job->kinds[k].kind;
        /* Matrices of other kinds become compressed rows first. */
        const double cycles = (kind == STN_MATRIX_SLICED   ? costs->slice_cycles
                               : kind == STN_MATRIX_PACKED ? costs->pack_cycles
                                                           : 0.0) +
                              (stn_spmv_is_fusible(job->a) ? 0.0 : costs->compress_cycles);
        job->kinds[k].seconds =
            stn_cost_seconds(job->exec, kind == STN_MATRIX_SLICED   ? &costs->sliced
                                        : kind == STN_MATRIX_PACKED ? &costs->packed
                                                                    : &costs->compressed);
        job->kinds[k].conversion = stn_cost_conversion_seconds(job->exec, cycles);
    }
}

/* Packed slices are a candidate if the values fit into a dictionary. */
static stn_status estimate_packed(optimization *job, const stn_matrix *rows, stn_costs *costs)
{
    int64_t distinct = job->a->distinct;
    if (has_kind(job, STN_MATRIX_PACKED))
        STN_TRY(stn_packed_count(rows, &distinct));
    else if (job->a->kind != STN_MATRIX_PACKED)
        return STN_OK;
    if (distinct > STN_PACKED_DISTINCT)
        remove_kind(job, STN_MATRIX_PACKED);
    else
        stn_cost_estimate_packed(rows, distinct, job->arithmetic, costs);
    return STN_OK;
}

static stn_status estimate_device(optimization *job, const stn_matrix *host, const stn_costs *costs)
{
    const stn_format format = host->storage.format;
    int64_t bytes;
    STN_TRY(stn_sparse_bytes(host, host->kind, format, &bytes));
    job->best = stn_cost_device_seconds(host->kind, bytes);
    for (int k = 0; k < job->count; k++) {
        STN_TRY(stn_sparse_bytes(host, job->kinds[k].kind, format, &bytes));
        job->kinds[k].seconds = stn_cost_device_seconds(job->kinds[k].kind, bytes);
        job->kinds[k].conversion = stn_cost_device_conversion(bytes, costs);
    }
    return STN_OK;
}

static stn_status estimate(optimization *job)
{
    stn_matrix host, rows;
    stn_costs costs;
    STN_TRY(stn_matrix_to_host(call, &job->source, &host));
    /* Values of packed slices are counted and compared. */
    const int is_whole = has_kind(job, STN_MATRIX_PACKED) || job->a->kind == STN_MATRIX_PACKED;
    stn_status status =
        stn_plain_create(call, stn_exec_on_host(job->exec), &host, is_whole, NULL, &rows);
    if (status == STN_OK) {
        stn_cost_estimate(&rows, host.storage.format, job->arithmetic, &costs);
        status = estimate_packed(job, &rows, &costs);
        if (status == STN_OK && stn_exec_device(job->exec))
            status = estimate_device(job, &host, &costs);
        else if (status == STN_OK)
            estimate_host(job, &costs);
        (void)stn_view_release(&rows.memory);
    }
    (void)stn_view_release(&host.memory);
    sort_kinds(job);
    job->report.original_seconds = job->best;
    return status;
}

/* ---- decision ---- */

static int pays_off(const optimization *job, const candidate *kind, double error)
{
    return (job->best - (1.0 - error) * kind->seconds) * (double)job->products > kind->conversion;
}

static void report_kind(optimization *job, const candidate *kind)
{
    job->report.other_kind = kind->kind;
    job->report.other_seconds = kind->seconds;
    job->report.conversion_seconds = kind->conversion;
}

static void keep_copy(optimization *job, const candidate *kind, stn_matrix *copy)
{
    stn_copy_release(job->copy);
    job->copy = copy;
    job->best = kind->seconds;
    report_kind(job, kind);
    explain_copy(job, kind);
}

/* Times a copy and keeps it if it is faster than the best storage so far. */
static stn_status compare_copy(optimization *job, candidate *kind, stn_matrix *copy)
{
    const stn_matrix *const matrices[2] = {job->copy ? job->copy : &job->source, copy};
    double seconds[2];
    const stn_status status = time_products(job, 2, matrices, seconds);
    if (status == STN_OK) {
        kind->seconds = seconds[1];
        job->best = seconds[0];
        job->report.is_timed = 1;
        if (!job->copy) {
            job->report.original_seconds = seconds[0];
            report_kind(job, kind);
            explain_slower(job, kind);
        }
        if (seconds[0] > LEAST_GAIN * seconds[1]) {
            keep_copy(job, kind, copy);
            return STN_OK;
        }
    }
    stn_copy_release(copy);
    return status;
}

static stn_status try_kind(optimization *job, candidate *kind)
{
    stn_matrix *copy;
    int64_t excess;
    STN_TRY(find_excess(job, kind->kind, &excess));
    if (excess > 0) {
        if (!job->copy)
            UNCHANGED(job, "%s take %lld bytes, more than max_bytes (%lld)", name_of(kind->kind),
                      (long long)excess, (long long)job->options.max_bytes);
        return STN_OK;
    }
    const double estimate = kind->conversion;
    const stn_status status = create_copy(job, kind->kind, &copy, &kind->conversion);
    if (status == STN_ERR_UNSUPPORTED && !job->copy)
        UNCHANGED(job, "%s", stn_error());
    if (status != STN_OK)
        return status == STN_ERR_UNSUPPORTED ? STN_OK : status;
    if (job->options.method == STN_OPTIMIZE_TIMED)
        return compare_copy(job, kind, copy);
    kind->conversion = estimate;
    keep_copy(job, kind, copy);
    return STN_OK;
}

/* Products with the arrays are timed if a faster kind may pay off, or if their time is negligible.
 */
static stn_status time_original(optimization *job)
{
    const stn_matrix *const original = &job->source;
    int may_pay_off = 0;
    for (int k = 0; k < job->count; k++)
        may_pay_off |= pays_off(job, &job->kinds[k], 2.0 * MODEL_ERROR);
    if (!may_pay_off && job->products < MANY_PRODUCTS)
        return STN_OK;
    STN_TRY(time_products(job, 1, &original, &job->best));
    job->report.original_seconds = job->best;
    return STN_OK;
}

static stn_status select_kind(optimization *job)
{
    const int is_timed = job->options.method == STN_OPTIMIZE_TIMED;
    STN_TRY(estimate(job));
    if (is_timed)
        STN_TRY(time_original(job));
    report_kind(job, &job->kinds[0]);
    explain_estimate(job, &job->kinds[0]);
    for (int k = 0; k < job->count; k++)
        if (pays_off(job, &job->kinds[k], is_timed ? MODEL_ERROR : 0.0))
            STN_TRY(try_kind(job, &job->kinds[k]));
    return STN_OK;
}

static stn_status create_requested(optimization *job)
{
    int64_t excess;
    STN_TRY(find_excess(job, job->options.kind, &excess));
    if (excess > 0)
        return stn_fail(STN_ERR_RANGE, "%s take %lld bytes, more than max_bytes (%lld)",
                        name_of(job->options.kind), (long long)excess,
                        (long long)job->options.max_bytes);
    job->report.other_kind = job->options.kind;
    REASON(job, "%s: requested by the options", name_of(job->options.kind));
    return create_copy(job, job->options.kind, &job->copy, &job->report.conversion_seconds);
}

static stn_status decide(optimization *job)
{
    if (job->options.kind != STN_MATRIX_AUTO && job->products > 0)
        return create_requested(job);
    list_kinds(job);
    if (job->products == 0)
        UNCHANGED(job, "%s", "no products are expected");
    else if (job->count == 0)
        explain_no_kind(job);
    else if (job->products < MIN_PRODUCTS)
        UNCHANGED(job, "%lld products take less time than any conversion",
                  (long long)job->products);
    else
        return select_kind(job);
    return STN_OK;
}

/* ---- checks ---- */

static stn_status expect_arithmetic(stn_format arithmetic, const stn_matrix *a)
{
    stn_run run;
    const int is_complex = stn_blas_is_complex(arithmetic);
    if (is_complex ? arithmetic != STN_C128 && arithmetic != STN_C64
                   : arithmetic != STN_F64 && arithmetic != STN_F32)
        return stn_fail(STN_ERR_UNSUPPORTED, "arithmetic is %s; it must be f64, f32, c128 or c64",
                        stn_format_text(arithmetic));
    if (stn_matrix_is_complex(a) && !is_complex)
        return stn_fail(STN_ERR_UNSUPPORTED, "values of %s are complex numbers, arithmetic is %s",
                        stn_matrix_name(a), stn_format_text(arithmetic));
    if (is_complex && !stn_matrix_is_complex(a))
        arithmetic = arithmetic == STN_C128 ? STN_F64 : STN_F32;
    return stn_run_init(&run, arithmetic, &a->storage);
}

static stn_status expect(const optimization *job)
{
    const stn_optimize_options *const options = &job->options;
    STN_TRY(stn_spmv_expect_matrix(job->exec, job->a));
    STN_TRY(expect_arithmetic(job->arithmetic, job->a));
    if (job->products < 0)
        return stn_fail(STN_ERR_ARGUMENT, "expected_products is %lld; it must be at least 0",
                        (long long)job->products);
    if (options->kind < STN_MATRIX_AUTO || options->kind > STN_MATRIX_PACKED)
        return stn_fail(STN_ERR_ARGUMENT,
                        "kind is %d; it must be STN_MATRIX_AUTO (0) to STN_MATRIX_PACKED (6)",
                        (int)options->kind);
    if (options->method != STN_OPTIMIZE_TIMED && options->method != STN_OPTIMIZE_MODEL)
        return stn_fail(STN_ERR_ARGUMENT,
                        "method is %d; it must be STN_OPTIMIZE_TIMED (0) or STN_OPTIMIZE_MODEL (1)",
                        (int)options->method);
    if (options->max_bytes < 0)
        return stn_fail(STN_ERR_ARGUMENT, "max_bytes is %lld; it must be at least 0",
                        (long long)options->max_bytes);
    return STN_OK;
}

/* ---- calls ---- */

static void install_copy(stn_matrix *a, optimization *job)
{
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    stn_matrix_discard_optimized(a);
    a->optimized = job->copy;
    job->report.kind = a->kind;
    if (!job->copy)
        return;
    (void)stn_matrix_describe(job->copy, &info);
    job->report.kind = info.kind;
    job->report.bytes = info.bytes;
}

static stn_status optimize(optimization *job, stn_matrix *a, const stn_optimize_options *options)
{
    if (options)
        STN_TRY(
            STN_STRUCT_READ(&job->options, options, stn_optimize_options, max_bytes, "options"));
    STN_TRY(expect(job));
    job->source = stn_copy_source(a);
    stn_status status = decide(job);
    (void)stn_view_release(&job->x);
    (void)stn_view_release(&job->y);
    if (status != STN_OK) {
        stn_copy_release(job->copy);
        return status;
    }
    install_copy(a, job);
    return STN_OK;
}

static stn_status optimize_and_report(optimization *job, stn_matrix *a,
                                      const stn_optimize_options *options,
                                      stn_optimize_report *report)
{
    STN_TRY(stn_exec_expect(call, job->exec));
    stn_status status =
        report ? STN_STRUCT_CHECK(report, stn_optimize_report, reason, "report") : STN_OK;
    if (status == STN_OK)
        status = optimize(job, a, options);
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    if (report)
        STN_STRUCT_WRITE(report, &job->report, stn_optimize_report);
    return STN_OK;
}

stn_status stn_matrix_optimize(const stn_exec *exec, stn_format arithmetic, stn_matrix *a,
                               int64_t expected_products, const stn_optimize_options *options,
                               stn_optimize_report *report)
{
    optimization job = {.exec = exec,
                        .arithmetic = arithmetic,
                        .a = a,
                        .products = expected_products,
                        .options = STN_OPTIMIZE_OPTIONS_INIT,
                        .report = STN_OPTIMIZE_REPORT_INIT};
    STN_RETURN_IN_MODES(optimize_and_report(&job, a, options, report));
}
