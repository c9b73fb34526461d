/* The Matrix Market reader on files it must refuse: a status and one sentence that says where and
 * why, nothing in the matrix, nothing leaked. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "core/memory.h"
#include "market/market.h"
#include "market_check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define REFUSED       STENO_TEST_DATA "/market/refused/"
#define BANNER(words) "%%MatrixMarket matrix " words "\n"
#define REAL          BANNER("coordinate real general")
#define LENIENT       "; STN_MARKET_LENIENT accepts it"

typedef struct refused {
    const char *text;
    stn_status status;
    const char *sentence;
} refused;

static stn_status read_memory(const char *text, size_t size, stn_market_matrix *matrix)
{
    stn_text source;
    STN_TRY(stn_text_open_memory(&source, "a.mtx", text, size));
    memset(matrix, 0x5a, sizeof *matrix);
    const stn_status status = stn_market_read(&source, 0, matrix);
    stn_text_close(&source);
    return status;
}

static void assert_refused(const refused *cases, size_t count)
{
    for (size_t c = 0; c < count; c++) {
        stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
        const stn_status status = read_memory(cases[c].text, strlen(cases[c].text), &matrix);
        if (status == STN_OK)
            fail_msg("accepted: %s", cases[c].text);
        assert_string_equal(stn_error(), cases[c].sentence);
        assert_string_equal(stn_status_name(status), stn_status_name(cases[c].status));
        assert_true(market_is_empty(&matrix));
    }
}

#define ASSERT_REFUSED(cases) assert_refused(cases, sizeof(cases) / sizeof(cases)[0])

TEST_CASE(banners)
{
    const refused cases[] = {
        {"", STN_ERR_PARSE, "a.mtx: the file is empty"},
        {"1 1 1\n", STN_ERR_PARSE,
         "a.mtx:1: not a Matrix Market file: it does not begin with %%MatrixMarket"},
        {"\n" REAL "1 1 0\n", STN_ERR_PARSE,
         "a.mtx:1: not a Matrix Market file: it does not begin with %%MatrixMarket; "
         "STN_MARKET_LENIENT accepts a byte-order mark and white space before it"},
        {"%%MatrixMarket vector coordinate real general\n", STN_ERR_PARSE,
         "a.mtx:1: the object is 'vector', not matrix"},
        {BANNER("list real general"), STN_ERR_PARSE,
         "a.mtx:1: the form is 'list', not coordinate or array"},
        {BANNER("array quaternion general"), STN_ERR_PARSE,
         "a.mtx:1: the field is 'quaternion', not real, integer, complex or pattern"},
        {BANNER("array real Lopsided"), STN_ERR_PARSE,
         "a.mtx:1: the symmetry is 'lopsided', not general, symmetric, skew-symmetric or "
         "hermitian"},
        {BANNER("array real"), STN_ERR_PARSE, "a.mtx:1: the banner ends before the symmetry"},
        {"%%MatrixMarket matrix", STN_ERR_PARSE, "a.mtx:1: the banner ends before the form"},
        {BANNER("array real general today"), STN_ERR_PARSE,
         "a.mtx:1: 'today' after the end of the banner"},
        {BANNER("array real ge\x01\xc3ral"), STN_ERR_PARSE,
         "a.mtx:1: the symmetry is 'ge??ral', not general, symmetric, skew-symmetric or "
         "hermitian"},
        {BANNER("array pattern general"), STN_ERR_PARSE,
         "a.mtx:1: an array of field pattern has no values"},
        {BANNER("coordinate pattern skew-symmetric"), STN_ERR_PARSE,
         "a.mtx:1: a pattern cannot be skew-symmetric"},
        {BANNER("coordinate real hermitian"), STN_ERR_PARSE,
         "a.mtx:1: a hermitian matrix must be complex, not real; STN_MARKET_LENIENT reads it as "
         "symmetric"},
    };
    ASSERT_REFUSED(cases);
}

TEST_CASE(sizes)
{
    const refused cases[] = {
        {REAL "% only a comment\n", STN_ERR_PARSE, "a.mtx:2: the file ends before the size line"},
        {REAL "2 2\n", STN_ERR_PARSE, "a.mtx:2: no number of entries in the size line"},
        {REAL "2 x 1\n", STN_ERR_PARSE, "a.mtx:2: 'x' is not a number of columns"},
        {REAL "2.5 2 1\n", STN_ERR_PARSE, "a.mtx:2: '2.5' is not a number of rows"},
        {REAL "0 2 0\n", STN_ERR_RANGE, "a.mtx:2: the number of rows is 0, less than 1"},
        {REAL "2 -3 0\n", STN_ERR_RANGE, "a.mtx:2: the number of columns is -3, less than 1"},
        {REAL "2 2 -1\n", STN_ERR_RANGE, "a.mtx:2: the number of entries is -1, less than 0"},
        {REAL "2 2 1 7\n", STN_ERR_PARSE, "a.mtx:2: '7' after the end of the size line"},
        {REAL "9223372036854775808 2 1\n", STN_ERR_RANGE,
         "a.mtx:2: the number of rows, 9223372036854775808, is beyond 64 bits"},
        {REAL "99999999999999999999e-5 2 1\n", STN_ERR_PARSE,
         "a.mtx:2: '99999999999999999999e-5' is not a number of rows"},
        {REAL "2 2147483648 1\n", STN_ERR_UNSUPPORTED,
         "a.mtx:2: 2 rows and 2147483648 columns: more than 2147483647 are not supported"},
        {REAL "2 2 5\n1 1 1\n", STN_ERR_PARSE,
         "a.mtx:3: the file ends after 1 of 5 entries, which are more than the matrix has "
         "positions"},
        {BANNER("coordinate real symmetric") "1 1 2\n1 1 1\n1 1 2\n", STN_ERR_PARSE,
         "a.mtx:4: row 1, column 1 is repeated: line 3 has the same position; STN_MARKET_SUM adds "
         "repeated entries"},
        {BANNER("coordinate real skew-symmetric") "2 2 2\n1 1 0\n2 1 5\n", STN_ERR_PARSE,
         "a.mtx:3: a skew-symmetric matrix has no diagonal entries; STN_MARKET_LENIENT accepts "
         "explicit zeros"},
        {BANNER("coordinate real skew-symmetric") "2 2 2\n1 1 7\n2 1 5\n", STN_ERR_PARSE,
         "a.mtx:3: a skew-symmetric matrix has no diagonal entries"},
        {BANNER("array integer symmetric") "3 2\n", STN_ERR_PARSE,
         "a.mtx:2: 3 x 2 cannot be symmetric"},
        {BANNER("coordinate real skew-symmetric") "2 3 1\n2 1 1\n", STN_ERR_PARSE,
         "a.mtx:2: 2 x 3 cannot be skew-symmetric"},
    };
    ASSERT_REFUSED(cases);
}

/* Sizes that would take terabytes if they were believed before the entries are there. */
TEST_CASE(enormous_announcements)
{
    const refused cases[] = {
        {REAL "1000000000000 1 1\n1 1 1\n", STN_ERR_UNSUPPORTED,
         "a.mtx:2: 1000000000000 rows and 1 columns: more than 2147483647 are not supported"},
        {REAL "2147483647 1 1\n1 1 1\n", STN_ERR_UNSUPPORTED,
         "a.mtx:2: 2147483647 rows with 1 entries: beyond 8388608 rows, a matrix must have one "
         "entry for every 16 additional rows"},
        {REAL "2000000 2000000 1000000000000\n1 1 1\n", STN_ERR_PARSE,
         "a.mtx:3: the file ends after 1 of 1000000000000 entries"},
        {REAL "2147483647 2147483647 4611686014132420609\n1 1 1\n", STN_ERR_PARSE,
         "a.mtx:3: the file ends after 1 of 4611686014132420609 entries"},
        {BANNER("array complex general") "2147483647 2147483647\n1 1\n", STN_ERR_PARSE,
         "a.mtx:3: the file ends after 1 of 4611686014132420609 entries"},
        {BANNER("array real skew-symmetric") "2147483647 2147483647\n", STN_ERR_PARSE,
         "a.mtx:2: the file ends after 0 of 2305843005992468481 entries"},
    };
    ASSERT_REFUSED(cases);
}

/* The rule about rows holds from the first row on that it forbids. */
TEST_CASE(rows_up_to_the_rule_are_read)
{
    char text[128];
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    for (int beyond = 0; beyond < 2; beyond++) {
        const int64_t rows = STN_FREE_ROWS + STN_ROWS_PER_ENTRY + beyond;
        snprintf(text, sizeof text, "%s%lld 1 1\n9 1\n", BANNER("coordinate pattern general"),
                 (long long)rows);
        assert_int_equal(read_memory(text, strlen(text), &matrix),
                         beyond ? STN_ERR_UNSUPPORTED : STN_OK);
        stn_market_release(&matrix);
    }
}

TEST_CASE(counts_of_entries)
{
    const refused cases[] = {
        {REAL "2 2 2\n1 1 1\n\n", STN_ERR_PARSE, "a.mtx:4: the file ends after 1 of 2 entries"},
        {REAL "2 2 1\n1 1 1\n%\n2 2 1\n", STN_ERR_PARSE,
         "a.mtx:5: more entries than the 1 of the size line"},
        {REAL "2 2 0\n1 1 1\n", STN_ERR_PARSE, "a.mtx:3: more entries than the 0 of the size line"},
        {BANNER("array real symmetric") "2 2\n1\n2\n", STN_ERR_PARSE,
         "a.mtx:4: the file ends after 2 of 3 entries"},
        {BANNER("array real general") "1 1\n1\n2\n", STN_ERR_PARSE,
         "a.mtx:4: more entries than the 1 of the size line"},
    };
    ASSERT_REFUSED(cases);
}

TEST_CASE(indices)
{
    const refused cases[] = {
        {REAL "10 9 1\n12 1 1\n", STN_ERR_RANGE,
         "a.mtx:3: row index 12 exceeds the 10 rows of the size line"},
        {REAL "10 9 1\n10 10 1\n", STN_ERR_RANGE,
         "a.mtx:3: column index 10 exceeds the 9 columns of the size line"},
        {REAL "10 9 1\n4294967297 1 1\n", STN_ERR_RANGE,
         "a.mtx:3: row index 4294967297 exceeds the 10 rows of the size line"},
        {REAL "10 9 1\n18446744073709551617 1 1\n", STN_ERR_RANGE,
         "a.mtx:3: row index 18446744073709551617 exceeds the 10 rows of the size line"},
        {REAL "10 9 1\n0 1 1\n", STN_ERR_RANGE, "a.mtx:3: row index 0: indices begin at 1"},
        {REAL "10 9 1\n1 -1 1\n", STN_ERR_RANGE, "a.mtx:3: column index -1: indices begin at 1"},
        {REAL "10 9 1\n1.0 1 1\n", STN_ERR_PARSE, "a.mtx:3: '1.0' is not a row index"},
        {REAL "10 9 1\n1 two 1\n", STN_ERR_PARSE, "a.mtx:3: 'two' is not a column index"},
        {REAL "10 9 1\n1\n", STN_ERR_PARSE, "a.mtx:3: the line ends before the column index"},
    };
    ASSERT_REFUSED(cases);
}

TEST_CASE(values)
{
    const refused cases[] = {
        {REAL "1 1 1\n1 1 nan\n", STN_ERR_RANGE, "a.mtx:3: the value nan is not finite" LENIENT},
        {REAL "1 1 1\n1 1 -Infinity\n", STN_ERR_RANGE,
         "a.mtx:3: the value -infinity is not finite" LENIENT},
        {REAL "1 1 1\n1 1 1e309\n", STN_ERR_RANGE,
         "a.mtx:3: the value 1e309 is beyond the range of double; STN_MARKET_LENIENT reads it as "
         "infinity"},
        {REAL "1 1 1\n1 1 +INF\n", STN_ERR_RANGE, "a.mtx:3: the value +inf is not finite" LENIENT},
        {REAL "1 1 1\n1 1 nano\n", STN_ERR_PARSE, "a.mtx:3: the value 'nano' is not a number"},
        {REAL "1 1 1\n1 1 1e309x\n", STN_ERR_PARSE, "a.mtx:3: the value '1e309x' is not a number"},
        {REAL "1 1 1\n1 1\n", STN_ERR_PARSE, "a.mtx:3: the line ends before the value"},
        {REAL "1 1 1\n1 1 x\n", STN_ERR_PARSE, "a.mtx:3: the value 'x' is not a number"},
        {REAL "1 1 1\n1 1 .\n", STN_ERR_PARSE, "a.mtx:3: the value '.' is not a number"},
        {REAL "1 1 1\n1 1 1e\n", STN_ERR_PARSE, "a.mtx:3: the value '1e' is not a number"},
        {REAL "1 1 1\n1 1 1,5\n", STN_ERR_PARSE, "a.mtx:3: the value '1,5' is not a number"},
        {REAL "1 1 1\n1 1 0x10\n", STN_ERR_PARSE, "a.mtx:3: the value '0x10' is not a number"},
        {REAL "1 1 1\n1 1 1 1\n", STN_ERR_PARSE, "a.mtx:3: '1' after the end of the entry"},
        {REAL "1 1 1\n1 1 1 % one\n", STN_ERR_PARSE,
         "a.mtx:3: '%' after the end of the entry; "
         "STN_MARKET_LENIENT accepts trailing comments"},
        {BANNER("coordinate complex general") "1 1 1\n1 1 1\n", STN_ERR_PARSE,
         "a.mtx:3: the line ends before the imaginary part"},
        {BANNER("coordinate complex general") "1 1 1\n1 1 1 inf\n", STN_ERR_RANGE,
         "a.mtx:3: the imaginary part inf is not finite" LENIENT},
        {BANNER("coordinate integer general") "1 1 1\n1 1 9223372036854775808\n", STN_ERR_RANGE,
         "a.mtx:3: the value 9223372036854775808 is beyond the range of 64-bit integers"},
        {BANNER("coordinate integer general") "1 1 1\n1 1 2.0\n", STN_ERR_PARSE,
         "a.mtx:3: the value '2.0' is not an integer"},
    };
    ASSERT_REFUSED(cases);
}

TEST_CASE(symmetries)
{
    const refused cases[] = {
        {BANNER("coordinate real skew-symmetric") "2 2 1\n2 2 0\n", STN_ERR_PARSE,
         "a.mtx:3: a skew-symmetric matrix has no diagonal entries; STN_MARKET_LENIENT accepts "
         "explicit zeros"},
        {BANNER("coordinate integer skew-symmetric") "2 2 1\n2 1 -9223372036854775808\n",
         STN_ERR_RANGE, "a.mtx:3: -9223372036854775808 cannot be negated in 64 bits"},
        {BANNER("coordinate complex hermitian") "2 2 1\n2 2 1 0.5\n", STN_ERR_PARSE,
         "a.mtx:3: a diagonal entry of a hermitian matrix has imaginary part 0.5"},
        {BANNER("array complex hermitian") "2 2\n1 0\n1 2\n1 -3\n", STN_ERR_PARSE,
         "a.mtx:5: a diagonal entry of a hermitian matrix has imaginary part -3"},
    };
    ASSERT_REFUSED(cases);
}

TEST_CASE(duplicates)
{
    const refused cases[] = {
        {REAL "3 4 3\n2 4 1\n1 1 1\n2 4 1\n", STN_ERR_PARSE,
         "a.mtx:5: row 2, column 4 is repeated: line 3 has the same position; STN_MARKET_SUM adds "
         "repeated entries"},
        {REAL "3 4 2\n%\n2 4 1\n\n\n2 4 2\n", STN_ERR_PARSE,
         "a.mtx:7: row 2, column 4 is repeated: line 4 has the same position; STN_MARKET_SUM adds "
         "repeated entries"},
        {BANNER("coordinate pattern symmetric") "3 3 2\n2 3\n3 2\n", STN_ERR_PARSE,
         "a.mtx:4: row 3, column 2 is repeated: line 3 has the mirrored position; STN_MARKET_SUM "
         "adds repeated entries"},
    };
    ASSERT_REFUSED(cases);
}

TEST_CASE(nul_bytes)
{
    static const char entry[] = REAL "1 1 1\n1 1 \0001\n";
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_error(read_memory(entry, sizeof entry - 1, &matrix), STN_ERR_PARSE, NULL);
    assert_string_equal(stn_error(), "a.mtx:3: the value '?1' is not a number");
}

TEST_CASE(overlong_lines)
{
    const size_t banner = strlen(REAL), size = banner + STN_TEXT_LINE + 1;
    char *text = malloc(size);
    assert_non_null(text);
    memcpy(text, REAL, banner);
    memset(text + banner, '%', size - banner);
    text[size - 1] = '\n';
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_error(read_memory(text, size, &matrix), STN_ERR_PARSE, NULL);
    assert_string_equal(stn_error(), "a.mtx:2: the line is longer than 262144 bytes");
    assert_true(market_is_empty(&matrix));
    free(text);
}

static void assert_path_refused(const char *path, stn_status expected, const char *sentence)
{
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    memset(&matrix, 0x5a, sizeof matrix);
    matrix.size = sizeof matrix;
    const stn_status status = stn_market_read_file(&matrix, path, 0);
    assert_string_equal(stn_error(), sentence);
    assert_int_equal(status, expected);
    assert_true(market_is_empty(&matrix));
}

TEST_CASE(paths)
{
    assert_path_refused("none.mtx", STN_ERR_IO,
                        "none.mtx: cannot be opened: No such file or directory");
    assert_path_refused(".", STN_ERR_IO, ".: is a directory, not a file");
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    expect_error(stn_market_read_file(&matrix, NULL, 0), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_market_read_file(NULL, "none.mtx", 0), STN_ERR_ARGUMENT, NULL);
    char path[600];
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    expect_error(stn_market_read_file(&matrix, path, 0), STN_ERR_IO,
                 "xxx: cannot be opened: File name too long");
}

/* The first `size` bytes of a compressed file, one of them changed; what reading them says. */
static void assert_damage_is_seen(const char *path, size_t size, size_t changed,
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
    assert_path_refused(path, STN_ERR_PARSE, sentence);
    assert_int_equal(unlink(path), 0);
}

TEST_CASE(damaged_gzip)
{
    const char *const path = "market-damaged.mtx.gz",
                      *const early = "market-damaged.mtx.gz: the gzip data end too early";
    const size_t none = SIZE_MAX;
    assert_damage_is_seen(path, 2, none, early);
    assert_damage_is_seen(path, 12, none, early);
    assert_damage_is_seen(path, 60, none, early);
    assert_damage_is_seen(path, 0, 2,
                          "market-damaged.mtx.gz: damaged gzip data: unknown compression method");
    assert_damage_is_seen(path, 0, 67,
                          "market-damaged.mtx.gz: damaged gzip data: incorrect data "
                          "check");
}

/* Inputs that were found by fuzzing or by reading the code, one file each. */
TEST_CASE(every_file_of_the_folder)
{
    DIR *folder = opendir(REFUSED);
    assert_non_null(folder);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        snprintf(path, sizeof path, REFUSED "%s", entry->d_name);
        stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
        memset(&matrix, 0x5a, sizeof matrix);
        matrix.size = sizeof matrix;
        if (stn_market_read_file(&matrix, path, 0) == STN_OK)
            fail_msg("accepted: %s", entry->d_name);
        assert_true(market_is_empty(&matrix));
        assert_non_null(strstr(stn_error(), ".mtx"));
        files++;
    }
    closedir(folder);
    assert_true(files > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(banners),
        cmocka_unit_test(sizes),
        cmocka_unit_test(enormous_announcements),
        cmocka_unit_test(rows_up_to_the_rule_are_read),
        cmocka_unit_test(counts_of_entries),
        cmocka_unit_test(indices),
        cmocka_unit_test(values),
        cmocka_unit_test(symmetries),
        cmocka_unit_test(duplicates),
        cmocka_unit_test(nul_bytes),
        cmocka_unit_test(overlong_lines),
        cmocka_unit_test(paths),
        cmocka_unit_test(damaged_gzip),
        cmocka_unit_test(every_file_of_the_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
