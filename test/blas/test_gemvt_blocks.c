/* stn_gemvt and stn_gemv of few long rows, or columns, under a scale for each block of neighbours
 * give the bits of order_oracle.c on every executor and instruction set: blocks of 32 that lie as
 * codes do, which have loops of their own, and all others, which are read into panels. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "order_oracle.h"
#include "steno/blas.h"

static const int64_t heights[] = {1, 3, 33, 50, 128}, widths[] = {129, 256, 300, 1025, 5000};

/* How scales lie: as the loops want them; rows of another stride; f64; blocks of 50. */
typedef enum way { AS_CODES, ROWS_APART, WIDE_SCALES, OTHER_BLOCKS, WAYS } way;

typedef struct block_case {
    stn_format arithmetic;
    order_array a, x, y, z;
    stn_scales scales;
    double *values; /* of a */
} block_case;

static double scale_of(const block_case *it, int64_t i, int64_t j)
{
    const int64_t at = i * it->scales.stride[0] + j / it->scales.block;
    return it->scales.format == STN_F32 ? (double)((const float *)it->scales.data)[at]
                                        : ((const double *)it->scales.data)[at];
}

static void add_scales(block_case *it, way how, uint64_t *state)
{
    const int64_t rows = it->a.extent[0], block = how == OTHER_BLOCKS ? 50 : 32;
    const int64_t row = it->a.stride[0] / 32 + (how == ROWS_APART);
    it->scales = (stn_scales){.format = how == WIDE_SCALES ? STN_F64 : STN_F32,
                              .dimension = 1,
                              .block = block,
                              .stride = {row, 1}};
    it->scales.data = malloc((size_t)(rows * row) * sizeof(double));
    assert_non_null(it->scales.data);
    for (int64_t k = 0; k < rows * row; k++) {
        const double scale = (double)(1 + order_next(state) % 1000) / 64.0 *
                             (order_next(state) % 5 == 0 ? -0x1p-9 : 1.0);
        if (how == WIDE_SCALES)
            ((double *)it->scales.data)[k] = scale;
        else
            ((float *)it->scales.data)[k] = (float)scale;
    }
}

static block_case make(stn_format format, int number, uint64_t *state)
{
    const stn_format arithmetic = number / WAYS % 2 ? STN_F32 : STN_F64;
    const int64_t rows = order_pick(state, heights, 5), columns = order_pick(state, widths, 5);
    const int64_t extent[] = {rows, columns}, stride[] = {(columns + 31) / 32 * 32 + 64, 1};
    const stn_storage vector = stn_storage_of(arithmetic);
    block_case it = {
        .arithmetic = arithmetic,
        .a = order_make(stn_storage_of(format), 2, extent, stride, ORDER_MIXED, order_next(state)),
        .x = order_make_vector(vector, rows, 1, ORDER_MIXED, order_next(state)),
        .y = order_make_vector(vector, columns, 1, ORDER_MIXED, order_next(state)),
        .z = order_make_vector(vector, rows, 1, ORDER_MIXED, order_next(state))};
    add_scales(&it, (way)(number % WAYS), state);
    it.values = order_values(arithmetic, &it.a);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            it.values[i * columns + j] =
                order_multiply(arithmetic, it.values[i * columns + j],
                               order_round(arithmetic, scale_of(&it, i, j)));
    return it;
}

static void drop(block_case *it)
{
    free(it->values);
    free(it->scales.data);
    order_drop(&it->a);
    order_drop(&it->x);
    order_drop(&it->y);
    order_drop(&it->z);
}

static double *put(block_case *it, order_array *to, uint8_t *image, double *sums)
{
    unsigned events = 0;
    for (int64_t k = 0; k < to->extent[0]; k++) {
        const uint64_t code = order_encode(it->arithmetic, &to->storage, sums[k], k, &events);
        order_put(to, image, k, 0, code);
    }
    return sums;
}

/* y - A' x, and A y of a y. */
static double *subtract(const block_case *it)
{
    const int64_t m = it->a.extent[0], n = it->a.extent[1];
    double *const x = order_values(it->arithmetic, &it->x);
    double *const y = order_values(it->arithmetic, &it->y);
    double *const column = malloc((size_t)m * sizeof *column);
    assert_non_null(column);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < m; i++)
            column[i] = it->values[i * n + j];
        y[j] = order_add(it->arithmetic, y[j], -order_dot(it->arithmetic, column, x, m));
    }
    free(column);
    free(x);
    return y;
}

static double *multiply(const block_case *it, const double *y)
{
    const int64_t m = it->a.extent[0], n = it->a.extent[1];
    double *const z = malloc((size_t)m * sizeof *z);
    assert_non_null(z);
    for (int64_t i = 0; i < m; i++)
        z[i] = order_dot(it->arithmetic, it->values + i * n, y, n);
    return z;
}

/* gemvt; and gemv with A, and with its transpose. */
static void check(block_case *it, const char *name, int number)
{
    static const int turned[] = {1, 0};
    uint8_t *const before[] = {order_image(&it->y), order_image(&it->z)};
    uint8_t *const y_image = order_image(&it->y), *const z_image = order_image(&it->z);
    uint8_t *const first_image = order_image(&it->z);
    double *const old = order_values(it->arithmetic, &it->y);
    free(put(it, &it->z, first_image, multiply(it, old)));
    double *const y_sums = put(it, &it->y, y_image, subtract(it));
    free(put(it, &it->z, z_image, multiply(it, y_sums)));
    stn_view a = order_view(&it->a, "a"), columns;
    const stn_view x = order_view(&it->x, "x"), y = order_view(&it->y, "y");
    const stn_view z = order_view(&it->z, "z");
    assert_int_equal(stn_view_set_scales(&a, &it->scales), STN_OK);
    assert_int_equal(stn_view_permute(&columns, &a, 2, turned), STN_OK);
    for (int setting = 0; setting < order_settings(); setting++) {
        char what[300];
        if (!order_has_turn(setting, number))
            continue;
        const stn_exec *const exec = order_use(setting);
        snprintf(what, sizeof what, "%s: %s, scales %d, arithmetic %d", order_setting_name(setting),
                 name, number % WAYS, (int)it->arithmetic);
        for (int call = 0; call < 3; call++) {
            memcpy(it->y.memory, before[0], (size_t)it->y.bytes);
            memcpy(it->z.memory, before[1], (size_t)it->z.bytes);
            const order_modes modes = order_begin();
            order_end(call == 0   ? stn_gemvt(exec, it->arithmetic, -1.0, &a, &x, 1.0, &y, &z)
                      : call == 1 ? stn_gemv(exec, it->arithmetic, 1.0, &a, &y, 0.0, &z)
                                  : stn_gemv(exec, it->arithmetic, -1.0, &columns, &x, 1.0, &y),
                      modes, what);
            order_check(&it->y, call == 1 ? before[0] : y_image, what);
            order_check(&it->z, call == 0 ? z_image : call == 1 ? first_image : before[1], what);
        }
    }
    free(y_sums);
    free(old);
    free(before[0]);
    free(before[1]);
    free(y_image);
    free(z_image);
    free(first_image);
}

TEST_CASE(test_bits)
{
    uint64_t state = 21;
    const int each = getenv("STENO_TEST_FULL") ? 40 : oracle_quick() ? 4 : 8;
    int number = 0;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < each && order_is_real(format); k++, number++) {
            block_case it = make(format, number, &state);
            check(&it, order_describe(&it.a).text, number);
            drop(&it);
        }
    order_release_executors();
}

/* A scale of 0 anywhere is refused, and nothing is written. */
TEST_CASE(test_refuses)
{
    enum { M = 4, N = 256, ROW = N / 32 };
    const int64_t extents[] = {M, N}, m = M, n = N;
    int8_t a[M * N] = {1};
    float scales[M * ROW];
    double x[M] = {1.0}, y[N] = {1.0}, z[M] = {1.0};
    stn_view va, vx, vy, vz;
    stn_exec *exec;
    assert_int_equal(stn_exec_create(&exec, "openmp"), STN_OK);
    const stn_scales blocks = {
        .data = scales, .format = STN_F32, .dimension = 1, .block = 32, .stride = {ROW, 1}};
    assert_int_equal(stn_view_wrap(&va, "a", stn_storage_of(STN_I8), a, 2, extents), 0);
    assert_int_equal(stn_view_set_scales(&va, &blocks), STN_OK);
    assert_int_equal(stn_view_wrap(&vx, "x", stn_storage_of(STN_F64), x, 1, &m), 0);
    assert_int_equal(stn_view_wrap(&vy, "y", stn_storage_of(STN_F64), y, 1, &n), 0);
    assert_int_equal(stn_view_wrap(&vz, "z", stn_storage_of(STN_F64), z, 1, &m), 0);
    for (int bad = 0; bad < M * ROW; bad++) {
        for (int k = 0; k < M * ROW; k++)
            scales[k] = k == bad ? 0.0f : 1.0f;
        assert_int_equal(stn_gemvt(exec, STN_F64, -1.0, &va, &vx, 1.0, &vy, &vz), STN_ERR_ARGUMENT);
        assert_int_equal(stn_gemv(exec, STN_F64, -1.0, &va, &vy, 1.0, &vz), STN_ERR_ARGUMENT);
    }
    assert_true(y[0] == 1.0 && y[1] == 0.0 && z[0] == 1.0 && z[1] == 0.0);
    stn_exec_release(exec);
}

RUN_TESTS(NULL, NULL,
          cmocka_unit_test_setup_teardown(test_bits, order_use_odd_modes, order_use_plain_modes),
          UNIT(test_refuses))
