/* stn_storage_fit_scale: every value fits under the scale it finds, and under no smaller power of
 * two.
 */
#include <math.h>

#include "oracle.h"
#include "steno/format.h"
#include "check.h"

/* Elements of `values` that do not fit under a scale. */
static int64_t misfits(const oracle_format *f, stn_format arithmetic, const void *values,
                       int64_t count, double scale)
{
    uint64_t codes[64];
    stn_counters counters = {0, 0, 0};
    stn_storage storage = stn_storage_of(f->id);
    assert_true(count <= 64);
    storage.scale = scale;
    storage.overflow = STN_OVERFLOW_SATURATE;
    storage.counters = &counters;
    expect_ok(stn_encode(arithmetic, &storage, codes, 1, 0, values, count));
    return counters.saturated;
}

/* Would half the scale leave one of the values outside the format's range? */
static int half_is_too_small(const oracle_format *f, stn_format arithmetic, const void *values,
                             int64_t count, double scale)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(f->id, &info));
    for (int64_t k = 0; k < count; k++) {
        const double x = arithmetic == STN_F64 ? ((const double *)values)[k]
                                               : (double)((const float *)values)[k];
        if (x / (scale / 2) > info.highest || x / (scale / 2) < info.lowest)
            return 1;
    }
    return misfits(f, arithmetic, values, count, scale / 2) > 0;
}

static void check_fit(const oracle_format *f, stn_format arithmetic, const void *values,
                      int64_t count)
{
    const double least = arithmetic == STN_F64 ? 0x1p-1022 : 0x1p-126;
    stn_storage storage = stn_storage_of(f->id);
    int exponent;
    for (int any = 0; any < 2; any++) {
        expect_ok(
            stn_storage_fit_scale(&storage, arithmetic, values, count, (stn_scale_choice)any));
        assert_true(isfinite(storage.scale) && storage.scale >= least);
        const int64_t outside = misfits(f, arithmetic, values, count, storage.scale);
        if (outside)
            fail_msg("%s: %lld values do not fit under scale %a (any: %d)", f->name,
                     (long long)outside, storage.scale, any);
        if (any || storage.scale == least)
            continue;
        assert_true(frexp(storage.scale, &exponent) == 0.5);
        if (!half_is_too_small(f, arithmetic, values, count, storage.scale))
            fail_msg("%s: the scale is %a, though half of it does", f->name, storage.scale);
    }
}

/* A valid magnitude with smaller ones. */
static void check_magnitude(const oracle_format *f, double largest)
{
    double wide[16];
    float narrow[16];
    if (!isfinite(largest) || largest <= 0.0)
        return;
    for (int sign = 1; sign >= (f->is_signed ? -1 : 1); sign -= 2) {
        for (int k = 0; k < 12; k++)
            wide[k] = ldexp(sign * largest, -k);
        for (int k = 0; k < 12; k++)
            narrow[k] = (float)wide[k];
        check_fit(f, STN_F64, wide, 12);
        if (isfinite((float)largest) && (float)largest != 0.0f)
            check_fit(f, STN_F32, narrow, 12);
    }
}

static void fits_a_scale(void **state)
{
    const oracle_format *f = *state;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(f->id, &info));
    const double marks[] = {info.highest, info.highest * 0.75, -info.lowest, 1.0, 1e-3};
    for (int m = 0; m < COUNT_OF(marks); m++)
        for (int power = -1100; power <= 1000; power += 25) {
            const double x = ldexp(marks[m], power);
            const float narrow = (float)x;
            check_magnitude(f, x);
            check_magnitude(f, nextafter(x, (double)INFINITY));
            check_magnitude(f, nextafter(x, 0.0));
            check_magnitude(f, (double)nextafterf(narrow, INFINITY));
            check_magnitude(f, (double)nextafterf(narrow, 0.0f));
        }
    for (uint64_t k = 0; k < 300; k++)
        check_magnitude(f, fabs(stn_f64_of_bits(oracle_random(8, k))));
}

static void fits_nothing_and_the_unusual(void **state)
{
    const oracle_format *f = *state;
    const double values[] = {0.0, -0.0, (double)NAN, (double)INFINITY, -(double)INFINITY};
    const double mixed[] = {(double)INFINITY, 3.0, (double)NAN, 0.0};
    stn_storage storage = stn_storage_of(f->id);
    storage.scale = 7.0;
    expect_ok(stn_storage_fit_scale(&storage, STN_F64, values, 5, STN_SCALE_POWER_OF_TWO));
    assert_true(storage.scale == 1.0);
    storage.scale = 7.0;
    expect_ok(stn_storage_fit_scale(&storage, STN_F64, NULL, 0, STN_SCALE_EXACT));
    assert_true(storage.scale == 1.0);
    stn_storage three = storage;
    expect_ok(stn_storage_fit_scale(&three, STN_F64, mixed + 1, 1, STN_SCALE_EXACT));
    expect_ok(stn_storage_fit_scale(&storage, STN_F64, mixed, 4, STN_SCALE_EXACT));
    assert_true(storage.scale == three.scale);
    if (!f->is_signed) {
        storage.scale = 7.0;
        expect_error(
            stn_storage_fit_scale(&storage, STN_F64, &(double){-1e-9}, 1, STN_SCALE_POWER_OF_TWO),
            STN_ERR_RANGE, "negative");
        assert_true(storage.scale == 7.0);
    }
}

TEST_CASE(refuses_to_fit)
{
    double values[2] = {1.0, 2.0};
    stn_storage storage = stn_storage_of(STN_E4M3);
    stn_format opaque;
    expect_error(stn_storage_fit_scale(NULL, STN_F64, values, 2, STN_SCALE_POWER_OF_TWO),
                 STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_storage_fit_scale(&storage, STN_F64, NULL, 2, STN_SCALE_POWER_OF_TWO),
                 STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_storage_fit_scale(&storage, STN_F64, values, -2, STN_SCALE_POWER_OF_TWO),
                 STN_ERR_ARGUMENT, "negative");
    for (int choice = -1; choice <= 2; choice += 3)
        expect_error(stn_storage_fit_scale(&storage, STN_F64, values, 2, (stn_scale_choice)choice),
                     STN_ERR_ARGUMENT, "choice");
    expect_error(stn_storage_fit_scale(&storage, STN_I64, values, 2, STN_SCALE_POWER_OF_TWO),
                 STN_ERR_UNSUPPORTED, "f64");
    expect_error(stn_storage_fit_scale(&storage, STN_C64, values, 2, STN_SCALE_POWER_OF_TWO),
                 STN_ERR_UNSUPPORTED, "f64");
    storage.zero = 1.0;
    expect_error(stn_storage_fit_scale(&storage, STN_F64, values, 2, STN_SCALE_POWER_OF_TWO),
                 STN_ERR_UNSUPPORTED, "zero");
    storage = stn_storage_of(-1);
    expect_error(stn_storage_fit_scale(&storage, STN_F64, values, 2, STN_SCALE_POWER_OF_TWO),
                 STN_ERR_FORMAT, NULL);
    expect_ok(stn_format_opaque(&opaque, 24, 8));
    storage = stn_storage_of(opaque);
    expect_error(stn_storage_fit_scale(&storage, STN_F64, values, 2, STN_SCALE_POWER_OF_TWO),
                 STN_ERR_UNSUPPORTED, "opaque");
}

#define TEST(test, id, name)                                                                       \
    {#name " " #test, test, NULL, NULL, (void *)(uintptr_t)&oracle_formats[id]},
#define TESTS(id, NAME, name, ...)                                                                 \
    TEST(fits_a_scale, id, name)                                                                   \
    TEST(fits_nothing_and_the_unusual, id, name)
#define NO_TEST(...)

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(TESTS, TESTS, NO_TEST)
                                           cmocka_unit_test(refuses_to_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
