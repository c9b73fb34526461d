/* Parts of views: random slices and orders of every layout against a model that looks up; handles,
 * fixed extents, traits and scales of parts. */

#include "oracle.h"
#include "view/view.h"
#include "view_model.h"
#include "view/extra.h"
#include "make_view.h"

static view_model model;
static uint64_t drawn;

static int64_t draw(int64_t below)
{
    return (int64_t)(oracle_random(7, drawn++) % (uint64_t)below);
}

static stn_slice draw_slice(int64_t extent)
{
    const int64_t begin = extent ? draw(extent) : 0;
    switch (draw(extent ? 6 : 3)) {
    case 0:
        return stn_slice_range(begin, begin + draw(extent - begin + 1));
    case 1:
    case 2:
        return stn_slice_all();
    case 3:
        return stn_slice_index(begin);
    case 4: {
        const int64_t step = 1 + draw(3);
        return stn_slice_strided(begin, 1 + draw((extent - 1 - begin) / step + 1), step);
    }
    default: {
        const int64_t step = 1 + draw(3);
        return stn_slice_strided(begin, 1 + draw(begin / step + 1), -step);
    }
    }
}

static void draw_order(int rank, int *order)
{
    for (int d = 0; d < rank; d++)
        order[d] = d;
    for (int d = rank - 1; d > 0; d--) {
        const int other = (int)draw(d + 1), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
}

/* One step: a slice or another order, into another view or in place. */
static void step(stn_view *part)
{
    stn_slice slices[STN_MAX_RANK];
    int order[STN_MAX_RANK];
    stn_view other;
    const int in_place = draw(2) != 0;
    stn_view *to = in_place ? part : &other;
    memset(&other, 0x5a, sizeof other);
    if (draw(3) == 0) {
        draw_order(part->rank, order);
        expect_ok(stn_view_permute(to, part, part->rank, order));
        model_permute(&model, order);
    } else {
        for (int d = 0; d < part->rank; d++)
            slices[d] = draw_slice(part->extent[d]);
        expect_ok(stn_view_slice(to, part, part->rank, slices));
        model_slice(&model, slices);
    }
    if (!in_place)
        *part = other;
}

UNIT_TEST(test_random)
{
    for (int round = 0; round < 3000; round++) {
        int64_t extents[STN_MAX_RANK];
        const int rank = (int)draw(STN_MAX_RANK + 1);
        const model_layout l = (model_layout)draw(MODEL_LAYOUTS);
        const int64_t longest = rank < 4 ? 13 : 3;
        for (int d = 0; d < rank; d++)
            extents[d] = 1 + draw(longest);
        stn_view part;
        stn_view whole = model_create(l, "india", stn_storage_of(STN_I16), rank, extents);
        model_make(&model, l, rank, extents);
        expect_ok(stn_view_permute(&part, &whole, rank, (const int[]){0, 1, 2, 3, 4, 5, 6, 7}));
        for (int k = 0; k < 4; k++) {
            step(&part);
            model_check(&model, &part, model_lowest(&whole));
        }
        assert_int_equal(stn_view_use_count(&part), 0);
        assert_int_equal(stn_view_use_count(&whole), 1);
        stn_view_release(&part);
        stn_view_release(&whole);
    }
}

/* Empty ranges begin at the address of their first index; the other extents do not change. */
UNIT_TEST(test_empty)
{
    const int64_t extents[] = {2, 3, 4, 5};
    stn_view part;
    stn_view whole = create_view(NULL, "india", f64(), NULL, 4, extents, 0);
    for (int d = 0; d < 4; d++)
        for (int64_t begin = 0; begin <= extents[d]; begin++) {
            stn_slice slices[] = {stn_slice_all(), stn_slice_all(), stn_slice_all(),
                                  stn_slice_all()};
            slices[d] = stn_slice_range(begin, begin);
            part = slice_view(&whole, 4, slices);
            assert_int_equal(stn_view_count(&part), 0);
            assert_int_equal(stn_view_span(&part), 0);
            assert_ptr_equal(part.data, (double *)whole.data + begin * whole.stride[d]);
            for (int e = 0; e < 4; e++)
                assert_int_equal(part.extent[e], e == d ? 0 : extents[e]);
            slices[d] = stn_slice_all();
            expect_ok(stn_view_slice(&part, &part, 4, slices));
            assert_int_equal(part.extent[d], 0);
        }
    stn_view_release(&whole);
}

/* Parts of empty views and of views of rank 0 are such views. */
UNIT_TEST(test_nothing)
{
    static const stn_view nothing;
    double value = 5.0;
    stn_view part;
    memset(&part, 0x5a, sizeof part);
    part = slice_view(&nothing, 0, NULL);
    assert_int_equal(stn_view_count(&part), 0);
    expect_ok(stn_view_share_slice(&part, &nothing, 0, NULL));
    expect_ok(stn_view_permute(&part, &nothing, 0, NULL));
    stn_view scalar = wrap_view("scalar", f64(), &value, 0, NULL);
    part = slice_view(&scalar, 0, NULL);
    assert_true(get_value(&part, 0, NULL) == 5.0 && stn_view_count(&part) == 1);
}

/* ---- handles ---- */

UNIT_TEST(test_handles)
{
    const int64_t extents[] = {4, 6};
    const stn_slice slices[] = {stn_slice_index(2), stn_slice_range(1, 4)};
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++) {
        stn_view kept;
        stn_view whole = model_create(l, "india", f64(), 2, extents);
        expect_ok(STN_VIEW_SET(&whole, 7.0, 2, 3));
        stn_view lent = slice_view(&whole, 2, slices);
        assert_int_equal(stn_view_use_count(&lent), 0);
        assert_int_equal(stn_view_use_count(&whole), 1);
        expect_ok(stn_view_share_slice(&kept, &whole, 2, slices));
        assert_int_equal(stn_view_use_count(&kept), 2);
        stn_view_release(&lent);
        stn_view_release(&whole);
        assert_int_equal(stn_view_use_count(&kept), 1);
        assert_true(VALUE_AT(&kept, 2) == 7.0);
        expect_ok(stn_view_share_slice(&kept, &kept, 1, (const stn_slice[]){stn_slice_index(2)}));
        assert_int_equal(stn_view_use_count(&kept), 1);
        assert_string_equal(kept.label, "india");
        assert_true(get_value(&kept, 0, NULL) == 7.0);
        stn_view_release(&kept);
    }
}

/* Extents stay fixed where a slice has every index. */
UNIT_TEST(test_fixed)
{
    static float elements[1000];
    const int64_t extents[] = {1, 2, 3, 4};
    stn_view whole = wrap_view("india", stn_storage_of(STN_F32), elements, 4, extents);
    expect_ok(stn_view_fix_extents(&whole, 0xe));
    stn_view part = slice_view(&whole, 4,
                               (const stn_slice[]){stn_slice_index(0), stn_slice_all(),
                                                   stn_slice_range(0, 3), stn_slice_range(1, 4)});
    assert_int_equal(part.fixed, 0x3);
    part = slice_view(&whole, 4,
                      (const stn_slice[]){stn_slice_all(), stn_slice_index(1),
                                          stn_slice_strided(2, 3, -1), stn_slice_all()});
    assert_int_equal(part.fixed, 0x4);
    expect_ok(stn_view_permute(&part, &whole, 4, (const int[]){3, 0, 1, 2}));
    assert_int_equal(part.fixed, 0xd);
}

/* Parts have the traits, constness and space of the view, and its alignment if it still holds. */
UNIT_TEST(test_traits)
{
    static _Alignas(64) float elements[10 * 16];
    const int64_t extents[] = {10, 16};
    for (unsigned traits = 0; traits < 32; traits++)
        for (int read_only = 0; read_only < 2; read_only++) {
            stn_view whole = wrap_view("india", stn_storage_of(STN_F32), elements, 2, extents);
            whole.read_only = (uint8_t)read_only;
            expect_ok(stn_view_set_space(&whole, STN_SPACE_MANAGED));
            expect_ok(stn_view_set_traits(&whole, traits));
            stn_view part =
                slice_view(&whole, 2, (const stn_slice[]){stn_slice_index(3), stn_slice_all()});
            assert_int_equal(part.traits, traits);
            assert_int_equal(part.read_only, read_only || (traits & STN_TRAIT_RANDOM_ACCESS));
            assert_int_equal(part.space, STN_SPACE_MANAGED);
            part =
                slice_view(&whole, 2, (const stn_slice[]){stn_slice_all(), stn_slice_range(1, 3)});
            assert_int_equal(part.traits, traits & ~(unsigned)STN_TRAIT_ALIGNED);
        }
}

/* ---- scales ---- */

enum { ROWS = 4, COLUMNS = 23, BLOCK = 6, PHASE = 2, BLOCKS = (COLUMNS + PHASE - 1) / BLOCK + 1 };

/* Element (i, j) of codes that are all 1 is its scale: 100 i + the number of j's block. */
static void scaled(stn_view *view, int8_t *codes, double *values)
{
    const int64_t extents[] = {ROWS, COLUMNS};
    memset(codes, 1, ROWS * COLUMNS);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t k = 0; k < BLOCKS; k++)
            values[i * BLOCKS + k] = (double)(100 * i + k + 1);
    expect_ok(stn_view_wrap(view, "juliet", stn_storage_of(STN_I8), codes, 2, extents));
    stn_scales scales = block_scales(values, 1, BLOCK, BLOCKS, 1);
    scales.phase = PHASE;
    expect_ok(stn_view_set_scales(view, &scales));
}

static void check_scales(const stn_view *part)
{
    int64_t indices[STN_MAX_RANK] = {0};
    if (stn_view_count(part) == 0)
        return;
    do {
        const int64_t k = model_at(&model, indices);
        assert_true(get_value(part, part->rank, indices) ==
                    (double)(100 * (k / COLUMNS) + (k % COLUMNS + PHASE) / BLOCK + 1));
    } while (next_indices(part->rank, part->extent, indices));
}

/* Parts of parts: blocks are cut at both ends, stepped through in both directions, and turned. */
UNIT_TEST(test_scales)
{
    static int8_t codes[ROWS * COLUMNS];
    static double values[ROWS * BLOCKS];
    int refused = 0;
    for (int round = 0; round < 4000; round++) {
        stn_view part;
        scaled(&part, codes, values);
        model_make(&model, MODEL_RIGHT, 2, part.extent);
        for (int k = 0; k < 3; k++) {
            stn_slice slices[STN_MAX_RANK];
            const int64_t factor = 1 + draw(6);
            for (int d = 0; d < part.rank; d++) {
                slices[d] = draw_slice(part.extent[d]);
                if (draw(4) == 0 && part.extent[d] > 0)
                    slices[d] = stn_slice_strided(0, (part.extent[d] - 1) / factor + 1, factor);
            }
            const stn_status status = stn_view_slice(&part, &part, part.rank, slices);
            if (status == STN_ERR_UNSUPPORTED) {
                assert_non_null(strstr(stn_error(), "unevenly"));
                refused++;
                break;
            }
            expect_ok(status);
            model_slice(&model, slices);
            if (draw(3) == 0 && part.rank == 2) {
                expect_ok(stn_view_permute(&part, &part, 2, (const int[]){1, 0}));
                model_permute(&model, (const int[]){1, 0});
            }
            check_scales(&part);
        }
    }
    assert_in_range(refused, 1, 2000);
}

RUN_UNIT_TESTS(NULL, NULL)
