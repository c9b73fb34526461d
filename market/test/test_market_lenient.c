/* Deviations from the Matrix Market specification: refused by default, read and counted with
 * STN_MARKET_LENIENT. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "market_read.h"

#define SKEW BANNER("coordinate real skew-symmetric")

enum { NONE = -1 };

typedef struct deviant {
    const char *text;
    int deviation; /* stn_market_deviation, or NONE: the default reads it, too */
    int64_t count;
    double values[4]; /* of a 2 x 2 matrix, row by row; real parts */
} deviant;

/* clang-format off */
static const deviant deviants[] = {
    {"\xef\xbb\xbf" REAL "2 2 1\n1 1 3\n", STN_MARKET_BYTE_ORDER_MARK, 1, {3}},
    {"  " REAL "2 2 1\n1 1 3\n", STN_MARKET_LEADING_BLANKS, 1, {3}},
    {"\r\n \n\t\n" REAL "2 2 1\n1 1 3\n", STN_MARKET_LEADING_BLANKS, 1, {3}},
    {BANNER("coordinate real hermitian") "2 2 2\n1 1 3\n2 1 5\n",
     STN_MARKET_REAL_HERMITIAN, 1, {3, 5, 5}},
    {BANNER("array real hermitian") "2 2\n3\n5\n7\n", STN_MARKET_REAL_HERMITIAN, 1, {3, 5, 5, 7}},
    {BANNER("coordinate pattern hermitian") "2 2 1\n2 1\n",
     STN_MARKET_REAL_HERMITIAN, 1, {0, 1, 1}},
    {SKEW "2 2 2\n1 1 0\n2 1 5\n", STN_MARKET_ZERO_DIAGONAL, 1, {0, -5, 5}},
    {SKEW "2 2 3\n1 1 0\n2 1 5\n2 2 -0.0\n", STN_MARKET_ZERO_DIAGONAL, 2, {0, -5, 5, -0.0}},
    {BANNER("coordinate complex skew-symmetric") "2 2 2\n1 1 0 0\n2 1 5 1\n",
     STN_MARKET_ZERO_DIAGONAL, 1, {0, -5, 5}},
    {REAL "2 2 1 % the size\n1 1 3 %one\n", STN_MARKET_TRAILING_COMMENT, 2, {3}},
    {REAL "2 2 1% the size\n1 1 3% one\n", STN_MARKET_TRAILING_COMMENT, 2, {3}},
    {BANNER("coordinate complex general") "2 2 1\n1 1 3 4%\n", STN_MARKET_TRAILING_COMMENT, 1, {3}},
    {BANNER("coordinate pattern general") "2 2 1\n1 1 % one\n",
     STN_MARKET_TRAILING_COMMENT, 1, {1}},
    {REAL "2 2 3\n1 1 inf\n1 2 -Infinity\n2 2 +INF\n",
     STN_MARKET_NONFINITE, 3, {(double)INFINITY, -(double)INFINITY, 0, (double)INFINITY}},
    {REAL "2 2 1\n2 1 NaN\n", STN_MARKET_NONFINITE, 1, {0, 0, (double)NAN}},
    {REAL "2 2 2\n1 1 1e309\n1 2 -1e999\n",
     STN_MARKET_OVERFLOW, 2, {(double)INFINITY, -(double)INFINITY}},
    {BANNER("array complex general") "2 2\n1 0\n2 1e400\n3 0\n4 0\n",
     STN_MARKET_OVERFLOW, 1, {1, 3, 2, 4}},
    {REAL "2\v2\f1\n \f+1 +2\t3 \v\r\n", NONE, 0, {0, 3}},
    {REAL "% a comment\n%\xff\n2 2 1\n00000000000000000000001 2 3\n", NONE, 0, {0, 3}},
};
/* clang-format on */

static double element(const stn_market_matrix *matrix, int row, int column)
{
    const int64_t k = market_find(matrix, row, column);
    const int parts = matrix->field == STN_MARKET_COMPLEX ? 2 : 1;
    return k < 0 ? 0.0 : ((const double *)matrix->values)[parts * k];
}

static void assert_elements(const deviant *of, const stn_market_matrix *matrix)
{
    assert_true(matrix->rows == 2 && matrix->columns == 2);
    for (int k = 0; k < 4; k++) {
        const double value = element(matrix, k / 2, k % 2), expected = of->values[k];
        if (!(isnan(expected) ? isnan(value) : value == expected))
            fail_msg("element %d is %g, not %g, of %s", k, value, expected, of->text);
    }
}

UNIT_TEST(deviations_are_refused_by_default_and_counted)
{
    for (int k = 0; k < COUNT_OF(deviants); k++) {
        const deviant *const of = &deviants[k];
        const size_t size = strlen(of->text);
        stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
        expect_ok_for(market_read_memory(of->text, size, STN_MARKET_LENIENT, &matrix), of->text);
        assert_elements(of, &matrix);
        for (int d = 0; d < 8; d++)
            if (matrix.deviations[d] != (d == of->deviation ? of->count : 0))
                fail_msg("%d deviations of kind %d: %s", (int)matrix.deviations[d], d, of->text);
        stn_market_release(&matrix);
        const int accepted = market_read_memory(of->text, size, 0, &matrix) == STN_OK;
        if (accepted != (of->deviation == NONE))
            fail_msg("%s by default: %s", accepted ? "accepted" : stn_error(), of->text);
        if (accepted)
            assert_elements(of, &matrix);
        stn_market_release(&matrix);
    }
}

/* Faults that no flag turns into a matrix. */
UNIT_TEST(faults_stay_faults)
{
    static const char *const faults[] = {
        "\xef\xbb\xbf",
        "\n\n",
        "\xef\xbb" REAL "1 1 0\n",
        "\xef\xbb\xbf\xef\xbb\xbf" REAL "1 1 0\n",
        "% comment\n" REAL "1 1 0\n",
        SKEW "2 2 1\n1 1 2\n",
        REAL "2 2 1\n1 1 % one\n",
        REAL "2 2 1\n1% one\n",
        REAL "2 2 1\n1 1 nano\n",
        REAL "2 2 1\n1 1 1e309x\n",
        REAL "2 2 1\n1 1 3 4\n",
        REAL "2 2 1\n++1 1 3\n",
        REAL "2 2 1\n+ 1 3\n",
        BANNER("coordinate integer general") "2 2 1\n1 1 nan\n",
        BANNER("coordinate integer general") "2 2 1\n1 1 9223372036854775808\n",
        BANNER("coordinate complex hermitian") "2 2 1\n1 1 1 1\n",
    };
    for (int k = 0; k < COUNT_OF(faults); k++) {
        stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
        if (market_read_memory(faults[k], strlen(faults[k]), STN_MARKET_LENIENT, &matrix) == STN_OK)
            fail_msg("accepted: %s", faults[k]);
    }
}

UNIT_TEST(sums_may_overflow)
{
    static const char large[] = REAL "2 2 2\n1 1 1.5e308\n1 1 1.5e308\n",
                      infinite[] = REAL "2 2 2\n1 1 inf\n1 1 -inf\n",
                      whole[] = BANNER(
                          "coordinate integer general") "2 2 2\n1 1 9223372036854775807\n1 1 1\n";
    const unsigned both = STN_MARKET_SUM | STN_MARKET_LENIENT;
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_error(market_read_memory(large, sizeof large - 1, STN_MARKET_SUM, &matrix),
                 STN_ERR_RANGE, NULL);
    expect_ok(market_read_memory(large, sizeof large - 1, both, &matrix));
    assert_true(element(&matrix, 0, 0) == (double)INFINITY);
    assert_int_equal(matrix.deviations[STN_MARKET_OVERFLOW], 1);
    stn_market_release(&matrix);
    expect_ok(market_read_memory(infinite, sizeof infinite - 1, both, &matrix));
    assert_true(isnan(element(&matrix, 0, 0)));
    assert_int_equal(matrix.deviations[STN_MARKET_NONFINITE], 2);
    assert_int_equal(matrix.deviations[STN_MARKET_OVERFLOW], 0);
    stn_market_release(&matrix);
    expect_error(market_read_memory(whole, sizeof whole - 1, both, &matrix), STN_ERR_RANGE, NULL);
}

UNIT_TEST(comments_hold_any_byte)
{
    static const char text[] = REAL "% a\0b\n2 2 1\n1 1 3\n%\0\n";
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_ok(market_read_memory(text, sizeof text - 1, 0, &matrix));
    assert_int_equal(matrix.entries, 1);
    stn_market_release(&matrix);
}

RUN_UNIT_TESTS(NULL, NULL)
