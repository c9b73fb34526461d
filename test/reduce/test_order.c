/* The order of a sum: stn_dot gives the bits of order_oracle.c for every format, arithmetic type,
 * instruction set, executor, size, scale, zero point and stride, however many threads OpenMP grants
 * and whatever floating-point modes the caller has set. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/openmp.h"
#include "make_view.h"
#include "fewer_threads.h"
#include "core/cpu.h"
#include "order_oracle.h"
#include "steno/blas.h"

static const int64_t small_sizes[] = {0, 1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 385, 1000};
static const int64_t large_sizes[] = {4096 + 17, 100003, 1 << 15, (1 << 15) - 1, 65537};
static const int64_t strides[] = {1, 2, -1, 3, -2, 0, 1, 1, 7};
static const stn_format arithmetics[] = {STN_F64, STN_F32};
enum {
    SMALL_SIZES = COUNT_OF(small_sizes),
    LARGE_SIZES = COUNT_OF(large_sizes),
    STRIDES = COUNT_OF(strides)
};

/* ---- one dot product on every executor and instruction set ---- */

static double call_dot(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                       const stn_view *y, const char *what)
{
    double result = -77.0;
    const order_modes saved = order_begin();
    const stn_status status = stn_dot(exec, arithmetic, &result, x, y);
    order_end(status, saved, what);
    if (arithmetic == STN_F32 && !isnan(result) && result != (double)(float)result)
        fail_msg("%s: an f32 result that is no float", what);
    return result;
}

static double expected_dot(stn_format arithmetic, const order_array *x, const order_array *y)
{
    double *u = order_values(arithmetic, x), *v = order_values(arithmetic, y);
    const double expected = order_dot(arithmetic, u, v, x->extent[0]);
    free(u);
    free(v);
    return expected;
}

static void check_dot(stn_format arithmetic, const order_array *x, const order_array *y)
{
    const stn_view u = order_view(x, "x"), v = order_view(y, "y");
    const double expected = expected_dot(arithmetic, x, y);
    static int number;
    number++;
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!order_has_turn(setting, number))
            continue;
        const stn_exec *exec = order_use(setting);
        const char *name = order_setting_name(setting);
        const double actual = call_dot(exec, arithmetic, &u, &v, name);
        if (!order_same(actual, expected))
            fail_msg("dot in %s, %s, x %s, y %s: %a, not %a", oracle_formats[arithmetic].name, name,
                     order_describe(x).text, order_describe(y).text, actual, expected);
    }
}

static order_kind any_kind(uint64_t *state)
{
    const uint64_t random = order_next(state);
    return random % 2 ? ORDER_MIXED : (order_kind)(random / 2 % ORDER_KINDS);
}

/* x stored as asked for, y in any way. */
static void check_against_any(stn_format arithmetic, stn_storage storage, int64_t stride,
                              stn_format other, int64_t count, uint64_t *state)
{
    order_array x = order_make_vector(storage, count, stride, any_kind(state), order_next(state));
    order_array y =
        order_make_vector(order_storage(arithmetic, other, state), count,
                          order_pick(state, strides, STRIDES), any_kind(state), order_next(state));
    check_dot(arithmetic, &x, &y);
    order_drop(&x);
    order_drop(&y);
}

/* ---- what is tried ---- */

/* Every scale with and without a zero point, with some strides. */
static void check_scales(stn_format arithmetic, stn_format format, int64_t count, uint64_t *state)
{
    for (int which = 0; which < order_scale_count(); which++) {
        if (!order_scale_fits(arithmetic, order_scale(which)) ||
            order_next(state) % (uint64_t)oracle_count(8, 3, 1) != 0)
            continue;
        stn_storage storage = stn_storage_of(format);
        storage.scale = order_scale(which);
        check_against_any(arithmetic, storage, order_pick(state, strides, STRIDES), format, count,
                          state);
        storage.zero = 3.0;
        check_against_any(arithmetic, storage, order_pick(state, strides, STRIDES), format, count,
                          state);
    }
}

UNIT_TEST(test_each_format)
{
    uint64_t state = 1;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int a = 0; a < 2 && order_is_real(format); a++)
            for (int s = 0; s < SMALL_SIZES; s++)
                check_scales(arithmetics[a], format, small_sizes[s], &state);
}

/* Both plain and contiguous: the sizes around every boundary. */
UNIT_TEST(test_each_size)
{
    uint64_t state = 2;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int64_t count = format % oracle_count(4, 4, 1); count < 600 && order_is_real(format);
             count += oracle_count(61, 4, 1))
            for (int a = 0; a < 2; a++) {
                order_array x = order_make_vector(stn_storage_of(format), count, 1, ORDER_MIXED,
                                                  order_next(&state));
                order_array y = order_make_vector(stn_storage_of(format), count, 1, ORDER_MIXED,
                                                  order_next(&state));
                check_dot(arithmetics[a], &x, &y);
                order_drop(&x);
                order_drop(&y);
            }
}

static void check_large(stn_format arithmetic, stn_format format, int64_t count, uint64_t *state)
{
    check_against_any(arithmetic, stn_storage_of(format), 1, format, count, state);
    for (int k = 0; k < 2 && !oracle_quick(); k++)
        check_against_any(arithmetic, order_storage(arithmetic, format, state),
                          order_pick(state, strides, STRIDES), format, count, state);
    order_array x =
        order_make_vector(stn_storage_of(format), count, 1, ORDER_MIXED, order_next(state));
    check_dot(arithmetic, &x, &x);
    order_drop(&x);
}

UNIT_TEST(test_large)
{
    uint64_t state = 3;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int a = 0; a < 2 && order_is_real(format); a++)
            for (int s = 0; s < oracle_count(1, 2, LARGE_SIZES); s++)
                check_large(arithmetics[a], format, large_sizes[(format + s) % LARGE_SIZES],
                            &state);
}

/* More tiles than the executors hand out one by one. */
UNIT_TEST(test_huge)
{
    uint64_t state = 12;
    const stn_format formats[] = {STN_F64, STN_F16, STN_I32};
    for (int f = 0; f < (oracle_quick() ? 1 : 3); f++)
        check_against_any(arithmetics[f % 2], stn_storage_of(formats[f]), 1, formats[f],
                          (5 << 18) + 129 * (f + 1), &state);
}

UNIT_TEST(test_mixed_formats)
{
    uint64_t state = 4;
    for (stn_format x = 0; x < STN_BUILTIN_FORMATS; x++)
        for (stn_format y = 0; y < STN_BUILTIN_FORMATS; y++)
            for (int k = 0; k < oracle_count(2, 6, 16); k++) {
                if (!order_is_real(x) || !order_is_real(y))
                    continue;
                const int64_t count =
                    k == 2 ? large_sizes[0] : order_pick(&state, small_sizes, SMALL_SIZES);
                check_against_any(
                    arithmetics[k % 2],
                    k < 4 ? stn_storage_of(x) : order_storage(arithmetics[k % 2], x, &state),
                    k < 4 ? 1 : order_pick(&state, strides, STRIDES), y, count, &state);
            }
}

/* ---- signs of zero ---- */

static order_array constant(stn_format format, double value, double scale, int64_t count)
{
    stn_storage storage = stn_storage_of(format);
    order_array array = order_make_vector(storage, count, 1, ORDER_SIGNS, 1);
    unsigned events = 0;
    for (int64_t i = 0; i < count; i++)
        order_put(&array, NULL, i, 0, order_encode(STN_F64, &storage, value, i, &events));
    array.storage.scale = scale;
    return array;
}

/* Zeros of one sign each; then one product of the other sign, which turns the sum. */
static void check_zeros(stn_format format, double scale, double y_scale, int64_t count)
{
    order_array x = constant(format, 0.0, scale, count), y = constant(format, 1.0, y_scale, count);
    for (int a = 0; a < 2; a++)
        check_dot(arithmetics[a], &x, &y);
    if (oracle_formats[format].is_signed) {
        unsigned events = 0;
        order_put(&y, NULL, count - 1, 0,
                  order_encode(STN_F64, &(stn_storage){.format = format, .scale = 1.0}, -1.0, 0,
                               &events));
        for (int a = 0; a < 2; a++)
            check_dot(arithmetics[a], &x, &y);
    }
    order_drop(&x);
    order_drop(&y);
}

UNIT_TEST(test_zeros)
{
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int s = 1; s < SMALL_SIZES && order_is_real(format); s++) {
            check_zeros(format, 1.0, 1.0, small_sizes[s]);
            check_zeros(format, -1.0, 1.0, small_sizes[s]);
            check_zeros(format, 0.3, -0.3, small_sizes[s]);
            check_zeros(format, 1.0, -4.0, small_sizes[s]);
            check_zeros(format, -2.0, -0.3, small_sizes[s]);
        }
}

UNIT_TEST(test_the_sign_of_a_sum_of_negative_zeros)
{
    double zeros[300], ones[300], sum = 1.0;
    for (int i = 0; i < 300; i++) {
        zeros[i] = -0.0;
        ones[i] = 1.0;
    }
    for (int64_t count = 0; count <= 300; count += 25) {
        const stn_storage f64 = stn_storage_of(STN_F64);
        const stn_view x = wrap_view("x", f64, zeros, 1, &count);
        const stn_view y = wrap_view("y", f64, ones, 1, &count);
        for (int setting = 0; setting < order_settings(); setting++) {
            expect_ok(stn_dot(order_use(setting), STN_F64, &sum, &x, &y));
            assert_true(sum == 0.0);
            assert_int_equal(signbit(sum) != 0, count > 0);
        }
    }
}

/* Products that fit only with their scale: it must not leave the sum. */
static void check_scaled(stn_format arithmetic, stn_format x_format, double x_value,
                         stn_format y_format, double y_value, double y_scale)
{
    for (int s = 1; s < SMALL_SIZES; s++) {
        order_array x = constant(x_format, x_value, 1.0, small_sizes[s]);
        order_array y = constant(y_format, y_value, y_scale, small_sizes[s]);
        check_dot(arithmetic, &x, &y);
        check_dot(arithmetic, &y, &x);
        check_dot(arithmetic, &y, &y);
        order_drop(&x);
        order_drop(&y);
    }
}

UNIT_TEST(test_scales_that_save_products)
{
    check_scaled(STN_F64, STN_F64, 0x1p1020, STN_I8, 101.0, 0x1p-30);
    check_scaled(STN_F64, STN_F64, 0x1.234p-1040, STN_F16, 0.3, 0x1p100);
    check_scaled(STN_F32, STN_F32, 0x1p120, STN_I16, 3001.0, 0x1p-30);
    check_scaled(STN_F32, STN_BF16, 0x1.7p-130, STN_F16, 0.3, 0x1p30);
    check_scaled(STN_F32, STN_F64, 0x1p120, STN_I8, 101.0, 0x1p-20);
    check_scaled(STN_F32, STN_U64, 0x1p63, STN_F16, 60000.0, 0x1p-100);
}

/* ---- modes ---- */

UNIT_TEST_WITH(test_modes_of_the_caller, order_use_odd_modes, order_use_plain_modes)
{
    uint64_t state = 6;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int a = 0; a < 2 && order_is_real(format); a++)
            for (int s = 0; s < SMALL_SIZES; s += oracle_quick() ? 5 : 1)
                check_against_any(arithmetics[a], order_storage(arithmetics[a], format, &state),
                                  order_pick(&state, strides, STRIDES), format, small_sizes[s],
                                  &state);
    test_zeros(NULL);
    for (int a = 0; a < 2; a++)
        check_large(arithmetics[a], STN_F32, 100003, &state);
}

enum { TEAM = 7 };

static void probe_team(order_modes found[TEAM])
{
    memset(found, 0, TEAM * sizeof *found);
#pragma omp parallel num_threads(TEAM)
    found[omp_get_thread_num()] = order_get_modes();
}

static void set_team(order_modes modes)
{
#pragma omp parallel num_threads(TEAM)
    order_set_modes(modes);
}

/* OpenMP's threads outlive a call: set their modes, and see that they are kept. */
UNIT_TEST(test_modes_of_the_workers)
{
    (void)order_use_odd_modes(NULL);
    if (!order_odd_modes)
        skip();
    (void)order_use_plain_modes(NULL);
    stn_exec *exec = NULL;
    expect_ok(stn_exec_create(&exec, "threads:threads=7"));
    order_array x = order_make_vector(stn_storage_of(STN_F32), 1 << 20, 1, ORDER_TINY, 7);
    order_array y = order_make_vector(stn_storage_of(STN_F64), 1 << 20, 1, ORDER_MIXED, 8);
    const stn_view u = order_view(&x, "x"), v = order_view(&y, "y");
    const double expected = expected_dot(STN_F64, &x, &y);
    const order_modes plain = order_get_modes();
    order_modes before[TEAM], after[TEAM];
    double actual = 0.0;
    set_team(order_odd());
    probe_team(before);
    const stn_status status = stn_dot(exec, STN_F64, &actual, &u, &v);
    probe_team(after);
    set_team(plain);
    order_set_modes(plain);
    assert_int_equal(status, STN_OK);
    assert_true(order_same(actual, expected));
    assert_memory_equal(before, after, sizeof before);
    order_drop(&x);
    order_drop(&y);
    stn_exec_release(exec);
}

/* ---- threads ---- */

static void check_few(void)
{
    uint64_t state = 9;
    const int64_t sizes[] = {1000, 4096 + 17, 100003};
    for (int s = 0; s < 3; s++)
        for (int a = 0; a < 2; a++) {
            check_against_any(arithmetics[a], stn_storage_of(STN_BF16), 1, STN_F32, sizes[s],
                              &state);
            check_against_any(arithmetics[a], stn_storage_of(STN_F64), -1, STN_F64, sizes[s],
                              &state);
        }
}

UNIT_TEST(test_dynamic_threads)
{
    const int dynamic = omp_get_dynamic();
    omp_set_dynamic(1);
    check_few();
    omp_set_dynamic(dynamic);
}

typedef struct shared_work {
    const stn_exec *exec;
    stn_view x, y;
    double expected;
    int wrong;
} shared_work;

static int is_wrong(const shared_work *work)
{
    double sum = 0.0;
    return stn_dot(work->exec, STN_F64, &sum, &work->x, &work->y) != STN_OK ||
           !order_same(sum, work->expected);
}

static int run_nested(const shared_work *work)
{
    int wrong = 0;
#pragma omp parallel num_threads(3) reduction(+ : wrong)
    wrong += is_wrong(work);
    return wrong;
}

static void *run_repeatedly(void *pointer)
{
    shared_work *work = pointer;
    for (int k = 0; k < (oracle_quick() ? 5 : 20); k++)
        work->wrong += is_wrong(work);
    return NULL;
}

static void run_at_once(const shared_work *work)
{
    enum { CALLERS = 5 };
    pthread_t threads[CALLERS];
    shared_work own[CALLERS];
    for (int k = 0; k < CALLERS; k++) {
        own[k] = *work;
        assert_int_equal(pthread_create(&threads[k], NULL, run_repeatedly, &own[k]), 0);
    }
    for (int k = 0; k < CALLERS; k++) {
        assert_int_equal(pthread_join(threads[k], NULL), 0);
        assert_int_equal(own[k].wrong, 0);
    }
}

/* In parallel regions of the caller's, nested ones allowed or not, and from threads of its own. */
UNIT_TEST(test_calls_from_several_threads)
{
    order_array x = order_make_vector(stn_storage_of(STN_F16), 50001, 1, ORDER_MIXED, 10);
    order_array y = order_make_vector(stn_storage_of(STN_F32), 50001, 1, ORDER_MIXED, 11);
    shared_work work = {NULL, order_view(&x, "x"), order_view(&y, "y"),
                        expected_dot(STN_F64, &x, &y), 0};
    const int levels = omp_get_max_active_levels();
    for (int setting = 0; setting < order_settings(); setting++) {
        work.exec = order_use(setting);
        omp_set_max_active_levels(1);
        assert_int_equal(run_nested(&work), 0);
        omp_set_max_active_levels(3);
        assert_int_equal(run_nested(&work), 0);
        omp_set_max_active_levels(levels);
        run_at_once(&work);
    }
    order_drop(&x);
    order_drop(&y);
}

UNIT_TEST(test_fewer_threads_than_asked)
{
    fewer_threads_try();
}

TEST_CASE(test_few)
{
    check_few();
}

int main(int count, char **arguments)
{
    const struct CMUnitTest few[] = {cmocka_unit_test(test_few)};
    if (fewer_threads_here(count, arguments))
        return cmocka_run_group_tests(few, NULL, order_teardown);
    return run_unit_tests("order", NULL, order_teardown);
}
