/* See fewer_threads.h. */
#define _GNU_SOURCE
#include "fewer_threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define CHILD "STENO_TEST_CHILD"
enum { CANNOT_RUN = 127 };

static const char *program = "";

int fewer_threads_here(int count, char **arguments)
{
    program = count > 0 ? arguments[0] : "";
    return getenv(CHILD) != NULL;
}

static int run_child(const char *name, const char *value)
{
    const pid_t child = fork();
    if (child == 0) {
        if (setenv(CHILD, "1", 1) == 0 && setenv(name, value, 1) == 0 &&
            freopen("/dev/null", "w", stdout))
            (void)execl(program, program, (char *)NULL);
        _exit(CANNOT_RUN);
    }
    int status = -1;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void fewer_threads_try(void)
{
    static const char *const limits[][2] = {
        {"OMP_THREAD_LIMIT", "1"},   {"OMP_THREAD_LIMIT", "2"}, {"OMP_THREAD_LIMIT", "3"},
        {"OMP_THREAD_LIMIT", "5"},   {"OMP_DYNAMIC", "true"},   {"OMP_MAX_ACTIVE_LEVELS", "0"},
        {"OMP_NUM_THREADS", "3,2,2"}};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        const int code = run_child(limits[k][0], limits[k][1]);
        if (code == CANNOT_RUN)
            skip();
        if (code != 0)
            fail_msg("with %s=%s: exit status %d", limits[k][0], limits[k][1], code);
    }
}
