/* stn_view_copy: conversions, alignments, spaces, events and errors. */
#include <stdlib.h>

#include "copy_oracle.h"
#include "core/memory.h"
#include "steno/event.h"
#include "view/copy/block.h"
#include "make_view.h"

/* ---- events, and nothing that they do not tell ---- */

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
            stn_fail_allocation(1); /* nothing is allocated, by any means */
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

/* ---- T40, T41: columns, single elements, and spaces out of reach ---- */

UNIT_TEST(test_columns)
{
    enum { ROWS = 10000, COLUMNS = 10 };
    const int64_t extents[] = {ROWS, COLUMNS};
    for (int executor = -1; executor < COPIED_EXECUTORS; executor++) {
        const stn_exec *exec = executor < 0 ? NULL : copied_executor(executor);
        double value;
        stn_view a = create_view(exec, "a", f64(), NULL, 2, extents, 0);
        stn_view b = create_view(exec, "b", f64(), NULL, 2, extents, 0);
        for (int64_t k = 0; k < ROWS * COLUMNS; k++)
            ((double *)a.data)[k] = (double)k;
        const stn_slice second[] = {stn_slice_all(), stn_slice_index(1)};
        const stn_slice third[] = {stn_slice_all(), stn_slice_index(2)};
        stn_view from = slice_view(&a, 2, second);
        stn_view to = slice_view(&b, 2, third);
        expect_ok(stn_view_copy(exec, &to, &from));
        for (int64_t k = 0; k < ROWS * COLUMNS; k++) {
            value = ((double *)b.data)[k];
            assert_true(value == (k % COLUMNS == 2 ? (double)(k - 1) : 0.0));
        }
        expect_ok(stn_view_copy(exec, &b, &a));
        assert_memory_equal(b.data, a.data, ROWS * COLUMNS * sizeof value);
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

/* ---- T44, T45: conversions of a large array between layouts ---- */

static void convert(stn_format to_format, int to_layout, stn_format from_format, int from_layout)
{
    const int64_t extents[] = {19381, 17}, gaps[] = {37, 2};
    stn_layout layouts[] = {stn_layout_of(STN_LAYOUT_RIGHT), stn_layout_of(STN_LAYOUT_LEFT),
                            stn_layout_strided(2, gaps)};
    stn_exec *exec = copied_executor(2);
    stn_view from = create_view(exec, "from", stn_storage_of(from_format), &layouts[from_layout], 2,
                                extents, 0);
    stn_view to =
        create_view(exec, "to", stn_storage_of(to_format), &layouts[to_layout], 2, extents, 0);
    for (int64_t i = 0; i < extents[0]; i += 7)
        for (int64_t j = 0; j < extents[1]; j++)
            expect_ok(STN_VIEW_SET(&from, (double)(i * 17 + j), i, j));
    int same = 1;
    for (int round = 0; round < 2; round++) {
        expect_ok(stn_view_fill(exec, &to, -1.0)); /* with which the comparison must fail */
        if (round)
            expect_ok(stn_view_copy(exec, &to, &from));
        same = 1;
        for (int64_t i = 0; i < extents[0]; i++)
            for (int64_t j = 0; j < extents[1]; j++) {
                double value;
                expect_ok(STN_VIEW_GET(&to, &value, i, j));
                same &= value == (i % 7 ? 0.0 : (double)(i * 17 + j));
            }
        assert_int_equal(same, round);
    }
    stn_view_release(&to);
    stn_view_release(&from);
}

UNIT_TEST(test_conversions)
{
    static const stn_format formats[] = {STN_F64, STN_F32};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            for (int k = 0; k < 9; k++)
                convert(formats[a], k / 3, formats[b], k % 3);
    convert(STN_F64, 0, STN_I32, 1);
}

/* Integers keep every bit, and saturate by the rule of the narrower. */
UNIT_TEST(test_integers)
{
    int64_t from[] = {INT64_MAX, INT64_MIN, ((int64_t)1 << 53) + 1, -1, 300};
    uint64_t u64[5], wanted[] = {INT64_MAX, 0, ((uint64_t)1 << 53) + 1, 0, 300};
    int16_t i16[5], narrow[] = {INT16_MAX, INT16_MIN, INT16_MAX, -1, 300};
    const int64_t extents[] = {5};
    stn_view a = wrap_view("a", stn_storage_of(STN_I64), from, 1, extents);
    stn_view b = wrap_view("b", stn_storage_of(STN_U64), u64, 1, extents);
    expect_ok(stn_view_copy(NULL, &b, &a));
    assert_memory_equal(u64, wanted, sizeof wanted);
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

/* ---- turned blocks of every size ---- */

UNIT_TEST(test_transpose)
{
    static char from[40 * 40 * 16], to[40 * 40 * 16];
    for (unsigned k = 0; k < sizeof from; k++)
        from[k] = (char)(k * 37 % 255);
    for (int64_t bytes = 1; bytes <= 16; bytes *= 2)
        for (int64_t rows = 0; rows < 40; rows += 1 + rows / 5)
            for (int64_t columns = 0; columns < 40; columns += 1 + columns / 5) {
                memset(to, 1, sizeof to);
                stn_transpose(bytes, to, 40 * bytes, from, 40 * bytes, rows, columns);
                for (int64_t r = 0; r < 40; r++)
                    for (int64_t c = 0; c < 40; c++)
                        for (int64_t k = 0; k < bytes; k++)
                            assert_int_equal(
                                to[(c * 40 + r) * bytes + k],
                                r < rows && c < columns ? from[(r * 40 + c) * bytes + k] : 1);
            }
}

/* ---- errors, which write nothing ---- */

static void refuse(stn_status wanted, const stn_view *to, const stn_view *from, const char *word)
{
    memset(events, 0, sizeof events);
    stn_event_set_hook(count, NULL);
    assert_int_equal(stn_view_copy(NULL, to, from), wanted);
    stn_event_set_hook(NULL, NULL);
    assert_int_equal(sum_of_events(), 0);
    if (!strstr(stn_error(), word))
        fail_msg("'%s' does not say '%s'", stn_error(), word);
}

UNIT_TEST(test_errors)
{
    static double a_data[12], b_data[12], before[12];
    const int64_t extents[] = {3, 4}, other[] = {4, 3};
    stn_view a, b, c, nothing = {0}, junk;
    stn_format opaque;
    for (int k = 0; k < 12; k++)
        a_data[k] = before[k] = k;
    a = wrap_view("ash", f64(), a_data, 2, extents);
    b = wrap_view("beech", f64(), b_data, 2, extents);
    c = wrap_view("cedar", f64(), b_data, 2, other);
    refuse(STN_ERR_SHAPE, &a, &c, "3 x 4");
    refuse(STN_ERR_SHAPE, &a, &c, "4 x 3");
    c = wrap_view("cedar", f64(), b_data, 1, other);
    refuse(STN_ERR_SHAPE, &a, &c, "rank");
    refuse(STN_ERR_SHAPE, &a, &nothing, "nothing");
    refuse(STN_ERR_ARGUMENT, NULL, &b, "NULL");
    refuse(STN_ERR_ARGUMENT, &a, NULL, "NULL");
    memset(&junk, 0xa5, sizeof junk);
    refuse(STN_ERR_ARGUMENT, &a, &junk, "");
    a.read_only = 1;
    refuse(STN_ERR_ARGUMENT, &a, &b, "read-only");
    a.read_only = 0;
    a.traits = STN_TRAIT_RANDOM_ACCESS;
    refuse(STN_ERR_ARGUMENT, &a, &b, "read-only");
    a.traits = 0;
    c = wrap_view("cedar", stn_storage_of(STN_C64), b_data, 2, extents);
    refuse(STN_ERR_FORMAT, &a, &c, "c64");
    expect_ok(stn_format_opaque(&opaque, 8, 8));
    c = wrap_view("cedar", stn_storage_of(opaque), b_data, 2, extents);
    refuse(STN_ERR_FORMAT, &a, &c, "cedar");
    c = wrap_view("cedar", stn_storage_of(STN_F32), b_data, 2, extents);
    a.storage.scale = 0.0;
    refuse(STN_ERR_ARGUMENT, &a, &c, "scale");
    assert_memory_equal(a_data, before, sizeof before);
    expect_ok(stn_view_copy(NULL, &nothing, &nothing));
}

/* Without elements no pointer is looked at. */
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

static int release(void **context)
{
    (void)context;
    copied_release_executors();
    return 0;
}

RUN_UNIT_TESTS(NULL, release)
