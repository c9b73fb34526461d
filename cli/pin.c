/* Binding of threads to processors by Linux system calls. */
#define _GNU_SOURCE
#include "pin.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "measure/stream.h"

static const double max_wait = 0.3;

/* Calls `visit` for each other thread. */
static void for_other_threads(void (*visit)(int id, void *what), void *what)
{
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *task; tasks && (task = readdir(tasks));) {
        const int id = atoi(task->d_name);
        if (id > 0 && id != (int)getpid())
            visit(id, what);
    }
    if (tasks)
        (void)closedir(tasks);
}

static void count_running(int id, void *count)
{
    char path[64], state = 0;
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/stat", id);
    FILE *stat = fopen(path, "r");
    if (!stat)
        return;
    if (fscanf(stat, "%*d (%*[^)]) %c", &state) == 1)
        *(int *)count += state == 'R';
    (void)fclose(stat);
}

void pin_wait(void)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    const double start = measure_now();
    int running;
    do {
        (void)nanosleep(&pause, NULL);
        running = 0;
        for_other_threads(count_running, &running);
    } while (running && measure_now() - start < max_wait);
}

/* The processors available to this process. */
static const cpu_set_t *processors(void)
{
    static cpu_set_t all;
    if (!CPU_COUNT(&all) && sched_getaffinity(0, sizeof all, &all))
        CPU_ZERO(&all);
    return &all;
}

static void pin(int id, int which)
{
    const cpu_set_t *all = processors();
    cpu_set_t one;
    CPU_ZERO(&one);
    for (size_t k = 0; k < CPU_SETSIZE; k++)
        if (CPU_ISSET(k, all) && !which--)
            CPU_SET(k, &one);
    (void)sched_setaffinity(id, sizeof one, &one);
}

typedef struct new_threads {
    int newest; /* newest pinned thread */
    int next;
    int maximum;
} new_threads;

static void pin_new(int id, void *what)
{
    new_threads *new = what;
    if (id > new->newest)
        pin(id, 1 + new->next++ % (CPU_COUNT(processors()) - 1));
    if (id > new->maximum)
        new->maximum = id;
}

void pin_threads(void)
{
    static int newest;
    new_threads new = {.newest = newest};
    if (CPU_COUNT(processors()) < 2)
        return;
    for_other_threads(pin_new, &new);
    newest = new.maximum > newest ? new.maximum : newest;
    pin(0, 0);
}

void pin_release(void)
{
    (void)sched_setaffinity(0, sizeof(cpu_set_t), processors());
}
