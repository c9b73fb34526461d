/* fit_scales finds the smallest scale with which every value fits, as stn_storage_fit_scale does.
 */
#include <math.h>
#include <string.h>

#include "accessor_types.h"
#include "check.h"
#include "steno/format.h"

/* ---- the types ---- */

#define GLOBAL(name, real) GLOBAL_(name, real)
#define GLOBAL_(name, real)                                                                        \
    STN_ACCESSOR_SCALED(global_##name, 1, stn_##real, stn_##name, 0)                               \
    CHECK_TYPE(global_##name, 1, RIGHT, FEW, SCALED, YES, stn_id_##real, 0)
#define GLOBAL_ROW(id, NAME, name, bits, ...) GLOBAL(name, CHECK_REAL_##bits)
#define NO_ROW(...)
STN_FORMAT_TABLE(GLOBAL_ROW, GLOBAL_ROW, NO_ROW)

#define SCALED(name, rank, real, storage, mask, block)                                             \
    STN_ACCESSOR_BLOCK_SCALED(name, rank, real, storage, mask, block)                              \
    CHECK_SCALED(name, rank, RIGHT)
SCALED(columns_i8, 2, double, int8_t, 0x1, 1)
SCALED(rows_f16, 2, float, stn_f16, 0x2, 1)
SCALED(each_e4m3, 2, double, stn_e4m3, 0x3, 1)
SCALED(blocks_i8, 2, double, int8_t, 0x3, 32)
SCALED(blocks_e5m2, 3, float, stn_e5m2, 0x6, 2)

STN_ACCESSOR_AFFINE(affine_u8, 2, double, uint8_t, 0x2)
CHECK_AFFINE(affine_u8, 2, RIGHT)
STN_ACCESSOR_AFFINE(affine_i16, 2, float, int16_t, 0x1)
CHECK_AFFINE(affine_i16, 2, RIGHT)

/* Scales of other formats than the arithmetic type. */
#define NARROW(name, real, storage, mask, block, scale, FORMAT)                                    \
    CHECK_ACCESSOR_SCALES(name, 2, real, storage, RIGHT, 64, mask, block, scale, 0)                \
    CHECK_TYPE(name, 2, RIGHT, FEW, SCALED, YES, STN_##FORMAT, 0)
NARROW(scale_f32, double, int8_t, 0x2, 1, float, F32)
NARROW(scale_bf16, double, int8_t, 0x3, 8, stn_bf16, BF16)
NARROW(scale_f16, double, stn_e4m3, 0x2, 1, stn_f16, F16)
NARROW(scale_e4m3, float, uint8_t, 0x1, 1, stn_e4m3, E4M3)

static const check_type *const types[] = {
    &columns_i8_type,  &rows_f16_type,  &each_e4m3_type,  &blocks_i8_type,
    &blocks_e5m2_type, &affine_u8_type, &affine_i16_type, &scale_f32_type,
    &scale_bf16_type,  &scale_f16_type, &scale_e4m3_type,
};
enum { TYPES = sizeof types / sizeof *types, MOST = 400 };

/* ---- what a format reaches, as far as the arithmetic goes ---- */

static double highest_of(const check_type *type)
{
    const oracle_format *const f = &oracle_formats[type->format];
    const int digits = type->arithmetic == STN_F64 ? 53 : 24, bits = f->bits - f->is_signed;
    const double all = ldexp(1.0, bits) - ldexp(1.0, bits > digits ? bits - digits : 0);
    const double largest = f->kind == ORACLE_FLOAT ? oracle_decode(f, oracle_largest(f)) : all;
    return type->arithmetic == STN_F32 && largest > 0x1.fffffep127 ? 0x1.fffffep127 : largest;
}

static double lowest_of(const check_type *type)
{
    const oracle_format *const f = &oracle_formats[type->format];
    if (f->kind == ORACLE_FLOAT)
        return -highest_of(type);
    return f->is_signed ? -ldexp(1.0, f->bits - 1) : 0.0;
}

static double value_of(const check_type *type, const void *values, stn_size k)
{
    return check_value_at(type->arithmetic, values, k).re;
}

static double quotient(const check_type *type, double value, double scale)
{
    return check_round(type, value / check_round(type, scale));
}

/* ---- one scale and the values that have it ---- */

typedef struct slot {
    const check_type *type;
    double scale, zero, above, below; /* the largest magnitudes on both sides of 0 */
} slot;

static slot slot_at(const check_array *array, const void *values, stn_size place)
{
    const check_type *const type = array->type;
    const oracle_format *const f = &oracle_formats[type->scale_format];
    slot s = {type, oracle_decode(f, check_code(f->id, array->scales, place, 0)), 0.0, 0.0, 0.0};
    stn_size at[8] = {0}, k = 0;
    if (type->has_zeros)
        s.zero = value_of(type, array->zeros, place);
    do {
        const double value = value_of(type, values, k++);
        if (check_scale_place(array, at) != place || !isfinite(value))
            continue;
        s.above = fmax(s.above, value);
        s.below = fmax(s.below, -value);
    } while (check_next(type->rank, array->extent, at));
    return s;
}

static int fits(const slot *s, double scale)
{
    return quotient(s->type, s->above, scale) <= highest_of(s->type) - s->zero &&
           quotient(s->type, s->below, scale) <= s->zero - lowest_of(s->type);
}

/* Without rounding: the scale times the limit is less than the magnitude. */
static int is_too_small(const slot *s, double scale)
{
    return fma(scale, highest_of(s->type) - s->zero, -s->above) < 0.0 ||
           fma(scale, s->zero - lowest_of(s->type), -s->below) < 0.0;
}

/* The next smaller candidate; 0: none. */
static double next_smaller(const slot *s, int exact)
{
    const oracle_format *const f = &oracle_formats[s->type->scale_format];
    const double least = s->type->arithmetic == STN_F64 ? 0x1p-1022 : 0x1p-126;
    const oracle_rule rule = {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0};
    unsigned events = 0;
    const uint64_t code = oracle_encode(f, s->scale, rule, &events);
    const double half = oracle_decode(f, oracle_encode(f, s->scale / 2, rule, &events));
    const double smaller = exact ? oracle_decode(f, code - 1) : half;
    return smaller < least || (!exact && half != s->scale / 2) ? 0.0 : smaller;
}

static void check_slot(const slot *s, int exact)
{
    int exponent;
    const double smaller = next_smaller(s, exact);
    if (s->above == 0.0 && s->below == 0.0) {
        assert_true(s->scale == 1.0);
        return;
    }
    if (!fits(s, s->scale))
        fail_msg("%s: scale %a is too small for %a, -%a", s->type->label, s->scale, s->above,
                 s->below);
    if (smaller > 0.0 && !is_too_small(s, smaller))
        fail_msg("%s: %a, exact %d, is not the least scale for %a, -%a: %a is", s->type->label,
                 s->scale, exact, s->above, s->below, smaller);
    assert_true(exact || frexp(s->scale, &exponent) == 0.5);
}

/* ---- values ---- */

/* Values whose magnitude `group` determines, so that narrow scales suffice; zeros, NaN, infinities.
 */
static double number(const check_type *type, uint64_t k, uint64_t group)
{
    const uint64_t random = oracle_random(31, k);
    const int is_signed = lowest_of(type) < 0.0 || type->has_zeros;
    const double part = (double)(random >> 11) * 0x1p-53;
    const double value = ldexp(part, (int)(oracle_random(32, group) % 7)) * highest_of(type) / 16;
    if (random % 37 == 0)
        return random % 2 ? (double)NAN : random % 4 ? (double)INFINITY : -(double)INFINITY;
    return group % 5 == 4 ? 0.0 : is_signed && random % 3 ? -value / 3 : value;
}

static void put_number(const check_type *type, void *values, stn_size k, double value)
{
    check_put_value(type->arithmetic, values, k, (check_value){.re = value});
}

/* ---- the tests ---- */

/* Scales of the array's elements are fitted; others, and all codes, stay. */
static void check_fit(check_array *array, uint64_t seed)
{
    const check_type *const type = array->type;
    const int bytes = oracle_formats[type->scale_format].bits / 8;
    double values[MOST];
    stn_size at[8] = {0}, next = 0;
    for (stn_size k = 0; type->has_zeros && k < array->scale_elements; k++)
        put_number(type, array->zeros, k, (double)(1 + k % 7) * 12.5); /* within the format */
    do {
        const uint64_t group = seed + (uint64_t)check_scale_place(array, at);
        put_number(type, values, next, number(type, seed * MOST + (uint64_t)next, group));
        next++;
    } while (check_next(type->rank, array->extent, at));
    for (int exact = 0; exact < 2; exact++) {
        assert_int_equal(type->fit_scales(array->x.bytes, values, exact), 0);
        do {
            const stn_size place = check_scale_place(array, at);
            const slot s = slot_at(array, values, place);
            check_slot(&s, exact);
            memcpy(array->expected_scales + place * bytes, array->scales + place * bytes,
                   (size_t)bytes);
        } while (check_next(type->rank, array->extent, at));
        check_memory(array);
    }
}

static void test_least_scales(void **state)
{
    static const stn_size shapes[][3] = {{2, 3, 40}, {1, 5, 33}, {3, 4, 1}, {2, 2, 65}};
    (void)state;
    for (int k = 0; k < TYPES; k++)
        for (int shape = 0; shape < 4; shape++)
            for (uint64_t seed = 0; seed < 5; seed++) {
                const check_type *const type = types[k];
                check_array array =
                    check_open(type, shapes[shape] + 3 - type->rank, NULL, NULL, seed);
                check_fit(&array, 1000 * seed);
                check_close(&array);
            }
}

/* From inside a block, and of part of the rows. */
static void test_parts(void **state)
{
    (void)state;
    for (int k = 0; k < TYPES; k++)
        for (stn_size begin = 0; begin < 40; begin += 7) {
            const check_type *const type = types[k];
            const stn_span cut[] = {stn_at(1), stn_span_of(1, 3), stn_span_of(begin, 43)};
            check_array array = check_open(type, (const stn_size[]){2, 4, 50} + 3 - type->rank,
                                           NULL, NULL, (uint64_t)begin);
            check_array part = check_part(&array, cut + 3 - type->rank);
            check_fit(&part, (uint64_t)begin);
            check_close(&array);
        }
}

static void test_empty(void **state)
{
    check_array array = check_open(&columns_i8_type, (const stn_size[]){0, 4}, NULL, NULL, 1);
    double value = 1.0;
    (void)state;
    assert_int_equal(columns_i8_type.fit_scales(array.x.bytes, &value, 0), 0);
    check_memory(&array);
    check_close(&array);
}

/* One scale for all: that of stn_storage_fit_scale. */
static void test_library(void **state)
{
    const check_type *const type = *state;
    check_array array = check_open(type, (const stn_size[]){50}, NULL, NULL, 1);
    double values[50];
    for (uint64_t round = 0; round < 2000; round++) {
        for (stn_size k = 0; k < 50; k++)
            put_number(type, values, k,
                       ldexp(number(type, 50 * round + (uint64_t)k, round),
                             (int)(oracle_random(33, round) % 300) - 150));
        for (int exact = 0; exact < 2; exact++) {
            stn_storage storage = stn_storage_of(type->format);
            assert_int_equal(type->fit_scales(array.x.bytes, values, exact), 0);
            expect_ok(stn_storage_fit_scale(&storage, type->arithmetic, values, 50,
                                            (stn_scale_choice)exact));
            if (value_of(type, array.scales, 0) != storage.scale)
                fail_msg("%s, exact %d: %a, not %a", type->label, exact,
                         value_of(type, array.scales, 0), storage.scale);
        }
    }
    check_close(&array);
}

#define GLOBAL_TESTS(id, NAME, name, ...) CHECK_TEST_BY(test_library, global_##name)

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(GLOBAL_TESTS, GLOBAL_TESTS, NO_ROW)
                                           cmocka_unit_test(test_least_scales),
                                       cmocka_unit_test(test_parts), cmocka_unit_test(test_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
