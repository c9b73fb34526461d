/* Files that the Matrix Market reader refuses: a status, and a message with line and reason. The
 * matrix is empty. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "market_read.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define REFUSED STENO_TEST_DATA "/market/refused/"
#define LENIENT "; STN_MARKET_LENIENT accepts it"

enum { PARSE = STN_ERR_PARSE, RANGE = STN_ERR_RANGE, UNSUPPORTED = STN_ERR_UNSUPPORTED };

typedef struct refused {
    int status;
    const char *text, *message; /* after "a.mtx:" */
} refused;

static const refused texts[] = {
    /* banners */
    {PARSE, "", " the file is empty"},
    {PARSE, "1 1 1\n", "1: not a Matrix Market file: it does not begin with %%MatrixMarket"},
    {PARSE, "\n" REAL "1 1 0\n",
     "1: not a Matrix Market file: it does not begin with %%MatrixMarket; STN_MARKET_LENIENT "
     "accepts a byte-order mark and white space before it"},
    {PARSE, "%%MatrixMarket vector coordinate real general\n",
     "1: the object is 'vector', not matrix"},
    {PARSE, BANNER("list real general"), "1: the form is 'list', not coordinate or array"},
    {PARSE, BANNER("array quaternion general"),
     "1: the field is 'quaternion', not real, integer, complex or pattern"},
    {PARSE, BANNER("array real Lopsided"),
     "1: the symmetry is 'lopsided', not general, symmetric, skew-symmetric or hermitian"},
    {PARSE, BANNER("array real"), "1: the banner ends before the symmetry"},
    {PARSE, "%%MatrixMarket matrix", "1: the banner ends before the form"},
    {PARSE, BANNER("array real general today"), "1: 'today' after the end of the banner"},
    {PARSE, BANNER("array real ge\x01\xc3ral"),
     "1: the symmetry is 'ge??ral', not general, symmetric, skew-symmetric or hermitian"},
    {PARSE, BANNER("array pattern general"), "1: an array of field pattern has no values"},
    {PARSE, BANNER("coordinate pattern skew-symmetric"), "1: a pattern cannot be skew-symmetric"},
    {PARSE, BANNER("coordinate real hermitian"),
     "1: a hermitian matrix must be complex, not real; STN_MARKET_LENIENT reads it as symmetric"},
    /* size lines */
    {PARSE, REAL "% only a comment\n", "2: the file ends before the size line"},
    {PARSE, REAL "2 2\n", "2: no number of entries in the size line"},
    {PARSE, REAL "2 x 1\n", "2: 'x' is not a number of columns"},
    {PARSE, REAL "2.5 2 1\n", "2: '2.5' is not a number of rows"},
    {RANGE, REAL "0 2 0\n", "2: the number of rows is 0, less than 1"},
    {RANGE, REAL "2 -3 0\n", "2: the number of columns is -3, less than 1"},
    {RANGE, REAL "2 2 -1\n", "2: the number of entries is -1, less than 0"},
    {PARSE, REAL "2 2 1 7\n", "2: '7' after the end of the size line"},
    {RANGE, REAL "9223372036854775808 2 1\n",
     "2: the number of rows, 9223372036854775808, is beyond 64 bits"},
    {PARSE, REAL "99999999999999999999e-5 2 1\n",
     "2: '99999999999999999999e-5' is not a number of rows"},
    {UNSUPPORTED, REAL "2 2147483648 1\n",
     "2: 2 rows and 2147483648 columns: more than 2147483647 are not supported"},
    {PARSE, REAL "2 2 5\n1 1 1\n",
     "3: the file ends after 1 of 5 entries, which are more than the matrix has positions"},
    {PARSE, BANNER("coordinate real symmetric") "1 1 2\n1 1 1\n1 1 2\n",
     "4: row 1, column 1 is repeated: line 3 has the same position; STN_MARKET_SUM adds repeated "
     "entries"},
    {PARSE, BANNER("coordinate real skew-symmetric") "2 2 2\n1 1 0\n2 1 5\n",
     "3: a skew-symmetric matrix has no diagonal entries; STN_MARKET_LENIENT accepts explicit "
     "zeros"},
    {PARSE, BANNER("coordinate real skew-symmetric") "2 2 2\n1 1 7\n2 1 5\n",
     "3: a skew-symmetric matrix has no diagonal entries"},
    {PARSE, BANNER("array integer symmetric") "3 2\n", "2: 3 x 2 cannot be symmetric"},
    {PARSE, BANNER("coordinate real skew-symmetric") "2 3 1\n2 1 1\n",
     "2: 2 x 3 cannot be skew-symmetric"},
    /* sizes of terabytes, for files with one entry */
    {UNSUPPORTED, REAL "1000000000000 1 1\n1 1 1\n",
     "2: 1000000000000 rows and 1 columns: more than 2147483647 are not supported"},
    {UNSUPPORTED, REAL "2147483647 1 1\n1 1 1\n",
     "2: 2147483647 rows with 1 entries: beyond 8388608 rows, a matrix must have one entry for "
     "every 16 additional rows"},
    {PARSE, REAL "2000000 2000000 1000000000000\n1 1 1\n",
     "3: the file ends after 1 of 1000000000000 entries"},
    {PARSE, REAL "2147483647 2147483647 4611686014132420609\n1 1 1\n",
     "3: the file ends after 1 of 4611686014132420609 entries"},
    {PARSE, BANNER("array complex general") "2147483647 2147483647\n1 1\n",
     "3: the file ends after 1 of 4611686014132420609 entries"},
    {PARSE, BANNER("array real skew-symmetric") "2147483647 2147483647\n",
     "2: the file ends after 0 of 2305843005992468481 entries"},
    /* numbers of entries */
    {PARSE, REAL "2 2 2\n1 1 1\n\n", "4: the file ends after 1 of 2 entries"},
    {PARSE, REAL "2 2 1\n1 1 1\n%\n2 2 1\n", "5: more entries than the 1 of the size line"},
    {PARSE, REAL "2 2 0\n1 1 1\n", "3: more entries than the 0 of the size line"},
    {PARSE, BANNER("array real symmetric") "2 2\n1\n2\n", "4: the file ends after 2 of 3 entries"},
    {PARSE, BANNER("array real general") "1 1\n1\n2\n",
     "4: more entries than the 1 of the size line"},
    /* indices */
    {RANGE, REAL "10 9 1\n12 1 1\n", "3: row index 12 exceeds the 10 rows of the size line"},
    {RANGE, REAL "10 9 1\n10 10 1\n", "3: column index 10 exceeds the 9 columns of the size line"},
    {RANGE, REAL "10 9 1\n4294967297 1 1\n",
     "3: row index 4294967297 exceeds the 10 rows of the size line"},
    {RANGE, REAL "10 9 1\n18446744073709551617 1 1\n",
     "3: row index 18446744073709551617 exceeds the 10 rows of the size line"},
    {RANGE, REAL "10 9 1\n0 1 1\n", "3: row index 0: indices begin at 1"},
    {RANGE, REAL "10 9 1\n1 -1 1\n", "3: column index -1: indices begin at 1"},
    {PARSE, REAL "10 9 1\n1.0 1 1\n", "3: '1.0' is not a row index"},
    {PARSE, REAL "10 9 1\n1 two 1\n", "3: 'two' is not a column index"},
    {PARSE, REAL "10 9 1\n1\n", "3: the line ends before the column index"},
    /* values */
    {RANGE, REAL "1 1 1\n1 1 nan\n", "3: the value nan is not finite" LENIENT},
    {RANGE, REAL "1 1 1\n1 1 -Infinity\n", "3: the value -infinity is not finite" LENIENT},
    {RANGE, REAL "1 1 1\n1 1 1e309\n",
     "3: the value 1e309 is beyond the range of double; STN_MARKET_LENIENT reads it as infinity"},
    {RANGE, REAL "1 1 1\n1 1 +INF\n", "3: the value +inf is not finite" LENIENT},
    {PARSE, REAL "1 1 1\n1 1 nano\n", "3: the value 'nano' is not a number"},
    {PARSE, REAL "1 1 1\n1 1 1e309x\n", "3: the value '1e309x' is not a number"},
    {PARSE, REAL "1 1 1\n1 1\n", "3: the line ends before the value"},
    {PARSE, REAL "1 1 1\n1 1 x\n", "3: the value 'x' is not a number"},
    {PARSE, REAL "1 1 1\n1 1 .\n", "3: the value '.' is not a number"},
    {PARSE, REAL "1 1 1\n1 1 1e\n", "3: the value '1e' is not a number"},
    {PARSE, REAL "1 1 1\n1 1 1,5\n", "3: the value '1,5' is not a number"},
    {PARSE, REAL "1 1 1\n1 1 0x10\n", "3: the value '0x10' is not a number"},
    {PARSE, REAL "1 1 1\n1 1 1 1\n", "3: '1' after the end of the entry"},
    {PARSE, REAL "1 1 1\n1 1 1 % one\n",
     "3: '%' after the end of the entry; STN_MARKET_LENIENT accepts trailing comments"},
    {PARSE, BANNER("coordinate complex general") "1 1 1\n1 1 1\n",
     "3: the line ends before the imaginary part"},
    {RANGE, BANNER("coordinate complex general") "1 1 1\n1 1 1 inf\n",
     "3: the imaginary part inf is not finite" LENIENT},
    {RANGE, BANNER("coordinate integer general") "1 1 1\n1 1 9223372036854775808\n",
     "3: the value 9223372036854775808 is beyond the range of 64-bit integers"},
    {PARSE, BANNER("coordinate integer general") "1 1 1\n1 1 2.0\n",
     "3: the value '2.0' is not an integer"},
    /* symmetries */
    {PARSE, BANNER("coordinate real skew-symmetric") "2 2 1\n2 2 0\n",
     "3: a skew-symmetric matrix has no diagonal entries; STN_MARKET_LENIENT accepts explicit "
     "zeros"},
    {RANGE, BANNER("coordinate integer skew-symmetric") "2 2 1\n2 1 -9223372036854775808\n",
     "3: -9223372036854775808 cannot be negated in 64 bits"},
    {PARSE, BANNER("coordinate complex hermitian") "2 2 1\n2 2 1 0.5\n",
     "3: a diagonal entry of a hermitian matrix has imaginary part 0.5"},
    {PARSE, BANNER("array complex hermitian") "2 2\n1 0\n1 2\n1 -3\n",
     "5: a diagonal entry of a hermitian matrix has imaginary part -3"},
    /* repeated positions */
    {PARSE, REAL "3 4 3\n2 4 1\n1 1 1\n2 4 1\n",
     "5: row 2, column 4 is repeated: line 3 has the same position; STN_MARKET_SUM adds repeated "
     "entries"},
    {PARSE, REAL "3 4 2\n%\n2 4 1\n\n\n2 4 2\n",
     "7: row 2, column 4 is repeated: line 4 has the same position; STN_MARKET_SUM adds repeated "
     "entries"},
    {PARSE, BANNER("coordinate pattern symmetric") "3 3 2\n2 3\n3 2\n",
     "4: row 3, column 2 is repeated: line 3 has the mirrored position; STN_MARKET_SUM adds "
     "repeated entries"},
    /* values of patterns */
    {PARSE, BANNER("coordinate pattern general") "1 1 1\n1 1 x\n",
     "3: the value 'x' is not a number"},
    {PARSE, BANNER("coordinate pattern general") "1 1 1\n1 1 1 2 3\n",
     "3: '3' after the end of the entry"},
};

/* With STN_MARKET_SUM. */
static const refused sums[] = {
    {RANGE, INTEGER "3 4 2\n2 4 9223372036854775807\n2 4 1\n",
     " the sum of the entries of row 2, column 4 exceeds the range of 64-bit integers"},
    /* -2^63 fits, its mirror image does not */
    {RANGE, BANNER("coordinate integer skew-symmetric") "2 2 2\n2 1 -9223372036854775807\n1 2 1\n",
     " the sum of the entries of row 1, column 2 exceeds the range of 64-bit integers"},
    {RANGE, REAL "2 2 2\n2 1 1e308\n2 1 1e308\n",
     " the sum of the entries of row 2, column 1 exceeds the range of doubles; STN_MARKET_LENIENT "
     "reads infinity"},
    {RANGE, BANNER("coordinate complex general") "1 1 2\n1 1 0 -1e308\n1 1 0 -1e308\n",
     " the sum of the entries of row 1, column 1 exceeds the range of doubles; STN_MARKET_LENIENT "
     "reads infinity"},
};

static void assert_refused(const refused *cases, int count, unsigned flags)
{
    for (int k = 0; k < count; k++) {
        stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
        const char *text = cases[k].text;
        const stn_status status = market_read_memory(text, strlen(text), flags, &matrix);
        if (status == STN_OK)
            fail_msg("accepted: %s", text);
        assert_memory_equal(stn_error(), "a.mtx:", 6);
        assert_string_equal(stn_error() + 6, cases[k].message);
        assert_int_equal(status, cases[k].status);
    }
}

UNIT_TEST(refused_texts)
{
    assert_refused(texts, COUNT_OF(texts), 0);
    assert_refused(sums, COUNT_OF(sums), STN_MARKET_SUM);
}

/* A matrix with one row more per entry than the limit is refused. */
UNIT_TEST(rows_up_to_the_limit_are_read)
{
    char text[128];
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    for (int beyond = 0; beyond < 2; beyond++) {
        const int64_t rows = STN_FREE_ROWS + STN_ROWS_PER_ENTRY + beyond;
        snprintf(text, sizeof text, "%s%lld 1 1\n9 1\n", BANNER("coordinate pattern general"),
                 (long long)rows);
        assert_int_equal(market_read_memory(text, strlen(text), 0, &matrix),
                         beyond ? STN_ERR_UNSUPPORTED : STN_OK);
        stn_market_release(&matrix);
    }
}

UNIT_TEST(nul_bytes_and_overlong_lines)
{
    static const char entry[] = REAL "1 1 1\n1 1 \0001\n";
    const size_t banner = strlen(REAL), size = banner + STN_TEXT_LINE + 1;
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    char *text = malloc(size);
    assert_non_null(text);
    expect_error(market_read_memory(entry, sizeof entry - 1, 0, &matrix), STN_ERR_PARSE,
                 "a.mtx:3: the value '?1' is not a number");
    memcpy(text, REAL, banner);
    memset(text + banner, '%', size - banner);
    text[size - 1] = '\n';
    expect_error(market_read_memory(text, size, 0, &matrix), STN_ERR_PARSE,
                 "a.mtx:2: the line is longer than 262144 bytes");
    free(text);
}

static void assert_path_refused(const char *path, unsigned flags, stn_status expected,
                                const char *sentence)
{
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    memset(&matrix, 0x5a, sizeof matrix);
    matrix.size = sizeof matrix;
    expect_error(stn_market_read_file(&matrix, path, flags), expected, sentence);
    assert_true(market_is_empty(&matrix));
}

UNIT_TEST(paths)
{
    assert_path_refused("none.mtx", 0, STN_ERR_IO,
                        "none.mtx: cannot be opened: No such file or directory");
    assert_path_refused(".", 0, STN_ERR_IO, ".: is a directory, not a file");
    assert_path_refused("a.mtx", 6, STN_ERR_ARGUMENT,
                        "a.mtx: flags 0x6: only STN_MARKET_SUM and STN_MARKET_LENIENT are defined");
    assert_path_refused(NULL, 0, STN_ERR_ARGUMENT, "");
    expect_error(stn_market_read_file(NULL, "none.mtx", 0), STN_ERR_ARGUMENT, NULL);
    char path[600];
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    assert_path_refused(path, 0, STN_ERR_IO, "xxx: cannot be opened: File name too long");
}

/* The first `size` bytes of a compressed file, one of them changed; reading them is refused. */
static void assert_damage_is_refused(const char *path, size_t size, size_t changed,
                                     const char *sentence)
{
    unsigned char bytes[4096];
    FILE *file = fopen(STENO_TEST_DATA "/market/accepted/compressed.mtx.gz", "rb");
    assert_non_null(file);
    const size_t whole = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    assert_true(whole > 70 && whole < sizeof bytes);
    if (size == 0)
        size = whole;
    bytes[changed < size ? changed : size - 1] ^= changed < size ? 0xff : 0;
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_path_refused(path, 0, STN_ERR_PARSE, sentence);
    assert_int_equal(unlink(path), 0);
}

UNIT_TEST(damaged_gzip)
{
    const char *const path = "market-damaged.mtx.gz",
                      *const early = "market-damaged.mtx.gz: the gzip data end too early";
    const size_t none = SIZE_MAX;
    assert_damage_is_refused(path, 2, none, early);
    assert_damage_is_refused(path, 12, none, early);
    assert_damage_is_refused(path, 60, none, early);
    assert_damage_is_refused(
        path, 0, 2, "market-damaged.mtx.gz: damaged gzip data: unknown compression method");
    assert_damage_is_refused(path, 0, 67,
                             "market-damaged.mtx.gz: damaged gzip data: incorrect data "
                             "check");
}

/* Inputs that were found by fuzzing or by reading the code, one file each. */
UNIT_TEST(every_file_of_the_folder)
{
    DIR *folder = opendir(REFUSED);
    assert_non_null(folder);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
        snprintf(path, sizeof path, REFUSED "%s", entry->d_name);
        if (stn_market_read_file(&matrix, path, 0) == STN_OK)
            fail_msg("accepted: %s", entry->d_name);
        assert_true(market_is_empty(&matrix));
        assert_non_null(strstr(stn_error(), ".mtx"));
        files++;
    }
    closedir(folder);
    assert_true(files > 0);
}

/* Structs of other sizes, and arrays that do not fit them. */
UNIT_TEST(wrapped_matrices)
{
    static const char call[] = "stn_market_wrap";
    int64_t starts[] = {0, 1, 2};
    int32_t columns[] = {0, 1};
    double values[] = {1.0, 2.0};
    const stn_market_matrix valid =
        STN_INIT(stn_market_matrix, .rows = 2, .columns = 2, .entries = 2, .row_start = starts,
                 .column = columns, .value_format = STN_F64, .values = values);
    const size_t sizes[] = {0, 8, 48, SIZE_MAX};
    stn_market_matrix matrix = valid;
    stn_matrix *a;
    expect_ok(stn_market_wrap(&a, &matrix, "a"));
    stn_matrix_release(a);
    for (int k = 0; k < COUNT_OF(sizes); k++) {
        matrix.size = sizes[k];
        expect_error(stn_market_wrap(&a, &matrix, "a"), STN_ERR_ARGUMENT, call);
        stn_market_release(&matrix);
        assert_ptr_equal(matrix.values, values);
    }
    matrix = valid;
    matrix.storage = (stn_market_storage)77;
    expect_error(stn_market_wrap(&a, &matrix, "a"), STN_ERR_ARGUMENT, "storage is 77");
    matrix = valid;
    matrix.entries = 3;
    expect_error(stn_market_wrap(&a, &matrix, "a"), STN_ERR_ARGUMENT,
                 "entries is 3, but the last element of row_start is 2");
}

RUN_UNIT_TESTS(NULL, NULL)
