/* Tuning: the file of the user, the streams of an executor, and results that do not depend on them.
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/openmp.h"
#include "core/tune.h"
#include "exec/exec.h"
#include "steno/blas.h"
#include "make_view.h"

static char folder[256], path[300];

static void write_file(const char *text, size_t bytes)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0644), 0);
}

static void write_text(const char *text)
{
    write_file(text, strlen(text));
}

/* In a child, which reads the environment again: returns 0 if an executor has this number of
 * streams or, for 0 streams, is refused with this message. */
static int child(const char *variable, const char *value, int streams, const char *message)
{
    stn_exec *exec;
    unsetenv("STENO_TUNE");
    unsetenv("XDG_CONFIG_HOME");
    setenv("HOME", "/", 1);
    setenv(variable, value, 1);
    const stn_status status = stn_exec_create(&exec, OPENMP ":threads=1");
    if (status != STN_OK && streams == 0 && strstr(stn_error(), message))
        return 0;
    if (status == STN_OK && exec->streams == streams)
        return 0;
    fprintf(stderr, "status %d, %d streams: %s\n", status, status ? 0 : exec->streams, stn_error());
    return 1;
}

static void expect_of(const char *variable, const char *value, int streams, const char *message)
{
    int status;
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0)
        _exit(child(variable, value, streams, message));
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(status, 0);
}

static void expect(int streams, const char *message)
{
    expect_of("STENO_TUNE", path, streams, message);
}

UNIT_TEST(test_written_file_is_read)
{
    char text[STN_TUNE_BYTES];
    stn_tune tune = stn_tune_of_family(NULL);
    tune.streams = 3;
    stn_tune_write(&tune, text);
    write_text(text);
    expect(3, "");
}

UNIT_TEST(test_folders_of_configuration)
{
    char home[400], config[500], command[1200];
    snprintf(home, sizeof home, "%s/home", folder);
    snprintf(config, sizeof config, "%s/.config", home);
    assert_int_equal(mkdir(home, 0755) | mkdir(config, 0755), 0);
    expect_of("HOME", home, stn_tune_of_family(NULL).streams, "");
    snprintf(command, sizeof command,
             "mkdir %s/steno && printf 'streams 3\\nend\\n' > %s/steno/tune", config, config);
    assert_int_equal(system(command), 0);
    expect_of("HOME", home, 3, "");
    expect_of("XDG_CONFIG_HOME", config, 3, "");
}

/* The number of streams of a file, or 0 and the message. */
UNIT_TEST(test_texts_of_files)
{
    const int default_streams = stn_tune_of_family(NULL).streams;
    const struct {
        const char *text;
        int streams;
        const char *message;
    } cases[] = {
        {"# a comment\n\nstreams 3\nend\n", 3, ""},
        {"streams 2\nrows 1\nprefetch 0\nalone 0\nnontemporal 1048576\nend\n", 2, ""},
        {"processor of some other kind\nstreams 3\nend\n", default_streams, ""},
        {"", 0, "is truncated"},
        {"streams 3\n", 0, "is truncated"},
        {"streams 3\nen", 0, "is truncated"},
        {"streams 3\nend", 0, "is truncated"},
        {"streams 0\nend\n", 0, "line 1: streams must be an integer from 1 to 4"},
        {"rows 4\nstreams 99999999999999999999\nend\n", 0, "line 2: streams must be an integer"},
        {"streams\nend\n", 0, "streams must be an integer"},
        {"streams \nend\n", 0, "streams must be an integer"},
        {"streams -1\nend\n", 0, "streams must be an integer"},
        {"streams 2x\nend\n", 0, "streams must be an integer"},
        {"streams 2 3\nend\n", 0, "streams must be an integer"},
        {"currents 2\nend\n", 0, "line 1: unknown keyword"},
        {"streams 2\nend\nstreams 3\n", 0, "line 3: text after the line 'end'"}};
    for (int k = 0; k < COUNT_OF(cases); k++) {
        write_text(cases[k].text);
        expect(cases[k].streams, cases[k].message);
    }
    write_file("streams 2\0\nend\n", 15);
    expect(0, "is not a text file");
}

UNIT_TEST(test_files_that_are_refused)
{
    char *const large = malloc(1 << 16);
    assert_non_null(large);
    memset(large, 'a', 1 << 16);
    large[(1 << 16) - 1] = '\0';
    expect_of("STENO_TUNE", large, 0, "is longer than");
    expect_of("STENO_TUNE", folder, 0, "is not a regular file");
    expect_of("STENO_TUNE", "/nowhere/tune", 0, "cannot open /nowhere/tune");
    write_text("streams 3\nend\n");
    assert_int_equal(chmod(path, 0666), 0);
    expect(0, "is writable by other users");
    assert_int_equal(chmod(path, 0664), 0);
    expect(0, "is writable by other users");
    memset(large, '\n', 1 << 16);
    write_file(large, 1 << 16);
    expect(0, "is too large");
    free(large);
    write_text("streams 3\nend\n");
    if (geteuid() == 0) {
        assert_int_equal(chown(path, 12345, 12345), 0);
        expect(0, "belongs to another user");
    }
    assert_int_equal(unlink(path), 0);
}

UNIT_TEST(test_streams_of_an_executor)
{
    static const char *const wrong[] = {OPENMP ":streams=0", OPENMP ":streams=5",
                                        OPENMP ":streams=", OPENMP ":streams=2,streams=2",
                                        OPENMP ":streams=2x"};
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, OPENMP ":streams=3,threads=2"));
    assert_int_equal(exec->streams, 3);
    assert_int_equal(stn_exec_threads(exec), 2);
    stn_exec_release(exec);
    for (int k = 0; k < COUNT_OF(wrong); k++) {
        expect_error(stn_exec_create(&exec, wrong[k]), STN_ERR_ARGUMENT, "streams=N (1 to 4)");
    }
}

/* Arrays long enough for all streams of all threads. */
UNIT_TEST(test_bits_do_not_depend)
{
    enum { COUNT = 300001 };
    static double x[COUNT], y[COUNT];
    double first = 0.0, sum;
    const int64_t count = COUNT;
    uint64_t seed = 1;
    for (int k = 0; k < COUNT; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[k] = (double)(int64_t)seed * 0x1p-63;
        y[k] = 1.0 / (k + 3.0);
    }
    stn_view a = wrap_view("a", f64(), x, 1, &count);
    stn_view b = wrap_view("b", f64(), y, 1, &count);
    for (int threads = 1; threads <= 3; threads++)
        for (int streams = 1; streams <= STN_MAX_STREAMS; streams++) {
            char resource[64];
            stn_exec *exec;
            snprintf(resource, sizeof resource, OPENMP ":threads=%d,streams=%d", threads, streams);
            expect_ok(stn_exec_create(&exec, resource));
            expect_ok(stn_dot(exec, STN_F64, &sum, &a, &b));
            if (threads == 1 && streams == 1)
                first = sum;
            assert_memory_equal(&sum, &first, sizeof sum);
            stn_exec_release(exec);
        }
}

/* Sums of codes with prefetches this number of bytes ahead, or none. */
static void sum_with(int32_t ahead, stn_format format, const void *codes, int64_t rows,
                     int64_t columns, double *sums)
{
    const int64_t count = rows * columns, extents[] = {rows, columns};
    static const int turned[] = {1, 0};
    stn_tune tune = stn_tune_of_family(NULL);
    stn_view t;
    stn_exec *exec;
    tune.ahead = ahead;
    stn_tune_use(&tune);
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    stn_view x = wrap_view("x", stn_storage_of(format), (void *)codes, 1, &count);
    stn_view a = wrap_view("a", stn_storage_of(format), (void *)codes, 2, extents);
    expect_ok(stn_view_permute(&t, &a, 2, turned));
    expect_ok(stn_dot(exec, STN_F64, &sums[0], &x, &x));
    expect_ok(stn_asum(exec, STN_F64, &sums[1], &x));
    for (int64_t k = 0; k < rows + columns; k++)
        sums[2 + k] = 1.0 / (double)(k + 3);
    stn_view values = wrap_view("v", f64(), sums + 2, 1, &rows);
    stn_view results = wrap_view("r", f64(), sums + 2 + rows, 1, &columns);
    expect_ok(stn_gemv(exec, STN_F64, 1.0, &t, &values, 0.0, &results));
    expect_ok(stn_gemv(exec, STN_F64, 1.0, &a, &results, 0.0, &values));
    stn_exec_release(exec);
}

UNIT_TEST(test_bits_do_not_depend_on_fetching)
{
    enum { ROWS = 133, COLUMNS = 517, SUMS = 2 + ROWS + COLUMNS };
    static const stn_format formats[] = {STN_F32, STN_F16, STN_BF16, STN_I8, STN_E4M3};
    static const int32_t distances[] = {64, 3072, 65536};
    static char codes[ROWS * COLUMNS * 4];
    static double first[SUMS], sums[SUMS];
    const stn_tune before = stn_tune_of_family(NULL);
    for (size_t k = 0; k < sizeof codes; k++) /* no code is special in any format */
        codes[k] = (char)(k % 4 == 3 ? 0x3a : k % 4 == 1 ? 0x35 : k * 2654435761u >> 26);
    for (int f = 0; f < COUNT_OF(formats); f++) {
        sum_with(0, formats[f], codes, ROWS, COLUMNS, first);
        for (int d = 0; d < COUNT_OF(distances); d++) {
            sum_with(distances[d], formats[f], codes, ROWS, COLUMNS, sums);
            assert_memory_equal(sums, first, sizeof first);
        }
    }
    stn_tune_use(&before);
}

static int make_folder(void **state)
{
    const char *const temporary = getenv("TMPDIR");
    (void)state;
    snprintf(folder, sizeof folder, "%s/steno-tune-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/tune", folder);
    return 0;
}

static int remove_folder(void **state)
{
    char command[600];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

RUN_UNIT_TESTS(make_folder, remove_folder)
