/* Formats of the program's own: registered codecs and opaque structs. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "steno/format.h"
#include "check.h"

/* ---- a fixed-point codec: an int32 in units of *context ---- */

static void decode_fixed(double *values, const void *codes, int64_t count, void *context)
{
    const double unit = *(const double *)context;
    for (int64_t k = 0; k < count; k++) {
        int32_t code;
        memcpy(&code, (const char *)codes + 4 * k, 4);
        values[k] = unit * code;
    }
}

static void encode_fixed(void *codes, const double *values, int64_t count, void *context)
{
    const double unit = *(const double *)context;
    for (int64_t k = 0; k < count; k++) {
        const int32_t code = (int32_t)nearbyint(values[k] / unit);
        memcpy((char *)codes + 4 * k, &code, 4);
    }
}

static double thousandth = 1e-3;

static stn_format_codec fixed_codec(const char *name)
{
    return (stn_format_codec){
        sizeof(stn_format_codec), name, 4, 4, decode_fixed, encode_fixed, &thousandth, NULL};
}

static void describes_a_codec(void **state)
{
    char name[] = "fixed-3";
    const stn_format_codec codec = fixed_codec(name);
    const int32_t before = stn_format_count();
    stn_format format = -1, found = -1;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    (void)state;
    expect_ok(stn_format_register(&format, &codec));
    name[0] = '?'; /* the name is copied */
    assert_true(format == before && stn_format_count() == before + 1);
    expect_ok(stn_format_find("fixed-3", &found));
    assert_int_equal(found, format);
    expect_ok(stn_format_describe(format, &info));
    assert_string_equal(info.name, "fixed-3");
    assert_int_equal(info.kind, STN_CLASS_REGISTERED);
    assert_true(info.format == format && info.component == format);
    assert_true(info.bytes == 4 && info.alignment == 4 && info.bits == 32);
}

/* In f64 and f32, of every stride, with scale and zero point. */
static void converts_by_a_codec(void **state)
{
    enum { COUNT = 1000 };
    const stn_format_codec codec = fixed_codec("fixed-strides");
    static double values[COUNT], back[COUNT];
    static float narrow[COUNT], narrow_back[COUNT];
    static int32_t codes[3 * COUNT];
    stn_format format;
    (void)state;
    expect_ok(stn_format_register(&format, &codec));
    for (int k = 0; k < COUNT; k++)
        narrow[k] = (float)(values[k] = (k - 500) / 16.0);
    for (int n = 0; n < 12; n++) {
        const int64_t stride = n / 2 < 3 ? n / 2 - 3 : n / 2 - 2;
        const int is_f32 = n % 2;
        int32_t *const first = stride < 0 ? codes + (COUNT - 1) * -stride : codes;
        const stn_format arithmetic = is_f32 ? STN_F32 : STN_F64;
        stn_storage storage = stn_storage_of(format);
        storage.scale = stride == 2 ? 0.25 : 1.0;
        storage.zero = stride == 2 ? -7.0 : 0.0;
        expect_ok(stn_encode(arithmetic, &storage, first, stride, 0,
                             is_f32 ? (void *)narrow : values, COUNT));
        expect_ok(stn_decode(arithmetic, is_f32 ? (void *)narrow_back : back, &storage, first,
                             stride, COUNT));
        for (int k = 0; k < COUNT; k++) {
            const int32_t code = first[k * stride];
            const double read = is_f32 ? (double)(float)(1e-3 * code) : 1e-3 * code;
            const double value = (read - storage.zero) * storage.scale;
            assert_int_equal(code,
                             (int32_t)nearbyint((values[k] / storage.scale + storage.zero) / 1e-3));
            assert_true(is_f32 ? narrow_back[k] == (float)value : back[k] == value);
        }
    }
}

static void no_memory_no_format(void **state)
{
    const stn_format_codec codec = fixed_codec("fixed-memory");
    const int32_t before = stn_format_count();
    stn_format format = -5;
    (void)state;
    stn_fail_allocation(1);
    expect_error(stn_format_register(&format, &codec), STN_ERR_MEMORY, "memory");
    stn_fail_allocation(1);
    expect_error(stn_format_opaque(&format, 77, 1), STN_ERR_MEMORY, "memory");
    stn_fail_allocation(0);
    assert_int_equal(stn_format_count(), before);
    assert_int_equal(format, -5);
    expect_ok(stn_format_register(&format, &codec));
}

/* ---- a codec of wide, aligned elements ---- */

enum { WIDE = 128 };
static int misaligned;

static void decode_wide(double *values, const void *codes, int64_t count, void *context)
{
    (void)context;
    misaligned |= (uintptr_t)codes % WIDE != 0;
    for (int64_t k = 0; k < count; k++)
        memcpy(values + k, (const char *)codes + WIDE * k, 8);
}

static void encode_wide(void *codes, const double *values, int64_t count, void *context)
{
    (void)context;
    misaligned |= (uintptr_t)codes % WIDE != 0;
    for (int64_t k = 0; k < count; k++)
        memcpy((char *)codes + WIDE * k, values + k, 8);
}

/* Codec functions are given codes with the alignment their format asked for. */
static void codecs_see_aligned_codes(void **state)
{
    enum { COUNT = 40 };
    static _Alignas(WIDE) char codes[2 * COUNT * WIDE];
    const stn_format_codec codec = {sizeof codec, "wide128",   WIDE, WIDE,
                                    decode_wide,  encode_wide, NULL, NULL};
    double values[COUNT], back[COUNT];
    stn_format format;
    (void)state;
    expect_ok(stn_format_register(&format, &codec));
    const stn_storage storage = stn_storage_of(format);
    for (int k = 0; k < COUNT; k++)
        values[k] = k + 0.5;
    for (int64_t stride = 1; stride <= 2; stride++) {
        expect_ok(stn_encode(STN_F64, &storage, codes, stride, 0, values, COUNT));
        expect_ok(stn_decode(STN_F64, back, &storage, codes, stride, COUNT));
        assert_memory_equal(values, back, sizeof values);
        assert_false(misaligned);
    }
}

/* Elements so large that one alone exceeds any buffer of the library. */
static void very_large_elements(void **state)
{
    enum { COUNT = 3, SIZE = 1 << 16 };
    static char codes[2 * COUNT * SIZE];
    stn_format_codec codec = fixed_codec("fixed-large");
    double back[COUNT];
    stn_format format;
    (void)state;
    codec.bytes = SIZE;
    expect_ok(stn_format_register(&format, &codec));
    const stn_storage storage = stn_storage_of(format);
    for (int k = 0; k < COUNT; k++)
        memcpy(codes + 2 * k * SIZE, &(int32_t){1000 * (k + 1)}, 4);
    expect_ok(stn_decode(STN_F64, back, &storage, codes, 2, COUNT));
    for (int k = 0; k < COUNT; k++)
        assert_true(back[k] == 1e-3 * (1000 * (k + 1)));
}

/* ---- opaque structs ---- */

static void opaque_structs_are_stored_not_computed_with(void **state)
{
    uint64_t buffer[32] = {0};
    (void)state;
    for (int64_t bytes = 1; bytes <= 100; bytes++)
        for (int64_t alignment = 1; bytes % alignment == 0; alignment *= 2) {
            stn_format format = -1, again = -2;
            stn_format_info info = STN_FORMAT_INFO_INIT;
            expect_ok(stn_format_opaque(&format, bytes, alignment));
            expect_ok(stn_format_opaque(&again, bytes, alignment));
            assert_int_equal(format, again);
            expect_ok(stn_format_describe(format, &info));
            assert_int_equal(info.kind, STN_CLASS_OPAQUE);
            assert_int_equal(info.bytes, bytes);
            assert_int_equal(info.alignment, alignment);
            assert_int_equal(info.bits, 8 * bytes);
            const stn_storage storage = stn_storage_of(format);
            expect_error(stn_decode(STN_F64, buffer, &storage, buffer + 16, 1, 1),
                         STN_ERR_UNSUPPORTED, info.name);
            expect_error(stn_encode(STN_F64, &storage, buffer + 16, 1, 0, buffer, 1),
                         STN_ERR_UNSUPPORTED, "cannot be used with");
            expect_error(stn_decode(STN_I64, buffer, &storage, buffer + 16, 1, 1),
                         STN_ERR_UNSUPPORTED, NULL);
            expect_error(stn_decode(STN_C128, buffer, &storage, buffer + 16, 1, 1),
                         STN_ERR_UNSUPPORTED, NULL);
        }
}

/* A codec with the name of an opaque format must not be taken for one. */
static void names_of_opaque_formats_are_theirs(void **state)
{
    stn_format opaque = -1, registered = -1, other = -1;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    char next[64];
    (void)state;
    expect_ok(stn_format_opaque(&opaque, 200, 8));
    expect_ok(stn_format_describe(opaque, &info));
    stn_format_codec codec = fixed_codec(info.name);
    expect_error(stn_format_register(&registered, &codec), STN_ERR_FORMAT, info.name);
    const char *digits = strstr(info.name, "200");
    assert_non_null(digits);
    snprintf(next, sizeof next, "%.*s208%s", (int)(digits - info.name), info.name, digits + 3);
    codec = fixed_codec(next);
    (void)stn_format_register(&registered, &codec); /* may well be refused */
    if (stn_format_opaque(&other, 208, 8) == STN_OK) {
        expect_ok(stn_format_describe(other, &info));
        assert_int_equal(info.kind, STN_CLASS_OPAQUE);
        assert_int_equal(info.bytes, 208);
    }
}

/* ---- many ---- */

enum { THREADS = 4, EACH = 30 };

static void *register_some(void *argument)
{
    const int thread = *(const int *)argument;
    for (int k = 0; k < EACH; k++) {
        char name[32];
        stn_format format, shared, found;
        snprintf(name, sizeof name, "thread%d-%d", thread, k);
        const stn_format_codec codec = fixed_codec(name);
        if (stn_format_register(&format, &codec) != STN_OK ||
            stn_format_opaque(&shared, 1000 + k, 1) != STN_OK ||
            stn_format_find(name, &found) != STN_OK || found != format)
            return argument;
    }
    return NULL;
}

static void threads_register_together(void **state)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    const int32_t before = stn_format_count();
    (void)state;
    for (int k = 0; k < THREADS; k++) {
        numbers[k] = k;
        assert_int_equal(pthread_create(&threads[k], NULL, register_some, &numbers[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        void *failed;
        assert_int_equal(pthread_join(threads[k], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(stn_format_count(), before + THREADS * EACH + EACH);
}

/* Last of all: it uses the registry up. */
static void refuses_more_than_1024(void **state)
{
    stn_format format = -1;
    char name[32];
    (void)state;
    for (int k = 0; stn_format_count() < STN_FIRST_REGISTERED + 1024; k++) {
        snprintf(name, sizeof name, "many-%d", k);
        const stn_format_codec codec = fixed_codec(name);
        expect_ok(stn_format_register(&format, &codec));
    }
    const stn_format_codec codec = fixed_codec("one-more");
    expect_error(stn_format_register(&format, &codec), STN_ERR_RANGE, "one-more");
    expect_error(stn_format_opaque(&format, 4321, 1), STN_ERR_RANGE, "1024");
    expect_error(stn_format_find("one-more", &format), STN_ERR_FORMAT, NULL);
    expect_ok(stn_format_opaque(&format, 100, 4)); /* known already */
    assert_int_equal(stn_format_count(), STN_FIRST_REGISTERED + 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_a_codec),
        cmocka_unit_test(converts_by_a_codec),
        cmocka_unit_test(no_memory_no_format),
        cmocka_unit_test(codecs_see_aligned_codes),
        cmocka_unit_test(very_large_elements),
        cmocka_unit_test(opaque_structs_are_stored_not_computed_with),
        cmocka_unit_test(names_of_opaque_formats_are_theirs),
        cmocka_unit_test(threads_register_together),
        cmocka_unit_test(refuses_more_than_1024),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
