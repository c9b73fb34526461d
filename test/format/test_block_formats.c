/* Codecs of block formats: every code with every scale, and encoding, compared with the definitions
 * of the OCP Microscaling Formats Specification 1.0 (5 and 6.3), by search in tables of values. */
#include "check.h"

#include <math.h>

#include "oracle.h"
#include "steno/block_codec.h"
#include "steno/block_format.h"
#include "steno/format.h"

enum { MAX_ELEMENTS = 32, MAX_BYTES = 160 };

static uint64_t next_number(uint64_t *state)
{
    return stn_random_bits(1, ++*state);
}

/* ---- elements: values by code without sign; tables 5 and 6 of the specification ---- */

static const double e3m2_values[] = {0,   0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375,
                                     0.5, 0.625,  0.75,  0.875,  1,    1.25,   1.5,   1.75,
                                     2,   2.5,    3,     3.5,    4,    5,      6,     7,
                                     8,   10,     12,    14,     16,   20,     24,    28};
static const double e2m3_values[] = {
    0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875,
    2, 2.25,  2.5,  2.75,  3,   3.25,  3.5,  3.75,  4, 4.5,   5,    5.5,   6,   6.5,   7,    7.5};
static const double e2m1_values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

typedef enum scale_kind { BY_INTEGER, BY_E8M0, BY_E4M3 } scale_kind;

typedef struct row {
    const char *name;
    int bits, elements;
    scale_kind scale;
    int top;              /* largest power of two of an element */
    const double *values; /* floats of 4 and 6 bits */
    stn_format bytes;     /* floats of 8 bits, or -1 */
    double fraction;      /* integers: value of code 1 */
} row;

static const row rows[STN_BLOCK_FORMATS] = {{"bfp8", 8, 32, BY_INTEGER, 0, NULL, -1, 1.0},
                                            {"bfp16", 16, 32, BY_INTEGER, 0, NULL, -1, 1.0},
                                            {"bfp32", 32, 32, BY_INTEGER, 0, NULL, -1, 1.0},
                                            {"mxfp8_e4m3", 8, 32, BY_E8M0, 8, NULL, STN_E4M3, 0.0},
                                            {"mxfp8_e5m2", 8, 32, BY_E8M0, 15, NULL, STN_E5M2, 0.0},
                                            {"mxfp6_e3m2", 6, 32, BY_E8M0, 4, e3m2_values, -1, 0.0},
                                            {"mxfp6_e2m3", 6, 32, BY_E8M0, 2, e2m3_values, -1, 0.0},
                                            {"mxfp4", 4, 32, BY_E8M0, 2, e2m1_values, -1, 0.0},
                                            {"mxint8", 8, 32, BY_E8M0, 0, NULL, -1, 1.0 / 64},
                                            {"nvfp4", 4, 16, BY_E4M3, 2, e2m1_values, -1, 0.0}};

static int64_t scale_bytes(const row *f)
{
    return f->scale == BY_INTEGER ? 2 : 1;
}

static double element_value(const row *f, uint64_t code)
{
    const uint64_t sign = (uint64_t)1 << (f->bits - 1);
    if (f->values)
        return code & sign ? -f->values[code - sign] : f->values[code];
    if (f->bytes >= 0)
        return oracle_decode(&oracle_formats[f->bytes], code);
    return (code & sign ? (double)code - 2.0 * (double)sign : (double)code) * f->fraction;
}

static double scale_value(const row *f, const unsigned char *scale)
{
    const int integer = scale[0] + 256 * (f->scale == BY_INTEGER ? scale[1] : 0);
    if (f->scale == BY_E4M3)
        return oracle_decode(&oracle_formats[STN_E4M3], *scale);
    if (integer == (f->scale == BY_INTEGER ? 0x7fff : 0xff))
        return (double)NAN;
    return ldexp(1.0, f->scale == BY_E8M0 ? integer - 127
                      : integer < 0x8000  ? integer
                                          : integer - 0x10000);
}

static void put_code(const row *f, unsigned char *codes, int k, uint64_t code)
{
    for (int bit = 0; bit < f->bits; bit++) {
        const int at = k * f->bits + bit;
        codes[at / 8] =
            (unsigned char)((codes[at / 8] & ~(1 << at % 8)) | (int)(code >> bit & 1) << at % 8);
    }
}

static uint64_t get_code(const row *f, const unsigned char *codes, int k)
{
    uint64_t code = 0;
    for (int bit = 0; bit < f->bits; bit++) {
        const int at = k * f->bits + bit;
        code |= (uint64_t)(codes[at / 8] >> at % 8 & 1) << bit;
    }
    return code;
}

static int same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* ---- descriptions ---- */

UNIT_TEST(block_formats_are_described)
{
    for (int k = 0; k < STN_BLOCK_FORMATS; k++) {
        const row *f = &rows[k];
        stn_format_info info = STN_FORMAT_INFO_INIT;
        stn_format found = -1;
        expect_ok(stn_format_describe(STN_BUILTIN_FORMATS + k, &info));
        expect_ok(stn_format_find(f->name, &found));
        assert_int_equal(found, STN_BUILTIN_FORMATS + k);
        assert_string_equal(info.name, f->name);
        assert_true(info.kind == STN_CLASS_BLOCK && info.component == STN_F64);
        assert_true(info.bits == f->bits && info.block_elements == f->elements);
        assert_int_equal(info.block_bytes, f->elements * f->bits / 8 + scale_bytes(f));
        assert_true(info.highest > 0.0 && info.lowest == -info.highest && info.smallest > 0.0);
    }
}

/* ---- decoding ---- */

/* The header for all languages. */
static void check_header(int k, const unsigned char *block, const double *values)
{
    const row *f = &rows[k];
    const int format = STN_BUILTIN_FORMATS + k;
    const unsigned char *const codes = block + scale_bytes(f);
    double decoded[MAX_ELEMENTS];
    assert_int_equal(stn_block_elements(format), f->elements);
    stn_block_decode(format, decoded, codes, block);
    for (int e = 0; e < f->elements; e++)
        if (!same(decoded[e], values[e]) ||
            !same(stn_block_read(format, codes, block, e), values[e]))
            fail_msg("%s: element %d of a header: %.17g, not %.17g", f->name, e, decoded[e],
                     values[e]);
}

/* A block with these codes and scale is decoded to the definition's values. */
static void check_decoded(int k, const unsigned char *block)
{
    const row *f = &rows[k];
    const stn_storage storage = stn_storage_of(STN_BUILTIN_FORMATS + k);
    const double scale = scale_value(f, block);
    double values[MAX_ELEMENTS];
    float singles[MAX_ELEMENTS];
    expect_ok(stn_decode(STN_F64, values, &storage, block, 1, f->elements));
    expect_ok(stn_decode(STN_F32, singles, &storage, block, 1, f->elements));
    check_header(k, block, values);
    for (int e = 0; e < f->elements; e++) {
        const double expected = element_value(f, get_code(f, block + scale_bytes(f), e)) * scale;
        if (!same(values[e], expected) || !same(singles[e], (float)expected))
            fail_msg("%s: element %d with scale %g: %.17g and %.9g, not %.17g", f->name, e, scale,
                     values[e], (double)singles[e], expected);
    }
}

UNIT_TEST(every_code_is_decoded_with_every_scale)
{
    uint64_t state = 1;
    for (int k = 0; k < STN_BLOCK_FORMATS; k++) {
        const row *f = &rows[k];
        const int scales = f->scale == BY_INTEGER ? 65536 : 256;
        const int64_t codes = f->bits <= 8 ? (int64_t)1 << f->bits : f->elements;
        for (int s = 0; s < scales; s += f->scale == BY_INTEGER ? 97 : 1)
            for (int64_t first = 0; first < codes; first += f->elements) {
                unsigned char block[MAX_BYTES] = {(unsigned char)(s & 255)};
                if (f->scale == BY_INTEGER) {
                    const int exponent = s % 2100 - 1074; /* 2^e is a double */
                    block[0] = (unsigned char)(exponent & 255);
                    block[1] = (unsigned char)(exponent >> 8 & 255);
                }
                for (int e = 0; e < f->elements; e++)
                    put_code(f, block + scale_bytes(f), e,
                             f->bits <= 8 ? (uint64_t)(first + e) : next_number(&state));
                check_decoded(k, block);
            }
    }
}

/* ---- encoding ---- */

static double nearest_even(double x)
{
    const double below = floor(x), rest = x - below;
    return below + (rest > 0.5 || (rest == 0.5 && fmod(below, 2.0) != 0.0));
}

/* The code whose value is nearest; of two, the even one. Values beyond the range saturate. */
static uint64_t nearest_code(const row *f, double x)
{
    const uint64_t sign = (uint64_t)1 << (f->bits - 1);
    if (f->fraction > 0.0) {
        const double limit = (double)(sign - 1), code = nearest_even(x / f->fraction);
        const double kept = code > limit ? limit : code < -limit ? -limit : code;
        return (uint64_t)(int64_t)kept & (2 * sign - 1);
    }
    uint64_t best = 0;
    const double magnitude = fabs(x) > 1e6 ? 1e6 : fabs(x); /* differences of larger ones round */
    for (uint64_t code = 0; code < sign; code++) {
        const double value = element_value(f, code), old = element_value(f, best);
        if (!isfinite(value))
            continue;
        const double distance = fabs(value - magnitude), least = fabs(old - magnitude);
        if (distance < least || (distance == least && code % 2 == 0))
            best = code;
    }
    return best | (signbit(x) ? sign : 0);
}

static int exponent_of_scale(const row *f, double largest)
{
    int exponent;
    (void)frexp(largest, &exponent); /* largest < 2^exponent */
    if (f->scale == BY_E8M0) {
        exponent = largest == 0.0 ? -127 : exponent - 1 - f->top;
        return exponent < -127 ? -127 : exponent > 127 ? 127 : exponent;
    }
    if (largest == 0.0)
        return 0;
    exponent = -1074;
    while (nearest_even(ldexp(largest, -exponent)) >= ldexp(1.0, f->bits - 1) &&
           exponent + f->bits - 1 < 1024)
        exponent++;
    return exponent;
}

static void put_scale(const row *f, unsigned char *scale, double largest, int is_finite)
{
    const int exponent = exponent_of_scale(f, largest);
    if (f->scale == BY_INTEGER) {
        const int code = is_finite ? exponent : 0x7fff;
        scale[0] = (unsigned char)(code & 255);
        scale[1] = (unsigned char)(code >> 8 & 255);
    } else if (f->scale == BY_E8M0) {
        *scale = (unsigned char)(is_finite ? exponent + 127 : 255);
    } else {
        const row e4m3 = {.bits = 8, .bytes = STN_E4M3};
        *scale = (unsigned char)(is_finite ? nearest_code(&e4m3, largest / 6.0) : 0x7f);
    }
}

static void encode_by_definition(const row *f, const double *values, unsigned char *block)
{
    double largest = 0.0;
    int is_finite = 1;
    for (int e = 0; e < f->elements; e++) {
        largest = fmax(largest, fabs(values[e]));
        is_finite &= isfinite(values[e]) != 0;
    }
    memset(block, 0, MAX_BYTES);
    put_scale(f, block, is_finite ? largest : 0.0, is_finite);
    const double scale = scale_value(f, block);
    for (int e = 0; e < f->elements && is_finite; e++)
        if (scale > 0.0)
            put_code(f, block + scale_bytes(f), e, nearest_code(f, values[e] / scale));
}

static void check_encoded(int k, const double *values)
{
    const row *f = &rows[k];
    const stn_storage storage = stn_storage_of(STN_BUILTIN_FORMATS + k);
    const size_t bytes = (size_t)(f->elements * f->bits / 8 + scale_bytes(f));
    unsigned char block[MAX_BYTES] = {0}, expected[MAX_BYTES], again[MAX_BYTES] = {0};
    double decoded[MAX_ELEMENTS], twice[MAX_ELEMENTS];
    encode_by_definition(f, values, expected);
    expect_ok(stn_encode(STN_F64, &storage, block, 1, 0, values, f->elements));
    for (size_t b = 0; b < bytes; b++)
        if (block[b] != expected[b])
            fail_msg("%s: byte %zu of the block of %g, %g, ... is %02x, not %02x", f->name, b,
                     values[0], values[1], block[b], expected[b]);
    memset(again, 0, sizeof again);
    stn_block_encode(STN_BUILTIN_FORMATS + k, again + scale_bytes(f), again, values);
    for (size_t b = 0; b < bytes; b++)
        if (again[b] != block[b])
            fail_msg("%s: byte %zu of a header's block of %g, %g, ... is %02x, not %02x", f->name,
                     b, values[0], values[1], again[b], block[b]);
    /* Decoded values are encoded to the same values. */
    expect_ok(stn_decode(STN_F64, decoded, &storage, block, 1, f->elements));
    expect_ok(stn_encode(STN_F64, &storage, again, 1, 0, decoded, f->elements));
    expect_ok(stn_decode(STN_F64, twice, &storage, again, 1, f->elements));
    for (int e = 0; e < f->elements; e++)
        if (f->scale != BY_E4M3)
            assert_true(same(decoded[e], twice[e]));
}

/* Values of one magnitude, of many, ties, and the ends of the ranges. */
static double value_to_encode(int round, int e, uint64_t *state)
{
    const double unit = (double)(next_number(state) >> 11) * 0x1p-53 * 2 - 1;
    switch (round % 6) {
    case 0:
        return unit;
    case 1:
        return ldexp(unit, (int)(next_number(state) % 24) - 12);
    case 2:
        return ldexp(nearest_even(unit * 64) / 64, round % 300 - 150);
    case 3:
        return ldexp(unit, (int)(next_number(state) % 2000) - 1060);
    case 4:
        return e == round / 6 % 16 ? unit * 1e5 : unit * 1e-3;
    default:
        return ldexp(nearest_even(unit * 16) / 16, round / 6 % 4);
    }
}

UNIT_TEST(blocks_are_encoded_by_definition)
{
    uint64_t state = 7;
    double values[MAX_ELEMENTS];
    for (int k = 0; k < STN_BLOCK_FORMATS; k++) {
        for (int round = 0; round < 1200; round++) {
            for (int e = 0; e < MAX_ELEMENTS; e++)
                values[e] = value_to_encode(round, e, &state);
            check_encoded(k, values);
        }
        const double specials[] = {
            0.0,     -0.0,     0x1p-1074, -0x1p-1074,  0x1.fffffffffffffp1023,
            0x1p127, 0x1p-127, 1.0,       (double)NAN, (double)INFINITY};
        for (int first = 0; first < COUNT_OF(specials); first++)
            for (int second = 0; second < COUNT_OF(specials); second++) {
                for (int e = 0; e < MAX_ELEMENTS; e++)
                    values[e] = e == 3 ? specials[second] : specials[first];
                check_encoded(k, values);
            }
    }
}

/* An incomplete last block is filled with zeros, which do not affect its scale. */
UNIT_TEST(last_blocks_may_be_incomplete)
{
    for (int k = 0; k < STN_BLOCK_FORMATS; k++) {
        const row *f = &rows[k];
        const stn_storage storage = stn_storage_of(STN_BUILTIN_FORMATS + k);
        double values[2 * MAX_ELEMENTS] = {0}, found[2 * MAX_ELEMENTS];
        unsigned char whole[2 * MAX_BYTES] = {0}, some[2 * MAX_BYTES] = {0};
        for (int e = 0; e < f->elements + 5; e++)
            values[e] = 1.0 / (e + 1);
        expect_ok(stn_encode(STN_F64, &storage, whole, 1, 0, values, 2 * f->elements));
        expect_ok(stn_encode(STN_F64, &storage, some, 1, 0, values, f->elements + 5));
        assert_memory_equal(whole, some, sizeof whole);
        expect_ok(stn_decode(STN_F64, found, &storage, some, 1, f->elements + 5));
        assert_true(fabs(found[f->elements] - values[f->elements]) < 0.02);
    }
}

/* ---- a registered format: 8 integers of 4 bits with a float ---- */

static void decode_eighths(double *values, const void *codes, const void *scale, void *context)
{
    const unsigned char *const bytes = codes;
    float unit;
    (void)context;
    memcpy(&unit, scale, sizeof unit);
    for (int e = 0; e < 8; e++)
        values[e] = ((bytes[e / 2] >> e % 2 * 4 & 15) - 8) * (double)unit;
}

static void encode_eighths(void *codes, void *scale, const double *values, void *context)
{
    unsigned char *const bytes = codes;
    double largest = 0.0;
    (void)context;
    for (int e = 0; e < 8; e++)
        largest = fmax(largest, fabs(values[e]));
    const float unit = largest > 0.0 ? (float)(largest / 7) : 1.0F;
    memcpy(scale, &unit, sizeof unit);
    memset(bytes, 0, 4);
    for (int e = 0; e < 8; e++)
        bytes[e / 2] |=
            (unsigned char)(((int)nearest_even(values[e] / (double)unit) + 8) << e % 2 * 4);
}

UNIT_TEST(programs_register_block_formats)
{
    stn_block_codec codec =
        STN_INIT(stn_block_codec, .name = "int4-f32", .elements = 8, .code_bytes = 4,
                 .scale_bytes = 4, .decode = decode_eighths, .encode = encode_eighths);
    stn_format format = -1, other;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_register_blocks(&format, &codec));
    expect_ok(stn_format_describe(format, &info));
    assert_true(info.kind == STN_CLASS_BLOCK && info.block_elements == 8 && info.bits == 4);
    assert_int_equal(info.block_bytes, 8);
    const int64_t extents[] = {3, 21};
    double values[63], found[63];
    stn_view view;
    for (int k = 0; k < 63; k++)
        values[k] = k % 8 == 7 ? 7.0 : k % 7 - 3;
    for (int r = 0; r < 3; r++)
        for (int c = 7; c < 21; c += 8)
            values[21 * r + c] = values[21 * r + (c == 15 ? 20 : c)] = 7.0;
    stn_view from, to;
    expect_ok(stn_view_wrap(&from, "from", stn_storage_of(STN_F64), values, 2, extents));
    expect_ok(stn_view_wrap(&to, "to", stn_storage_of(STN_F64), found, 2, extents));
    expect_ok(stn_view_create(NULL, &view, "int4", stn_storage_of(format), 2, extents));
    expect_ok(stn_view_copy(NULL, &view, &from));
    expect_ok(stn_view_copy(NULL, &to, &view));
    assert_memory_equal(values, found, sizeof values);
    expect_ok(stn_view_release(&view));
    expect_error(stn_format_register_blocks(&other, &codec), STN_ERR_FORMAT, "already exists");
    codec.name = "bad";
    codec.elements = 65;
    expect_error(stn_format_register_blocks(&other, &codec), STN_ERR_ARGUMENT,
                 "elements is 65; it must be 2 to 64");
    codec.elements = 8;
    codec.encode = NULL;
    expect_error(stn_format_register_blocks(&other, &codec), STN_ERR_ARGUMENT, "encode");
    expect_error(stn_format_register_blocks(NULL, &codec), STN_ERR_ARGUMENT, "format is NULL");
    codec.code_bytes = 0;
    expect_error(stn_format_register_blocks(&other, &codec), STN_ERR_ARGUMENT, "code_bytes");
}

int main(void)
{
    return run_unit_tests("block formats", NULL, NULL);
}
