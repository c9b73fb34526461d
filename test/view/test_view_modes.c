/* Copies, fills, scales and single elements do not depend on the caller's floating-point modes,
 * trap nothing that it has unmasked, and leave its flags alone. */
#define _GNU_SOURCE /* feenableexcept */
#include <fenv.h>
#include <math.h>
#if defined(__x86_64__)
#    include <xmmintrin.h>
#endif

#include "steno/view.h"
#include "check.h"

enum { COUNT = 6 };
static const int64_t count = COUNT;

static stn_view wrap(stn_storage storage, void *data)
{
    stn_view view;
    expect_ok(stn_view_wrap(&view, "v", storage, data, 1, &count));
    return view;
}

static stn_storage with(stn_format format, double scale, double zero)
{
    stn_storage storage = stn_storage_of(format);
    storage.scale = scale;
    storage.zero = zero;
    return storage;
}

/* Everything that a view's numbers go through; the codes of two fills and two copies at the end. */
static void use(uint8_t results[4][8 * COUNT])
{
    int8_t small[COUNT] = {1, -2, 3, 4, 5, 127};
    int16_t wide[COUNT];
    double values[COUNT], scales[COUNT] = {0.5, 3, 1e-310, 7, 0.1, 1};
    const stn_scales each = {
        .data = scales, .format = STN_F64, .dimension = 0, .block = 1, .stride = {1}};
    const stn_view x = wrap(with(STN_I8, 1, 2), small), y = wrap(with(STN_I16, 1, 0), wide);
    stn_view z = wrap(with(STN_F64, 0x1p-1060, 0), values);
    const int64_t at[] = {1};
    double value;
    expect_ok(stn_view_copy(NULL, &y, &x));
    memcpy(results[0], wide, sizeof wide);
    expect_ok(stn_view_fill(NULL, &z, 0x1.3p-1061));
    memcpy(results[1], values, sizeof values);
    expect_ok(stn_view_copy(NULL, &z, &x));
    memcpy(results[2], values, sizeof values);
    expect_ok(stn_view_get(&z, 1, at, &value));
    expect_ok(stn_view_set(&z, 1, at, value / 3));
    expect_ok(stn_view_set_scales(&z, &each));
    expect_ok(stn_view_fill(NULL, &z, 0.3));
    memcpy(results[3], values, sizeof values);
    expect_ok(stn_view_fit_scales(NULL, &z, &x, STN_SCALE_EXACT));
}

static uint8_t expected[4][8 * COUNT];

static void expect_the_same(void)
{
    uint8_t results[4][8 * COUNT] = {{0}};
    use(results);
    assert_memory_equal(results, expected, sizeof results);
}

/* The first call of all leaves them alone, too. */
static int in_usual_modes(void **context)
{
    (void)context;
    feclearexcept(FE_ALL_EXCEPT);
    use(expected);
    return fetestexcept(FE_ALL_EXCEPT) != 0;
}

TEST_CASE(test_directions)
{
    static const int directions[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int k = 0; k < COUNT_OF(directions); k++) {
        assert_int_equal(fesetround(directions[k]), 0);
        expect_the_same();
        assert_int_equal(fegetround(), directions[k]);
    }
    fesetround(FE_TONEAREST);
}

TEST_CASE(test_flags)
{
    feclearexcept(FE_ALL_EXCEPT);
    expect_the_same();
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), 0);
}

TEST_CASE(test_traps)
{
    double scales[COUNT] = {1, NAN, 1, 1, 1, 1}, values[COUNT];
    const stn_scales each = {
        .data = scales, .format = STN_F64, .dimension = 0, .block = 1, .stride = {1}};
    stn_view z = wrap(stn_storage_of(STN_F64), values);
    expect_ok(stn_view_set_scales(&z, &each));
    if (feenableexcept(FE_ALL_EXCEPT) == -1)
        return; /* no traps here, as on most processors of AArch64 */
    expect_the_same();
    expect_error(stn_view_fill(NULL, &z, 1), STN_ERR_ARGUMENT, NULL);
    assert_int_equal(fegetexcept() & FE_DIVBYZERO, FE_DIVBYZERO);
    fedisableexcept(FE_ALL_EXCEPT);
}

#if defined(__x86_64__)
TEST_CASE(test_subnormals_as_zeros)
{
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040); /* flushed, and taken for 0 */
    expect_the_same();
    assert_int_equal(_mm_getcsr() & 0x8040, 0x8040);
    _mm_setcsr(before);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_traps),
#if defined(__x86_64__)
        cmocka_unit_test(test_subnormals_as_zeros),
#endif
    };
    return cmocka_run_group_tests_name("view modes", tests, in_usual_modes, NULL);
}
