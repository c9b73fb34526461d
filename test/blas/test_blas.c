/* stn_gemv and stn_axpy give the bits of order_oracle.c for every format, layout, factor, executor
 * and instruction set, and touch nothing but y. test_levels_matrix has all functions in small. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/openmp.h"
#include "check.h"
#include "order_oracle.h"
#include "steno/blas.h"

static const stn_format arithmetics[] = {STN_F64, STN_F32};

/* 0.7 is rounded to f32 first, down to nearest; the huge one overflows there. */
static const double factors[] = {1.0, 0.0, -0.5, 0.7, 1.0, -1.0, 1e39, 0x1p-130};
enum { FACTORS = COUNT_OF(factors) };

static double any_factor(uint64_t *state)
{
    return factors[order_next(state) % FACTORS];
}

static order_kind any_kind(uint64_t *state)
{
    const uint64_t random = order_next(state);
    return random % 4 ? ORDER_MIXED : (order_kind)(random / 4 % ORDER_KINDS);
}

/* Any real format, the arithmetic type half of the time. */
static stn_format any_format(stn_format arithmetic, uint64_t *state)
{
    const uint64_t random = order_next(state);
    const stn_format format = (stn_format)(random / 2 % STN_BUILTIN_FORMATS);
    return random % 2 == 0 || !order_is_real(format) ? arithmetic : format;
}

/* alpha * sum + beta * y as it is stored at element `index` of y. */
static uint64_t expected_code(stn_format arithmetic, const order_array *y, int64_t index,
                              double alpha, double sum, double beta, int64_t *saturated)
{
    unsigned events = 0;
    const double factor = order_round(arithmetic, alpha);
    const double product = alpha == 1.0 ? sum : order_multiply(arithmetic, factor, sum);
    double value = factor == 0.0 ? 0.0 : product;
    if (beta != 0.0) {
        const double old = order_decode(arithmetic, &y->storage, order_code(y, index, 0));
        const double kept = order_multiply(arithmetic, order_round(arithmetic, beta), old);
        if (factor == 0.0 && order_same(kept, old)) /* nothing is stored */
            return order_code(y, index, 0);
        value = factor == 0.0 ? kept : order_add(arithmetic, product, kept);
    }
    const uint64_t code = order_encode(arithmetic, &y->storage, value, index, &events);
    *saturated += (events & STN_EVENT_SATURATED) != 0;
    return code;
}

/* ---- one call ---- */

/* gemv, or axpy of vectors x and y, which may be the same. */
typedef struct blas_case {
    int is_axpy, is_same;
    stn_format arithmetic;
    double alpha, beta;
    order_array a, x, y;
} blas_case;

static uint8_t *expect_gemv(blas_case *c, int64_t *saturated)
{
    double *const a = order_values(c->arithmetic, &c->a), *const x =
                                                              order_values(c->arithmetic, &c->x);
    uint8_t *const image = order_image(&c->y);
    const int64_t columns = c->a.extent[1];
    for (int64_t i = 0; i < c->a.extent[0]; i++) {
        const double sum = order_dot(c->arithmetic, a + i * columns, x, columns);
        order_put(&c->y, image, i, 0,
                  expected_code(c->arithmetic, &c->y, i, c->alpha, sum, c->beta, saturated));
    }
    free(a);
    free(x);
    return image;
}

static uint8_t *expect_axpy(blas_case *c, int64_t *saturated)
{
    const double alpha = order_round(c->arithmetic, c->alpha);
    double *const x = order_values(c->arithmetic, c->is_same ? &c->y : &c->x),
                  *const y = order_values(c->arithmetic, &c->y);
    uint8_t *const image = order_image(&c->y);
    for (int64_t i = 0; i < c->y.extent[0] && alpha != 0.0; i++) {
        unsigned events = 0;
        const double value =
            order_add(c->arithmetic, order_multiply(c->arithmetic, alpha, x[i]), y[i]);
        order_put(&c->y, image, i, 0,
                  order_encode(c->arithmetic, &c->y.storage, value, i, &events));
        *saturated += (events & STN_EVENT_SATURATED) != 0;
    }
    free(x);
    free(y);
    return image;
}

static const char *label_of(const blas_case *c, int setting)
{
    static char label[700];
    (void)snprintf(label, sizeof label, "%s in %s, %s, alpha %g beta %g, A %s, x %s%s, y %s",
                   c->is_axpy ? "axpy" : "gemv", oracle_formats[c->arithmetic].name,
                   order_setting_name(setting), c->alpha, c->beta,
                   c->is_axpy ? "" : order_describe(&c->a).text,
                   c->is_same ? "(the same as y) " : "", order_describe(&c->x).text,
                   order_describe(&c->y).text);
    return label;
}

/* Releases the operands. */
static void check(blas_case *c, int is_counted)
{
    static int number;
    int64_t saturated = 0;
    uint8_t *const expected = c->is_axpy ? expect_axpy(c, &saturated) : expect_gemv(c, &saturated);
    uint8_t *const before = order_image(&c->y);
    number++;
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!order_has_turn(setting, number))
            continue;
        const stn_exec *const exec = order_use(setting);
        stn_counters counters = {0, 0, 0};
        stn_view a;
        c->y.storage.counters = is_counted ? &counters : NULL;
        const stn_view y = order_view(&c->y, "y"), x = c->is_same ? y : order_view(&c->x, "x");
        if (!c->is_axpy)
            a = order_view(&c->a, "A");
        memcpy(c->y.memory, before, (size_t)c->y.bytes);
        const order_modes saved = order_begin();
        const stn_status status =
            c->is_axpy ? stn_axpy(exec, c->arithmetic, c->alpha, &x, &y)
                       : stn_gemv(exec, c->arithmetic, c->alpha, &a, &x, c->beta, &y);
        const char *const label = label_of(c, setting);
        order_end(status, saved, label);
        order_check(&c->y, expected, label);
        if (is_counted && counters.saturated != saturated)
            fail_msg("%s: counted %" PRId64 ", not %" PRId64, label, counters.saturated, saturated);
    }
    free(expected);
    free(before);
    order_drop(&c->x);
    order_drop(&c->y);
    if (!c->is_axpy)
        order_drop(&c->a);
}

/* ---- gemv ---- */

/* Strides of an m x n matrix, in ways that name each element once, or repeat rows or columns. */
enum { LAYOUTS = 9 };
static void layout(int which, int64_t m, int64_t n, int64_t stride[2])
{
    const int64_t table[LAYOUTS][2] = {{n, 1},      {n + 3, 1},        {1, m},
                                       {1, m + 5},  {-(n + 1), 1},     {n + 2, -1},
                                       {-2 * n, 2}, {2 * (m + 1), -2}, {0, 1}};
    stride[0] = table[which][0];
    stride[1] = table[which][1];
    if (which == 7) { /* every other column of rows side by side */
        stride[0] = 2;
        stride[1] = -2 * (m + 1);
    }
}

static blas_case make_gemv(stn_format arithmetic, stn_storage a, int64_t m, int64_t n, int which,
                           uint64_t *state)
{
    static const int64_t strides[] = {1, 1, 2, -1, -3};
    const int64_t extent[2] = {m, n};
    int64_t stride[2];
    layout(which, m, n, stride);
    blas_case c = {.arithmetic = arithmetic, .alpha = any_factor(state), .beta = any_factor(state)};
    c.a = order_make(a, 2, extent, stride, any_kind(state), order_next(state));
    c.x = order_make_vector(order_storage(arithmetic, any_format(arithmetic, state), state), n,
                            order_pick(state, strides, 5), any_kind(state), order_next(state));
    c.y = order_make_vector(order_target(arithmetic, any_format(arithmetic, state), state), m,
                            order_pick(state, strides, 5), ORDER_MIXED, order_next(state));
    if (c.beta == 0.0) /* y is not read: NaN in most formats */
        memset(c.y.memory, 0xff, (size_t)c.y.bytes);
    return c;
}

static const int64_t shapes[][2] = {{3, 5},     {1, 1},     {129, 257}, {1, 1000}, {1000, 1},
                                    {1000, 37}, {8, 10007}, {17, 128},  {9, 1030}, {1, 100003},
                                    {0, 4},     {4, 0},     {0, 0},     {2, 3000}};
enum { SHAPES = COUNT_OF(shapes) };

static void check_shape(stn_format arithmetic, stn_format format, const int64_t *shape, int cases,
                        uint64_t *state)
{
    for (int k = 0; k < cases; k++) {
        const stn_storage plain = stn_storage_of(format);
        const int which = k == 0 ? 0 : (int)(order_next(state) % LAYOUTS);
        blas_case c =
            make_gemv(arithmetic, k == 0 ? plain : order_storage(arithmetic, format, state),
                      shape[0], shape[1], which, state);
        check(&c, k == 1);
    }
}

UNIT_TEST(test_gemv)
{
    uint64_t state = 1;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int s = 0; s < SHAPES && order_is_real(format); s++) {
            const int large = shapes[s][0] * shapes[s][1] > 20000;
            if (oracle_quick() && large && (format + s) % 5 != 0)
                continue;
            for (int a = 0; a < 2; a++)
                check_shape(arithmetics[a], format, shapes[s],
                            large ? oracle_count(1, 1, 3) : oracle_count(1, 4, 12), &state);
        }
}

/* Each pair of alpha and beta, in small. */
UNIT_TEST(test_gemv_factors)
{
    uint64_t state = 2;
    for (int f = 0; f < FACTORS * FACTORS * 2; f++) {
        const stn_format arithmetic = arithmetics[f % 2];
        blas_case c = make_gemv(arithmetic, stn_storage_of(any_format(arithmetic, &state)), 13, 150,
                                f % LAYOUTS, &state);
        c.alpha = factors[f / 2 / FACTORS];
        c.beta = factors[f / 2 % FACTORS];
        check(&c, 0);
    }
}

/* ---- axpy ---- */

/* 0: onto values; 1: onto codes of the same format, both without scales. */
static void try_axpy(stn_format arithmetic, stn_format x, int64_t count, int k, uint64_t *state)
{
    static const int64_t strides[] = {1, 1, 2, -1, -3};
    const stn_format y = k % 4 == 0 ? arithmetic : k == 1 ? x : any_format(arithmetic, state);
    blas_case c = {
        .is_axpy = 1, .arithmetic = arithmetic, .alpha = any_factor(state), .is_same = k % 5 == 4};
    c.x = order_make_vector(k < 2 ? stn_storage_of(x) : order_storage(arithmetic, x, state), count,
                            k < 4 ? 1 : order_pick(state, strides, 5), any_kind(state),
                            order_next(state));
    c.y = order_make_vector(
        k % 4 == 0 || k == 1 ? stn_storage_of(y) : order_target(arithmetic, y, state), count,
        k < 4 ? 1 : order_pick(state, strides, 5), any_kind(state), order_next(state));
    check(&c, k % 7 == 2);
}

UNIT_TEST(test_axpy)
{
    static const int64_t sizes[] = {0,   1,   2,    31,  32,   33,   127,   128,
                                    129, 511, 1000, 517, 2049, 4113, 20011, 100003};
    uint64_t state = 3;
    for (stn_format x = 0; x < STN_BUILTIN_FORMATS; x++)
        for (int s = 0; s < 16 && order_is_real(x); s++) {
            const int cases = oracle_quick() ? (sizes[s] > 5000 ? 0 : 2) : sizes[s] > 5000 ? 2 : 15;
            for (int k = 0; k < cases; k++)
                try_axpy(arithmetics[k / 2 % 2], x, sizes[s], k, &state);
        }
}

/* ---- modes and threads ---- */

static void check_some_gemv(void)
{
    uint64_t state = 4;
    for (int k = 0; k < (oracle_quick() ? 40 : 200); k++) {
        const int64_t *shape = shapes[k % SHAPES];
        const stn_format arithmetic = arithmetics[k / 2 % 2];
        if (shape[0] * shape[1] <= (k < 40 ? 50000 : 20000))
            check_shape(arithmetic, any_format(arithmetic, &state), shape, 1 + k % 2, &state);
    }
}

static void check_some_axpy(void)
{
    uint64_t state = 6;
    for (int k = 0; k < (oracle_quick() ? 80 : 400); k++) {
        const stn_format arithmetic = arithmetics[k / 2 % 2];
        try_axpy(arithmetic, any_format(arithmetic, &state), 200 + k, k % 20, &state);
    }
}

UNIT_TEST(test_fewer_threads_than_asked)
{
    const int dynamic = omp_get_dynamic(), levels = omp_get_max_active_levels();
    omp_set_dynamic(1);
    omp_set_max_active_levels(0);
    check_some_gemv();
    check_some_axpy();
    omp_set_max_active_levels(levels);
    omp_set_dynamic(dynamic);
}

UNIT_TEST_WITH(test_odd_modes, order_use_odd_modes, order_use_plain_modes)
{
    check_some_gemv();
    check_some_axpy();
}

RUN_UNIT_TESTS(NULL, order_teardown)
