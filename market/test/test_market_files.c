/* The Matrix Market reader on real matrices, if the folder with them is there: see its README for
 * where the numbers come from. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "market_read.h"

#include <stdio.h>
#include <unistd.h>

enum { SKIPPED = 77, UNKNOWN = -1 };

typedef struct real_matrix {
    const char *name;
    int64_t rows, columns, stored, entries;
    stn_market_symmetry symmetry;
    stn_market_field field;
    int64_t zeros;       /* entries that are zero, or UNKNOWN */
    int64_t diagonal;    /* entries on the diagonal, or UNKNOWN */
    int64_t longest_row; /* entries in it, or UNKNOWN */
} real_matrix;

/* clang-format off */
static const real_matrix matrices[] = {
    {"bcsstk16", 4884, 4884, 147631, 290378, STN_MARKET_SYMMETRIC, STN_MARKET_REAL,
     UNKNOWN, 4884, UNKNOWN},
    {"memplus", 17758, 17758, 126150, 126150, STN_MARKET_GENERAL, STN_MARKET_REAL,
     27003, UNKNOWN, 574},
    {"luxembourg_osm", 114599, 114599, 119666, 239332, STN_MARKET_SYMMETRIC, STN_MARKET_PATTERN,
     0, 0, 6},
    {"hangGlider_2", 1647, 1647, 7834, 14754, STN_MARKET_SYMMETRIC, STN_MARKET_REAL,
     UNKNOWN, 1647 - 733, 1463},
    {"west0479", 479, 479, 1910, 1910, STN_MARKET_GENERAL, STN_MARKET_REAL,
     22, 8, UNKNOWN},
    {"young1c", 841, 841, 4089, 4089, STN_MARKET_GENERAL, STN_MARKET_COMPLEX,
     UNKNOWN, UNKNOWN, UNKNOWN},
    {"lp_afiro", 27, 51, 102, 102, STN_MARKET_GENERAL, STN_MARKET_REAL,
     UNKNOWN, UNKNOWN, UNKNOWN},
    {"jazz", 198, 198, 2742, 5484, STN_MARKET_SYMMETRIC, STN_MARKET_INTEGER,
     0, 0, UNKNOWN},
};
/* clang-format on */
enum { MATRICES = COUNT_OF(matrices) };

static int is_zero_entry(const stn_market_matrix *matrix, int64_t k)
{
    if (matrix->field == STN_MARKET_INTEGER)
        return ((const int64_t *)matrix->values)[k] == 0;
    if (matrix->field == STN_MARKET_COMPLEX)
        return ((const stn_c128 *)matrix->values)[k].re == 0 &&
               ((const stn_c128 *)matrix->values)[k].im == 0;
    return ((const double *)matrix->values)[k] == 0;
}

static void assert_counts(const stn_market_matrix *matrix, const real_matrix *expected)
{
    int64_t zeros = 0, diagonal = 0, longest = 0;
    for (int64_t row = 0; row < matrix->rows; row++) {
        const int64_t begin = matrix->row_start[row], end = matrix->row_start[row + 1];
        longest = end - begin > longest ? end - begin : longest;
        for (int64_t k = begin; k < end; k++) {
            zeros += is_zero_entry(matrix, k);
            diagonal += matrix->column[k] == row;
        }
    }
    if (expected->zeros != UNKNOWN)
        assert_int_equal(zeros, expected->zeros);
    if (expected->diagonal != UNKNOWN)
        assert_int_equal(diagonal, expected->diagonal);
    if (expected->longest_row != UNKNOWN)
        assert_int_equal(longest, expected->longest_row);
}

static void read_real(const real_matrix *expected, stn_market_matrix *matrix)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.mtx.gz", STENO_SHARED_DATA, expected->name);
    print_message("           %s\n", expected->name);
    expect_ok(stn_market_read_file(matrix, path, 0));
    const char *fault = market_fault(matrix);
    if (fault)
        fail_msg("%s: %s", expected->name, fault);
}

static int is_folder_there(void)
{
    return access(STENO_SHARED_DATA, R_OK) == 0;
}

static void skip_without_folder(void)
{
    if (is_folder_there())
        return;
    print_message("skipped: there is no folder %s (STENO_SHARED_DATA)\n", STENO_SHARED_DATA);
    skip();
}

UNIT_TEST(real_matrices_have_their_counts)
{
    skip_without_folder();
    for (int m = 0; m < MATRICES; m++) {
        stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
        read_real(&matrices[m], &matrix);
        assert_int_equal(matrix.storage, 0);
        assert_int_equal(matrix.rows, matrices[m].rows);
        assert_int_equal(matrix.columns, matrices[m].columns);
        assert_int_equal(matrix.stored, matrices[m].stored);
        assert_int_equal(matrix.entries, matrices[m].entries);
        assert_int_equal(matrix.symmetry, matrices[m].symmetry);
        assert_int_equal(matrix.field, matrices[m].field);
        assert_counts(&matrix, &matrices[m]);
        stn_market_release(&matrix);
    }
}

UNIT_TEST(every_value_of_jazz_is_two)
{
    skip_without_folder();
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    read_real(&matrices[MATRICES - 1], &matrix);
    for (int64_t k = 0; k < matrix.entries; k++)
        assert_int_equal(((const int64_t *)matrix.values)[k], 2);
    stn_market_release(&matrix);
}

/* The bits of all values and positions, through plain text and through gzip. */
UNIT_TEST(real_matrices_survive_writing)
{
    skip_without_folder();
    const char *const paths[] = {"market-real.mtx", "market-real.mtx.gz"};
    for (int m = 0; m < MATRICES; m++) {
        stn_market_matrix matrix = STN_MARKET_MATRIX_INIT, back = STN_MARKET_MATRIX_INIT;
        read_real(&matrices[m], &matrix);
        expect_ok(stn_market_write_file(&matrix, paths[m % 2]));
        expect_ok(stn_market_read_file(&back, paths[m % 2], 0));
        market_assert_equal(&matrix, &back);
        stn_market_release(&matrix);
        stn_market_release(&back);
        unlink(paths[m % 2]);
    }
}

int main(void)
{
    const int failed = run_unit_tests("tests", NULL, NULL);
    return failed == 0 && !is_folder_there() ? SKIPPED : failed;
}
