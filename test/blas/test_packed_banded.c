/* Views of packed and banded matrices: which are refused, copies of whole ones, elements outside of
 * a band, and memory. Functions of BLAS with them are in test_levels_layouts. */
#include "check.h"
#include "make_view.h"
#include "order_oracle.h"
#include "steno/atomic.h"
#include "steno/blas.h"

static const int64_t square[] = {4, 4}, five[] = {5, 5};

UNIT_TEST(test_refused_layouts)
{
    static const int64_t oblong[] = {4, 5};
    const stn_layout left = stn_layout_packed(STN_LOWER, STN_LAYOUT_LEFT);
    const struct {
        stn_layout layout;
        int rank;
        const int64_t *extents;
        stn_status status;
    } cases[] = {
        {left, 2, oblong, STN_ERR_SHAPE},
        {left, 1, square, STN_ERR_ARGUMENT},
        {stn_layout_packed((stn_triangle)2, STN_LAYOUT_LEFT), 2, square, STN_ERR_ARGUMENT},
        {stn_layout_packed(STN_LOWER, STN_LAYOUT_MORTON), 2, square, STN_ERR_ARGUMENT},
        {stn_layout_banded(-1, 1, 4, STN_LAYOUT_LEFT), 2, square, STN_ERR_ARGUMENT},
        {stn_layout_banded(1, -1, 4, STN_LAYOUT_LEFT), 2, square, STN_ERR_ARGUMENT},
        {stn_layout_banded(1, 2, 3, STN_LAYOUT_LEFT), 2, square, STN_ERR_ARGUMENT},
        {stn_layout_banded(INT64_MAX, 1, 9, STN_LAYOUT_LEFT), 2, square, STN_ERR_ARGUMENT},
        {stn_layout_banded(1, 1, INT64_MAX / 2, STN_LAYOUT_RIGHT), 2, square, STN_ERR_RANGE},
    };
    double memory[64] = {0};
    stn_view a;
    for (int k = 0; k < COUNT_OF(cases); k++)
        expect_error(
            stn_view_wrap_spec(&a, &STN_VIEW_SPEC(.label = "a", .storage = f64(), .data = memory,
                                                  .layout = &cases[k].layout, .rank = cases[k].rank,
                                                  .extents = cases[k].extents)),
            cases[k].status, NULL);
}

/* Such a view repeats elements: only functions of BLAS write it, but parts without a repeated
 * element are ordinary views. */
UNIT_TEST(test_packed)
{
    double memory[10] = {0}, values[4] = {0};
    const int64_t four = 4, three = 3;
    const stn_exec *const exec = order_use(0);
    const stn_layout layout = stn_layout_packed(STN_LOWER, STN_LAYOUT_RIGHT);
    const stn_slice low[] = {stn_slice_range(2, 4), stn_slice_range(0, 2)},
                    skew[] = {stn_slice_range(0, 3), stn_slice_range(1, 4)};
    stn_view a = wrap_layout("a", f64(), memory, &layout, 2, square);
    const stn_view x = wrap_view("x", f64(), values, 1, &four),
                   y = wrap_view("y", f64(), values, 1, &three), part = slice_view(&a, 2, low),
                   skewed = slice_view(&a, 2, skew);
    expect_error(stn_view_fill(exec, &a, 1), STN_ERR_ALIAS, NULL);
    expect_error(stn_ger(exec, STN_F64, 1, &x, &x, &a), STN_ERR_UNSUPPORTED, "is packed");
    expect_error(stn_syr(exec, STN_F64, STN_LOWER, 1, &y, &skewed), STN_ERR_ALIAS, NULL);
    expect_ok(stn_syr(exec, STN_F64, STN_LOWER, 1, &x, &a));
    expect_ok(stn_view_fill(exec, &part, 3));
    for (int k = 0; k < 10; k++)
        assert_true(memory[k] == (k == 3 || k == 4 || k == 6 || k == 7 ? 3 : 0));
    expect_ok(stn_view_release(&a));
}

UNIT_TEST(test_banded)
{
    double memory[12] = {0}, values[4] = {0};
    const int64_t four = 4, two = 2;
    const stn_exec *const exec = order_use(0);
    const stn_layout layout = stn_layout_banded(1, 1, 3, STN_LAYOUT_LEFT);
    const stn_slice steps[] = {stn_slice_strided(0, 2, 2), stn_slice_strided(0, 2, 2)};
    stn_view a = wrap_layout("a", f64(), memory, &layout, 2, square);
    const stn_view x = wrap_view("x", f64(), values, 1, &four),
                   y = wrap_view("y", f64(), values, 1, &two), part = slice_view(&a, 2, steps);
    expect_error(stn_view_fill(exec, &a, 1), STN_ERR_ALIAS, NULL);
    expect_error(stn_ger(exec, STN_F64, 1, &x, &x, &a), STN_ERR_UNSUPPORTED, "is banded");
    expect_error(stn_syr(exec, STN_F64, STN_LOWER, 1, &x, &a), STN_ERR_UNSUPPORTED, NULL);
    expect_error(stn_trmv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_UNIT, STN_NO_CONJUGATE, &part, &y),
                 STN_ERR_UNSUPPORTED, NULL);
    expect_error(stn_trsv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_UNIT, STN_NO_CONJUGATE, &part, &y),
                 STN_ERR_UNSUPPORTED, NULL);
    expect_ok(stn_view_release(&a));
}

/* Whole matrices are copied into others of their shape and layout, and into nothing else. */
UNIT_TEST(test_copied)
{
    const stn_layout layouts[] = {stn_layout_packed(STN_UPPER, STN_LAYOUT_LEFT),
                                  stn_layout_banded(1, 2, 4, STN_LAYOUT_LEFT)},
                     other = stn_layout_packed(STN_UPPER, STN_LAYOUT_RIGHT);
    const stn_exec *const exec = order_use(0);
    for (int k = 0; k < 2; k++) {
        double memory[20];
        for (int e = 0; e < 20; e++)
            memory[e] = 100.5 + e;
        stn_view from = wrap_layout("from", f64(), memory, &layouts[k], 2, five);
        stn_view to = create_view(NULL, "to", stn_storage_of(STN_F32), &layouts[k], 2, five, 0);
        expect_ok(stn_view_copy(exec, &to, &from));
        for (int64_t i = 0; i < 5; i++)
            for (int64_t j = i; j < 5 && j < i + 3; j++)
                assert_true(VALUE_AT(&to, i, j) ==
                            memory[k ? 2 + i - j + 4 * j : j * (j + 1) / 2 + i]);
        expect_ok(stn_view_release(&to));
        to = create_view(NULL, "to", f64(), &other, 2, five, 0);
        expect_error(stn_view_copy(exec, &to, &from), STN_ERR_ALIAS, NULL);
        expect_ok(stn_view_release(&to));
        expect_ok(stn_view_release(&from));
    }
}

/* Elements outside of a band are not in memory. */
UNIT_TEST(test_outside)
{
    const int64_t outside[][2] = {{0, 3}, {3, 0}, {0, 4}, {4, 1}};
    const stn_layout layout = stn_layout_banded(1, 2, 4, STN_LAYOUT_LEFT);
    const stn_slice first[] = {stn_slice_all(), stn_slice_index(0)};
    const double value = 9, zeros[20] = {0};
    double memory[20] = {0}, old;
    stn_view a = wrap_layout("a", f64(), memory, &layout, 2, five),
             column = slice_view(&a, 2, first);
    for (int k = 0; k < 4; k++) {
        expect_error(stn_view_set(&a, 2, outside[k], value), STN_ERR_RANGE, NULL);
        expect_error(stn_view_atomic_exchange(&a, 2, outside[k], STN_F64, &value, &old),
                     STN_ERR_RANGE, NULL);
    }
    expect_error(STN_VIEW_SET(&column, 9, 2), STN_ERR_RANGE, NULL);
    assert_memory_equal(memory, zeros, sizeof memory);
    expect_ok(STN_VIEW_SET(&column, 9, 1));
    assert_true(memory[3] == 9);
    expect_ok(stn_view_release(&column));
    expect_ok(stn_view_release(&a));
}

/* One element of memory for each that is stored. */
UNIT_TEST(test_created)
{
    stn_layout layout = stn_layout_packed(STN_UPPER, STN_LAYOUT_LEFT);
    stn_view a = create_view(NULL, "a", f64(), &layout, 2, five, 0);
    assert_int_equal(stn_view_span(&a), 15);
    assert_int_equal(stn_view_layout(&a), STN_LAYOUT_PACKED);
    assert_false(stn_view_is_unique(&a));
    expect_ok(STN_VIEW_SET(&a, 7, 4, 1));
    assert_true(VALUE_AT(&a, 1, 4) == 7 && ((const double *)a.data)[11] == 7);
    expect_ok(stn_view_release(&a));
    layout = stn_layout_banded(1, 2, 6, STN_LAYOUT_RIGHT);
    a = create_view(NULL, "a", f64(), &layout, 2, five, 0);
    assert_int_equal(stn_view_span(&a), 30);
    assert_int_equal(stn_view_layout(&a), STN_LAYOUT_BANDED);
    assert_string_equal(stn_layout_name(stn_view_layout(&a)), "banded");
    expect_ok(stn_view_release(&a));
}

RUN_UNIT_TESTS(NULL, order_teardown)
