/* Runs of views that are not plain: line by line, each along one dimension. */
#include "view/reader.h"

#include "view/layout/mapping.h"
#include "view/number.h"
#include "view/layout/places.h"
#include "view/scale_run.h"

/* Elements of a line, and bytes of a code, that go through buffers on the stack. */
enum { LINE = 4 * STN_TILE, CODE_BYTES = 16, SHORT_PIECE = 64 };

/* ---- making ---- */

void stn_reader_set(stn_reader *reader, const stn_run *run, const stn_view *view)
{
    reader->run = *run;
    reader->view = view;
    reader->plain = !view->mapping && (!stn_view_has_scales(view) || stn_scales_are_one(view));
}

/* Where there are no elements the steps do not matter: they wrap. */
static void c_order_steps(const stn_view *view, int64_t *steps)
{
    uint64_t step = 1;
    for (int d = view->rank - 1; d >= 0; d--) {
        steps[d] = (int64_t)step;
        step *= (uint64_t)view->extent[d];
    }
}

void stn_reader_steps(const stn_reader *reader, int64_t *steps)
{
    if (reader->plain)
        memcpy(steps, reader->view->stride, (size_t)reader->view->rank * sizeof *steps);
    else
        c_order_steps(reader->view, steps);
}

stn_status stn_reader_make(stn_reader *reader, const char *call, const stn_exec *exec,
                           stn_format arithmetic, const stn_view *view)
{
    stn_run run;
    STN_TRY(stn_view_run_make_in_modes(&run, arithmetic, view));
    if (exec && exec->kind == STN_EXEC_REFERENCE)
        stn_run_use_scalar(&run);
    stn_reader_set(reader, &run, view);
    return reader->plain ? STN_OK : stn_scales_check(call, arithmetic, view);
}

/* ---- lines ---- */

/* Neighbours under one scale are a piece; pieces that are short are not decoded one by one. */
static int has_short_pieces(const stn_view *view, const stn_view_line *line)
{
    const stn_scales *scales = &view->scales;
    if (!stn_view_has_scales(view) || line->dimension < 0 || scales->stride[line->dimension] == 0)
        return 0;
    return scales->dimension != line->dimension || scales->block < SHORT_PIECE;
}

/* The longest one that a run begins with: along the innermost dimension that goes by its step. */
static void find_line(const stn_reader *reader, int64_t position, int64_t step, int64_t count,
                      stn_view_line *line)
{
    const stn_view *view = reader->view;
    int64_t steps[STN_MAX_RANK];
    c_order_steps(view, steps);
    line->dimension = -1;
    for (int d = 0; d < view->rank; d++) {
        line->index[d] = position / steps[d];
        position %= steps[d];
        if (view->extent[d] > 1 && steps[d] == step)
            line->dimension = d;
    }
    line->count = 1;
    if (line->dimension < 0)
        return;
    const int64_t left = view->extent[line->dimension] - line->index[line->dimension];
    line->count = count < left ? count : left;
    if (line->count > LINE && (view->mapping || has_short_pieces(view, line)))
        line->count = LINE;
}

static stn_view_line rest_of(const stn_view_line *line, int64_t k, int64_t count)
{
    stn_view_line rest = *line;
    if (rest.dimension >= 0)
        rest.index[rest.dimension] += k;
    rest.count = count;
    return rest;
}

/* Codes that are too large, or too strictly aligned, for a buffer are read where they are. */
static int is_wide(const stn_run *run)
{
    return run->bytes > CODE_BYTES || run->entry->info.alignment > 64;
}

static int64_t value_bytes_of(const stn_run *run)
{
    return stn_arithmetic_bytes(run->arithmetic) * run->parts;
}

/* ---- scales ---- */

/* A run without its scale. */
static stn_run without_scale(const stn_run *run, const stn_view *view)
{
    const stn_storage storage = {.scale = 1.0, .zero = view->storage.zero};
    stn_run plain = *run;
    plain.affine = stn_affine_of(&storage, run->arithmetic);
    return plain;
}

#define DEFINE_SCALE(name, type, OP)                                                               \
    static void name(type *to, const type *from, const double *scales, int64_t parts,              \
                     int64_t count)                                                                \
    {                                                                                              \
        for (int64_t k = 0; parts == 1 && k < count; k++)                                          \
            to[k] = from[k] OP(type) scales[k];                                                    \
        for (int64_t k = 0; parts == 2 && k < count; k++) {                                        \
            to[2 * k] = from[2 * k] OP(type) scales[k];                                            \
            to[2 * k + 1] = from[2 * k + 1] OP(type) scales[k];                                    \
        }                                                                                          \
    }
DEFINE_SCALE(multiply_f64, double, *)
DEFINE_SCALE(multiply_f32, float, *)
DEFINE_SCALE(divide_f64, double, /)
DEFINE_SCALE(divide_f32, float, /)

/* Are codes the values? */
static int is_as_it_is(const stn_run *run)
{
    return run->real == run->arithmetic && run->affine.plain && !run->portable && run->zero == 0;
}

/* ---- reading ---- */

/* Elements k to k + count - 1 of a line, by a run that has their scale. */
static void decode_piece(const stn_reader *reader, const stn_run *run, const stn_view_line *line,
                         int64_t k, int64_t count, char *values)
{
    _Alignas(64) char codes[LINE * CODE_BYTES];
    const stn_view_line piece = rest_of(line, k, count);
    const int64_t bytes = value_bytes_of(run);
    const stn_view *view = reader->view;
    if (!view->mapping) {
        stn_run_decode(run, values, stn_view_line_at(view, &piece, 0, run->bytes),
                       line->dimension < 0 ? 1 : view->stride[line->dimension], count);
    } else if (is_wide(run)) {
        for (int64_t j = 0; j < count; j++)
            stn_run_decode(run, values + j * bytes, stn_view_line_at(view, &piece, j, run->bytes),
                           1, 1);
    } else if (is_as_it_is(run)) {
        stn_view_line_gather(view, &piece, run->bytes, values);
    } else {
        stn_view_line_gather(view, &piece, run->bytes, codes);
        stn_run_decode(run, values, codes, 1, count);
    }
}

static void read_line(const stn_reader *reader, const stn_view_line *line, char *values)
{
    const int64_t bytes = value_bytes_of(&reader->run);
    double room[LINE];
    stn_run run = reader->run;
    if (has_short_pieces(reader->view, line)) {
        const double *scales = stn_scale_values(reader->view, line->index, line->dimension,
                                                line->count, run.arithmetic, room);
        run = without_scale(&run, reader->view);
        decode_piece(reader, &run, line, 0, line->count, values);
        if (run.arithmetic == STN_F32)
            multiply_f32((float *)values, (float *)values, scales, run.parts, line->count);
        else
            multiply_f64((double *)values, (double *)values, scales, run.parts, line->count);
        return;
    }
    for (int64_t k = 0, some; k < line->count; k += some) {
        const stn_view_line rest = rest_of(line, k, line->count - k);
        some = rest.count;
        if (stn_view_has_scales(reader->view))
            some = stn_scale_run(reader->view, rest.index, rest.dimension, rest.count, &run);
        decode_piece(reader, &run, line, k, some, values + k * bytes);
    }
}

void stn_read_any(const stn_reader *reader, void *values, int64_t position, int64_t step,
                  int64_t count)
{
    const int64_t bytes = value_bytes_of(&reader->run);
    stn_view_line line;
    for (int64_t k = 0; k < count; k += line.count) {
        find_line(reader, position + k * step, step, count - k, &line);
        read_line(reader, &line, (char *)values + k * bytes);
        for (; step == 0 && k + 1 < count; k++)
            memcpy((char *)values + (k + 1) * bytes, values, (size_t)bytes);
    }
}

/* ---- writing ---- */

static void encode_piece(const stn_reader *reader, const stn_run *run, const stn_view_line *line,
                         int64_t k, int64_t count, const char *values, int64_t first)
{
    _Alignas(64) char codes[LINE * CODE_BYTES];
    const stn_view_line piece = rest_of(line, k, count);
    const int64_t bytes = value_bytes_of(run);
    const stn_view *view = reader->view;
    if (!view->mapping) {
        stn_run_encode(run, values, stn_view_line_at(view, &piece, 0, run->bytes),
                       line->dimension < 0 ? 1 : view->stride[line->dimension], first, count);
    } else if (is_wide(run)) {
        for (int64_t j = 0; j < count; j++)
            stn_run_encode(run, values + j * bytes, stn_view_line_at(view, &piece, j, run->bytes),
                           1, first + j, 1);
    } else {
        stn_run_encode(run, values, codes, 1, first, count);
        stn_view_line_scatter(view, &piece, run->bytes, codes);
    }
}

/* A quotient is rounded to the arithmetic type before the zero point is added, here as in codecs.
 */
static void write_divided(const stn_reader *reader, const stn_view_line *line, const char *values,
                          int64_t first)
{
    const stn_run run = without_scale(&reader->run, reader->view);
    double room[LINE];
    union {
        double f64[2 * LINE];
        float f32[2 * LINE];
    } quotients;
    const double *scales = stn_scale_values(reader->view, line->index, line->dimension, line->count,
                                            run.arithmetic, room);
    if (run.arithmetic == STN_F32)
        divide_f32(quotients.f32, (const float *)values, scales, run.parts, line->count);
    else
        divide_f64(quotients.f64, (const double *)values, scales, run.parts, line->count);
    encode_piece(reader, &run, line, 0, line->count, (const char *)&quotients, first);
}

static void write_line(const stn_reader *reader, const stn_view_line *line, const char *values,
                       int64_t first)
{
    const int64_t bytes = value_bytes_of(&reader->run);
    stn_run run = reader->run;
    if (has_short_pieces(reader->view, line) && run.arithmetic != STN_I64) {
        write_divided(reader, line, values, first);
        return;
    }
    for (int64_t k = 0, some; k < line->count; k += some) {
        const stn_view_line rest = rest_of(line, k, line->count - k);
        some = rest.count;
        if (stn_view_has_scales(reader->view))
            some = stn_scale_run(reader->view, rest.index, rest.dimension, rest.count, &run);
        encode_piece(reader, &run, line, k, some, values + k * bytes, first + k);
    }
}

void stn_write_any(const stn_reader *reader, const void *values, int64_t position, int64_t step,
                   int64_t first, int64_t count)
{
    const int64_t bytes = value_bytes_of(&reader->run);
    stn_view_line line;
    for (int64_t k = 0; k < count; k += line.count) {
        find_line(reader, position + k * step, step, count - k, &line);
        write_line(reader, &line, (const char *)values + k * bytes, first + k);
    }
}

/* ---- short rows: their codes become one run ---- */

typedef struct row_codes {
    int64_t bytes;                       /* of a code */
    int64_t step, row_step, rows, count; /* in elements */
} row_codes;

/* Between the view and an array. The longer of two loops is within. */
static void move_rows(const row_codes *r, char *place, char *codes, int stores)
{
    const int64_t row = r->count * r->bytes, step = r->step * r->bytes;
    const int is_whole = r->step == 1, by_column = !is_whole && r->rows > r->count;
    const int64_t moves = is_whole ? 1 : by_column ? r->count : r->rows;
    const int64_t bytes = is_whole ? row : r->bytes;
    for (int64_t k = 0; k < moves; k++) {
        char *at = place + k * (by_column ? step : r->row_step * r->bytes);
        char *code = codes + k * (by_column ? r->bytes : row);
        const int64_t at_step = is_whole || by_column ? r->row_step * r->bytes : step;
        const int64_t code_step = is_whole || by_column ? row : r->bytes;
        const int64_t count = is_whole || by_column ? r->rows : r->count;
        if (stores)
            stn_move(at, at_step, code, code_step, bytes, count);
        else
            stn_move(code, code_step, at, at_step, bytes, count);
    }
}

/* Rows whose codes go through the buffer at a time; 0: each by itself. */
enum { BATCH = LINE };
static int64_t batch_of(const stn_reader *reader, int64_t count)
{
    return reader->plain && !is_wide(&reader->run) && count <= BATCH ? BATCH / count : 0;
}

void stn_read_rows(const stn_reader *reader, void *values, int64_t position, int64_t row_step,
                   int64_t step, int64_t rows, int64_t count)
{
    _Alignas(64) char codes[BATCH * CODE_BYTES];
    const stn_run *run = &reader->run;
    const int64_t bytes = value_bytes_of(run), batch = batch_of(reader, count);
    for (int64_t r = 0, some = 1; r < rows; r += some) {
        char *to = (char *)values + r * count * bytes;
        some = batch == 0 ? 1 : rows - r < batch ? rows - r : batch;
        const row_codes moved = {run->bytes, step, row_step, some, count};
        if (batch == 0) {
            stn_read(reader, to, position + r * row_step, step, count);
        } else if (is_as_it_is(run)) {
            move_rows(&moved, stn_reader_at(reader, position + r * row_step), to, 0);
        } else {
            move_rows(&moved, stn_reader_at(reader, position + r * row_step), codes, 0);
            stn_run_decode(run, to, codes, 1, some * count);
        }
    }
}

void stn_write_rows(const stn_reader *reader, const void *values, int64_t position,
                    int64_t row_step, int64_t step, int64_t first, int64_t rows, int64_t count)
{
    _Alignas(64) char codes[BATCH * CODE_BYTES];
    const stn_run *run = &reader->run;
    const int64_t bytes = value_bytes_of(run), batch = batch_of(reader, count);
    for (int64_t r = 0, some = 1; r < rows; r += some) {
        const char *from = (const char *)values + r * count * bytes;
        some = batch == 0 ? 1 : rows - r < batch ? rows - r : batch;
        const row_codes moved = {run->bytes, step, row_step, some, count};
        if (batch == 0) {
            stn_write(reader, from, position + r * row_step, step, first + r * count, count);
        } else if (is_as_it_is(run)) {
            move_rows(&moved, stn_reader_at(reader, position + r * row_step),
                      (char *)(uintptr_t)from, 1);
        } else {
            stn_run_encode(run, from, codes, 1, first + r * count, some * count);
            move_rows(&moved, stn_reader_at(reader, position + r * row_step), codes, 1);
        }
    }
}
