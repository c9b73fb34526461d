/* symv and trmv of matrices of several tiles give the bits of sums of rows, element by element;
 * nothing is taken from the triangle that is not theirs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "order_oracle.h"
#include "steno/blas.h"
#include "check.h"

enum { LAYOUTS = 5 };

typedef struct product {
    stn_format arithmetic, format; /* of the matrix */
    int64_t n;
    int layout, is_upper, is_symmetric, has_units;
    order_kind kind;
} product;

static int is_stored(const product *p, int64_t i, int64_t j)
{
    return p->is_upper ? j >= i : j <= i;
}

/* The element of the matrix that is meant, from all that are stored; absent ones are -0 times +0.
 */
static void take_element(const product *p, const double *a, const double *x, int64_t i, int64_t j,
                         double *left, double *right)
{
    const int is_there = p->is_symmetric || is_stored(p, i, j);
    const double stored = is_stored(p, i, j) ? a[i * p->n + j] : a[j * p->n + i];
    *left = i == j && p->has_units ? 1.0 : is_there ? stored : -0.0;
    *right = is_there ? x[j] : 0.0;
}

static double *expect(const product *p, const double *a, const double *x, const double *y,
                      double alpha, double beta)
{
    double *const expected = calloc((size_t)p->n, sizeof *expected),
                  *const left = calloc((size_t)p->n, sizeof *left),
                  *const right = calloc((size_t)p->n, sizeof *right);
    assert_true(expected && left && right);
    for (int64_t i = 0; i < p->n; i++) {
        for (int64_t j = 0; j < p->n; j++)
            take_element(p, a, x, i, j, &left[j], &right[j]);
        expected[i] = order_dot(p->arithmetic, left, right, p->n);
        if (p->is_symmetric)
            expected[i] =
                order_add(p->arithmetic, order_multiply(p->arithmetic, alpha, expected[i]),
                          order_multiply(p->arithmetic, beta, y[i]));
    }
    free(left);
    free(right);
    return expected;
}

/* Rows, columns, either at a distance that is no multiple of a line, and elements apart. */
static order_array make_matrix(const product *p, uint64_t *state)
{
    const int64_t n = p->n, extents[] = {n, n};
    const int64_t strides[LAYOUTS][2] = {{n, 1}, {1, n}, {-n - 3, 1}, {1, n + 3}, {2 * n + 1, 2}};
    const stn_storage storage = p->format == p->arithmetic
                                    ? stn_storage_of(p->format)
                                    : order_storage(p->arithmetic, p->format, state);
    return order_make(storage, 2, extents, strides[p->layout], p->kind, order_next(state));
}

/* What is not of the triangle, or is on its diagonal of ones, becomes NaN where the format has it.
 */
static void spoil(const product *p, order_array *a)
{
    unsigned events = 0;
    if (oracle_formats[a->storage.format].kind != ORACLE_FLOAT)
        return;
    const uint64_t code = order_encode(p->arithmetic, &a->storage, (double)NAN, 0, &events);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j < p->n; j++)
            if (!is_stored(p, i, j) || (i == j && p->has_units))
                order_put(a, a->memory, i, j, code);
}

static stn_status run(const product *p, const stn_exec *exec, double alpha, const stn_view *a,
                      const stn_view *x, double beta, const stn_view *y)
{
    const stn_triangle triangle = p->is_upper ? STN_UPPER : STN_LOWER;
    return p->is_symmetric ? stn_symv(exec, p->arithmetic, triangle, alpha, a, x, beta, y)
                           : stn_trmv(exec, p->arithmetic, triangle,
                                      p->has_units ? STN_DIAGONAL_UNIT : STN_DIAGONAL_NON_UNIT,
                                      STN_NO_CONJUGATE, a, x);
}

static void check_product(const product *p, int number)
{
    static const double alpha = -1.5, beta = 0.375;
    const stn_storage values = stn_storage_of(p->arithmetic);
    uint64_t state = (uint64_t)number;
    char words[400];
    order_array a = make_matrix(p, &state);
    order_array x = order_make_vector(values, p->n, 1, p->kind, order_next(&state));
    order_array y = order_make_vector(values, p->n, 1, ORDER_MIXED, order_next(&state));
    double *const all = order_values(p->arithmetic, &a),
                  *const by = order_values(p->arithmetic, &x),
                  *const old = order_values(p->arithmetic, &y);
    double *const expected = expect(p, all, by, old, alpha, beta);
    order_array *const result = p->is_symmetric ? &y : &x;
    uint8_t *const before = order_image(result);
    spoil(p, &a);
    const stn_view matrix = order_view(&a, "A"), vector = order_view(&x, "x"),
                   to = order_view(&y, "y");
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!order_has_turn(setting, number))
            continue;
        (void)snprintf(words, sizeof words, "%s of %d, %s, %s%s, of kind %d, in %s on %s",
                       p->is_symmetric ? "symv" : "trmv", (int)p->n, order_describe(&a).text,
                       p->is_upper ? "upper" : "lower", p->has_units ? " with ones" : "",
                       (int)p->kind, oracle_formats[p->arithmetic].name,
                       order_setting_name(setting));
        memcpy(result->memory, before, (size_t)result->bytes);
        expect_ok_for(run(p, order_use(setting), alpha, &matrix, &vector, beta, &to), words);
        double *const found = order_values(p->arithmetic, result);
        for (int64_t i = 0; i < p->n; i++)
            if (!order_same(found[i], expected[i]))
                fail_msg("%s: element %d is %a, not %a", words, (int)i, found[i], expected[i]);
        free(found);
    }
    order_drop(&a);
    order_drop(&x);
    order_drop(&y);
    free(all);
    free(by);
    free(old);
    free(expected);
    free(before);
}

/* Sizes about those that tiles, lanes and strips end at; every way of one size or another. */
TEST_CASE(test_products)
{
    static const int64_t sizes[] = {1,   5,   8,   9,   31,  33,  40,  64,  97, 127,
                                    128, 129, 140, 255, 256, 257, 385, 511, 513};
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_I8, STN_E4M3};
    const int ways = oracle_full() ? 2 * LAYOUTS * 8 : 8, step = oracle_full() ? 1 : 11;
    int number = 0;
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
        for (int way = 0; way < ways / (sizes[s] > 300 ? 2 : 1); way++, number += step) {
            const int is_symmetric = number / 2 / LAYOUTS / 2 % 2;
            const product p = {.arithmetic = number % 2 ? STN_F32 : STN_F64,
                               .format = way % 2      ? formats[number / 2 % 5]
                                         : number % 2 ? STN_F32
                                                      : STN_F64,
                               .n = sizes[s],
                               .layout = number / 2 % LAYOUTS,
                               .is_upper = number / 2 / LAYOUTS % 2,
                               .is_symmetric = is_symmetric,
                               .has_units = !is_symmetric && number / 2 / LAYOUTS / 4 % 2,
                               .kind = (order_kind)((s + way) % ORDER_KINDS)};
            check_product(&p, number);
        }
}

RUN_TESTS(NULL, order_teardown, UNIT(test_products))
