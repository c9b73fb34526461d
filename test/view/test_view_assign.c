/* Assignment: which views can be assigned to which, the reason for a refusal, and the members of
 * the target; equality. */
#include "view/view.h"
#include "view_model.h"
#include "make_view.h"

static _Alignas(64) double elements[4096];
static char reason[500];

static stn_view strided(const char *label, int rank, const int64_t *extents, const int64_t *strides)
{
    return wrap_strided(label, f64(), elements + 2048, rank, extents, strides);
}

static stn_view with_layout(const char *label, stn_layout_kind kind, int rank,
                            const int64_t *extents)
{
    const stn_layout layout = stn_layout_of(kind);
    return wrap_layout(label, f64(), elements, &layout, rank, extents);
}

/* stn_view_can_assign and stn_view_assign agree; the reason for a refusal contains the text, and a
 * refused target is unchanged. */
static void check(int is_allowed, const char *text, const stn_view *to, const stn_view *from)
{
    stn_view target = *to;
    const int found = stn_view_can_assign(to, from, reason, sizeof reason);
    if (found != is_allowed || (found ? reason[0] != '\0' : !strstr(reason, text)))
        fail_msg("%s <- %s: %d, not '%s': %s", stn_view_text(to), stn_view_text(from), found, text,
                 reason);
    assert_int_equal(stn_view_can_assign(to, from, NULL, 0), is_allowed);
    expect_error(stn_view_assign(&target, from), is_allowed ? STN_OK : STN_ERR_SHAPE,
                 is_allowed ? NULL : text);
    if (is_allowed) {
        assert_ptr_equal(target.data, from->data);
        assert_int_equal(stn_view_count(&target), stn_view_count(from));
    } else {
        assert_memory_equal(&target, to, sizeof target);
    }
}

static const int64_t small[] = {3, 4, 5}, other[] = {6, 7, 8};

/* ---- types ---- */

UNIT_TEST(test_spaces)
{
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            stn_view to = strided("to", 1, small, NULL), from = strided("from", 1, other, NULL);
            expect_ok(stn_view_set_space(&to, (stn_space)a));
            expect_ok(stn_view_set_space(&from, (stn_space)b));
            check(a == b, stn_space_name((stn_space)b), &to, &from);
        }
}

UNIT_TEST(test_formats)
{
    for (stn_format a = 0; a < STN_BUILTIN_FORMATS; a++)
        for (stn_format b = 0; b < STN_BUILTIN_FORMATS; b++) {
            stn_view to = wrap_view("to", stn_storage_of(a), elements, 1, small);
            stn_view from = wrap_view("from", stn_storage_of(b), elements, 1, other);
            check(a == b, "format", &to, &from);
        }
}

UNIT_TEST(test_ranks)
{
    const int64_t ones[STN_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int a = 0; a <= STN_MAX_RANK; a++)
        for (int b = 0; b <= STN_MAX_RANK; b++) {
            const stn_view to = strided("to", a, ones, NULL), from = strided("from", b, ones, NULL);
            check(a == b, "rank", &to, &from);
        }
}

/* int <- int, const int <- int and const int <- const int; not int <- const int. */
UNIT_TEST(test_constness)
{
    for (unsigned bits = 0; bits < 16; bits++) {
        stn_view to = strided("to", 2, small, NULL), from = strided("from", 2, other, NULL);
        to.read_only = bits & 1;
        from.read_only = bits >> 1 & 1;
        expect_ok(stn_view_set_traits(&to, bits & 4 ? STN_TRAIT_RANDOM_ACCESS : 0));
        expect_ok(stn_view_set_traits(&from, bits & 8 ? STN_TRAIT_RANDOM_ACCESS : 0));
        const int to_is = (bits & 1) || (bits & 4), from_is = (bits & 2) || (bits & 8);
        check(to_is || !from_is, "read-only", &to, &from);
    }
}

/* The target keeps its constness, traits and fixed extents; an empty view takes them. */
UNIT_TEST(test_kept)
{
    stn_view to = strided("to", 2, small, NULL), from = strided("from", 2, small, NULL);
    static const stn_view nothing;
    stn_view fresh = nothing;
    to.read_only = 1;
    expect_ok(stn_view_fix_extents(&to, 2));
    expect_ok(stn_view_set_traits(&to, STN_TRAIT_ALIGNED));
    expect_ok(stn_view_set_traits(&from, STN_TRAIT_RESTRICT));
    expect_ok(stn_view_assign(&to, &from));
    assert_true(to.read_only == 1 && to.fixed == 2 && to.traits == STN_TRAIT_ALIGNED);
    assert_string_equal(to.label, "from");
    expect_ok(stn_view_assign(&fresh, &from));
    assert_true(fresh.read_only == 0 && fresh.fixed == 0 && fresh.traits == STN_TRAIT_RESTRICT);
    check(1, "", &nothing, &nothing);
    check(0, "empty view", &from, &nothing);
}

UNIT_TEST(test_fixed)
{
    for (unsigned to_fixed = 0; to_fixed < 8; to_fixed++)
        for (unsigned from_fixed = 0; from_fixed < 8; from_fixed++)
            for (unsigned same = 0; same < 8; same++) {
                int64_t extents[3];
                for (int d = 0; d < 3; d++)
                    extents[d] = same >> d & 1 ? small[d] : other[d];
                stn_view to = strided("to", 3, small, NULL);
                stn_view from = strided("from", 3, extents, NULL);
                expect_ok(stn_view_fix_extents(&to, to_fixed));
                expect_ok(stn_view_fix_extents(&from, from_fixed));
                check(!(to_fixed & ~same), "fixed", &to, &from);
            }
}

UNIT_TEST(test_alignment)
{
    stn_view to = strided("to", 1, small, NULL), from;
    expect_ok(stn_view_set_traits(&to, STN_TRAIT_ALIGNED));
    from = wrap_view("from", f64(), elements + 1, 1, small);
    check(0, "aligned", &to, &from);
    expect_ok(stn_view_set_traits(&to, 0));
    check(1, "", &to, &from);
}

/* Every combination of traits is convertible to every other. */
UNIT_TEST(test_traits)
{
    for (unsigned a = 0; a < 32; a++)
        for (unsigned b = 0; b < 32; b++) {
            stn_view to = strided("to", 1, small, NULL), from = strided("from", 1, other, NULL);
            to.read_only = 1;
            expect_ok(stn_view_set_traits(&to, a));
            expect_ok(stn_view_set_traits(&from, b));
            check(1, "", &to, &from);
        }
}

/* ---- layouts ---- */

/* Each layout takes itself, and strides that are of two layouts. */
UNIT_TEST(test_layouts)
{
    static const int64_t extents[] = {2, 3, 2, 2, 2, 3, 2, 2};
    static const stn_layout_kind kinds[] = {STN_LAYOUT_RIGHT, STN_LAYOUT_LEFT,
                                            STN_LAYOUT_BLOCK_COL_MAJOR};
    for (int rank = 0; rank <= STN_MAX_RANK; rank++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                const stn_view to = with_layout("to", kinds[a], rank, extents);
                const stn_view from = with_layout("from", kinds[b], rank, extents);
                const int both_left = rank == 2 && a > 0 && b > 0;
                check(rank < 2 || a == b || both_left, "layout", &to, &from);
            }
}

/* Views of layout strided take any strides, those of another layout only the strides it has. The
 * layouts of empty views do not matter. */
UNIT_TEST(test_strided)
{
    static const int64_t none[] = {0, 4};
    enum { ANY, RIGHT, LEFT, PADDED_RIGHT, PADDED_LEFT, BACKWARD, EMPTY };
    static const struct {
        int to, from;
        const char *refused; /* NULL: allowed */
    } cases[] = {{ANY, RIGHT, NULL},
                 {ANY, LEFT, NULL},
                 {ANY, BACKWARD, NULL},
                 {RIGHT, PADDED_RIGHT, NULL},
                 {RIGHT, PADDED_LEFT, "layout left"},
                 {LEFT, PADDED_LEFT, NULL},
                 {LEFT, PADDED_RIGHT, "layout right"},
                 {LEFT, ANY, "layout strided"},
                 {RIGHT, ANY, "layout strided"},
                 {RIGHT, BACKWARD, "layout strided"},
                 {EMPTY, RIGHT, NULL},
                 {EMPTY, LEFT, NULL},
                 {EMPTY, ANY, "layout"},
                 {RIGHT, EMPTY, NULL},
                 {LEFT, EMPTY, NULL},
                 {ANY, EMPTY, NULL}};
    const stn_view views[] = {[ANY] = strided("any", 2, small, (const int64_t[]){9, 2}),
                              [RIGHT] = with_layout("right", STN_LAYOUT_RIGHT, 2, small),
                              [LEFT] = with_layout("left", STN_LAYOUT_LEFT, 2, small),
                              [PADDED_RIGHT] = strided("pad", 2, other, (const int64_t[]){9, 1}),
                              [PADDED_LEFT] = strided("pad", 2, other, (const int64_t[]){1, 9}),
                              [BACKWARD] = strided("back", 2, small, (const int64_t[]){-4, 1}),
                              [EMPTY] = strided("empty", 2, none, NULL)};
    for (int k = 0; k < COUNT_OF(cases); k++)
        check(!cases[k].refused, cases[k].refused, &views[cases[k].to], &views[cases[k].from]);
}

/* Columns and rows of 17 x 3, 17 x 1 and 1 x 17 as vectors that are contiguous. */
UNIT_TEST(test_vectors)
{
    static const int64_t shapes[][2] = {{17, 3}, {17, 1}, {1, 17}};
    static const stn_layout_kind kinds[] = {STN_LAYOUT_RIGHT, STN_LAYOUT_LEFT};
    const stn_view vector = strided("vector", 1, small, NULL);
    const stn_view any = strided("any", 1, small, (const int64_t[]){2});
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 2; l++)
            for (int d = 0; d < 2; d++) {
                const stn_view whole = with_layout("whole", kinds[l], 2, shapes[k]);
                stn_slice slices[] = {stn_slice_all(), stn_slice_all()};
                slices[d] = stn_slice_index(0);
                stn_view part = slice_view(&whole, 2, slices);
                const int64_t extent = shapes[k][1 - d];
                const int is_fast = kinds[l] == STN_LAYOUT_RIGHT ? d == 0 : d == 1;
                const int is_narrow = shapes[k][d] == 1;
                check(extent == 1 || is_fast || is_narrow, "layout", &vector, &part);
                check(1, "", &any, &part);
            }
}

UNIT_TEST(test_mapped)
{
    for (model_layout a = 0; a < MODEL_LAYOUTS; a++)
        for (model_layout b = 0; b < MODEL_LAYOUTS; b++) {
            const stn_layout la = model_layout_of(a, 3, small), lb = model_layout_of(b, 3, other);
            stn_view to = wrap_layout("to", f64(), elements + 2048, &la, 3, small);
            stn_view from = wrap_layout("from", f64(), elements + 2048, &lb, 3, other);
            const int any = a == MODEL_STRIDED && model_is_strided(b);
            const int may = stn_view_can_assign(&to, &from, reason, sizeof reason);
            assert_int_equal(may, a == b || any);
            if (may) {
                expect_ok(stn_view_assign(&to, &from));
                assert_int_equal(to.extent[0], other[0]);
                assert_true(stn_view_equal(&to, &from));
            }
            stn_view_release(&to);
            stn_view_release(&from);
        }
}

UNIT_TEST(test_reasons)
{
    const stn_view to = strided("to", 1, small, NULL), from = strided("from", 2, small, NULL);
    char text[8];
    memset(text, 'x', sizeof text);
    assert_int_equal(stn_view_can_assign(&to, &from, text, 5), 0);
    assert_string_equal(text, "the ");
    assert_int_equal(text[5], 'x');
    assert_int_equal(stn_view_can_assign(NULL, &from, reason, sizeof reason), 0);
    assert_non_null(strstr(reason, "NULL"));
    assert_int_equal(stn_view_can_assign(&to, NULL, reason, sizeof reason), 0);
    expect_error(stn_view_assign(NULL, &from), STN_ERR_ARGUMENT, NULL);
    stn_view target = to;
    expect_error(stn_view_assign(&target, NULL), STN_ERR_ARGUMENT, NULL);
}

/* ---- equality ---- */

static void expect_equal(int expected, const stn_view *a, const stn_view *b)
{
    assert_int_equal(stn_view_equal(a, b), expected);
    assert_int_equal(stn_view_equal(b, a), expected);
}

UNIT_TEST(test_equal)
{
    const int64_t thin[] = {1, 4}, none[] = {0, 4};
    const stn_scales scales = element_scales(elements, 0, 0);
    const stn_view a = strided("a", 2, small, NULL);
    const stn_view equal[][2] = {
        {a, strided("b", 2, small, NULL)},
        /* strides of extent 1, and of empty views, do not matter */
        {strided("a", 2, thin, NULL), strided("b", 2, thin, (const int64_t[]){77, 1})},
        {strided("a", 2, none, NULL), strided("b", 2, none, (const int64_t[]){7, 8})}};
    stn_view different[] = {strided("b", 2, small, (const int64_t[]){5, 1}),
                            strided("b", 2, other, (const int64_t[]){4, 1}),
                            strided("b", 3, small, NULL),
                            equal[1][0],
                            equal[2][0],
                            a,
                            a,
                            a,
                            a};
    different[5].data = elements;
    different[6].storage.scale = 2.0;
    expect_ok(stn_view_set_space(&different[7], STN_SPACE_DEVICE));
    expect_ok(stn_view_set_scales(&different[8], &scales));
    for (int k = 0; k < COUNT_OF(equal); k++)
        expect_equal(1, &equal[k][0], &equal[k][1]);
    for (int k = 0; k < COUNT_OF(different); k++)
        expect_equal(0, &a, &different[k]);
    const stn_view scaled = different[8];
    expect_equal(1, &scaled, &different[8]);
    expect_equal(0, &equal[1][0], &equal[2][0]);
    stn_view traits = a; /* do not matter */
    traits.read_only = 1;
    expect_ok(stn_view_set_traits(&traits, STN_TRAIT_RESTRICT));
    expect_equal(1, &a, &traits);
    assert_int_equal(stn_view_equal(&a, NULL), 0);
    expect_ok(stn_view_release(&different[8]));
}

UNIT_TEST(test_equal_mapped)
{
    for (model_layout a = MODEL_TILED_RIGHT; a < MODEL_LAYOUTS; a++)
        for (model_layout b = MODEL_TILED_RIGHT; b < MODEL_LAYOUTS; b++) {
            const stn_layout la = model_layout_of(a, 2, small), lb = model_layout_of(b, 2, small);
            stn_view x = wrap_layout("x", f64(), elements, &la, 2, small);
            stn_view y = wrap_layout("y", f64(), elements, &lb, 2, small);
            expect_equal(a == b, &x, &y);
            const stn_slice slices[] = {stn_slice_index(1), stn_slice_range(1, 3)};
            stn_view part = slice_view(&x, 2, slices);
            stn_view same = slice_view(&y, 2, slices);
            expect_equal(a == b, &part, &same);
            same = slice_view(&y, 2,
                              (const stn_slice[]){stn_slice_range(1, 2), stn_slice_range(0, 4)});
            expect_ok(stn_view_slice(
                &same, &same, 2, (const stn_slice[]){stn_slice_index(0), stn_slice_range(1, 3)}));
            expect_equal(a == b, &part, &same);
            same =
                slice_view(&x, 2, (const stn_slice[]){stn_slice_index(2), stn_slice_range(1, 3)});
            expect_equal(0, &part, &same);
            stn_view_release(&x);
            stn_view_release(&y);
        }
}

RUN_UNIT_TESTS(NULL, NULL)
