/* gather in reductions and scans: read at any index, and, checked, an element that is not there is
 * 0 and said to be missing by every launch; what reductions do not have is refused. */
#define STN_KERNEL_ONE_VERSION /* all of them are in test_reduce_matrix and test_scan_matrix */
#define STN_KERNEL_CHECKED
#include <stdio.h>

#include "check.h"
#include "reduce_check.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE(weighed, sum, (at(i, j), index(n), gather(u, 1), in(x)), x * STN_AT(u, i + n))
STN_REDUCE(farthest, argmax, (at(i, j), index(n), gather(u, 1), in(x)), x + STN_AT(u, i + n))
STN_REDUCE(length, norm2, (at(i, j), index(n), gather(u, 1), in(x)), x * STN_AT(u, i + n))
STN_REDUCE_BY(largest, (at(i, j), index(n), gather(u, 1), in(x)), x + STN_AT(u, i + n), a > b ? a : b, a, -1)
STN_REDUCE_INTEGER(places, sum, (at(i, j), index(n), gather(u, 1), in(x)), x + STN_INDEX_AT(u, i + n))
STN_SCAN(running, sum, (at(i, j), index(n), gather(u, 1), in(x)), x * STN_AT(u, i + n))
STN_SCAN_INTEGER(running_places, max, (at(i, j), index(n), gather(u, 1), in(x)), x + STN_INDEX_AT(u, i + n))
/* clang-format on */

enum { ROWS = 40, COLUMNS = 30, COUNT = ROWS * COLUMNS };

/* Elements 1 and weights 2, so that each row gives 2 COLUMNS, or 0 without its weight. */
static double ones[COUNT], twos[ROWS], results[COUNT];
static float narrow_twos[ROWS];
static int64_t whole_ones[COUNT], whole_twos[ROWS], whole_results[COUNT];

static int prepare(void **context)
{
    for (int k = 0; k < COUNT; k++) {
        ones[k] = 1.0;
        whole_ones[k] = 1;
    }
    for (int k = 0; k < ROWS; k++) {
        twos[k] = narrow_twos[k] = 2.0f;
        whole_twos[k] = 2;
    }
    return check_make_execs(context);
}

static const int64_t extents[] = {ROWS, COLUMNS}, rows = ROWS, columns = COLUMNS;

static stn_view matrix(void)
{
    return check_view("x", STN_F64, ones, 2, extents, NULL);
}

static stn_view integers(void)
{
    return check_view("x", STN_I64, whole_ones, 2, extents, NULL);
}

/* Stored as it is computed with, or not. */
static stn_view weights(int is_narrow)
{
    return check_view("weights", is_narrow ? STN_F32 : STN_F64,
                      is_narrow ? (const void *)narrow_twos : twos, 1, &rows, NULL);
}

/* All is there for n = 0; else row by row n of them lack their weight. */
static void expect(stn_status status, int64_t n, const char *kernel)
{
    char sentence[100];
    if (n == 0) {
        expect_ok(status);
        return;
    }
    (void)snprintf(sentence, sizeof sentence,
                   "kernel %s: the body reads an element of u outside its extents: weights (",
                   kernel);
    expect_error(status, STN_ERR_RANGE, sentence);
}

static const int64_t shifts[] = {0, 1, -3, ROWS, -(INT64_C(1) << 40)};

static int has_weight(int64_t row, int64_t n)
{
    return row + n >= 0 && row + n < ROWS;
}

static double sum_of_rows(int64_t n)
{
    double sum = 0.0;
    for (int64_t row = 0; row < ROWS; row++)
        sum += has_weight(row, n) ? 2.0 * COLUMNS : 0.0;
    return sum;
}

UNIT_TEST(test_whole)
{
    const stn_view x = matrix(), whole_x = integers();
    const stn_view places = check_view("weights", STN_I64, whole_twos, 1, &rows, NULL);
    for (int e = 0; e < CHECK_EXECS; e++)
        for (int s = 0; s < 2 * COUNT_OF(shifts); s++) {
            const int64_t n = shifts[s / 2];
            const stn_view u = weights(s % 2);
            const double sum = sum_of_rows(n);
            double result = -1.0;
            int64_t number = -1;
            expect(weighed_reduce(check_execs[e], STN_F64, &result, n, &u, &x), n, "weighed");
            assert_true(result == sum);
            result = -1.0;
            expect(weighed_reduce_over(check_execs[e], STN_F64, 2, extents, &result, n, &u, &x), n,
                   "weighed");
            assert_true(result == sum);
            expect(length_reduce(check_execs[e], STN_F64, &result, n, &u, &x), n, "length");
            assert_true(result == sqrt(2.0 * sum));
            expect(largest_reduce(check_execs[e], STN_F64, &result, n, &u, &x), n, "largest");
            assert_true(result == (sum == 0.0 ? 1.0 : 3.0));
            expect(farthest_reduce(check_execs[e], STN_F64, &number, n, &u, &x), n, "farthest");
            assert_true(number == (n == -3 ? 3 * COLUMNS : 0));
            expect(places_reduce(check_execs[e], STN_I64, &number, n, &places, &whole_x), n,
                   "places");
            assert_true(number == COUNT + (int64_t)sum);
        }
}

UNIT_TEST(test_into_views)
{
    const stn_view x = matrix();
    const stn_view of_rows = check_view("result", STN_F64, results, 1, &rows, NULL);
    const stn_view of_columns = check_view("result", STN_F64, results, 1, &columns, NULL);
    for (int e = 0; e < CHECK_EXECS; e++)
        for (int s = 0; s < 2 * COUNT_OF(shifts); s++) {
            const int64_t n = shifts[s / 2];
            const stn_view u = weights(s % 2);
            const double sum = sum_of_rows(n);
            memset(results, 0x55, sizeof results);
            expect(weighed_reduce_into(check_execs[e], STN_F64, 2, &of_rows, n, &u, &x), n,
                   "weighed");
            for (int64_t row = 0; row < ROWS; row++)
                assert_true(results[row] == (has_weight(row, n) ? 2.0 * COLUMNS : 0.0));
            memset(results, 0x55, sizeof results);
            expect(weighed_reduce_into_over(check_execs[e], STN_F64, 2, extents, 1, &of_columns, n,
                                            &u, &x),
                   n, "weighed");
            for (int64_t column = 0; column < COLUMNS; column++)
                assert_true(results[column] == sum / COLUMNS);
        }
}

UNIT_TEST(test_parts)
{
    static stn_partial part;
    const stn_view x = matrix();
    for (int e = 0; e < CHECK_EXECS; e++)
        for (int s = 0; s < 2 * COUNT_OF(shifts); s++) {
            const int64_t n = shifts[s / 2];
            const stn_view u = weights(s % 2);
            double result = -1.0;
            expect(weighed_reduce_part(check_execs[e], STN_F64, 0, &part, n, &u, &x), n, "weighed");
            expect_ok(weighed_reduce_finish(&part, &result));
            assert_true(result == sum_of_rows(n));
        }
}

UNIT_TEST(test_scans)
{
    const stn_view x = matrix(), whole_x = integers();
    const stn_view places = check_view("weights", STN_I64, whole_twos, 1, &rows, NULL);
    const stn_view to = check_view("result", STN_F64, results, 2, extents, NULL);
    const stn_view whole_to = check_view("result", STN_I64, whole_results, 2, extents, NULL);
    for (int e = 0; e < CHECK_EXECS; e++)
        for (int s = 0; s < 2 * COUNT_OF(shifts); s++) {
            const int64_t n = shifts[s / 2];
            const stn_view u = weights(s % 2);
            double sum = 0.0;
            memset(results, 0x55, sizeof results);
            expect(running_scan(check_execs[e], STN_F64, STN_SCAN_INCLUSIVE, &to, n, &u, &x), n,
                   "running");
            for (int64_t k = 0; k < COUNT; k++)
                assert_true(results[k] ==
                            (has_weight(k / COLUMNS, n) ? 2.0 * (double)(k % COLUMNS + 1) : 0.0));
            expect(running_scan_dimension(check_execs[e], STN_F64, STN_SCAN_EXCLUSIVE, 0, &to, n,
                                          &u, &x),
                   n, "running");
            for (int64_t row = 0; row < ROWS; row++) {
                assert_true(results[row * COLUMNS] == sum && results[row * COLUMNS + 7] == sum);
                sum += has_weight(row, n) ? 2.0 : 0.0;
            }
            expect(running_places_scan(check_execs[e], STN_I64, STN_SCAN_INCLUSIVE, &whole_to, n,
                                       &places, &whole_x),
                   n, "running_places");
            for (int64_t row = 0; row < ROWS; row++)
                assert_true(whole_results[row * COLUMNS] == (has_weight(row, n) ? 3 : 1));
        }
}

RUN_UNIT_TESTS(prepare, check_release_execs)
