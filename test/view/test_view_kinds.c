/* Kinds of views: fixed and free extents in every mix, defaults of executors, views of views, and
 * functions chosen by the type of an accessor. */

#include "steno/accessor_view.h"
#include "steno/view.h"
#include "make_view.h"

STN_ACCESSOR(line, 1, double, float)
STN_ACCESSOR(square, 2, double, float)
STN_ACCESSOR_STATIC(tile, 2, double, float, (3, 5), (5, 1))
STN_ACCESSOR_FROM_VIEW(square)
STN_ACCESSOR_FROM_VIEW(tile)

/* ---- fixed and free extents ---- */

static const int64_t seed_extents[] = {1000, 3, 5};

static void check_mix(unsigned fixed, unsigned changed)
{
    int64_t other[3];
    stn_view view = create_view(NULL, "mix", stn_storage_of(STN_I8), NULL, 3, seed_extents, 0);
    expect_ok(stn_view_fix_extents(&view, fixed));
    for (int d = 0; d < 3; d++)
        other[d] = seed_extents[d] + (changed >> d & 1);
    const void *data = view.data;
    const stn_status status = stn_view_resize(NULL, &view, 3, other, 0);
    assert_int_equal(status, fixed & changed ? STN_ERR_SHAPE : STN_OK);
    for (int d = 0; d < 3; d++)
        assert_int_equal(view.extent[d], fixed & changed ? seed_extents[d] : other[d]);
    assert_int_equal(view.fixed, fixed);
    assert_true((view.data == data) == ((fixed & changed) || changed == 0));
    stn_view_release(&view);
}

UNIT_TEST(test_every_mix_of_extents)
{
    for (unsigned fixed = 0; fixed < 8; fixed++)
        for (unsigned changed = 0; changed < 8; changed++)
            check_mix(fixed, changed);
}

/* ---- executors ---- */

UNIT_TEST(test_defaults_of_executors)
{
    static const char *const resources[] = {"reference", "threads:threads=2"};
    const int64_t extents[] = {4, 6};
    for (int k = 0; k < 2; k++) {
        stn_exec *exec;
        expect_ok(stn_exec_create(&exec, resources[k]));
        stn_view view = create_view(exec, "default", f64(), NULL, 2, extents, 0);
        assert_int_equal(stn_view_layout(&view), stn_exec_layout(exec));
        assert_int_equal(view.space, stn_exec_space(exec));
        assert_true(stn_space_accessible(exec, stn_exec_space(exec)));
        assert_false(stn_space_accessible(exec, STN_SPACE_DEVICE));
        stn_view_release(&view);
        stn_exec_release(exec);
    }
    assert_int_equal(stn_exec_layout(NULL), STN_LAYOUT_RIGHT);
    assert_int_equal(stn_exec_space(NULL), STN_SPACE_HOST);
}

/* ---- views of views ---- */

UNIT_TEST(test_views_of_views)
{
    const int64_t rows = 3;
    stn_format handle;
    expect_ok(stn_format_opaque(&handle, sizeof(stn_view), _Alignof(stn_view)));
    stn_view outer = create_view(NULL, "rows", stn_storage_of(handle), NULL, 1, &rows, 0);
    stn_view *inner = outer.data;
    for (int64_t k = 0; k < rows; k++) {
        assert_int_equal(stn_view_use_count(&inner[k]), 0); /* zeros are empty views */
        const int64_t length = k + 1;
        inner[k] = create_view(NULL, "row", stn_storage_of(STN_F16), NULL, 1, &length, 0);
        expect_ok(stn_view_set(&inner[k], 1, &k, (double)k));
    }
    for (int64_t k = 0; k < rows; k++) {
        double value;
        expect_ok(stn_view_get(&inner[k], 1, &k, &value));
        assert_true(value == (double)k);
        assert_int_equal(stn_view_use_count(&inner[k]), 1);
        stn_view_release(&inner[k]);
    }
    stn_view_release(&outer);
}

/* ---- functions by type ---- */

static int of_square(square x)
{
    return 2 + (int)square_length(x, 0);
}
static int of_const(square_const x)
{
    return 100 + (int)square_const_length(x, 0);
}
static int of_tile(tile x)
{
    return 1000 + (int)tile_length(x, 1);
}
static int of_line(line x)
{
    return 10000 + (int)line_length(x, 0);
}
#define SHAPE_OF(x)                                                                                \
    _Generic((x), square : of_square, square_const : of_const, tile : of_tile, line : of_line)(x)

UNIT_TEST(test_functions_by_type)
{
    float memory[15] = {0};
    const int64_t extents[] = {3, 5}, larger[] = {4, 5};
    square x;
    tile y;
    stn_view view = wrap_view("x", stn_storage_of(STN_F32), memory, 2, extents);
    expect_ok(square_from_view(&x, &view));
    expect_ok(tile_from_view(&y, &view));
    assert_int_equal(SHAPE_OF(x), 5);
    assert_int_equal(SHAPE_OF(square_to_const(x)), 103);
    assert_int_equal(SHAPE_OF(y), 1005);
    assert_int_equal(SHAPE_OF(line_dense(memory, 15)), 10015);
    view = wrap_view("x", stn_storage_of(STN_F32), memory, 2, larger);
    assert_int_equal(tile_from_view(&y, &view), STN_ERR_SHAPE);
}

RUN_UNIT_TESTS(NULL, NULL)
