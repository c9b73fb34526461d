/* Resizing, reallocating and mirroring views and parts of views of every layout: which elements are
 * kept, which are zero, and which handles share them. */
#include "core/memory.h"
#include "steno/event.h"
#include "make_view.h"

static stn_exec *exec;

static stn_view make(stn_format format, const stn_layout *layout, int rank, const int64_t *extents,
                     unsigned flags)
{
    return create_view(exec, "oak", stn_storage_of(format), layout, rank, extents, flags);
}

/* Elements are numbered by their indices. */
static double value_at(int rank, const int64_t *indices)
{
    double value = 1;
    for (int d = 0; d < rank; d++)
        value = value * 7 + (double)indices[d];
    return value;
}

static void number(const stn_view *view)
{
    int64_t indices[STN_MAX_RANK] = {0};
    do
        expect_ok(stn_view_set(view, view->rank, indices, value_at(view->rank, indices)));
    while (next_indices(view->rank, view->extent, indices));
}

/* Elements below `kept` have their numbers, the others are 0. */
static void expect_kept(const stn_view *view, const int64_t *kept)
{
    int64_t indices[STN_MAX_RANK] = {0};
    do {
        double value;
        int is_kept = 1;
        for (int d = 0; d < view->rank; d++)
            is_kept &= indices[d] < kept[d];
        expect_ok(stn_view_get(view, view->rank, indices, &value));
        if (value != (is_kept ? value_at(view->rank, indices) : 0.0))
            fail_msg("%s: %g at %lld, ...", view->label, value, (long long)indices[0]);
    } while (next_indices(view->rank, view->extent, indices));
}

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

/* ---- whole views ---- */

/* K19: a resize does not change other handles. */
UNIT_TEST(handles_of_a_resized_view)
{
    const int64_t first[] = {100, 50, 4}, second[] = {200, 50, 4}, third[] = {300, 60, 4};
    stn_view a = make(STN_F64, NULL, 3, first, 0), b;
    number(&a);
    expect_ok(stn_view_resize(exec, &a, 3, second, 0));
    expect_kept(&a, first);
    expect_ok(stn_view_share(&b, &a));
    assert_int_equal(stn_view_use_count(&a), 2);
    expect_ok(stn_view_resize(exec, &a, 3, third, 0));
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
    expect_ok(stn_view_resize(exec, &x, 1, four, 0));
    expect_ok(stn_view_resize(exec, &x, 1, eight, 0));
    const int32_t expected[] = {0, 1, 2, 3, 0, 0, 0, 0};
    assert_memory_equal(x.data, expected, sizeof expected);
    stn_view_release(&x);
}

/* The layout is kept where an extent is 1. */
UNIT_TEST(test_thin)
{
    const int64_t row[] = {1, 5}, column[] = {5, 1}, block[] = {4, 5};
    const stn_layout left = stn_layout_of(STN_LAYOUT_LEFT);
    for (int k = 0; k < 4; k++) {
        stn_view x = make(STN_F64, k & 1 ? &left : NULL, 2, k & 2 ? row : column, 0);
        expect_ok(stn_view_resize(exec, &x, 2, block, 0));
        assert_int_equal(stn_view_layout(&x), k & 1 ? STN_LAYOUT_LEFT : STN_LAYOUT_RIGHT);
        stn_view_release(&x);
    }
}

UNIT_TEST(test_padding)
{
    const int64_t small[] = {4, 20}, large[] = {4, 30};
    stn_view x = make(STN_F64, NULL, 2, small, STN_CREATE_PADDED);
    assert_int_equal(x.stride[0], 24);
    expect_ok(stn_view_resize(exec, &x, 2, large, 0));
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
    expect_ok(stn_view_resize(exec, &x, 3, larger, 0));
    const int64_t expected[] = {7, -21, 1};
    assert_memory_equal(x.stride, expected, sizeof expected);
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
    expect_ok(stn_view_resize(exec, &x, 1, three, 0));
    for (int k = 0; k < 600; k++)
        assert_int_equal(((char *)x.data)[k], k < 400 ? 7 : 0);
    expect_ok(stn_view_reallocate(exec, &x, 1, three, 0));
    assert_int_equal(((char *)x.data)[0], 0);
    stn_view_release(&x);
}

/* K20 */
UNIT_TEST(test_unchanged)
{
    static const int64_t extents[STN_MAX_RANK] = {2, 3, 1, 2, 2, 1, 2, 2};
    for (int rank = 0; rank <= STN_MAX_RANK; rank++) {
        stn_view x = make(STN_F64, NULL, rank, extents, 0);
        const stn_view same = x;
        number(&x);
        stn_event_set_hook(count, NULL);
        expect_ok(stn_view_resize(exec, &x, rank, extents, 0));
        stn_event_set_hook(NULL, NULL);
        assert_int_equal(heard(), 0);
        assert_memory_equal(&x, &same, sizeof x);
        expect_kept(&x, extents);
        stn_view_release(&x);
    }
}

/* K21 */
UNIT_TEST(test_reallocate)
{
    const int64_t extents[] = {5, 6}, other[] = {7, 3};
    stn_view x = make(STN_F64, NULL, 2, extents, 0), y;
    double value;
    number(&x);
    expect_ok(stn_view_share(&y, &x));
    void *data = x.data;
    stn_event_set_hook(count, NULL);
    expect_ok(stn_view_reallocate(exec, &x, 2, extents, STN_CREATE_UNINITIALIZED));
    assert_int_equal(heard(), 0);
    expect_kept(&x, extents);
    expect_ok(stn_view_reallocate(exec, &x, 2, extents, 0));
    assert_int_equal(events[STN_EVENT_ALLOCATE] + events[STN_EVENT_FREE], 0);
    stn_event_set_hook(NULL, NULL);
    assert_ptr_equal(x.data, data);
    expect_ok(STN_VIEW_GET(&y, &value, 4, 5)); /* other handles see the zeros */
    assert_true(value == 0.0);
    expect_ok(stn_view_reallocate(exec, &x, 2, other, 0));
    assert_int_equal(stn_view_use_count(&y), 1);
    assert_string_equal(x.label, "oak");
    const int64_t none[] = {0, 0};
    expect_kept(&x, none);
    stn_view_release(&y);
    heard();
    stn_event_set_hook(count, NULL);
    expect_ok(stn_view_reallocate(exec, &x, 2, extents, STN_CREATE_UNINITIALIZED));
    stn_event_set_hook(NULL, NULL);
    assert_int_equal(events[STN_EVENT_FREE], 1);
    assert_int_equal(events[STN_EVENT_ALLOCATE], 1);
    assert_int_equal(heard(), 2);
    stn_view_release(&x);
}

UNIT_TEST(test_events)
{
    const int64_t extents[] = {50, 60}, other[] = {60, 60};
    stn_view x = make(STN_F64, NULL, 2, extents, 0);
    stn_event_set_hook(count, NULL);
    expect_ok(stn_view_resize(exec, &x, 2, other, STN_CREATE_UNINITIALIZED));
    stn_event_set_hook(NULL, NULL);
    assert_int_equal(events[STN_EVENT_RESIZE_BEGIN], 1);
    assert_int_equal(events[STN_EVENT_RESIZE_END], 1);
    assert_int_equal(events[STN_EVENT_ALLOCATE], 1);
    assert_int_equal(events[STN_EVENT_FREE], 1);
    assert_int_equal(heard(), 4); /* elements are not initialized */
    stn_view_release(&x);
}

UNIT_TEST(test_errors)
{
    static double memory[6];
    const int64_t extents[] = {2, 3}, other[] = {4, 3}, negative[] = {-1, 3};
    const int64_t huge[] = {(int64_t)1 << 40, (int64_t)1 << 40};
    stn_view x = make(STN_F64, NULL, 2, extents, 0), wrapped, part;
    wrapped = wrap_view("w", f64(), memory, 2, extents);
    expect_error(stn_view_resize(exec, &wrapped, 2, other, 0), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_view_resize(exec, NULL, 2, other, 0), STN_ERR_ARGUMENT, NULL);
    const stn_view same = x;
    number(&x);
    expect_error(stn_view_resize(exec, &x, 1, other, 0), STN_ERR_SHAPE, NULL);
    expect_error(stn_view_resize(exec, &x, 2, negative, 0), STN_ERR_SHAPE, NULL);
    expect_error(stn_view_resize(exec, &x, 2, huge, 0), STN_ERR_RANGE, NULL);
    expect_error(stn_view_resize(exec, &x, 2, NULL, 0), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_view_resize(exec, &x, 2, other, 64), STN_ERR_ARGUMENT, NULL);
    stn_fail_allocation(1);
    expect_error(stn_view_resize(exec, &x, 2, other, 0), STN_ERR_MEMORY, NULL);
    stn_fail_allocation(0);
    assert_memory_equal(&x, &same, sizeof x);
    expect_kept(&x, extents);
    part = x;
    part.read_only = 1;
    expect_error(stn_view_resize(exec, &part, 2, other, 0), STN_ERR_ARGUMENT, NULL);
    expect_ok(stn_view_fix_extents(&x, 2));
    expect_ok(stn_view_resize(exec, &x, 2, other, 0)); /* dimension 1 is unchanged */
    expect_error(stn_view_resize(exec, &x, 2, (const int64_t[]){4, 5}, 0), STN_ERR_SHAPE, NULL);
    const stn_view before = x;
    expect_error(stn_view_reallocate(exec, &x, 1, other, 0), STN_ERR_SHAPE, NULL);
    assert_memory_equal(&x, &before, sizeof x);
    assert_int_equal(stn_view_use_count(&x), 1);
    stn_view_release(&x);
}

/* ---- parts with fewer, more or permuted dimensions ---- */

/* Layout right, for arrays of one rank only. */
static int64_t custom_offset(const void *context, int rank, const int64_t *extents,
                             const int64_t *indices)
{
    int64_t offset = 0;
    if (rank != *(const int *)context)
        return -1;
    for (int d = 0; d < rank; d++)
        offset = offset * extents[d] + indices[d];
    return offset;
}

static int64_t custom_span(const void *context, int rank, const int64_t *extents)
{
    int64_t span = 1;
    if (rank != *(const int *)context)
        return -1;
    for (int d = 0; d < rank; d++)
        span *= extents[d];
    return span;
}

enum { PLAIN_LAYOUTS = 11, PART_LAYOUTS = 16 };

/* The layouts from PLAIN_LAYOUTS on are for square matrices. */
static stn_layout layout_of_parts(int number, const int *rank)
{
    static const int64_t tile[STN_MAX_RANK] = {2, 4, 3, 2, 2, 2, 2, 2};
    static const int64_t strides[STN_MAX_RANK] = {-2, 10, 400, -100, 1600, 6400, 25600, 102400};
    const stn_layout layouts[PART_LAYOUTS] = {
        stn_layout_of(STN_LAYOUT_RIGHT),
        stn_layout_of(STN_LAYOUT_LEFT),
        stn_layout_of(STN_LAYOUT_BLOCK_COL_MAJOR),
        stn_layout_of(STN_LAYOUT_RIGHT),           /* padded */
        stn_layout_of(STN_LAYOUT_LEFT),            /* padded */
        stn_layout_of(STN_LAYOUT_BLOCK_COL_MAJOR), /* padded */
        stn_layout_of(STN_LAYOUT_MORTON),
        stn_layout_tiled(*rank, tile, STN_LAYOUT_RIGHT),
        stn_layout_tiled(*rank, tile, STN_LAYOUT_LEFT),
        stn_layout_strided(*rank, strides),
        stn_layout_custom(custom_offset, custom_span, rank),
        stn_layout_packed(STN_LOWER, STN_LAYOUT_LEFT),
        stn_layout_packed(STN_LOWER, STN_LAYOUT_RIGHT),
        stn_layout_packed(STN_UPPER, STN_LAYOUT_LEFT),
        stn_layout_banded(8, 8, 17, STN_LAYOUT_RIGHT),
        stn_layout_banded(8, 8, 17, STN_LAYOUT_LEFT)};
    return layouts[number];
}

typedef struct part_case {
    int layout, rank, dropped; /* dropped == rank: none */
    enum { DROP, REVERSE, INSERT } how;
    stn_layout_kind kind; /* of the part */
} part_case;

/* A part that has the array's only handle: dimension `dropped` is gone and, unless `how` is DROP,
 * every second index of the next one is kept, backward, before the dimensions are reversed or one
 * is inserted. The elements are numbered by the part's indices. */
static stn_view make_part(part_case *what)
{
    static const int64_t extents[STN_MAX_RANK] = {3, 5, 2, 3, 2, 1, 2, 2}, square[] = {5, 5};
    const stn_layout layout = layout_of_parts(what->layout, &what->rank);
    stn_view view =
        make(STN_F32, &layout, what->rank, what->layout < PLAIN_LAYOUTS ? extents : square,
             what->layout >= 3 && what->layout < 6 ? STN_CREATE_PADDED : 0);
    stn_slice slices[STN_MAX_RANK];
    int order[STN_MAX_RANK];
    for (int d = 0; d < view.rank; d++)
        slices[d] = stn_slice_all();
    if (what->how != DROP && what->rank > 1) {
        const int next = (what->dropped + 1) % what->rank;
        slices[next] = stn_slice_strided(view.extent[next] - 1, (view.extent[next] + 1) / 2, -2);
    }
    if (what->dropped < what->rank)
        slices[what->dropped] = stn_slice_index(view.extent[what->dropped] - 1);
    expect_ok(stn_view_slice(&view, &view, view.rank, slices));
    for (int d = 0; d < view.rank; d++)
        order[d] = view.rank - 1 - d;
    if (what->how == REVERSE)
        expect_ok(stn_view_permute(&view, &view, view.rank, order));
    if (what->how == INSERT && view.rank < STN_MAX_RANK)
        expect_ok(stn_view_insert_axis(&view, &view, view.rank / 2));
    assert_int_equal(stn_view_use_count(&view), 1);
    number(&view);
    what->kind = stn_view_layout(&view);
    return view;
}

/* Larger in even dimensions, smaller in odd ones. */
static void other_size(const stn_view *view, int64_t *extents, int64_t *kept)
{
    for (int d = 0; d < view->rank; d++) {
        extents[d] =
            d % 2 && view->extent[d] > 1 ? view->extent[d] - 1 : view->extent[d] + 1 + (d < 2);
        kept[d] = extents[d] < view->extent[d] ? extents[d] : view->extent[d];
    }
}

static void expect_new_part(stn_view *view, const part_case *what, const stn_view *old,
                            const int64_t *extents, const int64_t *kept)
{
    static const stn_layout_kind kinds[] = {STN_LAYOUT_MORTON, STN_LAYOUT_TILED, STN_LAYOUT_TILED};
    assert_int_equal(view->rank, old->rank);
    assert_memory_equal(view->extent, extents, sizeof *extents * (size_t)old->rank);
    assert_string_equal(view->label, "oak");
    assert_int_equal(stn_view_use_count(view), 1);
    if (what->layout >= 6 && what->layout < 9 && old->rank > 0)
        assert_int_equal(stn_view_layout(view), kinds[what->layout - 6]);
    if (what->dropped == what->rank && what->rank < 6 && what->how == DROP) /* no extent is 1 */
        assert_int_equal(stn_view_layout(view), what->kind);
    expect_kept(view, kept);
    number(view); /* each element has its own position */
    expect_kept(view, view->extent);
    stn_view_release(view);
}

static void change_part(part_case *what)
{
    static const int64_t none[STN_MAX_RANK];
    int64_t extents[STN_MAX_RANK], kept[STN_MAX_RANK];
    stn_view view = make_part(what), old = view, mirror;
    expect_ok(stn_view_mirror(exec, &mirror, &view, STN_SPACE_HOST));
    expect_ok(stn_view_copy(exec, &mirror, &view));
    expect_new_part(&mirror, what, &old, old.extent, old.extent);
    other_size(&view, extents, kept);
    expect_ok(stn_view_resize(exec, &view, view.rank, extents, 0));
    expect_new_part(&view, what, &old, extents, kept);
    view = make_part(what);
    expect_ok(stn_view_reallocate(exec, &view, view.rank, view.extent, STN_CREATE_UNINITIALIZED));
    expect_kept(&view, view.extent);
    expect_ok(stn_view_reallocate(exec, &view, view.rank, extents, 0));
    if (view.rank > 0)
        expect_new_part(&view, what, &old, extents, none);
    stn_view_release(&view);
}

static void for_all_parts(int ranks, void (*check)(part_case *what))
{
    part_case what;
    for (what.layout = 0; what.layout < PART_LAYOUTS; what.layout++)
        for (what.rank = 1; what.rank <= ranks; what.rank++)
            for (what.dropped = 0; what.dropped <= what.rank; what.dropped++) {
                if (what.layout >= PLAIN_LAYOUTS && (what.rank != 2 || what.dropped == 2))
                    continue;
                for (what.how = DROP; what.how <= INSERT; what.how++)
                    check(&what);
            }
}

UNIT_TEST(parts_of_every_layout)
{
    for_all_parts(STN_MAX_RANK, change_part);
}

static int64_t clamp(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

static int is_in_band(const int64_t *band, int64_t i, int64_t j)
{
    return i - j <= band[0] && j - i <= band[1];
}

/* Elements outside a band share memory with others. A resize copies none of them: elements in the
 * band are kept or zero. */
static void resize_band(const int64_t *band, stn_layout_kind order, const int64_t *small,
                        const int64_t *large)
{
    const stn_layout layout = stn_layout_banded(band[0], band[1], band[0] + band[1] + 1, order);
    stn_view x = make(STN_F32, &layout, 2, small, 0);
    double value;
    for (int64_t i = 0; i < small[0]; i++)
        for (int64_t j = 0; j < small[1]; j++)
            if (is_in_band(band, i, j))
                expect_ok(STN_VIEW_SET(&x, (double)(10 * i + j + 1), i, j));
    expect_ok(stn_view_resize(exec, &x, 2, large, 0));
    assert_int_equal(stn_view_layout(&x), STN_LAYOUT_BANDED);
    for (int64_t i = 0; i < large[0]; i++)
        for (int64_t j = 0; j < large[1]; j++) {
            if (!is_in_band(band, i, j))
                continue;
            expect_ok(STN_VIEW_GET(&x, &value, i, j));
            const int is_kept = i < clamp(small[0], large[0]) && j < clamp(small[1], large[1]);
            if (value != (is_kept ? (double)(10 * i + j + 1) : 0.0))
                fail_msg("band %lld %lld, %lld x %lld to %lld x %lld: (%lld, %lld) is %g",
                         (long long)band[0], (long long)band[1], (long long)small[0],
                         (long long)small[1], (long long)large[0], (long long)large[1],
                         (long long)i, (long long)j, value);
        }
    stn_view_release(&x);
}

UNIT_TEST(test_bands)
{
    static const int64_t sizes[] = {1, 2, 4, 6};
    for (int64_t k = 0; k < 9 * 4 * 4 * 4 * 4; k++) {
        const int64_t band[] = {k % 3, k / 3 % 3};
        const int64_t small[] = {sizes[k / 9 % 4], sizes[k / 36 % 4]};
        const int64_t large[] = {sizes[k / 144 % 4], sizes[k / 576 % 4]};
        resize_band(band, k % 2 ? STN_LAYOUT_LEFT : STN_LAYOUT_RIGHT, small, large);
        resize_band(band, k % 2 ? STN_LAYOUT_RIGHT : STN_LAYOUT_LEFT, small, large);
    }
}

/* A part of a packed matrix repeats elements where it has (i, j) and (j, i). */
UNIT_TEST(test_triangles)
{
    const int64_t extents[] = {5, 5};
    const stn_layout layout = stn_layout_packed(STN_UPPER, STN_LAYOUT_LEFT);
    stn_view x = make(STN_F32, &layout, 2, extents, 0), part;
    for (int64_t k = 0; k < 15 * 15; k++) {
        static const int64_t from[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4};
        static const int64_t to[] = {1, 2, 3, 4, 5, 2, 3, 4, 5, 3, 4, 5, 4, 5, 5};
        const int64_t r = k / 15, c = k % 15;
        const stn_slice slices[] = {stn_slice_range(from[r], to[r]),
                                    stn_slice_range(from[c], to[c])};
        int repeats = 0;
        for (int64_t i = from[r]; i < to[r]; i++)
            for (int64_t j = from[c]; j < to[c]; j++)
                repeats |= i != j && j >= from[r] && j < to[r] && i >= from[c] && i < to[c];
        part = slice_view(&x, 2, slices);
        assert_int_equal(stn_view_is_unique(&part), !repeats);
    }
    stn_view_release(&x);
}

typedef stn_status changed_size(const stn_exec *exec, stn_view *view, int rank,
                                const int64_t *extents, unsigned flags);

/* Every failure leaves the view unchanged. */
static void refuse_change(part_case *what, changed_size *change)
{
    int64_t extents[STN_MAX_RANK] = {0}, kept[STN_MAX_RANK];
    stn_view view = make_part(what);
    const stn_view same = view;
    stn_status status = STN_ERR_MEMORY;
    assert_int_equal(change(exec, &view, view.rank + 1, extents, 0), STN_ERR_SHAPE);
    assert_int_equal(change(exec, &view, view.rank, view.extent, 64), STN_ERR_ARGUMENT);
    if (view.rank > 0) {
        other_size(&view, extents, kept);
        for (int64_t n = 1; status == STN_ERR_MEMORY; n++) {
            assert_memory_equal(&view, &same, sizeof view);
            expect_kept(&view, view.extent);
            stn_fail_allocation(n);
            status = change(exec, &view, view.rank, extents, 0);
            stn_fail_allocation(0);
        }
        expect_ok(status);
        stn_view_release(&view);
        view = make_part(what);
        extents[0] = -1;
        assert_int_equal(change(exec, &view, view.rank, extents, 0), STN_ERR_SHAPE);
        extents[0] = INT64_MAX;
        assert_int_equal(change(exec, &view, view.rank, extents, 0), STN_ERR_RANGE);
        expect_kept(&view, view.extent);
    }
    stn_view_release(&view);
}

static void refuse_part(part_case *what)
{
    refuse_change(what, stn_view_resize);
    refuse_change(what, stn_view_reallocate);
}

UNIT_TEST(refused_changes_of_parts)
{
    for_all_parts(3, refuse_part);
}

RUN_UNIT_TESTS_ON(exec, "threads:threads=2")
