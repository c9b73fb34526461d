/* Products: which loops multiply a matrix, and products with one right-hand side. */
#include "sparse/product/spmv_run.h"

#include "core/memory.h"
#include "core/status.h"
#include "sparse/product/columns.h"
#include "sparse/product/interleaved.h"
#include "sparse/product/source.h"
#include "view/trace.h"

/* ---- open ---- */

stn_status stn_spmv_open(const stn_spmv_call *product, stn_spmv_operands *opened)
{
    const stn_exec *const exec = product->exec;
    const stn_format arithmetic = product->arithmetic;
    STN_TRY(stn_operand_init("stn_spmv", exec, arithmetic, product->y, &opened->y));
    STN_TRY(stn_operand_init("stn_spmv", exec, arithmetic, product->x, &opened->x));
    if (product->from != product->y)
        STN_TRY(stn_operand_init("stn_spmv", exec, arithmetic, product->from, &opened->from));
    const stn_status result = stn_run_init_in_modes(&opened->run, arithmetic, &product->a->storage);
    return result == STN_OK
               ? STN_OK
               : stn_error_prefix(result, "stn_spmv: values of %s", stn_matrix_name(product->a));
}

/* ---- one right-hand side: source, tile and order, epilogue ---- */

typedef struct single {
    stn_row_source source;
    stn_right right;
    const stn_spmv_call *product;
    const stn_operand *from, *y; /* from: the operand that beta multiplies */
} single;

/* Returns whether sums can be stored directly in y. Slices store the sums of all their rows. */
static int is_in_place(const single *job, int64_t count)
{
    const stn_spmv_call *const product = job->product;
    return job->y->values && product->arithmetic == STN_F64 && product->alpha == 1.0 &&
           product->beta == 0.0 && (!job->source.sum_slices || count % STN_SLICE_ROWS == 0);
}

static void write_rows(const single *job, int64_t first, int64_t count)
{
    const stn_spmv_call *const product = job->product;
    double sums[STN_ROW_BATCH], values[STN_ROW_BATCH];
    if (is_in_place(job, count)) {
        stn_source_sum(&job->source, &job->right, stn_reader_at(&job->y->reader, first), first,
                       count);
        return;
    }
    stn_source_sum(&job->source, &job->right, sums, first, count);
    const int is_read =
        product->arithmetic == STN_F64 ? product->beta != 0 : (float)product->beta != 0;
    if (is_read)
        stn_operand_read(job->from, first, count, values);
    stn_update_values(values, product->arithmetic, count, product->alpha, sums, product->beta);
    stn_operand_write(job->y, first, count, values);
}

/* All rows of a share at once if sums need no buffers. */
static int64_t rows_together(const single *job)
{
    const stn_row_source *const source = &job->source;
    const int needs_buffers = source->sum_slices || !source->starts.wide || source->is_scaled;
    return needs_buffers || !is_in_place(job, STN_ROW_BATCH) ? STN_ROW_BATCH : source->a->rows;
}

static void multiply_share(void *context, int part, int parts)
{
    const single *job = context;
    const int64_t end = stn_source_share(&job->source, part + 1, parts);
    const int64_t most = rows_together(job);
    for (int64_t row = stn_source_share(&job->source, part, parts); row < end; row += most)
        write_rows(job, row, end - row < most ? end - row : most);
}

static stn_status multiply_vector(single *job, const stn_operand *x)
{
    const stn_spmv_call *const product = job->product;
    stn_vector vector;
    STN_TRY(stn_vector_init(x, 1.0, "stn_spmv: x decoded", &vector));
    job->right = (stn_right){.x = vector.values, .width = 1};
    const uint64_t trace = stn_trace_begin("spmv", product->y);
    stn_exec_run_sized(product->exec, 16.0 * (double)product->a->entries, multiply_share, job);
    stn_trace_end("spmv", product->y, trace);
    stn_free(vector.owned);
    return STN_OK;
}

/* Column by column. */
static stn_status multiply_columns(single *job)
{
    const stn_spmv_call *const product = job->product;
    stn_spmv_call column = *product;
    stn_view x, from, y;
    stn_spmv_operands opened;
    column.x = &x;
    column.from = product->from == product->y ? &y : &from;
    column.y = &y;
    job->product = &column;
    job->y = &opened.y;
    job->from = product->from == product->y ? &opened.y : &opened.from;
    for (int64_t j = 0; j < product->x->extent[1]; j++) {
        const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(j)};
        STN_TRY(stn_view_slice(&x, product->x, 2, slices));
        STN_TRY(stn_view_slice(&from, product->from, 2, slices));
        STN_TRY(stn_view_slice(&y, product->y, 2, slices));
        STN_TRY(stn_spmv_open(&column, &opened));
        STN_TRY(multiply_vector(job, &opened.x));
    }
    return STN_OK;
}

static stn_status multiply_single(const stn_spmv_call *product, const stn_spmv_operands *opened)
{
    single job;
    job.product = product;
    job.y = &opened->y;
    job.from = product->from == product->y ? &opened->y : &opened->from;
    STN_TRY(stn_source_open(&job.source, "stn_spmv", product->exec, product->arithmetic,
                            &opened->run, product->a));
    return product->x->rank == 1 ? multiply_vector(&job, &opened->x) : multiply_columns(&job);
}

/* ---- run ---- */

int stn_spmv_has_loops(const stn_spmv_call *product)
{
    return stn_columns_support(product->exec, product->a) ||
           stn_interleaved_support(product->exec, product->arithmetic, product->a);
}

stn_status stn_spmv_by_loops(const stn_spmv_call *product)
{
    return (stn_columns_support(product->exec, product->a)
                ? stn_columns_multiply
                : stn_interleaved_multiply)(product->exec, product->arithmetic, product->alpha,
                                            product->a, product->x, product->beta, product->y);
}

/* A vector becomes a matrix of one column. */
static stn_status put_columns(stn_view *columns, const stn_view *x)
{
    if (x->rank == 1)
        return stn_view_insert_axis(columns, x, 1);
    *columns = *x;
    return STN_OK;
}

static stn_status multiply_views(const stn_spmv_call *product)
{
    stn_view x, from, y;
    STN_TRY(put_columns(&x, product->x));
    STN_TRY(put_columns(&from, product->from));
    STN_TRY(put_columns(&y, product->y));
    stn_spmv_call columns = *product;
    columns.x = &x;
    columns.from = product->from == product->y ? &y : &from;
    columns.y = &y;
    if (columns.from == &y && stn_spmv_has_loops(&columns))
        return stn_spmv_by_loops(&columns);
    return stn_spmv_rows(product->exec, product->arithmetic, product->alpha, product->a, &x,
                         product->beta, columns.from, &y);
}

/* Several right-hand sides are multiplied together, except for slices with contiguous columns. */
static int is_single(const stn_spmv_call *product)
{
    const stn_view *const x = product->x, *const y = product->y;
    const int are_columns =
        product->a->kind == STN_MATRIX_SLICED && x->stride[0] == 1 && y->stride[0] == 1;
    return product->from != y || x->rank == 1 || x->extent[1] == 1 || are_columns;
}

stn_status stn_spmv_run(const stn_spmv_call *product, const stn_spmv_operands *opened)
{
    const int is_supported =
        !stn_matrix_is_complex(product->a) && stn_source_is_supported(product->exec, product->a);
    if (is_supported && (is_single(product) || !stn_spmv_has_loops(product)))
        return multiply_single(product, opened);
    return multiply_views(product);
}
