/* stn_view_fill and stn_view_fit_scales. */
#include <math.h>
#include <stdlib.h>

#include "copy_oracle.h"
#include "format/registry.h"
#include "make_view.h"

/* ---- every layout and format, against encoding element by element ---- */

static void fill_wanted(copied_array *array, double value)
{
    const stn_view *view = &array->view;
    const double parts[2] = {value, 0.0};
    const int is_complex =
        stn_format_entry_of(view->storage.format)->info.kind == STN_CLASS_COMPLEX;
    stn_storage storage = view->storage;
    storage.counters = NULL;
    int64_t indices[STN_MAX_RANK] = {0};
    do {
        const int64_t number = copied_number(array, indices);
        expect_ok(stn_encode(is_complex ? STN_C128 : STN_F64, &storage,
                             array->expected + copied_offset(array, indices) * array->bytes, 1,
                             number, parts, 1));
    } while (next_indices(view->rank, view->extent, indices));
}

static void fill_once(copied_layout layout, stn_storage storage, int rank, double value)
{
    static const int64_t extents[STN_MAX_RANK] = {5, 17, 3, 2, 3, 2, 1, 2};
    copied_array array;
    copied_make(&array, layout, storage, rank, extents, 5);
    fill_wanted(&array, value);
    for (int executor = 0; executor < COPIED_EXECUTORS; executor++) {
        copied_large(executor > 0);
        copied_reset(&array);
        expect_ok(stn_view_fill(copied_executor(executor), &array.view, value));
        copied_same(&array, copied_layout_name(layout));
    }
    copied_large(0);
    copied_free(&array);
}

UNIT_TEST(test_layouts)
{
    stn_storage stochastic = stn_storage_of(STN_BF16);
    stochastic.rounding = STN_ROUND_STOCHASTIC;
    for (int layout = 0; layout < COPIED_LAYOUTS; layout++)
        for (int rank = 0; rank <= STN_MAX_RANK; rank++) {
            fill_once((copied_layout)layout, stn_storage_of(STN_F32), rank, 1.1);
            fill_once((copied_layout)layout, stochastic, rank, 1.001);
        }
}

UNIT_TEST(test_formats)
{
    static const double values[] = {0.0, -0.0, 1.5, -3.7, 1e300, NAN, -INFINITY};
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < COUNT_OF(values); k++) {
            stn_storage storage = stn_storage_of(format);
            fill_once(COPIED_RIGHT, storage, 2, values[k]);
            storage.scale = 0.3;
            storage.zero = 2.0;
            fill_once(COPIED_GAPS, storage, 3, values[k]);
        }
}

UNIT_TEST(test_counters)
{
    stn_counters counters = {0, 0, 0};
    stn_storage storage = stn_storage_of(STN_I8);
    static int8_t data[12];
    const int64_t extents[] = {3, 4};
    storage.counters = &counters;
    stn_view x = wrap_view("x", storage, data, 2, extents);
    expect_ok(stn_view_fill(NULL, &x, 1000.0));
    assert_int_equal(counters.saturated, 12);
    expect_ok(stn_view_fill(NULL, &x, NAN));
    assert_int_equal(counters.nan, 12);
    assert_int_equal(data[11], 0);
}

/* Enough for every thread and for stores past the caches, at every offset from a cache line. */
UNIT_TEST(test_infinities_with_every_rounding)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_F48};
    const int64_t count = 40;
    for (int f = 0; f < COUNT_OF(formats); f++)
        for (int rounding = STN_ROUND_NEAREST; rounding <= STN_ROUND_STOCHASTIC; rounding++)
            for (int rule = STN_OVERFLOW_DEFAULT; rule <= STN_OVERFLOW_NAN; rule++) {
                stn_storage storage = stn_storage_of(formats[f]);
                storage.rounding = (stn_rounding)rounding;
                storage.overflow = (stn_overflow)rule;
                fill_once(0, storage, 1, -INFINITY);
                stn_view view = create_view(NULL, "x", storage, NULL, 1, &count, 0);
                expect_ok(stn_view_fill(NULL, &view, INFINITY));
                double found;
                expect_ok(STN_VIEW_GET(&view, &found, (int64_t)39));
                assert_true(rule == STN_OVERFLOW_NAN
                                ? isnan(found)
                                : isinf(found) == (rule != STN_OVERFLOW_SATURATE));
                stn_view_release(&view);
            }
}

UNIT_TEST(test_large)
{
    enum { BYTES = 1 << 16 };
    static _Alignas(64) unsigned char data[BYTES + 64], expected[BYTES + 64];
    static const stn_format formats[] = {STN_U8, STN_F16, STN_F32, STN_F64};
    const double seven = 7.0;
    copied_large(1);
    for (int f = 0; f < COUNT_OF(formats); f++) {
        const stn_storage storage = stn_storage_of(formats[f]);
        const int64_t width = (int64_t)1 << f;
        char code[8];
        expect_ok(stn_encode(STN_F64, &storage, code, 1, 0, &seven, 1));
        for (int64_t at = 0; at < 64; at += width)
            for (int64_t less = 0; less < 3; less++) {
                const int64_t count = (BYTES - 64) / width - less;
                memset(data, 0x11, sizeof data);
                memset(expected, 0x11, sizeof expected);
                for (int64_t k = 0; k < count; k++)
                    memcpy(expected + at + k * width, code, (size_t)width);
                const stn_view x = wrap_view("x", storage, data + at, 1, &count);
                expect_ok(stn_view_fill(copied_executor(2), &x, seven));
                assert_memory_equal(data, expected, sizeof data);
            }
    }
    copied_large(0);
}

/* ---- T42: primes, every sub-rank ---- */

static void fill_sub_rank(const stn_view *x, int rank)
{
    stn_slice slices[STN_MAX_RANK];
    double sum = 0;
    int64_t inside = 1, indices[STN_MAX_RANK] = {0};
    for (int d = 0; d < STN_MAX_RANK; d++) {
        slices[d] = d < STN_MAX_RANK - rank ? stn_slice_index(x->extent[d] / 2)
                                            : stn_slice_range(1, x->extent[d]);
        inside *= d < STN_MAX_RANK - rank ? 1 : x->extent[d] - 1;
    }
    expect_ok(stn_view_fill(copied_executor(2), x, 0.0));
    stn_view part = slice_view(x, STN_MAX_RANK, slices);
    assert_int_equal(part.rank, rank);
    expect_ok(stn_view_fill(copied_executor(2), &part, 20.0));
    assert_true(get_value(&part, rank, indices) == 20.0);
    const int8_t *codes = x->data;
    for (int64_t k = 0; k < stn_view_count(x); k++)
        sum += codes[k];
    assert_true(sum == 20.0 * (double)inside); /* elements outside the part are 0 */
}

UNIT_TEST(test_primes)
{
    static const int64_t up[] = {2, 3, 5, 7, 11, 13, 17, 5}, down[] = {5, 17, 13, 11, 7, 5, 3, 2};
    for (int turned = 0; turned < 2; turned++) {
        stn_view x = create_view(copied_executor(2), "primes", stn_storage_of(STN_I8), NULL, 8,
                                 turned ? down : up, 0);
        for (int rank = 0; rank <= STN_MAX_RANK; rank++)
            fill_sub_rank(&x, rank);
        stn_view_release(&x);
    }
}

/* ---- errors ---- */

UNIT_TEST(test_errors)
{
    static double data[4], before[4] = {1, 2, 3, 4};
    const int64_t extents[] = {4};
    stn_view x, nothing = {0};
    stn_format opaque;
    memcpy(data, before, sizeof data);
    expect_ok(stn_view_wrap_const(&x, "x", f64(), data, 1, extents));
    expect_error(stn_view_fill(NULL, &x, 1.0), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_view_fill(NULL, NULL, 1.0), STN_ERR_ARGUMENT, NULL);
    expect_ok(stn_view_fill(NULL, &nothing, 1.0));
    x.read_only = 0;
    expect_ok(stn_view_set_space(&x, STN_SPACE_DEVICE));
    expect_error(stn_view_fill(NULL, &x, 1.0), STN_ERR_UNSUPPORTED, NULL);
    expect_ok(stn_format_opaque(&opaque, 8, 8));
    x = wrap_view("x", stn_storage_of(opaque), data, 1, extents);
    expect_error(stn_view_fill(NULL, &x, 1.0), STN_ERR_FORMAT, NULL);
    assert_memory_equal(data, before, sizeof data);
}

/* ---- scales ---- */

/* Every element is within half a step of the scale. */
static void expect_fits(const stn_view *x, const double *values, double largest)
{
    const int64_t count = stn_view_count(x), columns = x->extent[1];
    for (int64_t k = 0; k < count; k++)
        assert_true(fabs(VALUE_AT(x, k / columns, k % columns) - values[k]) <= largest / 127.0);
}

UNIT_TEST(test_one_scale)
{
    static double values[6000];
    static int8_t codes[6000];
    const int64_t extents[] = {60, 100};
    for (int k = 0; k < 6000; k++)
        values[k] = k == 4321 ? -777.0 : (double)(k % 50);
    values[17] = NAN;
    stn_view from = wrap_view("from", f64(), values, 2, extents);
    stn_view to = wrap_view("to", stn_storage_of(STN_I8), codes, 2, extents);
    for (int any = 0; any < 2; any++) {
        stn_storage expected = stn_storage_of(STN_I8);
        expect_ok(stn_storage_fit_scale(&expected, STN_F64, values, 6000, (stn_scale_choice)any));
        copied_large(any);
        expect_ok(stn_view_fit_scales(copied_executor(2), &to, &from, (stn_scale_choice)any));
        assert_true(to.storage.scale == expected.scale);
    }
    copied_large(0);
    values[17] = 3.0;
    expect_ok(stn_view_copy(NULL, &to, &from));
    expect_fits(&to, values, 777.0);
}

/* A scale per row and block of 7 columns; the first block is partial. */
UNIT_TEST(test_block_scales)
{
    enum { ROWS = 6, COLUMNS = 33, BLOCK = 7, PHASE = 3, BLOCKS = 6 };
    static double values[ROWS * COLUMNS], wide[ROWS * BLOCKS];
    static float f32[ROWS * BLOCKS];
    static int8_t codes[ROWS * COLUMNS];
    const int64_t extents[] = {ROWS, COLUMNS};
    stn_view to;
    for (int k = 0; k < ROWS * COLUMNS; k++)
        values[k] = (k % 7 - 3.3) * pow(3.0, k % 11);
    stn_view from = wrap_view("from", f64(), values, 2, extents);
    for (int narrow = 0; narrow < 2; narrow++)
        for (int any = 0; any < 2; any++) {
            to = wrap_view("to", stn_storage_of(STN_I8), codes, 2, extents);
            stn_scales scales = {narrow ? (void *)f32 : (void *)wide,
                                 narrow ? STN_F32 : STN_F64,
                                 1,
                                 BLOCK,
                                 PHASE,
                                 {BLOCKS, 1}};
            memset(f32, 0, sizeof f32);
            memset(wide, 0, sizeof wide);
            expect_ok(stn_view_set_scales(&to, &scales));
            expect_ok(stn_view_fit_scales(copied_executor(any), &to, &from, (stn_scale_choice)any));
            for (int i = 0; i < ROWS; i++)
                for (int b = 0; b < 6; b++) {
                    double block[BLOCK];
                    int count = 0;
                    stn_storage expected = stn_storage_of(STN_I8);
                    for (int j = 0; j < COLUMNS; j++)
                        if ((j + PHASE) / BLOCK == b)
                            block[count++] = values[i * COLUMNS + j];
                    if (!count)
                        continue;
                    expect_ok(stn_storage_fit_scale(&expected, STN_F64, block, count,
                                                    (stn_scale_choice)any));
                    const double got = narrow ? (double)f32[i * BLOCKS + b] : wide[i * BLOCKS + b];
                    assert_true(narrow ? got >= expected.scale && got <= expected.scale * 1.0000002
                                       : got == expected.scale);
                }
        }
}

/* Copies to and from views with scales, against copies of single elements. */
UNIT_TEST(test_scaled_copies)
{
    enum { ROWS = 5, COLUMNS = 300 };
    static float scales_of[ROWS * 40];
    static double zeros[COLUMNS];
    const int64_t extents[] = {ROWS, COLUMNS};
    for (int k = 0; k < ROWS * 40; k++)
        scales_of[k] = 0.1f + (float)k;
    for (int k = 0; k < COLUMNS; k++)
        zeros[k] = 1.0 + k;
    const stn_scales kinds[] = {{scales_of, STN_F32, 1, 8, 5, {40, 1}},
                                {scales_of, STN_F32, -1, 0, 0, {1, 0}},
                                {zeros, STN_F64, -1, 0, 0, {0, 1}}};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int layout = 0; layout < 4; layout++) {
                copied_array to, from;
                stn_storage narrow = stn_storage_of(STN_I16), wide = stn_storage_of(STN_F16);
                narrow.zero = 3.0;
                copied_make(&to, (copied_layout)layout, narrow, 2, extents, 3);
                copied_make(&from, (copied_layout)(3 - layout), wide, 2, extents, 4);
                if (a < 3)
                    expect_ok(stn_view_set_scales(&to.view, &kinds[a]));
                if (b < 3)
                    expect_ok(stn_view_set_scales(&from.view, &kinds[b]));
                copied_copy(&to, &from);
                copied_large(1);
                expect_ok(stn_view_copy(copied_executor(a), &to.view, &from.view));
                copied_large(0);
                copied_same(&to, "scaled");
                copied_free(&to);
                copied_free(&from);
            }
}

UNIT_TEST(test_scale_errors)
{
    static double values[4] = {1, -2, 3, 4}, scale[4] = {5, 6, 0, 8};
    static uint8_t codes[4];
    const int64_t extents[] = {4};
    stn_view from = wrap_view("from", f64(), values, 1, extents);
    stn_view to = wrap_view("to", stn_storage_of(STN_U8), codes, 1, extents);
    expect_error(stn_view_fit_scales(NULL, &to, &from, STN_SCALE_POWER_OF_TWO), STN_ERR_RANGE,
                 NULL);
    const stn_scales scales = {scale, STN_F64, -1, 0, 0, {1}};
    expect_ok(stn_view_set_scales(&to, &scales));
    expect_error(stn_view_fit_scales(NULL, &to, &from, STN_SCALE_POWER_OF_TWO), STN_ERR_RANGE,
                 NULL);
    assert_true(scale[0] == 5 && scale[3] == 8); /* none is written */
    expect_error(stn_view_copy(NULL, &to, &from), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_view_fill(NULL, &to, 1.0), STN_ERR_ARGUMENT, NULL);
    assert_int_equal(codes[0] + codes[1] + codes[2] + codes[3], 0);
}

RUN_UNIT_TESTS(NULL, copied_release_executors)
