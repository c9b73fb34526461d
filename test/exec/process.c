/* What happens to the threads of executors when the library is unloaded, the program ends or forks,
 * and the system refuses to start threads. For test_threads_process.sh; the library is opened at
 * run time.
 *
 *   process unload|exit|fork|refuse|bind LIBRARY */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "steno/blas.h"
#include "steno/exec.h"
#include "steno/view.h"

enum { LONG = 200000 }; /* too long for one thread */

static void need(int holds, const char *what, int line)
{
    if (holds)
        return;
    fprintf(stderr, "line %d: %s does not hold\n", line, what);
    _exit(1);
}
#define NEED(...) need(__VA_ARGS__, #__VA_ARGS__, __LINE__)

static void rest(long milliseconds)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 1000000 * milliseconds}, NULL);
}

/* Threads of this process. */
static int count_threads(void)
{
    DIR *const tasks = opendir("/proc/self/task");
    int count = 0;
    NEED(tasks != NULL);
    for (const struct dirent *task; (task = readdir(tasks));)
        count += task->d_name[0] != '.';
    (void)closedir(tasks);
    return count;
}

/* ---- the library ---- */

static const char *path;
static void *library;
static stn_exec *exec;
static stn_view x;

static stn_status (*create)(stn_exec **, const char *);
static void (*release)(stn_exec *);
static int (*count_of_threads)(const stn_exec *);
static stn_status (*create_view)(const stn_exec *, stn_view *, const char *, stn_storage, int,
                                 const int64_t *);
static stn_status (*release_view)(stn_view *);
static stn_status (*fill)(const stn_exec *, const stn_view *, double);
static stn_status (*dot)(const stn_exec *, stn_format, double *, const stn_view *,
                         const stn_view *);

static void find(const char *name, void *function)
{
    void *const address = dlsym(library, name);
    NEED(address != NULL);
    memcpy(function, &address, sizeof address); /* ISO C does not convert it */
}

static void open_library(const char *resource)
{
    const int64_t count = LONG;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    NEED(library != NULL);
    find("stn_exec_create", &create);
    find("stn_exec_release", &release);
    find("stn_exec_threads", &count_of_threads);
    find("stn_view_create", &create_view);
    find("stn_view_release", &release_view);
    find("stn_view_fill", &fill);
    find("stn_dot", &dot);
    NEED(create(&exec, resource) == STN_OK);
    NEED(create_view(exec, &x, "x", stn_storage_of(STN_F64), 1, &count) == STN_OK);
    NEED(fill(exec, &x, 2.0) == STN_OK);
}

static void compute(void)
{
    double sum = 0.0;
    NEED(dot(exec, STN_F64, &sum, &x, &x) == STN_OK && sum == 4.0 * LONG);
}

static void *compute_forever(void *unused)
{
    (void)unused;
    for (;;)
        compute();
    return NULL;
}

/* ---- cases ---- */

static void expect_success(pid_t child)
{
    int status = 0;
    NEED(child > 0 && waitpid(child, &status, 0) == child);
    NEED(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Threads end when the library is unloaded, whether they poll or sleep, and whether the executor
 * has been released. */
static void unload(void)
{
    for (int round = 0; round < 8; round++) {
        open_library("threads:threads=4");
        compute();
        NEED(count_threads() > 1);
        if (round & 1)
            rest(5); /* they sleep */
        NEED(release_view(&x) == STN_OK);
        if (round & 2)
            release(exec);
        NEED(dlclose(library) == 0);
        NEED(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == NULL);
        NEED(count_threads() == 1);
        const pid_t child = fork(); /* calls no handler of the unloaded library */
        if (child == 0)
            exit(0);
        expect_success(child);
    }
}

/* The program ends while threads compute; one of its handlers still computes. */
static void leave(void)
{
    pthread_t ids[2];
    open_library("threads:threads=3");
    for (int k = 0; k < 2; k++)
        NEED(pthread_create(&ids[k], NULL, compute_forever, NULL) == 0);
    NEED(atexit(compute) == 0);
    rest(10);
    exit(0);
}

/* Threads fork while others compute. Children compute and end as usual. */
static void *fork_repeatedly(void *unused)
{
    (void)unused;
    for (int round = 0; round < 10; round++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            compute();
            exit(0);
        }
        expect_success(child);
    }
    return NULL;
}

static void fork_in_threads(void)
{
    pthread_t forking[2], computing;
    open_library("threads:threads=3");
    NEED(pthread_create(&computing, NULL, compute_forever, NULL) == 0);
    for (int k = 0; k < 2; k++)
        NEED(pthread_create(&forking[k], NULL, fork_repeatedly, NULL) == 0);
    for (int k = 0; k < 2; k++)
        NEED(pthread_join(forking[k], NULL) == 0);
    exit(0);
}

/* ---- OpenMP's places ---- */

/* Processors in the affinity mask of a thread of this process; the number of the last one. */
static int count_processors(const char *id, int *last)
{
    cpu_set_t set;
    int count = 0;
    NEED(sched_getaffinity((pid_t)atoi(id), sizeof set, &set) == 0);
    for (int k = 0; k < CPU_SETSIZE; k++)
        if (CPU_ISSET((size_t)k, &set)) {
            *last = k;
            count++;
        }
    return count;
}

/* With OMP_PROC_BIND=close and OMP_PLACES=threads, on two or more processors: the threads of an
 * executor, by default more than one, have different processors. */
static void bind_to_places(void)
{
    char own[16];
    int processor = -1, other = -1, threads = 0;
    open_library("threads");
    NEED(count_of_threads(exec) > 1);
    release(exec);
    NEED(create(&exec, "threads:threads=2") == STN_OK);
    compute();
    (void)snprintf(own, sizeof own, "%d", (int)getpid());
    DIR *const tasks = opendir("/proc/self/task");
    NEED(tasks != NULL);
    for (const struct dirent *task; (task = readdir(tasks));)
        if (task->d_name[0] != '.' && strcmp(task->d_name, own) != 0) {
            threads++;
            NEED(count_processors(task->d_name, &other) == 1);
        }
    (void)closedir(tasks);
    NEED(threads == 1);
    if (count_processors(own, &processor) == 1) /* LLVM binds it in its first region */
        NEED(processor != other);
}

/* ---- refused threads ---- */

static atomic_int granted = 1000;

/* Replaces the function of the C library. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *id,
                                                          const pthread_attr_t *attributes,
                                                          void *(*work)(void *), void *context)
{
    static int (*original)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *const address = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&original, &address, sizeof address);
    return atomic_fetch_sub(&granted, 1) > 0 ? original(id, attributes, work, context) : EAGAIN;
}

/* Calls use the threads that were granted, until the next executor is created. */
static void refuse(void)
{
    stn_exec *further;
    for (int count = 0; count <= 3; count++) {
        atomic_store(&granted, count);
        open_library("threads:threads=4");
        compute();
        NEED(count_threads() == 1 + count);
        atomic_store(&granted, 1000);
        compute();
        NEED(count_threads() == 1 + count);
        NEED(create(&further, "threads:threads=2") == STN_OK);
        compute();
        NEED(count_threads() == 4);
        release(further);
        NEED(release_view(&x) == STN_OK);
        release(exec);
        NEED(count_threads() == 1);
        NEED(dlclose(library) == 0);
    }
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"unload", unload},
                 {"exit", leave},
                 {"fork", fork_in_threads},
                 {"refuse", refuse},
                 {"bind", bind_to_places}};
    if (count != 3)
        return 2;
    path = arguments[2];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (strcmp(arguments[1], cases[k].name) == 0) {
            cases[k].run();
            return 0;
        }
    return 2;
}
