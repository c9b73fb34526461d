/* Wrapped views: what they describe, and what is refused before anything is read. */
#include <limits.h>
#include <stdio.h>

#include "steno/view.h"
#include "view/overlap.h"
#include "make_view.h"

static double memory[64];

static void expect_refused(const stn_view *view, stn_status actual, stn_status wanted,
                           const char *word)
{
    static const stn_view zero;
    if (actual != wanted)
        fail_msg("%s, not %s: %s", stn_status_name(actual), stn_status_name(wanted),
                 actual == STN_OK ? "" : stn_error());
    if (!strstr(stn_error(), word))
        fail_msg("'%s' does not say '%s'", stn_error(), word);
    assert_memory_equal(view, &zero, sizeof zero);
}

/* Refused by both ways to wrap, with a view that is all zero afterwards. */
static void refuse(stn_status wanted, const char *word, stn_storage storage, void *data, int rank,
                   const int64_t *extents, const int64_t *strides)
{
    stn_view view;
    memset(&view, 0xa5, sizeof view);
    expect_refused(&view,
                   stn_view_wrap_spec(
                       &view, &STN_VIEW_SPEC(.label = "golf", .storage = storage, .data = data,
                                             .rank = rank, .extents = extents, .strides = strides)),
                   wanted, word);
    memset(&view, 0xa5, sizeof view);
    expect_refused(
        &view,
        stn_view_wrap_spec(&view,
                           &STN_VIEW_SPEC(.label = "golf", .storage = storage, .const_data = data,
                                          .rank = rank, .extents = extents, .strides = strides)),
        wanted, word);
}

static void accept(stn_storage storage, void *data, int rank, const int64_t *extents,
                   const int64_t *strides)
{
    stn_view view;
    if (stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = "golf", .storage = storage, .data = data,
                                                 .rank = rank, .extents = extents,
                                                 .strides = strides)) != STN_OK)
        fail_msg("%s", stn_error());
}

/* ---- what is described ---- */

TEST_CASE(test_fields)
{
    const int64_t extents[] = {2, 3}, strides[] = {-7, 2};
    stn_storage storage = stn_storage_of(STN_I16);
    storage.scale = 0.25;
    storage.zero = 3.0;
    stn_view view;
    view = wrap_strided("golf", storage, memory + 8, 2, extents, strides);
    assert_int_equal(view.size, sizeof view);
    assert_string_equal(view.label, "golf");
    assert_int_equal(view.storage.format, STN_I16);
    assert_true(view.storage.scale == 0.25 && view.storage.zero == 3.0);
    assert_ptr_equal(view.data, memory + 8);
    assert_int_equal(view.rank, 2);
    assert_int_equal(view.read_only, 0);
    assert_memory_equal(view.extent, extents, sizeof extents);
    assert_memory_equal(view.stride, strides, sizeof strides);
    expect_ok(stn_view_wrap_const(&view, NULL, storage, memory, 2, extents));
    assert_int_equal(view.read_only, 1);
    assert_null(view.label);
}

TEST_CASE(test_layout_right)
{
    static const int64_t extents[STN_MAX_RANK] = {1, 2, 1, 2, 2, 1, 2, 3};
    static const int64_t wanted[STN_MAX_RANK] = {48, 24, 24, 12, 6, 6, 3, 1};
    stn_view view;
    expect_ok(stn_view_wrap(&view, "golf", f64(), memory, STN_MAX_RANK, extents));
    assert_memory_equal(view.stride, wanted, sizeof wanted);
    assert_int_equal(stn_view_count(&view), 48);
}

TEST_CASE(test_empty)
{
    const int64_t none[] = {0}, mixed[] = {3, 0, 7};
    accept(f64(), memory, 1, none, NULL);
    accept(f64(), NULL, 1, none, NULL);
    accept(f64(), NULL, 3, mixed, NULL);
    accept(f64(), memory, 0, NULL, NULL);
    const int64_t last[] = {INT64_MAX, INT64_MAX, 0}, first[] = {0, 2, INT64_MAX / 2};
    accept(f64(), NULL, 3, last, NULL);
    accept(f64(), NULL, 3, last, (const int64_t[]){1, 1, 1});
    accept(f64(), NULL, 3, first, NULL);
}

TEST_CASE(test_strides)
{
    const int64_t extent = 10, large = INT64_MAX;
    accept(f64(), memory, 1, &large, (const int64_t[]){0});
    accept(f64(), memory + 63, 1, &extent, (const int64_t[]){-7});
    accept(f64(), memory, 1, (const int64_t[]){1}, (const int64_t[]){INT64_MIN});
    accept(f64(), memory, 1, (const int64_t[]){1}, (const int64_t[]){INT64_MAX});
}

/* Views without elements are asked, cut and shared without a look at their memory. */
TEST_CASE(test_empty_asked)
{
    static const stn_layout_kind kinds[] = {STN_LAYOUT_RIGHT, STN_LAYOUT_LEFT,
                                            STN_LAYOUT_BLOCK_COL_MAJOR, STN_LAYOUT_MORTON};
    void *const bogus[] = {NULL, (void *)(uintptr_t)64, (void *)(UINTPTR_MAX - 63)};
    const int64_t extents[] = {3, 0, 7};
    const stn_slice slices[] = {stn_slice_index(1), stn_slice_all(), stn_slice_range(2, 5)};
    for (size_t k = 0; k < 4; k++)
        for (size_t b = 0; b < 3; b++) {
            const stn_layout layout = stn_layout_of(kinds[k]);
            stn_view view, part, copy;
            view = wrap_layout("golf", f64(), bogus[b], &layout, 3, extents);
            assert_int_equal(stn_view_count(&view) + stn_view_span(&view), 0);
            assert_int_equal(stn_view_is_contiguous(&view), 1);
            assert_int_equal(stn_view_is_unique(&view), 1);
            expect_ok(stn_view_set_traits(&view, STN_TRAIT_ALIGNED));
            expect_ok(stn_view_slice(&part, &view, 3, slices));
            assert_int_equal(stn_view_count(&part), 0);
            assert_int_equal(part.extent[1], 3);
            expect_ok(stn_view_share(&copy, &view));
            assert_int_equal(stn_view_equal(&copy, &view), 1);
            expect_error(STN_VIEW_GET(&view, &(double){0}, 0, 0, 0), STN_ERR_RANGE, NULL);
            stn_view_release(&copy);
            stn_view_release(&view);
        }
}

/* ---- what is refused ---- */

TEST_CASE(test_null)
{
    const int64_t extent = 3;
    expect_error(stn_view_wrap(NULL, "golf", f64(), memory, 1, &extent), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_view_wrap_const(NULL, "golf", f64(), memory, 1, &extent), STN_ERR_ARGUMENT,
                 NULL);
    refuse(STN_ERR_ARGUMENT, "golf (f64, 3): data is NULL", f64(), NULL, 1, &extent, NULL);
    refuse(STN_ERR_ARGUMENT, "data is NULL", f64(), NULL, 0, NULL, NULL);
    refuse(STN_ERR_ARGUMENT, "golf: extents is NULL", f64(), memory, 1, NULL, NULL);
}

TEST_CASE(test_rank)
{
    static const int64_t extents[STN_MAX_RANK + 1] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    refuse(STN_ERR_ARGUMENT, "rank 9", f64(), memory, STN_MAX_RANK + 1, extents, NULL);
    refuse(STN_ERR_ARGUMENT, "rank -1", f64(), memory, -1, extents, NULL);
    refuse(STN_ERR_ARGUMENT, "golf", f64(), memory, INT_MIN, extents, NULL);
}

TEST_CASE(test_negative_extents)
{
    refuse(STN_ERR_SHAPE, "extent -1 of dimension 1", f64(), memory, 2, (const int64_t[]){2, -1},
           NULL);
    refuse(STN_ERR_SHAPE, "golf", f64(), memory, 2, (const int64_t[]){0, INT64_MIN}, NULL);
}

TEST_CASE(test_formats)
{
    const int64_t extent = 3;
    for (stn_format format = 0; format < stn_format_count(); format++)
        accept(stn_storage_of(format), memory, 1, &extent, NULL);
    refuse(STN_ERR_FORMAT, "", stn_storage_of(stn_format_count()), memory, 1, &extent, NULL);
    refuse(STN_ERR_FORMAT, "", stn_storage_of(-1), memory, 1, &extent, NULL);
    refuse(STN_ERR_FORMAT, "", stn_storage_of(INT32_MAX), memory, 1, &extent, NULL);
}

TEST_CASE(test_alignment)
{
    const int64_t extent = 3;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        expect_ok(stn_format_describe(format, &info));
        for (int64_t offset = 0; offset < 16; offset++) {
            char *data = (char *)memory + 16 + offset;
            char words[80];
            (void)snprintf(words, sizeof words, "golf (%s, 3): data at", info.name);
            if ((uintptr_t)data % (uintptr_t)info.alignment == 0)
                accept(stn_storage_of(format), data, 1, &extent, NULL);
            else
                refuse(STN_ERR_ARGUMENT, words, stn_storage_of(format), data, 1, &extent, NULL);
        }
    }
}

/* Counts, offsets and bytes that 64 bits cannot hold, and elements beyond either end of memory. */
TEST_CASE(test_overflow)
{
    const int64_t half = (int64_t)1 << 32, most = INT64_MAX;
    const int64_t square[] = {half, half},
                  cube[] = {(int64_t)1 << 21, (int64_t)1 << 21, (int64_t)1 << 21};
    refuse(STN_ERR_RANGE, "golf (f64, 4294967296 x 4294967296)", f64(), memory, 2, square, NULL);
    refuse(STN_ERR_RANGE, "golf", f64(), memory, 3, cube, NULL);
    refuse(STN_ERR_RANGE, "golf", f64(), memory, 1, &most, NULL);
    refuse(STN_ERR_RANGE, "golf", f64(), memory, 2, square, (const int64_t[]){0, 0});
    refuse(STN_ERR_RANGE, "golf", f64(), memory, 1, (const int64_t[]){2}, &most);
    refuse(STN_ERR_RANGE, "golf", f64(), memory, 1, (const int64_t[]){2},
           (const int64_t[]){INT64_MIN});
    refuse(STN_ERR_RANGE, "golf", f64(), memory, 1, (const int64_t[]){3},
           (const int64_t[]){INT64_MIN / 2 - 1});
    refuse(STN_ERR_RANGE, "golf", f64(), memory, 2, (const int64_t[]){2, 2},
           (const int64_t[]){most / 2 + 1, most / 2 + 1});
    refuse(STN_ERR_RANGE, "golf", f64(), memory, 2, (const int64_t[]){2, 2},
           (const int64_t[]){-most, -most});
    refuse(STN_ERR_RANGE, "golf", f64(), memory, 1, (const int64_t[]){2},
           (const int64_t[]){most / 8 + 1});
    refuse(STN_ERR_RANGE, "golf", f64(), (void *)(uintptr_t)64, 1, (const int64_t[]){10},
           (const int64_t[]){-1});
    refuse(STN_ERR_RANGE, "golf", f64(), (void *)(UINTPTR_MAX - 63), 1, (const int64_t[]){9}, NULL);
    accept(f64(), (void *)(uintptr_t)72, 1, (const int64_t[]){10}, (const int64_t[]){-1});
    accept(f64(), (void *)(UINTPTR_MAX - 63), 1, (const int64_t[]){7}, NULL);
}

/* Messages need no label, and bear a long one. */
TEST_CASE(test_labels)
{
    const int64_t extent = -1;
    char label[3000];
    stn_view view;
    memset(label, 'l', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    expect_error(stn_view_wrap(&view, NULL, f64(), memory, 1, &extent), STN_ERR_SHAPE,
                 "without a label");
    expect_error(stn_view_wrap(&view, label, f64(), memory, 1, &extent), STN_ERR_SHAPE, NULL);
    expect_error(stn_view_wrap(&view, label, f64(), NULL, 1, (const int64_t[]){3}),
                 STN_ERR_ARGUMENT, NULL);
}

/* ---- overlap of spans ---- */

static int overlap(int64_t first, int64_t count, int64_t stride, int64_t other)
{
    stn_view a, b;
    a = wrap_strided("a", f64(), memory + first, 1, &count, &stride);
    expect_ok(stn_view_wrap(&b, "b", f64(), memory + other, 0, NULL));
    assert_int_equal(stn_view_shares(&a, &b), stn_view_shares(&b, &a));
    return stn_view_shares(&a, &b);
}

TEST_CASE(test_overlap)
{
    assert_int_equal(overlap(10, 5, 1, 9), 0);
    assert_int_equal(overlap(10, 5, 1, 10), 1);
    assert_int_equal(overlap(10, 5, 1, 14), 1);
    assert_int_equal(overlap(10, 5, 1, 15), 0);
    assert_int_equal(overlap(10, 5, -2, 1), 0);
    assert_int_equal(overlap(10, 5, -2, 2), 1);
    assert_int_equal(overlap(10, 5, -2, 10), 1);
    assert_int_equal(overlap(10, 5, -2, 11), 0);
    assert_int_equal(overlap(10, 5, -2, 5), 0);
    assert_int_equal(overlap(10, 0, 1, 10), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),   cmocka_unit_test(test_layout_right),
        cmocka_unit_test(test_empty),    cmocka_unit_test(test_empty_asked),
        cmocka_unit_test(test_strides),  cmocka_unit_test(test_null),
        cmocka_unit_test(test_rank),     cmocka_unit_test(test_negative_extents),
        cmocka_unit_test(test_formats),  cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_overflow), cmocka_unit_test(test_labels),
        cmocka_unit_test(test_overlap),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
