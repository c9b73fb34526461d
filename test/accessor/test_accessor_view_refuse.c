/* Accessors from views: the views that do not become an accessor of a type, the sentence that says
 * why, and that nothing has been touched. */
#include <math.h>
#include <string.h>

#include "accessor_view_types.h"

static void expect_refused(stn_status actual, stn_status wanted, const char *sentence,
                           const unsigned char *accessor, size_t size)
{
    if (actual != wanted)
        fail_msg("%s, not %s: %s", stn_status_name(actual), stn_status_name(wanted),
                 actual == STN_OK ? sentence : stn_error());
    assert_string_equal(stn_error(), sentence);
    for (size_t k = 0; k < size; k++)
        assert_int_equal(accessor[k], 0xa5);
}

#define REFUSE(name, view, status, sentence)                                                       \
    {                                                                                              \
        name x;                                                                                    \
        memset(&x, 0xa5, sizeof x);                                                                \
        expect_refused(name##_from_view(&x, view), status, #name "_from_view: " sentence,          \
                       (const unsigned char *)&x, sizeof x);                                       \
    }

/* By a type and its companion. */
#define REFUSE_BOTH(name, view, status, sentence)                                                  \
    REFUSE(name, view, status, sentence)                                                           \
    REFUSE(name##_const, view, status, sentence)

#define ACCEPT(name, view)                                                                         \
    {                                                                                              \
        name x;                                                                                    \
        if (name##_from_view(&x, view) != STN_OK)                                                  \
            fail_msg("%s", stn_error());                                                           \
    }

static void test_arguments(void **context)
{
    (void)context;
    const stn_view zero = {0}, good = matrix(stn_storage_of(STN_F32));
    stn_view other_size = good, no_data = good;
    other_size.size--;
    no_data.data = NULL;
    REFUSE_BOTH(right, NULL, STN_ERR_ARGUMENT, "view is NULL")
    REFUSE_BOTH(right, &zero, STN_ERR_ARGUMENT, "view is a view of nothing")
    REFUSE_BOTH(right, &other_size, STN_ERR_ARGUMENT,
                "view is not an initialized view: its member size is 255, not 256")
    REFUSE_BOTH(right, &no_data, STN_ERR_ARGUMENT, "view: golf (f32, 5 x 3): data is NULL")
    assert_int_equal(right_from_view(NULL, &good), STN_ERR_ARGUMENT);
    assert_string_equal(stn_error(), "right_from_view: x is NULL");
}

static void test_type_of_other_headers(void **context)
{
    (void)context;
    const stn_view good = matrix(stn_storage_of(STN_F32));
    const stn_accessor_type type = {.size = sizeof type - 8, .call = "x"};
    right x;
    assert_int_equal(stn_accessor_expect(&type, &x, &good), STN_ERR_ARGUMENT);
    assert_non_null(strstr(stn_error(), "stn_accessor_expect: type: the member size is "));
    assert_int_equal(stn_accessor_expect(NULL, &x, &good), STN_ERR_ARGUMENT);
    assert_non_null(strstr(stn_error(), "stn_accessor_expect: type is NULL"));
}

static void test_formats(void **context)
{
    (void)context;
    stn_format opaque;
    assert_int_equal(stn_format_opaque(&opaque, 4, 4), STN_OK);
    const stn_view f16 = matrix(stn_storage_of(STN_F16)), i8 = matrix(stn_storage_of(STN_I8)),
                   c64 = matrix(stn_storage_of(STN_C64)), bytes = matrix(stn_storage_of(opaque));
    stn_view unknown = f16;
    unknown.storage.format = -1;
    unknown.label = NULL;
    REFUSE_BOTH(right, &f16, STN_ERR_FORMAT, "golf (f16, 5 x 3) has format f16, not f32")
    REFUSE_BOTH(affine, &i8, STN_ERR_FORMAT, "golf (i8, 5 x 3) has format i8, not u8")
    REFUSE_BOTH(pairs, &c64, STN_ERR_FORMAT, "golf (c64, 5 x 3) has format c64, not c32")
    REFUSE_BOTH(right, &bytes, STN_ERR_FORMAT,
                "golf (opaque4-4, 5 x 3) has format opaque4-4, not f32")
    REFUSE_BOTH(right, &unknown, STN_ERR_FORMAT,
                "view: unnamed view (no format, 5 x 3): format -1 is unknown")
}

static void test_writing_what_is_read_only(void **context)
{
    (void)context;
    stn_view view;
    assert_int_equal(stn_view_wrap_const(&view, "golf", stn_storage_of(STN_F32), codes, 2, shape),
                     STN_OK);
    REFUSE(right, &view, STN_ERR_ARGUMENT,
           "golf (f32, 5 x 3) is read-only, but the accessor writes")
    ACCEPT(right_const, &view)
}

/* ---- shapes ---- */

static void test_rank(void **context)
{
    (void)context;
    const stn_view scalar = view_of(stn_storage_of(STN_F32), 0, NULL, NULL);
    const stn_view cube = view_of(stn_storage_of(STN_F32), 3, (const int64_t[]){1, 2, 3}, NULL);
    REFUSE_BOTH(right, &scalar, STN_ERR_SHAPE, "golf (f32) has rank 0, not 2")
    REFUSE_BOTH(right, &cube, STN_ERR_SHAPE, "golf (f32, 1 x 2 x 3) has rank 3, not 2")
}

static void test_extents(void **context)
{
    (void)context;
    const int64_t extents[] = {3, 4}, empty[] = {0, 2};
    const stn_view wide = view_of(stn_storage_of(STN_F64), 2, extents, NULL);
    const stn_view none = view_of(stn_storage_of(STN_F64), 2, empty, NULL);
    REFUSE_BOTH(fixed, &wide, STN_ERR_SHAPE, "golf (f64, 3 x 4) has extent 4 in dimension 1, not 3")
    REFUSE_BOTH(fixed, &none, STN_ERR_SHAPE, "golf (f64, 0 x 2) has extent 2 in dimension 1, not 3")
}

static void test_strides(void **context)
{
    (void)context;
    const stn_size extents[] = {3, 4, 2}, strides[] = {10, 2, 1};
    const stn_view f32 = strided_matrix(STN_F32, 1, ROWS), f16 = strided_matrix(STN_F16, 3, 1),
                   pair = view_of(stn_storage_of(STN_F32), 2, (const int64_t[]){1, 2},
                                  (const int64_t[]){4, 4}),
                   f64 = strided_matrix(STN_F64, 3, 1), back = strided_matrix(STN_F64, 4, -1),
                   bf16 = view_of(stn_storage_of(STN_BF16), 3, extents, strides);
    REFUSE_BOTH(right, &f32, STN_ERR_SHAPE, "golf (f32, 5 x 3) has stride 5 in dimension 1, not 1")
    REFUSE_BOTH(right, &pair, STN_ERR_SHAPE, "golf (f32, 1 x 2) has stride 4 in dimension 1, not 1")
    REFUSE_BOTH(left, &f16, STN_ERR_SHAPE, "golf (f16, 5 x 3) has stride 3 in dimension 0, not 1")
    REFUSE_BOTH(fixed, &f64, STN_ERR_SHAPE, "golf (f64, 5 x 3) has stride 3 in dimension 0, not 4")
    REFUSE_BOTH(fixed, &back, STN_ERR_SHAPE,
                "golf (f64, 5 x 3) has stride -1 in dimension 1, not 1")
    REFUSE_BOTH(blocked, &bf16, STN_ERR_SHAPE,
                "golf (bf16, 3 x 4 x 2) has stride 2 in dimension 1, not 1")
}

static stn_view line(int64_t extent, int64_t stride)
{
    const int64_t extents[] = {extent, 1}, strides[] = {stride, INT64_MIN};
    return view_of(stn_storage_of(STN_F32), 2, extents, strides);
}

static stn_view line_at(void *data, int64_t count)
{
    stn_view view;
    assert_int_equal(stn_view_wrap(&view, "golf", stn_storage_of(STN_C128), data, 1, &count),
                     STN_OK);
    return view;
}

static void test_alignment(void **context)
{
    (void)context;
    static _Alignas(32) double parts[9];
    const stn_view halves = line_at(parts + 1, 3), good = line_at(parts + 2, 3),
                   empty = line_at(parts + 1, 0);
    aligned none = {0};
    assert_int_equal(aligned_from_view(&none, &halves), STN_ERR_ARGUMENT);
    assert_non_null(strstr(stn_error(), "aligned_from_view: golf (c128, 3) is at "));
    assert_non_null(strstr(stn_error(), ", which is not a multiple of 16 bytes"));
    assert_null(aligned_data(none));
    ACCEPT(aligned, &good)
    ACCEPT(aligned_const, &good)
    ACCEPT(aligned, &empty)
}

static void test_32_bits(void **context)
{
    (void)context;
    const int64_t beyond = (int64_t)1 << 31;
    const stn_view ahead = line(2, beyond), many = line(beyond + 1, 0), three = line(3, 1 << 30);
    stn_view back = line(2, 1), lost = line(3, 1);
    back.stride[0] = -beyond;
    lost.stride[0] = INT64_MAX;
    REFUSE_BOTH(near, &ahead, STN_ERR_RANGE,
                "golf (f32, 2 x 1) reaches to 2147483648, 32-bit indices to 2147483647")
    REFUSE_BOTH(near, &back, STN_ERR_RANGE,
                "golf (f32, 2 x 1) reaches to 2147483648, 32-bit indices to 2147483647")
    REFUSE_BOTH(near, &three, STN_ERR_RANGE,
                "golf (f32, 3 x 1) reaches to 2147483648, 32-bit indices to 2147483647")
    REFUSE_BOTH(near, &many, STN_ERR_RANGE,
                "golf (f32, 2147483649 x 1) reaches to 2147483648, 32-bit indices to 2147483647")
    REFUSE_BOTH(near, &lost, STN_ERR_RANGE,
                "golf (f32, 3 x 1) reaches to 9223372036854775807, 32-bit indices to 2147483647")
}

/* ---- rules of storing, which the companion does not mind ---- */

static void test_rounding(void **context)
{
    (void)context;
    stn_storage storage = stn_storage_of(STN_F16);
    const stn_view nearest = strided_matrix(STN_F16, COLUMNS, 1);
    stn_view view = strided_matrix(STN_F16, 1, ROWS);
    REFUSE(chance, &nearest, STN_ERR_UNSUPPORTED,
           "golf (f16, 5 x 3) is rounded to nearest, not stochastically")
    REFUSE(cut, &nearest, STN_ERR_UNSUPPORTED,
           "golf (f16, 5 x 3) is rounded to nearest, not toward zero")
    view.storage.rounding = STN_ROUND_STOCHASTIC;
    REFUSE(left, &view, STN_ERR_UNSUPPORTED,
           "golf (f16, 5 x 3) is rounded stochastically, not to nearest")
    view.storage.rounding = (stn_rounding)77;
    REFUSE(left, &view, STN_ERR_UNSUPPORTED,
           "golf (f16, 5 x 3) is rounded by no known rule, not to nearest")
    ACCEPT(left_const, &view)
    storage.rounding = STN_ROUND_TOWARD_ZERO;
    view = matrix(storage);
    REFUSE(cut, &view, STN_ERR_UNSUPPORTED,
           "golf (f16, 5 x 3) overflows to infinity, not to the largest finite value")
    ACCEPT(cut_const, &view)
}

static void test_overflow(void **context)
{
    (void)context;
    stn_view e4m3 = matrix(stn_storage_of(STN_E4M3)), c32 = matrix(stn_storage_of(STN_C32));
    e4m3.storage.overflow = STN_OVERFLOW_INFINITY;
    REFUSE(small, &e4m3, STN_ERR_UNSUPPORTED,
           "golf (e4m3, 5 x 3) overflows to infinity, not to the largest finite value")
    e4m3.storage.overflow = STN_OVERFLOW_NAN;
    REFUSE(saturating, &e4m3, STN_ERR_UNSUPPORTED,
           "golf (e4m3, 5 x 3) overflows to NaN, not to the largest finite value")
    c32.storage.overflow = STN_OVERFLOW_SATURATE;
    REFUSE(pairs, &c32, STN_ERR_UNSUPPORTED,
           "golf (c32, 5 x 3) overflows to the largest finite value, not to infinity")
    c32.storage.overflow = (stn_overflow)9;
    REFUSE(pairs, &c32, STN_ERR_UNSUPPORTED,
           "golf (c32, 5 x 3) overflows to nothing known, not to infinity")
    ACCEPT(pairs_const, &c32)
}

static void test_counters(void **context)
{
    (void)context;
    stn_counters counters = {0};
    stn_storage storage = stn_storage_of(STN_F32);
    storage.counters = &counters;
    const stn_view view = matrix(storage);
    REFUSE(right, &view, STN_ERR_UNSUPPORTED,
           "golf (f32, 5 x 3) has counters, which accessors do not update")
    ACCEPT(right_const, &view)
}

/* ---- scales and zero points ---- */

/* Set after the view is made, which takes only what there can be. */
static stn_view affine_matrix(stn_format format, double scale, double zero)
{
    stn_view view = matrix(stn_storage_of(format));
    view.storage.scale = scale;
    view.storage.zero = zero;
    return view;
}

static void test_without_scales(void **context)
{
    (void)context;
    const stn_view third = affine_matrix(STN_F32, 1 / 3.0, 0.0);
    const stn_view none = affine_matrix(STN_F32, NAN, 0.0);
    const stn_view zero = affine_matrix(STN_F32, 1.0, -0.25);
    const stn_view i8 = affine_matrix(STN_I8, 2.0, 1.0);
    REFUSE_BOTH(right, &third, STN_ERR_UNSUPPORTED,
                "golf (f32, 5 x 3) has scale 0.33333333333333331; it must be 1 for an accessor "
                "without scales")
    REFUSE_BOTH(right, &none, STN_ERR_UNSUPPORTED,
                "golf (f32, 5 x 3) has scale nan; it must be 1 for an accessor without scales")
    REFUSE_BOTH(
        right, &zero, STN_ERR_UNSUPPORTED,
        "golf (f32, 5 x 3) has zero point -0.25; it must be 0 for an accessor without zero points")
    REFUSE_BOTH(
        scaled, &i8, STN_ERR_UNSUPPORTED,
        "golf (i8, 5 x 3) has zero point 1; it must be 0 for an accessor without zero points")
}

static void test_other_scales(void **context)
{
    (void)context;
    const stn_view i8 = affine_matrix(STN_I8, 2.0, 0.0);
    REFUSE_BOTH(by_row, &i8, STN_ERR_UNSUPPORTED,
                "golf (i8, 5 x 3) has one scale, but the accessor selects scales by mask 0x2")
    REFUSE_BOTH(scaled_f32, &i8, STN_ERR_UNSUPPORTED,
                "the scale of golf (i8, 5 x 3) is an f64, but the accessor's is an f32")
    REFUSE_BOTH(wide_affine, &i8, STN_ERR_UNSUPPORTED,
                "the zero point of golf (i8, 5 x 3) is an f64, but the accessor's is an f32")
}

static void test_unusable_scales(void **context)
{
    (void)context;
    const stn_view zero = affine_matrix(STN_I8, 0.0, 0.0), i8 = affine_matrix(STN_I8, 1e39, 0.0),
                   tiny = affine_matrix(STN_I8, 0x1p-200, 0.0),
                   infinite = affine_matrix(STN_U8, INFINITY, 0.0),
                   u8 = affine_matrix(STN_U8, 1.0, INFINITY);
    REFUSE_BOTH(scaled, &zero, STN_ERR_ARGUMENT,
                "golf (i8, 5 x 3) has scale 0, which is zero or infinite in f64 arithmetic")
    REFUSE_BOTH(affine, &infinite, STN_ERR_ARGUMENT,
                "golf (u8, 5 x 3) has scale inf, which is zero or infinite in f64 arithmetic")
    REFUSE_BOTH(wide_scale, &i8, STN_ERR_ARGUMENT,
                "golf (i8, 5 x 3) has scale 9.9999999999999994e+38, which is zero or infinite in "
                "f32 arithmetic")
    REFUSE_BOTH(wide_scale, &tiny, STN_ERR_ARGUMENT,
                "golf (i8, 5 x 3) has scale 6.2230152778611417e-61, which is zero or infinite in "
                "f32 arithmetic")
    ACCEPT(scaled, &tiny)
    REFUSE_BOTH(affine, &u8, STN_ERR_ARGUMENT,
                "golf (u8, 5 x 3) has zero point inf, which is not finite")
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_type_of_other_headers),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_writing_what_is_read_only),
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_extents),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_32_bits),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_without_scales),
        cmocka_unit_test(test_other_scales),
        cmocka_unit_test(test_unusable_scales),
    };
    return cmocka_run_group_tests_name("accessor_view_refuse", tests, NULL, NULL);
}
