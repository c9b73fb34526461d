/* Products of compressed rows or of sorted entries with several right-hand sides. The matrix is
 * read in pieces, so its arrays may be any views. If the matrix is complex, two right-hand sides
 * are the parts of one complex vector. */
#include "sparse/columns.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "sparse/starts.h"
#include "sparse/vectors.h"
#include "sum/tree.h"
#include "view/trace.h"

enum { MAX_COLUMNS = STN_TILE_MAX_WIDTH, PIECE = 256 };

int stn_columns_support(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a)
{
    return stn_exec_has_loops(exec) && (a->kind == STN_MATRIX_CSR || a->kind == STN_MATRIX_COO) &&
           stn_sparse_tiles_of(arithmetic) != NULL;
}

typedef struct columns_job {
    stn_format arithmetic;
    int64_t parts; /* of an element */
    stn_sparse_tile *tile;
    stn_starts starts;
    const int32_t *column; /* or `indices` */
    stn_indices indices;
    stn_view views[STN_ARRAYS];
    stn_reader values, scales;
    int is_scaled, are_values; /* are_values: usable without decoding */
    stn_vectors vectors;
} columns_job;

/* ---- pieces of the matrix ---- */

/* A decoded piece: entries begin to end - 1. `last` is the end of the thread's share. */
typedef struct piece {
    int64_t begin, end, last;
    _Alignas(64) double values[PIECE]; /* or as many floats; complex values: half as many */
    _Alignas(64) double scaled[2 * STN_TILE_ELEMENTS];
    int32_t column[PIECE];
} piece;

static void fill_piece(const columns_job *job, piece *buffer, int64_t begin)
{
    int64_t numbers[STN_INDICES];
    const int64_t step = job->values.steps[0], left = buffer->last - begin;
    const int64_t most = PIECE / job->parts, count = left < most ? left : most;
    buffer->begin = begin;
    buffer->end = begin + count;
    if (!job->are_values)
        stn_read(&job->values, buffer->values, begin * step, step, count);
    for (int64_t k = 0; !job->column && k < count; k += STN_INDICES) {
        const int64_t part = count - k < STN_INDICES ? count - k : STN_INDICES;
        stn_indices_read(&job->indices, numbers, begin + k, 1, part);
        for (int64_t n = 0; n < part; n++)
            buffer->column[k + n] = (int32_t)numbers[n];
    }
}

static void scale_values(const columns_job *job, piece *buffer, const void *values, int64_t entries,
                         double scale)
{
    const int64_t count = entries * job->parts;
    if (job->arithmetic == STN_F64)
        for (int64_t k = 0; k < count; k++)
            buffer->scaled[k] = ((const double *)values)[k] * scale;
    else
        for (int64_t k = 0; k < count; k++)
            ((float *)(void *)buffer->scaled)[k] = ((const float *)values)[k] * (float)scale;
}

static void sum_tile(const columns_job *job, piece *buffer, double *sums, int64_t begin,
                     int64_t count, double scale)
{
    const int is_read = job->are_values && job->column;
    if (!is_read && (begin < buffer->begin || begin + count > buffer->end))
        fill_piece(job, buffer, begin);
    const int64_t at = begin - buffer->begin;
    const int64_t bytes = job->parts * (job->arithmetic == STN_F64 ? 8 : 4);
    const void *values = job->are_values ? stn_reader_at(&job->values, begin)
                                         : (const char *)buffer->values + at * bytes;
    if (job->is_scaled) {
        scale_values(job, buffer, values, count, scale);
        values = buffer->scaled;
    }
    job->tile(sums, values, job->column ? job->column + begin : buffer->column + at,
              job->vectors.steps, count, job->vectors.x);
}

/* ---- rows ---- */

/* A separate function, so that short rows do not need its stack space. */
static __attribute__((noinline)) void sum_long_row(const columns_job *job, piece *buffer,
                                                   double *sums, int64_t begin, int64_t end,
                                                   double scale)
{
    double states[STN_TREE_LEVELS * MAX_COLUMNS], tile_sums[MAX_COLUMNS];
    stn_tree tree;
    stn_tree_begin(&tree, stn_add_of(job->arithmetic), sizeof *sums, job->vectors.width, states, 0);
    for (int64_t k = begin; k < end; k += STN_TILE_ELEMENTS) {
        const int64_t left = end - k;
        sum_tile(job, buffer, tile_sums, k, left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS,
                 scale);
        stn_tree_push(&tree, tile_sums, 0);
    }
    memcpy(sums, stn_tree_fold(&tree), (size_t)job->vectors.width * sizeof *sums);
}

static void sum_row(const columns_job *job, piece *buffer, double *sums, int64_t begin, int64_t end,
                    double scale)
{
    if (end == begin)
        memset(sums, 0, (size_t)job->vectors.width * sizeof *sums);
    else if (end - begin <= STN_TILE_ELEMENTS)
        sum_tile(job, buffer, sums, begin, end - begin, scale);
    else
        sum_long_row(job, buffer, sums, begin, end, scale);
}

/* Decodes scales of rows into the arithmetic type. */
static void read_scales(const columns_job *job, double *scales, int64_t row, int64_t count)
{
    float narrow[STN_MAX_WRITTEN_ROWS];
    const int64_t step = job->is_scaled ? job->scales.steps[0] : 0;
    if (job->is_scaled && job->arithmetic == STN_F64)
        stn_read(&job->scales, scales, row * step, step, count);
    else if (job->is_scaled)
        stn_read(&job->scales, narrow, row * step, step, count);
    for (int64_t r = 0; job->arithmetic == STN_F32 && job->is_scaled && r < count; r++)
        scales[r] = (double)narrow[r];
}

static void write_rows(const columns_job *job, piece *buffer, int64_t row, int64_t count)
{
    int64_t row_starts[STN_MAX_WRITTEN_ROWS + 1];
    double scales[STN_MAX_WRITTEN_ROWS] = {0}, sums[STN_MAX_WRITTEN_ROWS * MAX_COLUMNS];
    const int64_t *const start = stn_starts_read(&job->starts, row_starts, row, count + 1);
    read_scales(job, scales, row, count);
    for (int64_t r = 0; r < count; r++)
        sum_row(job, buffer, sums + r * job->vectors.width, start[r], start[r + 1], scales[r]);
    stn_vectors_write(&job->vectors, row, count, sums);
}

static void multiply_share(void *context, int part, int parts)
{
    const columns_job *const job = context;
    int64_t row = stn_starts_share(&job->starts, part, parts);
    const int64_t end = stn_starts_share(&job->starts, part + 1, parts);
    piece buffer;
    buffer.begin = buffer.end = 0;
    buffer.last = stn_start_at(&job->starts, end);
    for (; row < end; row += STN_MAX_WRITTEN_ROWS)
        write_rows(job, &buffer, row,
                   end - row < STN_MAX_WRITTEN_ROWS ? end - row : STN_MAX_WRITTEN_ROWS);
}

/* ---- the call ---- */

static stn_status set_matrix(const stn_exec *exec, columns_job *job, const stn_matrix *a)
{
    static const char call[] = "stn_spmv";
    const stn_format complex = job->arithmetic == STN_F64 ? STN_C128 : STN_C64;
    const stn_format values_in = job->parts == 2 ? complex : job->arithmetic;
    STN_TRY(stn_matrix_list_arrays(a, job->views));
    STN_TRY(stn_starts_init(&job->starts, call, a));
    job->column = a->column;
    if (!stn_view_is_empty(&a->indices))
        STN_TRY(
            stn_indices_init(&job->indices, call, stn_matrix_name(a), "column", &a->indices, 1));
    STN_TRY(stn_reader_init(&job->values, call, exec, values_in, &job->views[STN_ARRAY_VALUES]));
    job->are_values = stn_view_is_of_values(&job->views[STN_ARRAY_VALUES], values_in) &&
                      job->views[STN_ARRAY_VALUES].stride[0] == 1;
    job->is_scaled = !stn_view_is_empty(&a->scales);
    return job->is_scaled ? stn_reader_init(&job->scales, call, exec, job->arithmetic, &a->scales)
                          : STN_OK;
}

/* Multiplies up to 16 columns at once. */
static stn_status multiply(const stn_exec *exec, columns_job *job, const stn_matrix *a,
                           const stn_view *y)
{
    const stn_sparse_tiles *const tiles = stn_sparse_tiles_of(job->arithmetic);
    STN_TRY(set_matrix(exec, job, a));
    const uint64_t trace = stn_trace_begin("spmv", y);
    stn_status status = STN_OK;
    for (int64_t first = 0; first < job->vectors.columns; first += job->vectors.count) {
        status = stn_vectors_select(exec, &job->vectors, first);
        if (status != STN_OK)
            break;
        const int loop = stn_vectors_loop(job->vectors.width);
        job->tile = job->parts == 2 ? tiles->complex[loop] : tiles->real[loop];
        stn_exec_run_sized(exec, 16.0 * (double)a->entries, multiply_share, job);
    }
    stn_trace_end("spmv", y, trace);
    return status;
}

stn_status stn_columns_multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                                const stn_matrix *a, const stn_view *x, double beta,
                                const stn_view *y)
{
    columns_job *job = NULL;
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "stn_spmv: several right-hand sides"));
    memset(job, 0, sizeof *job);
    job->arithmetic = arithmetic;
    job->parts = stn_matrix_is_complex(a) ? 2 : 1;
    stn_status status =
        stn_vectors_init(&job->vectors, arithmetic, alpha, x, beta, y, stn_matrix_is_plain(a));
    if (status == STN_OK)
        status = multiply(exec, job, a, y);
    stn_vectors_release(&job->vectors);
    stn_free(job);
    return status;
}
