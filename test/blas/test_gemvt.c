/* stn_gemvt, and stn_gemv of few columns, give the bits of order_oracle.c: y = alpha A' x + beta y,
 * and z = A y behind it, for every real format, executor and instruction set, in one pass over A or
 * in two; and refuses wrong operands with y and z untouched. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "order_oracle.h"
#include "steno/blas.h"

static const stn_format arithmetics[] = {STN_F64, STN_F32};
static const double alphas[] = {-1.0, 1.0, 0.7, 0.0}, betas[] = {1.0, 0.0, -0.3};
static const int64_t heights[] = {1, 3, 33, 50, 128, 129, 200};
static const int64_t widths[] = {1, 127, 129, 300, 1025, 5000};

typedef struct gemvt_case {
    stn_format arithmetic;
    double alpha, beta;
    order_array a, x, y, z;
} gemvt_case;

static gemvt_case make(stn_format format, int number, uint64_t *state)
{
    const stn_format arithmetic = arithmetics[number % 2];
    const int64_t rows = order_pick(state, heights, 7), columns = order_pick(state, widths, 6);
    const int plain = number % 4 != 3; /* what one pass takes; else any storage and strides */
    const stn_storage vector = stn_storage_of(arithmetic);
    const int64_t extent[] = {rows, columns}, stride[] = {columns + 5, 1}, odd[] = {1, rows + 1};
    const stn_storage storage =
        plain ? stn_storage_of(format) : order_storage(arithmetic, format, state);
    return (gemvt_case){
        arithmetic,
        alphas[order_next(state) % 4],
        betas[order_next(state) % 3],
        order_make(storage, 2, extent, plain || number % 8 == 3 ? stride : odd, ORDER_MIXED,
                   order_next(state)),
        order_make_vector(vector, rows, 1, ORDER_MIXED, order_next(state)),
        order_make_vector(vector, columns, plain ? 1 : 2, ORDER_MIXED, order_next(state)),
        order_make_vector(vector, rows, 1, ORDER_MIXED, order_next(state))};
}

static void drop(gemvt_case *it)
{
    order_drop(&it->a);
    order_drop(&it->x);
    order_drop(&it->y);
    order_drop(&it->z);
}

static double update(const gemvt_case *it, double sum, double y)
{
    const stn_format t = it->arithmetic;
    const double alpha = order_round(t, it->alpha), beta = order_round(t, it->beta);
    const double product = alpha == 1.0 ? sum : alpha == 0.0 ? 0.0 : order_multiply(t, alpha, sum);
    return beta == 0.0 ? product : order_add(t, product, order_multiply(t, beta, y));
}

/* What y and z become, in images of their memory. */
static void expect(gemvt_case *it, uint8_t *y_image, uint8_t *z_image)
{
    const int64_t m = it->a.extent[0], n = it->a.extent[1];
    double *const a = order_values(it->arithmetic, &it->a);
    double *const x = order_values(it->arithmetic, &it->x);
    double *const y = order_values(it->arithmetic, &it->y);
    double *const column = malloc((size_t)m * sizeof *column);
    unsigned events = 0;
    assert_non_null(column);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < m; i++)
            column[i] = a[i * n + j];
        y[j] = update(it, order_dot(it->arithmetic, column, x, m), y[j]);
        order_put(&it->y, y_image, j, 0,
                  order_encode(it->arithmetic, &it->y.storage, y[j], j, &events));
    }
    for (int64_t i = 0; i < m; i++)
        order_put(&it->z, z_image, i, 0,
                  order_encode(it->arithmetic, &it->z.storage,
                               order_dot(it->arithmetic, a + i * n, y, n), i, &events));
    free(column);
    free(a);
    free(x);
    free(y);
}

static void run_case(stn_format format, int number, uint64_t *state)
{
    gemvt_case it = make(format, number, state);
    uint8_t *const y_before = order_image(&it.y), *const z_before = order_image(&it.z);
    uint8_t *const y_image = order_image(&it.y), *const z_image = order_image(&it.z);
    const stn_view a = order_view(&it.a, "a"), x = order_view(&it.x, "x");
    const stn_view y = order_view(&it.y, "y"), z = order_view(&it.z, "z");
    expect(&it, y_image, z_image);
    for (int setting = 0; setting < order_settings(); setting++) {
        char what[400];
        if (!order_has_turn(setting, number))
            continue;
        memcpy(it.y.memory, y_before, (size_t)it.y.bytes);
        memcpy(it.z.memory, z_before, (size_t)it.z.bytes);
        snprintf(what, sizeof what, "%s: %s of %lld x %lld, alpha %g beta %g, arithmetic %d",
                 order_setting_name(setting), order_describe(&it.a).text, (long long)it.a.extent[0],
                 (long long)it.a.extent[1], it.alpha, it.beta, (int)it.arithmetic);
        const stn_exec *const exec = order_use(setting);
        const order_modes modes = order_begin();
        order_end(stn_gemvt(exec, it.arithmetic, it.alpha, &a, &x, it.beta, &y, &z), modes, what);
        order_check(&it.y, y_image, what);
        order_check(&it.z, z_image, what);
    }
    free(y_before);
    free(z_before);
    free(y_image);
    free(z_image);
    drop(&it);
}

TEST_CASE(test_bits)
{
    uint64_t state = 11;
    const int each = getenv("STENO_TEST_FULL") ? 40 : oracle_quick() ? 3 : 6;
    int number = 0;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < each && order_is_real(format); k++)
            run_case(format, number++, &state);
    order_release_executors();
}

/* stn_gemv of up to a tile of columns that follow each other, and of more rows than are taken at
 * once. */
static void check_columns(stn_format format, int number, uint64_t *state)
{
    static const int64_t outputs[] = {129, 1024, 1025, 2050}, inputs[] = {1, 3, 50, 128};
    const stn_format arithmetic = arithmetics[number % 2];
    const int64_t m = order_pick(state, outputs, 4), n = order_pick(state, inputs, 4);
    const int64_t extent[] = {m, n}, stride[] = {1, m + 3};
    const stn_storage vector = stn_storage_of(arithmetic);
    gemvt_case it = {
        .arithmetic = arithmetic,
        .alpha = alphas[number % 3],
        .beta = betas[order_next(state) % 3],
        .a = order_make(stn_storage_of(format), 2, extent, stride, ORDER_MIXED, order_next(state)),
        .x = order_make_vector(vector, n, 1, ORDER_MIXED, order_next(state)),
        .y = order_make_vector(vector, m, 1, ORDER_MIXED, order_next(state)),
        .z = order_make_vector(vector, 1, 1, ORDER_MIXED, order_next(state))};
    uint8_t *const before = order_image(&it.y), *const image = order_image(&it.y);
    double *const a = order_values(arithmetic, &it.a), *const x = order_values(arithmetic, &it.x);
    double *const y = order_values(arithmetic, &it.y);
    const stn_view va = order_view(&it.a, "a"), vx = order_view(&it.x, "x");
    const stn_view vy = order_view(&it.y, "y");
    unsigned events = 0;
    for (int64_t i = 0; i < m; i++)
        order_put(&it.y, image, i, 0,
                  order_encode(arithmetic, &it.y.storage,
                               update(&it, order_dot(arithmetic, a + i * n, x, n), y[i]), i,
                               &events));
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!order_has_turn(setting, number))
            continue;
        memcpy(it.y.memory, before, (size_t)it.y.bytes);
        const stn_exec *const exec = order_use(setting);
        const order_modes modes = order_begin();
        order_end(stn_gemv(exec, arithmetic, it.alpha, &va, &vx, it.beta, &vy), modes,
                  order_describe(&it.a).text);
        order_check(&it.y, image, order_describe(&it.a).text);
    }
    free(before);
    free(image);
    free(a);
    free(x);
    free(y);
    drop(&it);
}

TEST_CASE(test_columns)
{
    uint64_t state = 12;
    int number = 0;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < (oracle_quick() ? 2 : 6) && order_is_real(format); k++)
            check_columns(format, number++, &state);
    order_release_executors();
}

/* Vectors of the executor, so that one pass is taken; z may be x. */
TEST_CASE(test_x_becomes_z)
{
    enum { M = 20, N = 1000 };
    const int64_t extents[] = {M, N}, m = M, n = N;
    static double a[M * N], x[M], y[N], z[M];
    stn_view va, vx, vy, vz;
    stn_exec *exec;
    assert_int_equal(stn_exec_create(&exec, "openmp:threads=3"), STN_OK);
    for (int both = 0; both < 2; both++) {
        for (int k = 0; k < M * N; k++)
            a[k] = (k % 17 - 8) / 7.0;
        for (int k = 0; k < N; k++)
            y[k] = k / 3.0;
        for (int k = 0; k < M; k++)
            (both ? z : x)[k] = 0.1 * k;
        assert_int_equal(stn_view_wrap(&va, "a", stn_storage_of(STN_F64), a, 2, extents), 0);
        assert_int_equal(stn_view_wrap(&vx, "x", stn_storage_of(STN_F64), x, 1, &m), 0);
        assert_int_equal(stn_view_wrap(&vy, "y", stn_storage_of(STN_F64), y, 1, &n), 0);
        assert_int_equal(stn_view_wrap(&vz, "z", stn_storage_of(STN_F64), z, 1, &m), 0);
        assert_int_equal(
            stn_gemvt(exec, STN_F64, -1.0, &va, both ? &vz : &vx, 1.0, &vy, both ? &vz : &vx),
            STN_OK);
    }
    assert_memory_equal(x, z, sizeof x);
    stn_exec_release(exec);
}

TEST_CASE(test_refuses)
{
    enum { M = 4, N = 200 };
    const int64_t extents[] = {M, N}, m = M, n = N, few = M - 1;
    double a[M * N] = {0}, x[M] = {0}, y[N] = {1.0}, z[M] = {1.0};
    stn_view va, vx, vy, vz, bad;
    stn_exec *exec;
    assert_int_equal(stn_exec_create(&exec, "openmp"), STN_OK);
    assert_int_equal(stn_view_wrap(&va, "a", stn_storage_of(STN_F64), a, 2, extents), 0);
    assert_int_equal(stn_view_wrap(&vx, "x", stn_storage_of(STN_F64), x, 1, &m), 0);
    assert_int_equal(stn_view_wrap(&vy, "y", stn_storage_of(STN_F64), y, 1, &n), 0);
    assert_int_equal(stn_view_wrap(&vz, "z", stn_storage_of(STN_F64), z, 1, &m), 0);
#define REFUSED(status, ...) assert_int_equal(stn_gemvt(__VA_ARGS__), status)
    REFUSED(STN_ERR_ARGUMENT, NULL, STN_F64, 1.0, &va, &vx, 1.0, &vy, &vz);
    REFUSED(STN_ERR_ARGUMENT, exec, STN_F64, 1.0, NULL, &vx, 1.0, &vy, &vz);
    REFUSED(STN_ERR_ARGUMENT, exec, STN_F64, 1.0, &va, &vx, 1.0, &vy, NULL);
    REFUSED(STN_ERR_UNSUPPORTED, exec, STN_I64, 1.0, &va, &vx, 1.0, &vy, &vz);
    REFUSED(STN_ERR_SHAPE, exec, STN_F64, 1.0, &va, &vy, 1.0, &vy, &vz);
    REFUSED(STN_ERR_SHAPE, exec, STN_F64, 1.0, &va, &vx, 1.0, &vx, &vz);
    assert_int_equal(stn_view_wrap(&bad, "bad", stn_storage_of(STN_F64), z, 1, &few), 0);
    REFUSED(STN_ERR_SHAPE, exec, STN_F64, 1.0, &va, &vx, 1.0, &vy, &bad);
    assert_int_equal(stn_view_wrap(&bad, "bad", stn_storage_of(STN_F64), y + 2, 1, &m), 0);
    REFUSED(STN_ERR_ALIAS, exec, STN_F64, 1.0, &va, &vx, 1.0, &vy, &bad);
    REFUSED(STN_ERR_ALIAS, exec, STN_F64, 1.0, &va, &bad, 1.0, &vy, &vz);
    assert_int_equal(stn_view_wrap(&bad, "bad", stn_storage_of(STN_F64), a + 2, 1, &m), 0);
    REFUSED(STN_ERR_ALIAS, exec, STN_F64, 1.0, &va, &vx, 1.0, &vy, &bad);
    assert_int_equal(stn_view_wrap_const(&bad, "bad", stn_storage_of(STN_F64), z, 1, &m), 0);
    assert_int_not_equal(stn_gemvt(exec, STN_F64, 1.0, &va, &vx, 1.0, &vy, &bad), STN_OK);
    assert_true(y[0] == 1.0 && z[0] == 1.0);
    stn_exec_release(exec);
}

RUN_TESTS(NULL, NULL,
          cmocka_unit_test_setup_teardown(test_bits, order_use_odd_modes, order_use_plain_modes),
          cmocka_unit_test_setup_teardown(test_columns, order_use_odd_modes, order_use_plain_modes),
          UNIT(test_x_becomes_z), UNIT(test_refuses))
