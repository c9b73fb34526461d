/* Accessors whose scales are selected by indices, from views that have such scales: they read and
 * write what the library does, and refuse what is selected otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "steno/accessor_view.h"
#include "check.h"

STN_ACCESSOR_SCALED(by_row, 2, double, int8_t, 0x2)
STN_ACCESSOR_SCALED(by_column, 2, double, int8_t, 0x1)
STN_ACCESSOR_SCALED(by_element, 2, double, int8_t, 0x3)
STN_ACCESSOR_BLOCK_SCALED(by_block, 2, double, int8_t, 0x3, 4)
STN_ACCESSOR_FROM_VIEW(by_row)
STN_ACCESSOR_FROM_VIEW(by_column)
STN_ACCESSOR_FROM_VIEW(by_element)
STN_ACCESSOR_FROM_VIEW(by_block)
STN_ACCESSOR_FROM_VIEW(by_block_const)

enum { ROWS = 5, COLUMNS = 12 };
static int8_t codes[ROWS * COLUMNS];
static double scales[2 * ROWS * COLUMNS];

static stn_view matrix(int32_t dimension, int64_t block, int64_t row, int64_t column)
{
    const int64_t extents[] = {ROWS, COLUMNS};
    stn_scales given = {.data = scales,
                        .format = STN_F64,
                        .dimension = dimension,
                        .block = block,
                        .stride = {row, column}};
    stn_view view;
    expect_ok(stn_view_wrap(&view, "m", stn_storage_of(STN_I8), codes, 2, extents));
    expect_ok(stn_view_set_scales(&view, &given));
    return view;
}

static int fill(void **context)
{
    (void)context;
    for (int k = 0; k < ROWS * COLUMNS; k++)
        codes[k] = (int8_t)(k % 37 - 18);
    for (int k = 0; k < 2 * ROWS * COLUMNS; k++)
        scales[k] = 0.1 + 0.3 * k;
    return 0;
}

/* Every element is what the library reads, and a value is stored as the library stores it. */
#define CHECK_TYPE(name, view)                                                                     \
    {                                                                                              \
        const stn_view checked = view;                                                             \
        name x;                                                                                    \
        expect_ok(name##_from_view(&x, &checked));                                                 \
        for (int64_t i = 0; i < checked.extent[0]; i++)                                            \
            for (int64_t j = 0; j < checked.extent[1]; j++) {                                      \
                double value, stored;                                                              \
                expect_ok(STN_VIEW_GET(&checked, &value, i, j));                                   \
                assert_true(name##_get(x, i, j) == value);                                         \
                expect_ok(STN_VIEW_SET(&checked, 3.7, i, j));                                      \
                expect_ok(STN_VIEW_GET(&checked, &stored, i, j));                                  \
                name##_set(x, i, j, -3.7);                                                         \
                assert_true(name##_get(x, i, j) == -stored);                                       \
                expect_ok(STN_VIEW_SET(&checked, value, i, j));                                    \
            }                                                                                      \
    }

static void test_selected(void **context)
{
    (void)context;
    const stn_slice odd[] = {stn_slice_strided(1, 2, 2), stn_slice_range(3, 10)};
    stn_view part, whole = matrix(1, 4, 3, 1);
    stn_scales found;
    CHECK_TYPE(by_row, matrix(-1, 1, 1, 0))
    CHECK_TYPE(by_column, matrix(-1, 1, 0, 1))
    CHECK_TYPE(by_element, matrix(-1, 1, COLUMNS, 1))
    CHECK_TYPE(by_element, matrix(-1, 1, COLUMNS + 3, 1))
    CHECK_TYPE(by_block, matrix(1, 4, 3, 1))
    expect_ok(stn_view_slice(&part, &whole, 2, odd)); /* begins within a block */
    expect_ok(stn_view_scales(&part, &found));
    assert_int_equal(found.phase, 3);
    CHECK_TYPE(by_block, part)
}

static void test_selected_otherwise(void **context)
{
    (void)context;
    by_row rows;
    by_block blocks;
    by_block_const read;
    by_column columns;
    stn_view view = matrix(-1, 1, COLUMNS, 1);
    stn_scales given;
    expect_error(by_column_from_view(&columns, &view), STN_ERR_UNSUPPORTED,
                 "the scales of m (i8, 5 x 12) are selected by dimension 0, unlike the accessor's");
    view = matrix(1, 3, 4, 1);
    expect_error(by_block_from_view(&blocks, &view), STN_ERR_UNSUPPORTED,
                 "are in blocks along dimension 1, unlike the accessor's");
    expect_error(by_block_const_from_view(&read, &view), STN_ERR_UNSUPPORTED, "are in blocks");
    view = matrix(0, 2, 1, 0);
    expect_error(by_row_from_view(&rows, &view), STN_ERR_UNSUPPORTED,
                 "in blocks along dimension 0");
    view = matrix(-1, 1, 2, 0);
    expect_error(by_row_from_view(&rows, &view), STN_ERR_UNSUPPORTED,
                 "no neighbours along dimension 0");
    view = matrix(-1, 1, 1, 0);
    expect_ok(stn_view_scales(&view, &given));
    given.format = STN_F32;
    expect_ok(stn_view_set_scales(&view, &given));
    expect_error(by_row_from_view(&rows, &view), STN_ERR_UNSUPPORTED,
                 "are f32, but the accessor's are f64");
    view = matrix(-1, 1, 1, 0);
    scales[3] = 0.0;
    expect_error(by_row_from_view(&rows, &view), STN_ERR_ARGUMENT, "scale 0");
    scales[3] = 1.0;
    expect_ok(by_row_from_view(&rows, &view));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_selected, fill),
                                       cmocka_unit_test_setup(test_selected_otherwise, fill)};
    return cmocka_run_group_tests_name("accessors from views with scales", tests, NULL, NULL);
}
