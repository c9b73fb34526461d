/* Copies between views of the same memory are refused if they share elements, and only then. */
#include "view/overlap.h"
#include "make_view.h"

enum { ELEMENTS = 64 };
static double memory[ELEMENTS], before[ELEMENTS];

static void number(void)
{
    for (int k = 0; k < ELEMENTS; k++)
        memory[k] = before[k] = k;
}

/* Refused in both directions, and nothing is written. */
static void check_refused(const stn_view *to, const stn_view *from)
{
    number();
    expect_error(stn_view_copy(NULL, to, from), STN_ERR_ALIAS, "overlap");
    expect_error(stn_view_copy(NULL, from, to), STN_ERR_ALIAS, "overlap");
    assert_memory_equal(memory, before, sizeof memory);
}

/* Every element has the bits of the source before the copy. */
static void check_copied(const stn_view *to, const stn_view *from, size_t bytes)
{
    int64_t indices[2] = {0};
    number();
    expect_ok(stn_view_copy(NULL, to, from));
    do {
        void *target, *source;
        expect_ok(stn_view_address(to, to->rank, indices, &target));
        expect_ok(stn_view_address(from, from->rank, indices, &source));
        if (to->storage.format == from->storage.format)
            assert_memory_equal(target, (char *)before + ((char *)source - (char *)memory), bytes);
    } while (next_indices(to->rank, to->extent, indices));
}

/* ---- pairs of views ---- */

typedef struct operand {
    stn_format format;
    int byte; /* of the first element */
    int64_t strides[2];
} operand;

enum { REFUSED, COPIED };

static const struct {
    int result, rank;
    int64_t extents[2];
    operand to, from;
} cases[] = {
    /* columns of a matrix */
    {REFUSED, 2, {5, 3}, {STN_F64, 6 * 8, {6, 2}}, {STN_F64, 0, {6, 2}}},
    {REFUSED, 2, {5, 3}, {STN_F64, 8 * 8, {6, 2}}, {STN_F64, 0, {6, 2}}},
    {COPIED, 2, {5, 3}, {STN_F64, 1 * 8, {6, 2}}, {STN_F64, 0, {6, 2}}},
    /* other strides, transposed, and the same view */
    {REFUSED, 2, {3, 3}, {STN_F64, 0, {4, 1}}, {STN_F64, 0, {3, 1}}},
    {REFUSED, 2, {4, 4}, {STN_F64, 0, {1, 4}}, {STN_F64, 0, {4, 1}}},
    {COPIED, 2, {4, 1}, {STN_F64, 0, {1, 4}}, {STN_F64, 0, {1, 4}}},
    {COPIED, 2, {6, 6}, {STN_F64, 0, {7, 1}}, {STN_F64, 0, {7, 1}}},
    /* backward */
    {REFUSED, 1, {6}, {STN_F64, 5 * 8, {-1}}, {STN_F64, 0, {1}}},
    {COPIED, 1, {6}, {STN_F64, 11 * 8, {-2}}, {STN_F64, 0, {2}}},
    /* bytes in doubles, between bytes, and 16-bit numbers between others */
    {REFUSED, 1, {8}, {STN_U8, 3, {8}}, {STN_F64, 0, {1}}},
    {REFUSED, 1, {8}, {STN_U8, 63, {8}}, {STN_F64, 0, {1}}},
    {COPIED, 1, {8}, {STN_U8, 64, {8}}, {STN_F64, 0, {1}}},
    {COPIED, 1, {8}, {STN_U8, 3, {8}}, {STN_U8, 4, {8}}},
    {REFUSED, 1, {8}, {STN_U8, 7, {7}}, {STN_U8, 0, {8}}},
    {COPIED, 1, {3}, {STN_F16, 10, {4}}, {STN_F16, 8, {4}}}};

static stn_view view_of(const operand *x, int rank, const int64_t *extents)
{
    return wrap_strided("x", stn_storage_of(x->format), (char *)memory + x->byte, rank, extents,
                        x->strides);
}

UNIT_TEST(pairs_of_views)
{
    for (int k = 0; k < COUNT_OF(cases); k++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        const stn_view to = view_of(&cases[k].to, cases[k].rank, cases[k].extents);
        const stn_view from = view_of(&cases[k].from, cases[k].rank, cases[k].extents);
        expect_ok(stn_format_describe(to.storage.format, &info));
        if (cases[k].result == REFUSED)
            check_refused(&to, &from);
        else
            check_copied(&to, &from, (size_t)info.bytes);
    }
}

UNIT_TEST(contiguous_views)
{
    const int64_t extents[] = {10}, none[] = {0};
    const stn_view a = wrap_view("a", f64(), memory, 1, extents);
    const stn_view empty = wrap_view("empty", f64(), memory, 1, none);
    for (int first = 1; first <= 10; first++) {
        const stn_view b = wrap_view("b", f64(), memory + first, 1, extents);
        if (first < 10)
            check_refused(&b, &a);
        else
            check_copied(&b, &a, sizeof *memory);
    }
    assert_int_equal(stn_view_shares(&a, &empty) + stn_view_shares(&empty, &a), 0);
}

/* The same elements with another scale. */
UNIT_TEST(scaled_views)
{
    const int64_t extents[] = {6, 6}, strides[] = {7, 1};
    const stn_view x = wrap_strided("x", f64(), memory, 2, extents, strides);
    stn_view scaled = x;
    scaled.storage.scale = 2.0;
    check_refused(&scaled, &x);
}

/* A view that repeats a row can be read, but not written. */
UNIT_TEST(repeated_elements)
{
    const int64_t extents[] = {3, 4}, rows[] = {0, 1};
    const stn_view repeated = wrap_strided("repeated", f64(), memory, 2, extents, rows);
    const stn_view whole = wrap_view("whole", f64(), memory + 20, 2, extents);
    number();
    expect_error(stn_view_copy(NULL, &repeated, &whole), STN_ERR_ALIAS, "repeats");
    expect_error(stn_view_fill(NULL, &repeated, 1.0), STN_ERR_ALIAS, NULL);
    assert_memory_equal(memory, before, sizeof memory);
    check_copied(&whole, &repeated, sizeof *memory);
}

/* ---- parts of mapped views ---- */

UNIT_TEST(parts_of_mapped_views)
{
    static const int64_t tile[] = {3, 4}, extents[] = {8, 8};
    static double tiles[9 * 8 * 2];
    const stn_layout layouts[] = {stn_layout_tiled(2, tile, STN_LAYOUT_RIGHT),
                                  stn_layout_of(STN_LAYOUT_MORTON)};
    const stn_slice even[] = {stn_slice_all(), stn_slice_strided(0, 4, 2)};
    const stn_slice odd[] = {stn_slice_all(), stn_slice_strided(7, 4, -2)};
    const stn_slice left[] = {stn_slice_all(), stn_slice_range(0, 4)};
    for (int k = 0; k < 2; k++) {
        stn_view x = wrap_layout("x", f64(), tiles, &layouts[k], 2, extents);
        const stn_view a = slice_view(&x, 2, even), b = slice_view(&x, 2, odd),
                       c = slice_view(&x, 2, left);
        expect_ok(stn_view_fill(NULL, &a, 2.0));
        expect_ok(stn_view_copy(NULL, &b, &a));
        expect_error(stn_view_copy(NULL, &c, &a), STN_ERR_ALIAS, NULL);
        expect_ok(stn_view_copy(NULL, &a, &a));
        stn_view_release(&x);
    }
}

/* ---- random views of rank 3, against all pairs of elements ---- */

/* Marks the elements of a view, or returns whether one is marked. */
static int visit(unsigned char *used, const stn_view *x, int marks)
{
    int64_t k[3] = {0};
    int is_marked = 0;
    do {
        unsigned char *at = used + ((double *)x->data - memory) + k[0] * x->stride[0] +
                            k[1] * x->stride[1] + k[2] * x->stride[2];
        is_marked |= *at;
        *at |= (unsigned char)marks;
    } while (next_indices(3, x->extent, k));
    return is_marked;
}

UNIT_TEST(random_views)
{
    uint64_t state = 3;
    int shared = 0, disjoint = 0;
    for (int round = 0; round < 200000; round++) {
        unsigned char used[512] = {0};
        stn_view views[2];
        for (int k = 0; k < 2; k++) {
            views[k] = (stn_view){.size = sizeof views[k], .rank = 3};
            views[k].storage = f64();
            for (int d = 0; d < 3; d++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                views[k].extent[d] = 1 + (int64_t)(state >> 60) % 3;
                views[k].stride[d] = (int64_t)(state >> 40) % 41 - 20;
            }
            views[k].data = memory + (state >> 33) % 32;
        }
        visit(used + 256, &views[0], 1);
        const int is_shared = visit(used + 256, &views[1], 0);
        assert_int_equal(stn_view_shares(&views[0], &views[1]), is_shared);
        assert_int_equal(stn_view_shares(&views[1], &views[0]), is_shared);
        *(is_shared ? &shared : &disjoint) += 1;
    }
    assert_true(shared > 1000 && disjoint > 1000);
}

RUN_UNIT_TESTS(NULL, NULL)
