/* Equilibration by powers of two: R A C, whose rows and columns have largest magnitudes near 1.
 * Rows and columns are scaled at the same time, each by the root of its largest magnitude, as in
 * D. Ruiz, Rutherford Appleton Laboratory, RAL-TR-2001-034 (2001), on exponents only. */
#include <math.h>
#include <string.h>

#include "blas/call.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "sparse/kinds/compressed.h"
#include "steno/sparse_operations.h"
#include "view/overlap.h"

/* MAX_STEPS: each step halves the differences of exponents, which are at most 2^12.
 * NO_VALUE: exponent of 0. MAX_EXPONENT: of a scale, such that it is a normal number. */
enum { MAX_STEPS = 16, NO_VALUE = -20000, MAX_EXPONENT = 1022 };
static const char call[] = "stn_sparse_equilibrate";

typedef struct equilibration {
    const stn_matrix *matrix;
    stn_equilibration choice;
    stn_compressed from;
    int64_t parts;               /* 2 for complex values, 1 for real ones */
    double *value;               /* the parts of the entries */
    int16_t *exponent;           /* per entry, of its larger part */
    int *row, *column;           /* exponents of the scales */
    int *row_most, *column_most; /* exponents of the largest scaled magnitudes */
} equilibration;

/* ---- exponents ---- */

static stn_status read_exponents(equilibration *job)
{
    const stn_compressed *const from = &job->from;
    for (int64_t r = 0; r < from->rows; r++)
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++) {
            double size = 0.0;
            for (int64_t part = 0; part < job->parts; part++) {
                const double value = job->value[k * job->parts + part];
                if (!isfinite(value))
                    return stn_fail(STN_ERR_ARGUMENT,
                                    "%s: the entry in row %lld, column %d of %s is %g; all entries "
                                    "must be finite",
                                    call, (long long)r, from->column[k],
                                    stn_matrix_name(job->matrix), value);
                size = fmax(size, fabs(value));
            }
            job->exponent[k] = (int16_t)(size == 0.0 ? NO_VALUE : ilogb(size));
        }
    return STN_OK;
}

static void fill(int *list, int64_t count, int value)
{
    for (int64_t k = 0; k < count; k++)
        list[k] = value;
}

static void find_most(equilibration *job)
{
    const stn_compressed *const from = &job->from;
    fill(job->column_most, from->columns, NO_VALUE);
    for (int64_t r = 0; r < from->rows; r++) {
        int most = NO_VALUE;
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++) {
            const int32_t c = from->column[k];
            if (job->exponent[k] == NO_VALUE)
                continue;
            const int exponent = job->exponent[k] + job->row[r] + job->column[c];
            most = exponent > most ? exponent : most;
            job->column_most[c] = exponent > job->column_most[c] ? exponent : job->column_most[c];
        }
        job->row_most[r] = most;
    }
}

static int clamp(int exponent)
{
    return exponent > MAX_EXPONENT    ? MAX_EXPONENT
           : exponent < -MAX_EXPONENT ? -MAX_EXPONENT
                                      : exponent;
}

/* Divides by the largest magnitudes, or by their roots. Returns whether a scale changed. */
static int update(int *scale, const int *most, int64_t count, int divisor)
{
    int changed = 0;
    for (int64_t k = 0; k < count; k++) {
        if (most[k] == NO_VALUE)
            continue;
        const int next = clamp(scale[k] - most[k] / divisor);
        changed |= next != scale[k];
        scale[k] = next;
    }
    return changed;
}

static void find_scales(equilibration *job)
{
    const int is_both = job->choice == STN_EQUILIBRATE_BOTH;
    int changed = 1;
    for (int step = 0; changed && step < (is_both ? MAX_STEPS : 1); step++) {
        changed = 0;
        find_most(job);
        if (job->choice != STN_EQUILIBRATE_COLUMNS)
            changed |= update(job->row, job->row_most, job->from.rows, is_both ? 2 : 1);
        if (job->choice != STN_EQUILIBRATE_ROWS)
            changed |= update(job->column, job->column_most, job->from.columns, is_both ? 2 : 1);
    }
}

/* ---- results ---- */

static void scale_values(const equilibration *job)
{
    const stn_compressed *const from = &job->from;
    for (int64_t r = 0; r < from->rows; r++)
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++)
            for (int64_t part = 0; part < job->parts; part++) {
                double *const value = &job->value[k * job->parts + part];
                *value = ldexp(*value, job->row[r] + job->column[from->column[k]]);
            }
}

static stn_status create_scaled(const equilibration *job, stn_matrix *result)
{
    const stn_compressed *const from = &job->from;
    const stn_storage storage = stn_storage_of(job->parts == 2 ? STN_C128 : STN_F64);
    stn_compressed_matrix to;
    STN_TRY(stn_compressed_create(call, job->matrix->label, &storage, from->rows, from->columns,
                                  from->entries, result, &to));
    memcpy(to.start, from->start, (size_t)(from->rows + 1) * sizeof *to.start);
    if (from->entries == 0)
        return STN_OK;
    memcpy(to.column, from->column, (size_t)from->entries * sizeof *to.column);
    memcpy(to.codes, job->value, (size_t)(from->entries * job->parts) * sizeof(double));
    return STN_OK;
}

static stn_status store_scales(const stn_exec *exec, const stn_view *to, const int *exponents,
                               int64_t count)
{
    const stn_blas_call store = {call, exec ? exec : &stn_exec_alone, STN_F64};
    stn_view view;
    double *scales;
    if (!to || count == 0)
        return STN_OK;
    STN_TRY(stn_allocate(&scales, count, sizeof *scales, "scales"));
    for (int64_t k = 0; k < count; k++)
        scales[k] = ldexp(1.0, exponents[k]);
    stn_status status = stn_view_wrap(&view, "scales", stn_storage_of(STN_F64), scales, 1, &count);
    if (status == STN_OK)
        status = stn_blas_store_from_host(&store, to, &view);
    stn_free(scales);
    return status;
}

/* ---- calls ---- */

static stn_status expect_scales(const stn_exec *exec, const stn_matrix *a, const stn_view *scales,
                                int64_t count, const char *what)
{
    const stn_blas_call check = {call, exec ? exec : &stn_exec_alone, STN_F64};
    const stn_blas_operand operand = STN_BLAS_OPERAND(scales, 1, STN_BLAS_WRITTEN);
    if (!scales)
        return STN_OK;
    STN_TRY(stn_blas_check(&check, STN_BLAS_REAL, 1, &operand));
    STN_TRY(stn_matrix_expect_disjoint(call, a, scales));
    if (scales->storage.format != STN_F64 || scales->storage.scale != 1.0 ||
        scales->storage.zero != 0.0)
        return stn_fail(STN_ERR_FORMAT, "%s: %s must be stored in f64 without a scale", call,
                        stn_view_text(scales));
    if (scales->extent[0] != count)
        return stn_fail(STN_ERR_SHAPE, "%s: %s must have one element for each of the %lld %s of %s",
                        call, stn_view_text(scales), (long long)count, what, stn_matrix_name(a));
    return STN_OK;
}

static stn_status expect_operands(const stn_exec *exec, const stn_matrix *a,
                                  stn_equilibration choice, const stn_view *by_row,
                                  const stn_view *by_column)
{
    STN_TRY(stn_exec_check(call, exec));
    STN_TRY(stn_matrix_expect(call, a));
    if (choice < STN_EQUILIBRATE_BOTH || choice > STN_EQUILIBRATE_COLUMNS)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: choice is %d; it must be STN_EQUILIBRATE_BOTH (0), "
                        "STN_EQUILIBRATE_ROWS (1) or STN_EQUILIBRATE_COLUMNS (2)",
                        call, (int)choice);
    STN_TRY(expect_scales(exec, a, by_row, a->rows, "rows"));
    STN_TRY(expect_scales(exec, a, by_column, a->columns, "columns"));
    if (by_row && by_column && stn_view_may_share(by_row, by_column))
        return stn_fail(STN_ERR_ALIAS, "%s: by_row and by_column overlap", call);
    return STN_OK;
}

static stn_status allocate(equilibration *job)
{
    const stn_compressed *const from = &job->from;
    job->parts = stn_matrix_is_complex(job->matrix) ? 2 : 1;
    STN_TRY(stn_allocate(&job->value, from->entries * job->parts, sizeof(double), "values"));
    STN_TRY(stn_allocate(&job->exponent, from->entries, sizeof *job->exponent, "exponents"));
    STN_TRY(stn_allocate(&job->row, from->rows, sizeof(int), "exponents of rows"));
    STN_TRY(stn_allocate(&job->row_most, from->rows, sizeof(int), "exponents of rows"));
    STN_TRY(stn_allocate(&job->column, from->columns, sizeof(int), "exponents of columns"));
    STN_TRY(stn_allocate(&job->column_most, from->columns, sizeof(int), "exponents of columns"));
    fill(job->row, from->rows, 0);
    fill(job->column, from->columns, 0);
    return STN_OK;
}

static stn_status run(equilibration *job, stn_matrix *result)
{
    STN_TRY(allocate(job));
    STN_TRY(stn_decode(job->parts == 2 ? STN_C128 : STN_F64, job->value, &job->from.storage,
                       job->from.codes, 1, job->from.entries));
    STN_TRY(read_exponents(job));
    find_scales(job);
    scale_values(job);
    return create_scaled(job, result);
}

static stn_status equilibrate(const stn_exec *exec, stn_matrix *result, const stn_matrix *a,
                              stn_equilibration choice, const stn_view *by_row,
                              const stn_view *by_column)
{
    equilibration job = {.matrix = a, .choice = choice};
    STN_TRY(expect_operands(exec, a, choice, by_row, by_column));
    STN_TRY(stn_compressed_open(call, exec, a, &job.from));
    stn_status status = run(&job, result);
    status = stn_matrix_send(call, exec, status, result);
    if (status == STN_OK)
        status = store_scales(exec, by_row, job.row, job.from.rows);
    if (status == STN_OK)
        status = store_scales(exec, by_column, job.column, job.from.columns);
    if (status != STN_OK)
        stn_matrix_clear(result);
    stn_compressed_close(&job.from);
    stn_free(job.value);
    stn_free(job.exponent);
    stn_free(job.row);
    stn_free(job.row_most);
    stn_free(job.column);
    stn_free(job.column_most);
    return status;
}

stn_status stn_sparse_equilibrate(const stn_exec *exec, stn_matrix **made, const stn_view *by_row,
                                  const stn_view *by_column, const stn_matrix *a,
                                  stn_equilibration choice)
{
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, made, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, made, matrix,
                                       equilibrate(exec, matrix, a, choice, by_row, by_column)));
}
