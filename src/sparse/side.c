/* Rows side by side: what lies side by side in memory is read so, of any view. Sums of sorted rows
 * go through memory, and from there into y in its own order. */
#include "sparse/side.h"

#include <string.h>

#include "blas/operand.h"
#include "core/memory.h"
#include "core/status.h"
#include "sparse/indices.h"
#include "sparse/tile.h"
#include "sum/tree.h"
#include "view/trace.h"

int stn_side_take(const stn_exec *exec, stn_format arithmetic, const stn_csr *a)
{
    return exec->kind == STN_EXEC_OPENMP &&
           (a->kind == STN_SPARSE_ELL || a->kind == STN_SPARSE_SELL) && !stn_csr_is_complex(a) &&
           stn_sparse_tiles_of(arithmetic) != NULL;
}

typedef struct side_job {
    const stn_csr *a;
    stn_format arithmetic;
    double alpha, beta;
    stn_sparse_side *side;
    int64_t bytes; /* of a value */
    stn_indices starts, places,
        columns; /* of STN_SPARSE_SELL starts, and places where rows are sorted */
    stn_reader values, scales;
    int is_sorted, is_scaled, are_values, are_columns; /* as they are read */
    stn_view views[STN_CSR_ARRAYS];
    int64_t lines, *row_of; /* sorted rows; which each of them is, where they are scaled */
    double *sums;           /* of sorted rows */
    const void *x;
    stn_operand y;
} side_job;

/* ---- up to 8 rows ---- */

enum { LEVELS = 48 }; /* of the tree: no memory has rows of 2^47 tiles */

/* Entry e of row r is at first + e * step + r, of STN_SPARSE_ELL in another dimension. */
typedef struct group {
    int64_t line, count, first, step, width;
    int64_t position[2], next[2], beside[2]; /* of columns and values: of entry 0, e and r on */
    _Alignas(64) double scale[STN_SIDE];     /* values of the arithmetic */
    _Alignas(64) double values[STN_TILE_ELEMENTS * STN_SIDE];
    _Alignas(64) int32_t column[STN_TILE_ELEMENTS * STN_SIDE];
} group;

static void set_positions(group *some, int k, const stn_reader *reader, int is_ell)
{
    const int64_t *const steps = reader->steps;
    some->position[k] = some->first * steps[0];
    some->next[k] = is_ell ? steps[1] : some->step * steps[0];
    some->beside[k] = steps[0];
}

static void find_group(const side_job *job, group *some, int64_t line)
{
    const stn_csr *const a = job->a;
    const int is_ell = a->kind == STN_SPARSE_ELL;
    const int64_t height = is_ell ? job->lines : a->height, slice = is_ell ? 0 : line / height;
    const int64_t in_slice = line - slice * height, left = height - in_slice;
    const int64_t behind = job->lines - line;
    some->line = line;
    some->count = left < STN_SIDE ? left : STN_SIDE;
    some->count = behind < some->count ? behind : some->count;
    some->first = line;
    some->width = is_ell ? a->indices.extent[1] : 0;
    some->step = height;
    if (!is_ell) {
        const int64_t begin = stn_index_at(&job->starts, slice);
        some->first = begin + in_slice;
        some->width = (stn_index_at(&job->starts, slice + 1) - begin) / height;
    }
    set_positions(some, 0, &job->columns.reader, is_ell);
    set_positions(some, 1, &job->values, is_ell);
}

/* Scales of the rows that the lines are. */
static void read_scales(const side_job *job, group *some)
{
    const int64_t step = job->scales.steps[0];
    char *const scales = (char *)some->scale;
    for (int64_t r = 0; r < some->count; r++) {
        const int64_t row = job->row_of ? job->row_of[some->line + r] : some->line + r;
        stn_read(&job->scales, scales + r * job->bytes, row * step, step, 1);
    }
}

static void scale_values(const side_job *job, group *some, int64_t count)
{
    float *const narrow = (float *)(void *)some->values;
    const float *const scale = (const float *)(const void *)some->scale;
    for (int64_t e = 0; e < count; e++)
        for (int64_t r = 0; r < some->count; r++)
            if (job->arithmetic == STN_F64)
                some->values[e * STN_SIDE + r] *= some->scale[r];
            else
                narrow[e * STN_SIDE + r] *= scale[r];
}

static void read_columns(const side_job *job, const group *some, int32_t *column, int64_t e)
{
    int64_t numbers[STN_SIDE];
    const int64_t position = some->position[0] + e * some->next[0];
    if (job->are_columns) {
        memcpy(column, stn_reader_at(&job->columns.reader, position),
               (size_t)some->count * sizeof *column);
    } else {
        stn_read(&job->columns.reader, numbers, position, some->beside[0], some->count);
        for (int64_t r = 0; r < some->count; r++)
            column[r] = (int32_t)numbers[r];
    }
}

static void read_values(const side_job *job, const group *some, void *values, int64_t e)
{
    const int64_t position = some->position[1] + e * some->next[1];
    if (job->are_values)
        memcpy(values, stn_reader_at(&job->values, position), (size_t)(some->count * job->bytes));
    else
        stn_read(&job->values, values, position, some->beside[1], some->count);
}

/* A tile of entries, from number `from` on; rows that there are not have none. */
static int64_t read_tile(const side_job *job, group *some, int64_t from)
{
    const int64_t left = some->width - from;
    const int64_t count = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
    if (some->count < STN_SIDE) {
        memset(some->column, 0xff, (size_t)(count * STN_SIDE) * sizeof *some->column);
        memset(some->values, 0, (size_t)(count * STN_SIDE * job->bytes));
    }
    for (int64_t e = 0; e < count; e++) {
        read_columns(job, some, some->column + e * STN_SIDE, from + e);
        read_values(job, some, (char *)some->values + e * STN_SIDE * job->bytes, from + e);
    }
    if (job->is_scaled)
        scale_values(job, some, count);
    return count;
}

/* A tile where it lies, or as it is read. */
static int64_t sum_tile(const side_job *job, group *some, double *sums, int64_t from)
{
    static const int64_t together[2] = {STN_SIDE, STN_SIDE};
    const int64_t left = some->width - from;
    int64_t count = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
    if (some->count == STN_SIDE && job->are_columns && job->are_values && !job->is_scaled) {
        job->side(sums, stn_reader_at(&job->values, some->position[1] + from * some->next[1]),
                  stn_reader_at(&job->columns.reader, some->position[0] + from * some->next[0]),
                  some->next, count, job->x);
        return count;
    }
    count = read_tile(job, some, from);
    job->side(sums, some->values, some->column, together, count, job->x);
    return count;
}

/* Is there a first entry? */
static void find_empty(const side_job *job, const group *some, int *is_empty)
{
    int32_t column[STN_SIDE] = {0};
    if (some->width > 0)
        read_columns(job, some, column, 0);
    for (int r = 0; r < STN_SIDE; r++)
        is_empty[r] = some->width == 0 || column[r] < 0;
}

/* What a row does not have is -0, which changes no sum: so a tree of the longest row is that of
 * each. A row without entries is +0. */
static void sum_group(const side_job *job, group *some, double *sums)
{
    double states[LEVELS * STN_SIDE];
    int is_empty[STN_SIDE];
    stn_tree tree;
    if (job->is_scaled)
        read_scales(job, some);
    find_empty(job, some, is_empty);
    stn_tree_begin(&tree, stn_add_of(job->arithmetic), sizeof *sums, STN_SIDE, states, 0);
    for (int64_t from = 0; from < some->width;) {
        from += sum_tile(job, some, sums, from);
        if (some->width > STN_TILE_ELEMENTS)
            stn_tree_push(&tree, sums, 0);
    }
    if (some->width > STN_TILE_ELEMENTS)
        memcpy(sums, stn_tree_fold(&tree), STN_SIDE * sizeof *sums);
    for (int r = 0; r < STN_SIDE; r++)
        if (is_empty[r])
            sums[r] = 0.0;
}

static void sum_share(void *context, int part, int parts)
{
    const side_job *const job = context;
    double sums[STN_SIDE];
    int64_t line, end;
    group some;
    stn_share(job->lines, part, parts, &line, &end);
    for (; line < end; line += some.count) {
        find_group(job, &some, line);
        if (some.count > end - line)
            some.count = end - line;
        sum_group(job, &some, sums);
        memcpy(job->sums + line, sums, (size_t)some.count * sizeof *sums);
    }
}

static void write_share(void *context, int part, int parts)
{
    const side_job *const job = context;
    double sums[STN_TILE_ELEMENTS];
    int64_t places[STN_TILE_ELEMENTS], row, end;
    stn_share(job->lines, part, parts, &row, &end);
    for (; row < end; row += STN_TILE_ELEMENTS) {
        const int64_t left = end - row, count = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
        if (job->is_sorted)
            stn_indices_read(&job->places, places, row, 1, count);
        for (int64_t r = 0; r < count; r++)
            sums[r] = job->sums[job->is_sorted ? places[r] : row + r];
        stn_operand_update(&job->y, job->arithmetic, row, count, job->alpha, sums, job->beta);
    }
}

/* ---- the call ---- */

static stn_status take_matrix(const stn_exec *exec, side_job *job)
{
    static const char call[] = "stn_spmv";
    const stn_csr *const a = job->a;
    const char *const name = stn_csr_name(a);
    const int rank = a->kind == STN_SPARSE_ELL ? 2 : 1;
    const stn_view *const values = &job->views[STN_CSR_VALUES];
    STN_TRY(stn_csr_views(a, job->views));
    STN_TRY(stn_indices_make(&job->columns, call, name, "column", &a->indices, rank));
    STN_TRY(stn_reader_make(&job->values, call, exec, job->arithmetic, values));
    job->are_columns = job->columns.reader.plain && a->indices.storage.format == STN_I32 &&
                       job->columns.reader.steps[0] == 1;
    job->are_values = job->values.plain && values->storage.format == job->arithmetic &&
                      stn_storage_is_usual(&values->storage) && job->values.steps[0] == 1;
    job->is_scaled = !stn_view_is_nothing(&a->scales);
    job->is_sorted = a->kind == STN_SPARSE_SELL && !stn_view_is_nothing(&a->places);
    if (a->kind == STN_SPARSE_SELL)
        STN_TRY(stn_indices_make(&job->starts, call, name, "slice_start", &a->starts, 1));
    if (job->is_sorted)
        STN_TRY(stn_indices_make(&job->places, call, name, "sorted", &a->places, 1));
    return job->is_scaled ? stn_reader_make(&job->scales, call, exec, job->arithmetic, &a->scales)
                          : STN_OK;
}

static stn_status allocate(side_job *job)
{
    STN_TRY(stn_allocate(&job->sums, job->lines, sizeof *job->sums, "stn_spmv: sums of rows"));
    if (!job->is_sorted || !job->is_scaled)
        return STN_OK;
    STN_TRY(stn_allocate(&job->row_of, job->lines, sizeof *job->row_of, "stn_spmv: sorted rows"));
    for (int64_t row = 0; row < job->lines; row++)
        job->row_of[stn_index_at(&job->places, row)] = row;
    return STN_OK;
}

static stn_status multiply_column(const stn_exec *exec, side_job *job, stn_vector *vector,
                                  const stn_view *x, const stn_view *y, int64_t column)
{
    static const double zero = 0.0;
    const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(column)};
    stn_operand operand;
    stn_view from, to;
    STN_TRY(stn_view_slice(&from, x, 2, slices));
    STN_TRY(stn_view_slice(&to, y, 2, slices));
    STN_TRY(stn_operand_make("stn_spmv", exec, job->arithmetic, &to, &job->y));
    STN_TRY(stn_operand_make("stn_spmv", exec, job->arithmetic, &from, &operand));
    if (!vector->owned)
        STN_TRY(stn_vector_make(&operand, 1.0, "stn_spmv: x decoded", vector));
    else
        stn_operand_read(&operand, 0, operand.count, vector->owned);
    job->x = job->a->columns > 0 ? vector->values : &zero;
    stn_exec_run_worth(exec, 16.0 * (double)job->a->entries, sum_share, job);
    stn_exec_run_worth(exec, 16.0 * (double)job->lines, write_share, job);
    return STN_OK;
}

static stn_status multiply(const stn_exec *exec, side_job *job, const stn_view *x,
                           const stn_view *y)
{
    stn_vector vector;
    vector.owned = NULL;
    stn_status status = take_matrix(exec, job);
    if (status == STN_OK)
        status = allocate(job);
    const uint64_t trace = stn_trace_begin("spmv", y);
    for (int64_t j = 0; j < x->extent[1] && status == STN_OK; j++)
        status = multiply_column(exec, job, &vector, x, y, j);
    stn_trace_end("spmv", y, trace);
    stn_free(vector.owned);
    stn_free(job->sums);
    stn_free(job->row_of);
    return status;
}

stn_status stn_side_multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                             const stn_csr *a, const stn_view *x, double beta, const stn_view *y)
{
    side_job *job = NULL;
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "stn_spmv: rows side by side"));
    memset(job, 0, sizeof *job);
    job->a = a;
    job->arithmetic = arithmetic;
    job->alpha = alpha;
    job->beta = beta;
    job->bytes = stn_arithmetic_bytes(arithmetic);
    job->lines = a->rows;
    job->side = stn_sparse_tiles_of(arithmetic)->side;
    const stn_status status = multiply(exec, job, x, y);
    stn_free(job);
    return status;
}
