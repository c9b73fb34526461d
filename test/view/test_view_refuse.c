/* What views refuse: every error with its status, its words and nothing changed. The group called
 * "Kokkos is silent here" holds those that Kokkos takes without a word. */
#include <limits.h>
#include <stdio.h>

#include "core/memory.h"
#include "view/view.h"
#include "view_model.h"
#include "view/extra.h"
#include "make_view.h"

static _Alignas(64) double elements[4096];
static const int64_t extents[] = {3, 4, 5};
static const stn_view nothing;

/* The message has the words, and begins with the function that `call` is a call of. */
static void expect_call(stn_status wanted, const char *words, const char *call, stn_status status)
{
    const size_t name = strcspn(call, "(");
    if (status != wanted)
        fail_msg("%s, not %s: %s", stn_status_name(status), stn_status_name(wanted), stn_error());
    if (!strstr(stn_error(), words))
        fail_msg("'%s' does not say '%s'", stn_error(), words);
    if (strncmp(call, "stn_", 4) == 0 &&
        (strncmp(stn_error(), call, name) != 0 || stn_error()[name] != ':'))
        fail_msg("'%s' does not begin with '%.*s: '", stn_error(), (int)name, call);
}

#define expect(wanted, words, ...) expect_call(wanted, words, #__VA_ARGS__, __VA_ARGS__)

/* Descriptions of views: each member that a function does not take, and what contradicts another.
 */
static void refuse_spec(stn_status wanted, const char *words, stn_view_spec spec)
{
    stn_view view;
    memset(&view, 0x5a, sizeof view);
    expect_call(wanted, words, "stn_view_wrap_spec(", stn_view_wrap_spec(&view, &spec));
    assert_memory_equal(&view, &nothing, sizeof view);
}

static void free_nothing(void *data, void *context)
{
    (void)data;
    (void)context;
}

TEST_CASE(test_specs)
{
    static const int64_t strides[] = {20, 5, 1};
    const stn_layout left = stn_layout_of(STN_LAYOUT_LEFT);
    const stn_view_spec good = STN_VIEW_SPEC(.label = "spec", .storage = f64(), .rank = 3,
                                             .extents = extents, .data = elements);
    stn_view_spec bad = good;
    stn_view view;
    expect_ok(stn_view_wrap_spec(&view, &good));
    bad.layout = &left;
    bad.strides = strides;
    refuse_spec(STN_ERR_ARGUMENT, "strides", bad);
    bad = good;
    bad.flags = STN_CREATE_PADDED;
    refuse_spec(STN_ERR_ARGUMENT, "flags", bad);
    bad = good;
    bad.const_data = elements;
    refuse_spec(STN_ERR_ARGUMENT, "const_data", bad);
    bad = good;
    bad.free_data = free_nothing;
    refuse_spec(STN_ERR_ARGUMENT, "free_data", bad);
    bad = good;
    bad.size = 3;
    refuse_spec(STN_ERR_ARGUMENT, "size", bad);
    bad = good;
    bad.storage.scale = 0;
    refuse_spec(STN_ERR_ARGUMENT, "scale", bad);
    expect(STN_ERR_ARGUMENT, "data", stn_view_create_spec(NULL, &view, &good));
    expect(STN_ERR_ARGUMENT, "free_data", stn_view_adopt(&view, &good));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_wrap_spec(&view, NULL));
}

/* A view that cannot be created: the words, and a view that is all zeros. */
static void refuse_create(stn_status wanted, const char *words, stn_storage storage,
                          const stn_layout *layout, int rank, const int64_t *wished, unsigned flags)
{
    stn_view view;
    memset(&view, 0x5a, sizeof view);
    expect(wanted, words,
           stn_view_create_spec(NULL, &view,
                                &STN_VIEW_SPEC(.label = "november", .storage = storage,
                                               .layout = layout, .rank = rank, .extents = wished,
                                               .flags = flags)));
    assert_memory_equal(&view, &nothing, sizeof view);
}

static void refuse_layout(stn_status wanted, const char *words, const stn_layout *layout, int rank,
                          const int64_t *wished)
{
    stn_view view;
    refuse_create(wanted, words, f64(), layout, rank, wished, 0);
    memset(&view, 0x5a, sizeof view);
    expect(wanted, words,
           stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = "november", .storage = f64(),
                                                    .data = elements, .layout = layout,
                                                    .rank = rank, .extents = wished)));
    assert_memory_equal(&view, &nothing, sizeof view);
}

static stn_view wrapped(int rank)
{
    stn_view view;
    expect_ok(stn_view_wrap(&view, "oscar", f64(), elements, rank, extents));
    return view;
}

/* ---- Kokkos is silent here ---- */

/* K05: the number of extents, of indices and of slices. */
TEST_CASE(test_silent_counts)
{
    const stn_view view = wrapped(2);
    const int64_t indices[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const stn_slice slices[9] = {stn_slice_all(), stn_slice_all(), stn_slice_all()};
    const stn_layout tiles = stn_layout_tiled(2, extents, STN_LAYOUT_RIGHT);
    const stn_layout strides = stn_layout_strided(2, (const int64_t[]){4, 1});
    stn_view part = view;
    int64_t offset;
    double value;
    for (int count = -1; count <= 9; count++) {
        if (count == 2)
            continue;
        expect(STN_ERR_SHAPE, "oscar (f64, 3 x 4) has rank 2, but there are",
               stn_view_offset(&view, count, indices, &offset));
        expect(STN_ERR_SHAPE, "rank 2", stn_view_get(&view, count, indices, &value));
        expect(STN_ERR_SHAPE, "rank 2", stn_view_slice(&part, &view, count, slices));
        expect(STN_ERR_SHAPE, "rank 2", stn_view_share_slice(&part, &view, count, slices));
        if (count >= 0 && count <= STN_MAX_RANK) {
            refuse_layout(STN_ERR_ARGUMENT, "november: its layout has tiles of rank 2", &tiles,
                          count, indices);
            refuse_layout(STN_ERR_ARGUMENT, "its layout has 2 strides", &strides, count, indices);
        } else {
            refuse_layout(STN_ERR_ARGUMENT, "november: rank", &tiles, count, extents);
        }
    }
    assert_memory_equal(&part, &view, sizeof part);
}

/* K06: extents that are negative, whose product overflows, whose bytes do, and that nobody has. */
TEST_CASE(test_silent_extents)
{
    const int64_t big = (int64_t)1 << 40, half = (int64_t)1 << 32, most = INT64_MAX;
    const stn_layout layouts[] = {stn_layout_of(STN_LAYOUT_RIGHT), stn_layout_of(STN_LAYOUT_LEFT),
                                  stn_layout_of(STN_LAYOUT_BLOCK_COL_MAJOR),
                                  stn_layout_of(STN_LAYOUT_MORTON),
                                  stn_layout_tiled(2, (const int64_t[]){8, 8}, STN_LAYOUT_LEFT)};
    for (int k = 0; k < COUNT_OF(layouts); k++) {
        const stn_layout *layout = &layouts[k];
        refuse_layout(STN_ERR_SHAPE, "november: extent -1 of dimension 1", layout, 2,
                      (const int64_t[]){3, -1});
        refuse_layout(STN_ERR_RANGE, "november", layout, 2, (const int64_t[]){big, big});
        refuse_layout(STN_ERR_RANGE, "november", layout, 2, (const int64_t[]){half, half});
        refuse_layout(STN_ERR_RANGE, "november", layout, 2, (const int64_t[]){most, 2});
        refuse_layout(STN_ERR_RANGE, "november", layout, 2, (const int64_t[]){most / 8 + 1, 1});
    }
    refuse_create(STN_ERR_RANGE, "november (f64, 1152921504606846975)", f64(), NULL, 1,
                  (const int64_t[]){most / 8}, 0);
    for (int64_t less = 0; less <= 1 << 20; less = 2 * less + 1)
        refuse_create(STN_ERR_RANGE, "exceeds the address space", stn_storage_of(STN_I8), NULL, 1,
                      (const int64_t[]){most - less}, STN_CREATE_UNINITIALIZED);
    stn_fail_allocation(2);
    refuse_create(STN_ERR_MEMORY,
                  "november (f64, 1000000): 8000000 bytes of host memory are not available", f64(),
                  NULL, 1, (const int64_t[]){1000000}, STN_CREATE_UNINITIALIZED);
    stn_fail_allocation(0);
    refuse_layout(STN_ERR_ARGUMENT, "rank 9", &layouts[0], 9, extents);
    refuse_layout(STN_ERR_ARGUMENT, "rank -1", &layouts[0], -1, extents);
}

/* K25: strides(...) writes what there are, and only where there is room. Its canary test is with
 * the layouts. */
TEST_CASE(test_silent_strides)
{
    const stn_view view = wrapped(3);
    int64_t strides[3] = {7, 7, 7};
    expect(STN_ERR_RANGE, "oscar (f64, 3 x 4 x 5) has 3 strides, but capacity is 2",
           stn_view_strides(&view, strides, 2));
    expect(STN_ERR_RANGE, "capacity is -1", stn_view_strides(&view, strides, -1));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_strides(&view, NULL, 3));
    assert_int_equal(strides[0], 7);
}

/* K26: dimensions that there are not. */
TEST_CASE(test_silent_dimensions)
{
    static const int wrong[] = {INT_MIN, -1, 2, 3, 8, 9, INT_MAX};
    const stn_view view = wrapped(2);
    int64_t number = 7;
    for (int k = 0; k < COUNT_OF(wrong); k++) {
        char words[80];
        (void)snprintf(words, sizeof words, "dimension %d is out of range for oscar (f64, 3 x 4)",
                       wrong[k]);
        expect(STN_ERR_RANGE, words, stn_view_extent(&view, wrong[k], &number));
        expect(STN_ERR_RANGE, words, stn_view_stride(&view, wrong[k], &number));
    }
    assert_int_equal(number, 7);
    expect(STN_ERR_RANGE, "dimension 0 is out of range", stn_view_extent(&nothing, 0, &number));
}

/* K65: alignment that is promised and not there. */
TEST_CASE(test_silent_alignment)
{
    for (int k = 1; k < 8; k++) {
        stn_view view;
        expect_ok(stn_view_wrap(&view, "papa", f64(), elements + k, 1, extents));
        expect(STN_ERR_ARGUMENT, "papa (f64, 3): data at",
               stn_view_set_traits(&view, STN_TRAIT_ALIGNED));
        assert_int_equal(view.traits, 0);
    }
    stn_view view = wrapped(1);
    expect_ok(stn_view_set_traits(&view, STN_TRAIT_ALIGNED));
    expect(STN_ERR_ARGUMENT, "traits 0x20 are unknown", stn_view_set_traits(&view, 32));
    assert_int_equal(view.traits, STN_TRAIT_ALIGNED);
}

/* K72: extents that are fixed. */
TEST_CASE(test_silent_fixed)
{
    stn_view to = wrapped(2);
    const stn_view from = wrapped(1);
    stn_view other;
    expect_ok(stn_view_wrap(&other, "papa", f64(), elements, 2, (const int64_t[]){3, 11}));
    expect_ok(stn_view_fix_extents(&to, 2));
    expect(STN_ERR_SHAPE, "extent 1 of oscar (f64, 3 x 4) is fixed, and papa (f64, 3 x 11) has 11",
           stn_view_assign(&to, &other));
    expect(STN_ERR_SHAPE, "rank", stn_view_assign(&to, &from));
    expect(STN_ERR_ARGUMENT, "dimensions is 0x4, but oscar (f64, 3 x 4) has rank 2",
           stn_view_fix_extents(&to, 4));
    assert_int_equal(to.fixed, 2);
}

/* Slices that begin, end or step outside, or go backward by mistake. */
TEST_CASE(test_silent_slices)
{
    const int64_t most = INT64_MAX, least = INT64_MIN;
    const stn_slice outside[] = {stn_slice_index(-1),
                                 stn_slice_index(3),
                                 stn_slice_index(most),
                                 stn_slice_index(least),
                                 stn_slice_range(2, 9),
                                 stn_slice_range(-1, 2),
                                 stn_slice_range(4, 4),
                                 stn_slice_range(-1, -1),
                                 stn_slice_range(0, 4),
                                 stn_slice_range(0, most),
                                 stn_slice_range(least, most),
                                 stn_slice_range(-5, most),
                                 stn_slice_strided(0, 2, 3),
                                 stn_slice_strided(1, 3, -1),
                                 stn_slice_strided(3, 1, 1),
                                 stn_slice_strided(0, 3, most),
                                 stn_slice_strided(2, most, most),
                                 stn_slice_strided(2, 2, least),
                                 stn_slice_strided(2, most, -1)};
    const stn_slice reversed[] = {stn_slice_range(2, 1),       stn_slice_range(0, -1),
                                  stn_slice_range(1, least),   stn_slice_range(most, least),
                                  stn_slice_strided(0, -1, 1), stn_slice_strided(0, least, 1)};
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++) {
        const stn_layout layout = model_layout_of(l, 2, extents);
        stn_view view, part;
        view = create_view(NULL, "quebec", f64(), &layout, 2, extents, 0);
        memset(&part, 0x5a, sizeof part);
        const stn_view before = part;
        for (int k = 0; k < COUNT_OF(outside); k++)
            expect(
                STN_ERR_RANGE, "quebec (f64, 3 x 4):",
                stn_view_slice(&part, &view, 2, (const stn_slice[]){outside[k], stn_slice_all()}));
        for (int k = 0; k < COUNT_OF(reversed); k++)
            expect(
                STN_ERR_RANGE, "are reversed",
                stn_view_slice(&part, &view, 2, (const stn_slice[]){reversed[k], stn_slice_all()}));
        expect(
            STN_ERR_ARGUMENT, "the step in dimension 1 is 0",
            stn_view_share_slice(&part, &view, 2,
                                 (const stn_slice[]){stn_slice_all(), stn_slice_strided(0, 1, 0)}));
        stn_slice unknown = stn_slice_index(1);
        unknown.mode = (stn_slice_mode)3;
        expect(STN_ERR_ARGUMENT, "mode 3 of the slice of dimension 1 is unknown (0 to 2)",
               stn_view_slice(&part, &view, 2, (const stn_slice[]){stn_slice_all(), unknown}));
        assert_memory_equal(&part, &before, sizeof part);
        assert_int_equal(stn_view_use_count(&view), 1);
        stn_view_release(&view);
    }
}

/* ---- creating ---- */

static int64_t below(const void *context, int rank, const int64_t *sizes, const int64_t *indices)
{
    (void)context, (void)rank, (void)sizes;
    return indices[0] - 1;
}

static int64_t beyond(const void *context, int rank, const int64_t *sizes, const int64_t *indices)
{
    (void)context, (void)rank, (void)sizes;
    return 2 * indices[0];
}

static int64_t span(const void *context, int rank, const int64_t *sizes)
{
    (void)rank;
    return context ? *(const int64_t *)context : sizes[0];
}

TEST_CASE(test_layouts)
{
    const int64_t minus = -1, few = 2;
    stn_layout layout = stn_layout_custom(below, span, NULL);
    refuse_layout(STN_ERR_ARGUMENT, "a corner at offset -1", &layout, 1, extents);
    layout = stn_layout_custom(beyond, span, NULL);
    refuse_layout(STN_ERR_ARGUMENT, "a corner at offset 4, outside its span of 3", &layout, 1,
                  extents);
    layout = stn_layout_custom(beyond, span, &minus);
    refuse_layout(STN_ERR_RANGE, "custom layout rejects extents 3", &layout, 1, extents);
    layout = stn_layout_custom(beyond, span, &few);
    refuse_layout(STN_ERR_ARGUMENT, "a span of 2 for 3 elements", &layout, 1, extents);
    layout = stn_layout_custom(NULL, span, NULL);
    refuse_layout(STN_ERR_ARGUMENT, "the offset function", &layout, 1, extents);
    layout = stn_layout_custom(beyond, NULL, NULL);
    refuse_layout(STN_ERR_ARGUMENT, "the span function", &layout, 1, extents);
    layout = stn_layout_of((stn_layout_kind)9);
    refuse_layout(STN_ERR_ARGUMENT, "layout kind 9", &layout, 1, extents);
    layout = stn_layout_of((stn_layout_kind)-1);
    refuse_layout(STN_ERR_ARGUMENT, "layout kind -1", &layout, 1, extents);
    layout = stn_layout_tiled(1, &few, STN_LAYOUT_MORTON);
    refuse_layout(STN_ERR_ARGUMENT, "the layout within tiles is morton; it must be right or left",
                  &layout, 1, extents);
    layout = stn_layout_tiled(2, (const int64_t[]){2, 0}, STN_LAYOUT_RIGHT);
    refuse_layout(STN_ERR_ARGUMENT, "tile extent 0 in dimension 1; it must be at least 1", &layout,
                  2, extents);
    layout = stn_layout_tiled(9, extents, STN_LAYOUT_RIGHT);
    refuse_layout(STN_ERR_ARGUMENT, "tiles of rank -1", &layout, 2, extents);
    layout = stn_layout_strided(2, NULL);
    refuse_layout(STN_ERR_ARGUMENT, "its layout has -1 strides", &layout, 2, extents);
}

TEST_CASE(test_create)
{
    const stn_layout twice = stn_layout_strided(2, (const int64_t[]){1, 1});
    const stn_layout repeats = stn_layout_strided(2, (const int64_t[]){0, 1});
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    const stn_layout gaps = stn_layout_strided(2, (const int64_t[]){9, 2});
    refuse_create(STN_ERR_ARGUMENT, "two elements the same position", f64(), &twice, 2, extents, 0);
    refuse_create(STN_ERR_ARGUMENT, "two elements the same position", f64(), &repeats, 2, extents,
                  0);
    refuse_create(STN_ERR_ARGUMENT, "flags 0x10", f64(), NULL, 2, extents, 16);
    refuse_create(STN_ERR_ARGUMENT, "both STN_CREATE_PINNED and STN_CREATE_MANAGED", f64(), NULL, 2,
                  extents, STN_CREATE_PINNED | STN_CREATE_MANAGED);
    refuse_create(STN_ERR_ARGUMENT, "morton cannot be padded", f64(), &morton, 2, extents,
                  STN_CREATE_PADDED);
    refuse_create(STN_ERR_ARGUMENT, "strided cannot be padded", f64(), &gaps, 2, extents,
                  STN_CREATE_PADDED);
    refuse_create(STN_ERR_ARGUMENT, "extents is NULL", f64(), NULL, 2, NULL, 0);
    refuse_create(STN_ERR_FORMAT, "", stn_storage_of(-1), NULL, 2, extents, 0);
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_create(NULL, NULL, "november", f64(), 2, extents));
    expect(
        STN_ERR_ARGUMENT, "NULL",
        stn_view_wrap_spec(NULL, &STN_VIEW_SPEC(.label = "november", .storage = f64(),
                                                .data = elements, .rank = 2, .extents = extents)));
    stn_view view;
    expect(STN_ERR_ARGUMENT, "data is NULL",
           stn_view_wrap_spec(&view,
                              &STN_VIEW_SPEC(.label = "november", .storage = f64(), .data = NULL,
                                             .layout = &morton, .rank = 2, .extents = extents)));
    expect(STN_ERR_ARGUMENT, "not aligned",
           stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = "november", .storage = f64(),
                                                    .data = (char *)elements + 1, .layout = &morton,
                                                    .rank = 2, .extents = extents)));
    expect(STN_ERR_RANGE, "november",
           stn_view_wrap_spec(&view,
                              &STN_VIEW_SPEC(.label = "november", .storage = f64(),
                                             .data = (void *)(UINTPTR_MAX - 63), .layout = &morton,
                                             .rank = 2, .extents = extents)));
}

/* ---- asking ---- */

TEST_CASE(test_indices)
{
    static const int64_t wrong[] = {INT64_MIN, -1, 2, 3, INT64_MAX};
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++)
        for (int rank = 1; rank <= STN_MAX_RANK; rank++) {
            const int64_t twos[STN_MAX_RANK] = {2, 2, 2, 2, 2, 2, 2, 2};
            const stn_layout layout = model_layout_of(l, rank, twos);
            stn_view view;
            view = create_view(NULL, "romeo", stn_storage_of(STN_I8), &layout, rank, twos, 0);
            for (int d = 0; d < rank; d++)
                for (int k = 0; k < COUNT_OF(wrong); k++) {
                    int64_t indices[STN_MAX_RANK] = {0}, offset = 7;
                    char words[120];
                    double value = 7.0;
                    void *address = NULL;
                    indices[d] = wrong[k];
                    (void)snprintf(words, sizeof words,
                                   "): index %lld of dimension %d is outside its extent 2",
                                   (long long)wrong[k], d);
                    expect(STN_ERR_RANGE, words, stn_view_offset(&view, rank, indices, &offset));
                    expect(STN_ERR_RANGE, words, stn_view_get(&view, rank, indices, &value));
                    expect(STN_ERR_RANGE, words, stn_view_set(&view, rank, indices, 1.0));
                    expect(STN_ERR_RANGE, words, stn_view_address(&view, rank, indices, &address));
                    assert_true(offset == 7 && value == 7.0 && !address);
                }
            stn_view_release(&view);
        }
    const stn_view view = wrapped(2);
    int64_t offset;
    expect(STN_ERR_RANGE,
           "stn_view_offset: oscar (f64, 3 x 4): index 5 of dimension 1 is outside its extent 4",
           stn_view_offset(&view, 2, (const int64_t[]){2, 5}, &offset));
}

/* A custom layout that goes astray between its corners. */
static int64_t astray(const void *context, int rank, const int64_t *sizes, const int64_t *indices)
{
    (void)context, (void)rank, (void)sizes;
    return indices[0] == 1 ? 1000 : indices[0];
}

TEST_CASE(test_astray)
{
    const stn_layout layout = stn_layout_custom(astray, span, NULL);
    stn_view view;
    double value;
    view = create_view(NULL, "sierra", f64(), &layout, 1, extents, 0);
    expect(STN_ERR_RANGE, "sierra (f64, 3): its custom layout gives offset 1000",
           STN_VIEW_GET(&view, &value, 1));
    expect_ok(STN_VIEW_GET(&view, &value, 2));
    stn_view_release(&view);
}

TEST_CASE(test_null)
{
    stn_view view = wrapped(1), part;
    int64_t number;
    int flag;
    const int64_t index = 0;
    stn_view alien = view;
    alien.size = 1;
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_share(NULL, &view));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_share(&part, NULL));
    expect(STN_ERR_ARGUMENT, "view is not an initialized view: its member size is 1, not",
           stn_view_share(&part, &alien));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_extent(&view, 0, NULL));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_extent(NULL, 0, &number));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_offset(&view, 1, &index, NULL));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_offset(&view, 1, NULL, &number));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_address(&view, 1, &index, NULL));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_get(&view, 1, &index, NULL));
    expect(STN_ERR_ARGUMENT, "NULL",
           stn_view_slice(NULL, &view, 1, &(stn_slice){.mode = STN_SLICE_ALL}));
    expect(STN_ERR_ARGUMENT, "NULL",
           stn_view_slice(&part, NULL, 1, &(stn_slice){.mode = STN_SLICE_ALL}));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_slice(&part, &view, 1, NULL));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_permute(&part, &view, 1, NULL));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_permute(NULL, &view, 1, (const int[]){0}));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_set_scales(&view, NULL));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_set_traits(NULL, 0));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_fix_extents(NULL, 0));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_set_space(NULL, STN_SPACE_HOST));
    view = wrapped(2);
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_leading_dimension(&view, NULL, &flag));
    expect(STN_ERR_ARGUMENT, "NULL", stn_view_leading_dimension(&view, &number, NULL));
    expect(STN_ERR_RANGE, "nothing", stn_view_get(&nothing, 0, NULL, &(double){0}));
    assert_int_equal(stn_view_is_lvalue(NULL) + stn_view_is_lvalue(&nothing), 0);
}

TEST_CASE(test_orders)
{
    static const int wrong[][3] = {{0, 1, 1}, {0, 1, 3}, {-1, 1, 2}, {2, 2, 2}};
    const stn_view view = wrapped(3);
    stn_view turned = view;
    for (int k = 0; k < 4; k++)
        expect(STN_ERR_ARGUMENT, "order must have each of 0 to 2 once: oscar (f64, 3 x 4 x 5)",
               stn_view_permute(&turned, &view, 3, wrong[k]));
    expect(STN_ERR_ARGUMENT, "rank 3", stn_view_permute(&turned, &view, 2, wrong[0]));
    assert_memory_equal(&turned, &view, sizeof turned);
}

TEST_CASE(test_mapped)
{
    for (model_layout l = MODEL_TILED_RIGHT; l < MODEL_LAYOUTS; l++) {
        const stn_layout layout = model_layout_of(l, 2, extents);
        stn_view view;
        int64_t strides[2] = {7, 7}, leading = 7;
        int flag = 7;
        view = create_view(NULL, "tango", f64(), &layout, 2, extents, 0);
        expect(STN_ERR_UNSUPPORTED, "no strides", stn_view_stride(&view, 0, strides));
        expect(STN_ERR_UNSUPPORTED, "no strides", stn_view_strides(&view, strides, 2));
        expect(STN_ERR_UNSUPPORTED, "no strides",
               stn_view_leading_dimension(&view, &leading, &flag));
        expect(STN_ERR_UNSUPPORTED, "only strided views take scales that differ",
               stn_view_set_scales(&view, &(stn_scales){.data = elements, .format = STN_F64}));
        assert_true(strides[0] == 7 && leading == 7 && flag == 7);
        stn_view_release(&view);
    }
}

/* ---- properties ---- */

TEST_CASE(test_scales)
{
    stn_view view = wrapped(2);
    const stn_scales good = {.data = elements,
                             .format = STN_F64,
                             .dimension = 1,
                             .block = 2,
                             .phase = 1,
                             .stride = {2, 1}};
    stn_scales scales = good;
    scales.format = STN_F16;
    expect(STN_ERR_FORMAT, "scales->format is f16; it must be f64 or f32",
           stn_view_set_scales(&view, &scales));
    scales = good;
    scales.data = (char *)elements + 1;
    expect(STN_ERR_ARGUMENT, "not aligned", stn_view_set_scales(&view, &scales));
    scales = good;
    scales.dimension = 2;
    expect(STN_ERR_ARGUMENT, "scales->dimension is 2, but", stn_view_set_scales(&view, &scales));
    scales.dimension = -2;
    expect(STN_ERR_ARGUMENT, "scales->dimension is -2, but", stn_view_set_scales(&view, &scales));
    scales = good;
    scales.block = 0;
    expect(STN_ERR_ARGUMENT, "scales->block is 0", stn_view_set_scales(&view, &scales));
    scales = good;
    scales.phase = 2;
    expect(STN_ERR_ARGUMENT, "scales->block is 2 and scales->phase 2",
           stn_view_set_scales(&view, &scales));
    scales = good;
    scales.stride[0] = INT64_MAX / 2;
    expect(STN_ERR_RANGE, "address space", stn_view_set_scales(&view, &scales));
    assert_false(stn_view_has_scales(&view));
    expect_ok(stn_view_set_scales(&view, &good));
    expect(STN_ERR_ARGUMENT, "scale", (elements[0] = 0.0, STN_VIEW_SET(&view, 1.0, 0, 0)));
    expect_ok(stn_view_set_scales(&view, &(stn_scales){.data = NULL}));
    assert_int_equal(stn_view_is_lvalue(&view), 1);
}

TEST_CASE(test_space)
{
    stn_view view = wrapped(1);
    expect(STN_ERR_ARGUMENT, "space 4", stn_view_set_space(&view, (stn_space)4));
    expect(STN_ERR_ARGUMENT, "space -1", stn_view_set_space(&view, (stn_space)-1));
    assert_int_equal(view.space, STN_SPACE_HOST);
    expect_ok(stn_view_create(NULL, &view, "uniform", f64(), 1, extents));
    expect(STN_ERR_ARGUMENT, "uniform (f64, 3) owns memory that the library allocated",
           stn_view_set_space(&view, STN_SPACE_DEVICE));
    stn_view_release(&view);
    assert_string_equal(stn_space_name((stn_space)9), "unknown space");
    for (int k = -1; k <= 4; k++)
        assert_int_equal(stn_space_accessible(NULL, (stn_space)k), k >= 0 && k < 3);
}

/* ---- elements ---- */

/* Memory out of reach, at ranks 0 to 8: refused in every build, and not touched. */
TEST_CASE(test_reach)
{
    const int64_t indices[STN_MAX_RANK] = {0}, ones[STN_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int rank = 0; rank <= STN_MAX_RANK; rank++) {
        stn_view view;
        double value;
        void *address;
        expect_ok(stn_view_wrap(&view, "victor", f64(), (void *)(uintptr_t)4096, rank, ones));
        expect_ok(stn_view_set_space(&view, STN_SPACE_DEVICE));
        expect(STN_ERR_UNSUPPORTED, "device) is in device memory, which the host cannot access",
               stn_view_get(&view, rank, indices, &value));
        expect(STN_ERR_UNSUPPORTED, "victor", stn_view_set(&view, rank, indices, 1.0));
        expect(STN_ERR_UNSUPPORTED, "victor", stn_view_address(&view, rank, indices, &address));
        assert_int_equal(stn_view_is_lvalue(&view), 0);
        int64_t offset;
        expect_ok(stn_view_offset(&view, rank, indices, &offset));
    }
}

TEST_CASE(test_elements)
{
    stn_view view = wrapped(1);
    double value;
    void *address;
    const int64_t index = 1;
    stn_format opaque;
    elements[1] = 5.0;
    view.read_only = 1;
    expect(STN_ERR_ARGUMENT, "oscar (f64, 3) is read-only", stn_view_set(&view, 1, &index, 1.0));
    view.read_only = 0;
    expect_ok(stn_view_set_traits(&view, STN_TRAIT_RANDOM_ACCESS));
    expect(STN_ERR_ARGUMENT, "read-only", stn_view_set(&view, 1, &index, 1.0));
    expect_ok(stn_view_get(&view, 1, &index, &value));
    assert_true(value == 5.0);
    expect_ok(stn_view_set_traits(&view, STN_TRAIT_ATOMIC));
    expect(STN_ERR_UNSUPPORTED, "atomic", stn_view_address(&view, 1, &index, &address));
    assert_int_equal(stn_view_is_lvalue(&view), 0);
    expect_ok(stn_view_wrap(&view, "complex", stn_storage_of(STN_C128), elements, 1, extents));
    expect(STN_ERR_UNSUPPORTED, "", stn_view_get(&view, 1, &index, &value));
    expect_ok(stn_format_opaque(&opaque, 16, 8));
    expect_ok(stn_view_wrap(&view, "opaque", stn_storage_of(opaque), elements, 1, extents));
    expect(STN_ERR_UNSUPPORTED, "", stn_view_get(&view, 1, &index, &value));
    assert_true(elements[1] == 5.0);
}

int main(void)
{
    const struct CMUnitTest silent[] = {
        cmocka_unit_test(test_specs),
        cmocka_unit_test(test_silent_counts),
        cmocka_unit_test(test_silent_extents),
        cmocka_unit_test(test_silent_strides),
        cmocka_unit_test(test_silent_dimensions),
        cmocka_unit_test(test_silent_alignment),
        cmocka_unit_test(test_silent_fixed),
        cmocka_unit_test(test_silent_slices),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),  cmocka_unit_test(test_create),
        cmocka_unit_test(test_indices),  cmocka_unit_test(test_astray),
        cmocka_unit_test(test_null),     cmocka_unit_test(test_orders),
        cmocka_unit_test(test_mapped),   cmocka_unit_test(test_scales),
        cmocka_unit_test(test_space),    cmocka_unit_test(test_reach),
        cmocka_unit_test(test_elements),
    };
    return cmocka_run_group_tests_name("Kokkos is silent here", silent, NULL, NULL) +
           cmocka_run_group_tests_name("view refusals", tests, NULL, NULL);
}
