/* Random sparse matrices of every kind over views of any index format, stride and scale, for tests
 * that compare their products and conversions. */
#ifndef STENO_TEST_SPARSE_MODEL_H
#define STENO_TEST_SPARSE_MODEL_H

#include "matrix.h"

static uint64_t draw(uint64_t *state, uint64_t below)
{
    return order_next(state) % below;
}

/* Mixed magnitudes, or any other data in a quarter of the cases. */
static order_kind any_data(uint64_t *state)
{
    return draw(state, 4) ? ORDER_MIXED : (order_kind)draw(state, ORDER_KINDS);
}

/* ---- entries: rows of columns, in the order of products ---- */

typedef struct entries {
    int64_t rows, columns, *start, *column;
    order_array codes; /* rank 1, one for each */
} entries;

/* Entries of the rows of a matrix. */
typedef enum shape {
    ANY,     /* one row in six has more than a tile */
    TILES,   /* 0 to 300, many empty */
    SHORT,   /* 0 to 7 */
    LONG,    /* 10001 in row 3 */
    LONGEST, /* 10^5 in row 3 */
    COUNTED, /* i in row i */
    STENCIL, /* at the same distances from the diagonal, where there are such columns */
    WIDENED  /* the same, and one more entry in some rows */
} shape;

/* Columns of a stencil: adjacent ones, and several of a lane. */
static int64_t stencil_columns(int64_t row, int64_t columns, int64_t most, int64_t *column)
{
    static const int64_t few[] = {-21, -20, -1, 0, 1, 2, 20};
    int64_t count = 0;
    for (int64_t e = 0; e < most; e++) {
        const int64_t j = row + (e < 7 ? few[e] : 100 + e);
        if (j < 0 || j >= columns)
            continue;
        if (column)
            column[count] = j;
        count++;
    }
    return count;
}

static int64_t length_of(shape kind, int64_t row, int64_t columns, int64_t most, uint64_t *state)
{
    const uint64_t random = draw(state, 6);
    if (columns == 0)
        return 0;
    if (row == 3 && (kind == LONG || kind == LONGEST))
        return kind == LONG ? 10001 : 100000;
    if (kind >= STENCIL)
        return stencil_columns(row, columns, most, NULL) + (kind == WIDENED && row % 21 == 0);
    if (kind == COUNTED)
        return row;
    if (kind == SHORT)
        return (int64_t)draw(state, 8);
    if (kind == ANY)
        return random == 0 ? 0 : (int64_t)draw(state, random == 1 ? 300 : 9);
    return random < 2 ? 0 : (int64_t)draw(state, 301);
}

static entries make_entries(stn_storage storage, int64_t rows, int64_t columns, shape kind,
                            int64_t stride, uint64_t *state)
{
    const int64_t most = (int64_t)draw(state, 3) * 60 + 7; /* of a stencil */
    entries made = {.rows = rows, .columns = columns};
    made.start = malloc((size_t)(rows + 1) * sizeof *made.start);
    assert_non_null(made.start);
    made.start[0] = 0;
    for (int64_t row = 0; row < rows; row++)
        made.start[row + 1] = made.start[row] + length_of(kind, row, columns, most, state);
    const int64_t count = made.start[rows];
    made.column = malloc((size_t)(count + 1) * sizeof *made.column);
    assert_non_null(made.column);
    for (int64_t k = 0; k < count; k++)
        made.column[k] = draw(state, 8) ? (int64_t)draw(state, (uint64_t)columns) : columns - 1;
    for (int64_t row = 0; row < rows && kind >= STENCIL; row++)
        (void)stencil_columns(row, columns, most, made.column + made.start[row]);
    made.codes = order_make_vector(storage, count, stride, any_data(state), order_next(state));
    return made;
}

static void drop_entries(entries *all)
{
    free(all->start);
    free(all->column);
    order_drop(&all->codes);
}

/* ---- numbers in memory of a format, at a stride ---- */

typedef struct numbers {
    stn_format format;
    int64_t count, stride;
    char *memory;
    stn_view view;
} numbers;

static int64_t bytes_of(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok_for(stn_format_describe(format, &info), "format");
    return info.bytes;
}

static void *place(numbers *all, int64_t k)
{
    const int64_t first = all->stride < 0 ? (1 - all->count) * all->stride : 0;
    return all->memory + (first + k * all->stride) * bytes_of(all->format);
}

static numbers make_numbers(stn_format format, int64_t count, int64_t stride)
{
    numbers made = {.format = format, .count = count, .stride = stride};
    const int64_t span = count * (stride < 0 ? -stride : stride);
    made.memory = malloc((size_t)(span * bytes_of(format)) + 1);
    assert_non_null(made.memory);
    memset(made.memory, 0x5a, (size_t)(span * bytes_of(format)));
    expect_ok_for(
        stn_view_wrap_spec(&made.view,
                           &STN_VIEW_SPEC(.label = "numbers", .storage = stn_storage_of(format),
                                          .const_data = place(&made, 0), .rank = 1,
                                          .extents = &count, .strides = &stride)),
        "numbers");
    return made;
}

static void put(numbers *all, int64_t k, int64_t number)
{
    const stn_storage storage = stn_storage_of(all->format);
    expect_ok_for(stn_encode(STN_I64, &storage, place(all, k), 1, 0, &number, 1), "number");
}

/* Wide enough for numbers from -1 or 0 to `most`. */
static stn_format any_index(uint64_t *state, int64_t most, int is_signed)
{
    static const stn_format formats[] = {STN_I32, STN_I64, STN_I32, STN_I64, STN_I16,
                                         STN_U32, STN_U16, STN_U8,  STN_I8,  STN_U64};
    for (;;) {
        const stn_format format = formats[draw(state, 10)];
        stn_format_info info = STN_FORMAT_INFO_INIT;
        expect_ok_for(stn_format_describe(format, &info), "format");
        if ((double)most <= info.highest && (info.is_signed || !is_signed))
            return format;
    }
}

static int64_t any_stride(uint64_t *state)
{
    static const int64_t strides[] = {1, 1, 1, 2, -1};
    return order_pick(state, strides, 5);
}

/* ---- a matrix of each kind over them ---- */

typedef struct matrix {
    stn_matrix *csr;
    numbers starts, indices, places;
    char *codes; /* of a padded kind */
    stn_view values;
    double *block_scales, *row_scales;
    stn_view scales;
    int is_pattern;
} matrix;

/* Absent entries have codes of ones, such as NaN, which nobody may look at. */
static void pad(matrix *made, const entries *all, int64_t places, const int64_t *place_of)
{
    const int64_t bytes = bytes_of(all->codes.storage.format);
    made->codes = malloc((size_t)(places * bytes) + 1);
    assert_non_null(made->codes);
    memset(made->codes, 0xff, (size_t)(places * bytes));
    for (int64_t k = 0; k < all->start[all->rows]; k++)
        memcpy(made->codes + place_of[k] * bytes,
               all->codes.memory + all->codes.first + k * all->codes.stride[0] * bytes,
               (size_t)bytes);
}

static void fill_columns(matrix *made, const entries *all, int64_t places, const int64_t *place_of,
                         int is_padded, uint64_t *state)
{
    made->indices =
        make_numbers(any_index(state, all->columns, is_padded), places, any_stride(state));
    for (int64_t k = 0; is_padded && k < places; k++)
        put(&made->indices, k, -1);
    for (int64_t k = 0; k < all->start[all->rows]; k++)
        put(&made->indices, place_of ? place_of[k] : k, all->column[k]);
}

static void make_csr(matrix *made, const entries *all, uint64_t *state)
{
    const int64_t count = all->start[all->rows];
    made->starts = make_numbers(any_index(state, count, 0), all->rows + 1, any_stride(state));
    for (int64_t row = 0; row <= all->rows; row++)
        put(&made->starts, row, all->start[row]);
    fill_columns(made, all, count, NULL, 0, state);
    expect_ok_for(wrap_csr_views(&made->csr, "mike", all->columns, &made->starts.view,
                                 &made->indices.view, made->is_pattern ? NULL : &made->values),
                  "stn_matrix_wrap_csr");
}

static void make_coo(matrix *made, const entries *all, uint64_t *state)
{
    const int64_t count = all->start[all->rows];
    made->places = make_numbers(any_index(state, all->rows, 0), count, any_stride(state));
    for (int64_t row = 0; row < all->rows; row++)
        for (int64_t k = all->start[row]; k < all->start[row + 1]; k++)
            put(&made->places, k, row);
    fill_columns(made, all, count, NULL, 0, state);
    expect_ok_for(wrap_coo(&made->csr, "mike", all->rows, all->columns, &made->places.view,
                           &made->indices.view, made->is_pattern ? NULL : &made->values,
                           STN_DUPLICATES_KEEP),
                  "stn_matrix_wrap_coo");
}

static int64_t *new_places(const entries *all)
{
    int64_t *const place_of = malloc((size_t)(all->start[all->rows] + 1) * sizeof *place_of);
    assert_non_null(place_of);
    return place_of;
}

static void wrap_codes(matrix *made, const entries *all, int rank, const int64_t *extents,
                       const int64_t *strides)
{
    expect_ok_for(
        stn_view_wrap_spec(&made->values,
                           &STN_VIEW_SPEC(.label = "values", .storage = all->codes.storage,
                                          .const_data = made->codes, .rank = rank,
                                          .extents = extents, .strides = strides)),
        "values");
}

static void make_ell(matrix *made, const entries *all, uint64_t *state)
{
    int64_t width = (int64_t)draw(state, 2), *const place_of = new_places(all);
    for (int64_t row = 0; row < all->rows; row++)
        if (all->start[row + 1] - all->start[row] > width)
            width = all->start[row + 1] - all->start[row];
    const int by_columns = (int)draw(state, 2);
    const int64_t extents[2] = {all->rows, width};
    const int64_t strides[2] = {by_columns ? 1 : width, by_columns ? all->rows : 1};
    for (int64_t row = 0; row < all->rows; row++)
        for (int64_t k = all->start[row]; k < all->start[row + 1]; k++)
            place_of[k] = row * strides[0] + (k - all->start[row]) * strides[1];
    fill_columns(made, all, all->rows * width, place_of, 1, state);
    pad(made, all, all->rows * width, place_of);
    wrap_codes(made, all, 2, extents, strides);
    stn_view columns;
    const int64_t steps[2] = {strides[0] * made->indices.stride, strides[1] * made->indices.stride};
    expect_ok_for(stn_view_wrap_spec(
                      &columns, &STN_VIEW_SPEC(.label = "columns",
                                               .storage = stn_storage_of(made->indices.format),
                                               .const_data = place(&made->indices, 0), .rank = 2,
                                               .extents = extents, .strides = steps)),
                  "columns");
    expect_ok_for(wrap_ell(&made->csr, "mike", all->columns, &columns,
                           made->is_pattern ? NULL : &made->values),
                  "stn_matrix_wrap_ell");
    free(place_of);
}

/* Rows by any permutation. */
static void make_sell(matrix *made, const entries *all, uint64_t *state)
{
    const int64_t heights[] = {1, 2, 4, 32}, height = order_pick(state, heights, 4);
    const int64_t rows = all->rows, slices = (rows + height - 1) / height;
    const int is_sorted = (int)draw(state, 2);
    int64_t *const place_of = new_places(all), sorted[400], places = 0;
    assert_true(rows <= 400);
    for (int64_t row = 0; row < rows; row++)
        sorted[row] = row;
    for (int64_t row = rows - 1; is_sorted && row > 0; row--) {
        const int64_t other = (int64_t)draw(state, (uint64_t)row + 1), one = sorted[row];
        sorted[row] = sorted[other];
        sorted[other] = one;
    }
    made->places = make_numbers(any_index(state, rows, 0), rows, any_stride(state));
    int64_t *const start = calloc((size_t)slices + 1, sizeof *start);
    assert_non_null(start);
    for (int64_t row = 0; row < rows; row++) {
        const int64_t count = all->start[row + 1] - all->start[row];
        int64_t *const width = &start[sorted[row] / height];
        *width = count > *width ? count : *width;
        put(&made->places, row, sorted[row]);
    }
    for (int64_t slice = 0; slice <= slices; slice++) {
        const int64_t width = start[slice];
        start[slice] = places;
        places += width * height;
    }
    made->starts = make_numbers(any_index(state, places, 0), slices + 1, any_stride(state));
    for (int64_t slice = 0; slice <= slices; slice++)
        put(&made->starts, slice, start[slice]);
    for (int64_t row = 0; row < rows; row++)
        for (int64_t k = all->start[row]; k < all->start[row + 1]; k++)
            place_of[k] =
                start[sorted[row] / height] + (k - all->start[row]) * height + sorted[row] % height;
    fill_columns(made, all, places, place_of, 1, state);
    pad(made, all, places, place_of);
    wrap_codes(made, all, 1, &places, NULL);
    expect_ok_for(wrap_sell(&made->csr, "mike", rows, all->columns, height, &made->starts.view,
                            is_sorted ? &made->places.view : NULL, &made->indices.view,
                            made->is_pattern ? NULL : &made->values),
                  "stn_matrix_wrap_sell");
    free(start);
    free(place_of);
}

enum { BLOCK = 32 };

/* A scale for 32 entries that follow each other, of which some are no powers of two. */
static void add_block_scales(matrix *made, const entries *all, uint64_t *state)
{
    const int64_t blocks = all->start[all->rows] / BLOCK + 1;
    made->block_scales = malloc((size_t)blocks * sizeof *made->block_scales);
    assert_non_null(made->block_scales);
    for (int64_t k = 0; k < blocks; k++)
        made->block_scales[k] = ldexp(1.0 + (double)draw(state, 7) / 8, (int)draw(state, 9) - 4);
    const stn_scales scales = {.data = made->block_scales,
                               .format = STN_F64,
                               .dimension = 0,
                               .block = BLOCK,
                               .stride = {1}};
    expect_ok_for(stn_view_set_scales(&made->values, &scales), "stn_view_set_scales");
}

static void add_row_scales(matrix *made, const entries *all, uint64_t *state)
{
    made->row_scales = malloc((size_t)(all->rows + 1) * sizeof *made->row_scales);
    assert_non_null(made->row_scales);
    for (int64_t row = 0; row < all->rows; row++)
        made->row_scales[row] = draw(state, 8) ? (double)draw(state, 1000) / 700 - 0.5 : 0.0;
    expect_ok_for(stn_view_wrap_const(&made->scales, "scales", stn_storage_of(STN_F64),
                                      made->row_scales, 1, &all->rows),
                  "scales");
    expect_ok_for(stn_matrix_set_row_scales(made->csr, &made->scales), "stn_matrix_set_row_scales");
}

typedef enum scaling { ONE_SCALE, BLOCKS, ROWS, PATTERN, SCALINGS } scaling;

static void make_matrix(matrix *made, const entries *all, stn_matrix_kind kind, scaling how,
                        uint64_t *state)
{
    memset(made, 0, sizeof *made);
    made->is_pattern = how == PATTERN;
    made->values = order_view(&all->codes, "values");
    if (how == BLOCKS && (kind == STN_MATRIX_CSR || kind == STN_MATRIX_COO))
        add_block_scales(made, all, state);
    if (kind == STN_MATRIX_CSR)
        make_csr(made, all, state);
    else if (kind == STN_MATRIX_COO)
        make_coo(made, all, state);
    else if (kind == STN_MATRIX_ELL)
        make_ell(made, all, state);
    else
        make_sell(made, all, state);
    if (how == ROWS)
        add_row_scales(made, all, state);
    assert_true(made->csr->kind == kind && made->csr->entries == all->start[all->rows]);
}

static void drop_matrix(matrix *made)
{
    stn_matrix_release(made->csr);
    free(made->starts.memory);
    free(made->indices.memory);
    free(made->places.memory);
    free(made->codes);
    free(made->block_scales);
    free(made->row_scales);
}

#endif
