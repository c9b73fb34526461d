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

static stn_view made(stn_storage storage, model_layout l, int rank)
{
    const stn_layout layout = model_layout_of(l, rank, extents);
    stn_view view;
    view = create_view(NULL, "sierra", storage, &layout, rank, extents, 0);
    return view;
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

/* The lowest address: negative strides begin above it. */
static const char *lowest_of(const stn_view *view, int64_t bytes)
{
    int64_t lowest = 0, highest;
    if (!stn_view_mapping(view))
        assert_true(stn_view_reach(view, &lowest, &highest));
    return (const char *)view->data + lowest * bytes;
}

/* What is set is got, and is in memory where the layout says, as the format says. */
static void check_real(const oracle_format *format, model_layout l)
{
    int64_t indices[3] = {0}, k = 0;
    const int64_t bytes = format->bits / 8;
    const oracle_rule rule = {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0};
    stn_view view = made(stn_storage_of(format->id), l, 3);
    model_make(&model, l, 3, extents);
    do
        expect_ok(stn_view_set(&view, 3, indices, value_of(format, k++)));
    while (model_next(3, extents, indices));
    k = 0;
    do {
        const double wished = value_of(format, k++);
        double value = -1.0;
        uint64_t code = 0;
        unsigned events = 0;
        expect_ok(stn_view_get(&view, 3, indices, &value));
        assert_true(value == stored(format, wished));
        memcpy(&code, lowest_of(&view, bytes) + model_at(&model, indices) * bytes, (size_t)bytes);
        assert_true(code == oracle_encode(format, wished, rule, &events));
    } while (model_next(3, extents, indices));
    stn_view_release(&view);
}

static void check_complex(const oracle_format *format, model_layout l)
{
    const oracle_format *part = &oracle_formats[format->component];
    int64_t indices[2] = {0}, k = 0;
    stn_view view = made(stn_storage_of(format->id), l, 2);
    do {
        expect_ok(stn_view_set_complex(&view, 2, indices,
                                       (stn_c128){value_of(part, k), value_of(part, k + 50)}));
        k++;
    } while (model_next(2, extents, indices));
    k = 0;
    do {
        stn_c128 value = {-1.0, -1.0};
        expect_ok(stn_view_get_complex(&view, 2, indices, &value));
        assert_true(value.re == stored(part, value_of(part, k)));
        assert_true(value.im == stored(part, value_of(part, k + 50)));
        k++;
    } while (model_next(2, extents, indices));
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
    stn_view view = made(stn_storage_of(STN_F32), MODEL_RIGHT, 1);
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
    stn_view scalar = made(stn_storage_of(STN_F16), MODEL_RIGHT, 0);
    stn_view view = made(stn_storage_of(STN_F16), MODEL_LEFT, 3);
    double value = 0.0;
    const int i = 1;
    expect_ok(STN_VIEW_SET(&view, 2.5, i, 2, (short)3));
    expect_ok(STN_VIEW_GET(&view, &value, i, 2, 3));
    assert_true(value == 2.5);
    expect_error(STN_VIEW_GET(&view, &value, 1, 2), STN_ERR_SHAPE, NULL);
    expect_ok(stn_view_set(&scalar, 0, NULL, 1.5));
    expect_ok(stn_view_get(&scalar, 0, NULL, &value));
    assert_true(value == 1.5);
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
    stn_view view = made(storage, MODEL_RIGHT, 2);
    double value;
    expect_ok(STN_VIEW_SET(&view, 4.0, 2, 1));
    expect_ok(STN_VIEW_GET(&view, &value, 2, 1));
    assert_true(value == 4.0 && ((int8_t *)view.data)[9] == 19);
    assert_int_equal(stn_view_is_lvalue(&view), 0);
    expect_ok(stn_view_set_scales(&view, &(stn_scales){.data = scales,
                                                       .format = STN_F32,
                                                       .dimension = STN_NO_DIMENSION,
                                                       .stride = {1, 0}}));
    expect_ok(STN_VIEW_GET(&view, &value, 2, 1));
    assert_true(value == 16.0 * 16.0);
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
        stn_view view = made(storage, l, 3);
        int64_t indices[3] = {0};
        uint64_t k = 0;
        do {
            const oracle_rule rule = {STN_ROUND_STOCHASTIC, STN_OVERFLOW_DEFAULT,
                                      stn_random_bits(11, k++)};
            unsigned events = 0;
            double value;
            expect_ok(stn_view_set(&view, 3, indices, 2.4));
            expect_ok(stn_view_get(&view, 3, indices, &value));
            assert_true(value == oracle_decode(format, oracle_encode(format, 2.4, rule, &events)));
        } while (model_next(3, extents, indices));
        stn_view_release(&view);
    }
}

UNIT_TEST(test_counted)
{
    stn_counters counters = {0, 0, 0};
    stn_storage storage = stn_storage_of(STN_E4M3);
    storage.counters = &counters;
    stn_view view = made(storage, MODEL_MORTON, 2);
    expect_ok(STN_VIEW_SET(&view, 1e9, 0, 0));
    expect_ok(STN_VIEW_SET(&view, NAN, 1, 0));
    expect_ok(STN_VIEW_SET(&view, 1e-9, 2, 3));
    assert_true(counters.saturated == 1 && counters.nan == 1 && counters.underflowed == 1);
    stn_view_release(&view);
}

/* Integers lose small values, which the counters say. With a zero point, NaN becomes what code 0
 * stands for. */
UNIT_TEST(test_integers)
{
    stn_counters counters = {0, 0, 0};
    stn_storage storage = stn_storage_of(STN_I16);
    double value = 1.0;
    storage.counters = &counters;
    stn_view view = made(storage, MODEL_RIGHT, 2);
    for (int k = 0; k < 4; k++) {
        expect_ok(STN_VIEW_SET(&view, 0.1 * (k + 1), 0, k));
        expect_ok(STN_VIEW_GET(&view, &value, 0, k));
        assert_true(value == 0.0);
    }
    expect_ok(STN_VIEW_SET(&view, 0.0, 0, 0));
    expect_ok(STN_VIEW_SET(&view, 0.6, 0, 0));
    assert_true(counters.underflowed == 4 && counters.saturated == 0 && counters.nan == 0);
    stn_view_release(&view);
    storage = stn_storage_of(STN_U8);
    storage.scale = 0.5;
    storage.zero = 128.0;
    storage.counters = &counters;
    view = made(storage, MODEL_RIGHT, 2);
    expect_ok(STN_VIEW_SET(&view, NAN, 0, 0));
    expect_ok(STN_VIEW_GET(&view, &value, 0, 0));
    assert_true(value == -64.0 && counters.nan == 1);
    expect_ok(STN_VIEW_SET(&view, -63.9, 0, 0)); /* code 0.2 */
    expect_ok(STN_VIEW_SET(&view, 0.0, 0, 0));
    assert_true(counters.underflowed == 4);
    expect_ok(STN_VIEW_SET(&view, 0.2, 0, 0));
    assert_true(counters.underflowed == 5);
    stn_view_release(&view);
}

RUN_UNIT_TESTS(NULL, NULL)
