/* The scalar codecs of codec.h, every row of the table of formats: against the oracle of oracle.h
 * and against check sums of NumPy's and ml_dtypes' results (test/oracle). */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "oracle.h"

/* ---- the codecs that narrow formats have by name ---- */

typedef struct named_codec {
    double (*to_f64)(uint64_t code);
    float (*to_f32)(uint64_t code);
    uint64_t (*from_f64)(double value);
    uint64_t (*from_f32)(float value);
} named_codec;

#define NAMED(name)                                                                                \
    static double name##_to_f64(uint64_t code)                                                     \
    {                                                                                              \
        return stn_##name##_to_f64(stn_##name##_of_bits(code));                                    \
    }                                                                                              \
    static float name##_to_f32(uint64_t code)                                                      \
    {                                                                                              \
        return stn_##name##_to_f32(stn_##name##_of_bits(code));                                    \
    }                                                                                              \
    static uint64_t name##_from_f64(double value)                                                  \
    {                                                                                              \
        return stn_bits_of_##name(stn_##name##_from_f64(value));                                   \
    }                                                                                              \
    static uint64_t name##_from_f32(float value)                                                   \
    {                                                                                              \
        return stn_bits_of_##name(stn_##name##_from_f32(value));                                   \
    }
#define NAMED_8(name)  NAMED(name)
#define NAMED_16(name) NAMED(name)
#define NAMED_24(name) NAMED(name)
#define NAMED_32(name)
#define NAMED_40(name) NAMED(name)
#define NAMED_48(name) NAMED(name)
#define NAMED_64(name)
#define ENTRY_8(NAME, name)                                                                        \
    [STN_##NAME] = {name##_to_f64, name##_to_f32, name##_from_f64, name##_from_f32},
#define ENTRY_16(NAME, name) ENTRY_8(NAME, name)
#define ENTRY_24(NAME, name) ENTRY_8(NAME, name)
#define ENTRY_32(NAME, name)
#define ENTRY_40(NAME, name) ENTRY_8(NAME, name)
#define ENTRY_48(NAME, name) ENTRY_8(NAME, name)
#define ENTRY_64(NAME, name)
#define NAMED_ROW(id, NAME, name, bits, ...) NAMED_##bits(name)
#define ENTRY_ROW(id, NAME, name, bits, ...) ENTRY_##bits(NAME, name)
#define NO_ROW(...)

STN_FORMAT_TABLE(NAMED_ROW, NO_ROW, NO_ROW)

static const named_codec named[STN_BUILTIN_FORMATS] = {STN_FORMAT_TABLE(ENTRY_ROW, NO_ROW, NO_ROW)};

/* ---- comparing ---- */

static int same_f64(double a, double b)
{
    return isnan(a) ? isnan(b) : stn_bits_of_f64(a) == stn_bits_of_f64(b);
}

static int same_f32(float a, float b)
{
    return isnan(a) ? isnan(b) : stn_bits_of_f32(a) == stn_bits_of_f32(b);
}

static void check_rule(const oracle_format *f, double x, oracle_bracket bracket, oracle_rule rule)
{
    unsigned happened = 0, expected_events = 0;
    const uint64_t code = steno_encode(f, x, rule, &happened);
    const uint64_t expected = oracle_round(f, x, bracket, rule, &expected_events);
    if (code != expected || happened != expected_events)
        fail_msg("%s of %a (%016" PRIx64 "), rounding %d, overflow %d, random %016" PRIx64
                 ": code %" PRIx64 " events %u, expected %" PRIx64 " events %u",
                 f->name, x, stn_bits_of_f64(x), (int)rule.rounding, (int)rule.overflow,
                 rule.random, code, happened, expected, expected_events);
}

/* The codecs by name round to nearest and overflow by habit. */
static void check_named(const oracle_format *f, double x, oracle_bracket bracket)
{
    const oracle_rule rule = {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0};
    unsigned events = 0;
    if (!named[f->id].from_f64)
        return;
    const uint64_t expected = oracle_round(f, x, bracket, rule, &events);
    const uint64_t code = named[f->id].from_f64(x);
    if (code != expected)
        fail_msg("stn_%s_from_f64(%a) is %" PRIx64 ", not %" PRIx64, f->name, x, code, expected);
    if (!same_f64(x, (double)(float)x))
        return;
    const uint64_t narrow = named[f->id].from_f32((float)x);
    if (narrow != expected)
        fail_msg("stn_%s_from_f32(%a) is %" PRIx64 ", not %" PRIx64, f->name, x, narrow, expected);
}

/* Every rounding and overflow rule; random numbers on both sides of where rounding turns up. */
static void check_all_rules(const oracle_format *f, double x, uint64_t k)
{
    const oracle_bracket bracket = oracle_bracket_of(f, fabs(x));
    const uint64_t turn = (uint64_t)ldexp(bracket.offset, 64);
    const uint64_t random[] = {0, turn - 1, turn, UINT64_MAX};
    (void)k;
    for (int overflow = STN_OVERFLOW_DEFAULT; overflow <= STN_OVERFLOW_NAN; overflow++) {
        const stn_overflow habit = (stn_overflow)overflow;
        check_rule(f, x, bracket, (oracle_rule){STN_ROUND_NEAREST, habit, 0});
        check_rule(f, x, bracket, (oracle_rule){STN_ROUND_TOWARD_ZERO, habit, 0});
        for (int r = 0; r < 4; r++)
            check_rule(f, x, bracket, (oracle_rule){STN_ROUND_STOCHASTIC, habit, random[r]});
    }
    check_named(f, x, bracket);
}

/* ---- tests of one format each ---- */

static void decodes_every_code(void **state)
{
    const oracle_format *f = *state;
    const named_codec *codec = &named[f->id];
    for (int64_t k = 0; k < oracle_code_count(f); k++) {
        const uint64_t code = oracle_code(f, k);
        const double value = oracle_decode(f, code);
        const float narrow = oracle_decode_f32(f, code);
        if (!same_f64(steno_decode(f, code), value) || !same_f32(steno_decode_f32(f, code), narrow))
            fail_msg("%s code %" PRIx64 " decodes to %a and %a, not %a", f->name, code,
                     steno_decode(f, code), (double)steno_decode_f32(f, code), value);
        if (codec->to_f64 &&
            (!same_f64(codec->to_f64(code), value) || !same_f32(codec->to_f32(code), narrow)))
            fail_msg("stn_%s_to_f64(%" PRIx64 ") is %a, _to_f32 %a, not %a", f->name, code,
                     codec->to_f64(code), (double)codec->to_f32(code), value);
    }
}

/* What was decoded is stored as it was; NaN as the canonical one. */
static void stores_what_it_read(void **state)
{
    const oracle_format *f = *state;
    const oracle_rule rules[] = {{STN_ROUND_NEAREST, STN_OVERFLOW_INFINITY, 0},
                                 {STN_ROUND_TOWARD_ZERO, STN_OVERFLOW_INFINITY, 0},
                                 {STN_ROUND_STOCHASTIC, STN_OVERFLOW_INFINITY, 0}};
    if (f->kind == ORACLE_INTEGER && f->bits == 64)
        return; /* f64 does not hold them all */
    for (int64_t k = 0; k < oracle_code_count(f); k++)
        for (int rule = 0; rule < 3; rule++) {
            const uint64_t code = oracle_code(f, k);
            const int is_nan = oracle_is_nan(f, code);
            unsigned events = 0;
            const uint64_t back = steno_encode(f, steno_decode(f, code), rules[rule], &events);
            if (back != (is_nan ? oracle_nan(f) : code) || events != (is_nan ? STN_EVENT_NAN : 0))
                fail_msg("%s code %" PRIx64 " comes back as %" PRIx64 ", events %u", f->name, code,
                         back, events);
        }
}

static void rounds_hard_values(void **state)
{
    const oracle_format *f = *state;
    oracle_hard_values(f, oracle_quick() && f->bits > 8 ? 7 : 1, check_all_rules);
}

/* NaN of every kind, in f64 bits that no conversion has touched. */
static void stores_the_canonical_nan(void **state)
{
    const oracle_format *f = *state;
    const uint64_t expected = f->kind == ORACLE_FLOAT ? oracle_nan(f) : 0;
    for (uint64_t k = 0; k < 20000; k++) {
        const uint64_t payload = oracle_random(5, k) >> (12 + k % 52);
        const uint64_t bits =
            (k & 1) << 63 | UINT64_C(0x7ff0000000000000) | (payload ? payload : 1);
        for (int overflow = STN_OVERFLOW_DEFAULT; overflow <= STN_OVERFLOW_NAN; overflow++) {
            const oracle_rule rule = {(stn_rounding)(k % 3), (stn_overflow)overflow, ~bits};
            unsigned events = 0;
            const uint64_t code = f->kind == ORACLE_FLOAT
                                      ? stn_float_encode(bits, steno_kind(f), rule.rounding,
                                                         rule.overflow, rule.random, &events)
                                      : stn_integer_encode(bits, f->bits, f->is_signed,
                                                           rule.rounding, rule.random, &events);
            if (code != expected || events != STN_EVENT_NAN)
                fail_msg("%s of NaN %016" PRIx64 ": %" PRIx64, f->name, bits, code);
        }
    }
}

/* All roundings of one random value; the overflow rule and the random number vary along. */
static void check_random_value(const oracle_format *f, double x, uint64_t k)
{
    const oracle_bracket bracket = oracle_bracket_of(f, fabs(x));
    const stn_overflow overflow = (stn_overflow)(k / 2 % 4);
    check_rule(f, x, bracket, (oracle_rule){STN_ROUND_NEAREST, overflow, 0});
    check_rule(f, x, bracket, (oracle_rule){STN_ROUND_TOWARD_ZERO, overflow, 0});
    check_rule(f, x, bracket, (oracle_rule){STN_ROUND_STOCHASTIC, overflow, oracle_random(7, k)});
}

static void rounds_random_values(void **state)
{
    const oracle_format *f = *state;
    const uint64_t count = (uint64_t)oracle_count(100000, 300000, 10000000);
    for (uint64_t k = 0; k < count; k++) {
        const float narrow = stn_f32_of_bits(oracle_input_f32(f, k));
        check_random_value(f, stn_f64_of_bits(oracle_input_f64(f, k)), k);
        check_random_value(f, (double)narrow, k);
        if (k % 16 == 1)
            check_named(f, (double)narrow, oracle_bracket_of(f, fabs((double)narrow)));
    }
}

/* ---- check sums ---- */

static uint64_t summed_code(const oracle_format *f, uint64_t k)
{
    return f->bits <= 16 ? k : oracle_random(3, k) >> (64 - f->bits);
}

static uint32_t sum_of(const oracle_format *f, const char *what, uint64_t count)
{
    const int from_f32 = strncmp(what, "f32", 3) == 0;
    const oracle_rule rule = {strstr(what, "zero") ? STN_ROUND_TOWARD_ZERO : STN_ROUND_NEAREST,
                              STN_OVERFLOW_INFINITY, 0};
    uint32_t crc = 0;
    for (uint64_t k = 0; k < count; k++) {
        unsigned events = 0;
        if (strcmp(what, "decode_f64") == 0) {
            const double value = steno_decode(f, summed_code(f, k));
            crc = oracle_crc(crc, stn_bits_of_f64(isnan(value) ? (double)NAN : value), 8);
        } else if (strcmp(what, "decode_f32") == 0) {
            const float value = steno_decode_f32(f, summed_code(f, k));
            crc = oracle_crc(crc, stn_bits_of_f32(isnan(value) ? NAN : value), 4);
        } else {
            const double x = from_f32 ? (double)stn_f32_of_bits(oracle_input_f32(f, k))
                                      : stn_f64_of_bits(oracle_input_f64(f, k));
            crc = oracle_crc(crc, steno_encode(f, x, rule, &events), f->bits / 8);
        }
    }
    return crc;
}

static void agrees_with_the_check_sums(void **state)
{
    const oracle_format *f = *state;
    char path[1024], what[32];
    uint64_t count;
    uint32_t expected;
    int lines = 0;
    snprintf(path, sizeof path, "%s/../oracle/%s.sum", STENO_TEST_DATA, f->name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is missing; write it with: pip install numpy ml_dtypes && "
                 "python3 test/oracle/generate.py %s",
                 path, f->name);
    while (fscanf(file, "%31s %" SCNu64 " %" SCNx32, what, &count, &expected) == 3) {
        const uint32_t crc = sum_of(f, what, count);
        lines++;
        if (crc != expected)
            fail_msg("%s %s: sum %08" PRIx32 " of %" PRIu64 " results, expected %08" PRIx32,
                     f->name, what, crc, count, expected);
    }
    fclose(file);
    assert_int_equal(lines, 6);
}

/* ---- stochastic rounding ---- */

enum { DRAWS = 100000 };

/* Of the values between two codes, as many go up as the distance says: within 5 sigma. */
static void check_unbiased(const oracle_format *f, uint64_t code, double part, uint64_t seed)
{
    const double value = oracle_decode(f, code), step = copysign(oracle_step(f, code), value);
    const double x = value + part * step, expected = (x - value) / step;
    int64_t up = 0;
    for (uint64_t k = 0; k < DRAWS; k++) {
        const oracle_rule rule = {STN_ROUND_STOCHASTIC, STN_OVERFLOW_SATURATE,
                                  stn_rounding_bits(seed, k)};
        unsigned events = 0;
        const uint64_t stored = steno_encode(f, x, rule, &events);
        const double back = oracle_decode(f, stored);
        if (stored != code && !same_f64(back, value + step))
            fail_msg("%s: %a is stored as %a, not a neighbour", f->name, x, back);
        up += stored != code;
    }
    const double sigma = sqrt(DRAWS * expected * (1.0 - expected));
    if (fabs((double)up - DRAWS * expected) > 5.0 * sigma)
        fail_msg("%s: %a goes up %" PRId64 " times of %d, expected %g +- %g", f->name, x, up, DRAWS,
                 DRAWS * expected, sigma);
}

static void stochastic_rounding_is_unbiased(void **state)
{
    const oracle_format *f = *state;
    const uint64_t top = oracle_top(f);
    const uint64_t sign = f->is_signed ? (uint64_t)1 << (f->bits - 1) : 0;
    const double parts[] = {0.5, 0.25, 0.001, 0.999, 0.3};
    const uint64_t some = f->kind == ORACLE_FLOAT ? top / 2 + 1 : 100;
    const uint64_t near_top = f->bits == 64 ? 1000 : top - 1;
    const uint64_t magnitudes[] = {0, 1, 2, some, near_top};
    if (f->kind == ORACLE_FLOAT && f->fraction_bits == 52)
        return; /* nothing lies between */
    for (size_t m = 0; m < sizeof magnitudes / sizeof *magnitudes; m++)
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            const uint64_t magnitude = magnitudes[m], seed = 100 * m + p;
            const uint64_t mask = ~(uint64_t)0 >> (64 - f->bits);
            check_unbiased(f, magnitude, parts[p], seed);
            if (f->is_signed && magnitude)
                check_unbiased(f,
                               f->kind == ORACLE_FLOAT ? sign | magnitude : (0 - magnitude) & mask,
                               parts[p], seed + 50);
        }
}

/* ---- random bits ---- */

/* The definition in codec.h, by another's SplitMix64: a bijection of the counter after a mix of the
 * seed. */
static void random_bits_are_as_defined(void **state)
{
    (void)state;
    assert_true(stn_random_bits(0, 0) == oracle_random(oracle_random(0, 0), UINT64_MAX));
    for (uint64_t k = 0; k < 1000; k++) {
        const uint64_t seed = oracle_random(1, k), index = oracle_random(2, k) >> (k % 64);
        assert_true(stn_random_bits(seed, index) ==
                    oracle_random(oracle_random(seed, 0), index - 1));
    }
}

/* By another implementation. */
static void rounding_bits_are_as_defined(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 1000; k++) {
        const uint64_t seed = oracle_random(3, k), index = oracle_random(4, k) >> (k % 64);
        assert_true(stn_rounding_bits(seed, index) == oracle_rounding_bits(seed, index));
    }
}

/* How often each bit of `word` was set, in units of sigma from the half of `count`. */
static void check_even(const uint64_t *set, int lowest, uint64_t count, const char *what)
{
    for (int bit = lowest; bit < 64; bit++) {
        const double sigmas = fabs((double)set[bit] - (double)count / 2) / sqrt((double)count / 4);
        if (sigmas > 5.0)
            fail_msg("%s, bit %d: %" PRIu64 " of %" PRIu64, what, bit, set[bit], count);
    }
}

/* Bits from `lowest` on, and their differences from those of other indices and seeds. */
static void check_bits(uint64_t (*bits)(uint64_t seed, uint64_t index), int lowest)
{
    enum { COUNT = 100000, DISTANCES = 5 };
    static const uint64_t distances[DISTANCES] = {1, 2, 64, 1000, (uint64_t)1 << 32};
    uint64_t plain[64] = {0}, by_seed[64] = {0};
    uint64_t index[DISTANCES][64] = {{0}}, seed[DISTANCES][64] = {{0}};
    for (uint64_t k = 0; k < COUNT; k++) {
        const uint64_t word = bits(9, k), other = bits(k, 9);
        uint64_t far[DISTANCES], far_seed[DISTANCES];
        for (int d = 0; d < DISTANCES; d++) {
            far[d] = word ^ bits(9, k + distances[d]);
            far_seed[d] = other ^ bits(k + distances[d], 9);
        }
        for (int bit = lowest; bit < 64; bit++) {
            plain[bit] += word >> bit & 1;
            by_seed[bit] += other >> bit & 1;
            for (int d = 0; d < DISTANCES; d++) {
                index[d][bit] += far[d] >> bit & 1;
                seed[d][bit] += far_seed[d] >> bit & 1;
            }
        }
    }
    check_even(plain, lowest, COUNT, "bits by index");
    check_even(by_seed, lowest, COUNT, "bits by seed");
    for (int d = 0; d < DISTANCES; d++) {
        check_even(index[d], lowest, COUNT, "bits compared with those of another index");
        check_even(seed[d], lowest, COUNT, "bits compared with those of another seed");
    }
}

static uint64_t random_bits(uint64_t seed, uint64_t index)
{
    return stn_random_bits(seed, index);
}

static uint64_t rounding_bits(uint64_t seed, uint64_t index)
{
    return stn_rounding_bits(seed, index);
}

static void random_bits_are_even(void **state)
{
    (void)state;
    check_bits(random_bits, 0);
    check_bits(rounding_bits, 33);
}

/* The products of the deviations of neighbors from their mean average to 0: the errors of adjacent
 * elements, of adjacent rows and of one element in consecutive steps are uncorrelated. */
static void check_uncorrelated(uint64_t seed_step, uint64_t index_step)
{
    enum { COUNT = 100000 };
    double sum = 0.0;
    for (uint64_t k = 0; k < COUNT; k++) {
        const uint64_t a = stn_rounding_bits(17 + k / 1000, k);
        const uint64_t b = stn_rounding_bits(17 + k / 1000 + seed_step, k + index_step);
        sum += ((double)(a >> 33) * 0x1p-31 - 0.5) * ((double)(b >> 33) * 0x1p-31 - 0.5);
    }
    const double sigmas = fabs(sum) * 12.0 / sqrt((double)COUNT);
    if (sigmas > 5.0)
        fail_msg("seed + %" PRIu64 ", index + %" PRIu64 ": correlated by %g sigma", seed_step,
                 index_step, sigmas);
}

static void errors_of_neighbors_are_uncorrelated(void **state)
{
    static const uint64_t steps[] = {1, 2, 3, 32, 128, 1000, 1024, 4096, 65536, 1 << 20};
    (void)state;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        check_uncorrelated(0, steps[k]);
        check_uncorrelated(steps[k], 0);
        check_uncorrelated(steps[k], steps[k]);
    }
}

/* ---- a test of each kind for each real format ---- */

#define TEST(test, id, name)                                                                       \
    {#name " " #test, test, NULL, NULL, (void *)(uintptr_t)&oracle_formats[id]},
#define TESTS(id, NAME, name, ...)                                                                 \
    TEST(decodes_every_code, id, name)                                                             \
    TEST(stores_what_it_read, id, name)                                                            \
    TEST(rounds_hard_values, id, name)                                                             \
    TEST(stores_the_canonical_nan, id, name)                                                       \
    TEST(rounds_random_values, id, name)                                                           \
    TEST(agrees_with_the_check_sums, id, name)                                                     \
    TEST(stochastic_rounding_is_unbiased, id, name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STN_FORMAT_TABLE(TESTS, TESTS, NO_ROW) cmocka_unit_test(random_bits_are_as_defined),
        cmocka_unit_test(rounding_bits_are_as_defined), cmocka_unit_test(random_bits_are_even),
        cmocka_unit_test(errors_of_neighbors_are_uncorrelated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
