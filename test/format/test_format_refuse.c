/* Refused calls of the functions of formats: status and message; arguments are unchanged. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"
#include "oracle.h"
#include "steno/format.h"

static double values[4];
static uint64_t codes[4];

static int fill(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        values[k] = k + 1;
        codes[k] = 0x5a5a;
    }
    return 0;
}

static void untouched(void)
{
    for (int k = 0; k < 4; k++)
        assert_true(values[k] == k + 1 && codes[k] == 0x5a5a);
}

/* Decoding and encoding `count` elements. */
static void refuse_both(stn_format arithmetic, const stn_storage *storage, int64_t stride,
                        int64_t count, stn_status status, const char *text)
{
    expect_error(stn_encode(arithmetic, storage, codes, stride, 0, values, count), status, text);
    expect_error(stn_decode(arithmetic, values, storage, codes, stride, count), status, text);
    untouched();
}

static void unknown_formats(void **state)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    stn_format format = 7;
    (void)state;
    expect_error(stn_format_describe(-1, &info), STN_ERR_FORMAT, "-1");
    expect_error(stn_format_describe(stn_format_count(), &info), STN_ERR_FORMAT, "is unknown");
    expect_error(stn_format_describe(INT32_MAX, &info), STN_ERR_FORMAT, "2147483647");
    expect_error(stn_format_describe(STN_F16, NULL), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_format_find("f17", &format), STN_ERR_FORMAT, "'f17'");
    expect_error(stn_format_find("", &format), STN_ERR_FORMAT, NULL);
    expect_error(stn_format_find(NULL, &format), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_format_find("f16", NULL), STN_ERR_ARGUMENT, "NULL");
    for (int k = 0; k < STN_BUILTIN_FORMATS; k++)
        expect_error(stn_format_find("F16", &format), STN_ERR_FORMAT, oracle_formats[k].name);
    assert_int_equal(format, 7);
    for (stn_format id = -1; id <= 10000; id += 10001) {
        const stn_storage storage = stn_storage_of(id);
        refuse_both(STN_F64, &storage, 1, 1, STN_ERR_FORMAT, NULL);
    }
}

static void arithmetic_types_that_do_not_match(void **state)
{
    static const stn_format all[] = {STN_F64, STN_F32, STN_I64, STN_C128, STN_C64};
    (void)state;
    for (stn_format id = 0; id < STN_BUILTIN_FORMATS; id++)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            const stn_storage storage = stn_storage_of(id);
            const oracle_class kind = oracle_formats[id].kind;
            const int matches =
                all[k] == STN_I64
                    ? kind == ORACLE_INTEGER
                    : (oracle_formats[all[k]].kind == ORACLE_COMPLEX) == (kind == ORACLE_COMPLEX);
            if (!matches) {
                refuse_both(all[k], &storage, 1, 1, STN_ERR_UNSUPPORTED, oracle_formats[id].name);
                continue;
            }
            uint64_t element[2] = {0}, code[2] = {0};
            expect_ok(stn_decode(all[k], element, &storage, code, 1, 1));
            expect_ok(stn_encode(all[k], &storage, code, 1, 0, element, 1));
        }
    for (stn_format id = 0; id <= STN_BUILTIN_FORMATS; id++) {
        const stn_storage storage = stn_storage_of(STN_I8);
        int is_arithmetic = 0;
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            is_arithmetic |= all[k] == id;
        if (!is_arithmetic)
            expect_error(stn_decode(id, values, &storage, codes, 1, 1), STN_ERR_ARGUMENT,
                         "arithmetic");
    }
}

/* Rows: arithmetic type, format, a change of the storage, status and text. */
#define RULE(arithmetic, format, change, status, text)                                             \
    {                                                                                              \
        stn_storage storage = stn_storage_of(STN_##format);                                        \
        storage.change;                                                                            \
        refuse_both(STN_##arithmetic, &storage, 1, 2, STN_ERR_##status, text);                     \
    }

static void rules(void **state)
{
    static const double infinite[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    (void)state;
    for (int k = 0; k < 3; k++) {
        RULE(F64, F16, scale = infinite[k], ARGUMENT, "scale")
        RULE(F64, F16, zero = infinite[k], ARGUMENT, "zero point")
    }
    RULE(F64, F16, scale = 0.0, ARGUMENT, "scale")
    for (int k = 0; k < 4; k++) {
        RULE(F64, F16, rounding = (stn_rounding)(k < 2 ? 3 + k : 1 - k), ARGUMENT, "rounding")
        RULE(F64, F16, overflow = (stn_overflow)(k < 2 ? 4 + k : 1 - k), ARGUMENT, "overflow")
    }
    /* in the range of f64, but not of f32 */
    RULE(F32, F16, scale = 1e300, ARGUMENT, "f32")
    RULE(F32, F16, scale = 1e-300, ARGUMENT, "f32")
    RULE(F32, F16, zero = -1e300, ARGUMENT, "f32")
    /* i64 arithmetic has no scales, and zero points are int64 */
    RULE(I64, I8, scale = 2.0, UNSUPPORTED, "scale 2")
    RULE(I64, I8, zero = 0.5, UNSUPPORTED, "zero point")
    RULE(I64, I8, zero = 0x1p63, UNSUPPORTED, "zero point")
    RULE(I64, I8, zero = -1e300, UNSUPPORTED, "zero point")
    int64_t value = 0;
    stn_storage storage = stn_storage_of(STN_I8);
    storage.zero = -3.0;
    expect_ok(stn_decode(STN_I64, &value, &storage, &(uint64_t){0}, 1, 1));
    assert_true(value == 3);
}

static void runs(void **state)
{
    static const int64_t far[] = {INT64_MAX, INT64_MIN, INT64_MAX / 2, INT64_MIN / 2};
    const stn_storage f16 = stn_storage_of(STN_F16), bytes = stn_storage_of(STN_I8);
    char *const inside = (char *)values;
    (void)state;
    expect_error(stn_decode(STN_F64, NULL, &f16, codes, 1, 4), STN_ERR_ARGUMENT, "values is NULL");
    expect_error(stn_decode(STN_F64, values, &f16, NULL, 1, 4), STN_ERR_ARGUMENT, "codes is NULL");
    expect_error(stn_encode(STN_F64, &f16, codes, 1, 0, NULL, 4), STN_ERR_ARGUMENT,
                 "values is NULL");
    expect_error(stn_encode(STN_F64, &f16, NULL, 1, 0, values, 4), STN_ERR_ARGUMENT,
                 "codes is NULL");
    refuse_both(STN_F64, NULL, 1, 4, STN_ERR_ARGUMENT, "storage is NULL");
    refuse_both(STN_F64, &f16, 1, -1, STN_ERR_ARGUMENT, "-1");
    refuse_both(STN_F64, &f16, 1, INT64_MIN, STN_ERR_ARGUMENT, NULL);
    /* spans beyond the address space */
    for (int k = 0; k < 4; k++) {
        refuse_both(STN_F64, &f16, far[k], 3, STN_ERR_RANGE, "stride");
        refuse_both(STN_F64, &bytes, far[k], 4, STN_ERR_RANGE, NULL);
    }
    refuse_both(STN_F64, &bytes, INT64_MIN, 2, STN_ERR_RANGE, NULL);
    refuse_both(STN_F64, &f16, 1, INT64_MAX / 2, STN_ERR_RANGE, NULL);
    expect_error(stn_decode(STN_F64, values, &bytes, codes, 0, INT64_MAX), STN_ERR_RANGE, NULL);
    /* in place */
    expect_error(stn_decode(STN_F64, values, &f16, inside + 24, 1, 4), STN_ERR_ALIAS, NULL);
    expect_error(stn_decode(STN_F64, values, &f16, inside + 30, -1, 4), STN_ERR_ALIAS, NULL);
    expect_error(stn_encode(STN_F64, &f16, inside + 4, 1, 0, values, 4), STN_ERR_ALIAS, NULL);
    expect_error(stn_encode(STN_F64, &f16, codes, 0, 0, values, 2), STN_ERR_ALIAS, "stride 0");
    untouched();
    expect_ok(stn_encode(STN_F64, &f16, codes, 0, 0, values, 1));
    expect_ok(stn_decode(STN_F64, NULL, &f16, NULL, 1, 0));
    expect_ok(stn_encode(STN_F64, &f16, NULL, 0, 0, NULL, 0));
}

/* ---- registered formats ---- */

static void decode_any(double *to, const void *from, int64_t count, void *context)
{
    (void)from, (void)context;
    memset(to, 0, (size_t)count * sizeof *to);
}

static void encode_any(void *to, const double *from, int64_t count, void *context)
{
    (void)from, (void)context;
    memset(to, 0, (size_t)count * 4);
}

static stn_format_codec codec_of(const char *name, int64_t bytes, int64_t alignment)
{
    return (stn_format_codec){
        sizeof(stn_format_codec), name, bytes, alignment, decode_any, encode_any, NULL, NULL};
}

static void descriptions(void **state)
{
    static const char *const names[] = {NULL, "", "a b", "a/b", "\xc3\xa9", "f16\n"};
    static const int64_t sizes[][2] = {{0, 1}, {-4, 4}, {4, 0}, {4, -4}, {4, 3}, {4, 8}, {6, 4}};
    const int32_t before = stn_format_count();
    stn_format format = -5;
    stn_format_codec codec = codec_of("bad", 4, 4);
    (void)state;
    expect_error(stn_format_register(&format, NULL), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_format_register(NULL, &codec), STN_ERR_ARGUMENT, "NULL");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        codec = codec_of(names[k], 4, 4);
        expect_error(stn_format_register(&format, &codec), STN_ERR_ARGUMENT, "name");
    }
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        codec = codec_of("bad", sizes[k][0], sizes[k][1]);
        expect_error(stn_format_register(&format, &codec), STN_ERR_ARGUMENT, "bad");
    }
    codec = codec_of("bad", 4, 4);
    codec.decode = NULL;
    expect_error(stn_format_register(&format, &codec), STN_ERR_ARGUMENT, "decode");
    codec = codec_of("bad", 4, 4);
    codec.encode = NULL;
    expect_error(stn_format_register(&format, &codec), STN_ERR_ARGUMENT, "encode");
    for (stn_format id = 0; id < STN_BUILTIN_FORMATS; id++) {
        codec = codec_of(oracle_formats[id].name, 4, 4);
        expect_error(stn_format_register(&format, &codec), STN_ERR_FORMAT, oracle_formats[id].name);
    }
    assert_int_equal(stn_format_count(), before);
    assert_int_equal(format, -5);
    codec = codec_of("twice", 4, 4);
    expect_ok(stn_format_register(&format, &codec));
    expect_error(stn_format_register(&format, &codec), STN_ERR_FORMAT, "twice");
    assert_int_equal(stn_format_count(), before + 1);
}

static void registered_formats_are_real(void **state)
{
    const stn_format_codec codec = codec_of("real", 4, 4);
    stn_format format;
    (void)state;
    expect_ok(stn_format_register(&format, &codec));
    stn_storage storage = stn_storage_of(format);
    refuse_both(STN_I64, &storage, 1, 1, STN_ERR_UNSUPPORTED, "real");
    refuse_both(STN_C128, &storage, 1, 1, STN_ERR_UNSUPPORTED, "real");
    refuse_both(STN_C64, &storage, 1, 1, STN_ERR_UNSUPPORTED, "real");
    refuse_both(format, &storage, 1, 1, STN_ERR_ARGUMENT, "arithmetic");
    expect_error(stn_storage_fit_scale(&storage, STN_F64, values, 1, STN_SCALE_POWER_OF_TWO),
                 STN_ERR_UNSUPPORTED, "real");
}

static void opaque_formats(void **state)
{
    static const int64_t bad[][2] = {{0, 1},  {-1, 1},        {8, 0},
                                     {8, -8}, {8, 3},         {8, 16},
                                     {12, 8}, {INT64_MAX, 1}, {INT64_MIN, INT64_MIN}};
    stn_format format = -5;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        expect_error(stn_format_opaque(&format, bad[k][0], bad[k][1]), STN_ERR_ARGUMENT, "opaque");
    expect_error(stn_format_opaque(NULL, 8, 8), STN_ERR_ARGUMENT, "NULL");
    assert_int_equal(format, -5);
}

#define TEST(test) cmocka_unit_test_setup(test, fill)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(unknown_formats), TEST(arithmetic_types_that_do_not_match),
        TEST(rules),           TEST(runs),
        TEST(descriptions),    TEST(registered_formats_are_real),
        TEST(opaque_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
