/* stn_view_copy: conversions, alignments, spaces, events and errors. */
#include <stdlib.h>

#include "copy_oracle.h"
#include "core/memory.h"
#include "core/transpose.h"
#include "steno/event.h"
#include "view/copy/block.h"
#include "make_view.h"

/* ---- events ---- */

static int events[8];
static stn_event last_copy;
static char last_labels[2][16];

static void count(const stn_event *event, void *context)
{
    (void)context;
    events[event->kind]++;
    if (event->kind == STN_EVENT_COPY_BEGIN) {
        last_copy = *event;
        strcpy(last_labels[0], event->label);
        strcpy(last_labels[1], event->from_label);
    }
}

static int sum_of_events(void)
{
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += events[k];
    return sum;
}

UNIT_TEST(test_events)
{
    const int64_t extents[] = {30, 50};
    const stn_layout layouts[] = {stn_layout_of(STN_LAYOUT_RIGHT), stn_layout_of(STN_LAYOUT_LEFT),
                                  stn_layout_of(STN_LAYOUT_MORTON)};
    const stn_exec *exec = copied_executor(2);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            stn_view to =
                create_view(NULL, "elm", stn_storage_of(STN_F32), &layouts[a], 2, extents, 0);
            stn_view from = create_view(NULL, "fir", f64(), &layouts[b], 2, extents, 0);
            memset(events, 0, sizeof events);
            stn_event_set_hook(count, NULL);
            stn_fail_allocation(1); /* nothing is allocated */
            expect_ok(stn_view_copy(exec, &to, &from));
            expect_ok(stn_view_fill(exec, &to, 2.0));
            stn_fail_allocation(0);
            stn_event_set_hook(NULL, NULL);
            assert_int_equal(events[STN_EVENT_COPY_BEGIN], 1);
            assert_int_equal(events[STN_EVENT_COPY_END], 1);
            assert_int_equal(events[STN_EVENT_KERNEL_BEGIN], 1); /* the fill */
            assert_int_equal(events[STN_EVENT_KERNEL_END], 1);
            assert_int_equal(sum_of_events(), 4);
            assert_string_equal(last_labels[0], "elm");
            assert_string_equal(last_labels[1], "fir");
            assert_int_equal(last_copy.bytes, 30 * 50 * 4);
            stn_view_release(&to);
            stn_view_release(&from);
        }
}

/* ---- T40, T41: columns, single elements and spaces ---- */

UNIT_TEST(test_columns)
{
    enum { ROWS = 10000, COLUMNS = 10 };
    const int64_t extents[] = {ROWS, COLUMNS};
    for (int executor = -1; executor < COPIED_EXECUTORS; executor++) {
        const stn_exec *exec = executor < 0 ? NULL : copied_executor(executor);
        stn_view a = create_view(exec, "a", f64(), NULL, 2, extents, 0);
        stn_view b = create_view(exec, "b", f64(), NULL, 2, extents, 0);
        for (int64_t k = 0; k < ROWS * COLUMNS; k++)
            ((double *)a.data)[k] = (double)k;
        const stn_slice second[] = {stn_slice_all(), stn_slice_index(1)};
        const stn_slice third[] = {stn_slice_all(), stn_slice_index(2)};
        stn_view from = slice_view(&a, 2, second);
        stn_view to = slice_view(&b, 2, third);
        expect_ok(stn_view_copy(exec, &to, &from));
        for (int64_t k = 0; k < ROWS * COLUMNS; k++)
            assert_true(((double *)b.data)[k] == (k % COLUMNS == 2 ? (double)(k - 1) : 0.0));
        expect_ok(stn_view_copy(exec, &b, &a));
        assert_memory_equal(b.data, a.data, ROWS * COLUMNS * sizeof(double));
        stn_view_release(&a);
        stn_view_release(&b);
    }
}

UNIT_TEST(test_spaces)
{
    static double here[6], there[6];
    const int64_t extents[] = {6};
    for (int rank = 0; rank < 2; rank++)
        for (int turned = 0; turned < 2; turned++) {
            stn_view a = wrap_view("ash", f64(), here, rank, extents);
            stn_view b = wrap_view("beech", f64(), there, rank, extents);
            expect_ok(stn_view_set_space(&b, STN_SPACE_DEVICE));
            expect_error(stn_view_copy(NULL, turned ? &b : &a, turned ? &a : &b),
                         STN_ERR_UNSUPPORTED, "beech");
            assert_non_null(strstr(stn_error(), "device"));
            expect_ok(stn_view_set_space(&b, STN_SPACE_MANAGED));
            expect_ok(stn_view_copy(NULL, turned ? &b : &a, turned ? &a : &b));
        }
}

/* ---- T43: bytes at all offsets ---- */

static void copy_bytes_at(unsigned char *to, unsigned char *from, int64_t to_at, int64_t from_at,
                          int64_t tail)
{
    enum { BYTES = 100000 };
    const int64_t extents[] = {BYTES - (to_at > from_at ? to_at : from_at) - tail};
    memset(to, 0xee, BYTES);
    stn_view a = wrap_view("to", stn_storage_of(STN_U8), to + to_at, 1, extents);
    stn_view b = wrap_view("from", stn_storage_of(STN_U8), from + from_at, 1, extents);
    expect_ok(stn_view_copy(copied_executor(3), &a, &b));
    assert_memory_equal(to + to_at, from + from_at, (size_t)extents[0]);
    for (int64_t k = 0; k < to_at; k++)
        assert_int_equal(to[k], 0xee);
    for (int64_t k = to_at + extents[0]; k < BYTES; k++)
        assert_int_equal(to[k], 0xee);
}

UNIT_TEST(test_alignment)
{
    static const int64_t offsets[] = {0, 2, 3, 5}, tails[] = {0, 4, 5, 6, 8};
    unsigned char *to = malloc(100000), *from = malloc(100000);
    for (int k = 0; k < 100000; k++)
        from[k] = (unsigned char)(k * 31 % 251);
    for (int is_large = 0; is_large < 2; is_large++) {
        copied_large(is_large);
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++)
                for (int t = 0; t < 5; t++)
                    copy_bytes_at(to, from, offsets[a], offsets[b], tails[t]);
    }
    copied_large(0);
    free(to);
    free(from);
}

/* ---- conversions ---- */

/* T44, T45: arrays larger than the caches. */
static void convert(stn_format to_format, copied_layout to_layout, stn_format from_format,
                    copied_layout from_layout)
{
    static const int64_t extents[] = {19381, 17};
    copied_array to, from;
    copied_make(&to, to_layout, stn_storage_of(to_format), 2, extents, 1);
    copied_make(&from, from_layout, stn_storage_of(from_format), 2, extents, 2);
    copied_copy(&to, &from);
    expect_ok(stn_view_copy(copied_executor(2), &to.view, &from.view));
    copied_same(&to, copied_layout_name(to_layout));
    copied_free(&to);
    copied_free(&from);
}

UNIT_TEST(test_large_arrays)
{
    static const copied_layout layouts[] = {COPIED_RIGHT, COPIED_LEFT, COPIED_GAPS};
    static const stn_format formats[] = {STN_F64, STN_F32};
    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 9; k++)
            convert(formats[f / 2], layouts[k / 3], formats[f % 2], layouts[k % 3]);
    convert(STN_F64, COPIED_RIGHT, STN_I32, COPIED_LEFT);
}

/* Integers keep every bit, and saturate in the narrower format. */
UNIT_TEST(test_integers)
{
    int64_t from[] = {INT64_MAX, INT64_MIN, ((int64_t)1 << 53) + 1, -1, 300};
    uint64_t u64[5], expected[] = {INT64_MAX, 0, ((uint64_t)1 << 53) + 1, 0, 300};
    int16_t i16[5], narrow[] = {INT16_MAX, INT16_MIN, INT16_MAX, -1, 300};
    const int64_t extents[] = {5};
    stn_view a = wrap_view("a", stn_storage_of(STN_I64), from, 1, extents);
    stn_view b = wrap_view("b", stn_storage_of(STN_U64), u64, 1, extents);
    expect_ok(stn_view_copy(NULL, &b, &a));
    assert_memory_equal(u64, expected, sizeof expected);
    b = wrap_view("b", stn_storage_of(STN_I16), i16, 1, extents);
    expect_ok(stn_view_copy(NULL, &b, &a));
    assert_memory_equal(i16, narrow, sizeof narrow);
}

UNIT_TEST(test_counters)
{
    static double from[3000];
    static int8_t to[3000];
    stn_counters counters = {0, 0, 0};
    stn_storage storage = stn_storage_of(STN_I8);
    const int64_t extents[] = {50, 60}, left[] = {1, 50};
    for (int k = 0; k < 3000; k++)
        from[k] = k < 100 ? 1e9 : 1.0;
    storage.counters = &counters;
    stn_view a = wrap_strided("a", f64(), from, 2, extents, left);
    stn_view b = wrap_view("b", storage, to, 2, extents);
    copied_large(1);
    expect_ok(stn_view_copy(copied_executor(3), &b, &a));
    copied_large(0);
    assert_int_equal(counters.saturated, 100);
}

/* ---- transposed blocks of every size ---- */

UNIT_TEST(test_transpose)
{
    static char from[40 * 40 * 16], to[40 * 40 * 16];
    for (unsigned k = 0; k < sizeof from; k++)
        from[k] = (char)(k * 37 % 255);
    for (int64_t bytes = 1; bytes <= 16; bytes *= 2)
        for (int64_t rows = 0; rows < 40; rows += 1 + rows / 5)
            for (int64_t columns = 0; columns < 40; columns += 1 + columns / 5) {
                memset(to, 1, sizeof to);
                stn_transpose_words(to, 40, from, 40, rows, columns, bytes);
                for (int64_t r = 0; r < 40; r++)
                    for (int64_t c = 0; c < 40; c++)
                        for (int64_t k = 0; k < bytes; k++)
                            assert_int_equal(
                                to[(c * 40 + r) * bytes + k],
                                r < rows && c < columns ? from[(r * 40 + c) * bytes + k] : 1);
            }
}

/* ---- refused copies, which write nothing and have no events ---- */

UNIT_TEST(test_errors)
{
    static double to_data[12], from_data[12], before[12];
    const int64_t extents[] = {3, 4}, other[] = {4, 3};
    const stn_view a = wrap_view("ash", f64(), to_data, 2, extents), nothing = {0};
    stn_view read_only = a, random_access = a, unscaled = a, junk;
    stn_format opaque;
    expect_ok(stn_format_opaque(&opaque, 8, 8));
    memset(&junk, 0xa5, sizeof junk);
    read_only.read_only = 1;
    random_access.traits = STN_TRAIT_RANDOM_ACCESS;
    unscaled.storage.scale = 0.0;
    for (int k = 0; k < 12; k++)
        to_data[k] = before[k] = k;
#define CEDAR(format, rank, its_extents)                                                           \
    wrap_view("cedar", stn_storage_of(format), from_data, rank, its_extents)
    const stn_view b = CEDAR(STN_F64, 2, extents), c = CEDAR(STN_F64, 2, other),
                   d = CEDAR(STN_F64, 1, other), complex_view = CEDAR(STN_C64, 2, extents),
                   opaque_view = CEDAR(opaque, 2, extents), narrow = CEDAR(STN_F32, 2, extents);
    const struct {
        stn_status status;
        const stn_view *to, *from;
        const char *text;
    } cases[] = {{STN_ERR_SHAPE, &a, &c, "3 x 4"},
                 {STN_ERR_SHAPE, &a, &c, "4 x 3"},
                 {STN_ERR_SHAPE, &a, &d, "rank"},
                 {STN_ERR_SHAPE, &a, &nothing, "empty view"},
                 {STN_ERR_ARGUMENT, NULL, &b, "NULL"},
                 {STN_ERR_ARGUMENT, &a, NULL, "NULL"},
                 {STN_ERR_ARGUMENT, &a, &junk, ""},
                 {STN_ERR_ARGUMENT, &read_only, &b, "read-only"},
                 {STN_ERR_ARGUMENT, &random_access, &b, "read-only"},
                 {STN_ERR_FORMAT, &a, &complex_view, "c64"},
                 {STN_ERR_FORMAT, &a, &opaque_view, "cedar"},
                 {STN_ERR_ARGUMENT, &unscaled, &narrow, "scale"}};
    memset(events, 0, sizeof events);
    stn_event_set_hook(count, NULL);
    for (int k = 0; k < COUNT_OF(cases); k++)
        expect_error(stn_view_copy(NULL, cases[k].to, cases[k].from), cases[k].status,
                     cases[k].text);
    stn_event_set_hook(NULL, NULL);
    assert_int_equal(sum_of_events(), 0);
    assert_memory_equal(to_data, before, sizeof before);
    expect_ok(stn_view_copy(NULL, &nothing, &nothing));
}

/* Pointers of empty views are not read. */
UNIT_TEST(test_empty)
{
    const int64_t none[] = {0, 5};
    char *const bogus = (char *)(uintptr_t)0x1000;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            stn_view to = wrap_view("to", f64(), a ? bogus : NULL, 2, none);
            stn_view from = wrap_view("from", stn_storage_of(STN_F16), b ? bogus : NULL, 2, none);
            expect_ok(stn_view_copy(copied_executor(2), &to, &from));
            expect_ok(stn_view_fill(copied_executor(2), &to, 1.0));
        }
}

RUN_UNIT_TESTS(NULL, copied_release_executors)
