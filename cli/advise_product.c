/* steno advise --product: formats of a matrix and a vector for a bound on the error of their
 * product. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advise.h"
#include "command.h"
#include "core/memory.h"
#include "market.h"
#include "problem.h"
#include "steno/sparse_operations.h"

enum { MAX_FORMATS = 64 };

typedef struct product_row {
    const char *file, *matrix_format, *vector_format;
    double matrix_scale, vector_scale;
    int64_t rows, entries, bytes, meets_target, is_best;
    double max_bound, relative_bound;
    double max_error; /* measured; NaN unless verified */
} product_row;

static const column_spec row_list[] = {
    COLUMN(product_row, TEXT, file),         COLUMN(product_row, TEXT, matrix_format),
    COLUMN(product_row, REAL, matrix_scale), COLUMN(product_row, TEXT, vector_format),
    COLUMN(product_row, REAL, vector_scale), COLUMN(product_row, INTEGER, rows),
    COLUMN(product_row, INTEGER, entries),   COLUMN(product_row, INTEGER, bytes),
    COLUMN(product_row, REAL, max_bound),    COLUMN(product_row, REAL, relative_bound),
    COLUMN(product_row, REAL, max_error),    COLUMN(product_row, INTEGER, meets_target),
    COLUMN(product_row, INTEGER, is_best)};
static const column_list row_columns = {row_list, sizeof row_list / sizeof *row_list,
                                        sizeof(product_row)};

/* A format with the scale that fits values to its range. */
typedef struct fitted {
    const char *name;
    stn_storage storage;
    double relative, absolute; /* rounding errors */
} fitted;

typedef struct product_job {
    advise_job *job;
    stn_market_matrix file;
    stn_matrix *matrix;
    stn_view x, bound, y;
    double largest; /* of |A x| */
} product_job;

static double *values_of(const stn_view *view)
{
    return view->data;
}

static int64_t count_of(const stn_view *view)
{
    return view->extent[0];
}

/* ---- formats ---- */

static stn_status fit(stn_format format, const double *values, int64_t count, fitted *to)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    STN_TRY(stn_format_describe(format, &info));
    to->name = info.name;
    to->storage = stn_storage_of(format);
    if (info.kind == STN_CLASS_INTEGER || info.exponent_bits < 8)
        STN_TRY(
            stn_storage_fit_scale(&to->storage, STN_F64, values, count, STN_SCALE_POWER_OF_TWO));
    return stn_rounding_of(&to->storage, &to->relative, &to->absolute);
}

static int is_candidate(const stn_format_info *info)
{
    return (info->kind == STN_CLASS_FLOAT || info->kind == STN_CLASS_INTEGER) && info->is_signed &&
           info->block_elements == 1 && info->format != STN_I64;
}

/* All real, signed formats, fitted to the values. */
static stn_status list_formats(const double *values, int64_t count, fitted *list, int *listed)
{
    *listed = 0;
    for (stn_format k = 0; k < stn_format_count() && *listed < MAX_FORMATS; k++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        STN_TRY(stn_format_describe(k, &info));
        if (is_candidate(&info))
            STN_TRY(fit(k, values, count, &list[(*listed)++]));
    }
    return STN_OK;
}

/* ---- bounds ---- */

static double largest_of(const stn_view *view)
{
    double most = 0.0;
    for (int64_t k = 0; k < count_of(view); k++)
        most = fmax(most, fabs(values_of(view)[k]));
    return most;
}

static stn_status bound(const product_job *p, const fitted *a, const fitted *x, product_row *row)
{
    const stn_product_rounding rounding = STN_INIT(
        stn_product_rounding, .matrix_relative = a->relative, .matrix_absolute = a->absolute,
        .vector_relative = x->relative, .vector_absolute = x->absolute);
    stn_format_info info = STN_FORMAT_INFO_INIT;
    *row = (product_row){.file = p->job->path,
                         .matrix_format = a->name,
                         .vector_format = x->name,
                         .matrix_scale = a->storage.scale,
                         .vector_scale = x->storage.scale,
                         .rows = p->file.rows,
                         .entries = p->file.entries,
                         .max_error = (double)NAN};
    STN_TRY(stn_format_describe(x->storage.format, &info));
    STN_TRY(stn_sparse_bytes(p->matrix, STN_MATRIX_AUTO, a->storage.format, &row->bytes));
    row->bytes += p->file.columns * info.bytes;
    STN_TRY(stn_spmv_error_bound(p->job->exec, &p->bound, p->matrix, &p->x, &rounding));
    row->max_bound = largest_of(&p->bound);
    row->relative_bound = p->largest > 0.0 ? row->max_bound / p->largest : row->max_bound;
    row->meets_target = (p->job->target.is_relative ? row->relative_bound : row->max_bound) <=
                        p->job->target.target;
    return STN_OK;
}

/* The product of the stored operands in y, and its largest error. Each error must be at most the
 * bound of its element. The exact product is computed in long double. */
static stn_status multiply(const product_job *p, const fitted *a, const fitted *x,
                           double *max_error)
{
    stn_matrix *narrow;
    stn_view narrow_x = {0};
    STN_TRY(stn_sparse_convert(p->job->exec, &narrow, p->matrix, STN_MATRIX_AUTO, &a->storage));
    stn_status status = stn_view_create(p->job->exec, &narrow_x, "x", x->storage, 1, p->x.extent);
    if (status == STN_OK)
        status = stn_view_copy(p->job->exec, &narrow_x, &p->x);
    if (status == STN_OK)
        status = stn_spmv(p->job->exec, STN_F64, 1.0, narrow, &narrow_x, 0.0, &p->y);
    stn_matrix_release(narrow);
    (void)stn_view_release(&narrow_x);
    STN_TRY(status);
    *max_error = 0.0;
    for (int64_t r = 0; r < p->file.rows; r++) {
        long double sum = 0.0L;
        for (int64_t k = p->file.row_start[r]; k < p->file.row_start[r + 1]; k++)
            sum += (long double)((const double *)p->file.values)[k] *
                   (long double)values_of(&p->x)[p->file.column[k]];
        const double error = (double)fabsl(sum - (long double)values_of(&p->y)[r]);
        if (!(error <= values_of(&p->bound)[r]))
            return stn_fail(STN_ERR_CONVERGENCE,
                            "%s: element %" PRId64
                            " of the product has an error of %.3g, more than its bound of %.3g",
                            p->job->path, r, error, values_of(&p->bound)[r]);
        *max_error = fmax(*max_error, error);
    }
    return STN_OK;
}

/* ---- operands ---- */

static stn_status create_vectors(product_job *p)
{
    const stn_storage f64 = stn_storage_of(STN_F64);
    const stn_exec *const exec = p->job->exec;
    STN_TRY(stn_view_create(exec, &p->x, "x", f64, 1, &p->file.columns));
    STN_TRY(stn_view_create(exec, &p->bound, "bound", f64, 1, &p->file.rows));
    STN_TRY(stn_view_create(exec, &p->y, "y", f64, 1, &p->file.rows));
    STN_TRY(p->job->vector ? advise_read_vector(p->job, p->job->vector, &p->x)
                           : stn_view_fill(exec, &p->x, 1.0));
    STN_TRY(stn_spmv(exec, STN_F64, 1.0, p->matrix, &p->x, 0.0, &p->y));
    p->largest = largest_of(&p->y);
    return STN_OK;
}

static stn_status open_product(product_job *p)
{
    advise_job *const job = p->job;
    STN_TRY(market_read(job->path, job->market, &p->file));
    if (p->file.storage == STN_MARKET_DENSE || p->file.field == STN_MARKET_COMPLEX)
        return stn_fail(STN_ERR_UNSUPPORTED, "--product: %s is not a real sparse matrix",
                        job->path);
    STN_TRY(advise_parse_target(job));
    if (job->target.norm != STN_ERROR_MAX)
        return stn_fail(STN_ERR_ARGUMENT,
                        "--product bounds the largest error: the target must be max=E or "
                        "relative-max=E, not %s",
                        job->target_text);
    if (!job->target_text) {
        job->target.is_relative = 1;
        job->target.target = 1e-6;
    }
    problem_widen(&p->file);
    STN_TRY(stn_market_wrap(&p->matrix, &p->file, job->path));
    return create_vectors(p);
}

static void close_product(product_job *p)
{
    (void)stn_view_release(&p->x);
    (void)stn_view_release(&p->bound);
    (void)stn_view_release(&p->y);
    stn_matrix_release(p->matrix);
    stn_market_release(&p->file);
}

/* ---- advice ---- */

typedef struct product_table {
    fitted matrix[MAX_FORMATS], vector[MAX_FORMATS];
    int matrices, vectors, count;
    product_row *rows; /* pairs of formats: all vectors of each matrix, in this order */
} product_table;

static stn_status evaluate(product_job *p, product_table *t)
{
    STN_TRY(list_formats(p->file.values, p->file.entries, t->matrix, &t->matrices));
    STN_TRY(list_formats(values_of(&p->x), p->file.columns, t->vector, &t->vectors));
    STN_TRY(stn_allocate(&t->rows, (int64_t)t->matrices * t->vectors, sizeof *t->rows, "rows"));
    for (int a = 0; a < t->matrices; a++)
        for (int x = 0; x < t->vectors; x++)
            STN_TRY(bound(p, &t->matrix[a], &t->vector[x], &t->rows[t->count++]));
    return STN_OK;
}

/* The fewest bytes, and of equal ones the smallest bound; -1 if no pair meets the target. */
static int select_best(const product_table *t)
{
    int best = -1;
    for (int k = 0; k < t->count; k++) {
        const product_row *const row = &t->rows[k], *const old = best < 0 ? row : &t->rows[best];
        if (row->meets_target && (best < 0 || row->bytes < old->bytes ||
                                  (row->bytes == old->bytes && row->max_bound < old->max_bound)))
            best = k;
    }
    return best;
}

/* No other pair has at most its bytes and bound. */
static int is_efficient(const product_table *t, const product_row *row)
{
    for (int k = 0; k < t->count; k++) {
        const product_row *const other = &t->rows[k];
        if (other->bytes <= row->bytes && other->max_bound <= row->max_bound &&
            (other->bytes < row->bytes || other->max_bound < row->max_bound))
            return 0;
    }
    return 1;
}

static void print_table(const product_job *p, const product_table *t, int best)
{
    printf("%s: %" PRId64 " rows, %" PRId64 " entries; product with %s; target %s\n\n",
           p->job->path, p->file.rows, p->file.entries, p->job->vector ? p->job->vector : "ones",
           p->job->target_text ? p->job->target_text : "relative-max=1e-06");
    printf("  %-8s %-8s %10s %12s %12s\n", "matrix", "vector", "MB", "bound", "relative");
    for (int k = 0; k < t->count; k++)
        if (is_efficient(t, &t->rows[k]) || k == best)
            printf("%s %-8s %-8s %10.3f %12.3g %12.3g\n", k == best ? "*" : " ",
                   t->rows[k].matrix_format, t->rows[k].vector_format,
                   1e-6 * (double)t->rows[k].bytes, t->rows[k].max_bound,
                   t->rows[k].relative_bound);
    if (best >= 0)
        printf("\nadvice: matrix in %s, vector in %s\n", t->rows[best].matrix_format,
               t->rows[best].vector_format);
}

static stn_status verify(product_job *p, product_table *t, int best)
{
    const fitted *const a = &t->matrix[best / t->vectors], *const x = &t->vector[best % t->vectors];
    STN_TRY(bound(p, a, x, &t->rows[best])); /* of each element */
    t->rows[best].is_best = 1;
    return multiply(p, a, x, &t->rows[best].max_error);
}

static stn_status advise(product_job *p, product_table *t)
{
    STN_TRY(evaluate(p, t));
    const int best = select_best(t), is_table = !columns_replace_table(&p->job->files);
    if (best >= 0 && (p->job->verifies || p->job->certificate))
        STN_TRY(verify(p, t, best));
    if (best >= 0)
        t->rows[best].is_best = 1;
    if (is_table)
        print_table(p, t, best);
    STN_TRY(columns_write_files(&row_columns, t->rows, t->count, &p->job->files));
    if (best < 0)
        return stn_fail(STN_ERR_CONVERGENCE, "%s: no formats of matrix and vector meet the target",
                        p->job->path);
    const product_row *const row = &t->rows[best];
    if (is_table && p->job->verifies)
        printf("\nlargest error %.3g, bound %.3g; the error of each element is within its bound\n",
               row->max_error, row->max_bound);
    const advise_product figures = {row->matrix_format, row->vector_format, row->matrix_scale,
                                    row->vector_scale,  row->max_bound,     row->relative_bound,
                                    row->max_error,     row->bytes,         &p->y};
    return p->job->certificate ? certificate_write_product(p->job, &figures) : STN_OK;
}

stn_status advise_product_file(advise_job *job)
{
    product_job p = {.job = job, .file = STN_MARKET_MATRIX_INIT};
    product_table t = {.rows = NULL};
    stn_status status = open_product(&p);
    if (status == STN_OK)
        status = advise(&p, &t);
    stn_free(t.rows);
    close_product(&p);
    return status;
}

/* ---- certificates ---- */

static stn_status fit_named(const char *name, const double *values, int64_t count, fitted *to)
{
    stn_format format;
    STN_TRY(stn_format_find(name, &format));
    return fit(format, values, count, to);
}

static stn_status evaluate_again(product_job *p, advise_product *figures,
                                 stn_status (*use)(void *context, const advise_product *figures),
                                 void *context)
{
    fitted a, x;
    product_row row;
    STN_TRY(open_product(p));
    STN_TRY(fit_named(figures->matrix_format, p->file.values, p->file.entries, &a));
    STN_TRY(fit_named(figures->vector_format, values_of(&p->x), p->file.columns, &x));
    STN_TRY(bound(p, &a, &x, &row));
    if (!row.meets_target)
        return stn_fail(STN_ERR_CONVERGENCE, "%s: the bound %.3g misses the target", p->job->path,
                        row.max_bound);
    figures->matrix_scale = row.matrix_scale;
    figures->vector_scale = row.vector_scale;
    figures->bytes = row.bytes;
    figures->max_bound = row.max_bound;
    figures->relative_bound = row.relative_bound;
    STN_TRY(multiply(p, &a, &x, &figures->max_error));
    figures->y = &p->y;
    return use(context, figures);
}

stn_status advise_product_again(advise_job *job, advise_product *figures,
                                stn_status (*use)(void *context, const advise_product *figures),
                                void *context)
{
    product_job p = {.job = job, .file = STN_MARKET_MATRIX_INIT};
    const stn_status status = evaluate_again(&p, figures, use, context);
    close_product(&p);
    return status;
}
