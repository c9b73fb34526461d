/* Groups of adjacent rows, interleaved or consecutive: their positions, and their tiles. */
#include "sparse/product/group.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/tune.h"
#include "sparse/product/vectors.h"

int stn_groups_support(const stn_matrix *a)
{
    return a->kind == STN_MATRIX_ELL || a->kind == STN_MATRIX_SELL || stn_matrix_has_slices(a);
}

static stn_status init_columns(stn_groups *groups, const char *call)
{
    const stn_matrix *const a = groups->a;
    const char *const name = stn_matrix_name(a);
    if (stn_matrix_has_slices(a))
        return STN_OK;
    STN_TRY(stn_indices_init(&groups->columns, call, name, "column", &a->indices,
                             a->kind == STN_MATRIX_ELL ? 2 : 1));
    groups->are_columns = groups->columns.reader.plain && a->indices.storage.format == STN_I32 &&
                          groups->columns.reader.steps[0] == 1;
    return a->kind == STN_MATRIX_SELL
               ? stn_indices_init(&groups->starts, call, name, "slice_start", &a->starts, 1)
               : STN_OK;
}

stn_status stn_groups_init(stn_groups *groups, const char *call, const stn_exec *exec,
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
    STN_TRY(init_columns(groups, call));
    if (a->kind == STN_MATRIX_PACKED) {
        groups->values.steps[0] = 1;
        return stn_packed_open(&groups->packed, a, values_in);
    }
    STN_TRY(stn_reader_init(&groups->values, call, exec, values_in, values));
    groups->are_values = groups->values.plain && stn_view_is_of_values(values, values_in) &&
                         groups->values.steps[0] == 1;
    groups->is_scaled = !stn_view_is_empty(&a->scales);
    return groups->is_scaled ? stn_reader_init(&groups->scales, call, exec, arithmetic, &a->scales)
                             : STN_OK;
}

void stn_groups_release(stn_groups *groups)
{
    stn_packed_close(&groups->packed);
}

/* ---- where a group is ---- */

/* Entry e of row r is at first + e * step + r. In ELL matrices, e is the second dimension. */
static void set_positions(stn_group *group, int k, const stn_reader *reader, int64_t first,
                          int64_t step, int is_ell)
{
    const int64_t *const steps = reader->steps;
    group->position[k] = first * steps[0];
    group->entry_step[k] = is_ell ? steps[1] : step * steps[0];
    group->row_step[k] = steps[0];
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
    while (rows > STN_SPARSE_TILE_ROWS &&
           rows * smaller(width, STN_TILE_ELEMENTS) > STN_GROUP_ENTRIES)
        rows /= 2;
    return rows;
}

static void find_in_slices(const stn_groups *groups, stn_group *group, int64_t left)
{
    const int64_t *const start = groups->a->slice_start + group->line / STN_SLICE_ROWS * 2;
    const int64_t r = group->line % STN_SLICE_ROWS;
    const int32_t *const word = groups->a->slice_word + start[1];
    const int kind = word[0] % 4;
    group->word = word;
    group->is_interleaved = kind == STN_SLICE_STRAIGHT || kind == STN_SLICE_MIXED;
    group->width = group->is_interleaved ? stn_slice_width(word) : 0;
    group->span =
        group->is_interleaved ? rows_together(STN_SLICE_ROWS, group->width) : STN_SPARSE_TILE_ROWS;
    group->span = smaller(group->span, STN_SLICE_ROWS - r);
    group->count = smaller(left, group->span);
    for (int64_t row = r; !group->is_interleaved && row < r + group->count; row++) {
        const int64_t length = word[1 + row] - (row == 0 ? 0 : word[row]);
        group->width = length > group->width ? length : group->width;
    }
    group->is_uniform = group->is_interleaved && stn_slice_is_uniform(word);
    set_positions(group, 1, &groups->values,
                  start[0] + (group->is_interleaved && !group->is_uniform ? r : 0),
                  group->is_uniform ? 1 : STN_SLICE_ROWS, 0);
}

static void find_in_columns(const stn_groups *groups, stn_group *group, int64_t left)
{
    const stn_matrix *const a = groups->a;
    const int is_ell = a->kind == STN_MATRIX_ELL;
    const int64_t height = is_ell ? a->rows : a->height, slice = is_ell ? 0 : group->line / height;
    const int64_t in_slice = group->line - slice * height;
    int64_t first = group->line;
    group->word = NULL;
    group->is_uniform = 0;
    group->is_interleaved = 1;
    group->width = is_ell ? a->indices.extent[1] : 0;
    if (!is_ell) {
        const int64_t begin = stn_index_at(&groups->starts, slice);
        first = begin + in_slice;
        group->width = (stn_index_at(&groups->starts, slice + 1) - begin) / height;
    }
    group->count =
        smaller(smaller(height - in_slice, left), rows_together(STN_GROUP_ROWS, group->width));
    group->span =
        (group->count + STN_SPARSE_TILE_ROWS - 1) / STN_SPARSE_TILE_ROWS * STN_SPARSE_TILE_ROWS;
    set_positions(group, 0, &groups->columns.reader, first, height, is_ell);
    set_positions(group, 1, &groups->values, first, height, is_ell);
}

/* Reads the scales of the rows of a group. */
static void read_scales(const stn_groups *groups, stn_group *group)
{
    const int64_t step = groups->scales.steps[0], bytes = groups->bytes / groups->parts;
    char *const scales = (char *)group->scale;
    for (int64_t r = 0; r < group->count; r++) {
        const int64_t row = groups->row_of ? groups->row_of[group->line + r] : group->line + r;
        stn_read(&groups->scales, scales + r * bytes, row * step, step, 1);
    }
}

void stn_group_find(const stn_groups *groups, stn_group *group, int64_t line, int64_t end)
{
    group->line = line;
    if (stn_matrix_has_slices(groups->a))
        find_in_slices(groups, group, end - line);
    else
        find_in_columns(groups, group, end - line);
    if (groups->is_scaled)
        read_scales(groups, group);
}

/* ---- a tile ---- */

/* Multiplies `count` values at a position of the buffer by the scale of their row. */
#define DEFINE_SCALE(T, type)                                                                      \
    static void scale_##T(stn_group *group, int64_t at, int64_t r, int64_t parts)                  \
    {                                                                                              \
        type *const value = (type *)(void *)group->value_buffer + at * parts;                      \
        const type scale = ((const type *)(const void *)group->scale)[r];                          \
        for (int64_t p = 0; p < parts; p++)                                                        \
            value[p] *= scale;                                                                     \
    }
DEFINE_SCALE(f64, double)
DEFINE_SCALE(f32, float)

static void scale_value(const stn_groups *groups, stn_group *group, int64_t at, int64_t r)
{
    (groups->arithmetic == STN_F64 ? scale_f64 : scale_f32)(group, at, r, groups->parts);
}

static void read_columns(const stn_groups *groups, stn_group *group, int64_t from)
{
    int64_t numbers[STN_GROUP_ROWS];
    const stn_reader *const reader = &groups->columns.reader;
    const int64_t first = group->position[0] + from * group->entry_step[0];
    group->column = group->column_buffer;
    group->steps[0] = group->span;
    if (group->word) {
        groups->slice_columns(group->word, (int)(group->line % STN_SLICE_ROWS), (int)group->span,
                              from, group->held, group->column_buffer);
        return;
    }
    if (groups->are_columns && group->count == group->span) {
        group->column = stn_reader_at(reader, first);
        group->steps[0] = group->entry_step[0];
        return;
    }
    for (int64_t e = 0; e < group->held; e++) {
        int32_t *const column = group->column_buffer + e * group->span;
        stn_read(reader, numbers, first + e * group->entry_step[0], group->row_step[0],
                 group->count);
        for (int64_t r = 0; r < group->span; r++)
            column[r] = r < group->count ? (int32_t)numbers[r] : -1;
    }
}

/* Prefetches subsequent codes. The hardware prefetcher does not recognize this pattern of a few
 * lines at a stride. Depending on the layout, these are codes of the following slices, of the same
 * half of the next slice (if rows are so long that a group is half a slice), or of the following
 * rows. At such strides, only few lines fit into the first-level cache. */
static void fetch_codes(const stn_groups *groups, const stn_group *group, int64_t first)
{
    const int64_t bytes = groups->values.run.bytes, run = group->span * bytes;
    const char *const from = stn_reader_at(&groups->values, first);
    const int64_t r = group->line % STN_SLICE_ROWS;
    if (!groups->values.plain || group->row_step[1] != 1)
        return;
    if (group->entry_step[1] == group->span)
        stn_prefetch_near(from + stn_tuned_sparse, run * group->held);
    else if (group->word)
        stn_prefetch(from + (group->entry_step[1] * group->held - r + r * group->held) * bytes,
                     run * group->held);
    else
        for (int64_t e = 0; e < group->held; e++)
            stn_prefetch(from + e * group->entry_step[1] * bytes + run, run);
}

static void read_run(const stn_groups *groups, void *values, int64_t first, int64_t step,
                     int64_t count)
{
    if (groups->packed.codes)
        stn_packed_decode(&groups->packed, values, first, count);
    else
        stn_read(&groups->values, values, first, step, count);
}

/* Slices store elements for all 16 rows. */
static void read_values(const stn_groups *groups, stn_group *group, int64_t from)
{
    const int64_t first = group->position[1] + from * group->entry_step[1];
    const int64_t rows = group->word ? group->span : group->count;
    char *const decoded = (char *)group->value_buffer, *to = decoded;
    const int is_one = rows == group->span && group->entry_step[1] == rows * group->row_step[1];
    group->values = decoded;
    group->steps[1] = group->span;
    if (group->is_uniform) {
        for (int64_t e = 0; e < group->held; e++, to += group->span * groups->bytes) {
            stn_packed_decode(&groups->packed, to, first + e, 1);
            stn_repeat(to, groups->bytes, group->span);
        }
        return;
    }
    if (!groups->packed.codes)
        fetch_codes(groups, group, first);
    if (groups->are_values && !groups->is_scaled && rows == group->span) {
        group->values = stn_reader_at(&groups->values, first);
        group->steps[1] = group->entry_step[1];
    } else if (is_one) {
        read_run(groups, decoded, first, group->row_step[1], rows * group->held);
    } else {
        if (rows < group->span)
            memset(decoded, 0, (size_t)(group->held * group->span * groups->bytes));
        for (int64_t e = 0; e < group->held; e++)
            read_run(groups, decoded + e * group->span * groups->bytes,
                     first + e * group->entry_step[1], group->row_step[1], rows);
    }
    for (int64_t e = 0; groups->is_scaled && e < group->held; e++)
        for (int64_t r = 0; r < group->count; r++)
            scale_value(groups, group, e * group->span + r, r);
}

/* Reads one row of a slice whose rows are stored consecutively. */
static void read_row(const stn_groups *groups, stn_group *group, int64_t r, int64_t from)
{
    const int64_t row = group->line % STN_SLICE_ROWS + r, at = r * STN_TILE_ELEMENTS;
    const int64_t before = row == 0 ? 0 : group->word[row];
    const int64_t left = group->word[1 + row] - before - from, step = groups->values.steps[0];
    const int64_t count = left < 0 ? 0 : smaller(left, STN_TILE_ELEMENTS);
    const int64_t first = group->position[1] + (before + from) * step;
    group->row_length[r] = count;
    stn_slice_row_columns(group->word, before + from, count, group->column_buffer + at);
    if (groups->are_values && !groups->is_scaled) {
        group->row_values[r] = stn_reader_at(&groups->values, first);
        return;
    }
    char *const decoded = (char *)group->value_buffer + at * groups->bytes;
    group->row_values[r] = decoded;
    if (count > 0)
        read_run(groups, decoded, first, step, count);
    for (int64_t e = 0; groups->is_scaled && e < count; e++)
        scale_value(groups, group, at + e, r);
}

void stn_group_read(const stn_groups *groups, stn_group *group, int64_t from)
{
    group->held = smaller(group->width - from, STN_TILE_ELEMENTS);
    group->column = group->column_buffer;
    for (int64_t r = 0; !group->is_interleaved && r < group->count; r++)
        read_row(groups, group, r, from);
    if (!group->is_interleaved || group->held == 0)
        return;
    read_columns(groups, group, from);
    read_values(groups, group, from);
}

/* Absent entries are at the end of a row. */
int64_t stn_group_row_length(const stn_group *group, int64_t r)
{
    int64_t count = group->held;
    if (!group->is_interleaved)
        return group->row_length[r];
    while (count > 0 && group->column[(count - 1) * group->steps[0] + r] < 0)
        count--;
    return count;
}
