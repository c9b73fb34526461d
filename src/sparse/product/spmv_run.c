/* Products: which loops multiply a matrix, and products with one right-hand side. */
#include "sparse/product/spmv_run.h"

#include "core/memory.h"
#include "core/status.h"
#include "order/chunks.h"
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

/* The number of the next `left` rows that are summed at once: all of them if their sums need no
 * buffers; of slices, all complete ones. */
static int64_t rows_together(const single *job, int64_t left)
{
    const stn_row_source *const source = &job->source;
    const int needs_buffers = !source->sum_slices && (!source->starts.wide || source->is_scaled);
    const int64_t count = source->sum_slices ? left / STN_SLICE_ROWS * STN_SLICE_ROWS : left;
    if (count > 0 && !needs_buffers && is_in_place(job, count))
        return count;
    return left < STN_ROW_BATCH ? left : STN_ROW_BATCH;
}

static void multiply_block(const single *job, int64_t begin, int64_t end)
{
    int64_t count;
    for (int64_t row = begin; row < end; row += count) {
        count = rows_together(job, end - row);
        write_rows(job, row, count);
    }
}

static void multiply_share(void *context, int part, int parts)
{
    const single *const job = context;
    multiply_block(job, stn_source_share(&job->source, part, parts),
                   stn_source_share(&job->source, part + 1, parts));
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

/* ---- several contiguous right-hand sides ---- */

typedef struct several {
    single columns[STN_SPMV_TOGETHER];
    stn_spmv_call products[STN_SPMV_TOGETHER];
    stn_view x[STN_SPMV_TOGETHER], from[STN_SPMV_TOGETHER], y[STN_SPMV_TOGETHER];
    stn_spmv_operands opened[STN_SPMV_TOGETHER];
    stn_vector vectors[STN_SPMV_TOGETHER]; /* x, decoded */
    double *sums; /* of x y: chunks of the first column, then those of the next; or NULL */
    int count;
} several;

/* The sums of x y over a chunk, which is in the cache. */
static void sum_chunk(const several *job, int64_t first, int64_t count)
{
    const stn_spmv_call *const product = &job->products[0];
    const int64_t chunks = stn_chunks_of(product->a->rows),
                  bytes = stn_arithmetic_bytes(product->arithmetic);
    for (int k = 0; k < job->count; k++)
        job->sums[k * chunks + first / STN_CHUNK] =
            stn_chunk_dot(product->arithmetic, (const char *)job->x[k].data + first * bytes,
                          (const char *)job->y[k].data + first * bytes, count);
}

/* The first row of a share, which begins with a chunk if there are sums. */
static int64_t share_of(const several *job, int part, int parts)
{
    const int64_t row = stn_source_share(&job->columns[0].source, part, parts);
    return job->sums && part < parts ? row / STN_CHUNK * STN_CHUNK : row;
}

/* The columns multiply a chunk of rows, which remains in the cache, one after another. */
static void multiply_share_together(void *context, int part, int parts)
{
    const several *const job = context;
    const int64_t end = share_of(job, part + 1, parts);
    for (int64_t row = share_of(job, part, parts); row < end; row += STN_CHUNK) {
        const int64_t count = end - row < STN_CHUNK ? end - row : STN_CHUNK;
        for (int k = 0; k < job->count; k++)
            multiply_block(&job->columns[k], row, row + count);
        if (job->sums)
            sum_chunk(job, row, count);
    }
}

/* Opens the next column, whose operands are in job->x, from and y. */
static stn_status open_column(several *job, const single *all)
{
    const int k = job->count;
    const int is_updated = all->product->from == all->product->y;
    stn_spmv_call *const column = &job->products[k];
    stn_spmv_operands *const opened = &job->opened[k];
    *column = *all->product;
    column->x = &job->x[k];
    column->y = &job->y[k];
    column->from = is_updated ? &job->y[k] : &job->from[k];
    STN_TRY(stn_spmv_open(column, opened));
    STN_TRY(stn_vector_init(&opened->x, 1.0, "stn_spmv: x decoded", &job->vectors[k]));
    job->columns[k] = *all;
    job->columns[k].product = column;
    job->columns[k].y = &opened->y;
    job->columns[k].from = is_updated ? &opened->y : &opened->from;
    job->columns[k].right = (stn_right){.x = job->vectors[k].values, .width = 1};
    job->count++;
    return STN_OK;
}

static stn_status slice_columns(several *job, const stn_spmv_call *product, int64_t first,
                                int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(first + k)};
        STN_TRY(stn_view_slice(&job->x[k], product->x, 2, slices));
        STN_TRY(stn_view_slice(&job->from[k], product->from, 2, slices));
        STN_TRY(stn_view_slice(&job->y[k], product->y, 2, slices));
    }
    return STN_OK;
}

static stn_status multiply_together(several *job, const single *all, int64_t count)
{
    const stn_spmv_call *const product = all->product;
    const double bytes = 16.0 * (double)product->a->entries * (double)count;
    stn_status status = STN_OK;
    job->count = 0;
    for (int64_t k = 0; k < count && status == STN_OK; k++)
        status = open_column(job, all);
    if (status == STN_OK) {
        const uint64_t trace = stn_trace_begin("spmv", &job->y[0]);
        stn_exec_run_sized(product->exec, bytes, multiply_share_together, job);
        stn_trace_end("spmv", &job->y[0], trace);
    }
    for (int k = 0; k < job->count; k++)
        stn_free(job->vectors[k].owned);
    return status;
}

static stn_status multiply_columns(const single *all)
{
    const int64_t columns = all->product->x->extent[1];
    several *job;
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "stn_spmv: columns"));
    job->sums = NULL;
    stn_status status = STN_OK;
    for (int64_t j = 0; j < columns && status == STN_OK; j += STN_SPMV_TOGETHER) {
        const int64_t left = columns - j,
                      count = left < STN_SPMV_TOGETHER ? left : STN_SPMV_TOGETHER;
        status = slice_columns(job, all->product, j, count);
        if (status == STN_OK)
            status = multiply_together(job, all, count);
    }
    stn_free(job);
    return status;
}

static stn_status multiply_single(const stn_spmv_call *product, const stn_spmv_operands *opened)
{
    single job;
    job.product = product;
    job.y = &opened->y;
    job.from = product->from == product->y ? &opened->y : &opened->from;
    STN_TRY(stn_source_open(&job.source, "stn_spmv", product->exec, product->arithmetic,
                            &opened->run, product->a));
    const stn_status status =
        product->x->rank == 1 ? multiply_vector(&job, &opened->x) : multiply_columns(&job);
    stn_source_close(&job.source);
    return status;
}

/* ---- a list of vectors ---- */

int stn_spmv_list_is_supported(const stn_exec *exec, const stn_matrix *a)
{
    const stn_matrix *const of = stn_matrix_of_products(a);
    return of->memory.space == STN_SPACE_HOST && !stn_matrix_is_complex(of) &&
           stn_source_is_supported(exec, of);
}

static stn_status multiply_list(several *job, const single *all, int64_t count, double *products)
{
    const int64_t chunks = stn_chunks_of(all->product->a->rows);
    if (products)
        STN_TRY(stn_allocate(&job->sums, count * chunks, sizeof *job->sums, "stn_spmv: sums"));
    const stn_status status = multiply_together(job, all, count);
    for (int64_t k = 0; k < count && products && status == STN_OK; k++)
        products[k] =
            chunks == 0 ? 0.0
                        : stn_chunks_fold(all->product->arithmetic, job->sums + k * chunks, chunks);
    stn_free(job->sums);
    return status;
}

stn_status stn_spmv_list(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                         int64_t count, const stn_view *const *x, const stn_view *const *y,
                         double *products)
{
    const stn_spmv_call product = {exec, arithmetic, 1.0, 0.0, stn_matrix_of_products(a),
                                   x[0], y[0],       y[0]};
    single all = {.product = &product};
    stn_run run;
    several *job;
    STN_TRY(stn_run_init_in_modes(&run, arithmetic, &product.a->storage));
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "stn_spmv: columns"));
    job->sums = NULL;
    for (int64_t k = 0; k < count; k++) {
        job->x[k] = *x[k];
        job->y[k] = *y[k];
    }
    stn_status status = stn_source_open(&all.source, "stn_spmv", exec, arithmetic, &run, product.a);
    if (status == STN_OK)
        status = multiply_list(job, &all, count, products);
    stn_source_close(&all.source);
    stn_free(job);
    return status;
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
        stn_matrix_has_slices(product->a) && x->stride[0] == 1 && y->stride[0] == 1;
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
