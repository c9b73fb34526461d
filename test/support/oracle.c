/* The oracle: tables of values made with ldexp, searched and compared in floating point. */
#include "oracle.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define ORACLE_KIND_IEEE 0
#define ORACLE_KIND_FN   1

#define FLOAT_ROW(id, NAME, name, bits, exponent, fraction, specials, overflow_rule)               \
    [id] = {ORACLE_FLOAT,           id, id,           #name, bits, exponent, fraction,             \
            ORACLE_KIND_##specials, 1,  overflow_rule},
#define INTEGER_ROW(id, NAME, name, bits, is_signed)                                               \
    [id] = {ORACLE_INTEGER, id, id, #name, bits, 0, 0, 0, is_signed, STN_OVERFLOW_SATURATE},
#define COMPLEX_ROW(id, NAME, name, COMPONENT)                                                     \
    [id] = {ORACLE_COMPLEX, id, STN_##COMPONENT, #name, 0, 0, 0, 0, 1, STN_OVERFLOW_DEFAULT},

const oracle_format oracle_formats[STN_BUILTIN_FORMATS] = {
    STN_FORMAT_TABLE(FLOAT_ROW, INTEGER_ROW, COMPLEX_ROW)};

/* ---- decoding ---- */

uint64_t oracle_infinity(const oracle_format *f)
{
    return f->finite_only ? 0 : (((uint64_t)1 << f->exponent_bits) - 1) << f->fraction_bits;
}

uint64_t oracle_nan(const oracle_format *f)
{
    return f->finite_only ? ((uint64_t)1 << (f->bits - 1)) - 1
                          : oracle_infinity(f) + ((uint64_t)1 << (f->fraction_bits - 1));
}

uint64_t oracle_largest(const oracle_format *f)
{
    return (f->finite_only ? oracle_nan(f) : oracle_infinity(f)) - 1;
}

uint64_t oracle_top(const oracle_format *f)
{
    return f->kind == ORACLE_FLOAT ? oracle_largest(f)
                                   : ~(uint64_t)0 >> (64 - f->bits + f->is_signed);
}

static uint64_t magnitude_of(const oracle_format *f, uint64_t code)
{
    return code & (((uint64_t)1 << (f->bits - 1)) - 1);
}

int oracle_is_nan(const oracle_format *f, uint64_t code)
{
    const uint64_t magnitude = magnitude_of(f, code);
    return f->kind == ORACLE_FLOAT &&
           (f->finite_only ? magnitude == oracle_nan(f) : magnitude > oracle_infinity(f));
}

/* Exponent of the spacing of the subnormals. */
static int lowest_exponent(const oracle_format *f)
{
    return 2 - (1 << (f->exponent_bits - 1)) - f->fraction_bits;
}

static double float_value(const oracle_format *f, uint64_t magnitude)
{
    const uint64_t hidden = (uint64_t)1 << f->fraction_bits;
    const uint64_t fraction = magnitude % hidden;
    const int exponent = (int)(magnitude / hidden);
    if (exponent == 0)
        return ldexp((double)fraction, lowest_exponent(f));
    return ldexp((double)(hidden + fraction), lowest_exponent(f) + exponent - 1);
}

static int64_t signed_value(const oracle_format *f, uint64_t code)
{
    switch (f->bits) {
    case 8:
        return (int8_t)code;
    case 16:
        return (int16_t)code;
    case 32:
        return (int32_t)code;
    default:
        return (int64_t)code;
    }
}

double oracle_decode(const oracle_format *f, uint64_t code)
{
    if (f->kind == ORACLE_INTEGER)
        return f->is_signed ? (double)signed_value(f, code) : (double)code;
    if (oracle_is_nan(f, code))
        return (double)NAN;
    const uint64_t magnitude = magnitude_of(f, code);
    const double value = !f->finite_only && magnitude == oracle_infinity(f)
                             ? (double)INFINITY
                             : float_value(f, magnitude);
    return magnitude == code ? value : -value;
}

float oracle_decode_f32(const oracle_format *f, uint64_t code)
{
    if (f->kind == ORACLE_INTEGER)
        return f->is_signed ? (float)signed_value(f, code) : (float)code;
    return (float)oracle_decode(f, code);
}

/* ---- encoding ---- */

enum { SEARCHED_BITS = 16, SEARCHED = (1 << (SEARCHED_BITS - 1)) + 1 };

/* The finite magnitudes of a narrow format in order, and where the next would be. */
static const double *values_of(const oracle_format *f)
{
    static double tables[STN_BUILTIN_FORMATS][SEARCHED];
    double *values = tables[f->id];
    const uint64_t largest = oracle_largest(f);
    if (values[1] > 0.0)
        return values;
    for (uint64_t code = 1; code <= largest; code++) {
        values[code] = oracle_decode(f, code);
        assert(values[code] > values[code - 1]);
    }
    values[largest + 1] = values[largest] + (values[largest] - values[largest - 1]);
    return values;
}

static oracle_bracket search(const oracle_format *f, double magnitude)
{
    const double *values = values_of(f);
    uint64_t low = 0, high = oracle_largest(f) + 1;
    if (magnitude >= values[high])
        return (oracle_bracket){high, 0.0, 1};
    while (high - low > 1) {
        const uint64_t middle = (low + high) / 2;
        if (values[middle] <= magnitude)
            low = middle;
        else
            high = middle;
    }
    return (oracle_bracket){low, (magnitude - values[low]) / (values[high] - values[low]), 0};
}

/* For formats with too many values to list. */
static oracle_bracket measure(const oracle_format *f, double magnitude)
{
    int exponent;
    (void)frexp(magnitude, &exponent);
    int spacing = exponent - 1 - f->fraction_bits;
    if (magnitude == 0.0 || spacing < lowest_exponent(f))
        spacing = lowest_exponent(f);
    const double steps = ldexp(magnitude, -spacing), whole = floor(steps);
    const uint64_t exponents = (uint64_t)(spacing - lowest_exponent(f));
    const uint64_t below = (exponents << f->fraction_bits) + (uint64_t)whole;
    return (oracle_bracket){below, steps - whole, below > oracle_largest(f)};
}

oracle_bracket oracle_bracket_of(const oracle_format *f, double magnitude)
{
    if (!isfinite(magnitude))
        return (oracle_bracket){0, 0.0, 1};
    if (f->kind == ORACLE_FLOAT)
        return f->bits <= SEARCHED_BITS ? search(f, magnitude) : measure(f, magnitude);
    if (magnitude >= 0x1p64)
        return (oracle_bracket){0, 0.0, 1};
    return (oracle_bracket){(uint64_t)magnitude, magnitude - floor(magnitude), 0};
}

static uint64_t rounded_up(oracle_bracket bracket, oracle_rule rule)
{
    if (rule.rounding == STN_ROUND_NEAREST)
        return bracket.offset > 0.5 || (bracket.offset == 0.5 && bracket.below % 2 == 1);
    if (rule.rounding == STN_ROUND_STOCHASTIC)
        return rule.random < (uint64_t)ldexp(bracket.offset, 64);
    return 0;
}

/* What is stored for a magnitude too large for the format, without its sign. */
static uint64_t overflown(const oracle_format *f, double x, oracle_rule rule, int *keeps_sign)
{
    const stn_overflow overflow =
        rule.overflow == STN_OVERFLOW_DEFAULT ? f->overflow_rule : rule.overflow;
    *keeps_sign = 1;
    if (overflow == STN_OVERFLOW_SATURATE)
        return oracle_largest(f);
    if (overflow == STN_OVERFLOW_INFINITY && isfinite(x) && rule.rounding == STN_ROUND_TOWARD_ZERO)
        return oracle_largest(f);
    if (overflow == STN_OVERFLOW_INFINITY && !f->finite_only)
        return oracle_infinity(f);
    *keeps_sign = 0;
    return oracle_nan(f);
}

static uint64_t round_float(const oracle_format *f, double x, oracle_bracket bracket,
                            oracle_rule rule, unsigned *events)
{
    const uint64_t sign = signbit(x) ? (uint64_t)1 << (f->bits - 1) : 0;
    const uint64_t code = bracket.below + rounded_up(bracket, rule);
    if (bracket.beyond || code > oracle_largest(f)) {
        int keeps_sign;
        const uint64_t stored = overflown(f, x, rule, &keeps_sign);
        if (isfinite(x) || f->finite_only || stored != oracle_infinity(f))
            *events |= STN_EVENT_SATURATED;
        return keeps_sign ? sign | stored : stored;
    }
    if (code == 0 && x != 0.0)
        *events |= STN_EVENT_UNDERFLOWED;
    return sign | code;
}

static uint64_t round_integer(const oracle_format *f, double x, oracle_bracket bracket,
                              oracle_rule rule, unsigned *events)
{
    const uint64_t mask = f->bits == 64 ? UINT64_MAX : ((uint64_t)1 << f->bits) - 1;
    const uint64_t highest = f->is_signed ? mask / 2 : mask;
    const uint64_t limit = x > 0.0 ? highest : f->is_signed ? highest + 1 : 0;
    uint64_t whole = bracket.beyond ? 0 : bracket.below + rounded_up(bracket, rule);
    if (bracket.beyond || whole > limit) {
        *events |= STN_EVENT_SATURATED;
        whole = limit;
    } else if (whole == 0 && x != 0.0) {
        *events |= STN_EVENT_UNDERFLOWED;
    }
    return (x < 0.0 ? 0 - whole : whole) & mask;
}

uint64_t oracle_round(const oracle_format *f, double x, oracle_bracket bracket, oracle_rule rule,
                      unsigned *events)
{
    if (isnan(x)) {
        *events |= STN_EVENT_NAN;
        return f->kind == ORACLE_FLOAT ? oracle_nan(f) : 0;
    }
    return f->kind == ORACLE_FLOAT ? round_float(f, x, bracket, rule, events)
                                   : round_integer(f, x, bracket, rule, events);
}

uint64_t oracle_encode(const oracle_format *f, double x, oracle_rule rule, unsigned *events)
{
    return oracle_round(f, x, oracle_bracket_of(f, fabs(x)), rule, events);
}

/* ---- Steno's scalar codec ---- */

stn_float_kind steno_kind(const oracle_format *f)
{
    return (stn_float_kind){f->exponent_bits, f->fraction_bits, f->finite_only, f->overflow_rule};
}

uint64_t steno_encode(const oracle_format *f, double x, oracle_rule rule, unsigned *events)
{
    const uint64_t bits = stn_bits_of_f64(x);
    if (f->kind == ORACLE_INTEGER)
        return stn_integer_encode(bits, f->bits, f->is_signed, rule.rounding, rule.random, events);
    return stn_float_encode(bits, steno_kind(f), rule.rounding, rule.overflow, rule.random, events);
}

double steno_decode(const oracle_format *f, uint64_t code)
{
    if (f->kind == ORACLE_FLOAT)
        return stn_f64_of_bits(stn_float_decode(code, steno_kind(f)));
    const int64_t whole = stn_integer_decode(code, f->bits, f->is_signed);
    return f->is_signed ? (double)whole : (double)(uint64_t)whole;
}

float steno_decode_f32(const oracle_format *f, uint64_t code)
{
    if (f->kind == ORACLE_FLOAT) {
        unsigned events = 0;
        return stn_f32_of_bits((uint32_t)stn_float_encode(stn_float_decode(code, steno_kind(f)),
                                                          stn_f32_kind(), STN_ROUND_NEAREST,
                                                          STN_OVERFLOW_INFINITY, 0, &events));
    }
    const int64_t whole = stn_integer_decode(code, f->bits, f->is_signed);
    return f->is_signed ? (float)whole : (float)(uint64_t)whole;
}

/* ---- inputs ---- */

enum { NEAR_EACH = 12, RANDOM_CODES = 4000 };

/* Exponents of a float, bits of an integer; each with a neighbourhood of both signs. */
static int64_t places(const oracle_format *f)
{
    return f->kind == ORACLE_FLOAT ? (int64_t)1 << f->exponent_bits : f->bits;
}

int64_t oracle_code_count(const oracle_format *f)
{
    return f->bits <= SEARCHED_BITS ? (int64_t)1 << f->bits
                                    : places(f) * NEAR_EACH * 2 + RANDOM_CODES;
}

/* Fraction `which` of NEAR_EACH of a float: the ends, the middle and what is next to them. */
static uint64_t boundary_fraction(const oracle_format *f, int which, uint64_t random)
{
    const uint64_t all = ((uint64_t)1 << f->fraction_bits) - 1, half = all / 2 + 1;
    const uint64_t chosen[] = {0,   1,       2,        half - 1,     half,
                               all, all - 1, half + 1, random & all, (random >> 9) & all};
    const int count = (int)(sizeof chosen / sizeof *chosen);
    return which < count ? chosen[which] : oracle_random(random, (uint64_t)which) & all;
}

uint64_t oracle_code(const oracle_format *f, int64_t k)
{
    const uint64_t random = oracle_random(11, (uint64_t)k);
    const uint64_t mask = f->bits == 64 ? UINT64_MAX : ((uint64_t)1 << f->bits) - 1;
    const int64_t near = places(f) * NEAR_EACH * 2;
    if (f->bits <= SEARCHED_BITS)
        return (uint64_t)k;
    if (k >= near)
        return f->kind == ORACLE_FLOAT ? random & mask : (random >> (random % 50)) & mask;
    const uint64_t place = (uint64_t)(k / 2 / NEAR_EACH), negative = (uint64_t)k % 2;
    const int which = (int)(k / 2 % NEAR_EACH);
    if (f->kind == ORACLE_FLOAT)
        return negative << (f->bits - 1) | place << f->fraction_bits |
               boundary_fraction(f, which, random);
    const uint64_t whole = ((uint64_t)1 << place) + (uint64_t)which - NEAR_EACH / 2;
    return (negative ? 0 - whole : whole) & mask;
}

double oracle_step(const oracle_format *f, uint64_t code)
{
    if (f->kind == ORACLE_INTEGER)
        return 1.0;
    uint64_t magnitude = magnitude_of(f, code);
    if (magnitude == oracle_largest(f))
        magnitude--;
    return oracle_decode(f, magnitude + 1) - oracle_decode(f, magnitude);
}

/* x, its neighbors in f64, the nearest f32 and its neighbors, with both signs. */
static void use_around(const oracle_format *f, double x, uint64_t k, oracle_use *use)
{
    const float narrow = (float)x;
    const double near[] = {x,
                           nextafter(x, (double)INFINITY),
                           nextafter(x, -(double)INFINITY),
                           (double)narrow,
                           (double)nextafterf(narrow, INFINITY),
                           (double)nextafterf(narrow, -INFINITY)};
    for (size_t n = 0; n < sizeof near / sizeof *near; n++) {
        use(f, near[n], k);
        use(f, -near[n], k);
    }
}

void oracle_hard_values(const oracle_format *f, int64_t step, oracle_use *use)
{
    const uint64_t top = oracle_top(f);
    const double largest = oracle_decode(f, top), last_step = oracle_step(f, top);
    uint64_t k = 0;
    for (int64_t n = 0; n < oracle_code_count(f); n += step) {
        const uint64_t code = oracle_code(f, n);
        const double value = fabs(oracle_decode(f, code));
        if (isfinite(value) && !(f->kind == ORACLE_FLOAT && code != magnitude_of(f, code)))
            for (int quarter = 0; quarter < 3; quarter++)
                use_around(f, value + oracle_step(f, code) * quarter / 4, k++, use);
    }
    for (int eighth = 0; eighth <= 16; eighth++)
        use_around(f, largest + last_step * eighth / 8, k++, use);
    for (double x = largest; isfinite(x); x *= 1.875)
        use_around(f, x, k++, use);
    for (int n = 0; n < oracle_special_f64_count; n++)
        use_around(f, stn_f64_of_bits(oracle_specials_f64[n]), k++, use);
    for (int n = 0; n < oracle_special_f32_count; n++)
        use_around(f, (double)stn_f32_of_bits(oracle_specials_f32[n]), k++, use);
    for (int power = -1074; power <= 1023; power++) {
        use_around(f, ldexp(1.0, power), k++, use);
        use_around(f, ldexp(1.5, power), k++, use);
    }
}

uint64_t oracle_random(uint64_t seed, uint64_t k)
{
    uint64_t state = seed + (k + 1) * UINT64_C(0x9E3779B97F4A7C15);
    state ^= state >> 30;
    state *= UINT64_C(0xBF58476D1CE4E5B9);
    state ^= state >> 27;
    state *= UINT64_C(0x94D049BB133111EB);
    return state ^ state >> 31;
}

/* The hash is written for 64-bit words: multiplications are modulo 2^32. */
uint64_t oracle_rounding_bits(uint64_t seed, uint64_t index)
{
    const uint64_t word = UINT64_C(1) << 32;
    const uint64_t key = oracle_random(oracle_random(seed, 0), index / word - 1);
    uint64_t hash = index % word ^ key % word;
    hash ^= hash / 65536;
    hash = (hash * UINT64_C(569420461) + key / word) % word;
    hash ^= hash / 32768;
    hash = hash * UINT64_C(3545902487) % word;
    hash ^= hash / 32768;
    const uint64_t random = UINT64_C(0x7fffffff) - hash / 2;
    return random * (2 * word) + (2 * word - 1);
}

static int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

/* Input k as a binary float of these widths. */
static uint64_t input(const oracle_format *f, uint64_t k, int exponent_bits, int fraction_bits)
{
    const int width = 1 + exponent_bits + fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const uint64_t random = oracle_random(1, k) >> (64 - width), choice = oracle_random(2, k);
    if (k % 2 == 0)
        return random;
    const int top = f->kind == ORACLE_FLOAT ? 1 << (f->exponent_bits - 1) : f->bits;
    const int bottom = f->kind == ORACLE_FLOAT ? lowest_exponent(f) : 0;
    const int low = clamp(bias + bottom - 3, 0, 2 * bias),
              high = clamp(bias + top + 1, 0, 2 * bias);
    const uint64_t exponent = (uint64_t)low + choice % (uint64_t)(high - low + 1);
    const uint64_t sign = random >> (width - 1) << (width - 1);
    uint64_t fraction = random & (((uint64_t)1 << fraction_bits) - 1);
    if (k % 4 == 3) {
        const uint64_t kept = (choice >> 32) % (uint64_t)(fraction_bits + 1);
        fraction = fraction >> (fraction_bits - (int)kept) << (fraction_bits - (int)kept);
        if (k % 8 == 7)
            fraction ^= 1;
    }
    return sign | exponent << fraction_bits | fraction;
}

uint64_t oracle_input_f64(const oracle_format *f, uint64_t k)
{
    return input(f, k, 11, 52);
}

uint32_t oracle_input_f32(const oracle_format *f, uint64_t k)
{
    return (uint32_t)input(f, k, 8, 23);
}

const uint64_t oracle_specials_f64[] = {
    0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000,
    0x36a0000000000000, 0x36a0000000000001, 0x3690000000000000, 0x3690000000000001,
    0x380fffffffffffff, 0x3810000000000000, 0x3fe0000000000000, 0x3fdfffffffffffff,
    0x3ff0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0x407bffffffffffff,
    0x407c000000000000, 0x407c000000000001, 0x407d000000000000, 0x407d000000000001,
    0x40efffffffffffff, 0x40f0000000000000, 0x41dfffffffe00000, 0x41efffffffe00000,
    0x41e0000000000000, 0x41f0000000000000, 0x43dfffffffffffff, 0x43e0000000000000,
    0x43e0000000000001, 0x43efffffffffffff, 0x43f0000000000000, 0x47efffffe0000000,
    0x47efffffefffffff, 0x47effffff0000000, 0x47efffffffffffff, 0x47f0000000000000,
    0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff4000000000000,
    0x7ff8000000000000, 0x7ff8000000000001, 0x7fffffffffffffff, 0x7ff7ffffffffffff,
    0x7ff000000fffffff, 0x7ff8dead0000beef,
};
const int oracle_special_f64_count =
    (int)(sizeof oracle_specials_f64 / sizeof *oracle_specials_f64);

const uint32_t oracle_specials_f32[] = {
    0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x33000000, 0x33000001, 0x3a800000, 0x3f000000,
    0x3effffff, 0x3f800000, 0x3fc00000, 0x40200000, 0x43dfffff, 0x43e00000, 0x43e80000, 0x43e80001,
    0x477fe000, 0x477fefff, 0x477ff000, 0x47800000, 0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000,
    0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, 0x7f7f0000, 0x7f7f7fff, 0x7f7f8000, 0x7f7fffff,
    0x7f800000, 0x7f800001, 0x7fa00000, 0x7fbfffff, 0x7fc00000, 0x7fc00001, 0x7fffffff, 0x7fc0dead,
};
const int oracle_special_f32_count =
    (int)(sizeof oracle_specials_f32 / sizeof *oracle_specials_f32);

uint32_t oracle_crc(uint32_t crc, uint64_t word, int bytes)
{
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t k = 0; k < 256; k++) {
            table[k] = k;
            for (int bit = 0; bit < 8; bit++)
                table[k] = table[k] >> 1 ^ (table[k] & 1 ? 0xedb88320u : 0);
        }
    crc = ~crc;
    for (int k = 0; k < bytes; k++)
        crc = crc >> 8 ^ table[(crc ^ (uint32_t)(word >> 8 * k)) & 255];
    return ~crc;
}

static int is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

int oracle_quick(void)
{
    const char *value = getenv("STENO_TEST_QUICK");
    const int times = value ? atoi(value) : 0;
    return value && *value && times < 1 ? 1 : times;
}

int oracle_leaves_out(int k)
{
    return oracle_quick() > 8 && k % 3 != 0;
}

int oracle_full(void)
{
    return is_set("STENO_TEST_FULL");
}

int oracle_count(int quick, int usual, int full)
{
    return oracle_full() ? full : oracle_quick() ? quick : usual;
}
