/* The default number of threads: environment, affinity mask and quotas of control groups. */
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "measure/openmp.h"
#include "exec/exec.h"
#include "exec/processors.h"
#include "child.h"

/* ---- control groups: a folder in place of the system's files ---- */

static char root[] = "/tmp/steno_processors_XXXXXX";

static void write_file(const char *path, const char *text)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    for (char *slash = strchr(name + sizeof root, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(name, 0700);
        *slash = '/';
    }
    FILE *const file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static double quota_with(const char *groups, const char *mounts)
{
    write_file("proc/self/cgroup", groups);
    write_file("proc/self/mountinfo", mounts);
    return stn_processors_quota(root);
}

UNIT_TEST(quotas_of_version_2)
{
    static const char mounts[] = "30 1 0:26 / /sys rw - sysfs sysfs rw\n"
                                 "31 30 0:27 / /two rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";
    write_file("two/cpu.max", "max 100000\n");
    write_file("two/a/cpu.max", "250000 100000\n");
    write_file("two/a/b/cpu.max", "400000 100000\n");
    write_file("two/c/cpu.max", "max 100000\n");
    write_file("two/d/cpu.max", "nonsense\n");
    assert_true(quota_with("0::/a/b\n", mounts) == 2.5); /* the smallest of b and a */
    assert_true(quota_with("0::/a\n", mounts) == 2.5);
    assert_true(isinf(quota_with("0::/c\n", mounts)));
    assert_true(isinf(quota_with("0::/d\n", mounts)));
    assert_true(isinf(quota_with("0::/\n", mounts)));
    assert_true(isinf(quota_with("0::/missing\n", mounts)));
    assert_true(isinf(quota_with("", mounts)) && isinf(quota_with("0::/a\n", "")));
    assert_true(isinf(quota_with("x\n:\n::\n", "31 30\n - cgroup2\n")));
}

UNIT_TEST(quotas_of_version_1)
{
    static const char mounts[] = "40 1 0:30 / /memory rw - cgroup cgroup rw,memory\n"
                                 "41 1 0:31 /docker/x /one rw - cgroup cgroup rw,cpu,cpuacct\n";
    write_file("one/cpu.cfs_quota_us", "150000\n");
    write_file("one/cpu.cfs_period_us", "100000\n");
    write_file("one/inner/cpu.cfs_quota_us", "-1\n");
    write_file("one/inner/cpu.cfs_period_us", "100000\n");
    assert_true(quota_with("4:memory:/\n3:cpu,cpuacct:/docker/x\n", mounts) == 1.5);
    assert_true(quota_with("3:cpu,cpuacct:/docker/x/inner\n", mounts) == 1.5);
    assert_true(isinf(quota_with("3:cpuset:/docker/x\n", mounts)));
}

/* ---- affinity and environment, which a process reads once ---- */

/* Number of threads of an executor, 0 if it is refused. */
static int threads_of(const char *resource)
{
    stn_exec *exec = NULL;
    if (stn_exec_create(&exec, resource) != STN_OK)
        return 0;
    const int threads = stn_exec_threads(exec);
    stn_exec_release(exec);
    return threads;
}

static void on_one_processor(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)sched_getcpu(), &set);
    (void)unsetenv("STENO_NUM_THREADS");
    (void)unsetenv("OMP_NUM_THREADS");
    NEED(sched_setaffinity(0, sizeof set, &set) == 0);
    NEED(threads_of("threads") == 1 && threads_of("threads:threads=3") == 3);
}

static void with_both_variables(void)
{
    (void)setenv("STENO_NUM_THREADS", "7", 1);
    (void)setenv("OMP_NUM_THREADS", "5", 1);
    NEED(threads_of("threads") == 7 && threads_of("threads:threads=3") == 3);
    NEED(threads_of(OPENMP) == 7);
}

static void with_a_list(void)
{
    (void)unsetenv("STENO_NUM_THREADS");
    (void)setenv("OMP_NUM_THREADS", "5,2", 1);
    NEED(threads_of("threads") == 5);
}

static void with_a_wrong_number(void)
{
    (void)setenv("STENO_NUM_THREADS", "2x", 1);
    NEED(threads_of("threads") == 0 && strstr(stn_error(), "STENO_NUM_THREADS is '2x'"));
}

static void with_too_many(void)
{
    (void)setenv("STENO_NUM_THREADS", "1025", 1);
    NEED(threads_of("threads") == 0 && threads_of("threads:threads=1") == 1);
}

UNIT_TEST(default_number_of_threads)
{
    run(on_one_processor);
    run(with_both_variables);
    run(with_a_list);
    run(with_a_wrong_number);
    run(with_too_many);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[80];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

RUN_UNIT_TESTS(make_folder, remove_folder)
