/* Checked mode without STN_CHECK_FAILED: a line on stderr, and the program ends by SIGABRT. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define STN_CHECKED
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)
STN_ACCESSOR_SCALED(scaled, 1, double, int8_t, 0x1)

static const char *const lines[] = {"",
                                    "xrange: index 7 of dimension 1 does not fit its extent 3\n",
                                    "xrange: index -1 of dimension 0 does not fit its extent 2\n",
                                    "xrange: end 9 of dimension 0 does not fit its extent 2\n",
                                    "scaled: scale number 0 is 0 or not finite\n"};

static void call(size_t which)
{
    static float memory[6];
    const xrange x = xrange_dense(memory, 2, 3);
    int8_t code = 0;
    double zero = 0.0;
    if (which == 0)
        xrange_set(x, 1, 2, 1.0);
    else if (which == 1)
        (void)xrange_get(x, 1, 7);
    else if (which == 2)
        xrange_set(x, -1, 0, 1.0);
    else if (which == 3)
        (void)xrange_sub(x, stn_span_of(1, 9), stn_all());
    else
        scaled_set(scaled_dense(&code, 1, &zero), 0, 1.0);
}

static void test_abort(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        FILE *const printed = tmpfile();
        char text[512] = "";
        int status = 0;
        assert_non_null(printed);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
            signal(SIGABRT, SIG_DFL);
            dup2(fileno(printed), STDERR_FILENO);
            call(k);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        rewind(printed);
        text[fread(text, 1, sizeof text - 1, printed)] = '\0';
        fclose(printed);
        assert_string_equal(text, lines[k]);
        assert_true(k == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 0
                           : WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_abort)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
