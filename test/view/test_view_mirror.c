/* Mirrors: when they are the view itself, what they keep, what they refuse. */

#include "copy_oracle.h"
#include "steno/event.h"
#include "make_view.h"

static int events[8];

static void count(const stn_event *event, void *context)
{
    (void)context;
    events[event->kind]++;
}

/* ---- mirrors of all layouts, and of parts ---- */

static void expect_mirror(const stn_view *view)
{
    stn_view mirror;
    memset(events, 0, sizeof events);
    stn_event_set_hook(count, NULL);
    expect_ok(stn_view_mirror(NULL, &mirror, view, STN_SPACE_HOST));
    stn_event_set_hook(NULL, NULL);
    assert_int_equal(events[STN_EVENT_ALLOCATE], 1);
    assert_int_equal(events[STN_EVENT_COPY_BEGIN] + events[STN_EVENT_KERNEL_BEGIN], 0);
    assert_ptr_not_equal(mirror.data, view->data);
    assert_string_equal(mirror.label, view->label);
    assert_int_equal(mirror.rank, view->rank);
    assert_int_equal(mirror.storage.format, view->storage.format);
    assert_memory_equal(mirror.extent, view->extent, (size_t)view->rank * sizeof *view->extent);
    assert_memory_equal(mirror.stride, view->stride, (size_t)view->rank * sizeof *view->stride);
    assert_int_equal(stn_view_layout(&mirror), stn_view_layout(view));
    assert_int_equal(mirror.read_only, 0);
    assert_int_equal(stn_view_use_count(&mirror), 1);
    expect_ok(stn_view_copy(NULL, &mirror, view));
    int64_t indices[STN_MAX_RANK] = {0};
    do
        assert_true(get_value(&mirror, view->rank, indices) ==
                    get_value(view, view->rank, indices));
    while (next_indices(view->rank, view->extent, indices));
    stn_view_release(&mirror);
}

UNIT_TEST(test_layouts)
{
    static const int64_t extents[] = {5, 7, 6};
    for (int layout = 0; layout < COPIED_LAYOUTS; layout++)
        for (int rank = 0; rank <= 3; rank++) {
            copied_array array;
            stn_slice slices[3];
            copied_make(&array, (copied_layout)layout, stn_storage_of(STN_I16), rank, extents, 9);
            expect_mirror(&array.view);
            array.view.read_only = 1;
            for (int d = 0; d < rank; d++)
                slices[d] = d == 1 ? stn_slice_index(2) : stn_slice_strided(1, 2, 2);
            stn_view part = slice_view(&array.view, rank, slices);
            expect_mirror(&part);
            copied_free(&array);
        }
}

/* A part that holds elements twice, in a triangle or outside a band, has a mirror of layout
 * right. */
UNIT_TEST(test_triangles_and_bands)
{
    const stn_layout layouts[] = {stn_layout_packed(STN_LOWER, STN_LAYOUT_LEFT),
                                  stn_layout_banded(1, 1, 3, STN_LAYOUT_RIGHT)};
    const int64_t extents[] = {6, 6};
    for (int k = 0; k < 2; k++) {
        const stn_slice slices[] = {stn_slice_range(1, 4), stn_slice_range(2, 6)};
        stn_view mirror;
        double a, b;
        stn_view x = create_view(NULL, "pine", stn_storage_of(STN_F32), &layouts[k], 2, extents, 0);
        for (int64_t i = 0; i < 6; i++)
            for (int64_t j = i; j < 6 && (k == 0 || j <= i + 1); j++)
                expect_ok(STN_VIEW_SET(&x, (double)(10 * i + j + 1), i, j));
        stn_view part = slice_view(&x, 2, slices);
        expect_ok(stn_view_mirror(NULL, &mirror, &part, STN_SPACE_HOST));
        expect_ok(stn_view_copy(NULL, &mirror, &part));
        assert_int_equal(stn_view_layout(&mirror), STN_LAYOUT_RIGHT);
        for (int64_t i = 0; i < 3; i++)
            for (int64_t j = 0; j < 4; j++) {
                expect_ok(STN_VIEW_GET(&part, &a, i, j));
                expect_ok(STN_VIEW_GET(&mirror, &b, i, j));
                assert_true(a == b);
            }
        stn_view_release(&mirror);
        expect_ok(stn_view_mirror(NULL, &mirror, &x, STN_SPACE_HOST));
        assert_int_equal(stn_view_layout(&mirror), stn_view_layout(&x));
        expect_ok(stn_view_copy(NULL, &mirror, &x));
        stn_view_release(&mirror);
        stn_view_release(&x);
    }
}

UNIT_TEST(test_padded)
{
    const int64_t extents[] = {5, 20};
    stn_view x = create_view(NULL, "pine", f64(), NULL, 2, extents, STN_CREATE_PADDED);
    assert_int_equal(x.stride[0], 24);
    expect_ok(stn_view_fill(NULL, &x, 4.0));
    expect_mirror(&x);
    stn_view_release(&x);
}

/* ---- K53, K54: the view itself, if the space is accessible ---- */

UNIT_TEST(test_same_space)
{
    const int64_t extents[] = {10};
    stn_view mirror;
    stn_view x = create_view(NULL, "pine", f64(), NULL, 1, extents, 0);
    for (int space = STN_SPACE_HOST; space <= STN_SPACE_MANAGED; space++)
        for (int copy = 0; copy < 2; copy++) {
            memset(events, 0, sizeof events);
            stn_event_set_hook(count, NULL);
            expect_ok(stn_view_mirror_view(NULL, &mirror, &x, (stn_space)space,
                                           (stn_mirror_contents)copy));
            assert_ptr_equal(mirror.data, x.data);
            assert_int_equal(stn_view_use_count(&x), 2);
            expect_ok(stn_view_copy(NULL, &mirror, &x)); /* nothing to do */
            stn_view_release(&mirror);
            stn_event_set_hook(NULL, NULL);
            assert_int_equal(events[STN_EVENT_ALLOCATE] + events[STN_EVENT_FREE], 0);
            assert_int_equal(stn_view_use_count(&x), 1);
        }
    x.read_only = 1;
    expect_ok(stn_view_mirror_view(NULL, &mirror, &x, STN_SPACE_HOST, STN_MIRROR_COPY));
    assert_int_equal(mirror.read_only, 1);
    stn_view_release(&mirror);
    stn_view_release(&x);
}

/* Views in inaccessible memory have a mirror on the host, but cannot be copied from. */
UNIT_TEST(test_device)
{
    static double there[10];
    const int64_t extents[] = {10};
    stn_view mirror;
    stn_view x = wrap_view("pine", f64(), there, 1, extents);
    expect_ok(stn_view_set_space(&x, STN_SPACE_DEVICE));
    expect_ok(stn_view_mirror_view(NULL, &mirror, &x, STN_SPACE_HOST, STN_MIRROR_UNINITIALIZED));
    assert_ptr_not_equal(mirror.data, there);
    assert_int_equal(mirror.space, STN_SPACE_HOST);
    assert_string_equal(mirror.label, "pine");
    stn_view_release(&mirror);
    expect_error(stn_view_mirror_view(NULL, &mirror, &x, STN_SPACE_HOST, STN_MIRROR_COPY),
                 STN_ERR_UNSUPPORTED, NULL);
    assert_int_equal(stn_view_count(&mirror), 0);
    expect_ok(stn_view_mirror_view(NULL, &mirror, &x, STN_SPACE_DEVICE, STN_MIRROR_COPY));
    assert_ptr_equal(mirror.data, there);
}

UNIT_TEST(test_errors)
{
    static double data[10];
    const int64_t extents[] = {10};
    stn_view x, mirror, nothing = {0};
    x = wrap_view("pine", f64(), data, 1, extents);
    for (int space = STN_SPACE_PINNED; space <= STN_SPACE_DEVICE; space++)
        expect_error(stn_view_mirror(NULL, &mirror, &x, (stn_space)space), STN_ERR_UNSUPPORTED,
                     NULL);
    expect_error(
        stn_view_mirror_view(NULL, &mirror, &x, STN_SPACE_DEVICE, STN_MIRROR_UNINITIALIZED),
        STN_ERR_UNSUPPORTED, NULL);
    expect_error(stn_view_mirror(NULL, &mirror, &x, (stn_space)9), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_view_mirror(NULL, NULL, &x, STN_SPACE_HOST), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_view_mirror(NULL, &mirror, NULL, STN_SPACE_HOST), STN_ERR_ARGUMENT, NULL);
    expect_ok(stn_view_mirror(NULL, &mirror, &nothing, STN_SPACE_HOST));
    assert_int_equal(stn_view_count(&mirror), 0);
}

RUN_UNIT_TESTS(NULL, NULL)
