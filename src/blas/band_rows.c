/* y = alpha * A x + beta * y for a band: several rows at a time, diagonal by diagonal. */
#include "blas/band.h"
#include "blas/complex.h"
#include "blas/operand.h"
#include "core/memory.h"
#include "order/fused.h"
#include "order/tree.h"
#include "view/trace.h"

#define STN_TEMPLATE      stn_band_lanes
#define STN_TEMPLATE_TYPE const stn_band_loops
#include "format/arithmetic_table.h"

typedef struct band_job {
    const stn_band_loops *loops;
    const stn_fused *fused; /* if rows are consecutive real values; or NULL */
    const stn_band_sums *sums;
    stn_reader below, above; /* elements up to the diagonal, and after it */
    int are_values[2];       /* of each */
    stn_operand to;
    const char *x; /* values */
    stn_format arithmetic, real;
    int parts;
    int64_t value_bytes;
    stn_c128 alpha, beta;
} band_job;

static const double unit_f64[2] = {1, 0};
static const float unit_f32[2] = {1, 0};

/* The imaginary parts of a diagonal of a Hermitian matrix count as 0. */
static void drop_imaginary(const band_job *job, void *values, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++) {
        if (job->real == STN_F64)
            ((double *)values)[2 * r + 1] = 0;
        else
            ((float *)values)[2 * r + 1] = 0;
    }
}

/* The diagonal of element (row, column) in `rows` rows, in place or decoded into `buffer`. */
static stn_band_diagonal diagonal_at(const band_job *job, int64_t row, int64_t column, int64_t rows,
                                     void *buffer)
{
    const stn_band_sums *const s = job->sums;
    const int is_above = column > row, is_main = column == row;
    const int is_real = is_main && s->conjugates_below != s->conjugates_above;
    const stn_reader *const reader = is_above ? &job->above : &job->below;
    const int64_t position = row * reader->steps[0] + column * reader->steps[1];
    const int64_t step = reader->steps[0] + reader->steps[1];
    const int conjugates = is_above ? s->conjugates_above : s->conjugates_below;
    if (is_main && s->has_units)
        return (stn_band_diagonal){job->real == STN_F64 ? (const void *)unit_f64 : unit_f32, 0, 0};
    if (job->are_values[is_above] && !is_real)
        return (stn_band_diagonal){stn_reader_at(reader, position), step, conjugates};
    stn_read(reader, buffer, position, step, rows);
    if (is_real)
        drop_imaginary(job, buffer, rows);
    return (stn_band_diagonal){buffer, 1, conjugates && !is_real};
}

/* Elements first to first + count - 1, up to a tile, of `rows` rows from `row` on; `first` is the
 * column in the first row. */
static void sum_diagonals(const band_job *job, double *sums, int64_t row, int64_t rows,
                          int64_t first, int64_t count)
{
    _Alignas(64) char lanes[STN_LANES * STN_BAND_ROWS * STN_BLAS_VALUE_BYTES];
    _Alignas(64) char buffer[STN_BAND_MANY_ROWS * STN_BLAS_VALUE_BYTES];
    const int64_t wide = rows > 2 * STN_BAND_ROWS ? STN_BAND_MANY_ROWS
                         : rows > STN_BAND_ROWS   ? 2 * STN_BAND_ROWS
                                                  : STN_BAND_ROWS;
    stn_band_diagonal diagonals[STN_LANES];
    for (int64_t k = 0; k < count;) {
        int64_t held = 0;
        while (held < STN_LANES && k + held < count &&
               (held == 0 || diagonals[held - 1].a != buffer)) {
            diagonals[held] = diagonal_at(job, row, first + k + held, rows, buffer);
            held++;
        }
        job->loops->add(lanes, diagonals, k, held, job->x + (first + k) * job->value_bytes, rows,
                        job->parts, wide);
        k += held;
    }
    job->loops->fold(sums, lanes, count < STN_LANES ? count : STN_LANES, rows, job->parts, wide);
}

/* The same, row by row where rows are consecutive and long. */
static void sum_tile(const band_job *job, double *sums, int64_t row, int64_t rows, int64_t first,
                     int64_t count)
{
    const stn_affine plain = stn_affine_plain();
    if (!job->fused || count <= STN_LANES) {
        sum_diagonals(job, sums, row, rows, first, count);
        return;
    }
    for (int64_t r = 0; r < rows; r++)
        job->fused->rows(sums + r,
                         stn_reader_at(&job->below, (row + r) * job->below.steps[0] + first + r), 0,
                         1, &plain, job->x + (first + r) * job->value_bytes, count);
}

static void write_rows(const band_job *job, int64_t row, int64_t rows, const double *sums)
{
    if (job->parts == 2)
        stn_complex_update(&job->to.reader, row, rows, job->alpha, sums, job->beta);
    else
        stn_operand_update(&job->to, job->arithmetic, row, rows, job->alpha.re, sums, job->beta.re);
}

static void multiply_rows(const band_job *job, int64_t row, int64_t rows, int64_t first,
                          int64_t count)
{
    double sums[2 * STN_BAND_MANY_ROWS] = {0}, states[STN_BLAS_LEVELS * 2 * STN_BAND_ROWS];
    stn_tree tree;
    if (count <= STN_TILE_ELEMENTS) {
        if (count > 0)
            sum_tile(job, sums, row, rows, first, count);
        write_rows(job, row, rows, sums);
        return;
    }
    stn_tree_begin(&tree, stn_add_of(job->real), sizeof *sums, job->parts * rows, states, 0);
    for (int64_t k = 0; k < count; k += STN_TILE_ELEMENTS) {
        sum_tile(job, sums, row, rows, first + k,
                 count - k < STN_TILE_ELEMENTS ? count - k : STN_TILE_ELEMENTS);
        stn_tree_push(&tree, sums, 0);
    }
    write_rows(job, row, rows, stn_tree_fold(&tree));
}

/* Rows with all diagonals are processed together, other rows separately. */
static void multiply_share(void *context, int part, int parts)
{
    const band_job *const job = context;
    const stn_band *const band = &job->sums->band;
    const int64_t m = band->lines.extent[0], n = band->lines.extent[1];
    const int64_t begin = stn_band_clamp(0, band->below, m),
                  end = stn_band_clamp(begin, n - band->above, m);
    int64_t row, last;
    stn_share(m, part, parts, &row, &last);
    while (row < last) {
        const int64_t first = stn_band_clamp(0, row - band->below, n);
        const int64_t count = stn_band_clamp(first, row + band->above + 1, n) - first;
        const int64_t whole = (end < last ? end : last) - row;
        const int64_t most = count <= STN_BAND_FEW       ? STN_BAND_MANY_ROWS
                             : count <= 2 * STN_BAND_FEW ? 2 * STN_BAND_ROWS
                                                         : STN_BAND_ROWS;
        const int64_t rows = row < begin || row >= end ? 1 : whole < most ? whole : most;
        multiply_rows(job, row, rows, first, count);
        row += rows;
    }
}

static int is_contiguous(const stn_blas_call *call, const stn_view *x)
{
    return stn_blas_are_values(call->arithmetic, x) && (x->stride[0] == 1 || x->extent[0] <= 1);
}

/* x in place, in `few`, or in *owned. */
static stn_status read_x(const stn_blas_call *call, band_job *job, const stn_view *x, int is_y,
                         void *few, void **owned)
{
    const int64_t n = x->extent[0];
    stn_reader reader;
    job->x = x->data;
    if (!is_y && is_contiguous(call, x))
        return STN_OK;
    STN_TRY(stn_reader_init(&reader, call->name, call->exec, call->arithmetic, x));
    if (n > STN_TILE_ELEMENTS)
        STN_TRY(stn_allocate(owned, n, (size_t)job->value_bytes, call->name));
    void *const values = *owned ? *owned : few;
    stn_read(&reader, values, 0, reader.steps[0], n);
    job->x = values;
    return STN_OK;
}

stn_status stn_band_multiply(const stn_blas_call *call, const stn_band_sums *sums, stn_c128 alpha,
                             const stn_view *x, stn_c128 beta, const stn_view *y, int *is_done)
{
    _Alignas(64) char few[STN_TILE_ELEMENTS * STN_BLAS_VALUE_BYTES];
    const int is_wide = call->arithmetic == STN_F64 || call->arithmetic == STN_C128;
    const stn_view *const lines[2] = {&sums->band.lines, &sums->above};
    void *owned = NULL;
    band_job job = {.loops =
                        stn_exec_has_loops(call->exec) ? loops[stn_isa_chosen()][!is_wide] : NULL,
                    .sums = sums,
                    .arithmetic = call->arithmetic,
                    .real = is_wide ? STN_F64 : STN_F32,
                    .parts = stn_blas_is_complex(call->arithmetic) ? 2 : 1,
                    .value_bytes = stn_format_entry_of(call->arithmetic)->info.bytes,
                    .alpha = alpha,
                    .beta = beta};
    *is_done = job.loops && !stn_blas_is(call->arithmetic, alpha, 0.0);
    if (!*is_done)
        return STN_OK;
    for (int k = 0; k < 2; k++) {
        STN_TRY(stn_reader_init(k ? &job.above : &job.below, call->name, call->exec,
                                call->arithmetic, lines[k]));
        job.are_values[k] = stn_blas_are_values(call->arithmetic, lines[k]);
    }
    if (job.parts == 1 && job.are_values[0] && !sums->has_units && job.below.steps[1] == 1 &&
        sums->above.data == sums->band.lines.data && job.above.steps[1] == 1)
        job.fused = stn_fused_of(call->arithmetic, call->arithmetic); /* not mirrored */
    STN_TRY(job.parts == 2
                ? stn_reader_init(&job.to.reader, call->name, call->exec, call->arithmetic, y)
                : stn_operand_init(call->name, call->exec, call->arithmetic, y, &job.to));
    STN_TRY(read_x(call, &job, x, x == y, few, &owned));
    const double elements =
        (double)y->extent[0] * (double)(sums->band.below + sums->band.above + 1);
    const uint64_t trace = stn_trace_begin(call->name + 4, y);
    stn_exec_run_sized(call->exec, elements * (double)job.value_bytes, multiply_share, &job);
    stn_trace_end(call->name + 4, y, trace);
    stn_free(owned);
    return STN_OK;
}
