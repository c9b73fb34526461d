/* The public functions of formats: descriptions, storing under every rule, and counters. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/cpu.h"
#include "oracle.h"
#include "steno/format.h"
#include "check.h"

/* ---- what is known of a format ---- */

static void describes_a_real_format(const oracle_format *f, const stn_format_info *info)
{
    const int is_float = f->kind == ORACLE_FLOAT;
    const uint64_t top = oracle_top(f);
    const double highest = oracle_decode(f, top);
    const double lowest = is_float ? -highest : oracle_decode(f, f->is_signed ? top + 1 : 0);
    const int is_packed = f->bits == 24 || f->bits == 40 || f->bits == 48;
    assert_true(info->bytes == f->bits / 8 && info->alignment == (is_packed ? 1 : f->bits / 8));
    assert_true(info->bits == f->bits && info->is_signed == f->is_signed);
    assert_true(info->exponent_bits == f->exponent_bits);
    assert_true(info->fraction_bits == f->fraction_bits);
    assert_true(info->component == f->id);
    assert_true(info->kind == (is_float ? STN_CLASS_FLOAT : STN_CLASS_INTEGER));
    assert_true(info->highest == highest && info->lowest == lowest);
    assert_true(info->smallest == oracle_decode(f, 1));
    assert_true(info->epsilon == (is_float ? ldexp(1.0, -f->fraction_bits) : 1.0));
}

static void describes_every_format(void **state)
{
    (void)state;
    assert_int_equal(stn_format_count(), STN_FIRST_REGISTERED);
    for (stn_format id = 0; id < STN_BUILTIN_FORMATS; id++) {
        const oracle_format *f = &oracle_formats[id];
        stn_format_info info = STN_FORMAT_INFO_INIT, part = STN_FORMAT_INFO_INIT;
        stn_format found = -1;
        expect_ok(stn_format_describe(id, &info));
        assert_int_equal(info.size, sizeof info);
        assert_int_equal(info.format, id);
        assert_string_equal(info.name, f->name);
        expect_ok(stn_format_find(f->name, &found));
        assert_int_equal(found, id);
        if (f->kind != ORACLE_COMPLEX) {
            describes_a_real_format(f, &info);
            continue;
        }
        expect_ok(stn_format_describe(f->component, &part));
        assert_true(info.kind == STN_CLASS_COMPLEX && info.component == f->component);
        assert_true(info.bytes == 2 * part.bytes && info.bits == 2 * part.bits);
        assert_true(info.alignment == part.alignment);
        assert_true(info.exponent_bits == part.exponent_bits);
        assert_true(info.fraction_bits == part.fraction_bits);
        assert_true(info.highest == part.highest && info.lowest == part.lowest);
        assert_true(info.smallest == part.smallest && info.epsilon == part.epsilon);
    }
}

/* ---- storing under every rule ---- */

enum { VALUES = 1500 };

/* Finite values, ties, specials, and values at both ends of the range. */
static double value_to_store(const oracle_format *f, int64_t k)
{
    if (k < oracle_special_f64_count)
        return stn_f64_of_bits(oracle_specials_f64[k]);
    if (k % 3 == 0)
        return stn_f64_of_bits(oracle_input_f64(f, (uint64_t)k));
    const uint64_t code = oracle_code(f, 7 * k % oracle_code_count(f));
    const double x = oracle_decode(f, code);
    return isfinite(x) ? x + oracle_step(f, code) * (double)(k % 9 - 4) / 8 : x;
}

static double value_at(const void *values, int is_f32, int64_t k)
{
    return is_f32 ? (double)((const float *)values)[k] : ((const double *)values)[k];
}

/* The value that is rounded to a code. An f32 operation computed in f64 and rounded has its bits.
 */
static double quotient(const stn_storage *storage, const void *values, int is_f32, int64_t k)
{
    const double scale = is_f32 ? (double)(float)storage->scale : storage->scale;
    double x = value_at(values, is_f32, k) / scale;
    x = is_f32 ? (double)(float)x : x;
    if (storage->zero != 0.0)
        x += is_f32 ? (double)(float)storage->zero : storage->zero;
    return is_f32 ? (double)(float)x : x;
}

/* Around a zero point, the code of an integer that stands for 0 is the zero point's. */
static unsigned about_zero(const oracle_format *f, const stn_storage *storage, unsigned events,
                           double value, uint64_t code)
{
    if (f->kind != ORACLE_INTEGER || storage->zero == 0.0)
        return events;
    events &= ~STN_EVENT_UNDERFLOWED;
    if (value != 0.0 && !(events & STN_EVENT_SATURATED) && oracle_decode(f, code) == storage->zero)
        events |= STN_EVENT_UNDERFLOWED;
    return events;
}

static void count_events(stn_counters *counters, unsigned events)
{
    counters->saturated += (events & STN_EVENT_SATURATED) != 0;
    counters->underflowed += (events & STN_EVENT_UNDERFLOWED) != 0;
    counters->nan += (events & STN_EVENT_NAN) != 0;
}

/* A random number belongs to a part of an element, so an element of two parts uses two. */
static void check_stored(const oracle_format *row, const stn_storage *storage, int is_f32,
                         const void *values, const uint8_t *codes, int64_t first, int64_t count)
{
    const oracle_format *f = &oracle_formats[row->component];
    const int64_t parts = row->kind == ORACLE_COMPLEX ? 2 : 1, width = f->bits / 8;
    stn_counters counters = {0, 0, 0};
    for (int64_t k = 0; k < count * parts; k++) {
        const oracle_rule rule = {
            storage->rounding, storage->overflow,
            oracle_rounding_bits(storage->seed, (uint64_t)(first * parts + k))};
        unsigned events = 0;
        const double x = quotient(storage, values, is_f32, k);
        const uint64_t expected = oracle_encode(f, x, rule, &events);
        uint64_t code = 0;
        memcpy(&code, codes + k * width, (size_t)width);
        if (code != expected)
            fail_msg("%s in %s: %a stored as %llx, not %llx (rounding %d, overflow %d)", row->name,
                     is_f32 ? "f32" : "f64", x, (unsigned long long)code,
                     (unsigned long long)expected, (int)rule.rounding, (int)rule.overflow);
        count_events(&counters, about_zero(f, storage, events, value_at(values, is_f32, k), code));
    }
    if (storage->counters && memcmp(storage->counters, &counters, sizeof counters) != 0)
        fail_msg(
            "%s: counted %lld saturated, %lld underflowed, %lld NaN; expected %lld, %lld, %lld",
            row->name, (long long)storage->counters->saturated,
            (long long)storage->counters->underflowed, (long long)storage->counters->nan,
            (long long)counters.saturated, (long long)counters.underflowed,
            (long long)counters.nan);
}

/* Under one rule, with and without counters. */
static void check_run_on_isa(const oracle_format *row, stn_storage storage, int is_f32,
                             const void *values, int64_t parts)
{
    static uint8_t codes[VALUES * 8];
    const int is_complex = row->kind == ORACLE_COMPLEX;
    const int64_t count = is_complex ? parts / 2 : parts;
    const stn_format arithmetic = is_complex ? is_f32 ? STN_C64 : STN_C128
                                  : is_f32   ? STN_F32
                                             : STN_F64;
    for (int counted = 0; counted < 2; counted++) {
        stn_counters counters = {0, 0, 0};
        storage.counters = counted ? &counters : NULL;
        memset(codes, 0xee, sizeof codes);
        expect_ok(stn_encode(arithmetic, &storage, codes, 1, 1000, values, count));
        check_stored(row, &storage, is_f32, values, codes, 1000, count);
    }
}

static void check_run(const oracle_format *row, stn_storage storage, int is_f32, const void *values,
                      int64_t parts)
{
    const stn_isa before = stn_isa_chosen();
    for (int isa = 0; isa < STN_ISA_COUNT; isa++)
        if (stn_isa_available((stn_isa)isa)) {
            expect_ok(stn_isa_use((stn_isa)isa));
            check_run_on_isa(row, storage, is_f32, values, parts);
        }
    expect_ok(stn_isa_use(before));
}

static void stores_by_every_rule(void **state)
{
    static const double scales[] = {1.0, 0x1p-3, 0.3}, zeros[] = {0.0, -7.5};
    const oracle_format *row = *state, *f = &oracle_formats[row->component];
    static double wide[VALUES];
    static float narrow[VALUES];
    for (int64_t k = 0; k < VALUES; k++) {
        wide[k] = value_to_store(f, k);
        narrow[k] = (float)wide[k];
    }
    for (int k = 0; k < 3 * 4 * 6; k++) {
        stn_storage storage = stn_storage_of(row->id);
        storage.rounding = (stn_rounding)(k % 3);
        storage.overflow = (stn_overflow)(k / 3 % 4);
        storage.scale = scales[k / 12 % 3];
        storage.zero = zeros[k / 36];
        storage.seed = oracle_random(21, (uint64_t)k);
        check_run(row, storage, 0, wide, VALUES);
        check_run(row, storage, 1, narrow, VALUES);
    }
}

/* One value at a limit of the range, in the second of two tiles of values that are stored exactly:
 * only tiles in which something may be saturated or counted take the scalar codec. */
static void counts_single_events(void **state)
{
    enum { COUNT = 256, AT = 200 };
    static const double scales[] = {1.0, 0x1p-3, 0.3, -2.0}, parts[] = {0.5, 1.0, 2.0};
    const oracle_format *row = *state, *f = &oracle_formats[row->component];
    const double limits[] = {oracle_decode(f, oracle_top(f)), oracle_decode(f, 1), (double)NAN,
                             (double)INFINITY, 0.0};
    static double wide[COUNT];
    static float narrow[COUNT];
    if (row->kind == ORACLE_COMPLEX)
        return;
    for (int k = 0; k < 4 * 5 * 3 * 3 * 2; k++) {
        const double scale = scales[k % 4], part = parts[k / 20 % 3];
        double limit = limits[k / 4 % 5] * part * scale * (k / 180 ? -1.0 : 1.0);
        limit *= 1.0 + (k / 60 % 3 - 1) * 0x1p-22;
        stn_storage storage = stn_storage_of(row->id);
        storage.scale = scale;
        storage.overflow = (stn_overflow)(k / 7 % 4);
        for (int i = 0; i < COUNT; i++) {
            wide[i] = i == AT ? limit : (i % 3 + (i % 2 == 0)) * scale;
            narrow[i] = (float)wide[i];
        }
        check_run(row, storage, 0, wide, COUNT);
        check_run(row, storage, 1, narrow, COUNT);
    }
}

/* ---- the scalar codec and vector loops ---- */

enum { NEAR = 65536, FEW = 3000 };

typedef struct rule_output {
    uint8_t codes[NEAR * 8];
    stn_counters counters;
} rule_output;

/* In runs of different lengths. */
static void store_in_runs(rule_output *out, stn_storage storage, stn_format arithmetic,
                          const void *values, int64_t count, uint64_t first)
{
    const int64_t code = oracle_formats[storage.format].bits / 8;
    const int64_t value = arithmetic == STN_F32 ? 4 : 8;
    memset(out, 0, sizeof *out);
    storage.counters = storage.counters ? &out->counters : NULL;
    for (int64_t k = 0, run = 7; k < count; k += run, run = 1 + run * 13 % 1009) {
        const int64_t some = count - k < run ? count - k : run;
        expect_ok(stn_encode(arithmetic, &storage, out->codes + k * code, 1, (int64_t)first + k,
                             (const char *)values + k * value, some));
    }
}

/* Values near all codes, or near a sample; some are far from any. */
static int64_t values_near_codes(const oracle_format *f, double *wide, float *narrow)
{
    const int64_t codes = oracle_code_count(f), most = oracle_count(1000, FEW, NEAR);
    const int64_t count = codes < most / 8 ? 8 * codes : most;
    for (int64_t k = 0; k < count; k++) {
        const uint64_t random = oracle_random(51, (uint64_t)k);
        const uint64_t code = oracle_code(f, (int64_t)(random % (uint64_t)codes));
        const double x = oracle_decode(f, code);
        static const double parts[] = {0.0, 0.5, -0.5, 0.25, 0x1p-30, -0x1p-31, 0.999, 1e-12};
        wide[k] = isfinite(x) ? x + oracle_step(f, code) * parts[random >> 61] : x;
        if (random >> 40 & 31)
            wide[k] *= (random >> 32 & 127) == 0 ? 3e4 : 1.0;
        else
            wide[k] = stn_f64_of_bits(oracle_input_f64(f, random >> 8));
        narrow[k] = (float)wide[k];
    }
    return count;
}

static void compare_with_scalar(stn_storage storage, stn_format arithmetic, const void *values,
                                int64_t count, uint64_t first)
{
    static rule_output expected, out;
    const stn_isa before = stn_isa_chosen();
    expect_ok(stn_isa_use(STN_ISA_C));
    store_in_runs(&expected, storage, arithmetic, values, count, first);
    for (int isa = STN_ISA_C + 1; isa < STN_ISA_COUNT; isa++) {
        if (!stn_isa_available((stn_isa)isa))
            continue;
        expect_ok(stn_isa_use((stn_isa)isa));
        store_in_runs(&out, storage, arithmetic, values, count, first);
        if (memcmp(&out, &expected, sizeof out) != 0)
            fail_msg("%s in %s on %s: other codes or counters than those of the scalar codec "
                     "(rounding %d, overflow %d, scale %g, zero %g)",
                     oracle_formats[storage.format].name, arithmetic == STN_F32 ? "f32" : "f64",
                     stn_isa_name((stn_isa)isa), (int)storage.rounding, (int)storage.overflow,
                     storage.scale, storage.zero);
    }
    expect_ok(stn_isa_use(before));
}

static void vector_loops_have_the_scalar_codec_s_bits(void **state)
{
    static const double scales[] = {1.0, 0.1, 0x1p-40}, zeros[] = {0.0, 3.0, -128.0, 254.5};
    static double wide[NEAR];
    static float narrow[NEAR];
    const oracle_format *f = *state;
    const int64_t count = values_near_codes(f, wide, narrow);
    for (int k = 0; k < 3 * 4 * 2 * 3 * 4; k++) {
        stn_storage storage = stn_storage_of(f->id);
        stn_counters counters = {0, 0, 0};
        storage.rounding = (stn_rounding)(k % 3);
        storage.overflow = (stn_overflow)(k / 3 % 4);
        storage.counters = k / 12 % 2 ? &counters : NULL;
        storage.scale = scales[k / 24 % 3];
        storage.zero = zeros[k / 72];
        storage.seed = (uint64_t)k;
        const uint64_t first = k % 4 ? oracle_random(52, (uint64_t)k) >> 1
                                     : ((uint64_t)(k + 1) << 32) - (uint64_t)count / 2;
        compare_with_scalar(storage, STN_F64, wide, count, first);
        compare_with_scalar(storage, STN_F32, narrow, count, first);
    }
}

/* The same seed and index give the same bits however a run is cut or spread; another seed gives
 * others. */
static void stochastic_rounding_repeats(void **state)
{
    enum { COUNT = 1000 };
    const oracle_format *row = *state, *f = &oracle_formats[row->component];
    const int is_complex = row->kind == ORACLE_COMPLEX;
    const stn_format arithmetic = is_complex ? STN_C128 : STN_F64;
    const int64_t element = (is_complex ? 2 : 1) * f->bits / 8, parts = is_complex ? 2 : 1;
    static double values[2 * COUNT];
    static uint8_t whole[COUNT * 16], pieces[COUNT * 16], other[COUNT * 16];
    static uint8_t spread[3 * COUNT * 16];
    stn_storage storage = stn_storage_of(row->id);
    if (f->kind == ORACLE_FLOAT && f->fraction_bits == 52)
        return; /* nothing to round */
    for (int64_t k = 0; k < 2 * COUNT; k++)
        values[k] = (f->kind == ORACLE_FLOAT ? 1.0 : 100.0) +
                    (double)(oracle_random(6, (uint64_t)k) >> 11) * 0x1p-54;
    storage.rounding = STN_ROUND_STOCHASTIC;
    storage.seed = 42;
    expect_ok(stn_encode(arithmetic, &storage, whole, 1, 5, values, COUNT));
    for (int64_t end = COUNT, size = 1; end > 0; end -= size, size = size * 3 % 71) {
        const int64_t begin = end > size ? end - size : 0;
        expect_ok(stn_encode(arithmetic, &storage, pieces + begin * element, 1, 5 + begin,
                             values + begin * parts, end - begin));
    }
    assert_memory_equal(whole, pieces, (size_t)(COUNT * element));
    expect_ok(stn_encode(arithmetic, &storage, spread, 3, 5, values, COUNT));
    for (int64_t k = 0; k < COUNT; k++)
        assert_memory_equal(whole + k * element, spread + 3 * k * element, (size_t)element);
    storage.seed = 43;
    expect_ok(stn_encode(arithmetic, &storage, other, 1, 5, values, COUNT));
    assert_memory_not_equal(whole, other, (size_t)(COUNT * element));
    storage.seed = 42;
    expect_ok(stn_encode(arithmetic, &storage, other, 1, 6, values, COUNT));
    assert_memory_not_equal(whole, other, (size_t)(COUNT * element));
}

/* ---- counting from several threads ---- */

enum { THREADS = 4, ROUNDS = 200, RUN = 300 };

static void *store_again_and_again(void *argument)
{
    const stn_storage *storage = argument;
    double values[RUN];
    uint64_t codes[RUN];
    for (int k = 0; k < RUN; k++)
        values[k] = k % 3 == 0 ? (double)INFINITY : k % 3 == 1 ? (double)NAN : -1e-320;
    for (int k = 0; k < ROUNDS; k++)
        if (stn_encode(STN_F64, storage, codes, 1, 0, values, RUN) != STN_OK)
            return argument;
    return NULL;
}

static void threads_count_together(void **state)
{
    const oracle_format *f = *state;
    stn_counters counters = {10, 20, 30};
    stn_storage storage = stn_storage_of(f->id);
    pthread_t threads[THREADS];
    const int64_t each = (int64_t)THREADS * ROUNDS * RUN / 3;
    storage.overflow = STN_OVERFLOW_SATURATE;
    storage.counters = &counters;
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, store_again_and_again, &storage), 0);
    for (int k = 0; k < THREADS; k++) {
        void *failed;
        assert_int_equal(pthread_join(threads[k], &failed), 0);
        assert_null(failed);
    }
    const int keeps_tiny = f->kind == ORACLE_FLOAT && f->fraction_bits == 52;
    assert_int_equal(counters.saturated, 10 + each);
    assert_int_equal(counters.underflowed, 20 + (keeps_tiny ? 0 : each));
    assert_int_equal(counters.nan, 30 + each);
}

/* ---- integers in i64 ---- */

/* Formats of 64 bits keep the bits: modulo 2^64. */
static void integers_saturate_in_i64(void **state)
{
    const oracle_format *f = *state;
    const int64_t values[] = {INT64_MIN, -1, 0, 1, 127, 128, INT64_MAX};
    enum { COUNT = sizeof values / sizeof *values };
    uint64_t codes[COUNT];
    int64_t back[COUNT], outside = 0;
    stn_counters counters = {0, 0, 0};
    stn_storage storage = stn_storage_of(f->id);
    storage.counters = &counters;
    expect_ok(stn_encode(STN_I64, &storage, codes, 1, 0, values, COUNT));
    expect_ok(stn_decode(STN_I64, back, &storage, codes, 1, COUNT));
    const int64_t highest =
        f->bits == 64 ? INT64_MAX : ((int64_t)1 << (f->bits - f->is_signed)) - 1;
    const int64_t lowest = f->is_signed || f->bits == 64 ? -highest - 1 : 0;
    for (int k = 0; k < COUNT; k++) {
        const int64_t v = values[k], kept = v > highest ? highest : v < lowest ? lowest : v;
        assert_true(back[k] == kept);
        outside += kept != v;
    }
    assert_int_equal(counters.saturated, outside);
    assert_int_equal(counters.underflowed, 0);
    assert_int_equal(counters.nan, 0);
}

/* ---- a test of each kind for each row of the table, and the others ---- */

#define TEST(test, id, name)                                                                       \
    {#name " " #test, test, NULL, NULL, (void *)(uintptr_t)&oracle_formats[id]},
#define ANY_TESTS(id, NAME, name, ...)                                                             \
    TEST(stores_by_every_rule, id, name)                                                           \
    TEST(stochastic_rounding_repeats, id, name)
#define REAL_TESTS(id, NAME, name, ...)                                                            \
    ANY_TESTS(id, NAME, name, __VA_ARGS__)                                                         \
    TEST(threads_count_together, id, name)                                                         \
    TEST(counts_single_events, id, name)                                                           \
    TEST(vector_loops_have_the_scalar_codec_s_bits, id, name)
#define INTEGER_TESTS(id, NAME, name, ...)                                                         \
    REAL_TESTS(id, NAME, name, __VA_ARGS__)                                                        \
    TEST(integers_saturate_in_i64, id, name)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(describes_every_format),
                                       STN_FORMAT_TABLE(REAL_TESTS, INTEGER_TESTS, ANY_TESTS)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
