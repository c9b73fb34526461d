/* stn_view_convert: formats, scales where they are needed, layouts, and errors. */
#include <math.h>

#include "make_view.h"

enum { ROWS = 5, COLUMNS = 7, COUNT = ROWS * COLUMNS };
static const int64_t extents[] = {ROWS, COLUMNS};
static double values[COUNT];

static int set_values(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT; k++)
        values[k] = (k - 20) * 0.375;
    return 0;
}

static stn_view converted(const stn_view *from, stn_format format)
{
    stn_view view;
    expect_ok(stn_view_convert(NULL, &view, from, stn_storage_of(format)));
    assert_int_equal(view.storage.format, format);
    assert_string_equal(view.label, from->label);
    return view;
}

/* Elements differ by at most half a step; the scale is the expected one. */
static void check(const stn_view *from, stn_format format, double scale, double error)
{
    stn_view view = converted(from, format);
    if (view.storage.scale != scale)
        fail_msg("format %d: scale %a, not %a", (int)format, view.storage.scale, scale);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLUMNS; j++)
            assert_true(fabs(VALUE_AT(&view, i, j) - VALUE_AT(from, i, j)) <= error);
    expect_ok(stn_view_release(&view));
}

/* The largest magnitude is 7.5. */
UNIT_TEST_WITH(fractions_get_a_scale_in_integers_only, set_values, NULL)
{
    const stn_view from = wrap_view("from", stn_storage_of(STN_F64), values, 2, extents);
    check(&from, STN_I8, 0x1p-4, 0x1p-5);
    check(&from, STN_I16, 0x1p-12, 0);
    check(&from, STN_F16, 1.0, 0);
    check(&from, STN_BF16, 1.0, 0);
    check(&from, STN_F64, 1.0, 0);
}

UNIT_TEST_WITH(large_elements_get_a_scale, set_values, NULL)
{
    const stn_view from = wrap_view("from", stn_storage_of(STN_F64), values, 2, extents);
    for (int k = 0; k < COUNT; k++)
        values[k] *= 0x1p20;
    check(&from, STN_F16, 0x1p7, 0);
    check(&from, STN_F32, 1.0, 0);
    values[3] = INFINITY; /* not finite: does not count */
    stn_view view = converted(&from, STN_F16);
    assert_true(view.storage.scale == 0x1p7 && isinf(VALUE_AT(&view, 0, 3)));
    expect_ok(stn_view_release(&view));
}

UNIT_TEST(integers_stay_integers)
{
    static int32_t codes[COUNT];
    for (int k = 0; k < COUNT; k++)
        codes[k] = 3 * k - 50;
    stn_view from = wrap_view("from", stn_storage_of(STN_I32), codes, 2, extents);
    check(&from, STN_I8, 1.0, 0);
    check(&from, STN_I16, 1.0, 0);
    codes[0] = 1000;
    check(&from, STN_I16, 1.0, 0);
    check(&from, STN_I8, 8.0, 4.0);
    from.storage.scale = 0.25; /* now they have fractions */
    codes[0] = 0;
    check(&from, STN_I8, 0x1p-3, 0);
}

UNIT_TEST_WITH(a_given_scale_is_kept, set_values, NULL)
{
    const stn_view from = wrap_view("from", stn_storage_of(STN_F64), values, 2, extents);
    stn_storage storage = stn_storage_of(STN_I8);
    stn_view view;
    storage.scale = 0.5;
    expect_ok(stn_view_convert(NULL, &view, &from, storage));
    assert_true(view.storage.scale == 0.5 && VALUE_AT(&view, 0, 0) == -7.5);
    expect_ok(stn_view_release(&view));
}

UNIT_TEST_WITH(layouts_left_and_right_are_kept, set_values, NULL)
{
    stn_view from = wrap_view("from", stn_storage_of(STN_F64), values, 2, extents), turned;
    expect_ok(stn_view_permute(&turned, &from, 2, (const int[]){1, 0}));
    stn_view view = converted(&turned, STN_F32);
    assert_int_equal(stn_view_layout(&view), STN_LAYOUT_LEFT);
    assert_true(VALUE_AT(&view, 6, 4) == values[4 * COLUMNS + 6]);
    expect_ok(stn_view_release(&view));
    view = converted(&from, STN_BFP16);
    assert_true(fabs(VALUE_AT(&view, 4, 6) - values[COUNT - 1]) < 0x1p-10);
    expect_ok(stn_view_release(&view));
    from.extent[0] = 0;
    view = converted(&from, STN_I8);
    assert_true(stn_view_count(&view) == 0 && view.storage.scale == 1.0);
    expect_ok(stn_view_release(&view));
}

/* In layout left, parts of 1024 elements begin within blocks. The largest element is in the last.
 */
UNIT_TEST(scales_are_those_of_all_elements_of_blocks)
{
    enum { TALL = 48, WIDE = 129 };
    static double many[TALL * WIDE];
    const int64_t shape[] = {WIDE, TALL};
    const stn_view plain = wrap_view("plain", stn_storage_of(STN_F64), many, 2, shape);
    stn_view turned, blocks;
    for (int k = 0; k < TALL * WIDE; k++)
        many[k] = k == TALL * WIDE - 1 ? 1000.0 : 0.5;
    expect_ok(stn_view_permute(&turned, &plain, 2, (const int[]){1, 0}));
    expect_ok(stn_view_convert(NULL, &blocks, &turned, stn_storage_of(STN_BFP16)));
    stn_view view = converted(&blocks, STN_I8);
    assert_true(view.storage.scale == 8.0);
    expect_ok(stn_view_release(&view));
    expect_ok(stn_view_release(&blocks));
}

UNIT_TEST_WITH(errors_leave_the_result_unchanged, set_values, NULL)
{
    const stn_view from = wrap_view("from", stn_storage_of(STN_F64), values, 2, extents);
    const stn_view nothing = {0};
    stn_view view = {0};
    expect_error(stn_view_convert(NULL, NULL, &from, stn_storage_of(STN_I8)), STN_ERR_ARGUMENT,
                 "stn_view_convert: view is NULL");
    expect_error(stn_view_convert(NULL, &view, NULL, stn_storage_of(STN_I8)), STN_ERR_ARGUMENT,
                 "stn_view_convert: ");
    expect_error(stn_view_convert(NULL, &view, &nothing, stn_storage_of(STN_I8)), STN_ERR_ARGUMENT,
                 "from is an empty view");
    expect_error(stn_view_convert(NULL, &view, &from, stn_storage_of(99)), STN_ERR_FORMAT, NULL);
    expect_error(stn_view_convert(NULL, &view, &from, stn_storage_of(STN_U8)), STN_ERR_RANGE,
                 "is negative");
    expect_error(stn_view_convert(NULL, &view, &from, stn_storage_of(STN_C64)), STN_ERR_FORMAT,
                 NULL);
    assert_null(view.data);
}

RUN_UNIT_TESTS(NULL, NULL)
