/* Checked mode as it is by default: a line on stderr, and the end of the program. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define STN_CHECKED
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)
STN_ACCESSOR_SCALED(scaled, 1, double, int8_t, 0x1)

static float memory[6];

static void get_too_far(void)
{
    (void)xrange_get(xrange_dense(memory, 2, 3), 1, 7);
}

static void set_before_the_first(void)
{
    xrange_set(xrange_dense(memory, 2, 3), -1, 0, 1.0);
}

static void cut_too_much(void)
{
    (void)xrange_sub(xrange_dense(memory, 2, 3), stn_span_of(1, 9), stn_all());
}

static void divide_by_0(void)
{
    int8_t code = 0;
    double zero = 0.0;
    scaled_set(scaled_dense(&code, 1, &zero), 0, 1.0);
}

static void nothing_wrong(void)
{
    xrange_set(xrange_dense(memory, 2, 3), 1, 2, 1.0);
}

/* What a process that does `work` prints to stderr, and how it ends. */
static int run(void (*work)(void), char *text, size_t size)
{
    int ends[2], status = 0;
    size_t length = 0;
    ssize_t got;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        work();
        _exit(0);
    }
    close(ends[1]);
    while (length < size - 1 && (got = read(ends[0], text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void check_abort(void (*work)(void), const char *line)
{
    char text[512];
    const int status = run(work, text, sizeof text);
    assert_string_equal(text, line);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void test_index(void **state)
{
    (void)state;
    check_abort(get_too_far, "xrange: index 7 of dimension 1 does not fit its extent 3\n");
    check_abort(set_before_the_first,
                "xrange: index -1 of dimension 0 does not fit its extent 2\n");
}

static void test_span(void **state)
{
    (void)state;
    check_abort(cut_too_much, "xrange: end 9 of dimension 0 does not fit its extent 2\n");
}

static void test_scale(void **state)
{
    (void)state;
    check_abort(divide_by_0, "scaled: scale number 0 is 0 or not finite\n");
}

static void test_nothing_wrong(void **state)
{
    char text[512];
    (void)state;
    const int status = run(nothing_wrong, text, sizeof text);
    assert_string_equal(text, "");
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_span),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_nothing_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
