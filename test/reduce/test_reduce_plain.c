/* Sums of one view and of products of two, which the library's own loops fold: every format with
 * and without scales, kinds of numbers, lengths about those that are folded at once, on every
 * instruction set and executor, against the order written a second time. */
#include <stdio.h>
#include <stdlib.h>

#include "make_view.h"
#include "order_oracle.h"
#include "steno/reduce.h"

STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(of_products, products, (in(first), in(second)), first, second)
STN_REDUCE(of_squares, products, (in(unused), in(x)), x, x)
STN_REDUCE(turned, products, (in(x), in(xx)), xx, x)
STN_REDUCE(negative, sum, (in(x)), -x)

static const int64_t lengths[] = {1,    31,   127,  128,  129,   1000,
                                  8191, 8192, 8193, 8320, 20000, 8192 * 9 + 300};

static void check(stn_format arithmetic, double found, const double *x, const double *y,
                  int64_t count, const char *what, const order_array *array, int setting)
{
    const double expected = order_dot(arithmetic, x, y, count);
    if (!order_same(found, expected))
        fail_msg("%s of %lld of %s on %s: %a, not %a", what, (long long)count,
                 order_describe(array).text, order_setting_name(setting), found, expected);
}

static void check_array(stn_format arithmetic, stn_storage storage, int64_t count, order_kind kind,
                        int setting, uint64_t seed)
{
    order_array a = order_make_vector(storage, count, 1, kind, seed);
    order_array b = order_make_vector(storage, count, 1, kind, seed + 1);
    double *const x = order_values(arithmetic, &a), *const y = order_values(arithmetic, &b),
                  *const ones = calloc((size_t)count, sizeof *ones),
                  *const negative = calloc((size_t)count, sizeof *negative);
    const stn_view u = order_view(&a, "u"), v = order_view(&b, "v");
    const stn_exec *const exec = order_use(setting);
    double result;
    assert_true(ones && negative);
    for (int64_t k = 0; k < count; k++) {
        ones[k] = 1.0;
        negative[k] = -x[k];
    }
#define CHECK(call, left, right)                                                                   \
    do {                                                                                           \
        const order_modes saved = order_begin();                                                   \
        order_end(call, saved, #call);                                                             \
        check(arithmetic, result, left, right, count, #call, &a, setting);                         \
    } while (0)
    CHECK(total_reduce(exec, arithmetic, &result, &u), x, ones);
    CHECK(of_products_reduce(exec, arithmetic, &result, &u, &v), x, y);
    CHECK(of_squares_reduce(exec, arithmetic, &result, &v, &u), x, x);
    CHECK(turned_reduce(exec, arithmetic, &result, &u, &v), y, x);
    CHECK(negative_reduce(exec, arithmetic, &result, &u), negative, ones);
    order_drop(&a);
    order_drop(&b);
    free(x);
    free(y);
    free(ones);
    free(negative);
}

UNIT_TEST(test_formats)
{
    uint64_t state = 5;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int length = 0; length < COUNT_OF(lengths) && order_is_real(format); length++)
            for (int kind = 0; kind < ORDER_KINDS; kind++)
                for (int which = 0; which < 4; which++) {
                    const stn_format arithmetic = which % 2 ? STN_F32 : STN_F64;
                    const int setting = (int)(order_next(&state) % (unsigned)order_settings());
                    const stn_storage storage = which < 2
                                                    ? stn_storage_of(format)
                                                    : order_storage(arithmetic, format, &state);
                    if (arithmetic == STN_F32 && format == STN_F64)
                        continue;
                    if ((format + length + kind + which) % oracle_count(4 * oracle_quick(), 2, 1) !=
                        0)
                        continue;
                    check_array(arithmetic, storage, lengths[length], (order_kind)kind, setting,
                                order_next(&state));
                }
}

/* The code of the largest number, or of the lowest. */
static uint64_t outermost(const oracle_format *row, int lowest)
{
    const uint64_t top = (uint64_t)1 << (row->bits - 1);
    if (row->kind == ORACLE_FLOAT)
        return oracle_largest(row) | (lowest ? top : 0);
    if (row->is_signed)
        return lowest ? top : top - 1;
    return top - 1 + top;
}

/* The largest of each format all through: as near as sums come to leaving 53 bits. */
UNIT_TEST(test_largest)
{
    enum { COUNT = 8192 + 128 };
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int setting = 0; setting < order_settings() && order_is_real(format); setting++)
            for (int sign = 0; sign < 2; sign++) {
                static double values[COUNT], ones[COUNT];
                order_array a = order_make_vector(stn_storage_of(format), COUNT, 1, ORDER_SIGNS, 1);
                const oracle_format *row = &oracle_formats[format];
                const stn_view u = order_view(&a, "u");
                double result;
                for (int k = 0; k < COUNT; k++) {
                    const uint64_t code = outermost(row, sign);
                    order_put(&a, NULL, k, 0, k == 7 ? 1 : code);
                    ones[k] = 1.0;
                    values[k] = order_decode(STN_F64, &a.storage, k == 7 ? 1 : code);
                }
                expect_ok(total_reduce(order_use(setting), STN_F64, &result, &u));
                check(STN_F64, result, values, ones, COUNT, "the sum of the largest", &a, setting);
                expect_ok(of_products_reduce(order_use(setting), STN_F64, &result, &u, &u));
                check(STN_F64, result, values, values, COUNT, "products of the largest", &a,
                      setting);
                order_drop(&a);
            }
}

/* Zeros that are all negative have a negative sum. */
UNIT_TEST(test_negative_zeros)
{
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int setting = 0;
             setting < order_settings() && oracle_formats[format].kind == ORACLE_FLOAT; setting++)
            for (int positive = 0; positive < 2; positive++) {
                enum { COUNT = 8192 + 5 };
                order_array a = order_make_vector(stn_storage_of(format), COUNT, 1, ORDER_SIGNS, 1);
                const stn_view u = order_view(&a, "u");
                double sum;
                for (int k = 0; k < COUNT; k++)
                    order_put(&a, NULL, k, 0,
                              positive && k == 3000
                                  ? 0
                                  : (uint64_t)1 << (oracle_formats[format].bits - 1));
                expect_ok(total_reduce(order_use(setting), STN_F64, &sum, &u));
                assert_true(order_same(sum, positive ? 0.0 : -0.0));
                order_drop(&a);
            }
}

/* Rows and parts of arrays, which begin anywhere. */
UNIT_TEST(test_rows)
{
    enum { ROWS = 5, COLUMNS = 8400 };
    static double out[ROWS], ones[COLUMNS];
    for (int k = 0; k < COLUMNS; k++)
        ones[k] = 1.0;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int setting = 0; setting < order_settings() && order_is_real(format); setting++) {
            const int64_t extents[] = {ROWS, COLUMNS - 3}, strides[] = {COLUMNS, 1}, rows = ROWS;
            order_array a = order_make(stn_storage_of(format), 2, extents, strides, ORDER_MIXED, 3);
            double *x = order_values(STN_F64, &a);
            const stn_view u = order_view(&a, "u");
            const stn_view result = wrap_view("result", stn_storage_of(STN_F64), out, 1, &rows);
            expect_ok(total_reduce_into(order_use(setting), STN_F64, 2, &result, &u));
            for (int r = 0; r < ROWS; r++)
                check(STN_F64, out[r], x + r * extents[1], ones, extents[1], "a row", &a, setting);
            free(x);
            order_drop(&a);
        }
}

UNIT_TEST_WITH(test_formats_in_odd_modes, order_use_odd_modes, order_use_plain_modes)
{
    test_formats(NULL);
}

RUN_UNIT_TESTS(NULL, order_teardown)
