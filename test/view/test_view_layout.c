/* Layouts: positions of the elements of every rank against a model; padding; queries of strides and
 * mappings; names and texts. */
#include <stdlib.h>

#include "view/view.h"
#include "view_model.h"
#include "view/extra.h"
#include "make_view.h"

static const int64_t shapes[][STN_MAX_RANK] = {{2, 3, 4, 2, 3, 4, 2, 3},
                                               {5, 1, 3, 2, 1, 2, 5, 1},
                                               {1, 9, 2, 3, 2, 1, 1, 7},
                                               {8, 4, 2, 4, 2, 1, 2, 2},
                                               {17, 2, 3, 1, 5, 2, 1, 3}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static view_model model;
static unsigned char seen[4 * MODEL_LARGEST];

static stn_storage f32(void)
{
    return stn_storage_of(STN_F32);
}

static stn_view create(stn_format format, const stn_layout *layout, int rank,
                       const int64_t *extents, unsigned flags)
{
    return create_view(NULL, "hotel", stn_storage_of(format), layout, rank, extents, flags);
}

/* Every element has its own position in the span. */
static void check_bijective(const stn_view *view)
{
    int64_t indices[STN_MAX_RANK] = {0}, offset;
    const int64_t span = stn_view_span(view);
    const int64_t shift =
        ((const char *)view->data - (const char *)model_lowest(view)) / (int64_t)sizeof(float);
    assert_true(span <= (int64_t)sizeof seen && span >= stn_view_count(view));
    memset(seen, 0, sizeof seen);
    do {
        expect_ok(stn_view_offset(view, view->rank, indices, &offset));
        assert_in_range(offset + shift, 0, span - 1);
        assert_int_equal(seen[offset + shift]++, 0);
    } while (next_indices(view->rank, view->extent, indices));
    assert_int_equal(stn_view_is_unique(view), 1);
    assert_int_equal(stn_view_is_contiguous(view), span == stn_view_count(view));
}

UNIT_TEST(positions)
{
    for (int k = 0; k < SHAPES; k++)
        for (int rank = 0; rank <= STN_MAX_RANK; rank++)
            for (model_layout l = 0; l < MODEL_LAYOUTS; l++) {
                stn_view view = model_create(l, "hotel", f32(), rank, shapes[k]);
                model_make(&model, l, rank, shapes[k]);
                model_check(&model, &view, model_lowest(&view));
                check_bijective(&view);
                assert_int_equal(stn_view_mapping(&view) == NULL, model_is_strided(l));
                stn_view_release(&view);
            }
}

/* All extents up to 17 x 17 x 5. */
UNIT_TEST(test_morton)
{
    const stn_layout layout = stn_layout_of(STN_LAYOUT_MORTON);
    for (int64_t a = 1; a <= 17; a++)
        for (int64_t b = 1; b <= 17; b++)
            for (int64_t c = 1; c <= 5; c++) {
                const int64_t extents[] = {a, b, c};
                stn_view view = create(STN_F32, &layout, 3, extents, STN_CREATE_UNINITIALIZED);
                check_bijective(&view);
                stn_view_release(&view);
            }
    const int64_t thin[] = {3, 4099};
    stn_view view = create(STN_F32, &layout, 2, thin, STN_CREATE_UNINITIALIZED);
    model_make(&model, MODEL_MORTON, 2, thin);
    model_check(&model, &view, view.data);
    stn_view_release(&view);
}

UNIT_TEST(test_tiles)
{
    for (int64_t rows = 1; rows <= 5; rows++)
        for (int64_t columns = 1; columns <= 5; columns++)
            for (int64_t a = 1; a <= 7; a++)
                for (int64_t b = 1; b <= 7; b++) {
                    const int64_t tile[] = {rows, columns}, extents[] = {a, b};
                    const stn_layout layout = stn_layout_tiled(2, tile, STN_LAYOUT_LEFT);
                    stn_view view = create(STN_F32, &layout, 2, extents, 0);
                    check_bijective(&view);
                    assert_int_equal(stn_view_span(&view), (a + rows - 1) / rows * rows *
                                                               ((b + columns - 1) / columns) *
                                                               columns);
                    stn_view_release(&view);
                }
}

/* Offsets of more than 2^31 elements, without memory. */
UNIT_TEST(test_wide)
{
    static float element;
    const int64_t extents[] = {(int64_t)1 << 20, 70000}, last[] = {((int64_t)1 << 20) - 1, 69999};
    for (int k = 0; k < 2; k++) {
        const int64_t tile[] = {64, 64};
        const stn_layout layout =
            k ? stn_layout_of(STN_LAYOUT_MORTON) : stn_layout_tiled(2, tile, STN_LAYOUT_RIGHT);
        int64_t offset = 0;
        stn_view view = wrap_layout("wide", f32(), &element, &layout, 2, extents);
        expect_ok(stn_view_offset(&view, 2, last, &offset));
        assert_true(offset >= extents[0] * extents[1] - 1 && offset < stn_view_span(&view));
        stn_view_release(&view);
    }
    (void)wrap_view("wide", f32(), &element, 2, extents);
}

/* ---- padding ---- */

static void check_padding(stn_format format, int64_t row, int64_t expected)
{
    static const stn_layout_kind kinds[] = {STN_LAYOUT_RIGHT, STN_LAYOUT_LEFT,
                                            STN_LAYOUT_BLOCK_COL_MAJOR};
    for (int k = 0; k < COUNT_OF(kinds); k++)
        for (int rank = 1; rank <= 4; rank++) {
            const stn_layout layout = stn_layout_of(kinds[k]);
            int64_t extents[4] = {2, 2, 2, 2};
            const int slow_first = kinds[k] == STN_LAYOUT_RIGHT || rank == 1;
            const int fast = slow_first ? rank - 1 : kinds[k] == STN_LAYOUT_LEFT ? 0 : rank - 2;
            const int next = kinds[k] == STN_LAYOUT_RIGHT  ? rank - 2
                             : kinds[k] == STN_LAYOUT_LEFT ? 1
                                                           : rank - 1;
            extents[fast] = row;
            stn_view view = create(format, &layout, rank, extents, STN_CREATE_PADDED);
            assert_int_equal(view.stride[fast], 1);
            if (rank > 1) {
                assert_int_equal(view.stride[next], expected);
                assert_int_equal(stn_view_is_contiguous(&view), expected == row);
                assert_int_equal(stn_view_layout(&view),
                                 kinds[k] == STN_LAYOUT_BLOCK_COL_MAJOR && rank == 2
                                     ? STN_LAYOUT_LEFT
                                     : kinds[k]);
            } else {
                assert_int_equal(stn_view_is_contiguous(&view), 1);
            }
            stn_view_release(&view);
        }
}

UNIT_TEST(test_padding)
{
    static const int64_t rows[][2] = {{7, 7},   {8, 8},   {9, 16},  {10, 16},
                                      {16, 16}, {17, 24}, {65, 72}, {101, 104}};
    stn_format odd, line;
    expect_ok(stn_format_opaque(&odd, 12, 4));
    expect_ok(stn_format_opaque(&line, 64, 64));
    for (int k = 0; k < COUNT_OF(rows); k++) {
        check_padding(STN_F64, rows[k][0], rows[k][1]);
        check_padding(odd, rows[k][0], rows[k][0]);
        check_padding(line, rows[k][0], rows[k][0]);
    }
    check_padding(STN_I8, 64, 64);
    check_padding(STN_I8, 65, 128);
    check_padding(STN_F16, 33, 64);
    check_padding(STN_C128, 5, 8);
}

/* ---- strides ---- */

/* Exactly `rank` strides are written, or none if the capacity is smaller. */
UNIT_TEST(test_strides)
{
    static float element;
    for (int rank = 0; rank <= STN_MAX_RANK; rank++)
        for (int capacity = 0; capacity <= STN_MAX_RANK + 1; capacity++) {
            int64_t strides[STN_MAX_RANK + 2], untouched[STN_MAX_RANK + 2];
            memset(strides, 0x5a, sizeof strides);
            memset(untouched, 0x5a, sizeof untouched);
            stn_view view = wrap_view("golf", f32(), &element, rank, shapes[0]);
            assert_int_equal(stn_view_strides(&view, strides, capacity),
                             capacity < rank ? STN_ERR_RANGE : STN_OK);
            const int written = capacity < rank ? 0 : rank;
            for (int d = 0; d < rank; d++) {
                int64_t stride = 0;
                expect_ok(stn_view_stride(&view, d, &stride));
                if (written)
                    assert_int_equal(strides[d], stride);
            }
            assert_memory_equal(strides + written, untouched + written,
                                sizeof strides - (size_t)written * sizeof *strides);
        }
}

typedef struct strided_case {
    int64_t extents[3], strides[3];
    int rank;
    stn_layout_kind kind;
    int unique, contiguous;
    int64_t leading; /* positive: by row; negative: by column; 0: neither */
} strided_case;

UNIT_TEST(queries_of_strided_views)
{
    static const strided_case cases[] = {
        {{3, 4}, {4, 1}, 2, STN_LAYOUT_RIGHT, 1, 1, 4},
        {{3, 4}, {1, 3}, 2, STN_LAYOUT_LEFT, 1, 1, -3},
        {{3, 4}, {7, 1}, 2, STN_LAYOUT_RIGHT, 1, 0, 7},
        {{3, 4}, {1, 9}, 2, STN_LAYOUT_LEFT, 1, 0, -9},
        {{3, 4}, {1, 1}, 2, STN_LAYOUT_STRIDED, 0, 0, 0},
        {{3, 4}, {0, 1}, 2, STN_LAYOUT_STRIDED, 0, 0, 0},
        {{3, 4}, {-4, 1}, 2, STN_LAYOUT_STRIDED, 1, 1, 0},
        {{3, 4}, {8, 2}, 2, STN_LAYOUT_STRIDED, 1, 0, 0},
        {{3, 2}, {2, 3}, 2, STN_LAYOUT_STRIDED, 1, 0, 0}, /* 0 3 2 5 4 7: not nested */
        {{4, 2}, {2, 6}, 2, STN_LAYOUT_STRIDED, 0, 0, 0}, /* 6 twice */
        {{1, 4}, {99, 1}, 2, STN_LAYOUT_RIGHT, 1, 1, 99},
        {{4, 1}, {1, 99}, 2, STN_LAYOUT_RIGHT, 1, 1, 1},
        {{4, 1}, {5, 1}, 2, STN_LAYOUT_RIGHT, 1, 0, 5},
        {{1, 1}, {0, 0}, 2, STN_LAYOUT_RIGHT, 1, 1, 1},
        {{0, 4}, {0, 0}, 2, STN_LAYOUT_RIGHT, 1, 1, 4},
        {{5}, {1}, 1, STN_LAYOUT_RIGHT, 1, 1, 0},
        {{5}, {2}, 1, STN_LAYOUT_STRIDED, 1, 0, 0},
        {{5}, {-1}, 1, STN_LAYOUT_STRIDED, 1, 1, 0},
        {{2, 3, 4}, {12, 4, 1}, 3, STN_LAYOUT_RIGHT, 1, 1, 0},
        {{2, 3, 4}, {15, 5, 1}, 3, STN_LAYOUT_RIGHT, 1, 0, 0},
        {{2, 3, 4}, {20, 4, 1}, 3, STN_LAYOUT_STRIDED, 1, 0, 0},
        {{2, 3, 4}, {1, 2, 6}, 3, STN_LAYOUT_LEFT, 1, 1, 0},
        {{2, 3, 4}, {12, 1, 3}, 3, STN_LAYOUT_BLOCK_COL_MAJOR, 1, 1, 0},
        {{2, 3, 4}, {20, 1, 5}, 3, STN_LAYOUT_BLOCK_COL_MAJOR, 1, 0, 0},
    };
    static float elements[2000];
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const strided_case *c = &cases[k];
        int64_t leading = 0;
        int is_row_major = 0;
        stn_view view =
            wrap_strided("golf", f32(), elements + 1000, c->rank, c->extents, c->strides);
        if (stn_view_layout(&view) != c->kind || stn_view_is_unique(&view) != c->unique ||
            stn_view_is_contiguous(&view) != c->contiguous)
            fail_msg("case %d: layout %s, unique %d, contiguous %d", k,
                     stn_layout_name(stn_view_layout(&view)), stn_view_is_unique(&view),
                     stn_view_is_contiguous(&view));
        const stn_status status = stn_view_leading_dimension(&view, &leading, &is_row_major);
        assert_int_equal(status, c->rank != 2 ? STN_ERR_SHAPE
                                 : c->leading ? STN_OK
                                              : STN_ERR_UNSUPPORTED);
        assert_int_equal(is_row_major ? leading : -leading, c->leading);
    }
}

/* Unique or not, against all pairs. */
UNIT_TEST(test_unique)
{
    uint64_t state = 1;
    for (int round = 0; round < 3000; round++) {
        int64_t extents[3], strides[3], indices[3] = {0};
        int twice = 0;
        memset(seen, 0, 400);
        for (int d = 0; d < 3; d++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            extents[d] = 1 + (int64_t)(state >> 40) % 5;
            strides[d] = (int64_t)(state >> 50) % 25 - 12;
        }
        do {
            int64_t position = 200;
            for (int d = 0; d < 3; d++)
                position += indices[d] * strides[d];
            twice |= seen[position]++;
        } while (next_indices(3, extents, indices));
        assert_int_equal(stn_strides_are_unique(3, extents, strides), !twice);
    }
}

/* ---- names and texts ---- */

UNIT_TEST(test_names)
{
    static const char *const names[] = {"right",  "left",   "strided", "block_col_major", "tiled",
                                        "morton", "custom", "packed",  "banded"};
    for (int k = 0; k < 9; k++)
        assert_string_equal(stn_layout_name((stn_layout_kind)k), names[k]);
    assert_string_equal(stn_layout_name((stn_layout_kind)9), "unknown layout");
    assert_string_equal(stn_layout_name((stn_layout_kind)-1), "unknown layout");
}

UNIT_TEST(test_parse)
{
    static const struct {
        const char *text;
        stn_layout_kind kind, inner;
        int rank, count;
        int64_t numbers[8]; /* tile extents, strides, or the members of `tile` */
    } cases[] = {{"right", STN_LAYOUT_RIGHT, 0, 0, 0, {0}},
                 {"left", STN_LAYOUT_LEFT, 0, 0, 0, {0}},
                 {"block_col_major", STN_LAYOUT_BLOCK_COL_MAJOR, 0, 0, 0, {0}},
                 {"morton", STN_LAYOUT_MORTON, 0, 0, 0, {0}},
                 {"tiled:2x3", STN_LAYOUT_TILED, STN_LAYOUT_RIGHT, 2, 2, {2, 3}},
                 {"tiled:4:right", STN_LAYOUT_TILED, STN_LAYOUT_RIGHT, 1, 1, {4}},
                 {"tiled:1x2x3x4x5x6x7x8:left",
                  STN_LAYOUT_TILED,
                  STN_LAYOUT_LEFT,
                  8,
                  8,
                  {1, 2, 3, 4, 5, 6, 7, 8}},
                 {"strided:12,-1", STN_LAYOUT_STRIDED, 0, 2, 2, {12, -1}},
                 {"strided:-9223372036854775808", STN_LAYOUT_STRIDED, 0, 1, 1, {INT64_MIN}},
                 {"packed:lower", STN_LAYOUT_PACKED, STN_LAYOUT_RIGHT, 0, 1, {STN_LOWER}},
                 {"packed:upper:left", STN_LAYOUT_PACKED, STN_LAYOUT_LEFT, 0, 1, {STN_UPPER}},
                 {"banded:1,2", STN_LAYOUT_BANDED, STN_LAYOUT_RIGHT, 0, 3, {1, 2, 4}},
                 {"banded:0,3,7:left", STN_LAYOUT_BANDED, STN_LAYOUT_LEFT, 0, 3, {0, 3, 7}}};
    for (int k = 0; k < COUNT_OF(cases); k++) {
        stn_layout layout;
        expect_ok_for(stn_layout_parse(cases[k].text, &layout), cases[k].text);
        const int is_strided = cases[k].kind == STN_LAYOUT_STRIDED;
        const int64_t *numbers = is_strided ? layout.stride : layout.tile;
        assert_int_equal(layout.kind, cases[k].kind);
        if (cases[k].kind >= STN_LAYOUT_TILED && cases[k].kind != STN_LAYOUT_MORTON)
            assert_int_equal(layout.inner, cases[k].inner);
        if (cases[k].rank)
            assert_int_equal(layout.rank, cases[k].rank);
        for (int d = 0; d < cases[k].count; d++)
            assert_true(numbers[d] == cases[k].numbers[d]);
    }
}

UNIT_TEST(test_parse_refused)
{
    /* clang-format off */
    static const char *const texts[] = {
        "", "righ", "right ", "Right", "custom", "tiled", "tiled:", "tiled:0x2", "tiled:-1",
        "tiled:2x", "tiled:x2", "tiled:2,3", "tiled:2x3:", "tiled:2x3:up", "tiled: 2", "tiled:+2",
        "tiled:1x1x1x1x1x1x1x1x1", "strided:", "strided:1,", "strided:1x2", "strided:--1",
        "strided:1,2 ", "strided:9223372036854775808", "strided", "packed", "packed:",
        "packed:low", "packed:lowers", "packed:upper:", "packed:upper:down", "banded", "banded:1",
        "banded:1x2", "banded:1,-2", "banded:1,2,3,4", "banded:1,2:",
        "banded:9223372036854775807,0", "banded:9223372036854775807,1"
    };
    /* clang-format on */
    stn_layout layout, before;
    memset(&layout, 0x5a, sizeof layout);
    before = layout;
    for (int k = 0; k < COUNT_OF(texts); k++)
        expect_error(stn_layout_parse(texts[k], &layout), STN_ERR_PARSE, texts[k]);
    expect_error(stn_layout_parse(NULL, &layout), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_layout_parse("right", NULL), STN_ERR_ARGUMENT, NULL);
    assert_memory_equal(&layout, &before, sizeof layout);
}

RUN_UNIT_TESTS(NULL, NULL)
