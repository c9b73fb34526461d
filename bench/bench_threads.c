/* bench threads: the executor `threads` compared with `openmp`, and with one thread.
 *
 *   bench_threads [--threads N] [--repeat N] [--json FILE]
 *
 * regions: microseconds that a region takes in addition to the work of each thread, at this time
 * after the end of the previous one, during which the calling thread computes. Executors alternate,
 * with pauses in which the other's threads fall asleep. programs, unless the bench runs with a
 * real-time priority: milliseconds for a program of axpy operations next to one process per
 * processor that never sleeps, on one thread and on N threads.
 */
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "exec/exec.h"
#include "exec/processors.h"
#include "frame.h"
#include "steno/blas.h"
#include "steno/view.h"

enum { EXECS = 2, MAX_HOGS = 64 };

static const char *const kinds[EXECS] = {"threads", "openmp"};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

static void rest(long milliseconds)
{
    nanosleep(&(struct timespec){0, 1000000 * milliseconds}, NULL);
}

static void create(const bench_frame *frame, stn_exec *exec[EXECS])
{
    for (int k = 0; k < EXECS; k++) {
        char resource[32];
        snprintf(resource, sizeof resource, "%s:threads=%d", kinds[k], frame->threads);
        if (stn_exec_create(&exec[k], resource) != STN_OK)
            exec[k] = NULL; /* built without OpenMP */
    }
}

/* ---- regions ---- */

/* Works for this number of seconds in each part. */
static void work_briefly(void *context, int part, int parts)
{
    const double seconds = *(const double *)context, begin = stn_seconds_now();
    (void)part, (void)parts;
    while (seconds > 0 && stn_seconds_now() < begin + seconds)
        continue;
}

static double time_regions(const stn_exec *exec, double gap, double work)
{
    enum { REGIONS = 400, WARM = 20 };
    static double taken[REGIONS];
    for (int k = -WARM; k < REGIONS; k++) {
        const double begin = stn_seconds_now();
        double start = begin;
        while (start < begin + gap)
            start = stn_seconds_now();
        stn_exec_run(exec, work_briefly, &work);
        if (k >= 0)
            taken[k] = stn_seconds_now() - start - work;
    }
    return 1e6 * median(taken, REGIONS);
}

static void compare_regions(const bench_frame *frame, stn_exec *const exec[EXECS])
{
    static const double work[] = {0, 0, 5e-6, 5e-6, 5e-6, 5e-6, 5e-6, 5e-6};
    static const double gaps[] = {0, 10e-6, 0, 1e-6, 10e-6, 100e-6, 500e-6, 2e-3};
    printf("\n%-34s%12s%12s   us per region\n", "us of work, and since the last one", kinds[0],
           kinds[1]);
    (void)fflush(stdout);
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        double taken[EXECS][BENCH_MOST_REPEATS], result[EXECS];
        for (int r = 0; r < frame->repeats; r++)
            for (int k = 0; k < EXECS; k++) {
                rest(20);
                taken[k][r] = exec[k] ? time_regions(exec[k], gaps[g], work[g]) : NAN;
            }
        for (int k = 0; k < EXECS; k++)
            result[k] = median(taken[k], frame->repeats);
        printf("%17.0f%17.0f%12.2f%12.2f\n", 1e6 * work[g], 1e6 * gaps[g], result[0], result[1]);
        if (frame->json)
            fprintf(
                frame->json,
                "{\"bench\": \"regions\", \"threads\": %d, \"work_us\": %.0f, \"gap_us\": %.0f, "
                "\"threads_us\": %.3f, \"openmp_us\": %.3f}\n",
                frame->threads, 1e6 * work[g], 1e6 * gaps[g], result[0], result[1]);
    }
}

/* ---- busy processors ---- */

static void spin_until_killed(void)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile unsigned count = 0;; count++)
        continue;
}

static int start_hogs(pid_t hogs[MAX_HOGS])
{
    int count = 0;
    for (; count < stn_processors_allowed() && count < MAX_HOGS; count++)
        if ((hogs[count] = fork()) == 0)
            spin_until_killed();
    return count;
}

static double time_program(const stn_exec *exec, int64_t elements, int launches)
{
    stn_view x, y;
    bench_must(stn_view_create(exec, &x, "x", stn_storage_of(STN_F64), 1, &elements));
    bench_must(stn_view_create(exec, &y, "y", stn_storage_of(STN_F64), 1, &elements));
    const double begin = stn_seconds_now();
    for (int k = 0; k < launches; k++)
        bench_must(stn_axpy(exec, STN_F64, 0.5, &x, &y));
    const double seconds = stn_seconds_now() - begin;
    bench_must(stn_view_release(&x));
    bench_must(stn_view_release(&y));
    return 1e3 * seconds;
}

static void compare_program(const bench_frame *frame, stn_exec *const exec[EXECS],
                            const stn_exec *alone, int64_t elements, int hogs)
{
    const int launches = (int)(200000000 / elements);
    double taken[EXECS + 1][BENCH_MOST_REPEATS], result[EXECS + 1];
    for (int r = 0; r < frame->repeats; r++)
        for (int k = 0; k <= EXECS; k++) {
            const stn_exec *const used = k < EXECS ? exec[k] : alone;
            rest(20);
            taken[k][r] = used ? time_program(used, elements, launches) : NAN;
        }
    for (int k = 0; k <= EXECS; k++)
        result[k] = median(taken[k], frame->repeats);
    printf("%10lld elements, %2d busy %12.1f%12.1f%12.1f%14.2f\n", (long long)elements, hogs,
           result[0], result[1], result[2], result[0] / result[2]);
    (void)fflush(stdout);
    if (frame->json)
        fprintf(frame->json,
                "{\"bench\": \"program\", \"threads\": %d, \"elements\": %lld, \"busy\": %d, "
                "\"threads_ms\": %.2f, \"openmp_ms\": %.2f, \"alone_ms\": %.2f}\n",
                frame->threads, (long long)elements, hogs, result[0], result[1], result[2]);
}

static void compare_programs(const bench_frame *frame, stn_exec *const exec[EXECS])
{
    static const int64_t elements[] = {8000, 30000, 100000, 1000000};
    pid_t hogs[MAX_HOGS];
    stn_exec *alone;
    bench_must(stn_exec_create(&alone, "threads:threads=1"));
    printf("\n%-28s%12s%12s%12s%14s\n", "ms per program", kinds[0], kinds[1], "one thread",
           "threads/one");
    for (int is_busy = 0; is_busy < 2; is_busy++) {
        const int count = is_busy ? start_hogs(hogs) : 0;
        for (size_t k = 0; k < sizeof elements / sizeof *elements; k++)
            compare_program(frame, exec, alone, elements[k], count);
        for (int k = 0; k < count; k++) {
            (void)kill(hogs[k], SIGKILL);
            (void)waitpid(hogs[k], NULL, 0);
        }
    }
    stn_exec_release(alone);
}

int main(int count, char **words)
{
    bench_frame frame = bench_begin(count, words);
    stn_exec *exec[EXECS];
    create(&frame, exec);
    printf("%d threads\n", frame.threads);
    compare_regions(&frame, exec);
    if (sched_getscheduler(0) == SCHED_OTHER) /* real-time processes would not yield to others */
        compare_programs(&frame, exec);
    for (int k = 0; k < EXECS; k++)
        stn_exec_release(exec[k]);
    bench_end(&frame);
    return 0;
}
