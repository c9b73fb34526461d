/* Runs of views that are not plain: divided into lines, each along one dimension. */
#include "view/reader.h"

#include "core/divide.h"
#include "view/layout/mapping.h"
#include "view/number.h"
#include "view/layout/lines.h"
#include "view/scale_run.h"
#include "view/store.h"

/* CHUNK: elements of a line that are buffered on the stack. */
enum { CHUNK = 4 * STN_TILE_ELEMENTS, SHORT_PIECE = 64 };

/* ---- creation ---- */

/* The difference of offsets per position, if it is constant: in whole arrays, rows, columns and
 * vectors. `offsets` are those per index of a dimension. */
static int find_step(const stn_view *view, const int64_t *offsets, const int64_t *positions,
                     int64_t *step)
{
    int is_known = 0;
    *step = 1;
    for (int d = view->rank - 1; d >= 0; d--) {
        if (view->extent[d] < 2)
            continue;
        if (!is_known)
            *step = offsets[d] / positions[d];
        if (offsets[d] != *step * positions[d])
            return 0;
        is_known = 1;
    }
    return 1;
}

static void set_planes(stn_reader *reader, const stn_view *view)
{
    int64_t offsets[STN_MAX_RANK];
    reader->planes = stn_view_count(view) > 0 ? stn_view_planes_of(view) : NULL;
    if (!reader->planes)
        return; /* without elements, positions have no distances */
    stn_view_linear_steps(view, offsets);
    if (!find_step(view, offsets, reader->steps, &reader->planes_step))
        reader->planes = NULL;
    reader->planes_first = (int64_t)view->first;
}

/* Tiles along the last axis are consecutive in such a store, and have extent 1 along the others. */
static void set_runs(stn_reader *reader, const stn_view *view)
{
    static const int64_t zero[STN_MAX_RANK];
    const stn_mapping *const mapping = stn_view_mapping(view);
    int64_t offsets[STN_MAX_RANK];
    if (!mapping->store || !mapping->store->moves_runs || stn_view_count(view) == 0)
        return;
    for (int d = 0; d < view->rank; d++)
        offsets[d] = view->stride[d] *
                     (view->axis[d] == mapping->rank - 1 ? 1 : mapping->tile_stride[view->axis[d]]);
    if (!find_step(view, offsets, reader->steps, &reader->runs_step))
        return;
    reader->runs = mapping->store;
    reader->runs_first = stn_view_element_offset(view, zero);
}

/* Are positions with these steps the offsets of a strided view? */
static int has_offsets(const stn_view *view, const int64_t *steps)
{
    int are_equal = 1;
    for (int d = 0; d < view->rank; d++)
        are_equal &= view->extent[d] < 2 || view->stride[d] == steps[d];
    return are_equal;
}

static void set_view(stn_reader *reader, const stn_view *view)
{
    reader->view = view;
    reader->plain = !stn_view_mapping(view);
    reader->planes = NULL;
    reader->runs = NULL;
    if (stn_view_has_scales(view)) {
        reader->scales = stn_scales_of(view);
        reader->plain = stn_scales_to_single(view, &reader->scales);
    }
    reader->addressed = reader->plain;
    if (reader->plain) {
        memcpy(reader->steps, view->stride, sizeof reader->steps); /* all: a few stores */
    } else {
        stn_view_order_steps(view, reader->steps);
        reader->addressed = !stn_view_mapping(view) && has_offsets(view, reader->steps);
    }
    if (stn_view_mapping(view)) {
        set_planes(reader, view);
        set_runs(reader, view);
    }
}

void stn_reader_set(stn_reader *reader, const stn_run *run, const stn_view *view)
{
    reader->run = *run;
    set_view(reader, view);
}

stn_status stn_reader_init(stn_reader *reader, const char *call, const stn_exec *exec,
                           stn_format arithmetic, const stn_view *view)
{
    STN_TRY(stn_view_run_init_in_modes(&reader->run, call, arithmetic, view));
    if (stn_exec_is_reference(exec))
        stn_run_use_scalar(&reader->run);
    set_view(reader, view);
    return reader->plain ? STN_OK : stn_scales_check(call, arithmetic, view);
}

/* ---- lines ---- */

/* Finds the longest line at the beginning of a run, along the innermost dimension with the step of
 * the run. */
static void find_line(const stn_reader *reader, int64_t position, int64_t step, int64_t count,
                      stn_view_line *line)
{
    const stn_view *view = reader->view;
    line->dimension = -1;
    for (int d = 0; d < view->rank; d++) {
        const int64_t one = reader->steps[d];
        line->index[d] = one == 1 ? position : position < one ? 0 : stn_divide(position, one);
        position -= line->index[d] * one;
        if (view->extent[d] > 1 && one == step)
            line->dimension = d;
    }
    line->count = 1;
    if (line->dimension < 0)
        return;
    const int64_t left = view->extent[line->dimension] - line->index[line->dimension];
    line->count = count < left ? count : left;
    if (line->count > CHUNK &&
        (stn_view_mapping(view) || reader->scales.stride[line->dimension] != 0))
        line->count = CHUNK;
}

/* Codes that are too large or too strictly aligned for the buffer are read in place. */
static int is_wide(const stn_run *run)
{
    return run->bytes > STN_CODE_BYTES || run->entry->info.alignment > 64;
}

static int64_t value_bytes_of(const stn_run *run)
{
    return stn_arithmetic_bytes(run->arithmetic) * run->parts;
}

/* Returns whether codes are values of the arithmetic type. */
static int is_unconverted(const stn_run *run)
{
    return run->real == run->arithmetic && run->affine.plain && !run->portable && run->zero == 0;
}

/* ---- lines of views with scales, which are strided ---- */

typedef struct scaled_line {
    const stn_reader *reader;
    char *codes;
    int64_t stride, count;
    stn_scale_line scales;
} scaled_line;

static scaled_line scaled_line_of(const stn_reader *reader, const stn_view_line *line)
{
    const stn_view *view = reader->view;
    const int d = line->dimension;
    return (scaled_line){.reader = reader,
                         .codes = stn_view_line_at(view, line, 0, reader->run.bytes),
                         .stride = d < 0 ? 1 : view->stride[d],
                         .count = line->count,
                         .scales = stn_scale_line_of(&reader->scales, view->rank, line->index, d)};
}

/* Returns whether enough adjacent elements have one scale to process them as separate runs.
 * Integers have no scale but 1. */
static int has_runs(const scaled_line *line)
{
    return line->scales.step == 0 || line->scales.left >= line->count ||
           line->scales.block >= SHORT_PIECE || line->reader->run.arithmetic == STN_I64;
}

/* The reader's run with one scale. */
static stn_run with_scale(const stn_reader *reader, double scale)
{
    const stn_storage storage = {.scale = scale, .zero = reader->view->storage.zero};
    stn_run run = reader->run;
    stn_affine_init(&run.affine, &storage, run.arithmetic);
    return run;
}

/* The run of the next `count` elements, from element k and scale n on, that have one scale. */
static stn_run next_run(const scaled_line *line, int64_t k, int64_t n, int64_t *count)
{
    const int is_one = line->scales.step == 0 || line->reader->run.arithmetic == STN_I64;
    const int64_t left = line->count - k, block = n == 0 ? line->scales.left : line->scales.block;
    *count = is_one || left < block ? left : block;
    return with_scale(line->reader, stn_scale_number(&line->scales, n));
}

static void read_scaled(const scaled_line *line, char *values)
{
    const stn_run *run = &line->reader->run;
    const int64_t bytes = value_bytes_of(run), step = line->stride * run->bytes;
    const int runs = has_runs(line);
    for (int64_t k = 0, n = 0, row_count; runs && k < line->count; k += row_count, n++) {
        const stn_run one = next_run(line, k, n, &row_count);
        stn_run_decode(&one, values + k * bytes, line->codes + k * step, line->stride, row_count);
    }
    if (runs)
        return;
    const stn_run unscaled = with_scale(line->reader, 1.0);
    const int in_place = line->stride == 1 && is_unconverted(&unscaled);
    if (!in_place)
        stn_run_decode(&unscaled, values, line->codes, line->stride, line->count);
    stn_scale_multiply(&line->scales, run->arithmetic, run->parts, values,
                       in_place ? line->codes : values, line->count);
}

/* A quotient is rounded to the arithmetic type before the zero point is added, as in codecs. */
static void write_scaled(const scaled_line *line, const char *values, int64_t first)
{
    const stn_run *run = &line->reader->run;
    const int64_t bytes = value_bytes_of(run), step = line->stride * run->bytes;
    const int runs = has_runs(line);
    double quotients[2 * CHUNK];
    for (int64_t k = 0, n = 0, row_count; runs && k < line->count; k += row_count, n++) {
        const stn_run one = next_run(line, k, n, &row_count);
        stn_run_encode(&one, values + k * bytes, line->codes + k * step, line->stride, first + k,
                       row_count);
    }
    if (runs)
        return;
    const stn_run unscaled = with_scale(line->reader, 1.0);
    stn_scale_divide(&line->scales, run->arithmetic, run->parts, quotients, values, line->count);
    stn_run_encode(&unscaled, quotients, line->codes, line->stride, first, line->count);
}

/* ---- lines of views with other layouts and one scale ---- */

static void read_mapped(const stn_reader *reader, const stn_view_line *line, char *values)
{
    _Alignas(64) char codes[CHUNK * STN_CODE_BYTES];
    const stn_run *run = &reader->run;
    const int64_t bytes = value_bytes_of(run);
    if (is_wide(run)) {
        for (int64_t k = 0; k < line->count; k++)
            stn_run_decode(run, values + k * bytes,
                           stn_view_line_at(reader->view, line, k, run->bytes), 1, 1);
    } else if (is_unconverted(run)) {
        stn_view_line_gather(reader->view, line, run->bytes, values);
    } else {
        stn_view_line_gather(reader->view, line, run->bytes, codes);
        stn_run_decode(run, values, codes, 1, line->count);
    }
}

static void write_mapped(const stn_reader *reader, const stn_view_line *line, const char *values,
                         int64_t first)
{
    _Alignas(64) char codes[CHUNK * STN_CODE_BYTES];
    const stn_run *run = &reader->run;
    const int64_t bytes = value_bytes_of(run);
    if (is_wide(run)) {
        for (int64_t k = 0; k < line->count; k++)
            stn_run_encode(run, values + k * bytes,
                           stn_view_line_at(reader->view, line, k, run->bytes), 1, first + k, 1);
    } else {
        stn_run_encode(run, values, codes, 1, first, line->count);
        stn_view_line_scatter(reader->view, line, run->bytes, codes);
    }
}

/* ---- runs of lines ---- */

static void read_line(const stn_reader *reader, const stn_view_line *line, char *values)
{
    if (stn_view_mapping(reader->view)) {
        read_mapped(reader, line, values);
    } else {
        const scaled_line scaled = scaled_line_of(reader, line);
        read_scaled(&scaled, values);
    }
}

static void write_line(const stn_reader *reader, const stn_view_line *line, const char *values,
                       int64_t first)
{
    if (stn_view_mapping(reader->view)) {
        write_mapped(reader, line, values, first);
    } else {
        const scaled_line scaled = scaled_line_of(reader, line);
        write_scaled(&scaled, values, first);
    }
}

static void read_planes(const stn_reader *reader, char *values, int64_t position, int64_t step,
                        int64_t count)
{
    const int64_t first = reader->planes_first + position * reader->planes_step;
    const int64_t stride = step * reader->planes_step, bytes = value_bytes_of(&reader->run);
    double codes[CHUNK];
    if (is_unconverted(&reader->run)) {
        stn_planes_read(reader->planes, first, stride, count, values);
        return;
    }
    if (reader->run.arithmetic == STN_F32 && reader->run.affine.plain && stride == 1) {
        stn_planes_read_narrow(reader->planes, first, count, (float *)(void *)values);
        return;
    }
    for (int64_t k = 0; k < count; k += CHUNK) {
        const int64_t batch = count - k < CHUNK ? count - k : CHUNK;
        stn_planes_read(reader->planes, first + k * stride, stride, batch, codes);
        stn_run_decode(&reader->run, values + k * bytes, codes, 1, batch);
    }
}

/* Can a run be moved at once? */
static int is_adjacent(const stn_reader *reader, int64_t step)
{
    return reader->runs && step * reader->runs_step == 1;
}

static void read_adjacent(const stn_reader *reader, char *values, int64_t position, int64_t count)
{
    const stn_store *const store = reader->runs;
    const int64_t first = reader->runs_first + position * reader->runs_step;
    const int64_t bytes = value_bytes_of(&reader->run);
    double codes[CHUNK];
    if (is_unconverted(&reader->run)) {
        store->move(store->context, first, 1, count, values, 0);
        return;
    }
    for (int64_t k = 0; k < count; k += CHUNK) {
        const int64_t batch = count - k < CHUNK ? count - k : CHUNK;
        store->move(store->context, first + k, 1, batch, codes, 0);
        stn_run_decode(&reader->run, values + k * bytes, codes, 1, batch);
    }
}

static void write_adjacent(const stn_reader *reader, const char *values, int64_t position,
                           int64_t first_number, int64_t count)
{
    const stn_store *const store = reader->runs;
    const int64_t first = reader->runs_first + position * reader->runs_step;
    const int64_t bytes = value_bytes_of(&reader->run);
    double codes[CHUNK];
    for (int64_t k = 0; k < count; k += CHUNK) {
        const int64_t batch = count - k < CHUNK ? count - k : CHUNK;
        stn_run_encode(&reader->run, values + k * bytes, codes, 1, first_number + k, batch);
        store->move(store->context, first + k, 1, batch, codes, 1);
    }
}

void stn_read_any(const stn_reader *reader, void *values, int64_t position, int64_t step,
                  int64_t count)
{
    if (reader->planes) {
        read_planes(reader, values, position, step, count);
        return;
    }
    if (is_adjacent(reader, step)) {
        read_adjacent(reader, values, position, count);
        return;
    }
    const int64_t bytes = value_bytes_of(&reader->run);
    const int64_t row_count = step == 0 && count > 1 ? 1 : count;
    stn_view_line line;
    for (int64_t k = 0; k < row_count; k += line.count) {
        find_line(reader, position + k * step, step, row_count - k, &line);
        read_line(reader, &line, (char *)values + k * bytes);
    }
    if (row_count < count)
        stn_repeat(values, bytes, count);
}

void stn_write_any(const stn_reader *reader, const void *values, int64_t position, int64_t step,
                   int64_t first, int64_t count)
{
    if (is_adjacent(reader, step)) {
        write_adjacent(reader, values, position, first, count);
        return;
    }
    const int64_t bytes = value_bytes_of(&reader->run);
    stn_view_line line;
    for (int64_t k = 0; k < count; k += line.count) {
        find_line(reader, position + k * step, step, count - k, &line);
        write_line(reader, &line, (const char *)values + k * bytes, first + k);
    }
}

/* ---- short rows: their codes are collected into one run ---- */

typedef struct row_codes {
    int64_t bytes;                       /* of a code */
    int64_t step, row_step, rows, count; /* in elements */
} row_codes;

/* Moves codes between the view and an array. The longer of the two loops is the inner one. */
static void move_rows(const row_codes *r, char *address, char *codes, int stores)
{
    const int64_t row = r->count * r->bytes, step = r->step * r->bytes;
    const int is_whole = r->step == 1, by_column = !is_whole && r->rows > r->count;
    const int64_t moves = is_whole ? 1 : by_column ? r->count : r->rows;
    const int64_t bytes = is_whole ? row : r->bytes;
    for (int64_t k = 0; k < moves; k++) {
        char *at = address + k * (by_column ? step : r->row_step * r->bytes);
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

/* The number of rows whose codes fit into the buffer; 0: rows are processed separately. */
enum { BATCH = CHUNK };
static int64_t batch_of(const stn_reader *reader, int64_t count)
{
    return reader->plain && !is_wide(&reader->run) && count <= BATCH ? BATCH / count : 0;
}

void stn_read_rows(const stn_reader *reader, void *values, int64_t position, int64_t row_step,
                   int64_t step, int64_t rows, int64_t count)
{
    _Alignas(64) char codes[BATCH * STN_CODE_BYTES];
    const stn_run *run = &reader->run;
    const int64_t bytes = value_bytes_of(run), batch = batch_of(reader, count);
    for (int64_t r = 0, row_count = 1; r < rows; r += row_count) {
        char *to = (char *)values + r * count * bytes;
        row_count = batch == 0 ? 1 : rows - r < batch ? rows - r : batch;
        const row_codes moved = {run->bytes, step, row_step, row_count, count};
        if (batch == 0) {
            stn_read(reader, to, position + r * row_step, step, count);
        } else if (is_unconverted(run)) {
            move_rows(&moved, stn_reader_at(reader, position + r * row_step), to, 0);
        } else {
            move_rows(&moved, stn_reader_at(reader, position + r * row_step), codes, 0);
            stn_run_decode(run, to, codes, 1, row_count * count);
        }
    }
}

void stn_write_rows(const stn_reader *reader, const void *values, int64_t position,
                    int64_t row_step, int64_t step, int64_t first, int64_t rows, int64_t count)
{
    _Alignas(64) char codes[BATCH * STN_CODE_BYTES];
    const stn_run *run = &reader->run;
    const int64_t bytes = value_bytes_of(run), batch = batch_of(reader, count);
    for (int64_t r = 0, row_count = 1; r < rows; r += row_count) {
        const char *from = (const char *)values + r * count * bytes;
        row_count = batch == 0 ? 1 : rows - r < batch ? rows - r : batch;
        const row_codes moved = {run->bytes, step, row_step, row_count, count};
        if (batch == 0) {
            stn_write(reader, from, position + r * row_step, step, first + r * count, count);
        } else if (is_unconverted(run)) {
            move_rows(&moved, stn_reader_at(reader, position + r * row_step),
                      (char *)(uintptr_t)from, 1);
        } else {
            stn_run_encode(run, from, codes, 1, first + r * count, row_count * count);
            move_rows(&moved, stn_reader_at(reader, position + r * row_step), codes, 1);
        }
    }
}
