/* stn_advise_array: errors of every storage equal those of copies to it, bytes and the selection
 * are right, scales help where they must, complex arrays and strided views, infinities and NaN;
 * refusals. */
#include <math.h>

#include "check.h"
#include "steno/advise.h"
#include "steno/exec.h"

enum { ROWS = 50, COLUMNS = 70, COUNT = ROWS * COLUMNS };

static stn_exec *exec;
static double values[COUNT];
static stn_view array;

static int begin(void **unused)
{
    static const int64_t extents[] = {ROWS, COLUMNS};
    uint32_t state = 5;
    (void)unused;
    for (int k = 0; k < COUNT; k++) {
        state = state * 1664525u + 1013904223u;
        values[k] = ((double)(state >> 8) / 0x1p23 - 1.0) / 3.0 * ldexp(1.0, k % COLUMNS / 32 * 12);
    }
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    expect_ok(stn_view_wrap(&array, "array", stn_storage_of(STN_F64), values, 2, extents));
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    stn_exec_release(exec);
    return 0;
}

static stn_array_choice choice_at(const stn_array_advice *advice, int index)
{
    stn_array_choice choice = STN_ARRAY_CHOICE_INIT;
    expect_ok(stn_array_advice_describe(advice, index, &choice));
    return choice;
}

static stn_array_choice find(const stn_array_advice *advice, stn_format format,
                             stn_advise_scales scales)
{
    for (int k = 0; k < stn_array_advice_count(advice); k++) {
        const stn_array_choice choice = choice_at(advice, k);
        if (choice.format == format && choice.scales == scales)
            return choice;
    }
    fail_msg("format %d with scales %d is missing", (int)format, (int)scales);
    return (stn_array_choice)STN_ARRAY_CHOICE_INIT;
}

/* Errors after a copy to this storage and back, in an independent loop. */
static void copied_errors(const stn_storage *storage, double *most, long double *squares)
{
    static const int64_t extents[] = {ROWS, COLUMNS};
    double stored[COUNT];
    stn_view codes, back;
    expect_ok(stn_view_create(exec, &codes, "codes", *storage, 2, extents));
    expect_ok(stn_view_wrap(&back, "back", stn_storage_of(STN_F64), stored, 2, extents));
    expect_ok(stn_view_copy(exec, &codes, &array));
    expect_ok(stn_view_copy(exec, &back, &codes));
    expect_ok(stn_view_release(&codes));
    *most = 0.0;
    *squares = 0.0L;
    for (int k = 0; k < COUNT; k++) {
        const double error = fabs(stored[k] - values[k]);
        *most = fmax(*most, error);
        *squares += (long double)error * error;
    }
}

UNIT_TEST(errors_are_exact)
{
    stn_array_advice *advice;
    double largest = 0.0;
    int64_t last_bytes = 0;
    for (int k = 0; k < COUNT; k++)
        largest = fmax(largest, fabs(values[k]));
    expect_ok(stn_advise_array(exec, &advice, &array, NULL));
    assert_true(stn_array_advice_count(advice) > 15);
    for (int k = 0; k < stn_array_advice_count(advice); k++) {
        const stn_array_choice choice = choice_at(advice, k);
        stn_storage storage = stn_storage_of(choice.format);
        double most;
        long double squares;
        assert_true(choice.bytes >= last_bytes);
        last_bytes = choice.bytes;
        assert_true(choice.read_seconds > 0.0);
        if (choice.scales == STN_ADVISE_BLOCKS)
            continue;
        storage.scale = choice.scale;
        copied_errors(&storage, &most, &squares);
        assert_true(isfinite(most) ? choice.max_error == most : isinf(choice.max_error));
        if (!isfinite(most))
            continue;
        assert_true(fabsl(choice.rms_error - sqrtl(squares / COUNT)) <= 1e-12L * most);
        assert_true(choice.max_relative == most / largest);
    }
    stn_array_advice_release(advice);
}

UNIT_TEST(the_fewest_bytes_that_meet_the_target)
{
    static const double targets[] = {0.0, 1e-9, 1e-6, 1e-4, 1e-2};
    for (int t = 0; t < 5; t++)
        for (int norm = 0; norm < 2; norm++) {
            const stn_array_advice_options options =
                STN_INIT(stn_array_advice_options, .target = targets[t],
                         .norm = (stn_error_norm)norm, .is_relative = 1);
            stn_array_advice *advice;
            expect_ok(stn_advise_array(exec, &advice, &array, &options));
            const stn_array_choice best = choice_at(advice, stn_array_advice_best(advice));
            assert_true((norm ? best.rms_relative : best.max_relative) <= targets[t]);
            assert_true(best.meets_target);
            for (int k = 0; k < stn_array_advice_count(advice); k++) {
                const stn_array_choice other = choice_at(advice, k);
                const double error = norm ? other.rms_relative : other.max_relative;
                assert_int_equal(other.meets_target, error <= targets[t]);
                assert_true(other.bytes >= best.bytes || !other.meets_target);
            }
            if (t == 0)
                assert_int_equal(best.format, STN_F64);
            stn_array_advice_release(advice);
        }
}

/* Columns differ by 2^24 from block to block: one scale loses the small ones. */
UNIT_TEST(scales_of_blocks_keep_small_values)
{
    stn_array_advice *advice;
    expect_ok(stn_advise_array(exec, &advice, &array, NULL));
    const stn_array_choice none = find(advice, STN_F16, STN_ADVISE_UNSCALED);
    const stn_array_choice one = find(advice, STN_F16, STN_ADVISE_FITTED);
    const stn_array_choice blocks = find(advice, STN_I8, STN_ADVISE_BLOCKS);
    assert_true(isinf(none.max_error));
    assert_true(one.max_relative < 0x1p-10);
    assert_int_equal(one.bytes, COUNT * 2);
    assert_int_equal(blocks.bytes, COUNT + ROWS * ((COLUMNS + 31) / 32) * 4);
    assert_true(blocks.max_relative <= 0x1p-7);
    stn_array_advice_release(advice);
}

UNIT_TEST(complex_and_strided_arrays)
{
    static const int64_t extent = COUNT / 4;
    const stn_slice slice = stn_slice_strided(0, COUNT / 8, 2);
    stn_view complex_array, part;
    stn_array_advice *advice;
    expect_ok(stn_view_wrap(&complex_array, "z", stn_storage_of(STN_C128), values, 1, &extent));
    expect_ok(stn_view_slice(&part, &complex_array, 1, &slice));
    expect_ok(stn_advise_array(exec, &advice, &part, NULL));
    assert_int_equal(choice_at(advice, stn_array_advice_best(advice)).format, STN_C128);
    assert_int_equal(find(advice, STN_C64, STN_ADVISE_UNSCALED).bytes, COUNT / 8 * 8);
    assert_true(find(advice, STN_C64, STN_ADVISE_UNSCALED).max_relative < 0x1p-23);
    stn_array_advice_release(advice);
}

UNIT_TEST(infinities_and_nan_must_be_kept)
{
    static const int64_t extent = 4;
    double special[] = {1.0, -INFINITY, NAN, 0.5};
    stn_view view;
    stn_array_advice *advice;
    expect_ok(stn_view_wrap(&view, "special", stn_storage_of(STN_F64), special, 1, &extent));
    expect_ok(stn_advise_array(exec, &advice, &view, NULL));
    assert_true(find(advice, STN_BF16, STN_ADVISE_UNSCALED).max_error == 0.0);
    assert_true(isinf(find(advice, STN_I8, STN_ADVISE_FITTED).max_error));
    assert_int_equal(choice_at(advice, stn_array_advice_best(advice)).bytes <= 8, 1);
    stn_array_advice_release(advice);
}

UNIT_TEST(refusals)
{
    stn_array_advice_options options = STN_ARRAY_ADVICE_OPTIONS_INIT;
    stn_array_choice choice = STN_ARRAY_CHOICE_INIT;
    stn_array_advice *advice;
    stn_view empty = {0};
    expect_error(stn_advise_array(NULL, &advice, &array, NULL), STN_ERR_ARGUMENT, "exec");
    expect_error(stn_advise_array(exec, NULL, &array, NULL), STN_ERR_ARGUMENT, "advice");
    expect_error(stn_advise_array(exec, &advice, NULL, NULL), STN_ERR_ARGUMENT, "view");
    expect_error(stn_advise_array(exec, &advice, &empty, NULL), STN_ERR_ARGUMENT, "no elements");
    options.target = NAN;
    expect_error(stn_advise_array(exec, &advice, &array, &options), STN_ERR_ARGUMENT, "target");
    assert_null(advice);
    options.target = 0.0;
    options.norm = (stn_error_norm)2;
    expect_error(stn_advise_array(exec, &advice, &array, &options), STN_ERR_ARGUMENT, "norm is 2");
    options.norm = STN_ERROR_MAX;
    options.goal = (stn_advise_goal)2;
    expect_error(stn_advise_array(exec, &advice, &array, &options), STN_ERR_ARGUMENT, "goal is 2");
    expect_error(stn_array_advice_describe(NULL, 0, &choice), STN_ERR_ARGUMENT, "advice");
    expect_ok(stn_advise_array(exec, &advice, &array, NULL));
    expect_error(stn_array_advice_describe(advice, -1, &choice), STN_ERR_RANGE, "index is -1");
    stn_array_advice_release(advice);
    assert_int_equal(stn_array_advice_count(NULL), 0);
    assert_int_equal(stn_array_advice_best(NULL), -1);
}

RUN_UNIT_TESTS(begin, end)
