/* Matrices over views, of every kind, storage and width of indices, times one vector or several,
 * real and complex: the bits of order_oracle.c, also behind conversions there and back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sparse_model.h"
#include "check.h"

static const stn_format arithmetics[] = {STN_F64, STN_F32};
static const double factors[] = {1.0, 0.0, -0.5, 0.7, 1.0, -1.0};
static const stn_matrix_kind kinds[] = {STN_MATRIX_CSR, STN_MATRIX_COO, STN_MATRIX_ELL,
                                        STN_MATRIX_SELL};

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
    if (alpha == 0.0)
        return beta == 0.0 ? 0.0 : order_multiply(p->arithmetic, beta, y);
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
            const double old = y[i * p->width + j], value = update(p, sum, old);
            if (order_round(p->arithmetic, p->alpha) == 0.0 && order_same(value, old))
                continue; /* what does not change is left alone */
            const uint64_t code =
                order_encode(p->arithmetic, &p->y.storage, value, i * p->width + j, &events);
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

/* ---- conversions ---- */

/* As compressed rows: the entries in their order, and codes as they were. */
static void check_back(const stn_matrix *a, const entries *all, int is_pattern)
{
    const int64_t bytes = bytes_of(all->codes.storage.format);
    stn_matrix *back;
    expect_ok_for(stn_sparse_convert(NULL, &back, a, STN_MATRIX_CSR, NULL), "back");
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

static void check_converted(product *p, const stn_matrix *a, const entries *all, int is_pattern,
                            uint8_t *expected, const uint8_t *before, uint64_t *state)
{
    const int is_scaled = a->scales.size != 0;
    for (stn_matrix_kind kind = STN_MATRIX_AUTO; kind <= STN_MATRIX_SELL; kind++) {
        stn_matrix *made;
        if (kind == STN_MATRIX_SLICED && is_scaled)
            continue;
        if (kind == STN_MATRIX_SELL && draw(state, 2))
            expect_ok_for(stn_sparse_convert_sell(NULL, &made, a, 1 + (int64_t)draw(state, 40),
                                                  1 + (int64_t)draw(state, 90), NULL),
                          "stn_sparse_convert_sell");
        else
            expect_ok_for(stn_sparse_convert(order_use(0), &made, a, kind, NULL),
                          "stn_sparse_convert");
        check_product(p, made, expected, before, "converted");
        check_back(made, all, is_pattern);
        stn_matrix_release(made);
    }
}

/* A mirror on the host has all of it, and so has a mirror of that. */
static void check_mirror(product *p, const stn_matrix *a, uint8_t *expected, const uint8_t *before)
{
    stn_matrix *mirror, *other;
    expect_ok_for(stn_matrix_mirror(NULL, &mirror, a), "stn_matrix_mirror");
    assert_true(mirror->memory.data != NULL);
    check_product(p, mirror, expected, before, "mirror");
    expect_ok_for(stn_matrix_mirror(NULL, &other, mirror), "stn_matrix_mirror");
    assert_true(other->memory.extent[0] == mirror->memory.extent[0]);
    stn_matrix_release(mirror);
    check_product(p, other, expected, before, "mirror of a mirror");
    stn_matrix_release(other);
}

static void try_matrix(stn_format arithmetic, stn_format format, stn_matrix_kind kind, scaling how,
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
    check_product(&p, from.csr, expected, before, "as wrapped");
    if (draw(state, 3) == 0)
        check_mirror(&p, from.csr, expected, before);
    if (!from.block_scales && draw(state, 3) == 0)
        check_converted(&p, from.csr, &all, from.is_pattern, expected, before, state);
    free(values);
    free(expected);
    free(before);
    order_drop(&p.x);
    order_drop(&p.y);
    drop_matrix(&from);
    drop_entries(&all);
}

TEST_CASE(test_every_format)
{
    uint64_t state = 1;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < 4 && order_is_real(format); k++)
            for (int n = 0; n < oracle_count(1, 4, 12); n++)
                try_matrix(arithmetics[draw(&state, 2)], format, kinds[k],
                           (scaling)draw(&state, SCALINGS), 1 + (int64_t)draw(&state, 90),
                           1 + (int64_t)draw(&state, 200), 0, &state);
}

TEST_CASE(test_long_rows)
{
    uint64_t state = 2;
    for (int k = 0; k < 8; k++)
        try_matrix(arithmetics[k / 4], any_real(STN_F64, &state), kinds[k % 4],
                   (scaling)draw(&state, SCALINGS), 5, 400, 1, &state);
}

TEST_CASE(test_nothing_to_do)
{
    uint64_t state = 3;
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
TEST_CASE(test_plain_arrays)
{
    uint64_t state = 4;
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
        expect_ok_for(wrap_csr_views(&from.csr, "mike", all.columns, &from.starts.view,
                                     &from.indices.view, &from.values),
                      "stn_matrix_wrap_csr");
        assert_true(from.csr->column == (const int32_t *)(const void *)from.indices.memory);
        assert_true((from.csr->row_start != NULL) == (k / 2 % 2 == 0));
        if (k / 4 % 2)
            add_row_scales(&from, &all, &state);
        product p = make_product(arithmetic, &all, &state);
        double *const values = expected_values(arithmetic, &all, &from);
        uint8_t *const expected = expected_product(&p, &all, values), *const before =
                                                                          order_image(&p.y);
        check_product(&p, from.csr, expected, before, "plain");
        free(values);
        free(expected);
        free(before);
        order_drop(&p.x);
        order_drop(&p.y);
        drop_matrix(&from);
        drop_entries(&all);
    }
}

RUN_TESTS(NULL, release_executors, UNIT(test_every_format), UNIT(test_long_rows),
          UNIT(test_nothing_to_do), UNIT(test_plain_arrays))
