/* First touch: the memory of a new view is written by the threads that will work on it, each its
 * part. Counted as page faults of each thread. */
#define _GNU_SOURCE
#include <sys/resource.h>

#include <omp.h>

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
#pragma omp single
    threads = omp_get_num_threads();
    return threads == THREADS;
}

UNIT_TEST(test_each_thread_touches_its_part)
{
    long faults[THREADS] = {0};
    if (!have_threads())
        skip();
    const long sum = touch("openmp:threads=2", 0, faults);
    assert_true(sum >= MEGABYTES / 2 - 4); /* pages of 2 MiB, or more of 4 KiB */
    for (int k = 0; k < THREADS; k++)
        assert_in_range(4 * faults[k], sum, 3 * sum);
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
    assert_true(touch("openmp:threads=2", STN_CREATE_UNINITIALIZED, faults) < MEGABYTES / 8);
}

RUN_UNIT_TESTS(NULL, NULL)
