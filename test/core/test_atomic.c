/* Atomics on elements of views: every format against stn_encode and stn_decode, integers against a
 * model, rounding and counters, layouts, and refused calls. */
#include <math.h>

#include "core/atomic_model.h"
#include "make_view.h"

static stn_view wrap(stn_storage storage, void *data, int64_t count)
{
    return wrap_view("elements", storage, data, 1, &count);
}

static const int64_t first = 0, middle = 1;

/* ---- reals and complex numbers ---- */

static const double values[] = {0.0,  -0.0,   1.0,    -1.0,  0.3,       -2.7, 100.4,
                                1e5,  -1e5,   1e10,   -1e20, 1e300,     1e-9, INFINITY,
                                -300, 2147e6, 0x1p63, NAN,   -INFINITY, 255.5};
enum { VALUES = sizeof values / sizeof *values };

typedef struct buffer {
    _Alignas(64) unsigned char bytes[64];
} buffer;

static void check_bytes(const buffer *a, const buffer *b)
{
    assert_memory_equal(a->bytes, b->bytes, sizeof a->bytes);
}

static void check_double(double found, double expected)
{
    if (expected != expected)
        assert_true(found != found);
    else
        assert_memory_equal(&found, &expected, sizeof found);
}

/* The value after an operation. */
static double expected_f64(stn_atomic_op op, double is, double x)
{
    switch (op) {
    case STN_ATOMIC_ADD:
        return is + x;
    case STN_ATOMIC_SUBTRACT:
        return is - x;
    case STN_ATOMIC_MULTIPLY:
        return is * x;
    case STN_ATOMIC_DIVIDE:
        return is / x;
    case STN_ATOMIC_MIN:
        return is == x ? (signbit(is) ? is : x) : fmin(is, x);
    default:
        return is == x ? (signbit(is) ? x : is) : fmax(is, x);
    }
}

static void check_real(stn_storage storage, double is, double x)
{
    buffer atomic, plain, other;
    memset(&atomic, 0x5a, sizeof atomic);
    plain = other = atomic;
    const stn_view view = wrap(storage, atomic.bytes, 3);
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(storage.format, &info));
    unsigned char *const to = plain.bytes + info.bytes;
    double decoded, found;
    for (stn_atomic_op op = STN_ATOMIC_ADD; op <= STN_ATOMIC_MAX; op++) {
        expect_ok(stn_encode(STN_F64, &storage, to, 1, 1, &is, 1));
        expect_ok(stn_view_atomic_store(&view, 1, &middle, STN_F64, &is));
        check_bytes(&atomic, &plain);
        expect_ok(stn_decode(STN_F64, &decoded, &storage, to, 1, 1));
        expect_ok(stn_view_atomic_load(&view, 1, &middle, STN_F64, &found));
        check_double(found, decoded);
        expect_ok(stn_view_atomic_update(&view, 1, &middle, STN_F64, op, &x, &found));
        check_double(found, decoded);
        const double result = expected_f64(op, decoded, x);
        expect_ok(stn_encode(STN_F64, &storage, to, 1, 1, &result, 1));
        check_bytes(&atomic, &plain);
    }
    expect_ok(stn_decode(STN_F64, &decoded, &storage, to, 1, 1));
    expect_ok(stn_view_atomic_exchange(&view, 1, &middle, STN_F64, &x, &found));
    check_double(found, decoded);
    expect_ok(stn_encode(STN_F64, &storage, to, 1, 1, &x, 1));
    check_bytes(&atomic, &plain);
}

static void check_storage_of_reals(stn_storage storage)
{
    for (int k = 0; k < VALUES; k++)
        for (int j = 0; j < VALUES; j++)
            check_real(storage, values[k], values[j]);
}

static void check_format_of_reals(stn_format format)
{
    stn_storage storage = stn_storage_of(format);
    check_storage_of_reals(storage);
    storage.scale = 0.3;
    storage.zero = 2.0;
    check_storage_of_reals(storage);
    storage.scale = -4.0;
    storage.zero = 0.0;
    storage.rounding = STN_ROUND_TOWARD_ZERO;
    storage.overflow = STN_OVERFLOW_NAN;
    check_storage_of_reals(storage);
}

#define REAL_ROW(id, NAME, ...) check_format_of_reals(STN_##NAME);
#define NO_ROW(...)

UNIT_TEST(test_every_real_format)
{
    STN_FORMAT_TABLE(REAL_ROW, REAL_ROW, NO_ROW)
}

static stn_c128 expected_c128(stn_atomic_op op, stn_c128 is, stn_c128 x)
{
    switch (op) {
    case STN_ATOMIC_ADD:
        return stn_c128_add(is, x);
    case STN_ATOMIC_SUBTRACT:
        return stn_c128_subtract(is, x);
    case STN_ATOMIC_MULTIPLY:
        return stn_c128_multiply(is, x);
    default:
        return stn_c128_divide(is, x);
    }
}

static void check_format_of_complex(stn_format format)
{
    stn_storage storage = stn_storage_of(format);
    const stn_c128 is = stn_c128_of(1.25, -0.5), x = stn_c128_of(-0.75, 2.0);
    buffer atomic = {{0}}, plain = {{0}};
    stn_format_info info = STN_FORMAT_INFO_INIT;
    stn_c128 decoded, found;
    storage.scale = 0.25;
    const stn_view view = wrap(storage, atomic.bytes, 3);
    expect_ok(stn_format_describe(format, &info));
    unsigned char *const to = plain.bytes + info.bytes;
    for (stn_atomic_op op = STN_ATOMIC_ADD; op <= STN_ATOMIC_DIVIDE; op++) {
        expect_ok(stn_encode(STN_C128, &storage, to, 1, 1, &is, 1));
        expect_ok(stn_view_atomic_exchange(&view, 1, &middle, STN_C128, &is, &found));
        check_bytes(&atomic, &plain);
        expect_ok(stn_decode(STN_C128, &decoded, &storage, to, 1, 1));
        expect_ok(stn_view_atomic_update(&view, 1, &middle, STN_C128, op, &x, &found));
        assert_memory_equal(&found, &decoded, sizeof found);
        const stn_c128 result = expected_c128(op, decoded, x);
        expect_ok(stn_encode(STN_C128, &storage, to, 1, 1, &result, 1));
        check_bytes(&atomic, &plain);
    }
    int exchanged;
    expect_ok(stn_view_atomic_load(&view, 1, &middle, STN_C128, &found));
    expect_ok(
        stn_view_atomic_compare_exchange(&view, 1, &middle, STN_C128, &found, &x, &exchanged));
    assert_int_equal(exchanged, 1);
    expect_ok(
        stn_view_atomic_compare_exchange(&view, 1, &middle, STN_C128, &found, &is, &exchanged));
    assert_int_equal(exchanged, 0);
    assert_true(found.re == x.re && found.im == x.im);
}

#define COMPLEX_ROW(id, NAME, ...) check_format_of_complex(STN_##NAME);

UNIT_TEST(test_every_complex_format)
{
    STN_FORMAT_TABLE(NO_ROW, NO_ROW, COMPLEX_ROW)
}

/* ---- integers ---- */

/* Values and operands near the ends of the format and of i64, against 128-bit integers. Values of
 * u64 that exceed i64 are passed modulo 2^64. */
static void check_integers(stn_format format, int64_t zero)
{
    stn_storage storage = stn_storage_of(format);
    stn_format_info info = STN_FORMAT_INFO_INIT;
    buffer data = {{0}};
    expect_ok(stn_format_describe(format, &info));
    storage.zero = (double)zero;
    const stn_view view = wrap(storage, data.bytes, 1);
    const wide low = lowest_of(&info) - zero, high = highest_of(&info) - zero;
    const wide elements[] = {
        low, low + 1, -96, -20,  -6,       -1,           0,         1,        3,   5, 9,
        11,  96,      100, 0x6c, high / 2, high / 2 + 1, high - 10, high - 1, high};
    const int64_t operands[] = {INT64_MIN, -90, -30, -7, -1,   0,    1,    2,   4,
                                7,         8,   11,  90, 0x13, 0x3a, 0x7f, 100, INT64_MAX};
    const stn_atomic_op last = zero ? STN_ATOMIC_MAX : STN_ATOMIC_SHIFT_RIGHT;
    for (int v = 0; v < COUNT_OF(elements); v++)
        for (int k = 0; k < COUNT_OF(operands); k++)
            for (stn_atomic_op op = STN_ATOMIC_ADD; op <= last; op++) {
                const int is_shift = op == STN_ATOMIC_SHIFT_LEFT || op == STN_ATOMIC_SHIFT_RIGHT;
                const int64_t value = (int64_t)elements[v];
                const int64_t x = is_shift ? (operands[k] & (info.bits - 1)) : operands[k];
                int64_t old, result;
                if (elements[v] < low || elements[v] > high || (op == STN_ATOMIC_DIVIDE && x == 0))
                    continue;
                const wide expected = update_integer(op, &info, zero, elements[v], x);
                expect_ok(stn_view_atomic_store(&view, 1, &first, STN_I64, &value));
                expect_ok(stn_view_atomic_update(&view, 1, &first, STN_I64, op, &x, &old));
                expect_ok(stn_view_atomic_load(&view, 1, &first, STN_I64, &result));
                if (old != value || result != (int64_t)expected)
                    fail_msg("%s, zero %lld: %lld, operation %d, %lld: %lld", info.name,
                             (long long)zero, (long long)value, (int)op, (long long)x,
                             (long long)result);
            }
}

#define INTEGER_ROW(id, NAME, ...) check_integers(STN_##NAME, 0);

UNIT_TEST(test_every_integer_format)
{
    STN_FORMAT_TABLE(NO_ROW, INTEGER_ROW, NO_ROW)
    check_integers(STN_U8, 100);
    check_integers(STN_I16, -7);
}

UNIT_TEST(test_u64_codes)
{
    uint64_t data = UINT64_MAX - 10;
    int64_t x = 7, old;
    const stn_view view = wrap(stn_storage_of(STN_U64), &data, 1);
    expect_ok(stn_view_atomic_update(&view, 1, &first, STN_I64, STN_ATOMIC_ADD, &x, &old));
    assert_true(data == UINT64_MAX - 3 && old == -11);
    expect_ok(stn_view_atomic_update(&view, 1, &first, STN_I64, STN_ATOMIC_ADD, &x, NULL));
    assert_true(data == UINT64_MAX);
}

/* ---- compare and exchange ---- */

static int exchanges(const stn_view *view, double expected, double desired, double *is)
{
    int exchanged = -1;
    *is = expected;
    expect_ok(stn_view_atomic_compare_exchange(view, 1, &first, STN_F64, is, &desired, &exchanged));
    return exchanged;
}

UNIT_TEST(test_compare_exchange)
{
    uint32_t code = 0xffc12345u; /* a NaN other than the one stored for NaN */
    stn_storage storage = stn_storage_of(STN_F32);
    double is;
    stn_view view = wrap(storage, &code, 1);
    assert_int_equal(exchanges(&view, 1.0, 2.0, &is), 0);
    assert_true(is != is);
    assert_int_equal(exchanges(&view, is, -0.0, &is), 1);
    assert_int_equal(exchanges(&view, 0.0, 2.0, &is), 0);
    assert_true(is == 0.0 && signbit(is));
    assert_int_equal(exchanges(&view, is, 0.3, &is), 1);
    assert_int_equal(exchanges(&view, 0.3, 2.0, &is), 0);
    assert_true(is == (double)0.3f);
    assert_int_equal(exchanges(&view, (double)0.3f, 2.0, &is), 1);
    view.storage.scale = 0.1;
    assert_int_equal(exchanges(&view, 2.0 * 0.1, 7.0 * 0.1, &is), 1);
    view.storage.scale = 1.0;
    assert_int_equal(exchanges(&view, 7.0, 0.0, &is), 1);
}

UNIT_TEST(test_opaque)
{
    typedef struct thing {
        char text[12];
    } thing;
    thing data[3] = {{"one"}, {"two"}, {"three"}}, value = {"new"}, old = {"?"};
    stn_format format;
    int exchanged;
    expect_ok(stn_format_opaque(&format, sizeof(thing), 4));
    const stn_view view = wrap(stn_storage_of(format), data, 3);
    expect_ok(stn_view_atomic_exchange(&view, 1, &middle, format, &value, &old));
    assert_string_equal(old.text, "two");
    expect_ok(
        stn_view_atomic_compare_exchange(&view, 1, &middle, format, &old, &value, &exchanged));
    assert_int_equal(exchanged, 0);
    assert_string_equal(old.text, "new");
    expect_ok(
        stn_view_atomic_compare_exchange(&view, 1, &middle, format, &old, &data[2], &exchanged));
    assert_int_equal(exchanged, 1);
    expect_ok(stn_view_atomic_load(&view, 1, &middle, format, &value));
    assert_string_equal(value.text, "three");
    expect_ok(stn_view_atomic_store(&view, 1, &middle, format, &data[0]));
    assert_string_equal(data[1].text, "one");
    assert_string_equal(data[0].text, "one");
    assert_string_equal(data[2].text, "three");
}

/* ---- storage ---- */

UNIT_TEST(test_counters)
{
    buffer data = {{0}};
    stn_counters counters = {0, 0, 0};
    stn_storage storage = stn_storage_of(STN_F16);
    storage.counters = &counters;
    stn_view view = wrap(storage, data.bytes, 1);
    const double large = 1e9, tiny = 1e-30, nan = NAN, one = 1.0;
    expect_ok(stn_view_atomic_store(&view, 1, &first, STN_F64, &large));
    expect_ok(stn_view_atomic_store(&view, 1, &first, STN_F64, &tiny));
    expect_ok(stn_view_atomic_store(&view, 1, &first, STN_F64, &nan));
    expect_ok(stn_view_atomic_store(&view, 1, &first, STN_F64, &one));
    expect_ok(stn_view_atomic_update(&view, 1, &first, STN_F64, STN_ATOMIC_MULTIPLY, &large, NULL));
    assert_int_equal(counters.saturated, 2);
    assert_int_equal(counters.underflowed, 1);
    assert_int_equal(counters.nan, 1);
    view.storage = stn_storage_of(STN_I8);
    view.storage.counters = &counters;
    const int64_t most = 127;
    expect_ok(stn_view_atomic_store(&view, 1, &first, STN_I64, &most));
    expect_ok(stn_view_atomic_update(&view, 1, &first, STN_I64, STN_ATOMIC_ADD, &most, NULL));
    assert_int_equal(counters.saturated, 3);
}

/* To nearest, 256 + 0.01 in bf16 is always 256; stochastically it grows by 0.01 on average: 20000
 * steps of 2 with a probability of 0.005 have a deviation of 20. */
UNIT_TEST(test_stochastic)
{
    uint16_t code = 0;
    stn_storage storage = stn_storage_of(STN_BF16);
    const double start = 256.0, step = 0.01;
    double sum;
    for (int stochastic = 0; stochastic < 2; stochastic++) {
        if (stochastic)
            storage.rounding = STN_ROUND_STOCHASTIC;
        const stn_view view = wrap(storage, &code, 1);
        expect_ok(stn_view_atomic_store(&view, 1, &first, STN_F64, &start));
        for (int k = 0; k < 20000; k++)
            expect_ok(STN_VIEW_ATOMIC_ADD(&view, step, 0));
        expect_ok(stn_view_atomic_load(&view, 1, &first, STN_F64, &sum));
        if (stochastic)
            assert_true(sum >= 456.0 - 100.0 && sum <= 456.0 + 100.0);
        else
            assert_true(sum == 256.0);
    }
}

UNIT_TEST(test_scales_of_elements)
{
    int8_t codes[4] = {10, 10, 10, 10};
    float scale[2] = {0.5f, 4.0f};
    stn_view view = wrap(stn_storage_of(STN_I8), codes, 4);
    stn_scales scales = {.data = scale, .format = STN_F32, .dimension = 0, .block = 2};
    scales.stride[0] = 1;
    expect_ok(stn_view_set_scales(&view, &scales));
    for (int64_t k = 0; k < 4; k++)
        expect_ok(STN_VIEW_ATOMIC_ADD(&view, 8.0, k));
    assert_int_equal(codes[0], 26);
    assert_int_equal(codes[1], 26);
    assert_int_equal(codes[2], 12);
    assert_int_equal(codes[3], 12);
}

static void decode_third(double *to, const void *codes, int64_t count, void *context)
{
    (void)context;
    for (int64_t k = 0; k < count; k++)
        to[k] = ((const unsigned char *)codes)[3 * k];
}

static void encode_third(void *codes, const double *from, int64_t count, void *context)
{
    (void)context;
    for (int64_t k = 0; k < count; k++)
        memset((unsigned char *)codes + 3 * k, (int)from[k], 3);
}

UNIT_TEST(test_registered_format)
{
    unsigned char data[9] = {0};
    const stn_format_codec codec = {sizeof codec, "third",      3,    1,
                                    decode_third, encode_third, NULL, NULL};
    stn_format format;
    expect_ok(stn_format_register(&format, &codec));
    const stn_view view = wrap(stn_storage_of(format), data, 3);
    for (int k = 0; k < 5; k++)
        expect_ok(STN_VIEW_ATOMIC_ADD(&view, 2.0, 1));
    static const unsigned char expected[9] = {0, 0, 0, 10, 10, 10};
    assert_memory_equal(data, expected, sizeof data);
}

/* ---- layouts and traits ---- */

UNIT_TEST(test_layouts)
{
    static const char *const layouts[] = {"right",           "left",           "strided:7,1",
                                          "block_col_major", "tiled:2x4:left", "morton"};
    const int64_t extents[] = {5, 6};
    const stn_slice slices[] = {stn_slice_strided(4, 2, -3), stn_slice_range(1, 5)};
    for (int l = 0; l < COUNT_OF(layouts); l++) {
        stn_layout layout;
        int64_t at[2] = {0};
        expect_ok(stn_layout_parse(layouts[l], &layout));
        stn_view view =
            create_view(NULL, layouts[l], stn_storage_of(STN_F16), &layout, 2, extents, 0);
        expect_ok(stn_view_set_traits(&view, STN_TRAIT_ATOMIC));
        do
            expect_ok(stn_view_atomic_add(&view, 2, at, (double)(10 * at[0] + at[1])));
        while (next_indices(2, extents, at));
        const stn_view part = slice_view(&view, 2, slices); /* rows 4 and 1, columns 1 to 4 */
        do
            expect_ok(stn_view_atomic_add(&part, 2, at, 1000.0));
        while (next_indices(2, part.extent, at));
        do {
            const int is_in_part = (at[0] == 4 || at[0] == 1) && at[1] >= 1 && at[1] < 5;
            double value;
            expect_ok(stn_view_atomic_load(&view, 2, at, STN_F64, &value));
            assert_true(value == (double)(10 * at[0] + at[1]) + (is_in_part ? 1000.0 : 0.0));
        } while (next_indices(2, extents, at));
        stn_view_release(&view);
    }
}

UNIT_TEST(test_lock_free)
{
    static const int64_t none[] = {-1, 0, 3, 5, 6, 7, 12, 24, 32, 64, INT64_MAX};
    for (int64_t bytes = 1; bytes <= 8; bytes *= 2)
        assert_int_equal(stn_atomic_is_lock_free(bytes), 1);
    for (int k = 0; k < COUNT_OF(none); k++)
        assert_int_equal(stn_atomic_is_lock_free(none[k]), 0);
}

/* ---- refused calls ---- */

#define LOAD(view, arithmetic, value)  stn_view_atomic_load(view, 1, &first, arithmetic, value)
#define STORE(view, arithmetic, value) stn_view_atomic_store(view, 1, &first, arithmetic, value)
#define UPDATE(view, arithmetic, op, x)                                                            \
    stn_view_atomic_update(view, 1, &first, arithmetic, op, x, NULL)
#define EXCHANGE(view, value, old) stn_view_atomic_exchange(view, 1, &first, STN_F64, value, old)
#define COMPARE(view, expected, desired, exchanged)                                                \
    stn_view_atomic_compare_exchange(view, 1, &first, STN_F64, expected, desired, exchanged)

UNIT_TEST(test_null_arguments)
{
    double data = 1.0, x = 2.0;
    int exchanged;
    const stn_view view = wrap(f64(), &data, 1);
    const stn_status null = STN_ERR_ARGUMENT;
    expect_error(LOAD(NULL, STN_F64, &x), null, "stn_view_atomic_load");
    expect_error(stn_view_atomic_load(&view, 1, NULL, STN_F64, &x), null, "indices");
    expect_error(LOAD(&view, STN_F64, NULL), null, "value is NULL");
    expect_error(STORE(&view, STN_F64, NULL), null, "value is NULL");
    expect_error(EXCHANGE(&view, NULL, &x), null, "value is NULL");
    expect_error(EXCHANGE(&view, &x, NULL), null, "old is NULL");
    expect_error(UPDATE(&view, STN_F64, STN_ATOMIC_ADD, NULL), null, "operand is NULL");
    expect_error(COMPARE(&view, NULL, &x, &exchanged), null, "expected is NULL");
    expect_error(COMPARE(&view, &x, NULL, &exchanged), null, "desired is NULL");
    expect_error(COMPARE(&view, &x, &x, NULL), null, "exchanged is NULL");
    expect_error(stn_view_atomic_add(NULL, 1, &first, 1.0), null, "stn_view_atomic_add");
    assert_true(data == 1.0);
}

UNIT_TEST(test_wrong_views)
{
    double data[2] = {1.0, 1.0}, x = 2.0;
    const int64_t two = 2, below = -1, pair[] = {0, 0};
    stn_view view = wrap(f64(), data, 2), fixed, far = view, empty = {0};
    expect_ok(stn_view_wrap_const(&fixed, "fixed", f64(), data, 1, &two));
    expect_ok(stn_view_set_space(&far, STN_SPACE_DEVICE));
    expect_error(stn_view_atomic_load(&view, 1, &two, STN_F64, &x), STN_ERR_RANGE, "elements");
    expect_error(stn_view_atomic_load(&view, 1, &below, STN_F64, &x), STN_ERR_RANGE, "-1");
    expect_error(stn_view_atomic_load(&view, 2, pair, STN_F64, &x), STN_ERR_SHAPE, "elements");
    expect_error(stn_view_atomic_load(&empty, 0, NULL, STN_F64, &x), STN_ERR_ARGUMENT,
                 "empty view");
    expect_ok(LOAD(&fixed, STN_F64, &x));
    expect_error(STORE(&fixed, STN_F64, &x), STN_ERR_ARGUMENT, "read-only");
    expect_error(stn_view_atomic_add(&fixed, 1, &first, 1.0), STN_ERR_ARGUMENT, "read-only");
    expect_error(LOAD(&far, STN_F64, &x), STN_ERR_UNSUPPORTED, "device");
    expect_error(stn_view_atomic_add(&far, 1, &first, 1.0), STN_ERR_UNSUPPORTED, "device");
    assert_true(data[0] == 1.0 && data[1] == 1.0);
}

UNIT_TEST(test_wrong_arithmetic)
{
    buffer data = {{0}}, before = data;
    char large[2 * 72] = {0}, value[72];
    stn_format format, other;
    expect_ok(stn_format_opaque(&format, 72, 8));
    expect_ok(stn_format_opaque(&other, 16, 8));
    stn_view view = wrap(stn_storage_of(format), large, 2);
    expect_error(LOAD(&view, format, value), STN_ERR_UNSUPPORTED, "72 bytes");
    view = wrap(stn_storage_of(other), data.bytes, 2);
    expect_error(LOAD(&view, format, value), STN_ERR_ARGUMENT, "arithmetic");
    expect_error(LOAD(&view, STN_F64, value), STN_ERR_UNSUPPORTED, "opaque");
    expect_error(UPDATE(&view, other, STN_ATOMIC_ADD, value), STN_ERR_UNSUPPORTED,
                 "are opaque and have no arithmetic");
    view = wrap(stn_storage_of(STN_F32), data.bytes, 2);
    expect_error(LOAD(&view, STN_F32, value), STN_ERR_ARGUMENT, "arithmetic");
    expect_error(LOAD(&view, STN_I64, value), STN_ERR_UNSUPPORTED, "i64");
    expect_error(LOAD(&view, STN_C128, value), STN_ERR_UNSUPPORTED, "c128");
    view = wrap(stn_storage_of(STN_C64), data.bytes, 2);
    expect_error(stn_view_atomic_add(&view, 1, &first, 1.0), STN_ERR_UNSUPPORTED, "c64");
    view = wrap(stn_storage_of(STN_I8), data.bytes, 2);
    view.storage.scale = 0.5;
    expect_error(LOAD(&view, STN_I64, value), STN_ERR_UNSUPPORTED, "scale");
    view.storage.scale = NAN;
    expect_error(LOAD(&view, STN_F64, value), STN_ERR_ARGUMENT, "scale");
    check_bytes(&data, &before);
}

UNIT_TEST(test_wrong_operations)
{
    int16_t data[2] = {5, 5};
    stn_c64 complex[2] = {{1.0f, 0.0f}, {0.0f, 0.0f}};
    const int64_t zero = 0, below = -1, much = 16;
    const double one = 1.0;
    const stn_c128 z = {1.0, 1.0};
    stn_view view = wrap(stn_storage_of(STN_I16), data, 2);
    const stn_view complex_view = wrap(stn_storage_of(STN_C64), complex, 2);
    expect_error(UPDATE(&view, STN_I64, (stn_atomic_op)11, &zero), STN_ERR_ARGUMENT,
                 "operation 11");
    expect_error(UPDATE(&view, STN_I64, (stn_atomic_op)-1, &zero), STN_ERR_ARGUMENT,
                 "operation -1");
    expect_error(UPDATE(&view, STN_I64, STN_ATOMIC_DIVIDE, &zero), STN_ERR_RANGE, "division by 0");
    expect_error(UPDATE(&view, STN_I64, STN_ATOMIC_SHIFT_LEFT, &below), STN_ERR_RANGE, "0 to 15");
    expect_error(UPDATE(&view, STN_I64, STN_ATOMIC_SHIFT_RIGHT, &much), STN_ERR_RANGE, "0 to 15");
    expect_error(UPDATE(&view, STN_F64, STN_ATOMIC_AND, &one), STN_ERR_UNSUPPORTED,
                 "needs integers in i64 arithmetic without a zero point");
    expect_error(UPDATE(&complex_view, STN_C128, STN_ATOMIC_MAX, &z), STN_ERR_UNSUPPORTED,
                 "is not defined for complex elements");
    view.storage.zero = 3.0;
    expect_error(UPDATE(&view, STN_I64, STN_ATOMIC_XOR, &zero), STN_ERR_UNSUPPORTED, "zero point");
    assert_int_equal(data[0], 5);
    assert_int_equal(data[1], 5);
    assert_true(complex[0].re == 1.0f && complex[0].im == 0.0f);
}

RUN_UNIT_TESTS(NULL, NULL)
