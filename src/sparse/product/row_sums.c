/* Sums of rows. Columns and values are read into a buffer in the first-level cache, for several
 * rows at once, unless they are stored in the form that tiles read. Rows of more than a tile are
 * trees of tiles. */
#include "sparse/product/row_sums.h"

#include <string.h>

#include "core/versions.h"
#include "sparse/product/slice_sums.h"
#include "order/tree.h"

#define STN_TEMPLATE      stn_row_tile
#define STN_TEMPLATE_TYPE stn_sum_row_tile
#include "format/arithmetic_table.h"

/* Numbers that are read together, at least a tile of complex values, and entries that may be read
 * after them. */
enum { CAPACITY = 512, READ_AFTER = STN_LANES };

/* Entries of a slice whose rows have at most a tile. */
enum { SLICE_CAPACITY = STN_SLICE_ROWS * STN_TILE_ELEMENTS };

typedef struct piece {
    const void *values;
    const int32_t *column;
    int64_t readable;
    stn_row_form form;
} piece;

typedef struct buffered_piece {
    piece in;
    _Alignas(64) double value_buffer[CAPACITY + 2 * READ_AFTER]; /* or as many floats */
    _Alignas(64) int32_t column_buffer[CAPACITY + READ_AFTER];
} buffered_piece;

int stn_sum_rows_is_supported(void)
{
    return loops[stn_isa_chosen()][0] != NULL;
}

/* ---- reading ---- */

static int64_t value_bytes(const stn_row_entries *entries)
{
    return entries->parts * stn_arithmetic_bytes(entries->arithmetic);
}

STN_VERSIONS static void widen(int32_t *restrict column, int32_t base,
                               const uint16_t *restrict near, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        column[k] = base + near[k];
}

static void read_near(int32_t *column, int32_t base, const uint16_t *near, int64_t count)
{
    widen(column, base, near, count);
    memset(column + count, 0, READ_AFTER * sizeof *column);
}

static void read_columns(const stn_row_entries *entries, int32_t *column, int64_t begin,
                         int64_t count)
{
    int64_t numbers[CAPACITY];
    if (entries->near) {
        read_near(column, entries->base, entries->near + begin, count);
        return;
    }
    if (count > 0) { /* a matrix without entries may have no columns */
        stn_indices_read(entries->indices, numbers, begin, 1, count);
        for (int64_t k = 0; k < count; k++)
            column[k] = (int32_t)numbers[k];
    }
    memset(column + count, 0, READ_AFTER * sizeof *column);
}

static void read_values(const stn_row_entries *entries, void *values, int64_t begin, int64_t count)
{
    const int64_t bytes = value_bytes(entries);
    if (entries->codes) {
        stn_run_decode(entries->run, values, entries->codes + begin * entries->run->bytes, 1,
                       count);
    } else if (entries->packed) {
        stn_packed_decode(entries->packed, values, entries->first + begin, count);
    } else {
        const int64_t step = entries->values->steps[0];
        stn_read(entries->values, values, (entries->first + begin) * step, step, count);
    }
    memset((char *)values + count * bytes, 0, (size_t)(READ_AFTER * bytes));
}

/* Reads `count` entries; with is_copied, values are copied to the buffer in any case. */
static void read_piece(const stn_row_entries *entries, buffered_piece *p, int64_t begin,
                       int64_t count, int is_copied)
{
    const int are_in_place = entries->are_in_place && entries->form == STN_ROW_VALUES && !is_copied;
    p->in.readable = entries->count - begin;
    p->in.form = STN_ROW_VALUES;
    p->in.values = p->value_buffer;
    p->in.column = p->column_buffer;
    if (are_in_place)
        p->in.values = entries->codes + begin * entries->run->bytes;
    else
        read_values(entries, p->value_buffer, begin, count);
    if (entries->column)
        p->in.column = entries->column + begin;
    else
        read_columns(entries, p->column_buffer, begin, count);
    if (!(are_in_place && entries->column) && p->in.readable > count + READ_AFTER)
        p->in.readable = count + READ_AFTER;
}

#define DEFINE_SCALE(T, type)                                                                      \
    static void scale_##T(void *values, int64_t begin, int64_t end, double scale)                  \
    {                                                                                              \
        type *const value = values;                                                                \
        for (int64_t k = begin; k < end; k++)                                                      \
            value[k] *= (type)scale;                                                               \
    }
DEFINE_SCALE(f64, double)
DEFINE_SCALE(f32, float)

static void scale_rows(const stn_row_entries *entries, buffered_piece *p, const int64_t *start,
                       const double *scale, int64_t rows)
{
    const int64_t parts = entries->parts;
    for (int64_t r = 0; r < rows; r++)
        (entries->arithmetic == STN_F64 ? scale_f64
                                        : scale_f32)(p->value_buffer, (start[r] - start[0]) * parts,
                                                     (start[r + 1] - start[0]) * parts, scale[r]);
}

/* ---- sums ---- */

static int64_t code_bytes(const stn_row_entries *entries)
{
    return entries->planes ? (int64_t)sizeof(uint32_t) : entries->run->bytes;
}

/* The codes of an entry or its part in the first plane; NULL if there are none. */
static const char *codes_at(const stn_row_entries *entries, int64_t entry)
{
    const char *const codes = entries->planes ? entries->planes : entries->codes;
    return codes ? codes + entry * code_bytes(entries) : NULL;
}

/* Sums rows of up to a tile, whose entries are in the piece, and returns their number. */
static int64_t sum_piece(const stn_row_entries *entries, const stn_right *right, const piece *p,
                         double *sums, const int64_t *start, int64_t rows)
{
    const int64_t bytes = value_bytes(entries);
    if (!right->tile) {
        const char *const codes = codes_at(entries, start[0]);
        const stn_row_tile tile = {.start = start,
                                   .rows = rows,
                                   .readable = p->readable,
                                   .values = p->values,
                                   .x = right->x,
                                   .form = p->form,
                                   .column = p->column,
                                   .codes = codes ? codes : p->values,
                                   .code_bytes = code_bytes(entries),
                                   .are_irregular = entries->are_irregular,
                                   .is_far = entries->is_far,
                                   .has_gathers = entries->has_gathers};
        return loops[stn_isa_chosen()][entries->arithmetic == STN_F32](sums, &tile);
    }
    int64_t r = 0;
    for (; r < rows && start[r + 1] - start[r] <= STN_TILE_ELEMENTS; r++, sums += right->width) {
        const int64_t from = start[r] - start[0], count = start[r + 1] - start[r];
        if (count > 0)
            right->tile(sums, (const char *)p->values + from * bytes, p->column + from,
                        right->steps, count, right->x);
        else
            memset(sums, 0, (size_t)right->width * sizeof *sums);
    }
    return r;
}

static void sum_long_row(const stn_row_entries *entries, const stn_right *right, buffered_piece *p,
                         double *sums, int64_t begin, int64_t end, const double *scale)
{
    double levels[STN_TREE_LEVELS * STN_TILE_MAX_WIDTH], tile_sums[STN_TILE_MAX_WIDTH];
    stn_tree tree;
    stn_tree_begin(&tree, stn_add_of(entries->arithmetic), sizeof *sums, right->width, levels, 0);
    for (int64_t k = begin; k < end; k += STN_TILE_ELEMENTS) {
        const int64_t left = end - k, count = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
        const int64_t start[2] = {k, k + count};
        read_piece(entries, p, k, count, scale != NULL);
        if (scale)
            scale_rows(entries, p, start, scale, 1);
        sum_piece(entries, right, &p->in, tile_sums, start, 1);
        stn_tree_push(&tree, tile_sums, 0);
    }
    memcpy(sums, stn_tree_fold(&tree), (size_t)right->width * sizeof *sums);
}

/* The number of rows whose entries fit into the buffers. `some` is an estimate. */
static int64_t count_readable(const int64_t *start, int64_t rows, int64_t some, int64_t most)
{
    some = some < rows ? some : rows;
    while (some < rows && start[some + 1] - start[0] <= most)
        some++;
    while (start[some] - start[0] > most)
        some--;
    return some;
}

/* Sums rows up to one that is longer than a tile, and returns their number. */
static int64_t sum_in_place(const stn_row_entries *entries, const stn_right *right, double *sums,
                            const int64_t *start, int64_t rows)
{
    const piece all = {codes_at(entries, start[0]), entries->column + start[0],
                       entries->count - start[0], entries->form};
    return sum_piece(entries, right, &all, sums, start, rows);
}

/* Not inlined into the function below, whose calls without buffers take little stack space. */
static __attribute__((noinline)) void sum_buffered(const stn_row_entries *entries,
                                                   const stn_right *right, double *sums,
                                                   const int64_t *start, const double *scale,
                                                   int64_t rows)
{
    buffered_piece p;
    int64_t some = 1;
    for (int64_t r = 0; r < rows;) {
        double *const to = sums + r * right->width;
        const double *const by = scale ? scale + r : NULL;
        if (start[r + 1] - start[r] > STN_TILE_ELEMENTS) {
            sum_long_row(entries, right, &p, to, start[r], start[r + 1], by);
            r++;
            continue;
        }
        some = count_readable(start + r, rows - r, some, CAPACITY / entries->parts);
        read_piece(entries, &p, start[r], start[r + some] - start[r], by != NULL);
        if (by)
            scale_rows(entries, &p, start + r, by, some);
        r += sum_piece(entries, right, &p.in, to, start + r, some);
    }
}

void stn_sum_rows(const stn_row_entries *entries, const stn_right *right, double *sums,
                  const int64_t *start, const double *scale, int64_t rows)
{
    const int are_in_place =
        entries->are_in_place && (entries->form == STN_ROW_VALUES || !right->tile);
    int64_t in_place = are_in_place && entries->column && !scale ? rows : 0;
    while (in_place > 0 && entries->form > STN_ROW_FLOATS &&
           start[in_place] > entries->count - READ_AFTER)
        in_place--;
    for (int64_t r = 0; r < in_place; r++) { /* one long row after those before it */
        r += sum_in_place(entries, right, sums + r * right->width, start + r, in_place - r);
        if (r < in_place)
            sum_buffered(entries, right, sums + r * right->width, start + r, NULL, 1);
    }
    if (in_place < rows)
        sum_buffered(entries, right, sums + in_place * right->width, start + in_place, scale,
                     rows - in_place);
}

void stn_sum_consecutive(double *sums, const stn_slices *slices, int64_t first, const void *x)
{
    const int64_t *const at = slices->start + first / STN_SLICE_ROWS * 2;
    const int32_t *const word = slices->word + at[1], *const column = word + STN_SLICE_COLUMNS;
    const uint16_t *const near = (const uint16_t *)(const void *)column;
    const int is_near = word[0] % 4 == STN_SLICE_NARROW;
    int64_t start[STN_SLICE_ROWS + 1] = {0}, padding = STN_SLICE_PADDING;
    int32_t widened[SLICE_CAPACITY + READ_AFTER];
    stn_row_entries entries = *slices->entries;
    for (int r = 0; r < STN_SLICE_ROWS; r++)
        start[r + 1] = word[1 + r];
    entries.are_irregular = 1; /* rows of one length are interleaved */
    entries.first = at[0];
    if (entries.codes)
        entries.codes += at[0] * slices->run->bytes;
    entries.packed = slices->packed;
    entries.count = slices->count - at[0];
    entries.column = column;
    if (is_near && entries.are_in_place && start[STN_SLICE_ROWS] <= SLICE_CAPACITY) {
        read_near(widened, word[STN_SLICE_COLUMNS - 1], near, start[STN_SLICE_ROWS]);
        entries.column = widened;
        padding = READ_AFTER;
    } else if (is_near) {
        entries.column = NULL;
        entries.near = near;
        entries.base = word[STN_SLICE_COLUMNS - 1];
    }
    if (entries.count > start[STN_SLICE_ROWS] + padding)
        entries.count = start[STN_SLICE_ROWS] + padding;
    stn_sum_rows(&entries, &(stn_right){.x = x, .width = 1}, sums, start, NULL, STN_SLICE_ROWS);
}
