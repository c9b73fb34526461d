/* Rounding and overflow rules that are part of a type, compared with the oracle and with the
 * library's encoders; and the random bits of stochastic rounding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accessor_types.h"
#include "check.h"
#include "steno/format.h"

/* X(format, arithmetic type, storage, rounding, overflow, arguments of _make) for every rule; with
 * CHECK_PAIRS one rounding for each format and overflow, so that each pair of format, rounding and
 * overflow occurs. */
#define NEAREST(X, format, real, storage, overflow)                                                \
    X(format, real, storage, NEAREST, overflow, PLAIN)
#define TOWARD_ZERO(X, format, real, storage, overflow)                                            \
    X(format, real, storage, TOWARD_ZERO, overflow, PLAIN)
#define STOCHASTIC(X, format, real, storage, overflow)                                             \
    X(format, real, storage, STOCHASTIC, overflow, SEEDED)
#ifdef CHECK_PAIRS
#    define ROUNDINGS(X, format, real, storage, overflow, rounding)                                \
        rounding(X, format, real, storage, overflow)
#else
#    define ROUNDINGS(X, format, real, storage, overflow, rounding)                                \
        NEAREST(X, format, real, storage, overflow)                                                \
        TOWARD_ZERO(X, format, real, storage, overflow)                                            \
        STOCHASTIC(X, format, real, storage, overflow)
#endif
#define RULES(X, format, real, storage, first, second, third)                                      \
    ROUNDINGS(X, format, real, storage, OVERFLOW_DEFAULT, first)                                   \
    ROUNDINGS(X, format, real, storage, OVERFLOW_INFINITY, second)                                 \
    ROUNDINGS(X, format, real, storage, OVERFLOW_SATURATE, third)                                  \
    ROUNDINGS(X, format, real, storage, OVERFLOW_NAN, first)
#define RULES_OF_FORMATS(X)                                                                        \
    RULES(X, f16, double, stn_f16, NEAREST, TOWARD_ZERO, STOCHASTIC)                               \
    RULES(X, e4m3, float, stn_e4m3, TOWARD_ZERO, STOCHASTIC, NEAREST)                              \
    RULES(X, e5m2, double, stn_e5m2, STOCHASTIC, NEAREST, TOWARD_ZERO)                             \
    RULES(X, i8, float, int8_t, NEAREST, STOCHASTIC, TOWARD_ZERO)                                  \
    RULES(X, f32, double, float, STOCHASTIC, TOWARD_ZERO, NEAREST)                                 \
    RULES(X, c32, stn_c128, stn_c32, TOWARD_ZERO, NEAREST, STOCHASTIC)

#define TYPE(format, real, storage, rounding, overflow, arguments)                                 \
    CHECK_ACCESSOR_RULES(format##_##rounding##_##overflow, 2, real, storage, RIGHT, 64,            \
                         STN_ROUND_##rounding, STN_##overflow)                                     \
    CHECK_TYPE(format##_##rounding##_##overflow, 2, RIGHT, FEW, arguments, NO, , )
#define TYPE_TEST(format, real, storage, rounding, overflow, arguments)                            \
    CHECK_TEST(format##_##rounding##_##overflow)                                                   \
    CHECK_TEST_BY(test_library, format##_##rounding##_##overflow)

RULES_OF_FORMATS(TYPE)

#define STN_NAME     random_strided
#define STN_RANK     2
#define STN_REAL     double
#define STN_STORAGE  int8_t
#define STN_LAYOUT   STRIDED
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#include "steno/accessor_define.h"
CHECK_SEEDED(random_strided, 2, STRIDED)

#define STN_NAME        random_scaled
#define STN_RANK        2
#define STN_REAL        double
#define STN_STORAGE     stn_bf16
#define STN_LAYOUT      LEFT
#define STN_ROUNDING    STN_ROUND_STOCHASTIC
#define STN_OVERFLOW    STN_OVERFLOW_SATURATE
#define STN_SCALE_MASK  0x3
#define STN_SCALE_BLOCK 8
#include "steno/accessor_define.h"
CHECK_TYPE(random_scaled, 2, LEFT, CONST, SCALED_SEEDED, YES, STN_F64, 0)

/* stn_encode of a whole array stores the same codes as the accessor with its seed. */
static void test_library(void **state)
{
    enum { COUNT = 5000 };
    static _Alignas(16) char values[16 * COUNT], codes[16 * COUNT];
    const check_type *const type = *state;
    const stn_size extents[] = {50, COUNT / 50}, first[2] = {0};
    check_array a = check_open(type, extents, NULL, NULL, 77);
    stn_storage storage = stn_storage_of(type->format);
    storage.rounding = type->rounding;
    storage.overflow = type->overflow;
    storage.seed = 77;
    for (stn_size k = 0; k < COUNT; k++)
        check_put_value(type->arithmetic, values, k, check_input(type, (uint64_t)k));
    type->store(a.x.bytes, first, COUNT, values);
    expect_ok(stn_encode(type->arithmetic, &storage, codes, 1, 0, values, COUNT));
    assert_memory_equal(type->data(a.x.bytes), codes, (size_t)(COUNT * type->bytes));
    check_close(&a);
}

/* ---- random bits depend on the position in the data ---- */

enum { ROWS = 10, COLUMNS = 20 };

/* Elements stored through parts and transformed accessors have the codes of the whole array. */
static void test_parts_and_transformations(void **state)
{
    static const stn_span upper = {0, 4}, lower = {4, ROWS}, left = {0, 13}, right = {13, COLUMNS};
    int8_t whole[ROWS * COLUMNS], parts[ROWS * COLUMNS];
    double values[ROWS * COLUMNS];
    const random_strided x = random_strided_dense(whole, ROWS, COLUMNS, 5);
    const random_strided y = random_strided_dense(parts, ROWS, COLUMNS, 5);
    const random_strided below = random_strided_sub(y, lower, stn_all());
    const random_strided below_left = random_strided_sub(below, stn_all(), left);
    const random_strided below_right = random_strided_sub(below, stn_all(), right);
    const random_strided turned = random_strided_transpose(y, 0, 1);
    const random_strided back = random_strided_reverse(random_strided_reverse(y, 0), 1);
    const random_strided odd =
        random_strided_every(random_strided_sub(y, stn_span_of(1, ROWS), stn_all()), 0, 2);
    (void)state;
    for (int k = 0; k < ROWS * COLUMNS; k++)
        values[k] = k / 7.0;
    random_strided_store(x, 0, 0, ROWS * COLUMNS, values);
    random_strided_store(random_strided_sub(y, upper, stn_all()), 0, 0, 4 * COLUMNS, values);
    for (int i = 4; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            if (j < 13)
                random_strided_set(below_left, i - 4, j, values[COLUMNS * i + j]);
            else
                random_strided_store(below_right, i - 4, j - 13, 1, values + COLUMNS * i + j);
    assert_memory_equal(whole, parts, sizeof whole);
    for (int way = 0; way < 3; way++) {
        memset(parts, 99, sizeof parts);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                const double value = values[COLUMNS * i + j];
                if (way == 0 || (way == 2 && i % 2 == 0))
                    random_strided_set(turned, j, i, value);
                else if (way == 1)
                    random_strided_set(back, ROWS - 1 - i, COLUMNS - 1 - j, value);
                else
                    random_strided_set(odd, i / 2, j, value);
            }
        assert_memory_equal(whole, parts, sizeof whole);
    }
}

/* Different seeds give different bits; the average is the value. */
static void test_seeds_and_averages(void **state)
{
    static int8_t a[20000], b[20000];
    const random_strided x = random_strided_dense(a, 1, 20000, 1);
    const random_strided y = random_strided_dense(b, 1, 20000, 2);
    int sum = 0, differ = 0;
    (void)state;
    for (int k = 0; k < 20000; k++) {
        random_strided_set(x, 0, k, 3.25);
        random_strided_set(y, 0, k, 3.25);
        assert_true(a[k] == 3 || a[k] == 4);
        sum += a[k] - 3;
        differ += a[k] != b[k];
    }
    assert_true(random_strided_const_get(random_strided_const_dense(a, 1, 20000, 1), 0, 7) == a[7]);
    assert_true(abs(sum - 5000) < 5 * 62); /* 5 standard deviations */
    assert_true(abs(differ - 7500) < 5 * 69);
}

int main(void)
{
    const struct CMUnitTest tests[] = {RULES_OF_FORMATS(TYPE_TEST) CHECK_TEST(random_strided)
                                           CHECK_TEST(random_scaled)
                                               cmocka_unit_test(test_parts_and_transformations),
                                       cmocka_unit_test(test_seeds_and_averages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
