/* Scans against their definition (doc/order.md), written a second time: the carry folds aligned
 * blocks from the left, and a tile goes on from it element by element. */
#define STN_KERNEL_ONE_VERSION /* all of them are in test_reduce_matrix and test_scan_matrix */
#include <stdio.h>

#include "check.h"
#include "order_oracle.h"
#include "reduce_check.h"
#include "steno/reduce.h"

/* clang-format off */
STN_SCAN(running, sum, (in(x)), x)
STN_SCAN(running_product, product, (in(x)), 1 + x * STN_R(0x1p-20))
STN_SCAN(lowest, min, (in(x)), x)
STN_SCAN(highest, max, (in(x)), x)
STN_SCAN(placed, sum, (at(i, j, k), real(a), in(x)), a * x + (real_t)(i - j))
STN_SCAN_BY(decaying, (in(x)), x, a * STN_R(0.75) + b, 5)
STN_SCAN_INTEGER(running_integers, sum, (in(x)), x)
STN_SCAN_INTEGER_BY(bits_seen, (in(x)), x, a | b, 0)
/* clang-format on */

enum { MOST = 300000 };

static double values[MOST], found[MOST], expected[MOST];

static int prepare(void **context)
{
    uint64_t state = 3;
    for (int k = 0; k < MOST; k++)
        values[k] = (double)(int64_t)(order_next(&state) >> 40) / 77.0 - 100000.0;
    return check_make_execs(context);
}

/* ---- the definition ---- */

typedef double operation(double a, double b);
static double add(double a, double b)
{
    return a + b;
}
static double decay(double a, double b)
{
    return a * 0.75 + b;
}
static double multiply(double a, double b)
{
    return a * b;
}
static double least(double a, double b)
{
    return a < b ? a : b;
}
static double greatest(double a, double b)
{
    return a > b ? a : b;
}

static double fold_tile(operation *op, const double *x, int64_t step, int64_t count)
{
    double lane[32];
    for (int64_t e = 0; e < count; e++)
        lane[e % 32] = e < 32 ? x[e * step] : op(lane[e % 32], x[e * step]);
    for (int64_t h = 16; h; h /= 2)
        for (int64_t l = 0; l < h; l++)
            if (l + h < count)
                lane[l] = op(lane[l], lane[l + h]);
    return lane[0];
}

static void define(operation *op, double identity, int exclusive, const double *x, double *to,
                   int64_t step, int64_t count)
{
    double level[64];
    for (int64_t t = 0; t * 128 < count; t++) {
        const int64_t here = count - t * 128 < 128 ? count - t * 128 : 128;
        const double *tile = x + t * 128 * step;
        double carry = identity, sum = 0.0;
        int begun = 0, k = 0;
        for (int b = 62; b >= 0; b--)
            if (t >> b & 1) {
                carry = begun ? op(carry, level[b]) : level[b];
                begun = 1;
            }
        for (int64_t e = 0; e < here; e++) {
            double *out = to + (t * 128 + e) * step;
            if (exclusive)
                *out = e == 0 ? carry : begun ? op(carry, sum) : sum;
            sum = e == 0 ? tile[0] : op(sum, tile[e * step]);
            if (!exclusive)
                *out = begun ? op(carry, sum) : sum;
        }
        sum = fold_tile(op, tile, step, here);
        for (; t >> k & 1; k++)
            sum = op(level[k], sum);
        level[k] = sum;
    }
}

static void compare(const char *what, int64_t count, int exec, int exclusive)
{
    for (int64_t k = 0; k < count; k++)
        if (memcmp(&found[k], &expected[k], sizeof *found) != 0)
            fail_msg("%s of %d, executor %d, %d: element %d is %a, not %a", what, (int)count, exec,
                     exclusive, (int)k, found[k], expected[k]);
}

static const int64_t sizes[] = {1, 2, 100, 128, 129, 300, 2048, 2049, 5000, 70000, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* The value of all elements, by the tree that reductions have. */
static double define_total(operation *op, const double *x, int64_t step, int64_t count)
{
    int64_t half = 128;
    if (count <= half)
        return fold_tile(op, x, step, count);
    while (2 * half < count)
        half *= 2;
    return op(define_total(op, x, step, half),
              define_total(op, x + half * step, step, count - half));
}

/* Scans that give totals, along both dimensions, over extents that are given, of one row for all.
 */
UNIT_TEST(test_totals)
{
    static const int64_t shapes[][2] = {{1, MOST}, {3, 50000}, {200, 300}, {1000, 7}, {5, 0}};
    static double totals[1000];
    for (size_t c = 0; c < 2 * sizeof shapes / sizeof *shapes; c++)
        for (int e = 0; e < CHECK_EXECS; e++) {
            const int64_t *const extents = shapes[c / 2], rows = extents[0], columns = extents[1];
            const int along = (int)c % 2, exclusive = e % 2;
            const int64_t lines = along ? rows : columns, count = along ? columns : rows;
            const int64_t step = along ? 1 : columns;
            if (lines > 1000)
                continue;
            const stn_view x = check_view("x", STN_F64, values, 2, extents, NULL);
            const stn_view to = check_view("result", STN_F64, found, 2, extents, NULL);
            const stn_view ends = check_view("totals", STN_F64, totals, 1, &lines, NULL);
            expect_ok(decaying_scan_total(check_execs[e], STN_F64, (stn_scan_kind)exclusive, along,
                                          &to, &ends, &x));
            for (int64_t l = 0; l < lines; l++) {
                const int64_t first = along ? l * columns : l;
                const double wanted =
                    count ? define_total(decay, values + first, step, count) : 5.0;
                define(decay, 5.0, exclusive, values + first, expected + first, step, count);
                if (memcmp(&totals[l], &wanted, sizeof wanted) != 0)
                    fail_msg("total %d of %d x %d along %d: %a, not %a", (int)l, (int)rows,
                             (int)columns, along, totals[l], wanted);
            }
            compare("scans with totals", rows * columns, e, exclusive);
        }
}

UNIT_TEST(test_over)
{
    static const int64_t extents[] = {4, 500}, lines = 4;
    static double totals[4];
    const stn_view x = check_line(STN_F64, values, 500);
    const stn_view to = check_view("result", STN_F64, found, 2, extents, NULL);
    const stn_view ends = check_view("totals", STN_F64, totals, 1, &lines, NULL);
    const stn_view inside = check_view("totals", STN_F64, found, 1, &lines, NULL);
    for (int e = 0; e < CHECK_EXECS; e++) {
        expect_ok(running_scan_over(check_execs[e], STN_F64, 2, extents, 0, 1, &to, &ends, &x));
        for (int64_t l = 0; l < lines; l++) {
            const double wanted = define_total(add, values, 1, 500);
            define(add, 0.0, 0, values, expected + l * 500, 1, 500);
            assert_memory_equal(&totals[l], &wanted, sizeof wanted);
        }
        compare("scans over extents", 2000, e, 0);
        expect_ok(running_scan_over(check_execs[e], STN_F64, 2, extents, 0, 1, &to, NULL, &x));
        expect_error(
            running_scan_total(check_execs[e], STN_F64, STN_SCAN_INCLUSIVE, 0, &to, &ends, &to),
            STN_ERR_ALIAS, "result overlaps");
        expect_error(running_scan_over(check_execs[e], STN_F64, 2, extents, 0, 1, &to, &inside, &x),
                     STN_ERR_ALIAS, "totals overlaps result");
        expect_error(running_scan_over(check_execs[e], STN_F64, 2, extents, 0, 0, &to, &ends, &x),
                     STN_ERR_SHAPE, "totals must have extents 500");
        expect_error(running_scan_over(check_execs[e], STN_F64, 2, extents, 0, 2, &to, &ends, &x),
                     STN_ERR_ARGUMENT, "dimension 2 is out of range");
    }
}

UNIT_TEST(test_operations)
{
    static double mapped[MOST];
    for (int k = 0; k < MOST; k++)
        mapped[k] = 1 + values[k] * 0x1p-20;
    for (int s = 0; s < SIZES; s++)
        for (int exclusive = 0; exclusive < 2; exclusive++)
            for (int e = 0; e < CHECK_EXECS; e++) {
                const int64_t n = sizes[s];
                const stn_view x = check_view("x", STN_F64, values, 1, &n, NULL);
                const stn_view to = check_view("result", STN_F64, found, 1, &n, NULL);
#define CHECK(name, op, identity, from)                                                            \
    expect_ok(name##_scan(check_execs[e], STN_F64, (stn_scan_kind)exclusive, &to, &x));            \
    define(op, identity, exclusive, from, expected, 1, n);                                         \
    compare(#name, n, e, exclusive)
                CHECK(running, add, 0.0, values);
                CHECK(running_product, multiply, 1.0, mapped);
                CHECK(lowest, least, (double)INFINITY, values);
                CHECK(highest, greatest, -(double)INFINITY, values);
                CHECK(decaying, decay, 5.0, values);
            }
}

/* Every dimension of a space, with other layouts and formats on the way. */
UNIT_TEST(test_dimensions)
{
    static float narrow[MOST];
    static const int64_t shapes[][3] = {{3, 140, 50}, {200, 3, 7}, {1, 2, 700}, {30, 600, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int dimension = 0; dimension < 3; dimension++)
            for (int e = 0; e < CHECK_EXECS; e++)
                for (int exclusive = 0; exclusive < 2; exclusive++) {
                    const int64_t *n = shapes[s], count = n[0] * n[1] * n[2];
                    const int64_t step = dimension == 0 ? n[1] * n[2] : dimension == 1 ? n[2] : 1;
                    const stn_view x = check_view("x", STN_F32, narrow, 3, n, NULL);
                    const stn_view to = check_view("result", STN_F64, found, 3, n, NULL);
                    static double widened[MOST];
                    for (int64_t k = 0; k < count; k++)
                        widened[k] = narrow[k] = (float)values[k];
                    expect_ok(running_scan_dimension(check_execs[e], STN_F64,
                                                     (stn_scan_kind)exclusive, dimension, &to, &x));
                    for (int64_t k = 0; k < count; k++)
                        if (k / step % n[dimension] == 0)
                            define(add, 0.0, exclusive, widened + k, expected + k, step,
                                   n[dimension]);
                    compare("running", count, e, exclusive);
                    if (dimension == 2) {
                        expect_ok(running_scan(check_execs[e], STN_F64, (stn_scan_kind)exclusive,
                                               &to, &x));
                        compare("running", count, e, exclusive);
                    }
                    expect_ok(placed_scan_dimension(check_execs[e], STN_F64,
                                                    (stn_scan_kind)exclusive, dimension, &to, 0.5,
                                                    &x));
                    for (int64_t k = 0; k < count; k++)
                        widened[k] =
                            0.5 * widened[k] + (double)(k / (n[1] * n[2]) - k / n[2] % n[1]);
                    for (int64_t k = 0; k < count; k++)
                        if (k / step % n[dimension] == 0)
                            define(add, 0.0, exclusive, widened + k, expected + k, step,
                                   n[dimension]);
                    compare("placed", count, e, exclusive);
                }
}

UNIT_TEST(test_results)
{
    const int64_t n = 300, two = 2, most = MOST;
    static int64_t from[MOST], to[2 * MOST];
    static stn_f16 halves[MOST], wide_halves[MOST];
    static float floats[MOST];
    for (int k = 0; k < MOST; k++)
        from[k] = (INT64_C(1) << 40) + k;
    for (int e = 0; e < CHECK_EXECS; e++) {
        int64_t sum = 0, seen = 0;
        const stn_view x = check_view("x", STN_I64, from, 1, &n, NULL);
        const stn_view gaps = check_view("result", STN_I64, to, 1, &n, &two);
        const stn_view all = check_view("x", STN_F64, values, 1, &most, NULL);
        stn_view half = check_view("result", STN_F16, halves, 1, &most, NULL);
        const stn_view single = check_view("result", STN_F32, floats, 1, &n, NULL);
        memset(to, 7, sizeof to);
        expect_ok(running_integers_scan(check_execs[e], STN_I64, STN_SCAN_INCLUSIVE, &gaps, &x));
        for (int64_t k = 0; k < n; k++) {
            sum += from[k];
            assert_true(to[2 * k] == sum && to[2 * k + 1] == 0x0707070707070707);
        }
        expect_ok(bits_seen_scan(check_execs[e], STN_I64, STN_SCAN_EXCLUSIVE, &gaps, &x));
        for (int64_t k = 0; k < n; k++) {
            assert_true(to[2 * k] == seen);
            seen |= from[k];
        }
        expect_ok(running_integers_scan(check_execs[e], STN_I64, STN_SCAN_EXCLUSIVE, &single, &x));
        assert_true(floats[0] == 0.0f && floats[1] == 0x1p40f && floats[2] == 0x1p41f);
        expect_ok(highest_scan(check_execs[e], STN_F32, STN_SCAN_INCLUSIVE, &half, &all));
        half.traits = STN_TRAIT_STREAMING;
        half.data = wide_halves;
        expect_ok(highest_scan(check_execs[e], STN_F32, STN_SCAN_INCLUSIVE, &half, &all));
        assert_memory_equal(halves, wide_halves, sizeof halves);
    }
}

/* An element draws by its number in C order, whichever dimension is scanned: bf16 results are those
 * in f64, rounded one by one. `left`: lines follow each other in memory, and are streamed. */
static void check_draws(int rank, const int64_t *extents, const int64_t *left)
{
    enum { COUNT = 600 };
    static stn_bf16 codes[COUNT], ordered[COUNT], wanted[COUNT];
    stn_storage storage = stn_storage_of(STN_BF16);
    storage.rounding = STN_ROUND_STOCHASTIC;
    storage.seed = 11;
    const stn_view x = check_view("x", STN_F64, values, rank, extents, NULL);
    const stn_view exact = check_view("exact", STN_F64, found, rank, extents, NULL);
    const stn_view plain = check_view("ordered", STN_BF16, ordered, rank, extents, NULL);
    const stn_view moved = check_view("codes", STN_BF16, codes, rank, extents, left);
    stn_view to;
    expect_ok(stn_view_wrap_spec(&to, &STN_VIEW_SPEC(.label = "codes", .storage = storage,
                                                     .rank = rank, .extents = extents,
                                                     .strides = left, .data = codes)));
    if (left)
        expect_ok(stn_view_set_traits(&to, STN_TRAIT_STREAMING));
    for (int e = 0; e < CHECK_EXECS; e++)
        for (int dimension = 0; dimension < rank; dimension++) {
            expect_ok(running_scan_dimension(check_execs[e], STN_F64, STN_SCAN_INCLUSIVE, dimension,
                                             &exact, &x));
            expect_ok(running_scan_dimension(check_execs[e], STN_F64, STN_SCAN_INCLUSIVE, dimension,
                                             &to, &x));
            expect_ok(stn_view_copy(NULL, &plain, &moved));
            expect_ok(stn_encode(STN_F64, &storage, wanted, 1, 0, found, COUNT));
            assert_memory_equal(ordered, wanted, sizeof wanted);
        }
    expect_ok(stn_view_release(&to));
}

UNIT_TEST(test_stochastic_rounding)
{
    static const int64_t box[] = {3, 40, 5}, matrix[] = {150, 4}, left[] = {1, 150};
    check_draws(3, box, NULL);
    check_draws(2, matrix, left);
}

/* Totals of integers in a view of floats are numbers, rounded once, as the results are. */
UNIT_TEST(test_totals_of_integers)
{
    static const int64_t extents[2] = {3, 4};
    static const int64_t integers[12] = {1, 2, 3, 4, -5, 6, -7, 8, INT64_MAX / 2, 0, 0, 1};
    for (int e = 0; e < CHECK_EXECS; e++) {
        double to[12], ends[3];
        const stn_view x = check_view("x", STN_I64, integers, 2, extents, NULL);
        const stn_view result = check_view("result", STN_F64, to, 2, extents, NULL);
        const stn_view totals = check_line(STN_F64, ends, 3);
        expect_ok(running_integers_scan_total(check_execs[e], STN_I64, STN_SCAN_INCLUSIVE, 1,
                                              &result, &totals, &x));
        assert_true(ends[0] == 10.0 && ends[1] == 2.0 && ends[2] == 0x1p62);
        assert_true(to[3] == 10.0 && to[7] == 2.0);
    }
}

RUN_UNIT_TESTS(prepare, check_release_execs)
