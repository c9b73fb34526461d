/* Cases in separate processes, and the events of compilations there. */
#ifndef STENO_TEST_CHILD_H
#define STENO_TEST_CHILD_H

#include "check.h"
#include "compile_events.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void need(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s does not hold: %s\n", what, stn_error());
    _exit(1);
}
#define NEED(...) need(__VA_ARGS__, #__VA_ARGS__)

static pid_t begin(void (*work)(void))
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(300);
        work();
        _exit(0);
    }
    return child;
}

static void finish(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void run(void (*work)(void))
{
    finish(begin(work));
}

__attribute__((unused)) static void expect_note(int count, const char *words)
{
    if (notes == count && strstr(last_note, words))
        return;
    fprintf(stderr, "%d notes, not %d, the last one '%s', not '%s'\n", notes, count, last_note,
            words);
    _exit(1);
}

#endif
