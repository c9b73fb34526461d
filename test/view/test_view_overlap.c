/* Copies between views of the same memory: refused when they share elements, and only then. */

#include "steno/view.h"
#include "view/overlap.h"
#include "make_view.h"

enum { ELEMENTS = 64 };
static double memory[ELEMENTS], before[ELEMENTS];

static stn_view wrap(stn_format format, void *data, int rank, const int64_t *extents,
                     const int64_t *strides)
{
    stn_view view;
    if (stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(format),
                                                 .data = data, .rank = rank, .extents = extents,
                                                 .strides = strides)) != STN_OK)
        fail_msg("%s", stn_error());
    return view;
}

static void number(void)
{
    for (int k = 0; k < ELEMENTS; k++)
        memory[k] = before[k] = k;
}

/* Refused, and nothing is written. */
static void refuse(stn_view to, stn_view from)
{
    number();
    expect_error(stn_view_copy(NULL, &to, &from), STN_ERR_ALIAS, "overlap");
    expect_error(stn_view_copy(NULL, &from, &to), STN_ERR_ALIAS, NULL);
    assert_memory_equal(memory, before, sizeof memory);
}

static void accept(stn_view to, stn_view from)
{
    number();
    if (stn_view_copy(NULL, &to, &from) != STN_OK)
        fail_msg("%s", stn_error());
}

/* ---- the four cases, and the identical view ---- */

UNIT_TEST(test_contiguous)
{
    const int64_t extents[] = {10};
    const stn_view a = wrap(STN_F64, memory, 1, extents, NULL);
    for (int first = 1; first < 10; first++)
        refuse(wrap(STN_F64, memory + first, 1, extents, NULL), a);
    accept(wrap(STN_F64, memory + 10, 1, extents, NULL), a);
    for (int k = 0; k < 10; k++)
        assert_true(memory[10 + k] == k);
}

UNIT_TEST(test_interleaved)
{
    const int64_t extents[] = {5, 3}, strides[] = {6, 2};
    const stn_view even = wrap(STN_F64, memory, 2, extents, strides);
    refuse(wrap(STN_F64, memory + 6, 2, extents, strides), even);
    refuse(wrap(STN_F64, memory + 8, 2, extents, strides), even);
    accept(wrap(STN_F64, memory + 1, 2, extents, strides), even); /* odd columns */
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 3; j++)
            assert_true(memory[6 * i + 2 * j + 1] == before[6 * i + 2 * j]);
}

UNIT_TEST(test_other_shape)
{
    const int64_t wide[] = {3, 3}, a_strides[] = {3, 1}, b_strides[] = {4, 1};
    refuse(wrap(STN_F64, memory, 2, wide, b_strides), wrap(STN_F64, memory, 2, wide, a_strides));
}

UNIT_TEST(test_turned)
{
    const int64_t extents[] = {4, 4}, right[] = {4, 1}, left[] = {1, 4};
    refuse(wrap(STN_F64, memory, 2, extents, left), wrap(STN_F64, memory, 2, extents, right));
    const int64_t row[] = {4, 1}; /* one column: both orders are the same places */
    accept(wrap(STN_F64, memory, 2, row, left), wrap(STN_F64, memory, 2, row, left));
}

UNIT_TEST(test_identical)
{
    const int64_t extents[] = {6, 6}, strides[] = {7, 1};
    const stn_view x = wrap(STN_F64, memory, 2, extents, strides);
    accept(x, x);
    assert_memory_equal(memory, before, sizeof memory);
    stn_view scaled = x;
    scaled.storage.scale = 2.0; /* the same memory read differently */
    refuse(scaled, x);
}

UNIT_TEST(test_backward)
{
    const int64_t extents[] = {6}, back[] = {-1}, two[] = {-2};
    refuse(wrap(STN_F64, memory + 5, 1, extents, back), wrap(STN_F64, memory, 1, extents, NULL));
    const int64_t forward[] = {2};
    accept(wrap(STN_F64, memory + 11, 1, extents, two), wrap(STN_F64, memory, 1, extents, forward));
    for (int k = 0; k < 6; k++)
        assert_true(memory[11 - 2 * k] == 2 * k);
}

UNIT_TEST(test_repeating)
{
    const int64_t extents[] = {3, 4}, rows[] = {0, 1};
    number();
    const stn_view repeated = wrap(STN_F64, memory, 2, extents, rows);
    const stn_view whole = wrap(STN_F64, memory + 20, 2, extents, NULL);
    expect_error(stn_view_copy(NULL, &repeated, &whole), STN_ERR_ALIAS, "repeats");
    expect_error(stn_view_fill(NULL, &repeated, 1.0), STN_ERR_ALIAS, NULL);
    assert_memory_equal(memory, before, sizeof memory);
    accept(whole, repeated); /* reading one row three times is fine */
    for (int k = 0; k < 12; k++)
        assert_true(memory[20 + k] == k % 4);
}

/* Bytes count: single bytes between doubles, halves inside them. */
UNIT_TEST(test_widths)
{
    const int64_t extents[] = {8}, eights[] = {8}, seven[] = {7};
    unsigned char *bytes = (unsigned char *)memory;
    refuse(wrap(STN_U8, bytes + 3, 1, extents, eights), wrap(STN_F64, memory, 1, extents, NULL));
    refuse(wrap(STN_U8, bytes + 63, 1, extents, eights), wrap(STN_F64, memory, 1, extents, NULL));
    accept(wrap(STN_U8, bytes + 64, 1, extents, eights), wrap(STN_F64, memory, 1, extents, NULL));
    accept(wrap(STN_U8, bytes + 3, 1, extents, eights),
           wrap(STN_U8, bytes + 4, 1, extents, eights));
    refuse(wrap(STN_U8, bytes + 7, 1, extents, seven), wrap(STN_U8, bytes, 1, extents, eights));
    const int64_t three[] = {3}, four[] = {4};
    accept(wrap(STN_F16, bytes + 10, 1, three, four), wrap(STN_F16, bytes + 8, 1, three, four));
}

/* ---- parts of mapped views ---- */

UNIT_TEST(test_tiled)
{
    static const int64_t tile[] = {3, 4}, extents[] = {8, 8};
    const stn_layout layouts[] = {stn_layout_tiled(2, tile, STN_LAYOUT_RIGHT),
                                  stn_layout_of(STN_LAYOUT_MORTON)};
    static double tiles[9 * 8 * 2];
    for (int k = 0; k < 2; k++) {
        stn_view x, a, b;
        const stn_slice even[] = {stn_slice_all(), stn_slice_strided(0, 4, 2)};
        const stn_slice odd[] = {stn_slice_all(), stn_slice_strided(7, 4, -2)};
        const stn_slice left[] = {stn_slice_all(), stn_slice_range(0, 4)};
        x = wrap_layout("x", stn_storage_of(STN_F64), tiles, &layouts[k], 2, extents);
        expect_ok(stn_view_slice(&a, &x, 2, even));
        expect_ok(stn_view_slice(&b, &x, 2, odd));
        expect_ok(stn_view_fill(NULL, &a, 2.0));
        expect_ok(stn_view_copy(NULL, &b, &a));
        expect_ok(stn_view_slice(&b, &x, 2, left));
        expect_error(stn_view_copy(NULL, &b, &a), STN_ERR_ALIAS, NULL);
        expect_ok(stn_view_copy(NULL, &a, &a));
        stn_view_release(&x);
    }
}

/* ---- the search against all pairs of elements ---- */

static int truth(const stn_view *a, const stn_view *b)
{
    unsigned char used[4096] = {0};
    for (int i = 0; i < 27; i++) {
        const int64_t k[] = {i / 9, i / 3 % 3, i % 3};
        if (k[0] < a->extent[0] && k[1] < a->extent[1] && k[2] < a->extent[2])
            used[2048 + ((char *)a->data - (char *)memory) / 8 + k[0] * a->stride[0] +
                 k[1] * a->stride[1] + k[2] * a->stride[2]] = 1;
    }
    for (int i = 0; i < 27; i++) {
        const int64_t k[] = {i / 9, i / 3 % 3, i % 3};
        if (k[0] < b->extent[0] && k[1] < b->extent[1] && k[2] < b->extent[2] &&
            used[2048 + ((char *)b->data - (char *)memory) / 8 + k[0] * b->stride[0] +
                 k[1] * b->stride[1] + k[2] * b->stride[2]])
            return 1;
    }
    return 0;
}

UNIT_TEST(test_random)
{
    uint64_t state = 3;
    int shared = 0, apart = 0;
    for (int round = 0; round < 200000; round++) {
        stn_view views[2];
        for (int k = 0; k < 2; k++) {
            views[k] = (stn_view){.size = sizeof views[k], .rank = 3};
            views[k].storage = stn_storage_of(STN_F64);
            for (int d = 0; d < 3; d++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                views[k].extent[d] = 1 + (int64_t)(state >> 60) % 3;
                views[k].stride[d] = (int64_t)(state >> 40) % 41 - 20;
            }
            views[k].data = memory + (state >> 33) % 32;
        }
        const int is_shared = truth(&views[0], &views[1]);
        assert_int_equal(stn_view_shares(&views[0], &views[1]), is_shared);
        *(is_shared ? &shared : &apart) += 1;
    }
    assert_true(shared > 1000 && apart > 1000);
}

RUN_UNIT_TESTS(NULL, NULL)
