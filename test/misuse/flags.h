/* Cases of test_misuse.c: flags. */
#ifndef STENO_TEST_MISUSE_FLAGS_H
#define STENO_TEST_MISUSE_FLAGS_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "steno/blas.h"
#include "steno/kernel.h"
#include "check.h"

STN_MAP_INTEGER(misuse_step, (in(x), inout(y)), y = y + x;)

enum { MISUSE_COUNT = 1 << 16 };

/* What a child that was forked after threads have worked can do: 0, or the number of what failed.
 */
static int work_in_child(const stn_exec *threads, const stn_view *x, const stn_view *y)
{
    stn_exec *alone = NULL, *again = NULL;
    double sum = 0;
    if (misuse_step_run(threads, STN_I64, x, y) != STN_ERR_UNSUPPORTED ||
        !strstr(stn_error(),
                "misuse_step: this process was forked after OpenMP threads were started"))
        return 1;
    if (stn_dot(threads, STN_F64, &sum, x, x) != STN_ERR_UNSUPPORTED ||
        !strstr(stn_error(), "fork"))
        return 2;
    if (stn_exec_create(&again, "openmp:threads=4") ||
        misuse_step_run(again, STN_I64, x, y) != STN_ERR_UNSUPPORTED)
        return 3;
    if (stn_exec_create(&alone, "openmp:threads=1") || misuse_step_run(alone, STN_I64, x, y))
        return 4;
    if (stn_view_copy(threads, y, x))
        return 5;
    stn_exec_release(alone);
    stn_exec_release(again);
    return 0;
}

/* What a child answers; -1 when it does not end by itself. */
static int in_child(const stn_exec *threads, const stn_view *x, const stn_view *y,
                    int (*work)(const stn_exec *, const stn_view *, const stn_view *))
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        alarm(60); /* rather than hang */
        _exit(work(threads, x, y));
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

static int step_in_child(const stn_exec *threads, const stn_view *x, const stn_view *y)
{
    return misuse_step_run(threads, STN_I64, x, y) != STN_OK;
}

typedef struct misuse_fork {
    const stn_exec *threads;
    const stn_view *x, *y;
    int answer;
} misuse_fork;

/* A thread that no others have worked for yet. */
static void *fork_before_work(void *context)
{
    misuse_fork *job = context;
    job->answer = in_child(job->threads, job->x, job->y, step_in_child);
    return NULL;
}

TEST_CASE(threads_that_a_fork_has_lost_are_not_waited_for)
{
    const int64_t count = MISUSE_COUNT;
    int64_t *numbers = calloc(2 * MISUSE_COUNT, sizeof *numbers);
    stn_exec *threads = NULL;
    stn_view x, y;
    assert_non_null(numbers);
    expect_ok(stn_exec_create(&threads, "openmp:threads=3"));
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_I64), numbers, 1, &count));
    expect_ok(stn_view_wrap(&y, "y", stn_storage_of(STN_I64), numbers + count, 1, &count));
    misuse_fork early = {threads, &x, &y, -1};
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, fork_before_work, &early), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(early.answer, 0);
    expect_ok(misuse_step_run(threads, STN_I64, &x, &y));
    assert_int_equal(in_child(threads, &x, &y, work_in_child), 0);
    expect_ok(misuse_step_run(threads, STN_I64, &x, &y)); /* the parent goes on */
    stn_exec_release(threads);
    free(numbers);
}

/* Each with a comma behind it. */
#define MISUSE_FLAGS cmocka_unit_test(threads_that_a_fork_has_lost_are_not_waited_for),

#endif
