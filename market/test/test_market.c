/* The Matrix Market reader on files it must accept: every form and way of writing. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "core/memory.h"
#include "market_read.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ACCEPTED STENO_TEST_DATA "/market/accepted/"

enum { MANY = 9, SPARSE = 0, DENSE = 1 };

/* A file and the matrix in it, written out in full: real parts, imaginary parts or integers. */
typedef struct accepted {
    const char *file;
    stn_market_field field;
    stn_market_symmetry symmetry;
    int dense;
    int64_t rows, columns, stored, entries;
    double re[MANY], im[MANY];
    int64_t integer[MANY];
} accepted;

/* clang-format off */
static const accepted cases[] = {
    {"coordinate-real-general.mtx", STN_MARKET_REAL, STN_MARKET_GENERAL, SPARSE,
     2, 3, 4, 4, .re = {1.5, 0, 0, -2, 0, 1e-3}},
    {"coordinate-real-symmetric.mtx", STN_MARKET_REAL, STN_MARKET_SYMMETRIC, SPARSE,
     3, 3, 4, 6, .re = {4, -1, 0, -1, 0, 0.5, 0, 0.5, 2}},
    {"coordinate-real-skew.mtx", STN_MARKET_REAL, STN_MARKET_SKEW, SPARSE,
     3, 3, 2, 4, .re = {0, -3, 0, 3, 0, 0.25, 0, -0.25, 0}},
    {"coordinate-integer-general.mtx", STN_MARKET_INTEGER, STN_MARKET_GENERAL, SPARSE,
     2, 2, 3, 3, .integer = {INT64_MAX, INT64_MIN, 0, 7}},
    {"coordinate-integer-symmetric.mtx", STN_MARKET_INTEGER, STN_MARKET_SYMMETRIC, SPARSE,
     2, 2, 2, 3, .integer = {5, -6, -6, 0}},
    {"coordinate-integer-skew.mtx", STN_MARKET_INTEGER, STN_MARKET_SKEW, SPARSE,
     2, 2, 1, 2, .integer = {0, INT64_MAX, -INT64_MAX, 0}},
    {"coordinate-complex-general.mtx", STN_MARKET_COMPLEX, STN_MARKET_GENERAL, SPARSE,
     2, 2, 2, 2, .re = {0, 1, 0.5, 0}, .im = {0, -2, 3, 0}},
    {"coordinate-complex-symmetric.mtx", STN_MARKET_COMPLEX, STN_MARKET_SYMMETRIC, SPARSE,
     2, 2, 2, 3, .re = {1, 3, 3, 0}, .im = {2, 4, 4, 0}},
    {"coordinate-complex-skew.mtx", STN_MARKET_COMPLEX, STN_MARKET_SKEW, SPARSE,
     2, 2, 1, 2, .re = {0, -3, 3, 0}, .im = {0, -4, 4, 0}},
    {"coordinate-complex-hermitian.mtx", STN_MARKET_COMPLEX, STN_MARKET_HERMITIAN, SPARSE,
     2, 2, 2, 3, .re = {1, 3, 3, 0}, .im = {0, -4, 4, 0}},
    {"coordinate-pattern-general.mtx", STN_MARKET_PATTERN, STN_MARKET_GENERAL, SPARSE,
     2, 3, 2, 2, .re = {0, 0, 1, 1, 0, 0}},
    {"coordinate-pattern-symmetric.mtx", STN_MARKET_PATTERN, STN_MARKET_SYMMETRIC, SPARSE,
     3, 3, 2, 3, .re = {0, 1, 0, 1, 0, 0, 0, 0, 1}},
    {"coordinate-pattern-with-values.mtx", STN_MARKET_PATTERN, STN_MARKET_GENERAL, SPARSE,
     2, 2, 3, 3, .re = {1, 1, 0, 1}},
    {"array-real-general.mtx", STN_MARKET_REAL, STN_MARKET_GENERAL, DENSE,
     2, 3, 6, 6, .re = {1, 3, 5, 2, 4, 6}},
    {"array-real-symmetric.mtx", STN_MARKET_REAL, STN_MARKET_SYMMETRIC, DENSE,
     3, 3, 6, 9, .re = {1, 2, 3, 2, 4, 5, 3, 5, 6}},
    {"array-real-skew.mtx", STN_MARKET_REAL, STN_MARKET_SKEW, DENSE,
     3, 3, 3, 9, .re = {0, -1, -2, 1, 0, -3, 2, 3, 0}},
    {"array-integer-general.mtx", STN_MARKET_INTEGER, STN_MARKET_GENERAL, DENSE,
     1, 2, 2, 2, .integer = {INT64_MIN, 3}},
    {"array-integer-symmetric.mtx", STN_MARKET_INTEGER, STN_MARKET_SYMMETRIC, DENSE,
     2, 2, 3, 4, .integer = {1, 2, 2, 3}},
    {"array-integer-skew.mtx", STN_MARKET_INTEGER, STN_MARKET_SKEW, DENSE,
     2, 2, 1, 4, .integer = {0, -4, 4, 0}},
    {"array-complex-general.mtx", STN_MARKET_COMPLEX, STN_MARKET_GENERAL, DENSE,
     1, 2, 2, 2, .re = {1, 3}, .im = {2, -4}},
    {"array-complex-symmetric.mtx", STN_MARKET_COMPLEX, STN_MARKET_SYMMETRIC, DENSE,
     2, 2, 3, 4, .re = {1, 3, 3, 5}, .im = {2, 4, 4, 6}},
    {"array-complex-skew.mtx", STN_MARKET_COMPLEX, STN_MARKET_SKEW, DENSE,
     2, 2, 1, 4, .re = {0, -3, 3, 0}, .im = {0, -4, 4, 0}},
    {"array-complex-hermitian.mtx", STN_MARKET_COMPLEX, STN_MARKET_HERMITIAN, DENSE,
     2, 2, 3, 4, .re = {1, 3, 3, 5}, .im = {0, -4, 4, 0}},
    {"entries-in-any-order.mtx", STN_MARKET_REAL, STN_MARKET_GENERAL, SPARSE,
     2, 4, 6, 6, .re = {11, 12, 13, 14, 0, 22, 0, 24}},
    {"entries-in-both-triangles.mtx", STN_MARKET_COMPLEX, STN_MARKET_HERMITIAN, SPARSE,
     3, 3, 3, 6, .re = {0, 1, 3, 1, 0, 5, 3, 5, 0}, .im = {0, 2, -4, -2, 0, 6, 4, -6, 0}},
    {"crlf-blanks-and-case.mtx", STN_MARKET_REAL, STN_MARKET_GENERAL, SPARSE,
     2, 2, 2, 2, .re = {1, 0, 0, -3}},
    {"no-newline-at-the-end.mtx", STN_MARKET_INTEGER, STN_MARKET_GENERAL, SPARSE,
     1, 2, 1, 1, .integer = {0, 8}},
    {"fortran-exponents.mtx", STN_MARKET_REAL, STN_MARKET_GENERAL, DENSE,
     5, 1, 5, 5, .re = {1000, -0.25, 3, 400, 5}},
    {"nul-byte-in-a-comment.mtx", STN_MARKET_REAL, STN_MARKET_GENERAL, SPARSE,
     1, 1, 1, 1, .re = {1}},
    {"no-entries.mtx", STN_MARKET_REAL, STN_MARKET_GENERAL, SPARSE,
     2, 2, 0, 0, .re = {0}},
    {"skew-of-one-row.mtx", STN_MARKET_REAL, STN_MARKET_SKEW, DENSE,
     1, 1, 0, 1, .re = {0}},
    {"compressed.mtx.gz", STN_MARKET_PATTERN, STN_MARKET_SYMMETRIC, SPARSE,
     3, 3, 1, 2, .re = {0, 0, 1, 0, 0, 0, 1, 0, 0}},
    {"two-gzip-members.mtx.gz", STN_MARKET_REAL, STN_MARKET_GENERAL, SPARSE,
     2, 2, 1, 1, .re = {0, 0, 7, 0}},
};
/* clang-format on */
enum { CASES = COUNT_OF(cases) };

static void assert_sound(const stn_market_matrix *matrix)
{
    const char *fault = market_fault(matrix);
    if (fault)
        fail_msg("%s", fault);
}

static void assert_element(const accepted *expected, int64_t at, const stn_market_matrix *matrix,
                           int64_t k)
{
    if (matrix->field == STN_MARKET_INTEGER) {
        assert_int_equal(((const int64_t *)matrix->values)[k], expected->integer[at]);
    } else if (matrix->field == STN_MARKET_COMPLEX) {
        assert_true(((const stn_c128 *)matrix->values)[k].re == expected->re[at]);
        assert_true(((const stn_c128 *)matrix->values)[k].im == expected->im[at]);
    } else {
        assert_true(((const double *)matrix->values)[k] == expected->re[at]);
    }
}

/* Elements that are not stored are expected to be zero. */
static void assert_elements(const accepted *expected, const stn_market_matrix *matrix)
{
    for (int64_t at = 0; at < matrix->rows * matrix->columns; at++) {
        const int64_t k = market_find(matrix, at / matrix->columns, at % matrix->columns);
        if (k >= 0)
            assert_element(expected, at, matrix, k);
        else
            assert_true(expected->re[at] == 0 && expected->im[at] == 0 &&
                        expected->integer[at] == 0);
    }
}

UNIT_TEST(every_form_is_read)
{
    for (int c = 0; c < CASES; c++) {
        char path[4096];
        snprintf(path, sizeof path, ACCEPTED "%s", cases[c].file);
        stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
        expect_ok(stn_market_read_file(&matrix, path, 0));
        print_message("           %s\n", cases[c].file);
        assert_sound(&matrix);
        assert_int_equal(matrix.field, cases[c].field);
        assert_int_equal(matrix.symmetry, cases[c].symmetry);
        assert_int_equal(matrix.storage, cases[c].dense);
        assert_int_equal(matrix.rows, cases[c].rows);
        assert_int_equal(matrix.columns, cases[c].columns);
        assert_int_equal(matrix.stored, cases[c].stored);
        assert_int_equal(matrix.entries, cases[c].entries);
        assert_elements(&cases[c], &matrix);
        stn_market_release(&matrix);
        assert_true(market_is_empty(&matrix));
    }
}

/* No file of the folder is forgotten in the table above. */
UNIT_TEST(every_file_has_its_case)
{
    DIR *folder = opendir(ACCEPTED);
    assert_non_null(folder);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        files += entry->d_name[0] != '.';
    closedir(folder);
    assert_int_equal(files, CASES);
}

UNIT_TEST(explicit_zeros_are_kept)
{
    const char *text = BANNER("coordinate real symmetric") "2 2 2\n1 1 0\n2 1 -0.0\n";
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_ok(market_read_memory(text, strlen(text), 0, &matrix));
    assert_int_equal(matrix.entries, 3);
    assert_true(signbit(((const double *)matrix.values)[1]));
    stn_market_release(&matrix);
}

/* A line may end just where the buffer does, and lines and gzip blocks meet anywhere. */
UNIT_TEST(lines_across_blocks_are_whole)
{
    const char *const path = "market-blocks.mtx";
    enum { ENTRIES = 100000 };
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    gzprintf(file, "%%%%MatrixMarket matrix coordinate integer general\n%%");
    for (int n = 0; n < STN_TEXT_LINE - 2; n++) /* the longest line there may be */
        gzputc(file, 'x');
    gzprintf(file, "\n%d 1 %d\n", ENTRIES, ENTRIES);
    for (int n = ENTRIES; n > 0; n--)
        gzprintf(file, "%d 1 %d\n", n, 7 * n);
    assert_int_equal(gzclose(file), Z_OK);
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_ok(stn_market_read_file(&matrix, path, 0));
    unlink(path);
    assert_sound(&matrix);
    for (int n = 0; n < ENTRIES; n++)
        assert_int_equal(((const int64_t *)matrix.values)[n], 7 * (n + 1));
    stn_market_release(&matrix);
}

/* Long rows in descending and in mixed order. */
UNIT_TEST(long_rows_are_sorted)
{
    enum { COLUMNS = 1009 };
    static char text[COLUMNS * 24 + 128];
    size_t length = (size_t)snprintf(text, sizeof text,
                                     "%%%%MatrixMarket matrix coordinate real general\n2 %d %d\n",
                                     COLUMNS, 2 * COLUMNS);
    for (int n = 0; n < COLUMNS; n++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "1 %d %d\n2 %d %d\n", COLUMNS - n,
                             COLUMNS - n, (n * 577) % COLUMNS + 1, (n * 577) % COLUMNS + 1);
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_ok(market_read_memory(text, length, 0, &matrix));
    for (int64_t k = 0; k < matrix.entries; k++)
        assert_true(((const double *)matrix.values)[k] == matrix.column[k] + 1);
    stn_market_release(&matrix);
}

/* A file, or a text whose entries are summed. */
static stn_status read_case(const char *name, stn_market_matrix *matrix)
{
    char path[4096];
    if (strchr(name, '%'))
        return market_read_memory(name, strlen(name), STN_MARKET_SUM, matrix);
    snprintf(path, sizeof path, ACCEPTED "%s", name);
    memset(matrix, 0x5a, sizeof *matrix);
    matrix->size = sizeof *matrix;
    const stn_status status = stn_market_read_file(matrix, path, 0);
    assert_true(status == STN_OK || market_is_empty(matrix));
    return status;
}

UNIT_TEST(every_allocation_may_fail)
{
    static const struct {
        const char *name;
        int allocations;
    } all[] = {{"coordinate-complex-hermitian.mtx", 3},
               {"array-real-skew.mtx", 3},
               {"coordinate-pattern-symmetric.mtx", 3},
               {"compressed.mtx.gz", 3},
               {BANNER("coordinate complex hermitian") "3 3 4\n3 1 1 2\n%\n1 3 3 4\n\n2 1 5 6\n"
                                                       "1 2 1 1\n",
                8}};
    for (int k = 0; k < COUNT_OF(all); k++) {
        stn_status status = STN_ERR_MEMORY;
        int failures = -1;
        for (int64_t nth = 1; status == STN_ERR_MEMORY; nth++, failures++) {
            stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
            stn_fail_allocation(nth);
            status = read_case(all[k].name, &matrix);
            stn_fail_allocation(0);
            assert_true(status == STN_OK || status == STN_ERR_MEMORY);
            stn_market_release(&matrix);
        }
        assert_true(failures >= all[k].allocations);
    }
}

RUN_UNIT_TESTS(NULL, NULL)
