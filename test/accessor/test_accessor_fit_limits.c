/* fit_scales by numbers written out, and values that no scale lets fit. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR_SCALED(rows, 2, double, int8_t, 0x2)
STN_ACCESSOR_SCALED(counts, 2, double, uint8_t, 0x2)
STN_ACCESSOR_SCALED(wide, 1, double, double, 0x0)
STN_ACCESSOR_AFFINE(affine, 2, double, uint8_t, 0x2)
STN_ACCESSOR_BLOCK_SCALED(blocks, 1, float, int16_t, 0x1, 4)

#define STN_NAME          halves
#define STN_RANK          2
#define STN_REAL          double
#define STN_STORAGE       int8_t
#define STN_SCALE_MASK    0x2
#define STN_SCALE_STORAGE stn_f16
#include "steno/accessor_define.h"

static void test_powers_of_two(void **state)
{
    const double values[] = {127.0,  -1.0, 127.5, 0.0, -128.0, 5.0,
                             -128.5, 1.0,  0.25,  0.0, 0.0,    0.0};
    double scales[6] = {0};
    int8_t codes[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const rows x = rows_dense(codes, 6, 2, scales);
    (void)state;
    assert_int_equal(rows_fit_scales(x, values, 0), 0);
    assert_true(scales[0] == 1.0 && scales[1] == 2.0 && scales[2] == 1.0 && scales[3] == 2.0);
    assert_true(scales[4] == 0x1p-8); /* 0.25 / 127 is more than 2^-9 */
    assert_true(scales[5] == 1.0);    /* zeros alone */
    for (int k = 0; k < 12; k++)
        assert_int_equal(codes[k], k + 1); /* codes wait for a store */
    rows_store(x, 0, 0, 12, values);
    assert_int_equal(codes[0], 127);
    assert_int_equal(codes[2], 64); /* 63.75 */
    assert_int_equal(codes[4], -128);
    assert_int_equal(codes[8], 64);
}

static void test_exact(void **state)
{
    const double values[] = {12.7, -1.0, -25.6, 3.0};
    double scales[2] = {0};
    int8_t codes[4];
    const rows x = rows_dense(codes, 2, 2, scales);
    (void)state;
    assert_int_equal(rows_fit_scales(x, values, 1), 0);
    assert_true(scales[0] == 12.7 / 127.0 && scales[1] == 25.6 / 128.0);
    rows_store(x, 0, 0, 4, values);
    assert_int_equal(codes[0], 127);
    assert_int_equal(codes[2], -128);
}

static void test_not_finite(void **state)
{
    const double values[] = {(double)NAN, 3.0, (double)INFINITY, -(double)INFINITY};
    double scales[2] = {0};
    int8_t codes[4];
    (void)state;
    assert_int_equal(rows_fit_scales(rows_dense(codes, 2, 2, scales), values, 0), 0);
    assert_true(scales[0] == 0x1p-5 && scales[1] == 1.0);
}

static void test_blocks(void **state)
{
    float values[10], scales[3] = {0};
    int16_t codes[10];
    const blocks x = blocks_dense(codes, 10, scales);
    (void)state;
    for (int k = 0; k < 10; k++)
        values[k] = (float)(32767 << k / 4);
    assert_int_equal(blocks_fit_scales(x, values, 0), 0);
    assert_true(scales[0] == 1.0f && scales[1] == 2.0f && scales[2] == 4.0f);
    scales[0] = 9.0f;
    assert_int_equal(
        blocks_fit_scales(blocks_sub(x, stn_span_of(5, 9)), (const float[]){1, 1, 1, 32767}, 1), 0);
    assert_true(scales[0] == 9.0f && scales[1] == 1.0f / 32767.0f && scales[2] == 1.0f);
}

/* Room above and below the zero point. */
static void test_zero_points(void **state)
{
    const double values[] = {0.0, 155.0, -100.0, 155.0, -200.0, 10.0};
    double scales[3] = {0}, zeros[3] = {100.0, 100.0, 100.0};
    uint8_t codes[6];
    const affine x = affine_dense(codes, 3, 2, scales, zeros);
    (void)state;
    assert_int_equal(affine_fit_scales(x, values, 0), 0);
    assert_true(scales[0] == 1.0 && scales[1] == 1.0 && scales[2] == 2.0);
    affine_store(x, 0, 0, 6, values);
    assert_true(codes[0] == 100 && codes[1] == 255 && codes[2] == 0 && codes[4] == 0);
}

/* ---- what cannot be ---- */

static void test_negative_values_unsigned(void **state)
{
    const double values[] = {1.0, -1.0, 255.0, 0.0, -0.5, -0.25};
    double scales[3] = {0};
    uint8_t codes[6];
    (void)state;
    assert_int_equal(counts_fit_scales(counts_dense(codes, 3, 2, scales), values, 0), 2);
    assert_true(scales[1] == 1.0);
    assert_int_equal(counts_fit_scales(counts_dense(codes, 3, 2, scales), values, 1), 2);
}

static void test_zero_points_at_the_end(void **state)
{
    const double values[] = {1.0, 0.0, -1.0, 0.0, -1.0, 0.0};
    double scales[3] = {0}, zeros[3] = {255.0, 255.0, 0.0};
    uint8_t codes[6];
    (void)state;
    assert_int_equal(affine_fit_scales(affine_dense(codes, 3, 2, scales, zeros), values, 0), 2);
    assert_true(scales[1] == 0x1p-7); /* 1 / 255 and more */
}

/* Beyond what the scales' format holds. */
static void test_scales_too_large(void **state)
{
    const double values[] = {1e9, 0.0, 65504.0 * 127.0, 0.0, 65505.0 * 127.0, 0.0, 1e-12, 0.0};
    stn_f16 scales[4] = {{0}};
    int8_t codes[8];
    (void)state;
    assert_int_equal(halves_fit_scales(halves_dense(codes, 4, 2, scales), values, 1), 2);
    assert_int_equal(scales[1].bits, 0x7bff);
    assert_int_equal(scales[3].bits, 0x0001); /* the least there is */
}

static void test_extremes(void **state)
{
    const double tiny[] = {0x1p-1074}, huge[] = {0x1.fffffffffffffp1023};
    double codes[1], scale = 0.0;
    const wide x = wide_dense(codes, 1, &scale);
    (void)state;
    assert_int_equal(wide_fit_scales(x, tiny, 1), 0);
    assert_true(scale == 0x1p-1022); /* no scale is subnormal */
    assert_int_equal(wide_fit_scales(x, huge, 1), 0);
    assert_true(scale == 1.0);
}

/* A zero point that the format cannot hold leaves no room on one side: in a process of its own,
 * which is given two seconds. */
static int unfit_in_time(double zero, double value, int exact)
{
    const pid_t child = fork();
    int status = 0;
    assert_true(child >= 0);
    if (child == 0) {
        uint8_t code = 0;
        double scale = 1.0;
        alarm(2);
        _exit((int)affine_fit_scales(affine_dense(&code, 1, 1, &scale, &zero), &value, exact));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_zero_points_beyond_the_format(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        assert_int_equal(unfit_in_time(100.0, 1.0, exact), 0);
        assert_int_equal(unfit_in_time(300.0, 1.0, exact), 1);
        assert_int_equal(unfit_in_time(-5.0, -1.0, exact), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_powers_of_two),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_zero_points),
        cmocka_unit_test(test_negative_values_unsigned),
        cmocka_unit_test(test_zero_points_at_the_end),
        cmocka_unit_test(test_scales_too_large),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_zero_points_beyond_the_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
