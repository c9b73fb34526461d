/* The Matrix Market reader on entries that share a position, and on patterns that carry values:
 * refused with both lines, or added in the order of the file. Expected matrices are dense arrays,
 * filled entry by entry. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "market_read.h"

#include <fenv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__extension__ typedef __int128 wide;

static stn_status read_text(const char *text, unsigned flags, stn_market_matrix *matrix)
{
    return market_read_memory(text, strlen(text), flags, matrix);
}

/* ---- random files ---- */

enum { MOST_EDGE = 6, MOST_ENTRIES = 24, TEXT = 4096 };

typedef struct random_entry {
    int row, column, line;
    double re, im;
    int64_t integer;
} random_entry;

typedef struct random_file {
    stn_market_field field;
    stn_market_symmetry symmetry;
    int rows, columns, count;
    random_entry entry[MOST_ENTRIES];
    char text[TEXT];
} random_file;

/* The entries of one position: their number, the first two, and the sum. */
typedef struct position {
    int count, first, second;
    double re, im;
    wide integer;
} position;

static unsigned draw(unsigned below)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % below;
}

/* Numbers whose sum depends on the order. */
static double draw_real(void)
{
    static const double some[] = {1.0, -1.0, 0x1p53, -0x1p53, 0.125, -0.0, 3.0, 0x1p-40};
    return some[draw(COUNT_OF(some))];
}

static void draw_entry(const random_file *file, random_entry *entry)
{
    do {
        entry->row = (int)draw((unsigned)file->rows);
        entry->column = (int)draw((unsigned)file->columns);
    } while (file->symmetry == STN_MARKET_SKEW && entry->row == entry->column);
    entry->re = draw_real();
    entry->im = draw_real();
    if (file->symmetry == STN_MARKET_HERMITIAN && entry->row == entry->column)
        entry->im = 0.0;
    entry->integer = (int64_t)draw(7) - 3 + ((int64_t)draw(3) - 1) * (INT64_MAX / 2);
}

static void write_file(random_file *file)
{
    static const char *const fields[] = {"real", "integer", "complex", "pattern"};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    static const char *const fillers[] = {"", "", "", "\n", "% a comment\n", "\n%\n\n"};
    static const int lines[] = {0, 0, 0, 1, 1, 3};
    size_t at = (size_t)snprintf(
        file->text, TEXT, "%%%%MatrixMarket matrix coordinate %s %s\n%d %d %d\n",
        fields[file->field], symmetries[file->symmetry], file->rows, file->columns, file->count);
    int line = 3;
    for (int k = 0; k < file->count; k++) {
        random_entry *const entry = &file->entry[k];
        const unsigned filler = draw(6);
        entry->line = line + lines[filler];
        line = entry->line + 1;
        at += (size_t)snprintf(file->text + at, TEXT - at, "%s%d %d", fillers[filler],
                               entry->row + 1, entry->column + 1);
        if (file->field == STN_MARKET_INTEGER)
            at += (size_t)snprintf(file->text + at, TEXT - at, " %" PRId64, entry->integer);
        else if (file->field != STN_MARKET_PATTERN)
            at += (size_t)snprintf(file->text + at, TEXT - at, " %.17g", entry->re);
        if (file->field == STN_MARKET_COMPLEX)
            at += (size_t)snprintf(file->text + at, TEXT - at, " %.17g", entry->im);
        at += (size_t)snprintf(file->text + at, TEXT - at, "\n");
    }
}

static void draw_file(stn_market_field field, stn_market_symmetry symmetry, random_file *file)
{
    file->field = field;
    file->symmetry = symmetry;
    file->rows = 1 + (int)draw(MOST_EDGE);
    file->columns = symmetry == STN_MARKET_GENERAL ? 1 + (int)draw(MOST_EDGE) : file->rows;
    file->count = (int)draw(MOST_ENTRIES + 1);
    if (symmetry == STN_MARKET_SKEW && file->rows == 1)
        file->count = 0;
    for (int k = 0; k < file->count; k++)
        draw_entry(file, &file->entry[k]);
    write_file(file);
}

static void add_to_position(position *to, int k, double re, double im, wide integer)
{
    if (to->count == 0)
        to->first = k;
    if (to->count == 1)
        to->second = k;
    to->re = to->count ? to->re + re : re;
    to->im = to->count ? to->im + im : im;
    to->integer += integer;
    to->count++;
}

static void fill_positions(const random_file *file, position positions[MOST_EDGE][MOST_EDGE])
{
    const double real_sign = file->symmetry == STN_MARKET_SKEW ? -1.0 : 1.0;
    const double imaginary_sign = file->symmetry == STN_MARKET_HERMITIAN ? -1.0 : real_sign;
    memset(positions, 0, sizeof(position[MOST_EDGE][MOST_EDGE]));
    for (int k = 0; k < file->count; k++) {
        const random_entry *const e = &file->entry[k];
        add_to_position(&positions[e->row][e->column], k, e->re, e->im, e->integer);
        if (file->symmetry != STN_MARKET_GENERAL && e->row != e->column)
            add_to_position(&positions[e->column][e->row], k, real_sign * e->re,
                            imaginary_sign * e->im, (wide)real_sign * e->integer);
    }
}

static void assert_value(const random_file *file, const stn_market_matrix *matrix, int64_t at,
                         const position *expected)
{
    const double *const reals = matrix->values;
    if (file->field == STN_MARKET_INTEGER)
        assert_true(((const int64_t *)matrix->values)[at] == expected->integer);
    else if (file->field == STN_MARKET_PATTERN)
        assert_true(reals[at] == 1.0);
    else if (file->field == STN_MARKET_REAL)
        assert_memory_equal(&reals[at], &expected->re, sizeof expected->re);
    else {
        assert_memory_equal(&reals[2 * at], &expected->re, sizeof expected->re);
        assert_memory_equal(&reals[2 * at + 1], &expected->im, sizeof expected->im);
    }
}

static void assert_matrix(const random_file *file, position positions[MOST_EDGE][MOST_EDGE],
                          const stn_market_matrix *matrix)
{
    int64_t at = 0, distinct = 0;
    for (int row = 0; row < file->rows; row++) {
        for (int column = 0; column < file->columns; column++) {
            const position *const expected = &positions[row][column];
            if (expected->count == 0)
                continue;
            assert_true(at < matrix->row_start[row + 1]);
            assert_int_equal(matrix->column[at], column);
            assert_value(file, matrix, at++, expected);
            distinct += file->symmetry == STN_MARKET_GENERAL || column <= row;
        }
        assert_int_equal(matrix->row_start[row + 1], at);
    }
    assert_int_equal(matrix->entries, at);
    assert_int_equal(matrix->stored, file->count);
    assert_int_equal(matrix->summed, file->count - distinct);
}

/* The first repeated position, row by row; NULL: none. */
static const position *first_repeated(const random_file *file,
                                      position positions[MOST_EDGE][MOST_EDGE])
{
    for (int row = 0; row < file->rows; row++)
        for (int column = 0; column < file->columns; column++)
            if (positions[row][column].count > 1)
                return &positions[row][column];
    return NULL;
}

static void assert_repeated_is_refused(const random_file *file, const position *repeated)
{
    char sentence[256];
    const random_entry *first = &file->entry[repeated->first];
    const random_entry *second = &file->entry[repeated->second];
    snprintf(sentence, sizeof sentence,
             "a.mtx:%d: row %d, column %d is repeated: line %d has %s; STN_MARKET_SUM adds "
             "repeated entries",
             second->line, second->row + 1, second->column + 1, first->line,
             first->row == second->row ? "the same position" : "the mirrored position");
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_error(read_text(file->text, 0, &matrix), STN_ERR_PARSE, sentence);
}

/* 0 when an integer sum is beyond 64 bits, which happens to some of the files. */
static int sums_fit(const random_file *file, position positions[MOST_EDGE][MOST_EDGE])
{
    for (int row = 0; row < file->rows; row++)
        for (int column = 0; column < file->columns; column++)
            if (positions[row][column].integer > INT64_MAX ||
                positions[row][column].integer < INT64_MIN)
                return file->field != STN_MARKET_INTEGER;
    return 1;
}

static void check_file(const random_file *file, int *refused, int *too_large)
{
    position positions[MOST_EDGE][MOST_EDGE];
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    fill_positions(file, positions);
    const position *const repeated = first_repeated(file, positions);
    const stn_status status = read_text(file->text, STN_MARKET_SUM, &matrix);
    if (!sums_fit(file, positions)) {
        assert_int_equal(status, STN_ERR_RANGE);
        ++*too_large;
    } else {
        assert_int_equal(status, STN_OK);
        assert_matrix(file, positions, &matrix);
        stn_market_release(&matrix);
    }
    *refused += repeated != NULL;
    if (repeated) {
        assert_repeated_is_refused(file, repeated);
    } else {
        expect_ok(read_text(file->text, 0, &matrix));
        assert_matrix(file, positions, &matrix);
        stn_market_release(&matrix);
    }
}

UNIT_TEST(random_files_are_summed)
{
    static const struct {
        stn_market_field field;
        stn_market_symmetry last;
    } kinds[] = {{STN_MARKET_REAL, STN_MARKET_SKEW},
                 {STN_MARKET_INTEGER, STN_MARKET_SKEW},
                 {STN_MARKET_COMPLEX, STN_MARKET_HERMITIAN},
                 {STN_MARKET_PATTERN, STN_MARKET_SYMMETRIC}};
    int refused = 0, too_large = 0, all = 0;
    for (int k = 0; k < COUNT_OF(kinds); k++)
        for (int symmetry = 0; symmetry <= (int)kinds[k].last; symmetry++)
            for (int n = 0; n < 500; n++, all++) {
                random_file file;
                draw_file(kinds[k].field, (stn_market_symmetry)symmetry, &file);
                check_file(&file, &refused, &too_large);
            }
    assert_true(refused > all / 2 && refused < all);
    assert_true(too_large > 10);
}

/* ---- limits ---- */

UNIT_TEST(integers_are_summed_exactly)
{
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_ok(read_text(INTEGER "1 1 4\n1 1 9223372036854775807\n1 1 9223372036854775807\n"
                                "1 1 -9223372036854775808\n1 1 -9223372036854775807\n",
                        STN_MARKET_SUM, &matrix));
    assert_int_equal(((const int64_t *)matrix.values)[0], -1);
    assert_int_equal(matrix.summed, 3);
    stn_market_release(&matrix);
}

/* One position a million times, in a matrix that has two; 0.1 is added in the order of the file. */
UNIT_TEST(many_entries_for_one_position)
{
    enum { ENTRIES = 1000000 };
    const char *const path = "market-repeated.mtx.gz";
    gzFile file = gzopen(path, "wb1");
    assert_non_null(file);
    gzprintf(file, "%s1 2 %d\n", REAL, ENTRIES);
    double sum = 0.0;
    for (int n = 0; n < ENTRIES; n++) {
        gzprintf(file, "1 %d 0.1\n", 1 + (n == 77));
        sum += n == 77 ? 0.0 : 0.1;
    }
    assert_int_equal(gzclose(file), Z_OK);
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_ok(stn_market_read_file(&matrix, path, STN_MARKET_SUM));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(matrix.entries, 2);
    assert_int_equal(matrix.summed, ENTRIES - 2);
    assert_true(((const double *)matrix.values)[0] == sum);
    stn_market_release(&matrix);
}

/* A row in descending order, each column three times, needs sorting that keeps equal ones in
 * order. */
UNIT_TEST(long_rows_keep_the_order_of_the_file)
{
    enum { COLUMNS = 5003, PIECE = 64 };
    static char text[3 * COLUMNS * PIECE + 128];
    static const char *const values[] = {"9007199254740992", "1", "-9007199254740992"};
    size_t at = (size_t)snprintf(text, sizeof text, "%s1 %d %d\n", REAL, COLUMNS, 3 * COLUMNS);
    for (int pass = 0; pass < 3; pass++)
        for (int n = COLUMNS; n > 0; n--)
            at += (size_t)snprintf(text + at, sizeof text - at, "1 %d %s\n", n,
                                   values[(n + pass) % 3]);
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_ok(read_text(text, STN_MARKET_SUM, &matrix));
    assert_int_equal(matrix.entries, COLUMNS);
    for (int64_t k = 0; k < COLUMNS; k++) /* big + 1 is big; 1 - big + big is 1 */
        assert_true(((const double *)matrix.values)[k] == ((k + 1) % 3 == 0 ? 0.0 : 1.0));
    stn_market_release(&matrix);
}

UNIT_TEST(results_do_not_depend_on_the_rounding_mode)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const char *const text = REAL "1 2 3\n1 1 0.1\n1 2 0.333333333333333333333333333\n1 1 0.2\n";
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    for (int m = 0; m < COUNT_OF(modes); m++) {
        assert_int_equal(fesetround(modes[m]), 0);
        const stn_status status = read_text(text, STN_MARKET_SUM, &matrix);
        const stn_status written =
            status == STN_OK ? stn_market_write_file(&matrix, "market-modes.mtx") : status;
        const int kept = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(kept, modes[m]);
        assert_int_equal(written, STN_OK);
        const double *const values = matrix.values;
        assert_true(values[0] == 0.1 + 0.2 && values[1] == 1.0 / 3.0);
        stn_market_release(&matrix);
        expect_ok(stn_market_read_file(&matrix, "market-modes.mtx", 0));
        assert_true(((const double *)matrix.values)[0] == 0.1 + 0.2);
        stn_market_release(&matrix);
    }
    assert_int_equal(unlink("market-modes.mtx"), 0);
}

UNIT_TEST(patterns_with_values_are_read)
{
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_ok(read_text(
        BANNER("coordinate pattern symmetric") "3 3 4\n1 1\n2 1 5.5\n3 1\t1 -2e3 \n3 3\t\r\n", 0,
        &matrix));
    assert_int_equal(matrix.unused_values, 3);
    assert_int_equal(matrix.entries, 6);
    stn_market_release(&matrix);
    expect_ok(read_text(BANNER("coordinate pattern general") "1 1 2\n1 1 5\n1 1 7\n",
                        STN_MARKET_SUM, &matrix));
    assert_int_equal(matrix.unused_values, 2);
    assert_int_equal(matrix.summed, 1);
    assert_true(((const double *)matrix.values)[0] == 1.0);
    stn_market_release(&matrix);
}

RUN_UNIT_TESTS(NULL, NULL)
