/* Scans: totals, given extents, results of other formats and with gaps, and stochastic rounding.
 * test_scan_matrix has every operation, format, layout and dimension. */
#define STN_KERNEL_ONE_VERSION /* all of them are in test_reduce_matrix and test_scan_matrix */
#include "make_view.h"
#include "order_oracle.h"
#include "reduce_check.h"
#include "reduce_oracle.h"
#include "steno/reduce.h"

/* clang-format off */
STN_SCAN(running, sum, (in(x)), x)
STN_SCAN(highest, max, (in(x)), x)
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

/* Expected results of one line, `step` apart; returns the total. */
static double expect(const reduce_rule *rule, int exclusive, const double *x, double *to,
                     int64_t step, int64_t count)
{
    static reduce_value from[MOST], scanned[MOST];
    for (int64_t k = 0; k < count; k++)
        from[k].real = x[k * step];
    reduce_scan(rule, exclusive, from, count, scanned);
    for (int64_t k = 0; k < count; k++)
        to[k * step] = scanned[k].real;
    return reduce_order(rule, from, NULL, count).real;
}

static reduce_value decay(stn_format arithmetic, reduce_value a, reduce_value b)
{
    (void)arithmetic;
    return (reduce_value){a.real * 0.75 + b.real, 0};
}

static void compare(const double *totals, const double *expected_totals, int64_t lines,
                    int64_t count, int exec)
{
    for (int64_t k = 0; k < count; k++)
        if (check_bits(found[k]) != check_bits(expected[k]))
            fail_msg("%d elements, executor %d: element %d is %a, not %a", (int)count, exec, (int)k,
                     found[k], expected[k]);
    for (int64_t l = 0; l < lines; l++)
        if (check_bits(totals[l]) != check_bits(expected_totals[l]))
            fail_msg("%d elements, executor %d: total %d is %a, not %a", (int)count, exec, (int)l,
                     totals[l], expected_totals[l]);
}

/* Scans that give totals, along both dimensions, over given extents, of one row for all. */
UNIT_TEST(test_totals)
{
    static const int64_t shapes[][2] = {{1, MOST}, {3, 50000}, {200, 300}, {1000, 7}, {5, 0}};
    static const reduce_rule rule = {REDUCE_BY, STN_F64, decay, NULL, {5.0, 0}};
    static double totals[1000], expected_totals[1000];
    for (int c = 0; c < 2 * COUNT_OF(shapes); c++)
        for (int e = 0; e < CHECK_EXECS; e++) {
            const int64_t *const extents = shapes[c / 2], rows = extents[0], columns = extents[1];
            const int dimension = c % 2;
            const int64_t lines = dimension ? rows : columns, count = dimension ? columns : rows;
            if (lines > 1000)
                continue;
            const stn_view x = check_view("x", STN_F64, values, 2, extents, NULL),
                           to = check_view("result", STN_F64, found, 2, extents, NULL),
                           ends = check_view("totals", STN_F64, totals, 1, &lines, NULL);
            expect_ok(decaying_scan_total(check_execs[e], STN_F64, (stn_scan_kind)(e % 2),
                                          dimension, &to, &ends, &x));
            for (int64_t l = 0; l < lines; l++) {
                const int64_t first = dimension ? l * columns : l;
                expected_totals[l] = expect(&rule, e % 2, values + first, expected + first,
                                            dimension ? 1 : columns, count);
            }
            compare(totals, expected_totals, lines, rows * columns, e);
        }
}

UNIT_TEST(test_over)
{
    static const int64_t extents[] = {4, 500};
    static const reduce_rule rule = {.operation = REDUCE_SUM, .arithmetic = STN_F64};
    double totals[4], expected_totals[4];
    const stn_view x = check_line(STN_F64, values, 500),
                   to = check_view("result", STN_F64, found, 2, extents, NULL),
                   ends = check_view("totals", STN_F64, totals, 1, extents, NULL);
    for (int l = 0; l < 4; l++)
        expected_totals[l] = expect(&rule, 0, values, expected + 500 * l, 1, 500);
    for (int e = 0; e < CHECK_EXECS; e++) {
        expect_ok(running_scan_over(check_execs[e], STN_F64, 2, extents, STN_SCAN_INCLUSIVE, 1, &to,
                                    &ends, &x));
        compare(totals, expected_totals, 4, 2000, e);
        expect_ok(running_scan_over(check_execs[e], STN_F64, 2, extents, STN_SCAN_INCLUSIVE, 1, &to,
                                    NULL, &x));
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
    stn_view to = wrap_strided("codes", storage, codes, rank, extents, left);
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
