/* First touch: the memory of a new view is written by the threads that will work on it, each its
 * part. Counted as page faults of each thread. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "measure/openmp.h"
#include "steno/view.h"
#include "make_view.h"

enum { THREADS = 2, MEGABYTES = 96 };

static void count_faults(long faults[THREADS])
{
#pragma omp parallel num_threads(THREADS)
    {
        struct rusage usage;
        getrusage(RUSAGE_THREAD, &usage);
        faults[omp_get_thread_num()] = usage.ru_minflt;
    }
}

/* Page faults of each thread during the creation of a view, and their sum. */
static long touch(const char *resource, unsigned flags, long faults[THREADS])
{
    const int64_t count = (int64_t)MEGABYTES << 17;
    long before[THREADS] = {0}, sum = 0;
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, resource));
    count_faults(before);
    count_faults(before);
    stn_view view = create_view(exec, "touched", f64(), NULL, 1, &count, flags);
    count_faults(faults);
    for (int k = 0; k < THREADS; k++)
        sum += faults[k] -= before[k];
    stn_view_release(&view);
    stn_exec_release(exec);
    return sum;
}

static int have_threads(void)
{
    int threads = 0;
#pragma omp parallel num_threads(THREADS)
    if (omp_get_thread_num() == 0)
        threads = omp_get_num_threads();
    return threads == THREADS;
}

UNIT_TEST(test_each_thread_touches_its_part)
{
    long faults[THREADS] = {0};
    if (!have_threads())
        skip();
    const long sum = touch(OPENMP ":threads=2", 0, faults);
    assert_true(sum >= MEGABYTES / 2 - 4); /* pages of 2 MiB, or more of 4 KiB */
    for (int k = 0; k < THREADS; k++)
        assert_in_range(4 * faults[k], sum, 3 * sum);
}

/* Minor page faults so far, by /proc: of the calling thread, and of all others. */
static void read_faults(long *own, long *others)
{
    DIR *const tasks = opendir("/proc/self/task");
    *own = *others = 0;
    assert_non_null(tasks);
    for (const struct dirent *task; (task = readdir(tasks));) {
        char path[300];
        long faults = 0;
        snprintf(path, sizeof path, "/proc/self/task/%s/stat", task->d_name);
        FILE *const file = task->d_name[0] != '.' ? fopen(path, "re") : NULL;
        if (file && fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %ld", &faults) == 1)
            *(atoi(task->d_name) == (int)getpid() ? own : others) += faults;
        if (file)
            (void)fclose(file);
    }
    (void)closedir(tasks);
}

/* Of the pages of a new view, does each of two threads write at least a quarter first? Not if other
 * processes keep the second one from beginning. */
static int is_touched_by_both(const stn_exec *exec)
{
    const int64_t count = (int64_t)MEGABYTES << 17;
    long own[2], others[2];
    read_faults(&own[0], &others[0]);
    stn_view view = create_view(exec, "touched", f64(), NULL, 1, &count, 0);
    read_faults(&own[1], &others[1]);
    stn_view_release(&view);
    const long first = own[1] - own[0], second = others[1] - others[0];
    assert_true(first + second >= MEGABYTES / 2 - 4);
    return 4 * first >= first + second && 4 * second >= first + second;
}

UNIT_TEST(test_threads_of_the_pool_touch_their_parts)
{
    stn_exec *exec;
    int tries = 0;
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    while (!is_touched_by_both(exec))
        assert_true(++tries < 20);
    stn_exec_release(exec);
}

UNIT_TEST(test_one_thread_touches_all)
{
    long faults[THREADS] = {0};
    const long sum = touch("reference", 0, faults);
    assert_true(sum >= MEGABYTES / 2 - 4);
    assert_true(faults[1] <= sum / 8);
}

UNIT_TEST(test_nobody_touches_what_is_left_as_it_is)
{
    long faults[THREADS] = {0};
    assert_true(touch(OPENMP ":threads=2", STN_CREATE_UNINITIALIZED, faults) < MEGABYTES / 8);
}

RUN_UNIT_TESTS(NULL, NULL)
