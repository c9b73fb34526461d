/* Accessors from views: the views that do not match an accessor type, with status and message; the
 * accessor is unchanged. */
#include <math.h>
#include <string.h>

#include "accessor_view_types.h"

static void expect_refused(stn_status actual, stn_status expected, const char *message,
                           const unsigned char *accessor, size_t size)
{
    if (actual != expected)
        fail_msg("%s, not %s: %s", stn_status_name(actual), stn_status_name(expected),
                 actual == STN_OK ? message : stn_error());
    assert_string_equal(stn_error(), message);
    for (size_t k = 0; k < size; k++)
        assert_int_equal(accessor[k], 0xa5);
}

/* A contiguous matrix of the format, after `change`, does not become an accessor of the type. */
#define REFUSE(name, format, change, status, message)                                              \
    {                                                                                              \
        stn_view view = matrix(stn_storage_of(format));                                            \
        name made;                                                                                 \
        memset(&made, 0xa5, sizeof made);                                                          \
        change;                                                                                    \
        expect_refused(name##_from_view(&made, &view), STN_ERR_##status,                           \
                       #name "_from_view: " message, (const unsigned char *)&made, sizeof made);   \
    }

/* By a type and its const companion. */
#define REFUSE_BOTH(name, format, change, status, message)                                         \
    REFUSE(name, format, change, status, message)                                                  \
    REFUSE(name##_const, format, change, status, message)

#define ACCEPT(name, format, change)                                                               \
    {                                                                                              \
        stn_view view = matrix(stn_storage_of(format));                                            \
        name made;                                                                                 \
        change;                                                                                    \
        expect_ok(name##_from_view(&made, &view));                                                 \
    }

#define SIZES(...) ((const int64_t[]){__VA_ARGS__})

static void test_arguments(void **context)
{
    (void)context;
    const stn_view good = matrix(stn_storage_of(STN_F32));
    const stn_accessor_type type = {.size = sizeof type - 8, .call = "x"};
    right x;
    REFUSE_BOTH(right, STN_F32, memset(&view, 0, sizeof view), ARGUMENT,
                "view is an empty view (not created, or released)")
    REFUSE_BOTH(right, STN_F32, view.size--, ARGUMENT,
                "view is not an initialized view: its member size is 255, not 256")
    REFUSE_BOTH(right, STN_F32, view.data = NULL, ARGUMENT, "view: golf (f32, 5 x 3): data is NULL")
    REFUSE(right, STN_F32,
           expect_ok(stn_view_wrap_const(&view, "golf", stn_storage_of(STN_F32), codes, 2, shape)),
           ARGUMENT, "golf (f32, 5 x 3) is read-only, but the accessor writes")
    ACCEPT(right_const, STN_F32,
           expect_ok(stn_view_wrap_const(&view, "golf", stn_storage_of(STN_F32), codes, 2, shape)))
    expect_error(right_from_view(&x, NULL), STN_ERR_ARGUMENT, "right_from_view: view is NULL");
    expect_error(right_const_from_view(&(right_const){0}, NULL), STN_ERR_ARGUMENT,
                 "right_const_from_view: view is NULL");
    expect_error(right_from_view(NULL, &good), STN_ERR_ARGUMENT, "right_from_view: x is NULL");
    expect_error(stn_accessor_expect(&type, &x, &good), STN_ERR_ARGUMENT,
                 "stn_accessor_expect: type: the member size is ");
    expect_error(stn_accessor_expect(NULL, &x, &good), STN_ERR_ARGUMENT,
                 "stn_accessor_expect: type is NULL");
}

static void test_formats(void **context)
{
    (void)context;
    stn_format opaque;
    expect_ok(stn_format_opaque(&opaque, 4, 4));
    REFUSE_BOTH(right, STN_F16, , FORMAT, "golf (f16, 5 x 3) has format f16, not f32")
    REFUSE_BOTH(affine, STN_I8, , FORMAT, "golf (i8, 5 x 3) has format i8, not u8")
    REFUSE_BOTH(pairs, STN_C64, , FORMAT, "golf (c64, 5 x 3) has format c64, not c32")
    REFUSE_BOTH(right, opaque, , FORMAT, "golf (opaque4-4, 5 x 3) has format opaque4-4, not f32")
    REFUSE_BOTH(right, STN_F16, (view.storage.format = -1, view.label = NULL), FORMAT,
                "view: unnamed view (no format, 5 x 3): format -1 is unknown")
}

/* ---- shapes ---- */

static stn_view array(stn_format format, int rank, const int64_t *extents, const int64_t *strides)
{
    return view_of(stn_storage_of(format), rank, extents, strides);
}

static void test_shapes(void **context)
{
    (void)context;
    REFUSE_BOTH(right, STN_F32, view = array(STN_F32, 0, NULL, NULL), SHAPE,
                "golf (f32) has rank 0, not 2")
    REFUSE_BOTH(right, STN_F32, view = array(STN_F32, 3, SIZES(1, 2, 3), NULL), SHAPE,
                "golf (f32, 1 x 2 x 3) has rank 3, not 2")
    REFUSE_BOTH(fixed, STN_F64, view = array(STN_F64, 2, SIZES(3, 4), NULL), SHAPE,
                "golf (f64, 3 x 4) has extent 4 in dimension 1, not 3")
    REFUSE_BOTH(fixed, STN_F64, view = array(STN_F64, 2, SIZES(0, 2), NULL), SHAPE,
                "golf (f64, 0 x 2) has extent 2 in dimension 1, not 3")
    REFUSE_BOTH(right, STN_F32, view = strided_matrix(STN_F32, 1, ROWS), SHAPE,
                "golf (f32, 5 x 3) has stride 5 in dimension 1, not 1")
    REFUSE_BOTH(right, STN_F32, view = array(STN_F32, 2, SIZES(1, 2), SIZES(4, 4)), SHAPE,
                "golf (f32, 1 x 2) has stride 4 in dimension 1, not 1")
    REFUSE_BOTH(left, STN_F16, view = strided_matrix(STN_F16, 3, 1), SHAPE,
                "golf (f16, 5 x 3) has stride 3 in dimension 0, not 1")
    REFUSE_BOTH(fixed, STN_F64, view = strided_matrix(STN_F64, 3, 1), SHAPE,
                "golf (f64, 5 x 3) has stride 3 in dimension 0, not 4")
    REFUSE_BOTH(fixed, STN_F64, view = strided_matrix(STN_F64, 4, -1), SHAPE,
                "golf (f64, 5 x 3) has stride -1 in dimension 1, not 1")
    REFUSE_BOTH(blocked, STN_BF16, view = array(STN_BF16, 3, SIZES(3, 4, 2), SIZES(10, 2, 1)),
                SHAPE, "golf (bf16, 3 x 4 x 2) has stride 2 in dimension 1, not 1")
}

static stn_view complex_vector(void *data, int64_t count)
{
    stn_view view;
    expect_ok(stn_view_wrap(&view, "golf", stn_storage_of(STN_C128), data, 1, &count));
    return view;
}

static void test_alignment(void **context)
{
    (void)context;
    static _Alignas(32) double parts[9];
    const stn_view odd = complex_vector(parts + 1, 3);
    aligned none = {0};
    expect_error(aligned_from_view(&none, &odd), STN_ERR_ARGUMENT,
                 "aligned_from_view: golf (c128, 3) is at ");
    assert_non_null(strstr(stn_error(), ", which is not a multiple of 16 bytes"));
    assert_null(aligned_data(none));
    ACCEPT(aligned, STN_F32, view = complex_vector(parts + 2, 3))
    ACCEPT(aligned_const, STN_F32, view = complex_vector(parts + 2, 3))
    ACCEPT(aligned, STN_F32, view = complex_vector(parts + 1, 0))
}

static stn_view column(int64_t extent, int64_t stride)
{
    return array(STN_F32, 2, SIZES(extent, 1), SIZES(stride, INT64_MIN));
}

static void test_32_bits(void **context)
{
    (void)context;
    const int64_t beyond = (int64_t)1 << 31;
    REFUSE_BOTH(near, STN_F32, view = column(2, beyond), RANGE,
                "golf (f32, 2 x 1) reaches to 2147483648, 32-bit indices to 2147483647")
    REFUSE_BOTH(near, STN_F32, (view = column(2, 1), view.stride[0] = -beyond), RANGE,
                "golf (f32, 2 x 1) reaches to 2147483648, 32-bit indices to 2147483647")
    REFUSE_BOTH(near, STN_F32, view = column(3, 1 << 30), RANGE,
                "golf (f32, 3 x 1) reaches to 2147483648, 32-bit indices to 2147483647")
    REFUSE_BOTH(near, STN_F32, view = column(beyond + 1, 0), RANGE,
                "golf (f32, 2147483649 x 1) reaches to 2147483648, 32-bit indices to 2147483647")
    REFUSE_BOTH(near, STN_F32, (view = column(3, 1), view.stride[0] = INT64_MAX), RANGE,
                "golf (f32, 3 x 1) reaches to 9223372036854775807, 32-bit indices to 2147483647")
}

/* ---- rules of storing, which do not matter to the const companion ---- */

static void test_rules(void **context)
{
    (void)context;
    stn_counters counters = {0};
    const stn_view turned = strided_matrix(STN_F16, 1, ROWS);
    REFUSE(chance, STN_F16, , UNSUPPORTED,
           "golf (f16, 5 x 3) is rounded to nearest, not stochastically")
    REFUSE(cut, STN_F16, , UNSUPPORTED, "golf (f16, 5 x 3) is rounded to nearest, not toward zero")
    REFUSE(left, STN_F16, (view = turned, view.storage.rounding = STN_ROUND_STOCHASTIC),
           UNSUPPORTED, "golf (f16, 5 x 3) is rounded stochastically, not to nearest")
    REFUSE(left, STN_F16, (view = turned, view.storage.rounding = (stn_rounding)77), UNSUPPORTED,
           "golf (f16, 5 x 3) is rounded by no known rule, not to nearest")
    ACCEPT(left_const, STN_F16, (view = turned, view.storage.rounding = (stn_rounding)77))
    REFUSE(cut, STN_F16, view.storage.rounding = STN_ROUND_TOWARD_ZERO, UNSUPPORTED,
           "golf (f16, 5 x 3) overflows to infinity, not to the largest finite value")
    ACCEPT(cut_const, STN_F16, view.storage.rounding = STN_ROUND_TOWARD_ZERO)
    REFUSE(small, STN_E4M3, view.storage.overflow = STN_OVERFLOW_INFINITY, UNSUPPORTED,
           "golf (e4m3, 5 x 3) overflows to infinity, not to the largest finite value")
    REFUSE(saturating, STN_E4M3, view.storage.overflow = STN_OVERFLOW_NAN, UNSUPPORTED,
           "golf (e4m3, 5 x 3) overflows to NaN, not to the largest finite value")
    REFUSE(pairs, STN_C32, view.storage.overflow = STN_OVERFLOW_SATURATE, UNSUPPORTED,
           "golf (c32, 5 x 3) overflows to the largest finite value, not to infinity")
    REFUSE(pairs, STN_C32, view.storage.overflow = (stn_overflow)9, UNSUPPORTED,
           "golf (c32, 5 x 3) overflows to nothing known, not to infinity")
    ACCEPT(pairs_const, STN_C32, view.storage.overflow = (stn_overflow)9)
    REFUSE(right, STN_F32, view.storage.counters = &counters, UNSUPPORTED,
           "golf (f32, 5 x 3) has counters, which accessors do not update")
    ACCEPT(right_const, STN_F32, view.storage.counters = &counters)
}

/* ---- scales and zero points; they are set in the view, since views refuse invalid ones ---- */

static void test_scales(void **context)
{
    (void)context;
    REFUSE_BOTH(right, STN_F32, view.storage.scale = 1 / 3.0, UNSUPPORTED,
                "golf (f32, 5 x 3) has scale 0.33333333333333331; it must be 1 for an accessor "
                "without scales")
    REFUSE_BOTH(right, STN_F32, view.storage.scale = (double)NAN, UNSUPPORTED,
                "golf (f32, 5 x 3) has scale nan; it must be 1 for an accessor without scales")
    REFUSE_BOTH(right, STN_F32, view.storage.zero = -0.25, UNSUPPORTED,
                "golf (f32, 5 x 3) has zero point -0.25; it must be 0 for an accessor without zero "
                "points")
    REFUSE_BOTH(
        scaled, STN_I8, view.storage.zero = 1.0, UNSUPPORTED,
        "golf (i8, 5 x 3) has zero point 1; it must be 0 for an accessor without zero points")
    REFUSE_BOTH(by_row, STN_I8, view.storage.scale = 2.0, UNSUPPORTED,
                "golf (i8, 5 x 3) has one scale, but the accessor selects scales by mask 0x2")
    REFUSE_BOTH(scaled_f32, STN_I8, view.storage.scale = 2.0, UNSUPPORTED,
                "the scale of golf (i8, 5 x 3) is an f64, but the accessor's is an f32")
    REFUSE_BOTH(wide_affine, STN_I8, view.storage.scale = 2.0, UNSUPPORTED,
                "the zero point of golf (i8, 5 x 3) is an f64, but the accessor's is an f32")
    REFUSE_BOTH(scaled, STN_I8, view.storage.scale = 0.0, ARGUMENT,
                "golf (i8, 5 x 3) has scale 0, which is zero or infinite in f64 arithmetic")
    REFUSE_BOTH(affine, STN_U8, view.storage.scale = (double)INFINITY, ARGUMENT,
                "golf (u8, 5 x 3) has scale inf, which is zero or infinite in f64 arithmetic")
    REFUSE_BOTH(wide_scale, STN_I8, view.storage.scale = 1e39, ARGUMENT,
                "golf (i8, 5 x 3) has scale 9.9999999999999994e+38, which is zero or infinite in "
                "f32 arithmetic")
    REFUSE_BOTH(wide_scale, STN_I8, view.storage.scale = 0x1p-200, ARGUMENT,
                "golf (i8, 5 x 3) has scale 6.2230152778611417e-61, which is zero or infinite in "
                "f32 arithmetic")
    ACCEPT(scaled, STN_I8, view.storage.scale = 0x1p-200)
    REFUSE_BOTH(affine, STN_U8, view.storage.zero = (double)INFINITY, ARGUMENT,
                "golf (u8, 5 x 3) has zero point inf, which is not finite")
}

static double scales[64];

/* A matrix with scales that indices select. */
static stn_view scaled_matrix(int32_t dimension, int64_t block, int64_t row, int64_t col,
                              int32_t format)
{
    stn_view view = matrix(stn_storage_of(STN_I8));
    const stn_scales given = {.data = scales,
                              .format = format,
                              .dimension = dimension,
                              .block = block,
                              .stride = {row, col}};
    for (int k = 0; k < 64; k++)
        scales[k] = k + 1;
    expect_ok(stn_view_set_scales(&view, &given));
    return view;
}

static void test_selected_scales(void **context)
{
    (void)context;
    REFUSE_BOTH(by_column, STN_I8, view = scaled_matrix(-1, 1, COLUMNS, 1, STN_F64), UNSUPPORTED,
                "the scales of golf (i8, 5 x 3) are selected by dimension 0, unlike the accessor's")
    REFUSE_BOTH(by_block, STN_I8, view = scaled_matrix(1, 3, 4, 1, STN_F64), UNSUPPORTED,
                "the scales of golf (i8, 5 x 3) are in blocks along dimension 1, unlike the "
                "accessor's")
    REFUSE_BOTH(by_row, STN_I8, view = scaled_matrix(0, 2, 1, 0, STN_F64), UNSUPPORTED,
                "the scales of golf (i8, 5 x 3) are in blocks along dimension 0, unlike the "
                "accessor's")
    REFUSE_BOTH(by_row, STN_I8, view = scaled_matrix(-1, 1, 2, 0, STN_F64), UNSUPPORTED,
                "the scales of golf (i8, 5 x 3) are no neighbours along dimension 0, unlike the "
                "accessor's")
    REFUSE_BOTH(by_row, STN_I8, view = scaled_matrix(-1, 1, 1, 0, STN_F32), UNSUPPORTED,
                "the scales of golf (i8, 5 x 3) are f32, but the accessor's are f64")
    REFUSE_BOTH(affine_by_row, STN_I8, view = scaled_matrix(-1, 1, 1, 0, STN_F64), UNSUPPORTED,
                "golf (i8, 5 x 3) has one zero point, but the accessor has one for each scale")
    REFUSE_BOTH(integers, STN_I8, view = scaled_matrix(-1, 1, 1, 0, STN_F64), UNSUPPORTED,
                "golf (i8, 5 x 3) has scales that differ between elements; this operation requires "
                "one scale")
    ACCEPT(by_row, STN_I8, view = scaled_matrix(-1, 1, 1, 0, STN_F64))
    const stn_view view = scaled_matrix(-1, 1, 1, 0, STN_F64);
    scales[3] = 0.0;
    expect_error(by_row_from_view(&(by_row){0}, &view), STN_ERR_ARGUMENT, "scale 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments), cmocka_unit_test(test_formats),
        cmocka_unit_test(test_shapes),    cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_32_bits),   cmocka_unit_test(test_rules),
        cmocka_unit_test(test_scales),    cmocka_unit_test(test_selected_scales),
    };
    return cmocka_run_group_tests_name("accessor_view_refuse", tests, NULL, NULL);
}
