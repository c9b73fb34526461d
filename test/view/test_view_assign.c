/* Assignment: which view may take the place of which, why not, and what it is then; equality. */

#include "view/view.h"
#include "view_model.h"
#include "make_view.h"

static _Alignas(64) double elements[4096];
static char reason[500];

static stn_view strided(const char *label, int rank, const int64_t *extents, const int64_t *strides)
{
    stn_view view = wrap_strided(label, f64(), elements + 2048, rank, extents, strides);
    return view;
}

static stn_view laid(const char *label, stn_layout_kind kind, int rank, const int64_t *extents)
{
    const stn_layout layout = stn_layout_of(kind);
    stn_view view = wrap_layout(label, f64(), elements, &layout, rank, extents);
    return view;
}

/* What can_assign says and what assign does is one thing; a refused target is as it was. */
static void expect(int wanted, const char *word, const stn_view *to, const stn_view *from)
{
    stn_view target = *to;
    const int may = stn_view_can_assign(to, from, reason, sizeof reason);
    if (may != wanted)
        fail_msg("%s <- %s: %d: %s", stn_view_text(to), stn_view_text(from), may, reason);
    if (may ? reason[0] != '\0' : !strstr(reason, word))
        fail_msg("'%s' does not say '%s'", reason, word);
    assert_int_equal(stn_view_can_assign(to, from, NULL, 0), wanted);
    assert_int_equal(stn_view_assign(&target, from), may ? STN_OK : STN_ERR_SHAPE);
    if (!may) {
        assert_non_null(strstr(stn_error(), word));
        assert_memory_equal(&target, to, sizeof target);
        return;
    }
    assert_ptr_equal(target.data, from->data);
    assert_int_equal(stn_view_count(&target), stn_view_count(from));
}

static void allow(const stn_view *to, const stn_view *from)
{
    expect(1, "", to, from);
}

static void refuse(const char *word, const stn_view *to, const stn_view *from)
{
    expect(0, word, to, from);
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
            expect(a == b, stn_space_name((stn_space)b), &to, &from);
        }
}

UNIT_TEST(test_formats)
{
    for (stn_format a = 0; a < STN_BUILTIN_FORMATS; a++)
        for (stn_format b = 0; b < STN_BUILTIN_FORMATS; b++) {
            stn_view to = wrap_view("to", stn_storage_of(a), elements, 1, small);
            stn_view from = wrap_view("from", stn_storage_of(b), elements, 1, other);
            expect(a == b, "format", &to, &from);
        }
}

UNIT_TEST(test_ranks)
{
    const int64_t ones[STN_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int a = 0; a <= STN_MAX_RANK; a++)
        for (int b = 0; b <= STN_MAX_RANK; b++) {
            const stn_view to = strided("to", a, ones, NULL), from = strided("from", b, ones, NULL);
            expect(a == b, "rank", &to, &from);
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
        expect(to_is || !from_is, "read-only", &to, &from);
    }
}

/* Constness, traits and fixed extents are the target's; a view of nothing has none. */
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
    allow(&nothing, &nothing);
    refuse("nothing", &from, &nothing);
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
                expect(!(to_fixed & ~same), "fixed", &to, &from);
            }
}

/* 4 x 11 does not become ... x 10: Kokkos takes it for 4 x 10. */
UNIT_TEST(test_fixed_4_11)
{
    stn_view to = strided("to", 2, (const int64_t[]){4, 10}, NULL);
    const stn_view from = strided("from", 2, (const int64_t[]){4, 11}, NULL);
    expect_ok(stn_view_fix_extents(&to, 2));
    refuse("extent 1 of to (f64, 4 x 10) is fixed, and from (f64, 4 x 11) has 11", &to, &from);
}

UNIT_TEST(test_alignment)
{
    stn_view to = strided("to", 1, small, NULL), from;
    expect_ok(stn_view_set_traits(&to, STN_TRAIT_ALIGNED));
    from = wrap_view("from", f64(), elements + 1, 1, small);
    refuse("aligned", &to, &from);
    expect_ok(stn_view_set_traits(&to, 0));
    allow(&to, &from);
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
            allow(&to, &from);
        }
}

/* ---- layouts ---- */

/* Right, left and block column-major of ranks 1 to 8: each takes itself, and what is both. */
UNIT_TEST(test_layouts)
{
    static const int64_t extents[] = {2, 3, 2, 2, 2, 3, 2, 2};
    static const stn_layout_kind kinds[] = {STN_LAYOUT_RIGHT, STN_LAYOUT_LEFT,
                                            STN_LAYOUT_BLOCK_COL_MAJOR};
    for (int rank = 0; rank <= STN_MAX_RANK; rank++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                const stn_view to = laid("to", kinds[a], rank, extents);
                const stn_view from = laid("from", kinds[b], rank, extents);
                const int both_left = rank == 2 && a > 0 && b > 0;
                expect(rank < 2 || a == b || both_left, "layout", &to, &from);
            }
}

/* Views of no known layout take any strides; the others take strides that are theirs. */
UNIT_TEST(test_strided)
{
    const stn_view any = strided("any", 2, small, (const int64_t[]){9, 2});
    const stn_view right = laid("right", STN_LAYOUT_RIGHT, 2, small);
    const stn_view left = laid("left", STN_LAYOUT_LEFT, 2, small);
    const stn_view padded_right = strided("padded", 2, other, (const int64_t[]){9, 1});
    const stn_view padded_left = strided("padded", 2, other, (const int64_t[]){1, 9});
    const stn_view backward = strided("backward", 2, small, (const int64_t[]){-4, 1});
    allow(&any, &right);
    allow(&any, &left);
    allow(&any, &backward);
    allow(&right, &padded_right);
    refuse("layout left", &right, &padded_left);
    allow(&left, &padded_left);
    refuse("layout right", &left, &padded_right);
    refuse("layout strided", &left, &any);
    refuse("layout strided", &right, &any);
    refuse("layout strided", &right, &backward);
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
                const stn_view whole = laid("whole", kinds[l], 2, shapes[k]);
                stn_slice slices[] = {stn_slice_all(), stn_slice_all()};
                slices[d] = stn_slice_index(0);
                stn_view part = slice_view(&whole, 2, slices);
                const int64_t extent = shapes[k][1 - d];
                const int is_fast = kinds[l] == STN_LAYOUT_RIGHT ? d == 0 : d == 1;
                const int is_narrow = shapes[k][d] == 1;
                expect(extent == 1 || is_fast || is_narrow, "layout", &vector, &part);
                allow(&any, &part);
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

/* Where there is nothing, or nothing yet, strides are of no importance. */
UNIT_TEST(test_empty)
{
    const int64_t none[] = {0, 4};
    const stn_view empty = strided("empty", 2, none, NULL);
    const stn_view right = laid("right", STN_LAYOUT_RIGHT, 2, small);
    const stn_view left = laid("left", STN_LAYOUT_LEFT, 2, small);
    const stn_view any = strided("any", 2, small, (const int64_t[]){9, 2});
    allow(&empty, &right);
    allow(&empty, &left);
    refuse("layout", &empty, &any);
    allow(&right, &empty);
    allow(&left, &empty);
    allow(&any, &empty);
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

static void expect_equal(int wanted, const stn_view *a, const stn_view *b)
{
    assert_int_equal(stn_view_equal(a, b), wanted);
    assert_int_equal(stn_view_equal(b, a), wanted);
}

UNIT_TEST(test_equal)
{
    const stn_view a = strided("a", 2, small, NULL);
    stn_view b = strided("b", 2, small, NULL);
    expect_equal(1, &a, &b);
    b.read_only = 1;
    expect_ok(stn_view_set_traits(&b, STN_TRAIT_RESTRICT));
    expect_equal(1, &a, &b);
    b = strided("b", 2, small, (const int64_t[]){5, 1});
    expect_equal(0, &a, &b);
    b = strided("b", 2, other, (const int64_t[]){4, 1});
    expect_equal(0, &a, &b);
    b = strided("b", 3, small, NULL);
    expect_equal(0, &a, &b);
    b = a;
    b.data = elements;
    expect_equal(0, &a, &b);
    b = a;
    b.storage.scale = 2.0;
    expect_equal(0, &a, &b);
    b = a;
    expect_ok(stn_view_set_space(&b, STN_SPACE_DEVICE));
    expect_equal(0, &a, &b);
    b = a;
    expect_ok(stn_view_set_scales(
        &b, &(stn_scales){.data = elements, .format = STN_F64, .dimension = STN_NO_DIMENSION}));
    expect_equal(0, &a, &b);
    const stn_view c = b;
    expect_equal(1, &c, &b);
    assert_int_equal(stn_view_equal(&a, NULL), 0);
}

/* Strides of dimensions of one index, and of nothing, make no difference. */
UNIT_TEST(test_equal_strides)
{
    const int64_t thin[] = {1, 4}, none[] = {0, 4};
    const stn_view a = strided("a", 2, thin, NULL),
                   b = strided("b", 2, thin, (const int64_t[]){77, 1});
    const stn_view c = strided("c", 2, none, NULL),
                   d = strided("d", 2, none, (const int64_t[]){7, 8});
    expect_equal(1, &a, &b);
    expect_equal(1, &c, &d);
    expect_equal(0, &a, &c);
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
