/* Preconditioners of incomplete factors: storage and application. */
#include "steno/ilu.h"

#include <math.h>
#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "core/modes.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "precondition/factor_format.h"
#include "precondition/ilu.h"
#include "precondition/ilu_factor.h"
#include "sparse/ops/triangular_pair.h"
#include "steno/kernel.h"
#include "view/view.h"

static const char call[] = "stn_ilu_create";

/* clang-format off */
STN_MAP(divide_pivots, (in(d), inout(y)), y = y / d;)
STN_MAP(scale, (in(s), in(x), out(y)), y = s * x;)
STN_MAP_COMPLEX(divide_complex, (in(d), inout(y)), y = stn_c_divide(y, d);)
/* clang-format on */

/* ---- formats ---- */

static int64_t parts_of(const stn_factors *factors)
{
    return factors->lower.storage.format == STN_C128 ? 2 : 1;
}

static void count_lost(const stn_format_info *info, double scale, const double *values,
                       int64_t count, stn_counters *lost)
{
    const double step = info->kind == STN_CLASS_INTEGER ? 1.0 : info->smallest;
    const double least = 0.5 * step * scale, most = info->highest * scale;
    for (int64_t k = 0; k < count; k++) {
        const double size = fabs(values[k]);
        lost->underflowed += size > 0.0 && size < least;
        lost->saturated += size > most;
    }
}

/* For complex numbers, the scale is chosen so that all parts are in range. */
static stn_status choose_storage(stn_format format, const stn_compressed *factor, int64_t parts,
                                 stn_storage *storage, stn_counters *lost)
{
    const stn_format_info *const info = stn_parts_info(format);
    const double *const values = (const double *)(const void *)factor->codes;
    const int64_t count = factor->entries * parts;
    stn_storage part = stn_storage_of(info->format);
    double max = 0.0;
    *storage = stn_storage_of(format);
    for (int64_t k = 0; k < count; k++)
        max = fmax(max, fabs(values[k]));
    if (stn_factor_needs_scale(info, max)) {
        STN_TRY(stn_storage_fit_scale(&part, STN_F64, values, count, STN_SCALE_POWER_OF_TWO));
        storage->scale = part.scale;
    }
    count_lost(info, storage->scale, values, count, lost);
    return STN_OK;
}

/* The unit triangle of a factor in its format. */
static stn_status create_triangle(const stn_exec *exec, const stn_compressed *factor, int64_t parts,
                                  stn_format format, stn_triangle triangle,
                                  const stn_levels *levels, stn_triangular *result,
                                  stn_counters *lost)
{
    stn_storage storage;
    stn_matrix narrow;
    STN_TRY(choose_storage(format, factor, parts, &storage, lost));
    const stn_matrix wide =
        stn_matrix_of_rows(triangle == STN_LOWER ? "L" : "U", factor->storage, factor->rows,
                           factor->columns, factor->start, factor->column, factor->codes);
    STN_TRY(stn_matrix_convert(NULL, &narrow, &wide, STN_MATRIX_CSR, &storage));
    const stn_status status =
        stn_triangular_create_in(exec, result, &narrow, triangle, STN_DIAGONAL_UNIT, levels);
    stn_matrix_clear(&narrow);
    return status;
}

/* Returns whether pivots can be stored in f32: they are in its range, and the factors are not more
 * precise. */
static int are_narrow(const stn_factors *factors, stn_format format)
{
    const stn_format_info *const info = stn_parts_info(format);
    const int64_t parts = parts_of(factors);
    const double *const pivot = factors->pivot;
    int are = info->kind == STN_CLASS_INTEGER ? info->bytes <= 2 : info->fraction_bits <= 23;
    for (int64_t r = 0; r < factors->lower.rows; r++) {
        const double size =
            parts == 2 ? fmax(fabs(pivot[2 * r]), fabs(pivot[2 * r + 1])) : fabs(pivot[r]);
        are = are && size >= 0x1p-120 && size <= 0x1p120;
    }
    return are;
}

/* Copies from the host without conversion, which device copies do not support. */
static stn_status move_pivots(const stn_exec *exec, stn_view *on_host, stn_view *result)
{
    const stn_status status =
        stn_view_mirror_view(exec, result, on_host, stn_exec_space(exec), STN_MIRROR_COPY);
    (void)stn_view_release(on_host);
    return status;
}

/* Pivots of padding rows are zero and never read. */
static stn_status order_pivots(const stn_view *pivots, const stn_triangular *lower,
                               stn_view *result)
{
    const int32_t *const position = lower->position.data;
    const size_t bytes = (size_t)stn_format_entry_of(pivots->storage.format)->info.bytes;
    STN_TRY(
        stn_view_create(NULL, result, "ordered pivots", pivots->storage, 1, lower->order.extent));
    for (int64_t r = 0; r < lower->rows; r++)
        memcpy((char *)result->data + (size_t)position[r] * bytes,
               (const char *)pivots->data + (size_t)r * bytes, bytes);
    return STN_OK;
}

static stn_status create_pivots(const stn_exec *exec, const stn_factors *factors, stn_format format,
                                int are_ordered, stn_ilu *result)
{
    static const stn_format stored[2][2] = {{STN_F64, STN_F32}, {STN_C128, STN_C64}};
    const stn_format *const formats = stored[parts_of(factors) - 1];
    const int64_t rows = factors->lower.rows;
    stn_view wide, on_host;
    STN_TRY(
        stn_view_wrap_const(&wide, "pivots", stn_storage_of(formats[0]), factors->pivot, 1, &rows));
    STN_TRY(stn_view_create_spec(
        NULL, &on_host,
        &STN_VIEW_SPEC(.label = "pivots",
                       .storage = stn_storage_of(formats[are_narrow(factors, format)]), .rank = 1,
                       .extents = &rows, .flags = STN_CREATE_UNINITIALIZED)));
    stn_status status = stn_view_copy(NULL, &on_host, &wide);
    if (status == STN_OK && are_ordered)
        status = order_pivots(&on_host, &result->lower, &result->ordered);
    if (status == STN_OK)
        return move_pivots(exec, &on_host, &result->pivots);
    (void)stn_view_release(&on_host);
    return status;
}

/* Both triangles share the order of rows and one workspace. */
static stn_status share_order(stn_ilu *result)
{
    stn_view *const method_data[] = {&result->upper.order, &result->upper.position,
                                     &result->upper.work};
    const stn_view *const other[] = {&result->lower.order, &result->lower.position,
                                     &result->lower.work};
    for (int k = 0; k < 3; k++) {
        STN_TRY(stn_view_release(method_data[k]));
        STN_TRY(stn_view_share(method_data[k], other[k]));
    }
    return STN_OK;
}

static stn_status create_triangles(const stn_exec *exec, const stn_factors *factors,
                                   stn_format format, const stn_levels *levels, stn_ilu *result)
{
    for (int k = 0; k < 2; k++)
        STN_TRY(create_triangle(exec, k ? &factors->upper : &factors->lower, parts_of(factors),
                                format, k ? STN_UPPER : STN_LOWER, levels->of ? levels : NULL,
                                k ? &result->upper : &result->lower, &result->base.lost));
    return levels->of ? share_order(result) : STN_OK;
}

static stn_status create_scales(const stn_exec *exec, const stn_factors *factors, stn_ilu *result)
{
    const double *const scales[2] = {factors->row_scale, factors->column_scale};
    stn_view *const to[2] = {&result->row_scale, &result->column_scale};
    const int64_t rows = factors->lower.rows;
    for (int k = 0; scales[0] && k < 2; k++) {
        stn_view on_host, wide;
        STN_TRY(stn_view_wrap_const(&wide, "scales", stn_storage_of(STN_F64), scales[k], 1, &rows));
        STN_TRY(stn_view_create_spec(
            NULL, &on_host,
            &STN_VIEW_SPEC(.label = k ? "scales of columns" : "scales of rows",
                           .storage = stn_storage_of(STN_F64), .rank = 1, .extents = &rows,
                           .flags = STN_CREATE_UNINITIALIZED)));
        const stn_status status = stn_view_copy(NULL, &on_host, &wide);
        if (status != STN_OK) {
            (void)stn_view_release(&on_host);
            return status;
        }
        STN_TRY(move_pivots(exec, &on_host, to[k]));
        result->base.info.bytes += rows * (int64_t)sizeof(double);
    }
    return STN_OK;
}

static stn_status store(const stn_exec *exec, const stn_factors *factors, stn_format format,
                        stn_ilu *result)
{
    const int64_t rows = factors->lower.rows;
    stn_levels levels = {NULL, 0};
    if (!stn_exec_device(exec) && parts_of(factors) == 1) /* otherwise the triangles are solved
                                                           * separately */
        STN_TRY(stn_common_levels(&factors->lower, &factors->upper, &levels));
    stn_status status = create_triangles(exec, factors, format, &levels, result);
    if (status == STN_OK)
        status = create_pivots(exec, factors, format, levels.of != NULL, result);
    stn_free(levels.of);
    STN_TRY(status);
    result->base.info.rows = rows;
    result->base.info.lower_levels = result->lower.levels;
    result->base.info.upper_levels = result->upper.levels;
    result->base.info.bytes = result->lower.bytes + result->upper.bytes +
                              rows * stn_format_entry_of(result->pivots.storage.format)->info.bytes;
    return create_scales(exec, factors, result);
}

/* ---- calls ---- */

static stn_status expect(const stn_exec *exec, const stn_matrix *a, const stn_ilu_options *options)
{
    STN_TRY(stn_exec_expect(call, exec));
    if (options->kind != STN_ILU0 && options->kind != STN_IC0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: kind is %d; it must be STN_ILU0 (%d) or STN_IC0 (%d)", call,
                        (int)options->kind, STN_ILU0, STN_IC0);
    STN_TRY(stn_matrix_expect(call, a));
    if (a->rows != a->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s (%lld x %lld) is not square", call,
                        stn_matrix_name(a), (long long)a->rows, (long long)a->columns);
    return options->format
               ? stn_expect_factor_format(call, *options->format, stn_matrix_is_complex(a))
               : STN_OK;
}

static stn_status create(const stn_exec *exec, stn_ilu *result, const stn_matrix *a,
                         const stn_ilu_options *options)
{
    stn_factors factors;
    stn_ilu_options full = STN_ILU_OPTIONS_INIT;
    if (options)
        STN_TRY(STN_STRUCT_READ(&full, options, stn_ilu_options, kind, "stn_ilu_create: options"));
    STN_TRY(expect(exec, a, &full));
    stn_status status = stn_ilu_factor(call, stn_exec_on_host(exec), a, full.kind, &factors);
    if (status == STN_OK)
        status =
            store(exec, &factors,
                  stn_factor_format(full.format ? *full.format : STN_F64, stn_matrix_is_complex(a)),
                  result);
    stn_factors_release(&factors);
    return status;
}

static void clear(stn_preconditioner *itself)
{
    stn_ilu *const ilu = (stn_ilu *)itself;
    stn_view *const views[] = {&ilu->pivots, &ilu->ordered, &ilu->row_scale, &ilu->column_scale};
    stn_triangular_clear(&ilu->lower);
    stn_triangular_clear(&ilu->upper);
    for (int k = 0; k < 4; k++)
        (void)stn_view_release(views[k]);
}

/* With real factors in complex arithmetic, each part of y. */
static stn_status divide(const stn_exec *exec, stn_format arithmetic, const stn_view *pivots,
                         const stn_view *y)
{
    const stn_format_class kind = stn_format_entry_of(pivots->storage.format)->info.kind;
    stn_view parts, divisors;
    if (arithmetic != STN_C128 && arithmetic != STN_C64)
        return divide_pivots_run(exec, arithmetic, pivots, y);
    if (kind == STN_CLASS_COMPLEX)
        return divide_complex_run(exec, arithmetic, pivots, y);
    STN_TRY(stn_parts_of(&parts, y));
    STN_TRY(stn_view_insert_axis(&divisors, pivots, 1));
    return divide_pivots_run(exec, arithmetic == STN_C128 ? STN_F64 : STN_F32, &divisors, &parts);
}

static stn_status solve(const stn_ilu *ilu, const stn_exec *exec, stn_format arithmetic,
                        const stn_view *x, const stn_view *y)
{
    const stn_triangular_pair pair = {&ilu->lower, &ilu->upper, &ilu->ordered};
    int is_done = 0;
    if (!stn_view_is_empty(&ilu->ordered))
        STN_TRY(stn_triangular_solve_pair(exec, arithmetic, &pair, x, y, &is_done));
    if (is_done)
        return STN_OK;
    STN_TRY(stn_triangular_solve(exec, arithmetic, y, &ilu->lower, x));
    STN_TRY(divide(exec, arithmetic, &ilu->pivots, y));
    return stn_triangular_solve(exec, arithmetic, y, &ilu->upper, y);
}

/* y = S x, with real scales. */
static stn_status multiply(const stn_exec *exec, stn_format arithmetic, const stn_view *scales,
                           const stn_view *x, const stn_view *y)
{
    stn_view factors, from, to;
    if (arithmetic == STN_F64)
        return scale_run(exec, STN_F64, scales, x, y);
    STN_TRY(stn_parts_of(&from, x));
    STN_TRY(stn_parts_of(&to, y));
    STN_TRY(stn_view_insert_axis(&factors, scales, 1));
    return scale_run(exec, STN_F64, &factors, &from, &to);
}

static stn_status apply(void *context, const stn_exec *exec, stn_format arithmetic,
                        const stn_view *x, const stn_view *y)
{
    const stn_ilu *const ilu = context;
    if (stn_view_is_empty(&ilu->row_scale))
        return solve(ilu, exec, arithmetic, x, y);
    if (arithmetic != STN_F64 && arithmetic != STN_C128)
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "incomplete factors: entries of the matrix differ by more than 2^500, which "
            "needs arithmetic f64 or c128");
    STN_TRY(multiply(exec, arithmetic, &ilu->row_scale, x, y));
    STN_TRY(solve(ilu, exec, arithmetic, y, y));
    return multiply(exec, arithmetic, &ilu->column_scale, y, y);
}

stn_status stn_ilu_create(const stn_exec *exec, stn_preconditioner **result, const stn_matrix *a,
                          const stn_ilu_options *options)
{
    stn_ilu *m;
    STN_TRY(stn_preconditioner_begin(call, result, sizeof *m, &m));
    m->base.info.name = "incomplete factors";
    m->base.apply = apply;
    m->base.clear = clear;
    STN_RETURN_IN_MODES(stn_preconditioner_end(result, &m->base, create(exec, m, a, options)));
}
