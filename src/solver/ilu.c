/* Preconditioners of incomplete factors: their formats, and their application. */
#include "steno/ilu.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "solver/ilu_factor.h"
#include "steno/kernel.h"

static const char call[] = "stn_ilu_make";

/* clang-format off */
STN_MAP(divide_pivots, (in(d), inout(y)), y = y / d;)
/* clang-format on */

/* ---- formats ---- */

static stn_status choose_storage(stn_format format, const stn_compressed *factor,
                                 stn_storage *storage)
{
    const stn_format_info *const info = &stn_format_entry_of(format)->info;
    const double *const values = (const double *)(const void *)factor->codes;
    double most = 0.0;
    *storage = stn_storage_of(format);
    for (int64_t k = 0; k < factor->entries; k++)
        most = fmax(most, fabs(values[k]));
    if (info->kind == STN_CLASS_FLOAT && info->exponent_bits >= 8 && most <= info->highest)
        return STN_OK;
    return stn_storage_fit_scale(storage, STN_F64, values, factor->entries, 0);
}

/* The unit triangle of a factor in its format. */
static stn_status make_triangle(const stn_exec *exec, const stn_compressed *factor,
                                stn_format format, stn_triangle triangle, stn_triangular *made)
{
    stn_storage storage;
    stn_csr wide, narrow;
    STN_TRY(choose_storage(format, factor, &storage));
    STN_TRY(stn_csr_wrap(&wide, triangle == STN_LOWER ? "L" : "U", factor->storage, factor->rows,
                         factor->columns, factor->start, factor->column, factor->codes));
    STN_TRY(stn_sparse_convert(NULL, &narrow, &wide, STN_SPARSE_CSR, &storage));
    const stn_status status = stn_triangular_make(exec, made, &narrow, triangle, STN_UNIT);
    (void)stn_csr_release(&narrow);
    return status;
}

static stn_status make_pivots(const stn_exec *exec, const double *pivot, int64_t rows,
                              stn_format format, stn_view *made)
{
    const stn_format_info *const info = &stn_format_entry_of(format)->info;
    int is_narrow = info->kind == STN_CLASS_INTEGER ? info->bytes <= 2 : info->fraction_bits <= 23;
    stn_view wide;
    for (int64_t r = 0; r < rows; r++)
        is_narrow = is_narrow && fabs(pivot[r]) >= 0x1p-120 && fabs(pivot[r]) <= 0x1p120;
    STN_TRY(stn_view_wrap_const(&wide, "pivots", stn_storage_of(STN_F64), pivot, 1, &rows, NULL));
    STN_TRY(stn_view_create(exec, made, "pivots", stn_storage_of(is_narrow ? STN_F32 : STN_F64),
                            NULL, 1, &rows, 0));
    return rows > 0 ? stn_view_copy(exec, made, &wide) : STN_OK;
}

static stn_status store(const stn_exec *exec, const stn_factors *factors, stn_format format,
                        stn_ilu *made)
{
    const int64_t rows = factors->lower.rows;
    for (int k = 0; k < 2; k++)
        STN_TRY(make_triangle(exec, k ? &factors->upper : &factors->lower, format,
                              k ? STN_UPPER : STN_LOWER, k ? &made->upper : &made->lower));
    STN_TRY(make_pivots(exec, factors->pivot, rows, format, &made->pivots));
    made->rows = rows;
    made->bytes = made->lower.bytes + made->upper.bytes +
                  rows * stn_format_entry_of(made->pivots.storage.format)->info.bytes;
    return STN_OK;
}

/* ---- calls ---- */

static stn_status expect_format(const stn_format *format)
{
    const stn_format_entry *const entry = stn_format_entry_of(format ? *format : STN_F64);
    if (!entry)
        return STN_ERR_FORMAT;
    const stn_format_info *const info = &entry->info;
    if ((info->kind != STN_CLASS_FLOAT && info->kind != STN_CLASS_INTEGER) || !info->is_signed)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: format %s has no real numbers with a sign", call,
                        info->name);
    return STN_OK;
}

static stn_status expect(const stn_exec *exec, const stn_csr *a, const stn_ilu_options *options)
{
    STN_TRY(stn_exec_expect(call, exec));
    if (!options || options->size != sizeof *options)
        return stn_fail(STN_ERR_ARGUMENT, "%s: options %s", call,
                        options ? "have a wrong size" : "are NULL");
    if (options->kind != STN_ILU0 && options->kind != STN_IC0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: there is no kind %d", call, (int)options->kind);
    STN_TRY(stn_csr_expect(call, a));
    if (stn_csr_is_complex(a))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: values of %s are complex", call, stn_csr_name(a));
    if (a->rows != a->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s (%lld x %lld) is not square", call, stn_csr_name(a),
                        (long long)a->rows, (long long)a->columns);
    return expect_format(options->format);
}

static stn_status make(const stn_exec *exec, stn_ilu *made, const stn_csr *a,
                       const stn_ilu_options *options)
{
    stn_factors factors;
    STN_TRY(expect(exec, a, options));
    stn_status status = stn_ilu_factor(call, stn_exec_on_host(exec), a, options->kind, &factors);
    if (status == STN_OK)
        status = store(exec, &factors, options->format ? *options->format : STN_F64, made);
    stn_factors_release(&factors);
    if (status != STN_OK)
        (void)stn_ilu_release(made);
    else
        made->size = sizeof *made;
    return status;
}

static stn_status make_in_modes(const stn_exec *exec, stn_ilu *made, const stn_csr *a,
                                const stn_ilu_options *options)
{
    STN_RETURN_IN_MODES(make(exec, made, a, options));
}

stn_status stn_ilu_make(const stn_exec *exec, stn_ilu *made, const stn_csr *a,
                        const stn_ilu_options *options)
{
    if (!made)
        return stn_fail(STN_ERR_ARGUMENT, "%s: made is NULL", call);
    memset(made, 0, sizeof *made);
    return make_in_modes(exec, made, a, options);
}

stn_status stn_ilu_release(stn_ilu *made)
{
    if (!made)
        return stn_fail(STN_ERR_ARGUMENT, "stn_ilu_release: it is NULL");
    STN_TRY(stn_triangular_release(&made->lower));
    STN_TRY(stn_triangular_release(&made->upper));
    STN_TRY(stn_view_release(&made->pivots));
    memset(made, 0, sizeof *made);
    return STN_OK;
}

static stn_status apply(void *context, const stn_exec *exec, stn_format arithmetic,
                        const stn_view *x, const stn_view *y)
{
    const stn_ilu *const all = context;
    STN_TRY(stn_triangular_solve(exec, arithmetic, &all->lower, x, y));
    STN_TRY(divide_pivots_run(exec, arithmetic, &all->pivots, y));
    return stn_triangular_solve(exec, arithmetic, &all->upper, y, y);
}

stn_status stn_operator_of_ilu(stn_operator *made, const stn_ilu *from)
{
    if (!made)
        return stn_fail(STN_ERR_ARGUMENT, "stn_operator_of_ilu: made is NULL");
    *made = (stn_operator){0};
    if (!from || from->size != sizeof *from)
        return stn_fail(STN_ERR_ARGUMENT, "stn_operator_of_ilu: %s",
                        from ? "it was not made by stn_ilu_make" : "it is NULL");
    return stn_operator_make(made, "incomplete factors", from->rows, apply,
                             (void *)(uintptr_t)from);
}
