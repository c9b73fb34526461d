/* A process that was forked after threads have worked: executors with threads are refused, the
 * others work. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/openmp.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "make_view.h"

STN_MAP_INTEGER(add, (in(x), inout(y)), y = y + x;)

enum { COUNT = 1 << 16 };

static stn_exec *threads;
static stn_view x, y;

/* Returns 0, or the number of what failed. */
static int work_after_threads(void)
{
    stn_exec *alone = NULL;
#ifdef _OPENMP
    static const char message[] = "add: this process was forked after OpenMP threads were started";
    stn_exec *again = NULL;
    double sum = 0;
    if (add_run(threads, STN_I64, &x, &y) != STN_ERR_UNSUPPORTED || !strstr(stn_error(), message))
        return 1;
    if (stn_dot(threads, STN_F64, &sum, &x, &x) != STN_ERR_UNSUPPORTED ||
        !strstr(stn_error(), "fork"))
        return 2;
    if (stn_exec_create(&again, OPENMP ":threads=4") ||
        add_run(again, STN_I64, &x, &y) != STN_ERR_UNSUPPORTED)
        return 3;
    stn_exec_release(again);
#else
    if (add_run(threads, STN_I64, &x, &y)) /* threads of the pool are started again */
        return 1;
#endif
    if (stn_exec_create(&alone, OPENMP ":threads=1") || add_run(alone, STN_I64, &x, &y))
        return 4;
    if (stn_view_copy(threads, &y, &x))
        return 5;
    stn_exec_release(alone);
    return 0;
}

static int work_before_threads(void)
{
    return add_run(threads, STN_I64, &x, &y) != STN_OK;
}

/* The exit status of a child; -1 if it ends by a signal. */
static int in_child(int (*work)(void))
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        alarm(60); /* rather than hang */
        _exit(work());
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

/* On a thread for which no others have worked yet. */
static void *fork_before_work(void *result)
{
    *(int *)result = in_child(work_before_threads);
    return NULL;
}

UNIT_TEST(children_do_not_wait_for_lost_threads)
{
    const int64_t count = COUNT;
    int64_t *numbers = calloc(2 * COUNT, sizeof *numbers);
    int early = -1;
    pthread_t other;
    assert_non_null(numbers);
    expect_ok(stn_exec_create(&threads, OPENMP ":threads=3"));
    x = wrap_view("x", stn_storage_of(STN_I64), numbers, 1, &count);
    y = wrap_view("y", stn_storage_of(STN_I64), numbers + count, 1, &count);
    assert_int_equal(pthread_create(&other, NULL, fork_before_work, &early), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(early, 0);
    expect_ok(add_run(threads, STN_I64, &x, &y));
    assert_int_equal(in_child(work_after_threads), 0);
    expect_ok(add_run(threads, STN_I64, &x, &y)); /* the parent continues */
    stn_exec_release(threads);
    free(numbers);
}

RUN_UNIT_TESTS(NULL, NULL)
