/* Several right-hand sides at once: x is decoded with the elements of a row beside each other, and
 * the matrix piece by piece, so that any view is read. Of a complex matrix two are the parts of
 * complex numbers. */
#include "sparse/columns.h"

#include <string.h>

#include "blas/operand.h"
#include "core/memory.h"
#include "core/status.h"
#include "sparse/slice.h"
#include "sparse/starts.h"
#include "sparse/tile.h"
#include "sum/tree.h"
#include "view/trace.h"

enum { MOST = 8, BATCH = 64, PIECE = 256 };

int stn_columns_take(const stn_exec *exec, stn_format arithmetic, const stn_csr *a)
{
    return exec->kind == STN_EXEC_OPENMP &&
           (a->kind == STN_SPARSE_CSR || a->kind == STN_SPARSE_COO ||
            (a->kind == STN_SPARSE_SLICED && stn_csr_is_complex(a))) &&
           stn_sparse_tiles_of(arithmetic) != NULL;
}

typedef struct columns_job {
    stn_format arithmetic, values_in; /* values_in: the same, or of pairs of it */
    int64_t parts;                    /* of a value */
    double alpha, beta;
    int64_t width, count; /* of x as it is read; right-hand sides */
    stn_sparse_tile *tile;
    const stn_csr *sliced; /* a complex matrix in slices, or NULL: then it has */
    stn_starts starts;
    const int32_t *column; /* or */
    stn_indices indices;
    stn_view views[STN_CSR_ARRAYS];
    stn_reader values, scales;
    int is_scaled, are_values; /* as they are read */
    int writes_values;         /* y, too, is */
    const void *x;
    stn_operand from[MOST], y[MOST];
    stn_view from_views[MOST], y_views[MOST];
} columns_job;

/* ---- pieces of the matrix ---- */

/* Entries begin to end - 1 of a share that ends with `last`. */
typedef struct piece {
    int64_t begin, end, last;
    _Alignas(64) double values[PIECE]; /* or as many floats; half of them complex */
    _Alignas(64) double scaled[2 * STN_TILE_ELEMENTS];
    int32_t column[PIECE];
} piece;

static void fill_piece(const columns_job *job, piece *some, int64_t begin)
{
    int64_t numbers[STN_INDICES];
    const int64_t step = job->values.steps[0], left = some->last - begin;
    const int64_t most = PIECE / job->parts, count = left < most ? left : most;
    some->begin = begin;
    some->end = begin + count;
    if (!job->are_values)
        stn_read(&job->values, some->values, begin * step, step, count);
    for (int64_t k = 0; !job->column && k < count; k += STN_INDICES) {
        const int64_t part = count - k < STN_INDICES ? count - k : STN_INDICES;
        stn_indices_read(&job->indices, numbers, begin + k, 1, part);
        for (int64_t n = 0; n < part; n++)
            some->column[k + n] = (int32_t)numbers[n];
    }
}

static void scale_values(const columns_job *job, piece *some, const void *values, int64_t entries,
                         double scale)
{
    const int64_t count = entries * job->parts;
    if (job->arithmetic == STN_F64)
        for (int64_t k = 0; k < count; k++)
            some->scaled[k] = ((const double *)values)[k] * scale;
    else
        for (int64_t k = 0; k < count; k++)
            ((float *)(void *)some->scaled)[k] = ((const float *)values)[k] * (float)scale;
}

static void sum_tile(const columns_job *job, piece *some, double *sums, int64_t begin,
                     int64_t count, double scale)
{
    const int is_read = job->are_values && job->column;
    if (!is_read && (begin < some->begin || begin + count > some->end))
        fill_piece(job, some, begin);
    const int64_t at = begin - some->begin;
    const int64_t bytes = job->parts * (job->arithmetic == STN_F64 ? 8 : 4);
    const void *values = job->are_values ? stn_reader_at(&job->values, begin)
                                         : (const char *)some->values + at * bytes;
    if (job->is_scaled) {
        scale_values(job, some, values, count, scale);
        values = some->scaled;
    }
    job->tile(sums, values, job->column ? job->column + begin : some->column + at, count, job->x);
}

/* ---- rows ---- */

static void sum_row(const columns_job *job, piece *some, double *sums, int64_t begin, int64_t end,
                    double scale)
{
    double states[STN_TREE_LEVELS * MOST], tile_sums[MOST];
    stn_tree tree;
    if (end - begin <= STN_TILE_ELEMENTS) {
        if (end == begin)
            memset(sums, 0, MOST * sizeof *sums);
        else
            sum_tile(job, some, sums, begin, end - begin, scale);
        return;
    }
    stn_tree_begin(&tree, stn_add_of(job->arithmetic), sizeof *sums, job->width, states, 0);
    for (int64_t k = begin; k < end; k += STN_TILE_ELEMENTS) {
        const int64_t left = end - k;
        sum_tile(job, some, tile_sums, k, left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS,
                 scale);
        stn_tree_push(&tree, tile_sums, 0);
    }
    memcpy(sums, stn_tree_fold(&tree), (size_t)job->width * sizeof *sums);
}

/* A row of slices, whose entries are brought side by side. */
static void sum_slice_row(const columns_job *job, piece *some, double *sums, int64_t row)
{
    const stn_slice_row of = stn_slice_row_of(job->sliced, row);
    double states[STN_TREE_LEVELS * MOST];
    const int64_t one = job->values.steps[0];
    stn_tree tree;
    memset(sums, 0, MOST * sizeof *sums);
    if (of.count == 0)
        return;
    stn_tree_begin(&tree, stn_add_of(job->arithmetic), sizeof *sums, job->width, states, 0);
    for (int64_t from = 0; from < of.count; from += STN_TILE_ELEMENTS) {
        const int64_t left = of.count - from;
        const int64_t count = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
        for (int64_t e = 0; e < count; e++)
            some->column[e] = stn_slice_column(&of, from + e);
        stn_read(&job->values, some->values, (of.first + from * of.step) * one, of.step * one,
                 count);
        job->tile(sums, some->values, some->column, count, job->x);
        stn_tree_push(&tree, sums, 0);
    }
    memcpy(sums, stn_tree_fold(&tree), (size_t)job->width * sizeof *sums);
}

/* Scales of rows as values of the arithmetic. */
static void read_scales(const columns_job *job, double *scales, int64_t row, int64_t count)
{
    float narrow[BATCH];
    const int64_t step = job->is_scaled ? job->scales.steps[0] : 0;
    if (job->is_scaled && job->arithmetic == STN_F64)
        stn_read(&job->scales, scales, row * step, step, count);
    else if (job->is_scaled)
        stn_read(&job->scales, narrow, row * step, step, count);
    for (int64_t r = 0; job->arithmetic == STN_F32 && job->is_scaled && r < count; r++)
        scales[r] = (double)narrow[r];
}

#define DEFINE_WRITE(T, type)                                                                      \
    static void write_##T(const columns_job *job, int64_t row, int64_t count,                      \
                          const double sums[BATCH][MOST])                                          \
    {                                                                                              \
        const type alpha = (type)job->alpha, beta = (type)job->beta;                               \
        for (int64_t j = 0; j < job->count; j++) {                                                 \
            const int64_t step = job->y[j].stride;                                                 \
            type *to = stn_reader_at(&job->y[j].reader, row * step);                               \
            for (int64_t r = 0; r < count; r++, to += step) {                                      \
                const type sum = (type)sums[r][j], product = alpha == 1 ? sum : alpha * sum;       \
                *to = beta == 0 ? product : product + beta * *to;                                  \
            }                                                                                      \
        }                                                                                          \
    }
DEFINE_WRITE(f64, double)
DEFINE_WRITE(f32, float)

static void write_sums(const columns_job *job, int64_t row, int64_t count,
                       const double sums[BATCH][MOST])
{
    double column[BATCH];
    if (job->writes_values) {
        (job->arithmetic == STN_F64 ? write_f64 : write_f32)(job, row, count, sums);
        return;
    }
    for (int64_t j = 0; j < job->count; j++) {
        for (int64_t r = 0; r < count; r++)
            column[r] = sums[r][j];
        stn_operand_update(&job->y[j], job->arithmetic, row, count, job->alpha, column, job->beta);
    }
}

static void write_rows(const columns_job *job, piece *some, int64_t row, int64_t count)
{
    int64_t room[BATCH + 1];
    double scales[BATCH] = {0}, sums[BATCH][MOST];
    if (!job->sliced) {
        const int64_t *const start = stn_starts_read(&job->starts, room, row, count + 1);
        read_scales(job, scales, row, count);
        for (int64_t r = 0; r < count; r++)
            sum_row(job, some, sums[r], start[r], start[r + 1], scales[r]);
    } else {
        for (int64_t r = 0; r < count; r++)
            sum_slice_row(job, some, sums[r], row + r);
    }
    write_sums(job, row, count, (const double(*)[MOST])sums);
}

static void multiply_share(void *context, int part, int parts)
{
    const columns_job *const job = context;
    int64_t row, end;
    piece some;
    some.begin = some.end = some.last = 0;
    if (job->sliced) {
        stn_share(job->sliced->rows, part, parts, &row, &end);
    } else {
        row = stn_starts_share(&job->starts, part, parts);
        end = stn_starts_share(&job->starts, part + 1, parts);
        some.last = stn_start_at(&job->starts, end);
    }
    for (; row < end; row += BATCH)
        write_rows(job, &some, row, end - row < BATCH ? end - row : BATCH);
}

/* ---- vectors ---- */

#define DEFINE_PLACE(T, type)                                                                      \
    static void place_##T(void *room, const void *values, int64_t first, int64_t width, int64_t j, \
                          int64_t count)                                                           \
    {                                                                                              \
        const type *const from = values;                                                           \
        type *const to = room;                                                                     \
        for (int64_t k = 0; k < count; k++)                                                        \
            to[(first + k) * width + j] = from[k];                                                 \
    }
DEFINE_PLACE(f64, double)
DEFINE_PLACE(f32, float)

typedef struct placing {
    const columns_job *job;
    void *room;
    int64_t rows;
} placing;

/* Columns beyond the last one are zeros, whose sums nobody looks at. */
static void place_share(void *context, int part, int parts)
{
    const placing *const all = context;
    const columns_job *const job = all->job;
    double values[STN_TILE_ELEMENTS];
    int64_t begin, end;
    stn_share(all->rows, part, parts, &begin, &end);
    for (int64_t k = begin; k < end; k += STN_TILE_ELEMENTS)
        for (int64_t j = 0; j < job->width; j++) {
            const int64_t some = end - k < STN_TILE_ELEMENTS ? end - k : STN_TILE_ELEMENTS;
            if (j < job->count)
                stn_operand_read(&job->from[j], k, some, values);
            else
                memset(values, 0, sizeof values);
            (job->arithmetic == STN_F64 ? place_f64 : place_f32)(all->room, values, k, job->width,
                                                                 j, some);
        }
}

/* Values of the arithmetic, at any stride. */
static int are_values(stn_format arithmetic, const stn_view *view)
{
    return view->storage.format == arithmetic && stn_storage_is_usual(&view->storage) &&
           !view->storage.counters && !view->mapping && !view->scales.data;
}

/* Does x lie as it is read? */
static int is_placed(const columns_job *job, const stn_view *x)
{
    return job->count == job->width && x->extent[1] == job->width && x->stride[0] == job->width &&
           x->stride[1] == 1 && are_values(job->arithmetic, x);
}

static stn_status take_columns(const stn_exec *exec, columns_job *job, const stn_view *x,
                               const stn_view *y, int64_t first)
{
    for (int64_t j = 0; j < job->count; j++) {
        const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(first + j)};
        STN_TRY(stn_view_slice(&job->from_views[j], x, 2, slices));
        STN_TRY(stn_view_slice(&job->y_views[j], y, 2, slices));
        STN_TRY(stn_operand_make("stn_spmv", exec, job->arithmetic, &job->from_views[j],
                                 &job->from[j]));
        STN_TRY(stn_operand_make("stn_spmv", exec, job->arithmetic, &job->y_views[j], &job->y[j]));
    }
    return STN_OK;
}

static stn_status take_matrix(const stn_exec *exec, columns_job *job, const stn_csr *a)
{
    static const char call[] = "stn_spmv";
    STN_TRY(stn_csr_views(a, job->views));
    job->sliced = a->kind == STN_SPARSE_SLICED ? a : NULL;
    if (!job->sliced)
        STN_TRY(stn_starts_make(&job->starts, call, a));
    job->column = a->column;
    if (!stn_view_is_nothing(&a->indices))
        STN_TRY(stn_indices_make(&job->indices, call, stn_csr_name(a), "column", &a->indices, 1));
    STN_TRY(stn_reader_make(&job->values, call, exec, job->values_in, &job->views[STN_CSR_VALUES]));
    job->are_values = are_values(job->values_in, &job->views[STN_CSR_VALUES]) &&
                      job->views[STN_CSR_VALUES].stride[0] == 1;
    job->is_scaled = !stn_view_is_nothing(&a->scales);
    return job->is_scaled ? stn_reader_make(&job->scales, call, exec, job->arithmetic, &a->scales)
                          : STN_OK;
}

/* ---- the call ---- */

/* Right-hand sides at once, and the places for them. */
static int64_t most_of(const columns_job *job)
{
    return job->parts == 2 ? 2 : MOST;
}

static int64_t width_of(int64_t count)
{
    return count > 4 ? 8 : count > 2 ? 4 : count;
}

static stn_sparse_tile *tile_of(const stn_sparse_tiles *tiles, int64_t width)
{
    return width == 8   ? tiles->of_8
           : width == 4 ? tiles->of_4
           : width == 2 ? tiles->of_2
                        : tiles->of_1;
}

static void multiply_group(const stn_exec *exec, columns_job *job, const stn_csr *a,
                           const stn_view *x, void *room)
{
    const placing all = {job, room, a->columns};
    job->x = x->data;
    if (!is_placed(job, x)) {
        stn_exec_run_worth(exec, 8.0 * (double)(a->columns * job->width), place_share,
                           (void *)(uintptr_t)&all);
        job->x = room;
    }
    stn_exec_run_worth(exec, 16.0 * (double)a->entries, multiply_share, job);
}

/* Up to 8 columns at once. */
static stn_status multiply(const stn_exec *exec, columns_job *job, const stn_csr *a,
                           const stn_view *x, const stn_view *y, void *room)
{
    const stn_sparse_tiles *const tiles = stn_sparse_tiles_of(job->arithmetic);
    STN_TRY(take_matrix(exec, job, a));
    job->writes_values = are_values(job->arithmetic, y) && !(y->traits & STN_STREAMING);
    const uint64_t trace = stn_trace_begin("spmv", y);
    for (int64_t first = 0; first < x->extent[1]; first += job->count) {
        const int64_t left = x->extent[1] - first;
        job->count = left < most_of(job) ? left : most_of(job);
        job->width = width_of(job->count);
        job->tile = job->parts == 2 ? tiles->of_complex : tile_of(tiles, job->width);
        STN_TRY(take_columns(exec, job, x, y, first));
        multiply_group(exec, job, a, x, room);
    }
    stn_trace_end("spmv", y, trace);
    return STN_OK;
}

stn_status stn_columns_multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                                const stn_csr *a, const stn_view *x, double beta, const stn_view *y)
{
    columns_job *job = NULL;
    void *room = NULL;
    const int is_complex = stn_csr_is_complex(a);
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "stn_spmv: several right-hand sides"));
    memset(job, 0, sizeof *job);
    job->parts = is_complex ? 2 : 1;
    const int64_t most = most_of(job);
    const int64_t width = width_of(x->extent[1] < most ? x->extent[1] : most);
    job->arithmetic = arithmetic;
    job->values_in = !is_complex ? arithmetic : arithmetic == STN_F64 ? STN_C128 : STN_C64;
    job->alpha = alpha;
    job->beta = beta;
    job->width = job->count = width;
    stn_status status =
        is_placed(job, x)
            ? STN_OK
            : stn_allocate(&room, a->columns, (size_t)(width * stn_arithmetic_bytes(arithmetic)),
                           "stn_spmv: x decoded");
    if (status == STN_OK)
        status = multiply(exec, job, a, x, y, room);
    stn_free(room);
    stn_free(job);
    return status;
}
