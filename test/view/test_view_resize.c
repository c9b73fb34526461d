/* Views of other sizes: what is kept, what is zero, who still has the old elements. */

#include "core/memory.h"
#include "numbered_view.h"
#include "steno/event.h"
#include "make_view.h"

static int events[8];

static void count(const stn_event *event, void *context)
{
    (void)context;
    events[event->kind]++;
}

static int heard(void)
{
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += events[k];
    memset(events, 0, sizeof events);
    return sum;
}

/* ---- K19: the story of the chapter ---- */

UNIT_TEST(test_story)
{
    const int64_t first[] = {100, 50, 4}, second[] = {200, 50, 4}, third[] = {300, 60, 4};
    stn_view a = make(STN_F64, NULL, 3, first, 0), b;
    number(&a);
    expect_ok(stn_view_resize(NULL, &a, 3, second, 0));
    expect_kept(&a, first);
    expect_ok(stn_view_share(&b, &a));
    assert_int_equal(stn_view_use_count(&a), 2);
    expect_ok(stn_view_resize(NULL, &a, 3, third, 0));
    assert_int_equal(stn_view_use_count(&a), 1);
    assert_int_equal(stn_view_use_count(&b), 1);
    assert_memory_equal(b.extent, second, sizeof second);
    assert_memory_equal(a.extent, third, sizeof third);
    assert_string_equal(a.label, "oak");
    expect_kept(&a, first);
    expect_kept(&b, first);
    stn_view_release(&a);
    stn_view_release(&b);
}

UNIT_TEST(test_shrink_and_grow)
{
    const int64_t eight[] = {8}, four[] = {4};
    stn_view x = make(STN_I32, NULL, 1, eight, 0);
    for (int64_t k = 0; k < 8; k++)
        expect_ok(stn_view_set(&x, 1, &k, (double)k));
    expect_ok(stn_view_resize(NULL, &x, 1, four, 0));
    expect_ok(stn_view_resize(NULL, &x, 1, eight, 0));
    const int32_t wanted[] = {0, 1, 2, 3, 0, 0, 0, 0};
    assert_memory_equal(x.data, wanted, sizeof wanted);
    stn_view_release(&x);
}

/* ---- every layout and rank ---- */

static void resize_both_ways(const stn_layout *layout, int rank, unsigned flags, stn_exec *exec)
{
    static const int64_t small[STN_MAX_RANK] = {3, 9, 2, 3, 2, 2, 2, 3};
    static const int64_t large[STN_MAX_RANK] = {5, 10, 2, 4, 3, 2, 3, 4};
    static const int64_t mixed[STN_MAX_RANK] = {4, 6, 3, 2, 2, 3, 2, 4};
    int64_t kept[STN_MAX_RANK];
    stn_view x;
    x = create_view(exec, "oak", stn_storage_of(STN_F32), layout, rank, small, flags);
    const stn_layout_kind kind = stn_view_layout(&x);
    number(&x);
    expect_ok(stn_view_resize(exec, &x, rank, large, 0));
    expect_kept(&x, small);
    assert_int_equal(stn_view_layout(&x), kind);
    expect_ok(stn_view_resize(exec, &x, rank, mixed, 0));
    for (int d = 0; d < rank; d++)
        kept[d] = small[d] < mixed[d] ? small[d] : mixed[d];
    expect_kept(&x, kept);
    assert_int_equal(stn_view_layout(&x), kind);
    assert_string_equal(x.label, "oak");
    stn_view_release(&x);
}

UNIT_TEST(test_layouts)
{
    static const int64_t tile[STN_MAX_RANK] = {2, 4, 3, 2, 2, 2, 2, 2};
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, "openmp:threads=2"));
    for (int rank = 0; rank <= STN_MAX_RANK; rank++) {
        const stn_layout layouts[] = {stn_layout_of(STN_LAYOUT_RIGHT),
                                      stn_layout_of(STN_LAYOUT_LEFT),
                                      stn_layout_of(STN_LAYOUT_BLOCK_COL_MAJOR),
                                      stn_layout_of(STN_LAYOUT_MORTON),
                                      stn_layout_tiled(rank, tile, STN_LAYOUT_RIGHT),
                                      stn_layout_tiled(rank, tile, STN_LAYOUT_LEFT)};
        for (int k = 0; k < COUNT_OF(layouts); k++)
            resize_both_ways(&layouts[k], rank, 0, k % 2 ? exec : NULL);
        resize_both_ways(NULL, rank, STN_CREATE_PADDED, exec);
    }
    stn_exec_release(exec);
}

/* One index along a dimension hides no layout. */
UNIT_TEST(test_thin)
{
    const int64_t row[] = {1, 5}, column[] = {5, 1}, block[] = {4, 5};
    const stn_layout left = stn_layout_of(STN_LAYOUT_LEFT);
    for (int k = 0; k < 4; k++) {
        stn_view x = make(STN_F64, k & 1 ? &left : NULL, 2, k & 2 ? row : column, 0);
        expect_ok(stn_view_resize(NULL, &x, 2, block, 0));
        assert_int_equal(stn_view_layout(&x), k & 1 ? STN_LAYOUT_LEFT : STN_LAYOUT_RIGHT);
        stn_view_release(&x);
    }
}

UNIT_TEST(test_padding)
{
    const int64_t small[] = {4, 20}, large[] = {4, 30};
    stn_view x = make(STN_F64, NULL, 2, small, STN_CREATE_PADDED);
    assert_int_equal(x.stride[0], 24);
    expect_ok(stn_view_resize(NULL, &x, 2, large, 0));
    assert_int_equal(x.stride[0], 32);
    stn_view_release(&x);
}

/* Strides keep their order and signs. */
UNIT_TEST(test_strides)
{
    const int64_t extents[] = {3, 4, 5}, strides[] = {5, -15, 1}, larger[] = {3, 6, 7};
    const stn_layout layout = stn_layout_strided(3, strides);
    stn_view x = make(STN_F64, &layout, 3, extents, 0);
    number(&x);
    expect_ok(stn_view_resize(NULL, &x, 3, larger, 0));
    const int64_t wanted[] = {7, -21, 1};
    assert_memory_equal(x.stride, wanted, sizeof wanted);
    expect_kept(&x, extents);
    stn_view_release(&x);
}

UNIT_TEST(test_opaque)
{
    const int64_t two[] = {2}, three[] = {3};
    stn_format wide;
    expect_ok(stn_format_opaque(&wide, 200, 8));
    stn_view x = make(wide, NULL, 1, two, 0);
    memset(x.data, 7, 400);
    expect_ok(stn_view_resize(NULL, &x, 1, three, 0));
    for (int k = 0; k < 600; k++)
        assert_int_equal(((char *)x.data)[k], k < 400 ? 7 : 0);
    expect_ok(stn_view_reallocate(NULL, &x, 1, three, 0));
    assert_int_equal(((char *)x.data)[0], 0);
    stn_view_release(&x);
}

/* ---- K20: nothing to do ---- */

UNIT_TEST(test_unchanged)
{
    static const int64_t extents[STN_MAX_RANK] = {2, 3, 1, 2, 2, 1, 2, 2};
    for (int rank = 0; rank <= STN_MAX_RANK; rank++) {
        stn_view x = make(STN_F64, NULL, rank, extents, 0);
        const stn_view same = x;
        number(&x);
        stn_event_set_hook(count, NULL);
        expect_ok(stn_view_resize(NULL, &x, rank, extents, 0));
        stn_event_set_hook(NULL, NULL);
        assert_int_equal(heard(), 0);
        assert_memory_equal(&x, &same, sizeof x);
        expect_kept(&x, extents);
        stn_view_release(&x);
    }
}

/* ---- K21: reallocate ---- */

UNIT_TEST(test_reallocate)
{
    const int64_t extents[] = {5, 6}, other[] = {7, 3};
    stn_view x = make(STN_F64, NULL, 2, extents, 0), y;
    double value;
    number(&x);
    expect_ok(stn_view_share(&y, &x));
    void *data = x.data;
    stn_event_set_hook(count, NULL);
    expect_ok(stn_view_reallocate(NULL, &x, 2, extents, STN_CREATE_UNINITIALIZED));
    assert_int_equal(heard(), 0);
    expect_kept(&x, extents);
    expect_ok(stn_view_reallocate(NULL, &x, 2, extents, 0));
    assert_int_equal(events[STN_EVENT_ALLOCATE] + events[STN_EVENT_FREE], 0);
    stn_event_set_hook(NULL, NULL);
    assert_ptr_equal(x.data, data);
    expect_ok(STN_VIEW_GET(&y, &value, 4, 5)); /* others see the zeros */
    assert_true(value == 0.0);
    expect_ok(stn_view_reallocate(NULL, &x, 2, other, 0));
    assert_int_equal(stn_view_use_count(&y), 1);
    assert_string_equal(x.label, "oak");
    const int64_t none[] = {0, 0};
    expect_kept(&x, none);
    stn_view_release(&y);
    heard();
    stn_event_set_hook(count, NULL);
    expect_ok(stn_view_reallocate(NULL, &x, 2, extents, STN_CREATE_UNINITIALIZED));
    stn_event_set_hook(NULL, NULL);
    assert_int_equal(events[STN_EVENT_FREE], 1);
    assert_int_equal(events[STN_EVENT_ALLOCATE], 1);
    assert_int_equal(heard(), 2);
    stn_view_release(&x);
}

/* ---- events ---- */

UNIT_TEST(test_events)
{
    const int64_t extents[] = {50, 60}, other[] = {60, 60};
    stn_view x = make(STN_F64, NULL, 2, extents, 0);
    stn_event_set_hook(count, NULL);
    expect_ok(stn_view_resize(NULL, &x, 2, other, STN_CREATE_UNINITIALIZED));
    stn_event_set_hook(NULL, NULL);
    assert_int_equal(events[STN_EVENT_RESIZE_BEGIN], 1);
    assert_int_equal(events[STN_EVENT_RESIZE_END], 1);
    assert_int_equal(events[STN_EVENT_ALLOCATE], 1);
    assert_int_equal(events[STN_EVENT_FREE], 1);
    assert_int_equal(heard(), 4); /* no initialisation */
    stn_view_release(&x);
}

/* ---- errors ---- */

UNIT_TEST(test_errors)
{
    static double memory[6];
    const int64_t extents[] = {2, 3}, other[] = {4, 3}, negative[] = {-1, 3};
    const int64_t huge[] = {(int64_t)1 << 40, (int64_t)1 << 40};
    stn_view x = make(STN_F64, NULL, 2, extents, 0), wrapped, part;
    expect_ok(stn_view_wrap(&wrapped, "w", stn_storage_of(STN_F64), memory, 2, extents));
    expect_error(stn_view_resize(NULL, &wrapped, 2, other, 0), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_view_resize(NULL, NULL, 2, other, 0), STN_ERR_ARGUMENT, NULL);
    const stn_view same = x;
    number(&x);
    expect_error(stn_view_resize(NULL, &x, 1, other, 0), STN_ERR_SHAPE, NULL);
    expect_error(stn_view_resize(NULL, &x, 2, negative, 0), STN_ERR_SHAPE, NULL);
    expect_error(stn_view_resize(NULL, &x, 2, huge, 0), STN_ERR_RANGE, NULL);
    expect_error(stn_view_resize(NULL, &x, 2, NULL, 0), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_view_resize(NULL, &x, 2, other, 64), STN_ERR_ARGUMENT, NULL);
    for (int n = 1; n <= 1; n++) {
        stn_fail_allocation(n);
        expect_error(stn_view_resize(NULL, &x, 2, other, 0), STN_ERR_MEMORY, NULL);
        stn_fail_allocation(0);
    }
    assert_memory_equal(&x, &same, sizeof x);
    expect_kept(&x, extents);
    part = x;
    part.read_only = 1;
    expect_error(stn_view_resize(NULL, &part, 2, other, 0), STN_ERR_ARGUMENT, NULL);
    expect_ok(stn_view_fix_extents(&x, 2));
    expect_ok(stn_view_resize(NULL, &x, 2, other, 0)); /* dimension 1 stays */
    expect_error(stn_view_resize(NULL, &x, 2, (const int64_t[]){4, 5}, 0), STN_ERR_SHAPE, NULL);
    const stn_view before = x;
    expect_error(stn_view_reallocate(NULL, &x, 1, other, 0), STN_ERR_SHAPE, NULL);
    assert_memory_equal(&x, &before, sizeof x);
    assert_int_equal(stn_view_use_count(&x), 1);
    stn_view_release(&x);
}

RUN_UNIT_TESTS(NULL, NULL)
