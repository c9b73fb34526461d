/* Cases of test_misuse.c: market. */
#ifndef STENO_TEST_MISUSE_MARKET_H
#define STENO_TEST_MISUSE_MARKET_H

#ifdef STN_HAVE_MARKET

#    include <stdio.h>
#    include <unistd.h>

#    include "steno/market.h"

static stn_status misuse_read(const char *text, unsigned flags, stn_market_matrix *matrix)
{
    const char *const path = "misuse.mtx";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    const stn_status status = stn_market_read_file(matrix, path, flags);
    assert_int_equal(unlink(path), 0);
    return status;
}

TEST_CASE(a_pattern_with_values_is_read_and_told)
{
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    assert_int_equal(misuse_read("%%MatrixMarket matrix coordinate pattern general\n"
                                 "2 2 2\n1 1 3.5\n2 1 -1\n",
                                 0, &matrix),
                     STN_OK);
    assert_int_equal(matrix.unused_values, 2);
    assert_true(((const double *)matrix.values)[0] == 1.0);
    stn_market_release(&matrix);
}

TEST_CASE(repeated_positions_are_added_only_on_request)
{
    const char *const text = "%%MatrixMarket matrix coordinate real symmetric\n"
                             "2 2 3\n2 1 0.5\n% across\n1 2 0.25\n1 1 4\n";
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    assert_int_equal(misuse_read(text, 0, &matrix), STN_ERR_PARSE);
    assert_string_equal(stn_error(), "misuse.mtx:5: row 1, column 2 is repeated: line 3 has the "
                                     "mirrored position; STN_MARKET_SUM adds repeated entries");
    assert_int_equal(misuse_read(text, STN_MARKET_SUM, &matrix), STN_OK);
    assert_int_equal(matrix.summed, 1);
    assert_int_equal(matrix.entries, 3);
    assert_true(((const double *)matrix.values)[1] == 0.75);
    assert_true(((const double *)matrix.values)[2] == 0.75);
    stn_market_release(&matrix);
}

/* Each with a comma behind it, as cmocka_unit_test(name), and a backslash at the end of the line.
 */
#    define MISUSE_MARKET                                                                          \
        cmocka_unit_test(a_pattern_with_values_is_read_and_told),                                  \
            cmocka_unit_test(repeated_positions_are_added_only_on_request),

#else
#    define MISUSE_MARKET
#endif

#endif
