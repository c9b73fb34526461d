/* Groups of adjacent rows, interleaved or consecutive: their positions, and their tiles. */
#include "sparse/group.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/tune.h"
#include "sparse/vectors.h"

int stn_groups_take(const stn_matrix *a)
{
    return a->kind == STN_MATRIX_ELL || a->kind == STN_MATRIX_SELL || a->kind == STN_MATRIX_SLICED;
}

static stn_status take_columns(stn_groups *groups, const char *call)
{
    const stn_matrix *const a = groups->a;
    const char *const name = stn_matrix_name(a);
    if (a->kind == STN_MATRIX_SLICED)
        return STN_OK;
    STN_TRY(stn_indices_make(&groups->columns, call, name, "column", &a->indices,
                             a->kind == STN_MATRIX_ELL ? 2 : 1));
    groups->are_columns = groups->columns.reader.plain && a->indices.storage.format == STN_I32 &&
                          groups->columns.reader.steps[0] == 1;
    return a->kind == STN_MATRIX_SELL
               ? stn_indices_make(&groups->starts, call, name, "slice_start", &a->starts, 1)
               : STN_OK;
}

stn_status stn_groups_make(stn_groups *groups, const char *call, const stn_exec *exec,
                           stn_format arithmetic, const stn_matrix *a)
{
    const int is_complex = stn_matrix_is_complex(a);
    const stn_format complex = arithmetic == STN_F64 ? STN_C128 : STN_C64;
    const stn_format values_in = is_complex ? complex : arithmetic;
    const stn_view *const values = &groups->views[STN_ARRAY_VALUES];
    memset(groups, 0, sizeof *groups);
    groups->a = a;
    groups->arithmetic = arithmetic;
    groups->parts = is_complex ? 2 : 1;
    groups->slice_columns = stn_sparse_tiles_of(arithmetic)->columns;
    groups->bytes = groups->parts * stn_arithmetic_bytes(arithmetic);
    STN_TRY(stn_matrix_list_arrays(a, groups->views));
    STN_TRY(take_columns(groups, call));
    STN_TRY(stn_reader_make(&groups->values, call, exec, values_in, values));
    groups->are_values = groups->values.plain && stn_vectors_are_values(values_in, values) &&
                         groups->values.steps[0] == 1;
    groups->is_scaled = !stn_view_is_nothing(&a->scales);
    return groups->is_scaled ? stn_reader_make(&groups->scales, call, exec, arithmetic, &a->scales)
                             : STN_OK;
}

/* ---- where a group is ---- */

/* Entry e of row r is at first + e * step + r. In ELL matrices, e is the second dimension. */
static void set_positions(stn_group *some, int k, const stn_reader *reader, int64_t first,
                          int64_t step, int is_ell)
{
    const int64_t *const steps = reader->steps;
    some->position[k] = first * steps[0];
    some->next[k] = is_ell ? steps[1] : step * steps[0];
    some->beside[k] = steps[0];
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The number of rows of `width` entries that fit into a group: `most`, halved as often as
 * necessary. */
static int64_t rows_together(int64_t most, int64_t width)
{
    int64_t rows = most;
    while (rows > STN_SIDE && rows * smaller(width, STN_TILE_ELEMENTS) > STN_GROUP_ENTRIES)
        rows /= 2;
    return rows;
}

static void find_in_slices(const stn_groups *groups, stn_group *some, int64_t left)
{
    const int64_t *const start = groups->a->slice_start + some->line / STN_SLICE_ROWS * 2;
    const int64_t r = some->line % STN_SLICE_ROWS;
    const int32_t *const word = groups->a->slice_word + start[1];
    const int kind = word[0] % 4;
    some->word = word;
    some->is_side = kind == STN_SLICE_STRAIGHT || kind == STN_SLICE_MIXED;
    some->width = some->is_side ? word[0] / 4 : 0;
    some->span = some->is_side ? rows_together(STN_SLICE_ROWS, some->width) : STN_SIDE;
    some->span = smaller(some->span, STN_SLICE_ROWS - r);
    some->count = smaller(left, some->span);
    for (int64_t row = r; !some->is_side && row < r + some->count; row++) {
        const int64_t length = word[1 + row] - (row == 0 ? 0 : word[row]);
        some->width = length > some->width ? length : some->width;
    }
    set_positions(some, 1, &groups->values, start[0] + (some->is_side ? r : 0), STN_SLICE_ROWS, 0);
}

static void find_in_places(const stn_groups *groups, stn_group *some, int64_t left)
{
    const stn_matrix *const a = groups->a;
    const int is_ell = a->kind == STN_MATRIX_ELL;
    const int64_t height = is_ell ? a->rows : a->height, slice = is_ell ? 0 : some->line / height;
    const int64_t in_slice = some->line - slice * height;
    int64_t first = some->line;
    some->word = NULL;
    some->is_side = 1;
    some->width = is_ell ? a->indices.extent[1] : 0;
    if (!is_ell) {
        const int64_t begin = stn_index_at(&groups->starts, slice);
        first = begin + in_slice;
        some->width = (stn_index_at(&groups->starts, slice + 1) - begin) / height;
    }
    some->count =
        smaller(smaller(height - in_slice, left), rows_together(STN_GROUP_ROWS, some->width));
    some->span = (some->count + STN_SIDE - 1) / STN_SIDE * STN_SIDE;
    set_positions(some, 0, &groups->columns.reader, first, height, is_ell);
    set_positions(some, 1, &groups->values, first, height, is_ell);
}

/* Reads the scales of the rows of a group. */
static void read_scales(const stn_groups *groups, stn_group *some)
{
    const int64_t step = groups->scales.steps[0], bytes = groups->bytes / groups->parts;
    char *const scales = (char *)some->scale;
    for (int64_t r = 0; r < some->count; r++) {
        const int64_t row = groups->row_of ? groups->row_of[some->line + r] : some->line + r;
        stn_read(&groups->scales, scales + r * bytes, row * step, step, 1);
    }
}

void stn_group_find(const stn_groups *groups, stn_group *some, int64_t line, int64_t end)
{
    some->line = line;
    if (groups->a->kind == STN_MATRIX_SLICED)
        find_in_slices(groups, some, end - line);
    else
        find_in_places(groups, some, end - line);
    if (groups->is_scaled)
        read_scales(groups, some);
}

/* ---- a tile ---- */

/* Multiplies `count` values at a position of the buffer by the scale of their row. */
#define DEFINE_SCALE(T, type)                                                                      \
    static void scale_##T(stn_group *some, int64_t at, int64_t r, int64_t parts)                   \
    {                                                                                              \
        type *const value = (type *)(void *)some->value_room + at * parts;                         \
        const type scale = ((const type *)(const void *)some->scale)[r];                           \
        for (int64_t p = 0; p < parts; p++)                                                        \
            value[p] *= scale;                                                                     \
    }
DEFINE_SCALE(f64, double)
DEFINE_SCALE(f32, float)

static void scale_value(const stn_groups *groups, stn_group *some, int64_t at, int64_t r)
{
    (groups->arithmetic == STN_F64 ? scale_f64 : scale_f32)(some, at, r, groups->parts);
}

static void read_columns(const stn_groups *groups, stn_group *some, int64_t from)
{
    int64_t numbers[STN_GROUP_ROWS];
    const stn_reader *const reader = &groups->columns.reader;
    const int64_t first = some->position[0] + from * some->next[0];
    some->column = some->column_room;
    some->steps[0] = some->span;
    if (some->word) {
        groups->slice_columns(some->word, (int)(some->line % STN_SLICE_ROWS), (int)some->span, from,
                              some->held, some->column_room);
        return;
    }
    if (groups->are_columns && some->count == some->span) {
        some->column = stn_reader_at(reader, first);
        some->steps[0] = some->next[0];
        return;
    }
    for (int64_t e = 0; e < some->held; e++) {
        int32_t *const column = some->column_room + e * some->span;
        stn_read(reader, numbers, first + e * some->next[0], some->beside[0], some->count);
        for (int64_t r = 0; r < some->span; r++)
            column[r] = r < some->count ? (int32_t)numbers[r] : -1;
    }
}

/* Prefetches subsequent codes. The hardware prefetcher does not recognize this pattern of a few
 * lines at a stride. Depending on the layout, these are codes of the following slices, of the same
 * half of the next slice (if rows are so long that a group is half a slice), or of the following
 * rows. At such strides, only few lines fit into the first-level cache. */
static void fetch_codes(const stn_groups *groups, const stn_group *some, int64_t first)
{
    const int64_t bytes = groups->values.run.bytes, run = some->span * bytes;
    const char *const from = stn_reader_at(&groups->values, first);
    const int64_t r = some->line % STN_SLICE_ROWS;
    if (!groups->values.plain || some->beside[1] != 1)
        return;
    if (some->next[1] == some->span)
        stn_prefetch_near(from + stn_tuned_sparse, run * some->held);
    else if (some->word)
        stn_prefetch(from + (some->next[1] * some->held - r + r * some->held) * bytes,
                     run * some->held);
    else
        for (int64_t e = 0; e < some->held; e++)
            stn_prefetch(from + e * some->next[1] * bytes + run, run);
}

/* Slices store elements for all 16 rows. */
static void read_values(const stn_groups *groups, stn_group *some, int64_t from)
{
    const int64_t first = some->position[1] + from * some->next[1];
    const int64_t rows = some->word ? some->span : some->count;
    char *const room = (char *)some->value_room;
    const int is_one = rows == some->span && some->next[1] == rows * some->beside[1];
    some->values = room;
    some->steps[1] = some->span;
    fetch_codes(groups, some, first);
    if (groups->are_values && !groups->is_scaled && rows == some->span) {
        some->values = stn_reader_at(&groups->values, first);
        some->steps[1] = some->next[1];
    } else if (is_one) {
        stn_read(&groups->values, room, first, some->beside[1], rows * some->held);
    } else {
        if (rows < some->span)
            memset(room, 0, (size_t)(some->held * some->span * groups->bytes));
        for (int64_t e = 0; e < some->held; e++)
            stn_read(&groups->values, room + e * some->span * groups->bytes,
                     first + e * some->next[1], some->beside[1], rows);
    }
    for (int64_t e = 0; groups->is_scaled && e < some->held; e++)
        for (int64_t r = 0; r < some->count; r++)
            scale_value(groups, some, e * some->span + r, r);
}

/* Reads one row of a slice whose rows are stored consecutively. */
static void read_row(const stn_groups *groups, stn_group *some, int64_t r, int64_t from)
{
    const int64_t row = some->line % STN_SLICE_ROWS + r, at = r * STN_TILE_ELEMENTS;
    const int64_t before = row == 0 ? 0 : some->word[row];
    const int64_t left = some->word[1 + row] - before - from, step = groups->values.steps[0];
    const int64_t count = left < 0 ? 0 : smaller(left, STN_TILE_ELEMENTS);
    const int64_t first = some->position[1] + (before + from) * step;
    some->row_held[r] = count;
    stn_slice_row_columns(some->word, before + from, count, some->column_room + at);
    if (groups->are_values && !groups->is_scaled) {
        some->row_values[r] = stn_reader_at(&groups->values, first);
        return;
    }
    char *const room = (char *)some->value_room + at * groups->bytes;
    some->row_values[r] = room;
    if (count > 0)
        stn_read(&groups->values, room, first, step, count);
    for (int64_t e = 0; groups->is_scaled && e < count; e++)
        scale_value(groups, some, at + e, r);
}

void stn_group_read(const stn_groups *groups, stn_group *some, int64_t from)
{
    some->held = smaller(some->width - from, STN_TILE_ELEMENTS);
    some->column = some->column_room;
    for (int64_t r = 0; !some->is_side && r < some->count; r++)
        read_row(groups, some, r, from);
    if (!some->is_side || some->held == 0)
        return;
    read_columns(groups, some, from);
    read_values(groups, some, from);
}

/* Absent entries are at the end of a row. */
int64_t stn_group_held(const stn_group *some, int64_t r)
{
    int64_t count = some->held;
    if (!some->is_side)
        return some->row_held[r];
    while (count > 0 && some->column[(count - 1) * some->steps[0] + r] < 0)
        count--;
    return count;
}
