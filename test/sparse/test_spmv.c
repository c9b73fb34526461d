/* stn_spmv has the bits of order_oracle.c for every format, kind of matrix, storage and width of
 * indices, row length, factor, executor and instruction set, with one vector or several, also after
 * conversions, and reads nothing beyond its arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/openmp.h"
#include "core/cpu.h"
#include "sparse_model.h"
#include "steno/sparse_optimize.h"

static const stn_format arithmetics[] = {STN_F64, STN_F32};
static const double factors[] = {1.0, 0.0, -0.5, 0.7, 1.0, -1.0};

/* ---- expected products ---- */

static double *expected_values(stn_format arithmetic, const entries *all, const matrix *from)
{
    double *const values = order_values(arithmetic, &all->codes);
    for (int64_t row = 0; row < all->rows; row++)
        for (int64_t k = all->start[row]; k < all->start[row + 1]; k++) {
            if (from->is_pattern)
                values[k] = 1.0;
            if (from->block_scales)
                values[k] = order_multiply(arithmetic, values[k],
                                           order_round(arithmetic, from->block_scales[k / BLOCK]));
            if (from->row_scales)
                values[k] = order_multiply(
                    arithmetic, order_round(arithmetic, from->row_scales[row]), values[k]);
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
    if (alpha == 0.0)
        return beta == 0.0 ? 0.0 : order_multiply(p->arithmetic, beta, y);
    if (alpha != 1.0)
        sum = order_multiply(p->arithmetic, alpha, sum);
    return beta == 0.0 ? sum
                       : order_add(p->arithmetic, sum, order_multiply(p->arithmetic, beta, y));
}

static uint8_t *expected_product(product *p, const entries *all, const double *values)
{
    double *const x = order_values(p->arithmetic, &p->x);
    double *const y = order_values(p->arithmetic, &p->y);
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
            const double old = y[i * p->width + j], value = update(p, sum, old);
            if (order_round(p->arithmetic, p->alpha) == 0.0 && order_same(value, old))
                continue; /* unchanged elements are not written */
            const uint64_t code =
                order_encode(p->arithmetic, &p->y.storage, value, i * p->width + j, &events);
            order_put(&p->y, image, i, j, code);
        }
    }
    free(x);
    free(y);
    free(gathered);
    return image;
}

/* ---- vectors ---- */

/* The arithmetic type half of the time. */
static stn_format any_real(stn_format arithmetic, uint64_t *state)
{
    const stn_format format = (stn_format)draw(state, STN_BUILTIN_FORMATS);
    return draw(state, 2) || !order_is_real(format) ? arithmetic : format;
}

static order_array make_vectors(stn_storage storage, const product *p, int64_t count,
                                uint64_t *state)
{
    static const int64_t steps[] = {1, 1, 2, -1, -3};
    const int by_columns = (int)draw(state, 2);
    const int64_t extents[2] = {count, p->width}, gap = 1 + (int64_t)draw(state, 2);
    const int64_t strides[2] = {by_columns ? gap : gap * p->width,
                                by_columns ? gap * (count + 1) : gap};
    const int64_t step = order_pick(state, steps, 5);
    return order_make(storage, p->rank, extents, p->rank == 1 ? &step : strides, any_data(state),
                      order_next(state));
}

static product make_product(stn_format arithmetic, const entries *all, int rank, uint64_t *state)
{
    static const int64_t widths[] = {1, 2, 3, 4, 5, 8, 9, 17, 0};
    product p = {.arithmetic = arithmetic,
                 .alpha = factors[draw(state, 6)],
                 .beta = factors[draw(state, 6)],
                 .rank = rank,
                 .width = rank == 1 ? 1 : order_pick(state, widths, 9)};
    const stn_format format = any_real(arithmetic, state);
    p.x = make_vectors(draw(state, 2) ? stn_storage_of(arithmetic)
                                      : order_storage(arithmetic, format, state),
                       &p, all->columns, state);
    p.y = make_vectors(order_target(arithmetic, any_real(arithmetic, state), state), &p, all->rows,
                       state);
    if (p.beta == 0.0) /* y is not read: NaN in most formats */
        memset(p.y.memory, 0xff, (size_t)p.y.bytes);
    return p;
}

/* ---- products and conversions ---- */

static void check_product(product *p, const stn_matrix *a, uint8_t *expected, const uint8_t *before,
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

/* As compressed rows: the entries in their order, with their codes. */
static void check_back(const stn_matrix *a, const entries *all, int is_pattern)
{
    const int64_t bytes = bytes_of(all->codes.storage.format);
    stn_matrix *back;
    expect_ok(stn_sparse_convert(NULL, &back, a, STN_MATRIX_CSR, NULL));
    assert_true(back->kind == STN_MATRIX_CSR && back->entries == all->start[all->rows]);
    assert_memory_equal(back->row_start, all->start, (size_t)(all->rows + 1) * sizeof(int64_t));
    for (int64_t k = 0; k < back->entries; k++) {
        assert_int_equal(back->column[k], all->column[k]);
        if (is_pattern)
            assert_int_equal(((const uint8_t *)back->values)[k], 1);
        else
            assert_memory_equal((const char *)back->values + k * bytes,
                                all->codes.memory + all->codes.first +
                                    k * all->codes.stride[0] * bytes,
                                (size_t)bytes);
    }
    stn_matrix_release(back);
}

/* To a kind; SELL with any height and sigma half of the time. */
static void check_converted(product *p, const stn_matrix *a, stn_matrix_kind kind,
                            const entries *all, int is_pattern, uint8_t *expected,
                            const uint8_t *before, uint64_t *state)
{
    stn_matrix *made;
    if (kind == STN_MATRIX_SELL && draw(state, 2))
        expect_ok(stn_sparse_convert_sell(NULL, &made, a, 1 + (int64_t)draw(state, 40),
                                          1 + (int64_t)draw(state, 90), NULL));
    else
        expect_ok(stn_sparse_convert(order_use(0), &made, a, kind, NULL));
    check_product(p, made, expected, before, "converted");
    check_back(made, all, is_pattern);
    stn_matrix_release(made);
}

/* Products read a copy of this kind, and then the arrays again. */
static void check_optimized(product *p, stn_matrix *a, stn_matrix_kind kind, uint8_t *expected,
                            const uint8_t *before)
{
    stn_optimize_options options = STN_OPTIMIZE_OPTIONS_INIT;
    options.kind = kind;
    options.method = STN_OPTIMIZE_MODEL;
    expect_ok(stn_matrix_optimize(order_use(0), p->arithmetic, a, INT64_MAX, &options, NULL));
    assert_true(a->optimized ? kind == STN_MATRIX_AUTO || a->optimized->kind == kind
                             : kind == STN_MATRIX_AUTO);
    check_product(p, a, expected, before, "optimized");
    expect_ok(stn_matrix_optimize(order_use(0), p->arithmetic, a, 0, NULL, NULL));
    assert_null(a->optimized);
}

/* A mirror on the host, and a mirror of the mirror. */
static void check_mirror(product *p, const stn_matrix *a, uint8_t *expected, const uint8_t *before)
{
    stn_matrix *mirror, *other;
    expect_ok(stn_matrix_mirror(NULL, &mirror, a));
    assert_true(mirror->memory.data != NULL);
    check_product(p, mirror, expected, before, "mirror");
    expect_ok(stn_matrix_mirror(NULL, &other, mirror));
    assert_true(other->memory.extent[0] == mirror->memory.extent[0]);
    stn_matrix_release(mirror);
    check_product(p, other, expected, before, "mirror of a mirror");
    stn_matrix_release(other);
}

/* A dictionary has at most 65536 values. */
static int is_possible(stn_matrix_kind kind, const entries *all)
{
    return kind != STN_MATRIX_PACKED || all->start[all->rows] <= 65536;
}

static int is_sliced(stn_matrix_kind kind)
{
    return kind == STN_MATRIX_SLICED || kind == STN_MATRIX_PACKED;
}

/* Plain arrays are converted to slices; other matrices to every kind, in a third of the cases. */
static void check_matrix(stn_format arithmetic, entries *all, matrix *from, int is_plain,
                         uint64_t *state)
{
    product p = make_product(arithmetic, all, is_plain || draw(state, 3) == 0 ? 1 : 2, state);
    double *const values = expected_values(arithmetic, all, from);
    uint8_t *const expected = expected_product(&p, all, values), *const before = order_image(&p.y);
    const int is_mirrored = !is_plain && draw(state, 3) == 0;
    const int is_converted = !is_plain && !from->block_scales && draw(state, 3) == 0;
    check_product(&p, from->csr, expected, before, "as wrapped");
    if (is_mirrored)
        check_mirror(&p, from->csr, expected, before);
    for (stn_matrix_kind kind = STN_MATRIX_AUTO; kind <= STN_MATRIX_PACKED; kind++)
        if (is_possible(kind, all) &&
            (is_sliced(kind) ? !from->row_scales && (is_plain || is_converted) : is_converted)) {
            check_converted(&p, from->csr, kind, all, from->is_pattern, expected, before, state);
            if (!is_sliced(kind) || draw(state, 3) == 0)
                check_optimized(&p, from->csr, kind, expected, before);
        }
    free(values);
    free(expected);
    free(before);
    order_drop(&p.x);
    order_drop(&p.y);
    drop_matrix(from);
    drop_entries(all);
}

/* A matrix of each kind over views. */
static void try_matrix(stn_format arithmetic, stn_format format, stn_matrix_kind kind, scaling how,
                       int64_t rows, int64_t columns, shape lengths, uint64_t *state)
{
    static const int64_t strides[] = {1, 1, 2, -1};
    const int is_unscaled = how == BLOCKS || (how == ROWS && draw(state, 2));
    const stn_storage storage =
        is_unscaled ? stn_storage_of(format) : order_storage(arithmetic, format, state);
    entries all =
        make_entries(storage, rows, columns, lengths, order_pick(state, strides, 4), state);
    matrix from;
    make_matrix(&from, &all, kind, how, state);
    check_matrix(arithmetic, &all, &from, 0, state);
}

/* Plain arrays as SciPy and PETSc have them: loops per format, with row starts in i64 or i32, with
 * scales of rows or without. */
static void try_arrays(stn_format arithmetic, stn_storage storage, shape lengths, int64_t rows,
                       int64_t columns, int is_narrow, int is_scaled, uint64_t *state)
{
    entries all = make_entries(storage, rows, columns, lengths, 1, state);
    const int64_t count = all.start[rows];
    matrix from = {.values = order_view(&all.codes, "values")};
    from.starts = make_numbers(is_narrow ? STN_I32 : STN_I64, rows + 1, 1);
    from.indices = make_numbers(STN_I32, count, 1);
    for (int64_t row = 0; row <= rows; row++)
        put(&from.starts, row, all.start[row]);
    for (int64_t e = 0; e < count; e++)
        put(&from.indices, e, all.column[e]);
    expect_ok(wrap_csr_views(&from.csr, "mike", columns, &from.starts.view, &from.indices.view,
                             &from.values));
    assert_true(count == 0 ||
                from.csr->column == (const int32_t *)(const void *)from.indices.memory);
    assert_true(is_narrow || from.csr->row_start != NULL);
    if (is_scaled)
        add_row_scales(&from, &all, state);
    check_matrix(arithmetic, &all, &from, 1, state);
}

static void try_plain(stn_format arithmetic, stn_storage storage, shape lengths, int64_t rows,
                      int64_t columns, uint64_t *state)
{
    stn_isa_use_gathers((int)draw(state, 2));
    try_arrays(arithmetic, storage, lengths, rows, columns, 0, 0, state);
    stn_isa_use_gathers(-1);
}

/* ---- cases ---- */

static const stn_matrix_kind kinds[] = {STN_MATRIX_CSR, STN_MATRIX_COO, STN_MATRIX_ELL,
                                        STN_MATRIX_SELL};

UNIT_TEST(test_kinds)
{
    uint64_t state = 1;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < 4 && order_is_real(format); k++)
            for (int n = 0; n < oracle_count(1, 4, 12); n++)
                try_matrix(arithmetics[draw(&state, 2)], format, kinds[k],
                           (scaling)draw(&state, SCALINGS), 1 + (int64_t)draw(&state, 90),
                           1 + (int64_t)draw(&state, 200), ANY, &state);
}

static void try_format(stn_format arithmetic, stn_format format, uint64_t *state)
{
    const stn_storage plain = stn_storage_of(format);
    try_plain(arithmetic, plain, TILES, oracle_quick() ? 12 : 80, 1000, state);
    try_plain(arithmetic, plain, COUNTED, oracle_quick() ? 20 : 80, 77, state);
    try_plain(arithmetic, plain, STENCIL, oracle_quick() ? 41 : 70, 150, state);
    try_plain(arithmetic, order_storage(arithmetic, format, state), WIDENED, 50, 50, state);
    if (format == STN_F64 || oracle_count(0, 0, 1)) { /* columns that need more than 16 bits */
        try_plain(arithmetic, plain, SHORT, 40, 100000, state);
        try_plain(arithmetic, plain, TILES, 40, 100000, state);
    }
    for (int k = 0; k < oracle_count(1, 8, 20); k++) {
        const int64_t rows = 1 + (int64_t)draw(state, 60), columns = 1 + (int64_t)draw(state, 500);
        try_plain(arithmetic, k % 3 ? order_storage(arithmetic, format, state) : plain,
                  k % 2 ? SHORT : TILES, rows, columns, state);
    }
}

UNIT_TEST(test_formats)
{
    uint64_t state = 1;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int a = 0; a < 2 && order_is_real(format); a++)
            try_format(arithmetics[a], format, &state);
}

UNIT_TEST(test_plain_arrays)
{
    uint64_t state = 4;
    for (int k = 0; k < oracle_count(8, 40, 100); k++) {
        const stn_format arithmetic = arithmetics[k % 2];
        try_arrays(arithmetic, stn_storage_of(any_real(arithmetic, &state)), ANY, 200, 300,
                   k / 2 % 2, k / 4 % 2, &state);
    }
}

UNIT_TEST(test_long_rows)
{
    uint64_t state = 2;
    for (int k = 0; k < 8; k++)
        try_matrix(arithmetics[k / 4], any_real(STN_F64, &state), kinds[k % 4],
                   (scaling)draw(&state, SCALINGS), 5, 400, LONG, &state);
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format += oracle_quick() ? 6 : 1)
        for (int a = 0; a < 2 && order_is_real(format); a++)
            try_plain(arithmetics[a], order_storage(arithmetics[a], format, &state), LONGEST, 9,
                      3000, &state);
}

/* ---- rows whose lengths processors cannot predict or that have one length, and whose codes are
 * converted in place; x exceeds the second-level cache ---- */

enum { LARGE_COLUMNS = 110000, LARGE_ROWS = 50000, LARGE_FORMATS = 6 };
static const stn_format large_formats[LARGE_FORMATS] = {STN_F64,  STN_F32, STN_F16,
                                                        STN_BF16, STN_I16, STN_I8};

typedef struct large {
    int64_t rows, start[LARGE_ROWS + 1];
    int32_t *column;
    void *codes[LARGE_FORMATS];
} large;

/* Mostly 0 to 7 entries, and a few rows of up to 300. */
static int64_t irregular_length(uint64_t *state)
{
    const int64_t bits = (int64_t)(order_next(state) >> 8 & 0xffff);
    return bits % 500 == 0 ? 300 : bits % 50 == 1 ? 10 + bits % 60 : bits % 8;
}

/* Rows of `length` entries, or of irregular lengths if that is 0. */
static void make_large(large *a, int64_t rows, int64_t length, uint64_t *state)
{
    a->rows = rows;
    for (int64_t row = 0; row < rows; row++)
        a->start[row + 1] = a->start[row] + (length ? length : irregular_length(state));
    const int64_t count = a->start[rows];
    double *const values = malloc((size_t)count * sizeof *values);
    a->column = malloc((size_t)count * sizeof *a->column);
    for (int64_t k = 0; k < count; k++) {
        const uint64_t bits = order_next(state);
        a->column[k] = (int32_t)(bits % LARGE_COLUMNS);
        values[k] = (double)(int64_t)(bits >> 20 & 0xffff) / 300.0 - 100.0;
    }
    for (int f = 0; f < LARGE_FORMATS; f++) {
        const stn_storage storage = stn_storage_of(large_formats[f]);
        a->codes[f] = malloc((size_t)count * sizeof(double));
        expect_ok(stn_encode(STN_F64, &storage, a->codes[f], 1, 0, values, count));
    }
    free(values);
}

static void drop_large(large *a)
{
    free(a->column);
    for (int f = 0; f < LARGE_FORMATS; f++)
        free(a->codes[f]);
}

static void multiply_large(const char *executor, stn_format arithmetic, const large *a, int format,
                           const double *x, double *y)
{
    const int64_t columns = LARGE_COLUMNS;
    const stn_storage storage = stn_storage_of(STN_F64);
    stn_exec *exec;
    stn_matrix *wrapped;
    stn_view xs, ys;
    expect_ok(stn_exec_create(&exec, executor));
    expect_ok(wrap_csr(&wrapped, "mike", stn_storage_of(large_formats[format]), a->rows, columns,
                       a->start, a->column, a->codes[format]));
    expect_ok(stn_view_wrap_const(&xs, "x", storage, x, 1, &columns));
    expect_ok(stn_view_wrap(&ys, "y", storage, y, 1, &a->rows));
    expect_ok(stn_spmv(exec, arithmetic, 1.0, wrapped, &xs, 0.0, &ys));
    stn_matrix_release(wrapped);
    stn_exec_release(exec);
}

/* With every instruction set, with and without gather instructions. */
static void check_large(stn_format arithmetic, const large *a, int format, const double *x)
{
    static double y[LARGE_ROWS], expected[LARGE_ROWS];
    const size_t bytes = (size_t)a->rows * sizeof *y;
    multiply_large("reference", arithmetic, a, format, x, expected);
    for (int isa = 0; isa < STN_ISA_COUNT; isa++) {
        if (!stn_isa_available((stn_isa)isa))
            continue;
        expect_ok(stn_isa_use((stn_isa)isa));
        for (int gathers = 0; gathers < (isa == STN_ISA_AVX512 ? 2 : 1); gathers++) {
            stn_isa_use_gathers(gathers);
            memset(y, 0xff, bytes);
            multiply_large("threads:threads=2", arithmetic, a, format, x, y);
            assert_memory_equal(y, expected, bytes);
        }
    }
    stn_isa_use_gathers(-1);
}

UNIT_TEST(test_large_rows)
{
    static const struct {
        int64_t rows, length;
    } cases[] = {{LARGE_ROWS, 0}, {1203, 7}, {1203, 15}, {1203, 27}, {1203, 40}, {203, 128}};
    static large a;
    static double x[LARGE_COLUMNS];
    uint64_t state = 6;
    for (int64_t j = 0; j < LARGE_COLUMNS; j++)
        x[j] = (double)(int64_t)(order_next(&state) >> 40) / 1e7 - 0.8;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        make_large(&a, cases[k].rows, cases[k].length, &state);
        for (int n = 0; n < 2 * LARGE_FORMATS; n++)
            check_large(arithmetics[n % 2], &a, n / 2, x);
        drop_large(&a);
    }
}

/* No rows, no columns, no entries. */
UNIT_TEST(test_empty)
{
    static const int64_t extents[][2] = {{0, 5}, {5, 0}, {0, 0}};
    uint64_t state = 3;
    for (int k = 0; k < 40; k++)
        for (int e = 0; e < 3; e++) {
            const stn_format format = any_real(STN_F64, &state);
            const int64_t rows = extents[e][0], columns = extents[e][1];
            for (int how = 0; how < SCALINGS && k < 16; how++)
                try_matrix(arithmetics[k / 4 % 2], format, kinds[k % 4], (scaling)how, rows,
                           columns, ANY, &state);
            try_plain(arithmetics[k % 2], stn_storage_of(format), SHORT, rows, columns, &state);
            try_plain(arithmetics[k % 2], stn_storage_of(format), COUNTED, 1, 5, &state);
        }
}

UNIT_TEST_WITH(test_modes_of_the_caller, order_use_odd_modes, order_use_plain_modes)
{
    uint64_t state = 4;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < (oracle_quick() ? 2 : 12) && order_is_real(format); k++)
            try_plain(arithmetics[k % 2], order_storage(arithmetics[k % 2], format, &state), TILES,
                      20, 200, &state);
}

UNIT_TEST(test_fewer_threads_than_requested)
{
    uint64_t state = 5;
    const int dynamic = omp_get_dynamic(), levels = omp_get_max_active_levels();
    omp_set_dynamic(1);
    omp_set_max_active_levels(0);
    for (int k = 0; k < 20; k++)
        try_plain(arithmetics[k % 2], stn_storage_of(any_real(STN_F64, &state)), TILES, 50, 300,
                  &state);
    omp_set_max_active_levels(levels);
    omp_set_dynamic(dynamic);
}

RUN_UNIT_TESTS(NULL, release_executors)
