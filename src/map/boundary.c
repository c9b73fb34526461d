/* Elements of views at shifted positions, and boundary values. */
#include <string.h>

#include "map/launch.h"

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

int stn_boundary_find(const stn_parameter *parameter, int64_t index, int64_t extent, int64_t *found)
{
    *found = index;
    if (index >= 0 && index < extent)
        return 1;
    if (parameter->boundary == STN_BOUNDARY_ZERO || parameter->boundary == STN_BOUNDARY_VALUE)
        return 0;
    *found =
        parameter->boundary == STN_BOUNDARY_PERIODIC ? index % extent : clamp(index, 0, extent - 1);
    *found += *found < 0 ? extent : 0;
    return 1;
}

void stn_boundary_fill(const stn_launch *launch, const stn_parameter *parameter, void *values,
                       int64_t count)
{
    const int is_value = parameter->boundary == STN_BOUNDARY_VALUE;
    const double real = is_value ? parameter->value : 0.0;
    stn_number number;
    memset(&number, 0, sizeof number);
    switch (launch->arithmetic) {
    case STN_F64:
        number.f64 = real;
        break;
    case STN_F32:
        number.f32 = (float)real;
        break;
    case STN_I64:
        number.i64 = is_value ? parameter->integer : 0;
        break;
    case STN_C128:
        number.c128.re = real;
        break;
    default:
        number.c64.re = (float)real;
    }
    if (count > 0)
        memcpy(values, &number, (size_t)launch->bytes);
    stn_repeat(values, launch->bytes, count);
}

/* A row of a view: the position of its first element, and its stride. */
typedef struct line {
    const stn_launch *launch;
    int at;
    int64_t row, step;
} line;

/* Inside elements: `count` of them from `begin` on. */
static void read_inside(const line *from, int64_t begin, int64_t count, char *values)
{
    if (count > 0)
        stn_read(&from->launch->slots[from->at].reader, values, from->row + begin * from->step,
                 from->step, count);
}

/* Outside elements on one side; `nearest` is the index of the nearest inside element. */
static void read_outside(const line *from, int64_t nearest, int64_t count, char *values)
{
    const stn_launch *launch = from->launch;
    const stn_parameter *const parameter = &launch->kernel->parameters[from->at];
    if (count <= 0)
        return;
    if (parameter->boundary == STN_BOUNDARY_ZERO || parameter->boundary == STN_BOUNDARY_VALUE) {
        stn_boundary_fill(launch, parameter, values, count);
        return;
    }
    read_inside(from, nearest, 1, values);
    stn_repeat(values, launch->bytes, count);
}

static void read_periodic(const line *from, int64_t extent, int64_t begin, int64_t count,
                          char *values)
{
    const stn_launch *launch = from->launch;
    for (int64_t k = 0, batch; k < count; k += batch) {
        int64_t found;
        (void)stn_boundary_find(&launch->kernel->parameters[from->at], begin + k, extent, &found);
        batch = count - k < extent - found ? count - k : extent - found;
        read_inside(from, found, batch, values + k * launch->bytes);
    }
}

void stn_boundary_read(const stn_launch *launch, int at, int64_t row, int64_t step, int64_t extent,
                       int64_t begin, int64_t count, char *values)
{
    const line it = {launch, at, row, step};
    const int64_t bytes = launch->bytes;
    if (launch->kernel->parameters[at].boundary == STN_BOUNDARY_PERIODIC) {
        read_periodic(&it, extent, begin, count, values);
        return;
    }
    const int64_t from = clamp(begin, 0, extent), to = clamp(begin + count, from, extent);
    const int64_t before = clamp(-begin, 0, count), limit = count - before - (to - from);
    read_outside(&it, 0, before, values);
    read_inside(&it, from, to - from, values + before * bytes);
    read_outside(&it, extent - 1, limit, values + (before + to - from) * bytes);
}

/* ---- tiles ---- */

/* The position of the elements that precede dimension `last`; returns whether they are inside. */
static int find_outer(const stn_launch *launch, int at, const stn_tile *tile, int last,
                      int64_t *position)
{
    const stn_slot *slot = &launch->slots[at];
    const stn_parameter *const parameter = &launch->kernel->parameters[at];
    int64_t found;
    int exists = 1;
    *position = 0;
    for (int d = 0; d < last; d++) {
        exists &= stn_boundary_find(parameter, tile->index[d] + stn_launch_offset(launch, at, d),
                                    stn_launch_extent(launch, at, d), &found);
        *position += found * slot->stride[d];
    }
    return exists;
}

/* Copies a column of a tile to or from an array. */
static void copy_column(const stn_launch *launch, char *column, const char *values, int64_t c,
                        int64_t rows)
{
    const int64_t bytes = launch->bytes;
    stn_move(column, bytes, values + c * bytes, launch->columns * bytes, bytes, rows);
}

static void put_column(const stn_launch *launch, const char *column, char *values, int64_t c,
                       int64_t rows)
{
    const int64_t bytes = launch->bytes;
    stn_move(values + c * bytes, launch->columns * bytes, column, bytes, bytes, rows);
}

/* Column c of rows that were read as one run with an offset of `shift`: it is outside of the view
 * and contains elements of the previous or next row, which periodic boundaries replace by elements
 * of the same row. */
static void read_column(const line *from, int64_t shift, int64_t c, int64_t rows, char *values)
{
    const stn_launch *launch = from->launch;
    const stn_parameter *const parameter = &launch->kernel->parameters[from->at];
    const int64_t columns = launch->columns, bytes = launch->bytes;
    const int64_t nearest = shift < 0 ? -shift : columns - 1 - shift;
    _Alignas(64) char column[STN_TILE_BYTES];
    line one = *from;
    if (parameter->boundary == STN_BOUNDARY_NEAREST) {
        copy_column(launch, column, values, nearest, rows);
    } else if (parameter->boundary != STN_BOUNDARY_PERIODIC) {
        stn_boundary_fill(launch, parameter, column, rows);
    } else if (shift < 0) {
        one.row += (rows - 1) * launch->slots[from->at].row_stride;
        copy_column(launch, column, values, columns + c, rows - 1);
        read_inside(&one, columns + shift + c, 1, column + (rows - 1) * bytes);
    } else {
        read_inside(&one, c + shift - columns, 1, column);
        copy_column(launch, column + bytes, values, c, rows - 1);
    }
    put_column(launch, column, values, c, rows);
}

/* Consecutive rows are one run; elements that belong to other rows are replaced. */
static void read_rows(const line *from, int64_t rows, char *values)
{
    const stn_launch *launch = from->launch;
    const stn_parameter *const parameter = &launch->kernel->parameters[from->at];
    const int64_t shift = stn_launch_offset(launch, from->at, parameter->rank - 1);
    const int64_t columns = launch->columns;
    const int64_t left = shift < 0 ? -shift : 0, right = shift > 0 ? shift : 0;
    if (left + right >= columns) {
        for (int64_t r = 0; r < rows; r++)
            stn_boundary_read(launch, from->at, from->row + r * launch->slots[from->at].row_stride,
                              from->step, columns, shift, columns,
                              values + r * columns * launch->bytes);
        return;
    }
    read_inside(from, right, rows * columns - left - right, values + left * launch->bytes);
    for (int64_t c = 0; c < left + right; c++)
        read_column(from, shift, left ? c : columns - right + c, rows, values);
}

/* Complete rows of the last dimension, one per row of the tile. */
static void *read_spanned(const stn_launch *launch, int at, const stn_tile *tile, char *buffer)
{
    const stn_slot *slot = &launch->slots[at];
    const stn_parameter *const parameter = &launch->kernel->parameters[at];
    const int last = parameter->rank - 1, row = last - 1;
    const int64_t extent = stn_launch_extent(launch, at, row), rows = tile->count / launch->columns;
    const int64_t shift = stn_launch_offset(launch, at, row);
    int64_t outer, found;
    const int is_outer = find_outer(launch, at, tile, row, &outer);
    for (int64_t r = 0, batch; r < rows; r += batch) {
        const int64_t index = tile->index[row] / launch->columns + r + shift;
        const int64_t some_left = rows - r < extent - index ? rows - r : extent - index;
        char *values = buffer + r * launch->columns * launch->bytes;
        batch = index < 0 || index >= extent ? 1 : some_left;
        if (!stn_boundary_find(parameter, index, extent, &found) || !is_outer) {
            stn_boundary_fill(launch, parameter, values, batch * launch->columns);
            continue;
        }
        const line from = {launch, at, outer + found * slot->row_stride, slot->stride[row]};
        if (batch == rows && slot->native && stn_launch_offset(launch, at, last) == 0)
            return stn_reader_at(&slot->reader, from.row);
        read_rows(&from, batch, values);
    }
    return buffer;
}

void *stn_shift_read(const stn_launch *launch, int at, const stn_tile *tile, char *buffer)
{
    const stn_slot *slot = &launch->slots[at];
    const stn_parameter *const parameter = &launch->kernel->parameters[at];
    const int last = launch->rank - 1;
    int64_t row;
    if (launch->columns)
        return read_spanned(launch, at, tile, buffer);
    const int64_t begin = tile->index[last] + stn_launch_offset(launch, at, last);
    const int64_t extent = stn_launch_extent(launch, at, last);
    const int exists = find_outer(launch, at, tile, last, &row);
    if (exists && slot->native && begin >= 0 && begin + tile->count <= extent)
        return stn_reader_at(&slot->reader, row + begin * slot->stride[last]);
    if (exists)
        stn_boundary_read(launch, at, row, slot->stride[last], extent, begin, tile->count, buffer);
    else
        stn_boundary_fill(launch, parameter, buffer, tile->count);
    return buffer;
}
