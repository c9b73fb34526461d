/* Rows of a Matrix Market file: those of the whole matrix, for all parts of the rows. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <stdio.h>
#include <unistd.h>

#include "steno/market.h"

enum { ROWS = 23 };

static char path[] = "/tmp/steno-rows-XXXXXX";

static void write_text(const char *symmetry, int is_repeated)
{
    FILE *const file = fopen(path, "w");
    int count = 0;
    assert_non_null(file);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1)
            fprintf(file, "%%%%MatrixMarket matrix coordinate real %s\n%d %d %d\n", symmetry, ROWS,
                    ROWS, count);
        for (int i = 1; i <= ROWS; i++)
            for (int j = i; j >= 1; j -= 1 + (i + j) % 5) {
                count += pass == 0;
                if (pass == 1)
                    fprintf(file, "%d %d %d.5\n", i, j, 100 * i + j);
            }
        count += pass == 0 && is_repeated;
    }
    if (is_repeated)
        fprintf(file, "7 7 1\n");
    assert_int_equal(fclose(file), 0);
}

static void check_rows(const stn_market_matrix *whole, int64_t first, int64_t count, unsigned flags)
{
    stn_market_matrix part = STN_MARKET_MATRIX_INIT;
    expect_ok(stn_market_read_rows(&part, path, flags, first, count));
    assert_int_equal(part.rows, ROWS);
    assert_int_equal(part.stored, whole->stored);
    for (int64_t row = 0; row < ROWS; row++) {
        const int64_t begin = part.row_start[row], all = whole->row_start[row];
        const int64_t entries = part.row_start[row + 1] - begin;
        const int is_read = row >= first && row < first + count;
        assert_int_equal(entries, is_read ? whole->row_start[row + 1] - all : 0);
        for (int64_t k = 0; k < entries; k++) {
            assert_int_equal(part.column[begin + k], whole->column[all + k]);
            assert_true(((double *)part.values)[begin + k] == ((double *)whole->values)[all + k]);
        }
    }
    stn_market_release(&part);
}

static void check_file(const char *symmetry, unsigned flags)
{
    stn_market_matrix whole = STN_MARKET_MATRIX_INIT, header = STN_MARKET_MATRIX_INIT;
    write_text(symmetry, flags != 0);
    expect_ok(stn_market_read_file(&whole, path, flags));
    expect_ok(stn_market_read_header(&header, path, flags));
    assert_int_equal(header.rows, whole.rows);
    assert_int_equal(header.stored, whole.stored);
    assert_int_equal(header.symmetry, whole.symmetry);
    assert_null(header.row_start);
    for (int64_t first = 0; first <= ROWS; first++)
        for (int64_t count = 0; count <= ROWS - first; count++)
            check_rows(&whole, first, count, flags);
    stn_market_release(&whole);
    stn_market_release(&header);
}

UNIT_TEST(rows_are_those_of_the_whole)
{
    check_file("general", 0);
    check_file("symmetric", 0);
    check_file("general", STN_MARKET_SUM);
    check_file("symmetric", STN_MARKET_SUM);
}

UNIT_TEST(refused)
{
    stn_market_matrix part = STN_MARKET_MATRIX_INIT;
    write_text("general", 0);
    expect_error(stn_market_read_rows(&part, path, 0, 1, ROWS), STN_ERR_RANGE,
                 "rows 1 to 23 are requested of 23 rows");
    expect_error(stn_market_read_rows(&part, path, 0, -1, 2), STN_ERR_RANGE, "first is -1");
    expect_error(stn_market_read_rows(&part, NULL, 0, 0, 2), STN_ERR_ARGUMENT,
                 "stn_market_read_rows: path is NULL");
    expect_error(stn_market_read_header(&part, NULL, 0), STN_ERR_ARGUMENT,
                 "stn_market_read_header: path is NULL");
    FILE *const file = fopen(path, "w");
    fputs("%%MatrixMarket matrix array real general\n2 1\n1\n2\n", file);
    fclose(file);
    expect_error(stn_market_read_rows(&part, path, 0, 0, 1), STN_ERR_UNSUPPORTED,
                 "read as a whole only");
}

static int set_up(void **state)
{
    (void)state;
    const int descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0;
}

static int tear_down(void **state)
{
    (void)state;
    return remove(path);
}

RUN_UNIT_TESTS(set_up, tear_down)
