/* Complex numbers: the functions of complex.h, and accessors whose elements they are. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oracle.h"
#include "steno/accessor.h"

STN_ACCESSOR(wide, 2, stn_c128, stn_c64)
STN_ACCESSOR(half, 1, stn_c64, stn_c32)

static void check_c128(stn_c128 z, double re, double im)
{
    assert_true(z.re == re && z.im == im);
}

static void check_c64(stn_c64 z, float re, float im)
{
    assert_true(z.re == re && z.im == im);
}

/* ---- functions, one by one ---- */

static void test_real(void **state)
{
    (void)state;
    assert_true(stn_c128_real(stn_c128_of(1.5, -2.0)) == 1.5);
    assert_true(stn_c64_real(stn_c64_of(1.5f, -2.0f)) == 1.5f);
}

static void test_imag(void **state)
{
    (void)state;
    assert_true(stn_c128_imag(stn_c128_of(1.5, -2.0)) == -2.0);
    assert_true(stn_c64_imag(stn_c64_of(1.5f, -2.0f)) == -2.0f);
}

static void test_conj(void **state)
{
    (void)state;
    check_c128(stn_c128_conj(stn_c128_of(1.5, -2.0)), 1.5, 2.0);
    check_c64(stn_c64_conj(stn_c64_of(1.5f, 2.0f)), 1.5f, -2.0f);
    assert_true(signbit(stn_c128_conj(stn_c128_of(1.0, 0.0)).im));
}

static void test_squared_norm(void **state)
{
    (void)state;
    assert_true(stn_c128_squared_norm(stn_c128_of(3.0, -4.0)) == 25.0);
    assert_true(stn_c64_squared_norm(stn_c64_of(-3.0f, 4.0f)) == 25.0f);
}

static void test_abs(void **state)
{
    (void)state;
    assert_true(stn_c128_abs(stn_c128_of(3e200, -4e200)) == hypot(3e200, 4e200));
    assert_true(isfinite(stn_c128_abs(stn_c128_of(1e300, 1e300))));
    assert_true(stn_c64_abs(stn_c64_of(3.0f, 4.0f)) == 5.0f);
}

static void test_negate(void **state)
{
    (void)state;
    check_c128(stn_c128_negate(stn_c128_of(3.0, -4.0)), -3.0, 4.0);
    check_c64(stn_c64_negate(stn_c64_of(3.0f, -4.0f)), -3.0f, 4.0f);
}

static void test_sums_and_products(void **state)
{
    const stn_c128 a = stn_c128_of(3.0, -2.0), b = stn_c128_of(0.5, 4.0);
    const stn_c64 c = stn_c64_of(3.0f, -2.0f), d = stn_c64_of(0.5f, 4.0f);
    (void)state;
    check_c128(stn_c128_add(a, b), 3.5, 2.0);
    check_c128(stn_c128_subtract(a, b), 2.5, -6.0);
    check_c128(stn_c128_multiply(a, b), 9.5, 11.0);
    check_c64(stn_c64_add(c, d), 3.5f, 2.0f);
    check_c64(stn_c64_subtract(c, d), 2.5f, -6.0f);
    check_c64(stn_c64_multiply(c, d), 9.5f, 11.0f);
}

static void test_exact_quotients(void **state)
{
    (void)state;
    check_c128(stn_c128_divide(stn_c128_of(10.0, 5.0), stn_c128_of(2.0, 1.0)), 5.0, 0.0);
    check_c128(stn_c128_divide(stn_c128_of(10.0, 5.0), stn_c128_of(1.0, 2.0)), 4.0, -3.0);
    check_c128(stn_c128_divide(stn_c128_of(8.0, -4.0), stn_c128_of(0.0, 2.0)), -2.0, -4.0);
    check_c64(stn_c64_divide(stn_c64_of(10.0f, 5.0f), stn_c64_of(-1.0f, -2.0f)), -4.0f, 3.0f);
}

/* Where |divisor|^2 would overflow or vanish. */
static void test_quotients_of_extremes(void **state)
{
    (void)state;
    check_c128(stn_c128_divide(stn_c128_of(0x1p1000, 0.0), stn_c128_of(0x1p999, 0x1p999)), 1.0,
               -1.0);
    check_c128(stn_c128_divide(stn_c128_of(0x1p-1000, 0.0), stn_c128_of(0.0, 0x1p-1000)), 0.0,
               -1.0);
    check_c64(stn_c64_divide(stn_c64_of(0x1p126f, 0.0f), stn_c64_of(0x1p125f, -0x1p125f)), 1.0f,
              1.0f);
}

/* Against the compiler's complex division in long double. */
static void test_random_quotients(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 2000; k++) {
        double part[4];
        for (uint64_t p = 0; p < 4; p++)
            part[p] = ldexp((double)(int64_t)oracle_random(p, k), -60);
        const stn_c128 z =
            stn_c128_divide(stn_c128_of(part[0], part[1]), stn_c128_of(part[2], part[3]));
        const long double complex wanted = ((long double)part[0] + (long double)part[1] * I) /
                                           ((long double)part[2] + (long double)part[3] * I);
        const long double error = cabsl((long double)z.re + (long double)z.im * I - wanted);
        assert_true(error <= 8.0L * 0x1p-53L * cabsl(wanted));
    }
}

/* ---- layout: that of C's own complex numbers ---- */

static void test_layout(void **state)
{
    const double complex z = 1.5 - 2.5 * I;
    stn_c128 same;
    (void)state;
    assert_int_equal(sizeof same, sizeof z);
    memcpy(&same, &z, sizeof z);
    check_c128(same, 1.5, -2.5);
    assert_int_equal(sizeof(stn_c64), 8);
    assert_int_equal(sizeof(stn_c32), 4);
}

/* ---- elements ---- */

static void test_elements_are_rounded_part_by_part(void **state)
{
    stn_c64 memory[6] = {{1.0f, 2.0f}};
    const wide x = wide_dense(memory, 2, 3);
    (void)state;
    check_c128(wide_get(x, 0, 0), 1.0, 2.0);
    check_c128(wide_set(x, 1, 2, stn_c128_of(1.0 + 0x1p-30, 0.1)), 1.0, (double)0.1f);
    check_c64(memory[5], 1.0f, 0.1f);
}

static void test_functions_of_elements(void **state)
{
    stn_c64 memory[6] = {{3.0f, -4.0f}, {1.0f, 1.0f}};
    const wide x = wide_dense(memory, 2, 3);
    (void)state;
    assert_true(stn_c128_real(wide_get(x, 0, 0)) == 3.0);
    assert_true(stn_c128_imag(wide_get(x, 0, 0)) == -4.0);
    assert_true(stn_c128_abs(wide_get(x, 0, 0)) == 5.0);
    assert_true(stn_c128_squared_norm(wide_get(x, 0, 0)) == 25.0);
    check_c128(stn_c128_conj(wide_get(x, 0, 0)), 3.0, 4.0);
    check_c64(memory[0], 3.0f, -4.0f);
}

static void test_updates(void **state)
{
    stn_c64 memory[2] = {{3.0f, -4.0f}, {2.0f, 1.0f}};
    const wide x = wide_dense(memory, 1, 2);
    (void)state;
    check_c128(wide_add(x, 0, 0, wide_get(x, 0, 1)), 5.0, -3.0);
    check_c128(wide_subtract(x, 0, 0, stn_c128_of(1.0, 1.0)), 4.0, -4.0);
    check_c128(wide_multiply(x, 0, 0, wide_get(x, 0, 1)), 12.0, -4.0);
    check_c128(wide_divide(x, 0, 0, stn_c128_of(2.0, -2.0)), 4.0, 2.0);
    check_c128(wide_divide(x, 0, 0, wide_get(x, 0, 0)), 1.0, 0.0);
    check_c64(memory[1], 2.0f, 1.0f);
}

static void test_halves(void **state)
{
    stn_c32 memory[3] = {{{0x3c00}, {0xc000}}, {{0x7c00}, {0x0001}}};
    const half x = half_dense(memory, 3);
    (void)state;
    check_c64(half_get(x, 0), 1.0f, -2.0f);
    check_c64(half_get(x, 1), INFINITY, 0x1p-24f);
    check_c64(half_set(x, 2, stn_c64_of(65520.0f, 0x1p-25f)), INFINITY, 0.0f);
    assert_int_equal(memory[2].re.bits, 0x7c00);
    assert_int_equal(memory[2].im.bits, 0x0000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real),
        cmocka_unit_test(test_imag),
        cmocka_unit_test(test_conj),
        cmocka_unit_test(test_squared_norm),
        cmocka_unit_test(test_abs),
        cmocka_unit_test(test_negate),
        cmocka_unit_test(test_sums_and_products),
        cmocka_unit_test(test_exact_quotients),
        cmocka_unit_test(test_quotients_of_extremes),
        cmocka_unit_test(test_random_quotients),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_elements_are_rounded_part_by_part),
        cmocka_unit_test(test_functions_of_elements),
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
