/* Refused views: descriptions, layouts, slices and indices. Each error has its status,
 * names the function and the argument, and nothing changes. "K05" and so on are cases that Kokkos
 * accepts without an error. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "view_model.h"
#include "make_view.h"

static _Alignas(64) double elements[4096];
static const int64_t extents[] = {3, 4, 5};
static const stn_view nothing;

/* ---- descriptions ---- */

static void refuse_wrap_spec(stn_status expected, const char *text, stn_view_spec spec)
{
    stn_view view;
    memset(&view, 0x5a, sizeof view);
    expect_refused(expected, text, stn_view_wrap_spec(&view, &spec));
    assert_memory_equal(&view, &nothing, sizeof view);
}

/* Refused for writable and for constant memory. */
static void refuse_wrap(stn_status expected, const char *text, stn_storage storage, void *data,
                        int rank, const int64_t *wished, const int64_t *strides)
{
    for (int is_const = 0; is_const < 2; is_const++)
        refuse_wrap_spec(expected, text,
                         STN_VIEW_SPEC(.label = "golf", .storage = storage,
                                       .data = is_const ? NULL : data,
                                       .const_data = is_const ? data : NULL, .rank = rank,
                                       .extents = wished, .strides = strides));
}

static void refuse_create(stn_status expected, const char *text, stn_storage storage,
                          const stn_layout *layout, int rank, const int64_t *wished, unsigned flags)
{
    stn_view view;
    memset(&view, 0x5a, sizeof view);
    expect_refused(expected, text,
                   stn_view_create_spec(NULL, &view,
                                        &STN_VIEW_SPEC(.label = "november", .storage = storage,
                                                       .layout = layout, .rank = rank,
                                                       .extents = wished, .flags = flags)));
    assert_memory_equal(&view, &nothing, sizeof view);
}

static void refuse_layout(stn_status expected, const char *text, const stn_layout *layout, int rank,
                          const int64_t *wished)
{
    refuse_create(expected, text, f64(), layout, rank, wished, 0);
    refuse_wrap_spec(expected, text,
                     STN_VIEW_SPEC(.label = "november", .storage = f64(), .data = elements,
                                   .layout = layout, .rank = rank, .extents = wished));
}

static stn_view wrapped(int rank)
{
    return wrap_view("oscar", f64(), elements, rank, extents);
}

static void free_nothing(void *data, void *context)
{
    (void)data, (void)context;
}

/* Members that a function does not take, and members that contradict others. */
UNIT_TEST(members_of_descriptions)
{
    static const int64_t strides[] = {20, 5, 1};
    const stn_layout left = stn_layout_of(STN_LAYOUT_LEFT);
    const stn_view_spec good = STN_VIEW_SPEC(.label = "spec", .storage = f64(), .rank = 3,
                                             .extents = extents, .data = elements);
    stn_view view = wrap_spec(good);
    stn_view_spec bad;
#define BAD(statement, text)                                                                       \
    bad = good;                                                                                    \
    statement;                                                                                     \
    refuse_wrap_spec(STN_ERR_ARGUMENT, text, bad)
    BAD((bad.layout = &left, bad.strides = strides), "strides");
    BAD(bad.flags = STN_CREATE_PADDED, "flags");
    BAD(bad.const_data = elements, "const_data");
    BAD(bad.free_data = free_nothing, "free_data");
    BAD(bad.size = 3, "size");
    BAD(bad.storage.scale = 0, "scale");
    expect_refused(STN_ERR_ARGUMENT, "data", stn_view_create_spec(NULL, &view, &good));
    expect_refused(STN_ERR_ARGUMENT, "free_data", stn_view_adopt(&view, &good));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_wrap_spec(&view, NULL));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_wrap_spec(NULL, &good));
    expect_refused(STN_ERR_ARGUMENT, "NULL",
                   stn_view_wrap(NULL, "golf", f64(), elements, 1, extents));
    expect_refused(STN_ERR_ARGUMENT, "NULL",
                   stn_view_wrap_const(NULL, "golf", f64(), elements, 1, extents));
    expect_refused(STN_ERR_ARGUMENT, "NULL",
                   stn_view_create(NULL, NULL, "november", f64(), 2, extents));
}

UNIT_TEST(storages)
{
    static const struct {
        const char *text;
        stn_format format;
        double scale, zero;
        int rounding, overflow;
    } cases[] = {{"codes: scale 0", STN_F64, 0, 0, 0, 0},
                 {"codes: scale nan", STN_F64, NAN, 0, 0, 0},
                 {"codes: scale inf", STN_F64, INFINITY, 0, 0, 0},
                 {"codes: zero point nan", STN_F64, 1, NAN, 0, 0},
                 {"codes: rounding 9 is unknown (0 to 2)", STN_F64, 1, 0, 9, 0},
                 {"codes: overflow rule 9 is unknown (0 to 3)", STN_F64, 1, 0, 0, 9},
                 {"codes: format 4711 is unknown", 4711, 1, 0, 0, 0},
                 {"codes: format -1 is unknown", -1, 1, 0, 0, 0},
                 {"codes: format 2147483647 is unknown", INT32_MAX, 1, 0, 0, 0}};
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const stn_status expected = cases[k].format == STN_F64 ? STN_ERR_ARGUMENT : STN_ERR_FORMAT;
        stn_storage storage = stn_storage_of(cases[k].format);
        stn_view view;
        storage.scale = cases[k].scale;
        storage.zero = cases[k].zero;
        storage.rounding = (stn_rounding)cases[k].rounding;
        storage.overflow = (stn_overflow)cases[k].overflow;
        expect_refused(expected, cases[k].text,
                       stn_view_wrap(&view, "codes", storage, elements, 1, extents));
        assert_int_equal(view.size, 0);
        expect_refused(expected, cases[k].text,
                       stn_view_create(NULL, &view, "codes", storage, 1, extents));
    }
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        (void)wrap_view("golf", stn_storage_of(format), elements, 1, extents);
    refuse_wrap(STN_ERR_FORMAT, "", stn_storage_of(stn_format_count()), elements, 1, extents, NULL);
}

UNIT_TEST(memory)
{
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    void *const last = (void *)(UINTPTR_MAX - 63);
    refuse_wrap(STN_ERR_ARGUMENT, "golf (f64, 3): data is NULL", f64(), NULL, 1, extents, NULL);
    refuse_wrap(STN_ERR_ARGUMENT, "data is NULL", f64(), NULL, 0, NULL, NULL);
    refuse_wrap(STN_ERR_ARGUMENT, "golf: extents is NULL", f64(), elements, 1, NULL, NULL);
#define MORTON(where)                                                                              \
    STN_VIEW_SPEC(.label = "november", .storage = f64(), .data = where, .layout = &morton,         \
                  .rank = 2, .extents = extents)
    refuse_wrap_spec(STN_ERR_ARGUMENT, "data is NULL", MORTON(NULL));
    refuse_wrap_spec(STN_ERR_ARGUMENT, "not aligned", MORTON((char *)elements + 1));
    refuse_wrap_spec(STN_ERR_RANGE, "november", MORTON(last));
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        expect_ok(stn_format_describe(format, &info));
        for (int64_t offset = 0; offset < 16; offset++) {
            char *data = (char *)elements + 16 + offset, text[80];
            (void)snprintf(text, sizeof text, "golf (%s, 3): data at", info.name);
            if ((uintptr_t)data % (uintptr_t)info.alignment == 0)
                (void)wrap_view("golf", stn_storage_of(format), data, 1, extents);
            else
                refuse_wrap(STN_ERR_ARGUMENT, text, stn_storage_of(format), data, 1, extents, NULL);
        }
    }
}

/* Counts, offsets and bytes that exceed 64 bits, and elements beyond either end of memory. */
UNIT_TEST(sizes_that_overflow)
{
    const int64_t half = (int64_t)1 << 32, most = INT64_MAX, least = INT64_MIN;
    const struct {
        int64_t extents[3], strides[3];
        int rank, has_strides;
    } cases[] = {{{(int64_t)1 << 21, (int64_t)1 << 21, (int64_t)1 << 21}, {0}, 3, 0},
                 {{most}, {0}, 1, 0},
                 {{half, half}, {0, 0}, 2, 1},
                 {{2}, {most}, 1, 1},
                 {{2}, {least}, 1, 1},
                 {{3}, {least / 2 - 1}, 1, 1},
                 {{2, 2}, {most / 2 + 1, most / 2 + 1}, 2, 1},
                 {{2, 2}, {-most, -most}, 2, 1},
                 {{2}, {most / 8 + 1}, 1, 1}};
    const int64_t square[] = {half, half}, nine[] = {9}, ten[] = {10}, seven[] = {7}, back[] = {-1};
    void *const first = (void *)(uintptr_t)64, *const last = (void *)(UINTPTR_MAX - 63);
    for (int k = 0; k < COUNT_OF(cases); k++)
        refuse_wrap(STN_ERR_RANGE, "golf", f64(), elements, cases[k].rank, cases[k].extents,
                    cases[k].has_strides ? cases[k].strides : NULL);
    refuse_wrap(STN_ERR_RANGE, "golf (f64, 4294967296 x 4294967296)", f64(), elements, 2, square,
                NULL);
    refuse_wrap(STN_ERR_RANGE, "golf", f64(), first, 1, ten, back);
    refuse_wrap(STN_ERR_RANGE, "golf", f64(), last, 1, nine, NULL);
    (void)wrap_strided("golf", f64(), (char *)first + 8, 1, ten, back);
    (void)wrap_view("golf", f64(), last, 1, seven);
}

UNIT_TEST(ranks_and_labels)
{
    static const int64_t ones[STN_MAX_RANK + 1] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, minus[] = {2, -1};
    static const int64_t least[] = {0, INT64_MIN};
    char label[3000];
    stn_view view;
    refuse_wrap(STN_ERR_ARGUMENT, "rank 9", f64(), elements, STN_MAX_RANK + 1, ones, NULL);
    refuse_wrap(STN_ERR_ARGUMENT, "rank -1", f64(), elements, -1, ones, NULL);
    refuse_wrap(STN_ERR_ARGUMENT, "golf", f64(), elements, INT_MIN, ones, NULL);
    refuse_wrap(STN_ERR_SHAPE, "extent -1 of dimension 1", f64(), elements, 2, minus, NULL);
    refuse_wrap(STN_ERR_SHAPE, "golf", f64(), elements, 2, least, NULL);
    memset(label, 'l', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    expect_refused(STN_ERR_SHAPE, "without a label",
                   stn_view_wrap(&view, NULL, f64(), elements, 1, minus + 1));
    expect_refused(STN_ERR_SHAPE, "", stn_view_wrap(&view, label, f64(), elements, 1, minus + 1));
    expect_refused(STN_ERR_ARGUMENT, "", stn_view_wrap(&view, label, f64(), NULL, 1, extents));
}

/* K06: extents that are negative, whose product or bytes overflow, and that no machine has. */
UNIT_TEST(extents_of_every_layout)
{
    const int64_t most = INT64_MAX;
    const int64_t overflows[][2] = {{(int64_t)1 << 40, (int64_t)1 << 40},
                                    {(int64_t)1 << 32, (int64_t)1 << 32},
                                    {most, 2},
                                    {most / 8 + 1, 1}};
    const stn_layout layouts[] = {stn_layout_of(STN_LAYOUT_RIGHT), stn_layout_of(STN_LAYOUT_LEFT),
                                  stn_layout_of(STN_LAYOUT_BLOCK_COL_MAJOR),
                                  stn_layout_of(STN_LAYOUT_MORTON),
                                  stn_layout_tiled(2, (const int64_t[]){8, 8}, STN_LAYOUT_LEFT)};
    for (int l = 0; l < COUNT_OF(layouts); l++) {
        refuse_layout(STN_ERR_SHAPE, "november: extent -1 of dimension 1", &layouts[l], 2,
                      (const int64_t[]){3, -1});
        for (int k = 0; k < COUNT_OF(overflows); k++)
            refuse_layout(STN_ERR_RANGE, "november", &layouts[l], 2, overflows[k]);
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
}

/* ---- layouts ---- */

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

UNIT_TEST(layouts)
{
    static const int64_t minus = -1, few = 2;
    const struct {
        stn_status status;
        const char *text;
        stn_layout layout;
        int rank;
    } cases[] = {
        {STN_ERR_ARGUMENT, "a corner at offset -1", stn_layout_custom(below, span, NULL), 1},
        {STN_ERR_ARGUMENT, "a corner at offset 4, outside its span of 3",
         stn_layout_custom(beyond, span, NULL), 1},
        {STN_ERR_RANGE, "the span function of its custom layout rejects extents 3 x 4",
         stn_layout_custom(beyond, span, &minus), 2},
        {STN_ERR_ARGUMENT, "a span of 2 for 3 elements", stn_layout_custom(beyond, span, &few), 1},
        {STN_ERR_ARGUMENT, "the offset function", stn_layout_custom(NULL, span, NULL), 1},
        {STN_ERR_ARGUMENT, "the span function", stn_layout_custom(beyond, NULL, NULL), 1},
        {STN_ERR_ARGUMENT, "layout kind 9", stn_layout_of((stn_layout_kind)9), 1},
        {STN_ERR_ARGUMENT, "layout kind -1", stn_layout_of((stn_layout_kind)-1), 1},
        {STN_ERR_ARGUMENT, "the layout within tiles is morton; it must be right or left",
         stn_layout_tiled(1, &few, STN_LAYOUT_MORTON), 1},
        {STN_ERR_ARGUMENT, "tile extent 0 in dimension 1; it must be at least 1",
         stn_layout_tiled(2, (const int64_t[]){2, 0}, STN_LAYOUT_RIGHT), 2},
        {STN_ERR_ARGUMENT, "tiles of rank -1", stn_layout_tiled(9, extents, STN_LAYOUT_RIGHT), 2},
        {STN_ERR_ARGUMENT, "its layout has -1 strides", stn_layout_strided(2, NULL), 2},
        {STN_ERR_ARGUMENT, "rank 9", stn_layout_of(STN_LAYOUT_RIGHT), 9},
        {STN_ERR_ARGUMENT, "rank -1", stn_layout_of(STN_LAYOUT_RIGHT), -1}};
    for (int k = 0; k < COUNT_OF(cases); k++)
        refuse_layout(cases[k].status, cases[k].text, &cases[k].layout, cases[k].rank, extents);
}

UNIT_TEST(layouts_and_flags_of_created_views)
{
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    const stn_layout same = stn_layout_strided(2, (const int64_t[]){1, 1});
    const stn_layout repeated = stn_layout_strided(2, (const int64_t[]){0, 1});
    const stn_layout gaps = stn_layout_strided(2, (const int64_t[]){9, 2});
    const struct {
        const char *text;
        const stn_layout *layout;
        unsigned flags;
    } cases[] = {{"two elements the same position", &same, 0},
                 {"two elements the same position", &repeated, 0},
                 {"flags 0x10", NULL, 16},
                 {"both STN_CREATE_PINNED and STN_CREATE_MANAGED", NULL,
                  STN_CREATE_PINNED | STN_CREATE_MANAGED},
                 {"morton cannot be padded", &morton, STN_CREATE_PADDED},
                 {"strided cannot be padded", &gaps, STN_CREATE_PADDED}};
    for (int k = 0; k < COUNT_OF(cases); k++)
        refuse_create(STN_ERR_ARGUMENT, cases[k].text, f64(), cases[k].layout, 2, extents,
                      cases[k].flags);
    refuse_create(STN_ERR_ARGUMENT, "extents is NULL", f64(), NULL, 2, NULL, 0);
}

static int64_t by_rows(const void *context, int rank, const int64_t *sizes, const int64_t *indices)
{
    (void)context, (void)rank;
    return indices[0] * sizes[1] + indices[1];
}

static int64_t span_of_rows(const void *context, int rank, const int64_t *sizes)
{
    (void)context, (void)rank;
    return sizes[0] * sizes[1];
}

/* Its stride is 2, where that of the offsets is 1. */
static int64_t wrong_run(const void *context, int rank, const int64_t *sizes,
                         const int64_t *indices, int dimension, int64_t *offset, int64_t *stride)
{
    *offset = by_rows(context, rank, sizes, indices);
    *stride = 2;
    return dimension == 1 ? sizes[1] : 1;
}

/* Its offset is wrong between the corners. */
static int64_t wrong_offset(const void *context, int rank, const int64_t *sizes,
                            const int64_t *indices)
{
    (void)context, (void)rank, (void)sizes;
    return indices[0] == 1 ? 1000 : indices[0];
}

UNIT_TEST(custom_layouts)
{
    stn_layout layout = stn_layout_custom(by_rows, span_of_rows, NULL);
    stn_view view = wrap_layout("rows", f64(), elements, &layout, 2, extents);
    double value;
    stn_view_release(&view);
    layout.run = wrong_run;
    refuse_layout(STN_ERR_ARGUMENT, "a run of 4 elements along dimension 1", &layout, 2, extents);
    layout = stn_layout_custom(wrong_offset, span, NULL);
    view = create_view(NULL, "sierra", f64(), &layout, 1, extents, 0);
    expect_refused(STN_ERR_RANGE, "sierra (f64, 3): its custom layout gives offset 1000",
                   stn_view_get(&view, 1, (const int64_t[]){1}, &value));
    expect_ok(STN_VIEW_GET(&view, &value, 2));
    stn_view_release(&view);
}

/* ---- ranks, dimensions and indices ---- */

/* K05: the number of indices, slices, strides and extents of tiles. */
UNIT_TEST(ranks_of_arguments)
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
        expect_refused(STN_ERR_SHAPE, "oscar (f64, 3 x 4) has rank 2, but there are",
                       stn_view_offset(&view, count, indices, &offset));
        expect_refused(STN_ERR_SHAPE, "rank 2", stn_view_get(&view, count, indices, &value));
        expect_refused(STN_ERR_SHAPE, "rank 2", stn_view_slice(&part, &view, count, slices));
        expect_refused(STN_ERR_SHAPE, "rank 2", stn_view_share_slice(&part, &view, count, slices));
        if (count < 0 || count > STN_MAX_RANK) {
            refuse_layout(STN_ERR_ARGUMENT, "november: rank", &tiles, count, extents);
            continue;
        }
        refuse_layout(STN_ERR_ARGUMENT, "november: its layout has tiles of rank 2", &tiles, count,
                      indices);
        refuse_layout(STN_ERR_ARGUMENT, "its layout has 2 strides", &strides, count, indices);
    }
    assert_memory_equal(&part, &nothing, sizeof part);
}

/* K25, K26: dimensions out of range, and too little capacity for strides. */
UNIT_TEST(dimensions_and_capacities)
{
    static const int wrong[] = {INT_MIN, -1, 2, 3, 8, 9, INT_MAX};
    const stn_view view = wrapped(2);
    int64_t number = 7, strides[2] = {7, 7};
    for (int k = 0; k < COUNT_OF(wrong); k++) {
        char text[80];
        (void)snprintf(text, sizeof text, "dimension %d is out of range for oscar (f64, 3 x 4)",
                       wrong[k]);
        expect_refused(STN_ERR_RANGE, text, stn_view_extent(&view, wrong[k], &number));
        expect_refused(STN_ERR_RANGE, text, stn_view_stride(&view, wrong[k], &number));
    }
    expect_refused(STN_ERR_RANGE, "dimension 0 is out of range",
                   stn_view_extent(&nothing, 0, &number));
    expect_refused(STN_ERR_RANGE, "oscar (f64, 3 x 4) has 2 strides, but capacity is 1",
                   stn_view_strides(&view, strides, 1));
    expect_refused(STN_ERR_RANGE, "capacity is -1", stn_view_strides(&view, strides, -1));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_strides(&view, NULL, 2));
    assert_true(number == 7 && strides[0] == 7);
}

UNIT_TEST(indices_of_every_layout)
{
    static const int64_t wrong[] = {INT64_MIN, -1, 2, 3, INT64_MAX};
    static const int64_t twos[STN_MAX_RANK] = {2, 2, 2, 2, 2, 2, 2, 2};
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++)
        for (int rank = 1; rank <= STN_MAX_RANK; rank++) {
            stn_view view = model_create(l, "romeo", stn_storage_of(STN_I8), rank, twos);
            for (int k = 0; k < rank * COUNT_OF(wrong); k++) {
                int64_t indices[STN_MAX_RANK] = {0}, offset = 7;
                char text[120];
                double value = 7.0;
                void *address = NULL;
                const int d = k / COUNT_OF(wrong);
                indices[d] = wrong[k % COUNT_OF(wrong)];
                (void)snprintf(text, sizeof text,
                               "): index %lld of dimension %d is outside its extent 2",
                               (long long)indices[d], d);
                expect_refused(STN_ERR_RANGE, text, stn_view_offset(&view, rank, indices, &offset));
                expect_refused(STN_ERR_RANGE, text, stn_view_get(&view, rank, indices, &value));
                expect_refused(STN_ERR_RANGE, text, stn_view_set(&view, rank, indices, 1.0));
                expect_refused(STN_ERR_RANGE, text,
                               stn_view_address(&view, rank, indices, &address));
                assert_true(offset == 7 && value == 7.0 && !address);
            }
            stn_view_release(&view);
        }
}

UNIT_TEST(null_arguments)
{
    const stn_view view = wrapped(1), matrix = wrapped(2);
    const stn_slice all = stn_slice_all();
    const int64_t index = 0;
    stn_view part = view, invalid = view;
    int64_t number;
    int flag;
    invalid.size = 1;
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_share(NULL, &view));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_share(&part, NULL));
    expect_refused(STN_ERR_ARGUMENT, "view is not an initialized view: its member size is 1, not",
                   stn_view_share(&part, &invalid));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_extent(&view, 0, NULL));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_extent(NULL, 0, &number));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_offset(&view, 1, &index, NULL));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_offset(&view, 1, NULL, &number));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_address(&view, 1, &index, NULL));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_get(&view, 1, &index, NULL));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_slice(NULL, &view, 1, &all));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_slice(&part, NULL, 1, &all));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_slice(&part, &view, 1, NULL));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_permute(&part, &view, 1, NULL));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_permute(NULL, &view, 1, (const int[]){0}));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_set_scales(&part, NULL));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_set_traits(NULL, 0));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_fix_extents(NULL, 0));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_set_space(NULL, STN_SPACE_HOST));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_leading_dimension(&matrix, NULL, &flag));
    expect_refused(STN_ERR_ARGUMENT, "NULL", stn_view_leading_dimension(&matrix, &number, NULL));
    expect_refused(STN_ERR_ARGUMENT, "view is an empty view (not created, or released)",
                   stn_view_get(&nothing, 0, NULL, &(double){0}));
    assert_int_equal(stn_view_is_lvalue(NULL) + stn_view_is_lvalue(&nothing), 0);
}

/* ---- slices and orders ---- */

/* The message has the numbers of the call, also where they overflow. */
UNIT_TEST(slices_of_every_layout)
{
    const int64_t most = INT64_MAX, least = INT64_MIN;
    const struct {
        stn_slice slice;
        const char *text;
    } cases[] = {
        {stn_slice_index(-1), "index -1 of dimension 0 is outside its extent 3"},
        {stn_slice_index(3), "index 3 of dimension 0"},
        {stn_slice_index(most), "index 9223372036854775807 of"},
        {stn_slice_index(least), "index -9223372036854775808 of"},
        {stn_slice_range(2, 9), "begin 2 and end 9 leave"},
        {stn_slice_range(-1, 2), "begin -1 and end 2 leave the extent 3 of dimension 0"},
        {stn_slice_range(4, 4), "begin 4 and end 4 leave the extent 3 of dimension 0"},
        {stn_slice_range(-5, -2), "begin -5 and end -2 leave the extent 3 of dimension 0"},
        {stn_slice_range(-1, -1), "begin -1 and end -1 leave"},
        {stn_slice_range(0, 4), "begin 0 and end 4 leave"},
        {stn_slice_range(0, most), "begin 0 and end 9223372036854775807 leave"},
        {stn_slice_range(least, 2), "begin -9223372036854775808 and end 2 leave the extent 3 of"},
        {stn_slice_range(least, most),
         "begin -9223372036854775808 and end 9223372036854775807 leave the extent 3 of"},
        {stn_slice_range(-5, most), "begin -5 and end 9223372036854775807 leave"},
        {stn_slice_strided(0, 2, 3), "2 indices from 0 on, by 3, leave the extent 3 of dimension"},
        {stn_slice_strided(1, 3, -1), "3 indices from 1 on, by -1, leave"},
        {stn_slice_strided(2, -1, -1), "-1 indices from 2 on, by -1, leave the extent 3"},
        {stn_slice_strided(3, 1, 1), ""},
        {stn_slice_strided(0, 3, most), ""},
        {stn_slice_strided(2, most, most), ""},
        {stn_slice_strided(2, 2, least), ""},
        {stn_slice_strided(2, most, -1), ""},
        {stn_slice_range(2, 1), "begin 2 and end 1 of dimension 0 are reversed"},
        {stn_slice_range(2, least),
         "begin 2 and end -9223372036854775808 of dimension 0 are reversed"},
        {stn_slice_range(0, -1), "are reversed"},
        {stn_slice_range(1, least), "are reversed"},
        {stn_slice_range(most, least), "are reversed"},
        {stn_slice_strided(0, -1, 1), "are reversed"},
        {stn_slice_strided(0, least, 1), "are reversed"}};
    const stn_slice all = stn_slice_all(), no_step = stn_slice_strided(0, 1, 0);
    stn_slice unknown = stn_slice_index(1);
    stn_slice reserved = unknown;
    unknown.mode = (stn_slice_mode)3;
    reserved.reserved = 9;
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++) {
        stn_view view = model_create(l, "quebec", f64(), 2, extents), part;
        for (int k = 0; k < COUNT_OF(cases); k++) {
            const stn_slice slices[] = {cases[k].slice, all};
            memset(&part, 0x5a, sizeof part);
            expect_refused(STN_ERR_RANGE, cases[k].text, stn_view_slice(&part, &view, 2, slices));
            assert_memory_equal(&part, &nothing, sizeof part);
            memset(&part, 0x5a, sizeof part);
            expect_refused(STN_ERR_RANGE,
                           "quebec (f64, 3 x 4):", stn_view_share_slice(&part, &view, 2, slices));
            assert_memory_equal(&part, &nothing, sizeof part);
        }
        expect_refused(STN_ERR_ARGUMENT, "the step in dimension 1 is 0",
                       stn_view_share_slice(&part, &view, 2, (const stn_slice[]){all, no_step}));
        expect_refused(STN_ERR_ARGUMENT, "mode 3 of the slice of dimension 1 is unknown (0 to 2)",
                       stn_view_slice(&part, &view, 2, (const stn_slice[]){all, unknown}));
        expect_refused(STN_ERR_ARGUMENT, "reserved is 9 in the slice of dimension 1",
                       stn_view_slice(&part, &view, 2, (const stn_slice[]){all, reserved}));
        assert_int_equal(stn_view_use_count(&view), 1);
        stn_view_release(&view);
    }
}

UNIT_TEST(orders)
{
    static const int wrong[][3] = {{0, 1, 1}, {0, 1, 3}, {-1, 1, 2}, {2, 2, 2}};
    const stn_view view = wrapped(3);
    stn_view turned = view;
    for (int k = 0; k < COUNT_OF(wrong); k++)
        expect_refused(STN_ERR_ARGUMENT,
                       "order must have each of 0 to 2 once: oscar (f64, 3 x 4 x 5)",
                       stn_view_permute(&turned, &view, 3, wrong[k]));
    expect_refused(STN_ERR_ARGUMENT, "rank 3", stn_view_permute(&turned, &view, 2, wrong[0]));
    assert_memory_equal(&turned, &nothing, sizeof turned);
}

/* After an error, the result is an empty view, which can be released; an operand that is also the
 * result is unchanged. */
UNIT_TEST(results_of_refused_calls)
{
    const stn_slice beyond[] = {stn_slice_index(3), stn_slice_all()};
    const int order[] = {0, 0};
    const stn_view view = wrapped(2);
    for (int is_operand = 0; is_operand < 2; is_operand++) {
        for (int call = 0; call < 7; call++) {
            stn_view result = view;
            const stn_view *const from = is_operand ? &result : &view;
            if (!is_operand)
                memset(&result, 0x5a, sizeof result);
            const stn_status status =
                call == 0   ? stn_view_slice(&result, from, 2, beyond)
                : call == 1 ? stn_view_share_slice(&result, from, 2, beyond)
                : call == 2 ? stn_view_permute(&result, from, 2, order)
                : call == 3 ? stn_view_insert_axis(&result, from, 3)
                : call == 4 ? stn_view_mirror(NULL, &result, from, STN_SPACE_DEVICE)
                : call == 5
                    ? stn_view_mirror_view(NULL, &result, from, STN_SPACE_DEVICE, STN_MIRROR_COPY)
                    : stn_view_share(&result, is_operand ? NULL : &(stn_view){.size = 1});
            assert_int_not_equal(status, STN_OK);
            if (is_operand && call < 6)
                assert_memory_equal(&result, &view, sizeof result);
            else
                assert_memory_equal(&result, &nothing, sizeof result);
            expect_ok(stn_view_release(&result));
        }
    }
}

RUN_UNIT_TESTS(NULL, NULL)
