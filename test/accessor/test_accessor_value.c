/* Single values read from and written to every real format, in f64 and f32: by every rounding and
 * overflow rule against the oracle, and through an accessor. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle.h"
#include "steno/accessor.h"

/* ---- the functions of each format; values are f64, of which f32 ones are a part ---- */

enum { ROUNDINGS = 3, OVERFLOWS = 4 };

/* Draws of stochastic rounding come from `seed` and `index`. */
typedef struct value_codec {
    double (*read)(uint64_t code);
    uint64_t (*write)(double value, int rounding, int overflow, uint64_t seed, uint64_t index);
    double (*get)(uint64_t code);
    uint64_t (*set)(double value, double *stored);
} value_codec;

#define CODE(name, bits_)                                                                          \
    stn_##name code = {0};                                                                         \
    memcpy(&code, &(bits_), sizeof code)
#define WRITE_CASE(real, name, rounding, overflow)                                                 \
    case ROUNDINGS *overflow + rounding:                                                           \
        code = stn_write_##real##_##name((stn_##real)value, (stn_rounding)rounding,                \
                                         (stn_overflow)overflow, seed, index);                     \
        break;
#define WRITE_CASES(real, name, overflow)                                                          \
    WRITE_CASE(real, name, 0, overflow)                                                            \
    WRITE_CASE(real, name, 1, overflow)                                                            \
    WRITE_CASE(real, name, 2, overflow)

#define VALUE_CODEC(real, name)                                                                    \
    STN_ACCESSOR(one_##real##_##name, 1, stn_##real, stn_##name)                                   \
    static double read_##real##_##name(uint64_t bits)                                              \
    {                                                                                              \
        CODE(name, bits);                                                                          \
        return (double)stn_read_##real##_##name(code);                                             \
    }                                                                                              \
    static uint64_t write_##real##_##name(double value, int rounding, int overflow, uint64_t seed, \
                                          uint64_t index)                                          \
    {                                                                                              \
        uint64_t bits = 0;                                                                         \
        CODE(name, bits);                                                                          \
        switch (ROUNDINGS * overflow + rounding) {                                                 \
            WRITE_CASES(real, name, 0)                                                             \
            WRITE_CASES(real, name, 1)                                                             \
            WRITE_CASES(real, name, 2)                                                             \
            WRITE_CASES(real, name, 3)                                                             \
        default:                                                                                   \
            abort();                                                                               \
        }                                                                                          \
        memcpy(&bits, &code, sizeof code);                                                         \
        return bits;                                                                               \
    }                                                                                              \
    static double get_##real##_##name(uint64_t bits)                                               \
    {                                                                                              \
        CODE(name, bits);                                                                          \
        return (double)one_##real##_##name##_get(one_##real##_##name##_dense(&code, 1), 0);        \
    }                                                                                              \
    static uint64_t set_##real##_##name(double value, double *stored)                              \
    {                                                                                              \
        uint64_t bits = 0;                                                                         \
        CODE(name, bits);                                                                          \
        *stored = (double)one_##real##_##name##_set(one_##real##_##name##_dense(&code, 1), 0,      \
                                                    (stn_##real)value);                            \
        memcpy(&bits, &code, sizeof code);                                                         \
        return bits;                                                                               \
    }
#define VALUE_CODECS(id, NAME, name, ...) VALUE_CODEC(f64, name) VALUE_CODEC(f32, name)
#define VALUE_ENTRIES(id, NAME, name, ...)                                                         \
    [id] = {{read_f64_##name, write_f64_##name, get_f64_##name, set_f64_##name},                   \
            {read_f32_##name, write_f32_##name, get_f32_##name, set_f32_##name}},
#define NO_ROW(...)

STN_FORMAT_TABLE(VALUE_CODECS, VALUE_CODECS, NO_ROW)

/* By format; in f64, in f32. */
static const value_codec codecs[STN_BUILTIN_FORMATS][2] = {
    STN_FORMAT_TABLE(VALUE_ENTRIES, VALUE_ENTRIES, NO_ROW)};

/* ---- comparing ---- */

static int same(double a, double b)
{
    return isnan(a) ? isnan(b) : stn_bits_of_f64(a) == stn_bits_of_f64(b);
}

/* f64 and f32 are converted by the machine, which has payloads of NaN of its own. */
static int same_code(const oracle_format *f, uint64_t a, uint64_t b)
{
    return a == b || (f->bits >= 32 && oracle_is_nan(f, a) && oracle_is_nan(f, b));
}

static double decoded(const oracle_format *f, uint64_t code, int narrow)
{
    return narrow ? (double)oracle_decode_f32(f, code) : oracle_decode(f, code);
}

static void check_write(const oracle_format *f, double x, oracle_bracket bracket, int narrow,
                        int rounding, int overflow, uint64_t index)
{
    const uint64_t seed = 7, random = oracle_rounding_bits(seed, index);
    const oracle_rule rule = {(stn_rounding)rounding, (stn_overflow)overflow, random};
    unsigned events = 0;
    const uint64_t wanted = oracle_round(f, x, bracket, rule, &events);
    const uint64_t code = codecs[f->id][narrow].write(x, rounding, overflow, seed, index);
    if (!same_code(f, code, wanted))
        fail_msg("stn_write_%s_%s(%a), rounding %d, overflow %d, index %" PRIu64 ": %" PRIx64
                 ", not %" PRIx64,
                 narrow ? "f32" : "f64", f->name, x, rounding, overflow, index, code, wanted);
}

/* All rules, and a set by the usual ones, in f64 and, when x is one, in f32. */
static void check_value(const oracle_format *f, double x, uint64_t index)
{
    const oracle_bracket bracket = oracle_bracket_of(f, fabs(x));
    const oracle_rule usual = {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0};
    unsigned events = 0;
    const uint64_t wanted = oracle_round(f, x, bracket, usual, &events);
    for (int narrow = 0; narrow < (same(x, (double)(float)x) ? 2 : 1); narrow++) {
        double stored = 0.0;
        const uint64_t code = codecs[f->id][narrow].set(x, &stored);
        if (!same_code(f, code, wanted) || !same(stored, decoded(f, wanted, narrow)))
            fail_msg("%s set to %a: %" PRIx64 " which is %a, not %" PRIx64, f->name, x, code,
                     stored, wanted);
        for (int rounding = 0; rounding < ROUNDINGS; rounding++)
            for (int overflow = 0; overflow < OVERFLOWS; overflow++)
                check_write(f, x, bracket, narrow, rounding, overflow, index);
    }
}

/* ---- the tests ---- */

static void test_read_every_code(void **state)
{
    const oracle_format *const f = *state;
    for (int64_t k = 0; k < oracle_code_count(f); k++) {
        const uint64_t code = oracle_code(f, k);
        for (int narrow = 0; narrow < 2; narrow++) {
            const value_codec *const codec = &codecs[f->id][narrow];
            const double wanted = decoded(f, code, narrow);
            if (!same(codec->read(code), wanted) || !same(codec->get(code), wanted))
                fail_msg("%s %" PRIx64 " is read as %a and %a, not %a", f->name, code,
                         codec->read(code), codec->get(code), wanted);
        }
    }
}

static void test_write_hard_values(void **state)
{
    const oracle_format *const f = *state;
    oracle_hard_values(f, f->bits > 8 && oracle_quick() ? 61 : 1, check_value);
}

static void test_write_random_values(void **state)
{
    const oracle_format *const f = *state;
    const uint64_t count = (uint64_t)oracle_count(3000, 20000, 100000);
    for (uint64_t k = 0; k < count; k++) {
        check_value(f, stn_f64_of_bits(oracle_input_f64(f, k)), k);
        check_value(f, (double)stn_f32_of_bits(oracle_input_f32(f, k)), k);
    }
}

#define VALUE_TEST(test, id, name)                                                                 \
    {#name " " #test, test, NULL, NULL, (void *)(uintptr_t)&oracle_formats[id]},
#define VALUE_TESTS(id, NAME, name, ...)                                                           \
    VALUE_TEST(test_read_every_code, id, name)                                                     \
    VALUE_TEST(test_write_hard_values, id, name)                                                   \
    VALUE_TEST(test_write_random_values, id, name)

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(VALUE_TESTS, VALUE_TESTS, NO_ROW)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
