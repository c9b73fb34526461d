/* ger, syr and syr2 of large matrices, in any layout: elements by themselves, and of narrow formats
 * the codes that `reference` stores; nothing outside of a triangle is touched. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "order_oracle.h"
#include "steno/blas.h"
#include "check.h"

enum { LAYOUTS = 5 };
static const double alpha = -1.5;

typedef enum function { GER, SYR, SYR2, FUNCTIONS } function;

typedef struct update {
    function function;
    stn_format arithmetic, format; /* of the matrix */
    int64_t m, n;
    int layout, is_upper;
    order_kind kind;
} update;

/* Rows, columns, either at a distance that is no multiple of a line, and elements apart. */
static order_array make_matrix(const update *u, uint64_t *state)
{
    const int64_t m = u->m, n = u->n, extents[] = {m, n};
    const int64_t strides[LAYOUTS][2] = {{n, 1}, {1, m}, {-n - 3, 1}, {1, m + 3}, {2 * n + 1, 2}};
    const stn_storage storage = u->format == u->arithmetic
                                    ? stn_storage_of(u->format)
                                    : order_target(u->arithmetic, u->format, state);
    return order_make(storage, 2, extents, strides[u->layout], u->kind, order_next(state));
}

/* Every third element is 0: what it is a factor of does not change. */
static order_array make_vector(const update *u, int64_t count, uint64_t *state)
{
    order_array x =
        order_make_vector(stn_storage_of(u->arithmetic), count, 1, u->kind, order_next(state));
    for (int64_t k = 0; k < count; k += 3)
        order_put(&x, x.memory, k, 0, 0);
    return x;
}

static stn_status run(const update *u, const stn_exec *exec, const stn_view *a, const stn_view *x,
                      const stn_view *y)
{
    const stn_triangle triangle = u->is_upper ? STN_UPPER : STN_LOWER;
    return u->function == GER   ? stn_ger(exec, u->arithmetic, alpha, x, y, a)
           : u->function == SYR ? stn_syr(exec, u->arithmetic, triangle, alpha, x, a)
                                : stn_syr2(exec, u->arithmetic, triangle, alpha, x, y, a);
}

static double onto(stn_format arithmetic, double sum, double column, double row)
{
    return order_add(arithmetic,
                     order_multiply(arithmetic, column, order_multiply(arithmetic, alpha, row)),
                     sum);
}

/* Values become what they are to be. */
static void expect(const update *u, double *a, const double *x, const double *y)
{
    for (int64_t i = 0; i < u->m; i++)
        for (int64_t j = 0; j < u->n; j++) {
            double *const sum = &a[i * u->n + j];
            if (u->function != GER && (u->is_upper ? j < i : j > i))
                continue;
            *sum = onto(u->arithmetic, *sum, x[i], u->function == SYR ? x[j] : y[j]);
            if (u->function == SYR2)
                *sum = onto(u->arithmetic, *sum, y[i], x[j]);
        }
}

static void check_update(const update *u, int number)
{
    uint64_t state = (uint64_t)number;
    char words[400];
    order_array a = make_matrix(u, &state), x = make_vector(u, u->m, &state),
                y = make_vector(u, u->n, &state);
    uint8_t *const before = order_image(&a);
    double *const expected = order_values(u->arithmetic, &a),
                  *const by = order_values(u->arithmetic, &x),
                  *const other = order_values(u->arithmetic, &y);
    const stn_view matrix = order_view(&a, "A"), column = order_view(&x, "x"),
                   row = order_view(&y, "y");
    uint8_t *codes = NULL;
    expect(u, expected, by, other);
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!order_has_turn(setting, number))
            continue;
        (void)snprintf(words, sizeof words,
                       "function %d of %d x %d, %s, %s, of kind %d, in %s on %s", (int)u->function,
                       (int)u->m, (int)u->n, order_describe(&a).text,
                       u->is_upper ? "upper" : "lower", (int)u->kind,
                       oracle_formats[u->arithmetic].name, order_setting_name(setting));
        memcpy(a.memory, before, (size_t)a.bytes);
        expect_ok_for(run(u, order_use(setting), &matrix, &column, &row), words);
        if (u->format != u->arithmetic && codes)
            assert_memory_equal(a.memory, codes, (size_t)a.bytes);
        if (!codes)
            codes = order_image(&a); /* `reference` comes first */
        double *const found = order_values(u->arithmetic, &a);
        for (int64_t k = 0; u->format == u->arithmetic && k < u->m * u->n; k++)
            if (!order_same(found[k], expected[k]))
                fail_msg("%s: element %d is %a, not %a", words, (int)k, found[k], expected[k]);
        free(found);
    }
    order_drop(&a);
    order_drop(&x);
    order_drop(&y);
    free(before);
    free(codes);
    free(expected);
    free(by);
    free(other);
}

TEST_CASE(test_updates)
{
    static const int64_t sizes[] = {1, 3, 8, 17, 33, 64, 129, 255, 257, 300, 513};
    static const stn_format formats[] = {STN_F32, STN_F16, STN_I8, STN_BF16, STN_E4M3, STN_F64};
    const int ways = oracle_full() ? 240 : 12, step = oracle_full() ? 1 : 7;
    int number = 0;
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
        for (int way = 0; way < ways / (sizes[s] > 200 ? 3 : 1); way++, number += step) {
            const stn_format arithmetic = number % 2 ? STN_F32 : STN_F64;
            const function f = (function)(number / 2 % FUNCTIONS);
            const update u = {.function = f,
                              .arithmetic = arithmetic,
                              .format = way % 2 ? formats[number / 6 % 6] : arithmetic,
                              .m = f == GER && sizes[s] > 1 ? sizes[s] - way % 3 : sizes[s],
                              .n = sizes[s],
                              .layout = number / 6 % LAYOUTS,
                              .is_upper = number / 30 % 2,
                              .kind = (order_kind)((s + way) % ORDER_KINDS)};
            check_update(&u, number);
        }
}

/* What does not change keeps a code that storing the value would not give: infinities where these
 * saturate, and any NaN. */
TEST_CASE(test_kept)
{
    enum { M = 5, N = 300 };
    static uint16_t codes[M][N], before[M][N];
    static const int64_t extents[] = {M, N};
    static double x[M], y[N];
    stn_storage saturating = stn_storage_of(STN_F16);
    stn_view a, column, row;
    saturating.overflow = STN_OVERFLOW_SATURATE;
    for (int k = 0; k < M * N; k++)
        codes[k / N][k % N] = (uint16_t)(k % 2 ? 0x7c00 : k % 3 ? 0x7e01 : 0x3c00);
    codes[1][7] = 0x3c00;
    memcpy(before, codes, sizeof codes);
    x[1] = y[7] = 2.0;
    before[1][7] = 0x4500; /* 1 + 2 * 2 */
    expect_ok_for(stn_view_wrap(&a, "A", saturating, codes, 2, extents), "wrap");
    expect_ok_for(stn_view_wrap(&column, "x", stn_storage_of(STN_F64), x, 1, &extents[0]), "wrap");
    expect_ok_for(stn_view_wrap(&row, "y", stn_storage_of(STN_F64), y, 1, &extents[1]), "wrap");
    for (int setting = 0; setting < order_settings(); setting++) {
        codes[1][7] = 0x3c00;
        expect_ok_for(stn_ger(order_use(setting), STN_F64, 1.0, &column, &row, &a), "ger");
        assert_memory_equal(codes, before, sizeof codes);
    }
}

RUN_TESTS(NULL, order_teardown, UNIT(test_updates), UNIT(test_kept))
