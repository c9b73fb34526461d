/* Single elements: every format of the table in every layout, scales, zero points, rounding by the
 * element's number, and complex views. */
#include <math.h>

#include "oracle.h"
#include "view/view.h"
#include "view_model.h"
#include "view/extra.h"
#include "make_view.h"

static const int64_t extents[] = {3, 4, 5};
static view_model model;

static stn_view create(stn_storage storage, model_layout l, int rank)
{
    return model_create(l, "sierra", storage, rank, extents);
}

/* A value that most formats round: signed where they are. */
static double value_of(const oracle_format *format, int64_t k)
{
    const double value = (double)(k * k % 97) + (double)k / 7.0;
    return format->kind == ORACLE_INTEGER && !format->is_signed ? value : k % 2 ? -value : value;
}

static double stored(const oracle_format *format, double value)
{
    const oracle_rule rule = {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0};
    unsigned events = 0;
    return oracle_decode(format, oracle_encode(format, value, rule, &events));
}

/* What is set is got, and is in memory where the layout says, as the format says. */
static void check_real(const oracle_format *format, model_layout l)
{
    int64_t indices[3] = {0}, k = 0;
    const int64_t bytes = format->bits / 8;
    const oracle_rule rule = {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0};
    stn_view view = create(stn_storage_of(format->id), l, 3);
    model_make(&model, l, 3, extents);
    do
        expect_ok(stn_view_set(&view, 3, indices, value_of(format, k++)));
    while (next_indices(3, extents, indices));
    k = 0;
    do {
        const double wished = value_of(format, k++);
        uint64_t code = 0;
        unsigned events = 0;
        assert_true(get_value(&view, 3, indices) == stored(format, wished));
        memcpy(&code, (const char *)model_lowest(&view) + model_at(&model, indices) * bytes,
               (size_t)bytes);
        assert_true(code == oracle_encode(format, wished, rule, &events));
    } while (next_indices(3, extents, indices));
    stn_view_release(&view);
}

static void check_complex(const oracle_format *format, model_layout l)
{
    const oracle_format *part = &oracle_formats[format->component];
    int64_t indices[2] = {0}, k = 0;
    stn_view view = create(stn_storage_of(format->id), l, 2);
    do {
        expect_ok(stn_view_set_complex(&view, 2, indices,
                                       (stn_c128){value_of(part, k), value_of(part, k + 50)}));
        k++;
    } while (next_indices(2, extents, indices));
    k = 0;
    do {
        stn_c128 value = {-1.0, -1.0};
        expect_ok(stn_view_get_complex(&view, 2, indices, &value));
        assert_true(value.re == stored(part, value_of(part, k)));
        assert_true(value.im == stored(part, value_of(part, k + 50)));
        k++;
    } while (next_indices(2, extents, indices));
    expect_error(stn_view_get(&view, 2, indices, &(double){0}), STN_ERR_UNSUPPORTED, NULL);
    expect_error(stn_view_set(&view, 2, indices, 1.0), STN_ERR_UNSUPPORTED, NULL);
    stn_view_release(&view);
}

UNIT_TEST(test_formats)
{
    for (int f = 0; f < STN_BUILTIN_FORMATS; f++)
        for (model_layout l = 0; l < MODEL_LAYOUTS; l++) {
            if (oracle_formats[f].kind == ORACLE_COMPLEX)
                check_complex(&oracle_formats[f], l);
            else
                check_real(&oracle_formats[f], l);
        }
}

UNIT_TEST(test_real_only)
{
    stn_view view = create(stn_storage_of(STN_F32), MODEL_RIGHT, 1);
    const int64_t index = 1;
    stn_c128 value;
    expect_error(stn_view_get_complex(&view, 1, &index, &value), STN_ERR_UNSUPPORTED, NULL);
    expect_error(stn_view_set_complex(&view, 1, &index, (stn_c128){1.0, 2.0}), STN_ERR_UNSUPPORTED,
                 NULL);
    expect_error(stn_view_get_complex(&view, 1, &index, NULL), STN_ERR_ARGUMENT, NULL);
    stn_view_release(&view);
}

UNIT_TEST(test_macros)
{
    stn_view scalar = create(stn_storage_of(STN_F16), MODEL_RIGHT, 0);
    stn_view view = create(stn_storage_of(STN_F16), MODEL_LEFT, 3);
    double value = 0.0;
    const int i = 1;
    expect_ok(STN_VIEW_SET(&view, 2.5, i, 2, (short)3));
    assert_true(VALUE_AT(&view, i, 2, 3) == 2.5);
    expect_error(STN_VIEW_GET(&view, &value, 1, 2), STN_ERR_SHAPE, NULL);
    expect_ok(stn_view_set(&scalar, 0, NULL, 1.5));
    assert_true(get_value(&scalar, 0, NULL) == 1.5);
    stn_view_release(&scalar);
    stn_view_release(&view);
}

/* value = scale * (code - zero), with one scale and with scales that differ. */
UNIT_TEST(test_scaled)
{
    static float scales[3] = {0.5f, 2.0f, 16.0f};
    stn_storage storage = stn_storage_of(STN_I8);
    storage.scale = 0.25;
    storage.zero = 3.0;
    stn_view view = create(storage, MODEL_RIGHT, 2);
    expect_ok(STN_VIEW_SET(&view, 4.0, 2, 1));
    assert_true(VALUE_AT(&view, 2, 1) == 4.0 && ((int8_t *)view.data)[9] == 19);
    assert_int_equal(stn_view_is_lvalue(&view), 0);
    stn_scales by_row = element_scales(NULL, 1, 0);
    by_row.data = scales;
    by_row.format = STN_F32;
    expect_ok(stn_view_set_scales(&view, &by_row));
    assert_true(VALUE_AT(&view, 2, 1) == 16.0 * 16.0);
    expect_ok(STN_VIEW_SET(&view, 4.0, 1, 0));
    assert_int_equal(((int8_t *)view.data)[4], 5);
    stn_view_release(&view);
}

/* The draw of an element is that of its number in C order, in any layout. */
UNIT_TEST(test_stochastic)
{
    const oracle_format *format = &oracle_formats[STN_I16];
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++) {
        stn_storage storage = stn_storage_of(STN_I16);
        storage.rounding = STN_ROUND_STOCHASTIC;
        storage.seed = 11;
        stn_view view = create(storage, l, 3);
        int64_t indices[3] = {0};
        uint64_t k = 0;
        do {
            const oracle_rule rule = {STN_ROUND_STOCHASTIC, STN_OVERFLOW_DEFAULT,
                                      oracle_rounding_bits(11, k++)};
            unsigned events = 0;
            expect_ok(stn_view_set(&view, 3, indices, 2.4));
            assert_true(get_value(&view, 3, indices) ==
                        oracle_decode(format, oracle_encode(format, 2.4, rule, &events)));
        } while (next_indices(3, extents, indices));
        stn_view_release(&view);
    }
}

UNIT_TEST(test_counted)
{
    stn_counters counters = {0, 0, 0};
    stn_storage storage = stn_storage_of(STN_E4M3);
    storage.counters = &counters;
    stn_view view = create(storage, MODEL_MORTON, 2);
    expect_ok(STN_VIEW_SET(&view, 1e9, 0, 0));
    expect_ok(STN_VIEW_SET(&view, NAN, 1, 0));
    expect_ok(STN_VIEW_SET(&view, 1e-9, 2, 3));
    assert_true(counters.saturated == 1 && counters.nan == 1 && counters.underflowed == 1);
    stn_view_release(&view);
}

/* Small values become 0 and are counted. With a zero point, NaN becomes the value of code 0. */
UNIT_TEST(test_integers)
{
    static const struct {
        double value, stored;
        int underflowed, nan; /* counters after the store */
        int is_affine;
    } cases[] = {{0.1, 0.0, 1, 0, 0},  {0.2, 0.0, 2, 0, 0},    {0.3, 0.0, 3, 0, 0},
                 {0.4, 0.0, 4, 0, 0},  {0.0, 0.0, 4, 0, 0},    {0.6, 1.0, 4, 0, 0},
                 {NAN, -64., 4, 1, 1}, {-63.9, -64., 4, 1, 1}, /* code 0.2 */
                 {0.0, 0.0, 4, 1, 1},  {0.2, 0.0, 5, 1, 1}};
    stn_counters counters = {0, 0, 0};
    stn_storage plain = stn_storage_of(STN_I16), affine = stn_storage_of(STN_U8);
    affine.scale = 0.5;
    affine.zero = 128.0;
    plain.counters = affine.counters = &counters;
    stn_view views[] = {create(plain, MODEL_RIGHT, 2), create(affine, MODEL_RIGHT, 2)};
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const stn_view *view = &views[cases[k].is_affine];
        expect_ok(STN_VIEW_SET(view, cases[k].value, 0, 0));
        assert_true(VALUE_AT(view, 0, 0) == cases[k].stored);
        assert_int_equal(counters.underflowed, cases[k].underflowed);
        assert_int_equal(counters.nan, cases[k].nan);
    }
    assert_int_equal(counters.saturated, 0);
    stn_view_release(&views[0]);
    stn_view_release(&views[1]);
}

RUN_UNIT_TESTS(NULL, NULL)
