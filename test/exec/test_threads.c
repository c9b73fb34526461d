/* The pool of threads: launches, nested and concurrent ones, forks, signals and missing threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "exec/barrier.h"
#include "exec/exec.h"
#include "exec/threads/load.h"
#include "exec/threads/pool.h"
#include "check.h"

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

/* A child starts threads itself; so do its children. */
static int work_in_grandchild(void)
{
    return run_counts(shared, 3, 0) + (stn_pool_threads() == 0);
}

static int work_in_child(void)
{
    const int before = stn_pool_threads();
    const int wrong = run_counts(shared, 3, 100);
    return (before != 0) + wrong + (stn_pool_threads() != 2) + in_child(work_in_grandchild);
}

UNIT_TEST(children_have_their_own_threads)
{
    shared = create("threads:threads=3");
    assert_int_equal(run_counts(shared, 3, 100), 0);
    assert_int_equal(in_child(work_in_child), 0);
    assert_int_equal(stn_pool_threads(), 2);
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
    const int result = in_child(work_without_threads);
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

RUN_UNIT_TESTS(NULL, NULL)
