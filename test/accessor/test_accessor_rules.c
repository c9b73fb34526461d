/* Rules of storing that are part of a type: every rounding and overflow rule, against the oracle
 * and against the library's own encoders; and where stochastic rounding has its random bits from.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "steno/format.h"

#define RULES_NAME(rule) f16_##rule
#define RULES_REAL       double
#define RULES_STORAGE    stn_f16
#include "accessor_rules.h"

#define RULES_NAME(rule) e4m3_##rule
#define RULES_REAL       float
#define RULES_STORAGE    stn_e4m3
#include "accessor_rules.h"

#define RULES_NAME(rule) e5m2_##rule
#define RULES_REAL       double
#define RULES_STORAGE    stn_e5m2
#include "accessor_rules.h"

#define RULES_NAME(rule) i8_##rule
#define RULES_REAL       float
#define RULES_STORAGE    int8_t
#include "accessor_rules.h"

#define RULES_NAME(rule) f32_##rule
#define RULES_REAL       double
#define RULES_STORAGE    float
#include "accessor_rules.h"

#define RULES_NAME(rule) c32_##rule
#define RULES_REAL       stn_c128
#define RULES_STORAGE    stn_c32
#include "accessor_rules.h"

static const check_type *const types[] = {RULES_LIST(f16), RULES_LIST(e4m3), RULES_LIST(e5m2),
                                          RULES_LIST(i8),  RULES_LIST(f32),  RULES_LIST(c32)};
enum { TYPES = sizeof types / sizeof *types };

/* ---- seeds in other layouts, and with scales ---- */

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
#define STN_SCALE_MASK  0x3
#define STN_SCALE_BLOCK 8
#include "steno/accessor_define.h"
CHECK_TYPE(random_scaled, 2, LEFT, CONST, SCALED_SEEDED, YES, STN_F64, 0)

/* ---- the rules ---- */

static void check_type_by_oracle(const check_type *type)
{
    static const stn_size extents[][2] = {{3, 70}, {40, 1}, {1, 33}};
    for (uint64_t k = 0; k < 3; k++) {
        check_scene scene = check_open(type, extents[k], NULL, NULL, 100 + k);
        check_all(&scene, 1000 * k);
        check_parts(&scene);
        check_close(&scene);
    }
}

static void test_rules(void **state)
{
    (void)state;
    for (int k = 0; k < TYPES; k++)
        check_type_by_oracle(types[k]);
    check_type_by_oracle(&random_strided_type);
    check_type_by_oracle(&random_scaled_type);
}

/* The library's run over all of an array is the accessor's, with the same seed and indices. */
static void test_the_library_stores_the_same(void **state)
{
    enum { COUNT = 5000 };
    static char values[16 * COUNT], codes[16 * COUNT];
    (void)state;
    for (int k = 0; k < TYPES; k++) {
        const check_type *const type = types[k];
        const stn_size extents[] = {50, COUNT / 50}, first[2] = {0};
        check_scene scene = check_open(type, extents, NULL, NULL, 77);
        stn_storage storage = stn_storage_of(type->format);
        storage.rounding = type->rounding;
        storage.overflow = type->overflow;
        storage.seed = 77;
        for (stn_size v = 0; v < COUNT; v++)
            check_put_value(type, values, v, check_input(type, (uint64_t)v));
        type->store(scene.x.bytes, first, COUNT, values);
        assert_int_equal(stn_encode(type->arithmetic, &storage, codes, 1, 0, values, COUNT),
                         STN_OK);
        if (memcmp(type->data(scene.x.bytes), codes, (size_t)(COUNT * type->bytes)) != 0)
            fail_msg("%s", type->label);
        check_close(&scene);
    }
}

/* ---- stochastic rounding ---- */

/* A part, and a part of it, store the bits of the whole's same elements. */
static void test_a_part_draws_as_the_whole(void **state)
{
    int8_t whole[200], parts[200];
    const random_strided x = random_strided_dense(whole, 10, 20, 5);
    const random_strided y = random_strided_dense(parts, 10, 20, 5);
    const random_strided upper = random_strided_sub(y, stn_span_of(0, 4), stn_all());
    const random_strided lower = random_strided_sub(y, stn_span_of(4, 10), stn_all());
    const random_strided left = random_strided_sub(lower, stn_all(), stn_span_of(0, 13));
    const random_strided right = random_strided_sub(lower, stn_all(), stn_span_of(13, 20));
    double values[200];
    (void)state;
    for (int k = 0; k < 200; k++)
        values[k] = k / 7.0;
    random_strided_store(x, 0, 0, 200, values);
    random_strided_store(upper, 0, 0, 80, values);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 20; j++)
            if (j < 13)
                random_strided_set(left, i, j, values[20 * (4 + i) + j]);
            else
                random_strided_store(right, i, j - 13, 1, values + 20 * (4 + i) + j);
    assert_memory_equal(whole, parts, sizeof whole);
}

/* However the indices are arranged, an element draws by its place in the data. */
static void test_transposed_elements_draw_the_same(void **state)
{
    int8_t whole[60], other[60];
    const random_strided x = random_strided_dense(whole, 6, 10, 11);
    const random_strided y = random_strided_dense(other, 6, 10, 11);
    const random_strided turned = random_strided_transpose(y, 0, 1);
    const random_strided odd =
        random_strided_every(random_strided_sub(y, stn_span_of(1, 6), stn_all()), 0, 2);
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 10; j++) {
            random_strided_set(x, i, j, 0.5);
            random_strided_set(turned, j, i, 0.5);
        }
    assert_memory_equal(whole, other, sizeof whole);
    for (int k = 0; k < 30; k++)
        random_strided_set(odd, k / 10, k % 10, 0.5);
    assert_memory_equal(whole, other, sizeof whole);
}

static void test_reversed_elements_draw_the_same(void **state)
{
    int8_t whole[60], other[60];
    const random_strided x = random_strided_dense(whole, 6, 10, 11);
    const random_strided y = random_strided_dense(other, 6, 10, 11);
    const random_strided back = random_strided_reverse(random_strided_reverse(y, 0), 1);
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 10; j++) {
            random_strided_set(x, i, j, 0.5);
            random_strided_set(back, 5 - i, 9 - j, 0.5);
        }
    assert_memory_equal(whole, other, sizeof whole);
}

/* Another seed, other bits; on the average what was to be stored. */
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
    assert_true(abs(sum - 5000) < 5 * 62); /* 5 standard deviations */
    assert_true(abs(differ - 7500) < 5 * 69);
}

/* The const companion has the seed's place too, and reads the same. */
static void test_const_companion(void **state)
{
    int8_t memory[4] = {1, -2, 3, -4};
    const random_strided x = random_strided_dense(memory, 2, 2, 1);
    const random_strided_const y = random_strided_const_dense(memory, 2, 2, 1);
    (void)state;
    assert_true(random_strided_const_get(random_strided_to_const(x), 1, 1) == -4.0);
    assert_true(random_strided_const_get(y, 0, 1) == -2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_the_library_stores_the_same),
        cmocka_unit_test(test_a_part_draws_as_the_whole),
        cmocka_unit_test(test_transposed_elements_draw_the_same),
        cmocka_unit_test(test_reversed_elements_draw_the_same),
        cmocka_unit_test(test_seeds_and_averages),
        cmocka_unit_test(test_const_companion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
