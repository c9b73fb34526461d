/* Matrices over views, of every kind, storage and width of indices, times one vector or several,
 * real and complex: the bits of order_oracle.c, also behind conversions there and back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "order_oracle.h"
#include "steno/sparse.h"

static const stn_format arithmetics[] = {STN_F64, STN_F32};
static const double factors[] = {1.0, 0.0, -0.5, 0.7, 1.0, -1.0};
static const stn_sparse_kind kinds[] = {STN_SPARSE_CSR, STN_SPARSE_COO, STN_SPARSE_ELL,
                                        STN_SPARSE_SELL};

static void good(stn_status status, const char *what)
{
    if (status != STN_OK)
        fail_msg("%s: %s", what, stn_error());
}

static uint64_t draw(uint64_t *state, uint64_t below)
{
    return order_next(state) % below;
}

/* ---- entries: rows of columns, in the order of products ---- */

typedef struct entries {
    int64_t rows, columns, *start, *column;
    order_array codes; /* rank 1, one for each */
} entries;

/* Of one row in six beyond a tile, of one in a matrix, now and then, beyond 10^4. */
static int64_t any_length(uint64_t *state, int is_long, int64_t row)
{
    if (is_long && row == 3)
        return 10001;
    const uint64_t random = draw(state, 6);
    return random == 0 ? 0 : random == 1 ? (int64_t)draw(state, 300) : (int64_t)draw(state, 9);
}

static entries make_entries(stn_storage storage, int64_t rows, int64_t columns, int is_long,
                            uint64_t *state)
{
    static const int64_t strides[] = {1, 1, 2, -1};
    entries made = {.rows = rows, .columns = columns};
    made.start = malloc((size_t)(rows + 1) * sizeof *made.start);
    assert_non_null(made.start);
    made.start[0] = 0;
    for (int64_t row = 0; row < rows; row++)
        made.start[row + 1] = made.start[row] + (columns ? any_length(state, is_long, row) : 0);
    const int64_t count = made.start[rows];
    made.column = malloc((size_t)(count + 1) * sizeof *made.column);
    assert_non_null(made.column);
    for (int64_t k = 0; k < count; k++)
        made.column[k] = (int64_t)draw(state, (uint64_t)columns);
    made.codes = order_make_vector(storage, count, order_pick(state, strides, 4),
                                   draw(state, 5) ? ORDER_MIXED : ORDER_SIGNS, order_next(state));
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
    stn_format_info info = {.size = sizeof info};
    good(stn_format_describe(format, &info), "format");
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
    good(stn_view_wrap_const(&made.view, "numbers", stn_storage_of(format), place(&made, 0), 1,
                             &count, &stride),
         "numbers");
    return made;
}

static void put(numbers *all, int64_t k, int64_t number)
{
    const stn_storage storage = stn_storage_of(all->format);
    good(stn_encode(STN_I64, &storage, place(all, k), 1, 0, &number, 1), "number");
}

/* Wide enough for numbers from -1 or 0 to `most`. */
static stn_format any_index(uint64_t *state, int64_t most, int is_signed)
{
    static const stn_format formats[] = {STN_I32, STN_I64, STN_I32, STN_I64, STN_I16,
                                         STN_U32, STN_U16, STN_U8,  STN_I8,  STN_U64};
    for (;;) {
        const stn_format format = formats[draw(state, 10)];
        stn_format_info info = {.size = sizeof info};
        good(stn_format_describe(format, &info), "format");
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
    stn_csr csr;
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
    good(stn_csr_wrap_views(&made->csr, "mike", all->columns, &made->starts.view,
                            &made->indices.view, made->is_pattern ? NULL : &made->values),
         "stn_csr_wrap_views");
}

static void make_coo(matrix *made, const entries *all, uint64_t *state)
{
    const int64_t count = all->start[all->rows];
    made->places = make_numbers(any_index(state, all->rows, 0), count, any_stride(state));
    for (int64_t row = 0; row < all->rows; row++)
        for (int64_t k = all->start[row]; k < all->start[row + 1]; k++)
            put(&made->places, k, row);
    fill_columns(made, all, count, NULL, 0, state);
    good(stn_coo_wrap(&made->csr, "mike", all->rows, all->columns, &made->places.view,
                      &made->indices.view, made->is_pattern ? NULL : &made->values,
                      STN_SPARSE_KEEP),
         "stn_coo_wrap");
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
    good(stn_view_wrap_const(&made->values, "values", all->codes.storage, made->codes, rank,
                             extents, strides),
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
    good(stn_view_wrap_const(&columns, "columns", stn_storage_of(made->indices.format),
                             place(&made->indices, 0), 2, extents, steps),
         "columns");
    good(stn_ell_wrap(&made->csr, "mike", all->columns, &columns,
                      made->is_pattern ? NULL : &made->values),
         "stn_ell_wrap");
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
    good(stn_sell_wrap(&made->csr, "mike", rows, all->columns, height, &made->starts.view,
                       is_sorted ? &made->places.view : NULL, &made->indices.view,
                       made->is_pattern ? NULL : &made->values),
         "stn_sell_wrap");
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
    good(stn_view_set_scales(&made->values, &scales), "stn_view_set_scales");
}

static void add_row_scales(matrix *made, const entries *all, uint64_t *state)
{
    made->row_scales = malloc((size_t)(all->rows + 1) * sizeof *made->row_scales);
    assert_non_null(made->row_scales);
    for (int64_t row = 0; row < all->rows; row++)
        made->row_scales[row] = draw(state, 8) ? (double)draw(state, 1000) / 700 - 0.5 : 0.0;
    good(stn_view_wrap_const(&made->scales, "scales", stn_storage_of(STN_F64), made->row_scales, 1,
                             &all->rows, NULL),
         "scales");
    good(stn_csr_scale_rows(&made->csr, &made->scales), "stn_csr_scale_rows");
}

typedef enum scaling { ONE_SCALE, BLOCKS, ROWS, PATTERN, SCALINGS } scaling;

static void make_matrix(matrix *made, const entries *all, stn_sparse_kind kind, scaling how,
                        uint64_t *state)
{
    memset(made, 0, sizeof *made);
    made->is_pattern = how == PATTERN;
    made->values = order_view(&all->codes, "values");
    if (how == BLOCKS && (kind == STN_SPARSE_CSR || kind == STN_SPARSE_COO))
        add_block_scales(made, all, state);
    if (kind == STN_SPARSE_CSR)
        make_csr(made, all, state);
    else if (kind == STN_SPARSE_COO)
        make_coo(made, all, state);
    else if (kind == STN_SPARSE_ELL)
        make_ell(made, all, state);
    else
        make_sell(made, all, state);
    if (how == ROWS)
        add_row_scales(made, all, state);
    assert_true(made->csr.kind == kind && made->csr.entries == all->start[all->rows]);
}

static void drop_matrix(matrix *made)
{
    good(stn_csr_release(&made->csr), "release");
    free(made->starts.memory);
    free(made->indices.memory);
    free(made->places.memory);
    free(made->codes);
    free(made->block_scales);
    free(made->row_scales);
}

/* ---- what is expected ---- */

static int64_t row_of(const entries *all, int64_t entry)
{
    int64_t row = 0;
    while (all->start[row + 1] <= entry)
        row++;
    return row;
}

static double *expected_values(stn_format arithmetic, const entries *all, const matrix *from)
{
    double *const values = order_values(arithmetic, &all->codes);
    const int64_t count = all->start[all->rows];
    int64_t row = count ? row_of(all, 0) : 0;
    for (int64_t k = 0; k < count; k++) {
        while (all->start[row + 1] <= k)
            row++;
        if (from->is_pattern)
            values[k] = 1.0;
        if (from->block_scales)
            values[k] = order_multiply(arithmetic, values[k],
                                       order_round(arithmetic, from->block_scales[k / BLOCK]));
        if (from->row_scales)
            values[k] = order_multiply(arithmetic, order_round(arithmetic, from->row_scales[row]),
                                       values[k]);
    }
    return values;
}

typedef struct product {
    stn_format arithmetic;
    double alpha, beta;
    int rank;
    int64_t width; /* of x and y */
    order_array x, y;
} product;

static double update(const product *p, double sum, double y)
{
    const double alpha = order_round(p->arithmetic, p->alpha);
    const double beta = order_round(p->arithmetic, p->beta);
    if (alpha != 1.0)
        sum = order_multiply(p->arithmetic, alpha, sum);
    return beta == 0.0 ? sum
                       : order_add(p->arithmetic, sum, order_multiply(p->arithmetic, beta, y));
}

static uint8_t *expected_product(const product *p, const entries *all, const double *values)
{
    double *const x = order_values(p->arithmetic, &p->x), *const y =
                                                              order_values(p->arithmetic, &p->y);
    double *const gathered = malloc((size_t)(all->start[all->rows] + 1) * sizeof *gathered);
    uint8_t *const image = order_image(&p->y);
    assert_non_null(gathered);
    for (int64_t j = 0; j < p->width; j++) {
        for (int64_t k = 0; k < all->start[all->rows]; k++)
            gathered[k] = x[all->column[k] * p->width + j];
        for (int64_t i = 0; i < all->rows; i++) {
            unsigned events = 0;
            const int64_t begin = all->start[i], count = all->start[i + 1] - begin;
            const double sum = order_dot(p->arithmetic, values + begin, gathered + begin, count);
            const uint64_t code =
                order_encode(p->arithmetic, &p->y.storage, update(p, sum, y[i * p->width + j]),
                             i * p->width + j, &events);
            order_put((order_array *)(uintptr_t)&p->y, image, i, j, code);
        }
    }
    free(x);
    free(y);
    free(gathered);
    return image;
}

/* ---- products ---- */

static stn_format any_real(stn_format arithmetic, uint64_t *state)
{
    const stn_format format = (stn_format)draw(state, STN_BUILTIN_FORMATS);
    return draw(state, 2) || !order_is_real(format) ? arithmetic : format;
}

static order_array make_vectors(stn_storage storage, const product *p, int64_t count,
                                uint64_t *state)
{
    const int by_columns = (int)draw(state, 2);
    const int64_t extents[2] = {count, p->width}, gap = 1 + (int64_t)draw(state, 2);
    const int64_t strides[2] = {by_columns ? gap : gap * p->width,
                                by_columns ? gap * (count + 1) : gap};
    return order_make(storage, p->rank, extents, p->rank == 1 ? &gap : strides, ORDER_MIXED,
                      order_next(state));
}

static product make_product(stn_format arithmetic, const entries *all, uint64_t *state)
{
    static const int64_t widths[] = {1, 2, 3, 4, 5, 8, 9, 17, 0};
    product p = {.arithmetic = arithmetic,
                 .alpha = factors[draw(state, 6)],
                 .beta = factors[draw(state, 6)],
                 .rank = 1 + (draw(state, 3) > 0)};
    p.width = p.rank == 1 ? 1 : order_pick(state, widths, 9);
    const stn_format format = any_real(arithmetic, state);
    p.x = make_vectors(draw(state, 2) ? stn_storage_of(arithmetic)
                                      : order_storage(arithmetic, format, state),
                       &p, all->columns, state);
    p.y = make_vectors(order_target(arithmetic, any_real(arithmetic, state), state), &p, all->rows,
                       state);
    return p;
}

static void check_product(product *p, const stn_csr *a, uint8_t *expected, const uint8_t *before,
                          const char *how)
{
    const stn_view x = order_view(&p->x, "xray"), y = order_view(&p->y, "yankee");
    for (int setting = 0; setting < order_settings(); setting++) {
        char words[900];
        const stn_exec *exec = order_use(setting);
        snprintf(words, sizeof words,
                 "%s: %d x %d of %s, %d columns of %s into %s, kind %d, alpha %g beta %g, on %s",
                 how, (int)a->rows, (int)a->columns, oracle_formats[a->storage.format].name,
                 (int)p->width, order_describe(&p->x).text, order_describe(&p->y).text,
                 (int)a->kind, p->alpha, p->beta, order_setting_name(setting));
        memcpy(p->y.memory, before, (size_t)p->y.bytes);
        const order_modes saved = order_begin();
        const stn_status status = stn_spmv(exec, p->arithmetic, p->alpha, a, &x, p->beta, &y);
        order_end(status, saved, words);
        order_check(&p->y, expected, words);
    }
}

/* ---- conversions ---- */

/* As compressed rows: the entries in their order, and codes as they were. */
static void check_back(const stn_csr *a, const entries *all, int is_pattern)
{
    const int64_t bytes = bytes_of(all->codes.storage.format);
    stn_csr back;
    good(stn_sparse_convert(NULL, &back, a, STN_SPARSE_CSR, NULL), "back");
    assert_true(back.kind == STN_SPARSE_CSR && back.entries == all->start[all->rows]);
    assert_memory_equal(back.row_start, all->start, (size_t)(all->rows + 1) * sizeof(int64_t));
    for (int64_t k = 0; k < back.entries; k++) {
        assert_int_equal(back.column[k], all->column[k]);
        if (is_pattern)
            assert_int_equal(((const uint8_t *)back.values)[k], 1);
        else
            assert_memory_equal((const char *)back.values + k * bytes,
                                all->codes.memory + all->codes.first +
                                    k * all->codes.stride[0] * bytes,
                                (size_t)bytes);
    }
    good(stn_csr_release(&back), "release");
}

static void check_converted(product *p, const stn_csr *a, const entries *all, int is_pattern,
                            uint8_t *expected, const uint8_t *before, uint64_t *state)
{
    const int is_scaled = a->scales.size != 0;
    for (stn_sparse_kind kind = STN_SPARSE_AUTO; kind <= STN_SPARSE_SELL; kind++) {
        stn_csr made;
        if (kind == STN_SPARSE_SLICED && is_scaled)
            continue;
        if (kind == STN_SPARSE_SELL && draw(state, 2))
            good(stn_sparse_convert_sell(NULL, &made, a, 1 + (int64_t)draw(state, 40),
                                         1 + (int64_t)draw(state, 90), NULL),
                 "stn_sparse_convert_sell");
        else
            good(stn_sparse_convert(order_use(0), &made, a, kind, NULL), "stn_sparse_convert");
        check_product(p, &made, expected, before, "converted");
        check_back(&made, all, is_pattern);
        good(stn_csr_release(&made), "release");
    }
}

/* A mirror on the host has all of it. */
static void check_mirror(product *p, const stn_csr *a, uint8_t *expected, const uint8_t *before)
{
    stn_csr mirror;
    good(stn_csr_mirror(NULL, &mirror, a), "stn_csr_mirror");
    assert_true(mirror.memory.data != NULL);
    check_product(p, &mirror, expected, before, "mirror");
    good(stn_csr_release(&mirror), "release");
}

static void try_matrix(stn_format arithmetic, stn_format format, stn_sparse_kind kind, scaling how,
                       int64_t rows, int64_t columns, int is_long, uint64_t *state)
{
    const stn_storage storage = how == ROWS && draw(state, 2)
                                    ? stn_storage_of(format)
                                    : order_storage(arithmetic, format, state);
    entries all = make_entries(how == BLOCKS ? stn_storage_of(format) : storage, rows, columns,
                               is_long, state);
    matrix from;
    make_matrix(&from, &all, kind, how, state);
    product p = make_product(arithmetic, &all, state);
    double *const values = expected_values(arithmetic, &all, &from);
    uint8_t *const expected = expected_product(&p, &all, values), *const before = order_image(&p.y);
    check_product(&p, &from.csr, expected, before, "as wrapped");
    if (draw(state, 3) == 0)
        check_mirror(&p, &from.csr, expected, before);
    if (!from.block_scales && draw(state, 3) == 0)
        check_converted(&p, &from.csr, &all, from.is_pattern, expected, before, state);
    free(values);
    free(expected);
    free(before);
    order_drop(&p.x);
    order_drop(&p.y);
    drop_matrix(&from);
    drop_entries(&all);
}

static void test_every_format(void **context)
{
    uint64_t state = 1;
    (void)context;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < 4 && order_is_real(format); k++)
            for (int n = 0; n < oracle_count(1, 4, 12); n++)
                try_matrix(arithmetics[draw(&state, 2)], format, kinds[k],
                           (scaling)draw(&state, SCALINGS), 1 + (int64_t)draw(&state, 90),
                           1 + (int64_t)draw(&state, 200), 0, &state);
}

static void test_long_rows(void **context)
{
    uint64_t state = 2;
    (void)context;
    for (int k = 0; k < 8; k++)
        try_matrix(arithmetics[k / 4], any_real(STN_F64, &state), kinds[k % 4],
                   (scaling)draw(&state, SCALINGS), 5, 400, 1, &state);
}

static void test_nothing_to_do(void **context)
{
    uint64_t state = 3;
    (void)context;
    for (int k = 0; k < 16; k++)
        for (int how = 0; how < SCALINGS; how++) {
            const stn_format format = any_real(STN_F64, &state);
            try_matrix(arithmetics[k / 4 % 2], format, kinds[k % 4], (scaling)how, 0, 5, 0, &state);
            try_matrix(arithmetics[k / 4 % 2], format, kinds[k % 4], (scaling)how, 5, 0, 0, &state);
            try_matrix(arithmetics[k / 4 % 2], format, kinds[k % 4], (scaling)how, 0, 0, 0, &state);
        }
}

/* Plain arrays as scipy and PETSc hold them take the loops of their format: i32 and i64 row starts,
 * with scales of rows and without, have the bits of any other. */
static void test_plain_arrays(void **context)
{
    uint64_t state = 4;
    (void)context;
    for (int k = 0; k < oracle_count(8, 40, 100); k++) {
        const stn_format arithmetic = arithmetics[k % 2];
        entries all =
            make_entries(stn_storage_of(any_real(arithmetic, &state)), 200, 300, 0, &state);
        matrix from = {.is_pattern = 0};
        from.starts = make_numbers(k / 2 % 2 ? STN_I32 : STN_I64, all.rows + 1, 1);
        from.indices = make_numbers(STN_I32, all.start[all.rows], 1);
        for (int64_t row = 0; row <= all.rows; row++)
            put(&from.starts, row, all.start[row]);
        for (int64_t e = 0; e < all.start[all.rows]; e++)
            put(&from.indices, e, all.column[e]);
        from.values = order_view(&all.codes, "values");
        good(stn_csr_wrap_views(&from.csr, "mike", all.columns, &from.starts.view,
                                &from.indices.view, &from.values),
             "stn_csr_wrap_views");
        assert_true(from.csr.column == (const int32_t *)(const void *)from.indices.memory);
        assert_true((from.csr.row_start != NULL) == (k / 2 % 2 == 0));
        if (k / 4 % 2)
            add_row_scales(&from, &all, &state);
        product p = make_product(arithmetic, &all, &state);
        double *const values = expected_values(arithmetic, &all, &from);
        uint8_t *const expected = expected_product(&p, &all, values), *const before =
                                                                          order_image(&p.y);
        check_product(&p, &from.csr, expected, before, "plain");
        free(values);
        free(expected);
        free(before);
        order_drop(&p.x);
        order_drop(&p.y);
        drop_matrix(&from);
        drop_entries(&all);
    }
}

static int release(void **context)
{
    (void)context;
    order_release_executors();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_format),
        cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_plain_arrays),
    };
    return cmocka_run_group_tests_name("sparse_kinds", tests, NULL, release);
}
