/* The view as a handle: its frozen size, the empty view, and parts, which allocate nothing whatever
 * the layout, the scales and the rounding of the whole view. */

#include "core/memory.h"
#include "view/extra.h"
#include "make_view.h"

enum { ROWS = 12, COLUMNS = 10, PADDING = 3, KINDS = 6 };

static const int64_t shape[] = {ROWS, COLUMNS};
static double row_scales[ROWS];

/* ---- size ---- */

UNIT_TEST(the_size_is_frozen)
{
    assert_int_equal(sizeof(stn_view), 256);
    assert_int_equal(offsetof(stn_view, data), 8);
    assert_int_equal(offsetof(stn_view, storage), 24);
    assert_int_equal(offsetof(stn_view, extent), 72);
    assert_int_equal(offsetof(stn_view, stride), 136);
    assert_int_equal(offsetof(stn_view, owner), 200);
}

UNIT_TEST(zeros_are_an_empty_view)
{
    static const unsigned char zeros[sizeof(stn_view)];
    stn_view empty, other;
    stn_scales scales;
    memset(&empty, 0, sizeof empty);
    assert_int_equal(stn_view_count(&empty), 0);
    assert_int_equal(stn_view_span(&empty), 0);
    assert_int_equal(stn_view_use_count(&empty), 0);
    assert_true(stn_view_is_unique(&empty));
    expect_ok(stn_view_share(&other, &empty));
    assert_true(stn_view_equal(&other, &empty));
    expect_ok(stn_view_scales(&empty, &scales));
    assert_null(scales.data);
    expect_ok(stn_view_copy(NULL, &other, &empty));
    expect_ok(stn_view_release(&other));
    expect_ok(stn_view_release(&empty));
    assert_memory_equal(&empty, zeros, sizeof empty);
}

/* ---- parts ---- */

/* Views of each kind of state: none, a mapping, scales of rows, scales of blocks, and stochastic
 * rounding of columns that are contiguous or padded. */
static stn_view view_of_kind(int kind)
{
    static double memory[ROWS * (COLUMNS + PADDING)];
    const int64_t tile[] = {4, 3}, columns[] = {1, ROWS + PADDING};
    stn_layout layout = stn_layout_tiled(2, tile, STN_LAYOUT_RIGHT);
    stn_storage storage = stn_storage_of(STN_I16);
    const int is_stochastic = kind >= 4;
    stn_view view;
    for (int i = 0; i < ROWS; i++)
        row_scales[i] = 1 << i % 4;
    if (is_stochastic) {
        storage.rounding = STN_ROUND_STOCHASTIC;
        storage.seed = 7;
        layout = kind == 4 ? stn_layout_of(STN_LAYOUT_LEFT) : stn_layout_strided(2, columns);
    }
    if (kind == 1 || is_stochastic)
        view = wrap_layout("view", storage, memory, &layout, 2, shape);
    else
        expect_ok(stn_view_create(NULL, &view, "view", storage, 2, shape));
    const stn_scales by_row = {.data = row_scales,
                               .format = STN_F64,
                               .dimension = STN_NO_DIMENSION,
                               .block = 1,
                               .stride = {1, 0}};
    const stn_scales by_block = {
        .data = row_scales, .format = STN_F64, .dimension = 0, .block = 4, .stride = {1, 0}};
    if (kind == 2 || kind == 3)
        expect_ok(stn_view_set_scales(&view, kind == 2 ? &by_row : &by_block));
    return view;
}

/* The next allocation fails; it did not happen. */
static void expect_no_allocation(void)
{
    void *memory = NULL;
    expect_error(stn_allocate(&memory, 1, 1, "the first allocation"), STN_ERR_MEMORY, NULL);
}

UNIT_TEST(parts_allocate_nothing)
{
    const stn_slice slices[] = {stn_slice_strided(10, 5, -2), stn_slice_range(1, 9)};
    const stn_slice inner[] = {stn_slice_range(1, 4), stn_slice_index(3)};
    const int order[] = {1, 0};
    for (int kind = 0; kind < KINDS; kind++) {
        stn_view view = view_of_kind(kind), part, shared, turned, wider, handle, copy = view;
        stn_fail_allocation(1);
        expect_ok(stn_view_slice(&part, &view, 2, slices));
        expect_ok(stn_view_permute(&turned, &part, 2, order));
        expect_ok(stn_view_insert_axis(&wider, &turned, 1));
        expect_ok(stn_view_slice(&part, &part, 2, inner));
        expect_ok(stn_view_share_slice(&shared, &view, 2, slices));
        expect_ok(stn_view_share(&handle, &shared));
        assert_true(stn_view_equal(&handle, &shared));
        assert_true(stn_view_equal(&copy, &view));
        expect_ok(stn_view_release(&handle));
        expect_ok(stn_view_release(&shared));
        expect_no_allocation();
        expect_ok(stn_view_release(&view));
    }
}

/* Rows 10, 8, ... of the whole view and its columns from 1 on. */
static void part_of_part(const stn_view *view, stn_view *part)
{
    const stn_slice slices[] = {stn_slice_strided(10, 5, -2), stn_slice_range(1, 9)};
    const int order[] = {1, 0};
    const stn_slice inner[] = {stn_slice_strided(7, 4, -2), stn_slice_all(), stn_slice_range(1, 4)};
    expect_ok(stn_view_slice(part, view, 2, slices));
    expect_ok(stn_view_permute(part, part, 2, order));
    expect_ok(stn_view_insert_axis(part, part, 1));
    expect_ok(stn_view_slice(part, part, 3, inner));
}

/* Element (i, 0, j) of the part is (8 - 2 j, 8 - 2 i) of the whole view. */
UNIT_TEST(parts_of_parts_store_as_the_whole)
{
    for (int kind = 0; kind < KINDS; kind++) {
        stn_view view = view_of_kind(kind), part;
        part_of_part(&view, &part);
        assert_int_equal(part.rank, 3);
        for (int64_t i = 0; i < 4; i++)
            for (int64_t j = 0; j < 3; j++) {
                double in_whole, in_part;
                expect_ok(STN_VIEW_SET(&view, 100.3, 8 - 2 * j, 8 - 2 * i));
                expect_ok(STN_VIEW_GET(&view, &in_whole, 8 - 2 * j, 8 - 2 * i));
                expect_ok(STN_VIEW_SET(&view, -1.0, 8 - 2 * j, 8 - 2 * i));
                expect_ok(STN_VIEW_SET(&part, 100.3, i, 0, j));
                expect_ok(STN_VIEW_GET(&part, &in_part, i, 0, j));
                assert_true(in_part == in_whole);
                expect_ok(STN_VIEW_GET(&view, &in_part, 8 - 2 * j, 8 - 2 * i));
                assert_true(in_part == in_whole);
            }
        expect_ok(stn_view_release(&view));
    }
}

/* The same for runs of elements, which readers and writers of tiles encode. */
UNIT_TEST(copies_to_parts_round_as_the_whole)
{
    for (int kind = 0; kind < KINDS; kind++) {
        double values[4 * 3];
        const int64_t extents[] = {4, 1, 3};
        stn_view view = view_of_kind(kind), part, from;
        part_of_part(&view, &part);
        for (int k = 0; k < 12; k++)
            values[k] = 5.0 + 0.37 * k;
        expect_ok(stn_view_wrap(&from, "from", stn_storage_of(STN_F64), values, 3, extents));
        expect_ok(stn_view_copy(NULL, &part, &from));
        for (int64_t i = 0; i < 4; i++)
            for (int64_t j = 0; j < 3; j++) {
                double copied, set;
                expect_ok(STN_VIEW_GET(&part, &copied, i, 0, j));
                expect_ok(STN_VIEW_SET(&view, values[3 * i + j], 8 - 2 * j, 8 - 2 * i));
                expect_ok(STN_VIEW_GET(&view, &set, 8 - 2 * j, 8 - 2 * i));
                assert_true(copied == set);
            }
        expect_ok(stn_view_release(&view));
    }
}

/* ---- scales ---- */

UNIT_TEST(scales_need_memory)
{
    static int8_t codes[ROWS * COLUMNS];
    stn_view view, before;
    const stn_scales scales = {.data = row_scales,
                               .format = STN_F64,
                               .dimension = STN_NO_DIMENSION,
                               .block = 1,
                               .stride = {1, 0}};
    expect_ok(stn_view_wrap(&view, "codes", stn_storage_of(STN_I8), codes, 2, shape));
    before = view;
    for (int nth = 1; nth <= 2; nth++) {
        stn_fail_allocation(nth);
        expect_error(stn_view_set_scales(&view, &scales), STN_ERR_MEMORY,
                     "stn_view_set_scales: codes (i8, 12 x 10)");
        assert_memory_equal(&view, &before, sizeof view);
    }
    stn_fail_allocation(0);
    expect_ok(stn_view_set_scales(&view, &scales));
    assert_int_equal(stn_view_use_count(&view), 1);
    stn_fail_allocation(1);
    expect_ok(stn_view_set_scales(&view, &scales)); /* it has them */
    expect_no_allocation();
    expect_ok(stn_view_set_scales(&view, &(stn_scales){.data = NULL}));
    assert_false(stn_view_has_scales(&view));
    expect_ok(stn_view_release(&view));
}

/* The step of a part cannot be found where a dimension repeats elements. */
UNIT_TEST(steps_over_repeated_elements_are_refused)
{
    static int8_t codes[COLUMNS];
    const int64_t rows[] = {0, 1};
    const stn_slice steps[] = {stn_slice_strided(0, 3, 2), stn_slice_all()};
    const stn_slice range[] = {stn_slice_range(2, 5), stn_slice_all()};
    const stn_scales scales = {.data = row_scales,
                               .format = STN_F64,
                               .dimension = STN_NO_DIMENSION,
                               .block = 1,
                               .stride = {1, 0}};
    stn_view view, part;
    double value;
    for (int i = 0; i < ROWS; i++)
        row_scales[i] = 1 << i % 4;
    codes[4] = 1;
    view = wrap_strided("row", stn_storage_of(STN_I8), codes, 2, shape, rows);
    expect_ok(stn_view_slice(&part, &view, 2, steps));
    expect_ok(stn_view_set_scales(&view, &scales));
    expect_error(stn_view_slice(&part, &view, 2, steps), STN_ERR_UNSUPPORTED, "the step must be 1");
    expect_ok(stn_view_slice(&part, &view, 2, range));
    expect_ok(STN_VIEW_GET(&part, &value, 1, 4));
    assert_true(value == 8.0);
    expect_ok(stn_view_release(&view));
}

RUN_UNIT_TESTS(NULL, NULL)
