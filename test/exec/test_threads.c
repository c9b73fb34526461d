/* The pool of threads: launches, nested and concurrent ones, forks, signals and missing threads. */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "exec/barrier.h"
#include "exec/exec.h"
#include "exec/threads/load.h"
#include "exec/threads/pool.h"
#include "exec/threads/wake.h"
#include "check.h"

/* The thread sanitizer has its own thread, and supports no new threads after forks. */
#if defined(__SANITIZE_THREAD__)
#    define HAS_THREAD_SANITIZER 1
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define HAS_THREAD_SANITIZER 1
#    endif
#endif
#ifndef HAS_THREAD_SANITIZER
#    define HAS_THREAD_SANITIZER 0
#endif

enum { MOST = 16 };

static stn_exec *create(const char *resource)
{
    stn_exec *exec = NULL;
    expect_ok_for(stn_exec_create(&exec, resource), resource);
    return exec;
}

static void rest(long microseconds)
{
    nanosleep(&(struct timespec){0, 1000 * microseconds}, NULL);
}

/* ---- launches ---- */

typedef struct counts {
    int times[MOST], parts;
    long pause;
} counts;

static void count_part(void *context, int part, int parts)
{
    counts *const c = context;
    c->times[part]++;
    if (part == 0)
        c->parts = parts;
    if (c->pause)
        rest(c->pause);
}

/* Every part is done once before the launch returns. Returns the number of errors. */
static int run_counts(const stn_exec *exec, int parts, long pause)
{
    counts c = {.pause = pause};
    int wrong = 0;
    stn_exec_run_parts(exec, parts, count_part, &c);
    for (int k = 0; k < MOST; k++)
        wrong += c.times[k] != (k < parts);
    return wrong + (c.parts != parts);
}

/* Back to back, and after pauses in which threads fall asleep. */
UNIT_TEST(every_part_is_done_once)
{
    stn_exec *const exec = create("threads:threads=16");
    for (int round = 0; round < 1000; round++)
        assert_int_equal(run_counts(exec, 1 + round % MOST, 0), 0);
    for (int round = 0; round < 20; round++) {
        rest(round % 4 ? 300 : 2500);
        assert_int_equal(run_counts(exec, 1 + round % MOST, round % 3 ? 0 : 200), 0);
    }
    assert_in_range(stn_pool_threads(), 1, MOST - 1);
    stn_exec_release(exec);
    assert_int_equal(stn_pool_threads(), 0);
}

typedef struct caller {
    pthread_t id;
    const stn_exec *exec;
    int rounds, wrong;
} caller;

static void *call_repeatedly(void *context)
{
    caller *const c = context;
    for (int round = 0; round < c->rounds; round++)
        c->wrong += run_counts(c->exec, 1 + round % 4, round % 50 ? 0 : 100);
    return NULL;
}

UNIT_TEST(several_threads_launch_at_once)
{
    enum { CALLERS = 5 };
    stn_exec *const exec[2] = {create("threads:threads=4"), create("threads:threads=5")};
    caller callers[CALLERS];
    for (int k = 0; k < CALLERS; k++) {
        callers[k] = (caller){.exec = exec[k % 2], .rounds = 400};
        assert_int_equal(pthread_create(&callers[k].id, NULL, call_repeatedly, &callers[k]), 0);
    }
    for (int k = 0; k < CALLERS; k++) {
        assert_int_equal(pthread_join(callers[k].id, NULL), 0);
        assert_int_equal(callers[k].wrong, 0);
    }
    assert_in_range(stn_pool_threads(), 1, 3 + 4);
    stn_exec_release(exec[0]);
    assert_in_range(stn_pool_threads(), 1, 3 + 4);
    stn_exec_release(exec[1]);
    assert_int_equal(stn_pool_threads(), 0);
}

typedef struct owners {
    pid_t of[MOST];
} owners;

static void note_owner(void *context, int part, int parts)
{
    owners *const o = context;
    (void)parts;
    o->of[part] = (pid_t)syscall(SYS_gettid);
    rest(200);
}

/* The memory of a part is near the thread that wrote it first: each thread has the same part in all
 * launches. The calling thread may do the work of those that have not begun, and next to busy
 * processes another thread. */
UNIT_TEST(parts_stay_with_their_threads)
{
    enum { PARTS = 4, LAUNCHES = 60 };
    stn_exec *const exec = create("threads:threads=4");
    owners first = {{0}}, o;
    int stayed = 0, moved = 0;
    for (int k = 0; k < 5; k++) /* start the threads */
        assert_int_equal(run_counts(exec, PARTS, 200), 0);
    for (int k = 0; k < LAUNCHES; k++) {
        if (k % 10 == 9)
            rest(2500);
        stn_exec_run(exec, note_owner, &o);
        assert_int_equal(o.of[0], getpid());
        for (int part = 1; part < PARTS; part++) {
            if (o.of[part] == getpid())
                continue;
            if (!first.of[part])
                first.of[part] = o.of[part];
            if (o.of[part] == first.of[part])
                stayed++;
            else
                moved++;
        }
    }
    assert_in_range(moved, 0, stayed / 8);
    assert_true(stayed > 0 || stn_load_favors_one());
    stn_exec_release(exec);
}

typedef struct nest {
    const stn_exec *exec;
    int depth, wrong[MOST];
} nest;

static void launch_in_part(void *context, int part, int parts)
{
    nest *const n = context;
    nest inner = {.exec = n->exec, .depth = n->depth - 1};
    (void)parts;
    if (n->depth == 0)
        return;
    stn_exec_run_parts(n->exec, 3, launch_in_part, &inner);
    n->wrong[part] = run_counts(n->exec, 4, 0);
    for (int k = 0; k < 3; k++)
        n->wrong[part] += inner.wrong[k];
}

UNIT_TEST(launches_may_be_nested)
{
    nest n = {.exec = create("threads:threads=4"), .depth = 3};
    for (int round = 0; round < 30; round++) {
        stn_exec_run(n.exec, launch_in_part, &n);
        for (int k = 0; k < 4; k++)
            assert_int_equal(n.wrong[k], 0);
    }
    stn_exec_release((stn_exec *)(uintptr_t)n.exec);
}

/* ---- barriers: the number of parts is the number of threads that run ---- */

typedef struct meeting {
    stn_barrier barrier;
    int at[MOST], wrong[MOST], parts;
} meeting;

static void meet(void *context, int part, int parts)
{
    meeting *const m = context;
    if (part == 0)
        m->parts = parts;
    for (int round = 1; round <= 50; round++) {
        m->at[part] = round;
        stn_barrier_wait(&m->barrier, parts);
        for (int k = 0; k < parts; k++)
            m->wrong[part] += m->at[k] != round;
        stn_barrier_wait(&m->barrier, parts);
    }
}

static void *meet_repeatedly(void *context)
{
    caller *const c = context;
    for (int round = 0; round < c->rounds; round++) {
        meeting m = {.parts = 0};
        stn_barrier_open(&m.barrier);
        stn_exec_run_together(c->exec, 1e9, meet, &m);
        stn_barrier_close(&m.barrier);
        c->wrong += m.parts < 1 || m.parts > 4;
        for (int k = 0; k < m.parts; k++)
            c->wrong += m.wrong[k] + (m.at[k] != 50);
    }
    return NULL;
}

UNIT_TEST(barriers_of_concurrent_launches)
{
    enum { CALLERS = 3 };
    caller callers[CALLERS];
    stn_exec *const exec = create("threads:threads=4");
    for (int k = 0; k < CALLERS; k++) {
        callers[k] = (caller){.exec = exec, .rounds = 20};
        assert_int_equal(pthread_create(&callers[k].id, NULL, meet_repeatedly, &callers[k]), 0);
    }
    for (int k = 0; k < CALLERS; k++) {
        assert_int_equal(pthread_join(callers[k].id, NULL), 0);
        assert_int_equal(callers[k].wrong, 0);
    }
    stn_exec_release(exec);
}

/* ---- processes ---- */

/* Exit status of `work` in a child; -1 if it ends by a signal. */
static int in_child(int (*work)(void))
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);     /* rather than hang */
        _exit(work()); /* leak checkers do not see the threads of the parent */
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

static stn_exec *shared;

/* Next to busy processes, launches use one thread only, for a limited time. */
static int lacks_threads(int threads)
{
    for (int k = 0; k < 1000 && stn_pool_threads() != threads; k++) {
        rest(1000);
        (void)run_counts(shared, 3, 0);
    }
    return stn_pool_threads() != threads && !stn_load_favors_one();
}

/* A child starts threads itself; so do its children. */
static int work_in_grandchild(void)
{
    return run_counts(shared, 3, 0) + lacks_threads(2);
}

static int work_in_child(void)
{
    const int before = stn_pool_threads();
    const int wrong = run_counts(shared, 3, 100);
    return (before != 0) + wrong + lacks_threads(2) + in_child(work_in_grandchild);
}

UNIT_TEST(children_have_their_own_threads)
{
    if (HAS_THREAD_SANITIZER)
        skip();
    shared = create("threads:threads=3");
    assert_int_equal(run_counts(shared, 3, 100), 0);
    assert_int_equal(in_child(work_in_child), 0);
    assert_int_equal(lacks_threads(2), 0);
    assert_int_equal(run_counts(shared, 3, 0), 0);
    stn_exec_release(shared);
}

static void *fork_repeatedly(void *result)
{
    for (int k = 0; k < 10; k++)
        *(int *)result |= in_child(work_in_grandchild);
    return NULL;
}

/* While launches start and end threads. */
UNIT_TEST(forks_during_launches)
{
    int result = 0;
    pthread_t forking;
    if (HAS_THREAD_SANITIZER)
        skip();
    shared = create("threads:threads=3");
    assert_int_equal(pthread_create(&forking, NULL, fork_repeatedly, &result), 0);
    for (int round = 0; round < 50; round++) {
        stn_exec *const exec = create("threads:threads=4");
        assert_int_equal(run_counts(exec, 4, 100), 0);
        stn_exec_release(exec);
    }
    assert_int_equal(pthread_join(forking, NULL), 0);
    assert_int_equal(result, 0);
    stn_exec_release(shared);
}

/* Without permission to start threads, the calling thread does all the work. */
static int work_without_threads(void)
{
    const struct rlimit none = {1, 1};
    if (setrlimit(RLIMIT_NPROC, &none) != 0 || (getuid() == 0 && setuid(65534) != 0))
        return 77;
    stn_exec *exec = NULL;
    if (stn_exec_create(&exec, "threads:threads=8") != STN_OK)
        return 2;
    const int wrong = run_counts(exec, 8, 0) + run_counts(exec, 8, 0);
    caller together = {.exec = exec, .rounds = 3};
    (void)meet_repeatedly(&together);
    const int started = stn_pool_threads();
    stn_exec_release(exec);
    return wrong + together.wrong + (started == 0 ? 0 : 3);
}

UNIT_TEST(without_threads_of_the_system)
{
    const int result = HAS_THREAD_SANITIZER ? 77 : in_child(work_without_threads);
    if (result == 77)
        skip();
    assert_int_equal(result, 0);
}

/* ---- signals ---- */

static volatile sig_atomic_t handled_elsewhere;
static pthread_t main_thread;

static void note_thread(int number)
{
    (void)number;
    handled_elsewhere |= !pthread_equal(pthread_self(), main_thread);
}

/* Threads of the program handle its signals. */
UNIT_TEST(signals_are_handled_by_the_program)
{
    struct sigaction action = {.sa_handler = note_thread}, before;
    stn_exec *const exec = create("threads:threads=4");
    main_thread = pthread_self();
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    for (int round = 0; round < 20; round++) {
        assert_int_equal(kill(getpid(), SIGUSR1), 0);
        assert_int_equal(run_counts(exec, 4, round % 2 ? 50 : 0), 0);
    }
    assert_int_equal(handled_elsewhere, 0);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
    stn_exec_release(exec);
}

/* ---- load ---- */

/* Launches on several threads that took longer than one thread would have are followed by launches
 * on one, until the decision expires; it then holds twice as long. */
static void *report_launches(void *unused)
{
    (void)unused;
    const int64_t ms = 1000000;
    assert_false(stn_load_favors_one());
    stn_load_report(2, 1 * ms, 4 * ms);
    assert_false(stn_load_favors_one()); /* too short a sample */
    stn_load_report(2, 1 * ms, 4 * ms);
    assert_true(stn_load_favors_one());
    const int64_t begin = stn_nanoseconds_now();
    while (stn_load_favors_one() && stn_nanoseconds_now() - begin < 1000 * ms)
        rest(10000);
    assert_in_range(stn_nanoseconds_now() - begin, 80 * ms, 500 * ms);
    stn_load_report(2, 3 * ms, 6 * ms * 9 / 10); /* faster than one */
    assert_false(stn_load_favors_one());
    return NULL;
}

UNIT_TEST(one_thread_if_several_take_longer)
{
    pthread_t caller_of_launches;
    assert_int_equal(pthread_create(&caller_of_launches, NULL, report_launches, NULL), 0);
    assert_int_equal(pthread_join(caller_of_launches, NULL), 0);
}

/* ---- sleeping threads ---- */

/* Launches for which waking threads saved no time wake none anymore, unless they follow each other
 * closely or take long. */
static void *report_wakes(void *unused)
{
    const int64_t us = 1000, ms = 1000000, begin = stn_nanoseconds_now();
    (void)unused;
    assert_true(stn_wake_is_useful(begin));
    stn_wake_report(1, begin, begin + 10 * us, 10 * us);
    assert_true(stn_wake_is_useful(begin + 5 * ms)); /* once may be chance */
    stn_wake_report(1, begin, begin + 10 * us, 10 * us);
    assert_false(stn_wake_is_useful(begin + 5 * ms));
    assert_true(stn_wake_is_useful(begin + 500 * us));
    stn_wake_report(0, begin, begin + 90 * us, 40 * us);
    assert_false(stn_wake_is_useful(begin + 5 * ms));
    stn_wake_report(0, begin, begin + 90 * us, 60 * us);
    assert_true(stn_wake_is_useful(begin + 5 * ms));
    stn_wake_report(1, begin, begin + 10 * us, 10 * us);
    stn_wake_report(1, begin, begin + 10 * us, 11 * us);
    stn_wake_report(1, begin, begin + 10 * us, 10 * us);
    assert_true(stn_wake_is_useful(begin + 5 * ms));
    return NULL;
}

UNIT_TEST(threads_are_woken_if_that_saves_time)
{
    pthread_t caller_of_launches;
    assert_int_equal(pthread_create(&caller_of_launches, NULL, report_wakes, NULL), 0);
    assert_int_equal(pthread_join(caller_of_launches, NULL), 0);
}

/* How often the other threads of this process have fallen asleep. */
static long count_sleeps(void)
{
    DIR *const tasks = opendir("/proc/self/task");
    long all = 0;
    for (const struct dirent *task; tasks && (task = readdir(tasks));) {
        char path[300], line[128];
        const int id = atoi(task->d_name);
        snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
        FILE *const file = id && id != (int)getpid() ? fopen(path, "re") : NULL;
        while (file && fgets(line, sizeof line, file))
            if (strncmp(line, "voluntary_ctxt_switches:", 24) == 0)
                all += atol(line + 24);
        if (file)
            (void)fclose(file);
    }
    if (tasks)
        (void)closedir(tasks);
    return all;
}

/* Waits until no thread has fallen asleep for 20 ms. */
static long sleeps_at_rest(void)
{
    long before, now = count_sleeps();
    for (int tries = 0; tries < 100; tries++) {
        before = now;
        rest(20000);
        if ((now = count_sleeps()) == before)
            break;
    }
    return now;
}

/* Did short launches leave all threads asleep? No if other processes delayed one of them. */
static int lets_threads_sleep(const stn_exec *exec)
{
    int launches = 0;
    while (stn_wake_is_useful(stn_nanoseconds_now()) && ++launches < 50) {
        assert_int_equal(run_counts(exec, 3, 0), 0);
        rest(2500);
    }
    const long sleeps = sleeps_at_rest();
    for (int k = 0; k < 5; k++) {
        assert_int_equal(run_counts(exec, 3, 0), 0);
        rest(2500);
    }
    return sleeps_at_rest() == sleeps;
}

UNIT_TEST(short_launches_let_threads_sleep)
{
    int tries = 0;
    if (HAS_THREAD_SANITIZER)
        skip();
    stn_exec *const exec = create("threads:threads=3");
    while (!lets_threads_sleep(exec))
        assert_true(++tries < 20);
    stn_exec_release(exec);
}

RUN_UNIT_TESTS(NULL, NULL)
