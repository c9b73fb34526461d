/* Block-Jacobi: the blocks, their inverses, and the format of each. An application is a product
 * with one sparse matrix per format; these have disjoint sets of rows. */
#include "steno/block_jacobi.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "core/modes.h"
#include "distribute/partition.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "precondition/block_jacobi.h"
#include "precondition/invert.h"
#include "precondition/factor_format.h"
#include "sparse/kinds/compressed.h"

enum { DEFAULT_BLOCK = 8, NARROW = 0, MIDDLE = 1, FULL = 2 };

static const char call[] = "stn_block_jacobi_create";

typedef struct block_jacobi_job {
    const stn_exec *exec;
    const char *name; /* name of the matrix */
    stn_compressed from;
    const stn_block_jacobi_options *requested;
    stn_block_jacobi *result;
    int64_t parts;         /* of a number */
    int64_t count, *start; /* of blocks */
    int64_t *at;           /* position of the first number of each inverse, which is stored by
                            * columns */
    double *inverse;
    double *max;         /* largest magnitude of a part of each inverse */
    unsigned char *part; /* format of each inverse */
    double values[1024]; /* of a row; capacity of one read */
    stn_storage storage[STN_BLOCK_JACOBI_FORMATS];
} block_jacobi_job;

/* ---- blocks ---- */

static int64_t row_length(const stn_compressed *a, int64_t row)
{
    return a->start[row + 1] - a->start[row];
}

static int is_alike(const stn_compressed *a, int64_t row, int64_t other)
{
    return row_length(a, row) == row_length(a, other) &&
           (row_length(a, row) == 0 ||
            memcmp(a->column + a->start[row], a->column + a->start[other],
                   (size_t)row_length(a, row) * sizeof *a->column) == 0);
}

/* The end of the consecutive rows with the same pattern as this one; at most `max` rows. */
static int64_t end_of_alike(const stn_compressed *a, int64_t row, int64_t max)
{
    int64_t end = row + 1;
    while (end < a->rows && end - row < max && is_alike(a, row, end))
        end++;
    return end;
}

static void find_blocks(block_jacobi_job *job, int64_t max)
{
    const stn_compressed *const a = &job->from;
    int64_t row = 0;
    job->count = 0;
    job->start[0] = 0;
    while (row < a->rows) {
        const int64_t end = end_of_alike(a, row, max);
        if (row > job->start[job->count] && end - job->start[job->count] > max)
            job->start[++job->count] = row;
        row = end;
    }
    if (a->rows > 0)
        job->start[++job->count] = a->rows;
}

static stn_status copy_block_starts(block_jacobi_job *job)
{
    const stn_block_jacobi_options *const requested = job->requested;
    if (requested->block_count < 0 || requested->block_start[0] != 0 ||
        requested->block_start[requested->block_count] != job->from.rows)
        return stn_fail(STN_ERR_ARGUMENT, "%s: block_start must begin with 0 and end with %lld",
                        call, (long long)job->from.rows);
    for (int64_t k = 0; k < requested->block_count; k++) {
        const int64_t rows = requested->block_start[k + 1] - requested->block_start[k];
        if (rows < 1)
            return stn_fail(STN_ERR_ARGUMENT, "%s: block %lld has %lld rows; the minimum is 1",
                            call, (long long)k, (long long)rows);
        if (rows > STN_BLOCK_JACOBI_MAX_ROWS)
            return stn_fail(STN_ERR_RANGE, "%s: block %lld has %lld rows; the maximum is %d", call,
                            (long long)k, (long long)rows, STN_BLOCK_JACOBI_MAX_ROWS);
    }
    memcpy(job->start, requested->block_start,
           (size_t)(requested->block_count + 1) * sizeof *job->start);
    job->count = requested->block_count;
    return STN_OK;
}

static stn_status choose_blocks(block_jacobi_job *job)
{
    const int64_t max = job->requested->max_block_rows;
    if (max < 0 || max > STN_BLOCK_JACOBI_MAX_ROWS)
        return stn_fail(STN_ERR_RANGE, "%s: max_block_rows is %lld; it must be from 0 to %d", call,
                        (long long)max, STN_BLOCK_JACOBI_MAX_ROWS);
    const int64_t batch =
        job->requested->block_start && job->requested->block_count > job->from.rows
            ? 0 /* a block has no rows */
            : job->from.rows;
    STN_TRY(stn_allocate(&job->start, batch + 2, sizeof *job->start, "blocks"));
    if (!job->requested->block_start)
        find_blocks(job, max ? max : DEFAULT_BLOCK);
    else if (batch < job->requested->block_count)
        return stn_fail(STN_ERR_ARGUMENT, "%s: block_count is %lld, but the matrix has %lld rows",
                        call, (long long)job->requested->block_count, (long long)job->from.rows);
    else
        STN_TRY(copy_block_starts(job));
    return STN_OK;
}

/* ---- inverses ---- */

static stn_format wide_of(const block_jacobi_job *job)
{
    return job->parts == 2 ? STN_C128 : STN_F64;
}

/* Extracts the entries of the block, by columns. */
static stn_status extract(block_jacobi_job *job, int64_t first, int64_t rows, double *block)
{
    enum { MAX_VALUES = sizeof job->values / sizeof *job->values };
    const stn_compressed *const a = &job->from;
    const int64_t parts = job->parts, batch = MAX_VALUES / parts;
    memset(block, 0, (size_t)(rows * rows * parts) * sizeof *block);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t end = a->start[first + i + 1];
        for (int64_t begin = a->start[first + i]; begin < end; begin += batch) {
            const int64_t count = end - begin < batch ? end - begin : batch;
            STN_TRY(stn_decode(wide_of(job), job->values, &a->storage, a->codes + begin * a->code,
                               1, count));
            for (int64_t k = 0; k < count; k++) {
                const int64_t column = a->column[begin + k] - first;
                for (int64_t p = 0; p < parts && column >= 0 && column < rows; p++)
                    block[(column * rows + i) * parts + p] += job->values[k * parts + p];
            }
        }
    }
    return STN_OK;
}

/* The narrowest format for this condition number, if the magnitude is in its range. */
static unsigned char choose_part(double condition, double max)
{
    static const double allowed = 0.1;
    if (condition * 0x1p-11 <= allowed)
        return NARROW;
    return condition * 0x1p-24 <= allowed && max <= 0x1p120 && max >= 0x1p-120 ? MIDDLE : FULL;
}

static stn_status invert_block(block_jacobi_job *job, int64_t k, double *block)
{
    const int64_t first = job->start[k], rows = job->start[k + 1] - first;
    double *const inverse = job->inverse + job->at[k] * job->parts;
    double condition;
    STN_TRY(extract(job, first, rows, block));
    if (!stn_invert(block, (int)rows, job->parts == 2, inverse, &condition))
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: the block of rows %lld to %lld (from 0) of %s is singular or not "
                        "finite",
                        call, (long long)first, (long long)(first + rows - 1), job->name);
    job->max[k] = 0.0;
    for (int64_t i = 0; i < rows * rows * job->parts; i++)
        job->max[k] = fmax(job->max[k], fabs(inverse[i]));
    job->part[k] = job->requested->format ? FULL : choose_part(condition, job->max[k]);
    return STN_OK;
}

static stn_status invert(block_jacobi_job *job)
{
    double *block = NULL;
    stn_status status =
        stn_allocate(&block, 2 * STN_BLOCK_JACOBI_MAX_ROWS * STN_BLOCK_JACOBI_MAX_ROWS * job->parts,
                     sizeof *block, "a block");
    for (int64_t k = 0; k < job->count && status == STN_OK; k++)
        status = invert_block(job, k, block);
    stn_free(block);
    return status;
}

/* ---- formats ---- */

/* The power of two that scales this magnitude into the range of the format. */
static double scale_for(double max, double highest)
{
    enum { MIN_EXPONENT = DBL_MIN_EXP - DBL_MANT_DIG }; /* for f64: the quotient may be smaller */
    int exponent, other;
    const int is_more = frexp(max, &exponent) >= frexp(highest, &other);
    exponent += is_more - other;
    return ldexp(1.0, exponent > MIN_EXPONENT ? exponent : MIN_EXPONENT);
}

/* The largest number of the blocks of a format, on all ranks. */
static stn_status find_max(const block_jacobi_job *job, int part, double *max)
{
    *max = 0.0;
    for (int64_t k = 0; k < job->count; k++)
        if (job->part[k] == part)
            *max = fmax(*max, job->max[k]);
    return stn_partition_max(job->requested->partition, max);
}

/* All narrow blocks share one scale, determined by their largest number. A block whose numbers
 * would be subnormal with that scale gets a wider format. */
static void scale_narrow(block_jacobi_job *job, double max)
{
    const double scale = max > 0.0 ? scale_for(max, 65504.0) : 1.0;
    for (int64_t k = 0; k < job->count; k++)
        if (job->part[k] == NARROW && !(job->max[k] >= scale * 0x1p-13))
            job->part[k] = choose_part(1e4, job->max[k]);
    job->storage[NARROW] = stn_storage_of(job->parts == 2 ? STN_C32 : STN_F16);
    job->storage[NARROW].scale = scale;
    job->storage[MIDDLE] = stn_storage_of(job->parts == 2 ? STN_C64 : STN_F32);
    job->storage[FULL] = stn_storage_of(wide_of(job));
}

static stn_status choose_formats(block_jacobi_job *job)
{
    double max;
    STN_TRY(find_max(job, job->requested->format ? FULL : NARROW, &max));
    if (!job->requested->format) {
        scale_narrow(job, max);
        return STN_OK;
    }
    const stn_format format = stn_factor_format(*job->requested->format, job->parts == 2);
    const stn_format_info *const info = stn_parts_info(format);
    job->storage[FULL] = stn_storage_of(format);
    if (stn_factor_needs_scale(info, max))
        job->storage[FULL].scale = scale_for(max, info->highest);
    return STN_OK;
}

/* ---- matrices ---- */

typedef struct rows_of {
    int64_t *start;
    int32_t *column;
    double *values;
} rows_of;

static void release_rows(rows_of *rows)
{
    stn_free(rows->start);
    stn_free(rows->column);
    stn_free(rows->values);
}

/* Writes the rows of one format, in f64 or c128. Each row begins at its diagonal and wraps around,
 * so that entry e of every row is in column row + e, or row + e minus the rows of the block: two
 * runs in slices. */
static void fill_rows(const block_jacobi_job *job, int part, rows_of *result)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < job->count; k++) {
        const int64_t first = job->start[k], rows = job->start[k + 1] - first;
        const double *const inverse = job->inverse + job->at[k] * job->parts;
        for (int64_t i = 0; i < rows; i++) {
            result->start[first + i] = entries;
            for (int64_t e = 0; e < rows && job->part[k] == part; e++) {
                const int64_t j = i + e < rows ? i + e : i + e - rows;
                result->column[entries] = (int32_t)(first + j);
                memcpy(result->values + entries++ * job->parts,
                       inverse + (j * rows + i) * job->parts, (size_t)job->parts * sizeof *inverse);
            }
        }
    }
    result->start[job->from.rows] = entries;
}

static stn_status narrow(const block_jacobi_job *job, int part, const stn_exec *host,
                         const stn_matrix *wide, stn_matrix *result)
{
    int64_t bytes;
    STN_TRY(stn_matrix_convert(host, result, wide, STN_MATRIX_AUTO, &job->storage[part]));
    STN_TRY(stn_sparse_bytes(result, result->kind, result->storage.format, &bytes));
    job->result->base.info.bytes += bytes;
    return STN_OK;
}

static stn_status convert(const block_jacobi_job *job, int part, const rows_of *rows,
                          stn_matrix *result)
{
    static const char *const labels[2][STN_BLOCK_JACOBI_FORMATS] = {
        {"blocks in f16", "blocks in f32", "blocks"}, {"blocks in c32", "blocks in c64", "blocks"}};
    const int64_t n = job->from.rows;
    const stn_exec *const exec = job->exec;
    stn_matrix on_host = {0};
    const stn_matrix wide =
        stn_matrix_of_rows(labels[job->parts - 1][part], stn_storage_of(wide_of(job)), n, n,
                           rows->start, rows->column, rows->values);
    if (stn_space_accessible(exec, STN_SPACE_HOST))
        return narrow(job, part, exec, &wide, result);
    stn_exec *host;
    STN_TRY(stn_exec_create(&host, "threads"));
    stn_status status = narrow(job, part, host, &wide, &on_host);
    if (status == STN_OK)
        status = stn_matrix_copy(exec, result, &on_host);
    stn_matrix_clear(&on_host);
    stn_exec_release(host);
    return status;
}

static stn_status create_part(block_jacobi_job *job, int part)
{
    stn_block_jacobi *const result = job->result;
    rows_of rows = {NULL, NULL, NULL};
    int64_t entries = 0;
    for (int64_t k = 0; k < job->count; k++)
        if (job->part[k] == part) {
            const int64_t edge = job->start[k + 1] - job->start[k];
            entries += edge * edge;
            result->base.info.format_blocks[part]++;
        }
    if (entries == 0)
        return STN_OK;
    stn_status status =
        stn_allocate(&rows.start, job->from.rows + 1, sizeof *rows.start, "rows of blocks");
    if (status == STN_OK)
        status = stn_allocate(&rows.column, entries, sizeof *rows.column, "columns of blocks");
    if (status == STN_OK)
        status = stn_allocate(&rows.values, entries * job->parts, sizeof *rows.values, "blocks");
    if (status == STN_OK) {
        fill_rows(job, part, &rows);
        status = convert(job, part, &rows, &result->part[part]);
    }
    release_rows(&rows);
    return status;
}

static stn_status create(block_jacobi_job *job)
{
    int64_t entries = 0;
    STN_TRY(choose_blocks(job));
    STN_TRY(stn_allocate(&job->at, job->count + 1, sizeof *job->at, "blocks"));
    for (int64_t k = 0; k < job->count; k++) {
        const int64_t rows = job->start[k + 1] - job->start[k];
        job->at[k] = entries;
        entries += rows * rows;
    }
    STN_TRY(
        stn_allocate(&job->inverse, entries * job->parts, sizeof(double), "inverses of blocks"));
    STN_TRY(stn_allocate(&job->max, job->count, sizeof(double), "blocks"));
    STN_TRY(stn_allocate(&job->part, job->count, 1, "blocks"));
    STN_TRY(invert(job));
    STN_TRY(choose_formats(job));
    for (int part = 0; part < STN_BLOCK_JACOBI_FORMATS; part++)
        STN_TRY(create_part(job, part));
    job->result->base.info.rows = job->from.rows;
    job->result->base.info.blocks = job->count;
    return STN_OK;
}

/* ---- calls ---- */

static stn_status expect_blocks(const stn_matrix *a, const stn_block_jacobi_options *blocks)
{
    STN_TRY(stn_matrix_expect(call, a));
    if (a->rows != a->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s (%lld x %lld) is not square", call,
                        stn_matrix_name(a), (long long)a->rows, (long long)a->columns);
    if (blocks->partition && a->rows != stn_partition_count(blocks->partition))
        return stn_fail(STN_ERR_SHAPE, "%s: %s has %lld rows, but this rank has %lld", call,
                        stn_matrix_name(a), (long long)a->rows,
                        (long long)stn_partition_count(blocks->partition));
    return blocks->format
               ? stn_expect_factor_format(call, *blocks->format, stn_matrix_is_complex(a))
               : STN_OK;
}

static stn_status create_job(const stn_exec *exec, stn_block_jacobi *result, const stn_matrix *a,
                             const stn_block_jacobi_options *options)
{
    block_jacobi_job *job = NULL;
    STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(expect_blocks(a, options));
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "block-Jacobi"));
    memset(job, 0, sizeof *job);
    job->exec = exec;
    job->name = stn_matrix_name(a);
    job->parts = stn_matrix_is_complex(a) ? 2 : 1;
    job->requested = options;
    job->result = result;
    stn_status status = stn_compressed_open(call, exec, a, &job->from);
    if (status == STN_OK)
        status = create(job);
    stn_compressed_close(&job->from);
    stn_free(job->start);
    stn_free(job->at);
    stn_free(job->inverse);
    stn_free(job->max);
    stn_free(job->part);
    stn_free(job);
    return status;
}

static stn_status create_checked(const stn_exec *exec, stn_block_jacobi *result,
                                 const stn_matrix *a, const stn_block_jacobi_options *blocks)
{
    stn_block_jacobi_options options = STN_BLOCK_JACOBI_OPTIONS_INIT;
    if (blocks)
        STN_TRY(STN_STRUCT_READ(&options, blocks, stn_block_jacobi_options, max_block_rows,
                                "stn_block_jacobi_create: options"));
    if (!options.partition)
        return create_job(exec, result, a, &options);
    stn_comm_begin(options.partition->comm);
    return stn_comm_end(options.partition->comm, create_job(exec, result, a, &options),
                        STN_COMM_ENDS_TOGETHER);
}

static void clear(stn_preconditioner *itself)
{
    stn_block_jacobi *const job = (stn_block_jacobi *)itself;
    for (int part = 0; part < STN_BLOCK_JACOBI_FORMATS; part++)
        stn_matrix_clear(&job->part[part]);
}

static stn_status apply(void *context, const stn_exec *exec, stn_format arithmetic,
                        const stn_view *x, const stn_view *y)
{
    const stn_block_jacobi *const job = context;
    double beta = 0.0;
    for (int part = 0; part < STN_BLOCK_JACOBI_FORMATS; part++)
        if (job->base.info.format_blocks[part] > 0) {
            STN_TRY(stn_spmv(exec, arithmetic, 1.0, &job->part[part], x, beta, y));
            beta = 1.0;
        }
    return STN_OK;
}

stn_status stn_block_jacobi_create(const stn_exec *exec, stn_preconditioner **result,
                                   const stn_matrix *a, const stn_block_jacobi_options *options)
{
    stn_block_jacobi *m;
    STN_TRY(stn_preconditioner_begin(call, result, sizeof *m, &m));
    m->base.info.name = "block-Jacobi";
    m->base.apply = apply;
    m->base.clear = clear;
    STN_RETURN_IN_MODES(
        stn_preconditioner_end(result, &m->base, create_checked(exec, m, a, options)));
}
