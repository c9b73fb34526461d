/* The Matrix Market writer: what it writes, what it refuses, and that nothing half-written stays.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "core/memory.h"
#include "market_read.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER STENO_TEST_DATA "/market/accepted/"

/* Each test writes into an empty folder, in which it finds files that are left. */
static char folder[64], path[128];

static int enter_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "market-write-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/a.mtx", folder);
    return 0;
}

static int files_in_folder(void)
{
    DIR *opened = opendir(folder);
    int files = 0;
    for (struct dirent *entry; opened && (entry = readdir(opened));)
        files += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (opened)
        closedir(opened);
    return files;
}

static int leave_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails, and the test with it, if something was left */
}

static void assert_text(const char *expected)
{
    char text[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    assert_string_equal(text, expected);
}

static void put_old_text(void)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs("old", file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A matrix of two rows, three columns and three entries. */
static int64_t row_start[3];
static int32_t columns[3];
static double values[3];

static stn_market_matrix make_matrix(void)
{
    memcpy(row_start, (int64_t[]){0, 2, 3}, sizeof row_start);
    memcpy(columns, (int32_t[]){0, 2, 1}, sizeof columns);
    memcpy(values, (double[]){1.0, -2.5, 0.1}, sizeof values);
    return (stn_market_matrix)STN_INIT(stn_market_matrix, .rows = 2, .columns = 3, .entries = 3,
                                       .row_start = row_start, .column = columns,
                                       .value_format = STN_F64, .values = values);
}

UNIT_TEST_WITH(rows_are_written, enter_folder, leave_folder)
{
    const stn_market_matrix matrix = make_matrix();
    expect_ok(stn_market_write_file(&matrix, path));
    assert_text("%%MatrixMarket matrix coordinate real general\n"
                "2 3 3\n1 1 1\n1 3 -2.5\n2 2 0.1\n");
    assert_int_equal(files_in_folder(), 1);
}

UNIT_TEST_WITH(patterns_are_written_without_values, enter_folder, leave_folder)
{
    stn_market_matrix matrix = make_matrix();
    matrix.field = STN_MARKET_PATTERN;
    values[1] = values[2] = 1.0;
    expect_ok(stn_market_write_file(&matrix, path));
    assert_text("%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n1 3\n2 2\n");
}

UNIT_TEST_WITH(dense_matrices_are_written_by_column, enter_folder, leave_folder)
{
    int64_t integers[] = {1, 2, INT64_MIN, 4};
    const stn_market_matrix matrix = STN_INIT(
        stn_market_matrix, .field = STN_MARKET_INTEGER, .storage = STN_MARKET_DENSE, .rows = 2,
        .columns = 2, .entries = 4, .value_format = STN_I64, .values = integers);
    expect_ok(stn_market_write_file(&matrix, path));
    assert_text("%%MatrixMarket matrix array integer general\n"
                "2 2\n1\n-9223372036854775808\n2\n4\n");
}

/* Values that need 15, 16 and 17 digits, and those at the limits, come back bit for bit. */
UNIT_TEST_WITH(decimals_come_back, enter_folder, leave_folder)
{
    /* clang-format off */
    double hard[] = {0.1, 0.1 + 0.2, 1.0 / 3.0, 0x1.fffffffffffffp1023, -0.0, 0x1p-1074, 5e-324,
                     0x1p-1022, 123456789012345678.0, -1e22, 1e23, 9007199254740993.0};
    /* clang-format on */
    const stn_market_matrix matrix =
        STN_INIT(stn_market_matrix, .field = STN_MARKET_COMPLEX, .storage = STN_MARKET_DENSE,
                 .rows = 2, .columns = 3, .entries = 6, .value_format = STN_C128, .values = hard);
    stn_market_matrix back = STN_MARKET_MATRIX_INIT;
    expect_ok(stn_market_write_file(&matrix, path));
    expect_ok(stn_market_read_file(&back, path, 0));
    assert_memory_equal(back.values, hard, sizeof hard);
    stn_market_release(&back);
}

/* Every form the reader knows, through plain text and through gzip. */
UNIT_TEST_WITH(every_form_survives_writing, enter_folder, leave_folder)
{
    char plain[sizeof path];
    memcpy(plain, path, sizeof path);
    DIR *opened = opendir(FOLDER);
    assert_non_null(opened);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(opened));) {
        if (entry->d_name[0] == '.')
            continue;
        char from[4096];
        stn_market_matrix matrix = STN_MARKET_MATRIX_INIT, back = STN_MARKET_MATRIX_INIT;
        snprintf(from, sizeof from, FOLDER "%s", entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, files++ % 2 ? "a.mtx" : "a.mtx.gz");
        expect_ok(stn_market_read_file(&matrix, from, 0));
        expect_ok_for(stn_market_write_file(&matrix, path), entry->d_name);
        expect_ok_for(stn_market_read_file(&back, path, 0), entry->d_name);
        unlink(path);
        market_assert_equal(&matrix, &back);
        stn_market_release(&matrix);
        stn_market_release(&back);
    }
    closedir(opened);
    memcpy(path, plain, sizeof path);
    assert_true(files > 20);
}

/* More than the buffers hold, so that deflate is called many times. */
UNIT_TEST_WITH(large_files_are_compressed, enter_folder, leave_folder)
{
    enum { COUNT = 60000 };
    static double many[COUNT];
    for (int n = 0; n < COUNT; n++)
        many[n] = 1.0 / (n + 1);
    const stn_market_matrix matrix =
        STN_INIT(stn_market_matrix, .storage = STN_MARKET_DENSE, .rows = 300,
                 .columns = COUNT / 300, .entries = COUNT, .value_format = STN_F64, .values = many);
    stn_market_matrix back = STN_MARKET_MATRIX_INIT;
    snprintf(path, sizeof path, "%s/a.mtx.gz", folder);
    expect_ok(stn_market_write_file(&matrix, path));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fgetc(file), 0x1f);
    fclose(file);
    expect_ok(stn_market_read_file(&back, path, 0));
    assert_memory_equal(back.values, many, sizeof many);
    stn_market_release(&back);
}

static void assert_refused(const stn_market_matrix *matrix, stn_status expected,
                           const char *sentence)
{
    put_old_text();
    const stn_status status = stn_market_write_file(matrix, path);
    char whole[sizeof path + 256];
    snprintf(whole, sizeof whole, "%s: %s", path, sentence);
    assert_string_equal(stn_error(), whole);
    assert_int_equal(status, expected);
    assert_text("old");
    assert_int_equal(files_in_folder(), 1);
}

/* A sound matrix after a change to it, or to its arrays. */
#define REFUSED(change, status, sentence)                                                          \
    do {                                                                                           \
        stn_market_matrix matrix = make_matrix();                                                  \
        change;                                                                                    \
        assert_refused(&matrix, STN_ERR_##status, sentence);                                       \
    } while (0)

UNIT_TEST_WITH(unsound_matrices_are_refused, enter_folder, leave_folder)
{
    REFUSED(matrix.value_format = STN_F32, FORMAT,
            "value_format is f32; values of field real are f64");
    REFUSED(matrix.field = (stn_market_field)7, ARGUMENT,
            "field is 7; it must be STN_MARKET_REAL (0) to STN_MARKET_PATTERN (3)");
    REFUSED(matrix.storage = (stn_market_storage)7, ARGUMENT,
            "storage is 7; it must be STN_MARKET_CSR (0) or STN_MARKET_DENSE (1)");
    REFUSED(matrix.rows = 0, ARGUMENT,
            "a matrix of 0 x 3 cannot be written: both must be from 1 to 2147483647");
    REFUSED(matrix.column = NULL, ARGUMENT, "column is NULL, with 3 entries");
    REFUSED(matrix.values = NULL, ARGUMENT, "values is NULL, with 3 entries");
    REFUSED(matrix.entries = -1, ARGUMENT, "entries is -1");
    REFUSED(matrix.row_start = NULL, ARGUMENT, "row_start is NULL");
    REFUSED(matrix.storage = STN_MARKET_DENSE, ARGUMENT,
            "a dense matrix of 2 x 3 cannot have 3 entries");
    REFUSED((matrix.storage = STN_MARKET_DENSE, matrix.field = STN_MARKET_PATTERN), ARGUMENT,
            "a dense matrix cannot have field pattern");
    REFUSED(row_start[2] = 4, ARGUMENT, "row_start goes from 0 to 4, not from 0 to 3");
    REFUSED(row_start[1] = 4, ARGUMENT, "row_start descends from 4 to 3 at row 1");
    REFUSED(row_start[1] = -1, ARGUMENT, "row_start descends from 0 to -1 at row 0");
    REFUSED(columns[1] = 3, ARGUMENT, "column 3 in row 0 of a matrix of 3 columns");
    REFUSED(columns[1] = 0, ARGUMENT, "the columns of row 0 do not ascend: 0 after 0");
    REFUSED(values[2] = INFINITY, ARGUMENT,
            "row 2, column 2: the value is infinite, which Matrix Market files do not represent");
    REFUSED(matrix.field = STN_MARKET_PATTERN, ARGUMENT,
            "values[1] of a pattern is -2.5; it must be 1");
    REFUSED((matrix.storage = STN_MARKET_DENSE, matrix.rows = 1, values[1] = INFINITY), ARGUMENT,
            "row 1, column 2: the value is infinite, which Matrix Market files do not represent");
    stn_market_matrix matrix = make_matrix();
    expect_error(stn_market_write_file(&matrix, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_market_write_file(NULL, path), STN_ERR_ARGUMENT, NULL);
    matrix.size = 8;
    expect_error(stn_market_write_file(&matrix, path), STN_ERR_ARGUMENT,
                 "which no version of stn_market_matrix has");
}

UNIT_TEST_WITH(paths_of_other_things_are_refused, enter_folder, leave_folder)
{
    const stn_market_matrix matrix = make_matrix();
    expect_error(stn_market_write_file(&matrix, folder), STN_ERR_ARGUMENT,
                 ": exists and is not a regular file");
    expect_error(stn_market_write_file(&matrix, "/dev/null"), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_market_write_file(&matrix, "no-such-folder/a.mtx"), STN_ERR_IO, NULL);
    assert_string_equal(stn_error(),
                        "no-such-folder/a.mtx: cannot be created: No such file or directory");
}

/* A disk that is full after 64 KiB, by a limit on the size of files. */
UNIT_TEST_WITH(a_full_disk_leaves_the_old_file, enter_folder, leave_folder)
{
    enum { COUNT = 20000 };
    static double many[COUNT];
    for (int n = 0; n < COUNT; n++)
        many[n] = 1.0 / (n + 1);
    const stn_market_matrix matrix =
        STN_INIT(stn_market_matrix, .storage = STN_MARKET_DENSE, .rows = COUNT, .columns = 1,
                 .entries = COUNT, .value_format = STN_F64, .values = many);
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1 << 16;
    put_old_text();
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const stn_status status = stn_market_write_file(&matrix, path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, STN_ERR_IO);
    assert_non_null(strstr(stn_error(), "a.mtx: cannot be written: File too large"));
    assert_text("old");
    assert_int_equal(files_in_folder(), 1);
}

UNIT_TEST_WITH(permissions_are_kept, enter_folder, leave_folder)
{
    const stn_market_matrix matrix = make_matrix();
    struct stat about;
    put_old_text();
    assert_int_equal(chmod(path, 0640), 0);
    expect_ok(stn_market_write_file(&matrix, path));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
}

UNIT_TEST_WITH(every_allocation_may_fail, enter_folder, leave_folder)
{
    const stn_market_matrix matrix = make_matrix();
    put_old_text();
    for (int packed = 0; packed < 2; packed++) {
        char to[sizeof path + 4];
        snprintf(to, sizeof to, "%s%s", path, packed ? ".gz" : "");
        stn_status status = STN_ERR_MEMORY;
        int failures = -1;
        for (int64_t nth = 1; status == STN_ERR_MEMORY; nth++, failures++) {
            assert_int_equal(files_in_folder(), 1);
            stn_fail_allocation(nth);
            status = stn_market_write_file(&matrix, to);
            stn_fail_allocation(0);
        }
        assert_int_equal(status, STN_OK);
        assert_true(failures >= (packed ? 4 : 2));
        assert_int_equal(files_in_folder(), packed + 1);
        if (packed)
            unlink(to);
    }
}

RUN_UNIT_TESTS(NULL, NULL)
