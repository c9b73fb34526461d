/* Scales that the matrix of scaled types and test_accessor_masks do not have: a negative stride,
 * the scale 0, and, by numbers written out, scales that fit_scales chooses. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR_SCALED(vector, 1, double, int16_t, 0x1)
STN_ACCESSOR_SCALED(cube, 3, double, int64_t, 0x5)
STN_ACCESSOR_SCALED(wide, 1, double, double, 0x0)
STN_ACCESSOR_SCALED(real, 1, double, stn_f16, 0x0)
STN_ACCESSOR_SCALED(rows, 2, double, int8_t, 0x2)
STN_ACCESSOR_SCALED(counts, 2, double, uint8_t, 0x2)
STN_ACCESSOR_AFFINE(affine, 2, double, uint8_t, 0x2)
STN_ACCESSOR_BLOCK_SCALED(blocks, 1, float, int16_t, 0x1, 4)

#define STN_NAME          halves
#define STN_RANK          2
#define STN_REAL          double
#define STN_STORAGE       int8_t
#define STN_SCALE_MASK    0x2
#define STN_SCALE_STORAGE stn_f16
#include "steno/accessor_define.h"

/* ---- reads and writes ---- */

/* The scales of the first index follow those of the second one. */
static void test_negative_stride(void **state)
{
    int64_t codes[4] = {1, 2, 3, 4};
    double scales[4] = {3.0, 4.0, 1.0, 2.0};
    const cube x =
        cube_make(codes, (const stn_size[]){2, 1, 2}, NULL, scales + 2, (const stn_size[]){-2});
    (void)state;
    for (int k = 0; k < 4; k++)
        assert_true(cube_get(x, k / 2, 0, k % 2) == (double)codes[k] * scales[(k + 2) % 4]);
    assert_true(cube_scale_direct(x, (const stn_size[]){0, 1}) == 2.0);
    assert_true(cube_scale_direct(x, (const stn_size[]){1, 0}) == 3.0);
    assert_true(cube_set_scale_direct(x, (const stn_size[]){1, 1}, 8.0) == 8.0 && scales[1] == 8.0);
}

/* Unchecked: the quotient by 0 is that of IEEE 754, stored as any other value. */
static void test_scale_0(void **state)
{
    int16_t code = 5;
    stn_f16 half = {0x3c00};
    double zero = 0.0;
    const vector x = vector_dense(&code, 1, &zero);
    const real y = real_dense(&half, 1, &zero);
    (void)state;
    assert_true(vector_get(x, 0) == 0.0);
    assert_true(vector_set(x, 0, 1.0) == 0.0 && code == 32767);
    assert_true(vector_set(x, 0, -1.0) == 0.0 && code == -32768);
    assert_true(vector_set(x, 0, 0.0) == 0.0 && code == 0); /* NaN */
    assert_true(isnan(real_set(y, 0, -1.0)) && half.bits == 0xfc00);
    assert_true(isnan(real_set(y, 0, 0.0)) && half.bits == 0x7e00);
}

/* ---- fit_scales ---- */

typedef enum kind { I8, U8, AFFINE, HALF, WIDE } kind;

/* Fits the scale of a row of two values; returns 1 if no scale fits. */
static stn_size fit(kind type, const double *values, double zero, int exact, double *scale)
{
    int8_t i8[2];
    uint8_t u8[2];
    double f64[1];
    stn_f16 half = {0};
    stn_size unfit;
    switch (type) {
    case I8:
        return rows_fit_scales(rows_dense(i8, 1, 2, scale), values, (stn_scale_choice)exact);
    case U8:
        return counts_fit_scales(counts_dense(u8, 1, 2, scale), values, (stn_scale_choice)exact);
    case AFFINE:
        return affine_fit_scales(affine_dense(u8, 1, 2, scale, &zero), values,
                                 (stn_scale_choice)exact);
    case HALF:
        unfit = halves_fit_scales(halves_dense(i8, 1, 2, &half), values, (stn_scale_choice)exact);
        *scale = stn_f16_to_f64(half);
        return unfit;
    default:
        return wide_fit_scales(wide_dense(f64, 1, scale), values, (stn_scale_choice)exact);
    }
}

static void test_fitted_scales(void **state)
{
    static const double inf = (double)INFINITY;
    const struct {
        kind kind;
        double values[2], zero;
        int exact, unfit;
        double scale; /* 0: not checked */
    } cases[] = {{I8, {127.0, -1.0}, 0, 0, 0, 1.0},
                 {I8, {127.5, 0.0}, 0, 0, 0, 2.0},
                 {I8, {-128.0, 5.0}, 0, 0, 0, 1.0},
                 {I8, {-128.5, 1.0}, 0, 0, 0, 2.0},
                 {I8, {0.25, 0.0}, 0, 0, 0, 0x1p-8}, /* 0.25 / 127 is more than 2^-9 */
                 {I8, {0.0, 0.0}, 0, 0, 0, 1.0},
                 {I8, {(double)NAN, 3.0}, 0, 0, 0, 0x1p-5},
                 {I8, {inf, -inf}, 0, 0, 0, 1.0},
                 {I8, {12.7, -1.0}, 0, 1, 0, 12.7 / 127.0},
                 {I8, {-25.6, 3.0}, 0, 1, 0, 25.6 / 128.0},
                 /* negative values in an unsigned format */
                 {U8, {1.0, -1.0}, 0, 0, 1, 0},
                 {U8, {-0.5, -0.25}, 0, 0, 1, 0},
                 {U8, {1.0, -1.0}, 0, 1, 1, 0},
                 {U8, {255.0, 0.0}, 0, 0, 0, 1.0},
                 /* codes above and below the zero point; on one side there may be none */
                 {AFFINE, {0.0, 155.0}, 100, 0, 0, 1.0},
                 {AFFINE, {-100.0, 155.0}, 100, 0, 0, 1.0},
                 {AFFINE, {-200.0, 10.0}, 100, 0, 0, 2.0},
                 {AFFINE, {1.0, 0.0}, 255, 0, 1, 0},
                 {AFFINE, {-1.0, 0.0}, 255, 0, 0, 0x1p-7}, /* 1 / 255 or more */
                 {AFFINE, {-1.0, 0.0}, 0, 0, 1, 0},
                 {AFFINE, {1.0, 1.0}, 100, 1, 0, 1.0 / 155.0},
                 {AFFINE, {1.0, 1.0}, 300, 0, 1, 0},
                 {AFFINE, {1.0, 1.0}, 300, 1, 1, 0},
                 {AFFINE, {-1.0, -1.0}, -5, 0, 1, 0},
                 {AFFINE, {-1.0, -1.0}, -5, 1, 1, 0},
                 /* the format of the scales: its largest and smallest values */
                 {HALF, {1e9, 0.0}, 0, 1, 1, 0},
                 {HALF, {65504.0 * 127.0, 0.0}, 0, 1, 0, 65504.0},
                 {HALF, {65505.0 * 127.0, 0.0}, 0, 1, 1, 0},
                 {HALF, {1e-12, 0.0}, 0, 1, 0, 0x1p-24},
                 /* no scale is subnormal */
                 {WIDE, {0x1p-1074}, 0, 1, 0, 0x1p-1022},
                 {WIDE, {0x1.fffffffffffffp1023}, 0, 1, 0, 1.0}};
    (void)state;
    alarm(10); /* ends the test if a search does not */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double scale = 0.0;
        const stn_size unfit =
            fit(cases[k].kind, cases[k].values, cases[k].zero, cases[k].exact, &scale);
        if (unfit != cases[k].unfit || (cases[k].scale != 0.0 && scale != cases[k].scale))
            fail_msg("case %d: %d unfit, scale %a, not %a", (int)k, (int)unfit, scale,
                     cases[k].scale);
    }
    alarm(0);
}

/* Each row has its scale, and codes change only by a store. */
static void test_fitted_rows(void **state)
{
    const double values[] = {1.0, -1.0, 254.0, 0.0, -0.5, -0.25};
    double scales[3] = {0};
    uint8_t codes[6] = {1, 2, 3, 4, 5, 6};
    const counts x = counts_dense(codes, 3, 2, scales);
    (void)state;
    assert_int_equal(counts_fit_scales(x, values, STN_SCALE_POWER_OF_TWO), 2);
    assert_true(scales[1] == 1.0);
    for (int k = 0; k < 6; k++)
        assert_int_equal(codes[k], k + 1);
    counts_store(x, 1, 0, 2, values + 2);
    assert_int_equal(codes[2], 254);
    assert_int_equal(codes[3], 0);
}

static void test_fitted_blocks(void **state)
{
    float values[10], scales[3] = {0};
    int16_t codes[10];
    const blocks x = blocks_dense(codes, 10, scales);
    (void)state;
    for (int k = 0; k < 10; k++)
        values[k] = (float)(32767 << k / 4);
    assert_int_equal(blocks_fit_scales(x, values, STN_SCALE_POWER_OF_TWO), 0);
    assert_true(scales[0] == 1.0f && scales[1] == 2.0f && scales[2] == 4.0f);
    scales[0] = 9.0f;
    assert_int_equal(blocks_fit_scales(blocks_sub(x, stn_span_of(5, 9)),
                                       (const float[]){1, 1, 1, 32767}, STN_SCALE_EXACT),
                     0);
    assert_true(scales[0] == 9.0f && scales[1] == 1.0f / 32767.0f && scales[2] == 1.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_negative_stride), cmocka_unit_test(test_scale_0),
        cmocka_unit_test(test_fitted_scales), cmocka_unit_test(test_fitted_rows),
        cmocka_unit_test(test_fitted_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
