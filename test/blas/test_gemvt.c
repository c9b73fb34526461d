/* stn_gemvt, and stn_gemv with the same matrix and its transpose, give the bits of order_oracle.c:
 * y = alpha A' x + beta y and z = A y, for every real format, executor and instruction set, plain,
 * with any storage and strides, and with a scale for each block of neighbors. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "make_view.h"
#include "order_oracle.h"
#include "steno/blas.h"

/* Blocks of 32 whose scales are stored like the codes have loops of their own; other blocks, whose
 * rows of scales have gaps, or that are f64, or of 50, are decoded. */
typedef enum scaling { PLAIN, ANY, BLOCKS, BLOCKS_WITH_GAPS, BLOCKS_OF_F64, BLOCKS_OF_50 } scaling;
static const scaling scalings[] = {PLAIN,         PLAIN,       PLAIN, ANY, BLOCKS, BLOCKS_WITH_GAPS,
                                   BLOCKS_OF_F64, BLOCKS_OF_50};

typedef struct gemvt_case {
    stn_format arithmetic;
    scaling scaling;
    double alpha, beta;
    order_array a, x, y, z;
    stn_scales scales;
    double *values; /* of a */
} gemvt_case;

static double scale_of(const gemvt_case *it, int64_t i, int64_t j)
{
    const int64_t at = i * it->scales.stride[0] + j / it->scales.block;
    return it->scales.format == STN_F32 ? (double)((const float *)it->scales.data)[at]
                                        : ((const double *)it->scales.data)[at];
}

static void add_scales(gemvt_case *it, uint64_t *state)
{
    const int64_t m = it->a.extent[0], n = it->a.extent[1];
    const int64_t row = it->a.stride[0] / 32 + (it->scaling == BLOCKS_WITH_GAPS);
    const int is_wide = it->scaling == BLOCKS_OF_F64;
    it->scales = (stn_scales){.data = malloc((size_t)(m * row) * sizeof(double)),
                              .format = is_wide ? STN_F64 : STN_F32,
                              .dimension = 1,
                              .block = it->scaling == BLOCKS_OF_50 ? 50 : 32,
                              .stride = {row, 1}};
    assert_non_null(it->scales.data);
    for (int64_t k = 0; k < m * row; k++) {
        const double scale = (double)(1 + order_next(state) % 1000) / 64.0 *
                             (order_next(state) % 5 == 0 ? -0x1p-9 : 1.0);
        if (is_wide)
            ((double *)it->scales.data)[k] = scale;
        else
            ((float *)it->scales.data)[k] = (float)scale;
    }
    for (int64_t k = 0; k < m * n; k++)
        it->values[k] = order_multiply(it->arithmetic, it->values[k],
                                       order_round(it->arithmetic, scale_of(it, k / n, k % n)));
}

static gemvt_case make(stn_format format, int number, uint64_t *state)
{
    static const double alphas[] = {-1.0, 1.0, 0.7, 0.0}, betas[] = {1.0, 0.0, -0.3};
    static const int64_t heights[] = {1, 3, 33, 50, 128, 129, 200},
                         widths[] = {1, 127, 129, 256, 300, 1024, 1025, 3000, 5000};
    gemvt_case it = {.arithmetic = number / COUNT_OF(scalings) % 2 ? STN_F32 : STN_F64,
                     .scaling = scalings[number % COUNT_OF(scalings)]};
    const int64_t m = order_pick(state, heights, COUNT_OF(heights)),
                  n = order_pick(state, widths, COUNT_OF(widths) - (oracle_quick() > 0)),
                  extent[] = {m, n};
    const int64_t of_blocks[] = {(n + 31) / 32 * 32 + 64, 1}, by_rows[] = {n + 5, 1},
                  by_columns[] = {1, m + 1};
    const stn_storage vector = stn_storage_of(it.arithmetic),
                      storage = it.scaling == ANY ? order_storage(it.arithmetic, format, state)
                                                  : stn_storage_of(format);
    const int is_fixed = it.scaling >= BLOCKS; /* as in Gram-Schmidt */
    it.alpha = is_fixed ? -1.0 : alphas[order_next(state) % 4];
    it.beta = is_fixed ? 1.0 : betas[order_next(state) % 3];
    it.a = order_make(storage, 2, extent,
                      it.scaling >= BLOCKS                              ? of_blocks
                      : it.scaling == ANY && order_next(state) % 2 == 0 ? by_columns
                                                                        : by_rows,
                      ORDER_MIXED, order_next(state));
    it.x = order_make_vector(vector, m, 1, ORDER_MIXED, order_next(state));
    it.y = order_make_vector(vector, n, it.scaling == ANY ? 2 : 1, ORDER_MIXED, order_next(state));
    it.z = order_make_vector(vector, m, 1, ORDER_MIXED, order_next(state));
    it.values = order_values(it.arithmetic, &it.a);
    if (it.scaling >= BLOCKS)
        add_scales(&it, state);
    return it;
}

static void drop(gemvt_case *it)
{
    free(it->values);
    free(it->scales.data);
    order_drop(&it->a);
    order_drop(&it->x);
    order_drop(&it->y);
    order_drop(&it->z);
}

static double update(const gemvt_case *it, double alpha, double sum, double beta, double y)
{
    const stn_format t = it->arithmetic;
    const double product = alpha == 1.0   ? sum
                           : alpha == 0.0 ? 0.0
                                          : order_multiply(t, order_round(t, alpha), sum);
    return beta == 0.0 ? product
                       : order_add(t, product, order_multiply(t, order_round(t, beta), y));
}

/* The memory of `to` with alpha times the products of A, or A', with x added to beta times it; the
 * values become those. */
static uint8_t *expect(gemvt_case *it, order_array *to, double *values, int is_transposed,
                       const double *x, double alpha, double beta)
{
    const int64_t m = it->a.extent[0], n = it->a.extent[1], terms = is_transposed ? m : n;
    uint8_t *const image = order_image(to);
    double *const row = malloc((size_t)terms * sizeof *row);
    unsigned events = 0;
    assert_non_null(row);
    for (int64_t k = 0; k < to->extent[0]; k++) {
        for (int64_t e = 0; e < terms; e++)
            row[e] = it->values[is_transposed ? e * n + k : k * n + e];
        values[k] = update(it, alpha, order_dot(it->arithmetic, row, x, terms), beta, values[k]);
        order_put(to, image, k, 0,
                  order_encode(it->arithmetic, &to->storage, values[k], k, &events));
    }
    free(row);
    return image;
}

/* gemvt; gemv with A, of the old y; gemv with the transpose. */
static void check(gemvt_case *it, int number)
{
    static const int transposed[] = {1, 0};
    double *const x = order_values(it->arithmetic, &it->x),
                  *const y = order_values(it->arithmetic, &it->y),
                  *const z = order_values(it->arithmetic, &it->z);
    uint8_t *const y_before = order_image(&it->y), *const z_before = order_image(&it->z);
    uint8_t *const z_of_old = expect(it, &it->z, z, 0, y, it->alpha, it->beta);
    uint8_t *const y_after = expect(it, &it->y, y, 1, x, it->alpha, it->beta);
    uint8_t *const z_after = expect(it, &it->z, z, 0, y, 1.0, 0.0);
    stn_view a = order_view(&it->a, "a"), columns;
    const stn_view vx = order_view(&it->x, "x"), vy = order_view(&it->y, "y"),
                   vz = order_view(&it->z, "z");
    if (it->scales.data)
        expect_ok(stn_view_set_scales(&a, &it->scales));
    expect_ok(stn_view_permute(&columns, &a, 2, transposed));
    for (int k = 0; k < 3 * order_settings(); k++) {
        const int call = k % 3, setting = k / 3;
        char what[400];
        if (!order_has_turn(setting, number))
            continue;
        const stn_exec *const exec = order_use(setting);
        const stn_format t = it->arithmetic;
        snprintf(what, sizeof what, "%s: call %d, %s, scaling %d, alpha %g beta %g, arithmetic %d",
                 order_setting_name(setting), call, order_describe(&it->a).text, (int)it->scaling,
                 it->alpha, it->beta, (int)t);
        memcpy(it->y.memory, y_before, (size_t)it->y.bytes);
        memcpy(it->z.memory, z_before, (size_t)it->z.bytes);
        const order_modes modes = order_begin();
        order_end(call == 0   ? stn_gemvt(exec, t, it->alpha, &a, &vx, it->beta, &vy, &vz)
                  : call == 1 ? stn_gemv(exec, t, it->alpha, &a, &vy, it->beta, &vz)
                              : stn_gemv(exec, t, it->alpha, &columns, &vx, it->beta, &vy),
                  modes, what);
        order_check(&it->y, call == 1 ? y_before : y_after, what);
        order_check(&it->z, call == 0 ? z_after : call == 1 ? z_of_old : z_before, what);
    }
    free(x);
    free(y);
    free(z);
    free(y_before);
    free(z_before);
    free(z_of_old);
    free(y_after);
    free(z_after);
}

UNIT_TEST_WITH(test_bits, order_use_odd_modes, order_use_plain_modes)
{
    uint64_t state = 11;
    const int rounds = oracle_full() ? 80 : oracle_quick() ? 8 : 16;
    int number = 0;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int k = 0; k < rounds && order_is_real(format); k++, number++) {
            gemvt_case it = make(format, number, &state);
            check(&it, number);
            drop(&it);
        }
}

/* z may be x. */
UNIT_TEST(test_x_becomes_z)
{
    enum { M = 20, N = 1000 };
    const int64_t extents[] = {M, N};
    static double a[M * N], x[M], y[N], z[M];
    const stn_view va = wrap_view("a", f64(), a, 2, extents),
                   vx = wrap_view("x", f64(), x, 1, extents),
                   vy = wrap_view("y", f64(), y, 1, &extents[1]),
                   vz = wrap_view("z", f64(), z, 1, extents);
    for (int k = 0; k < M * N; k++)
        a[k] = (k % 17 - 8) / 7.0;
    for (int is_same = 0; is_same < 2; is_same++) {
        for (int k = 0; k < N; k++)
            y[k] = k / 3.0;
        for (int k = 0; k < M; k++)
            (is_same ? z : x)[k] = 0.1 * k;
        expect_ok(stn_gemvt(order_use(order_settings() - 2), STN_F64, -1.0, &va,
                            is_same ? &vz : &vx, 1.0, &vy, is_same ? &vz : &vx));
    }
    assert_memory_equal(x, z, sizeof x);
}

RUN_UNIT_TESTS(NULL, order_teardown)
