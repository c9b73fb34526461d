/* One pool per process. Each of its threads has a slot, whose value says what it does. A launch
 * offers its job to free slots. A thread takes the job, or the calling thread takes it back when
 * its own work is done, so that it never waits for a thread that has no processor. */
#define _GNU_SOURCE
#include "exec/threads/pool.h"

#include <signal.h>

#include "core/clock.h"
#include "exec/openmp/places.h"
#include "exec/resource.h"
#include "exec/signal.h"
#include "exec/threads/load.h"
#include "exec/threads/wake.h"

/* Values of a slot. Others are addresses of jobs: offered, and with TAKEN added when the thread has
 * begun. */
enum { FREE = 0, TAKEN = 1, RESERVED = 2, ENDED = 3 };

enum {
    POLLS = 32,                     /* between looks at the clock */
    LONG_WAIT = STN_POOL_LONG_WAIT, /* if the value is expected to change in this time */
    SHORT_WAIT = STN_POOL_SHORT_WAIT,
    PATIENCE = 3,
    JOBS = 16 /* between looks at the load */
};

/* Treatment of sleeping threads by a job. */
enum { NO_SLEEPER = -1, WAKES_NONE = 0, WAKES_ALL = 1 };

typedef struct job {
    stn_thread_work *work;
    void *context;
    int threads;
    int wakes; /* sleeping threads: WAKES_ALL, WAKES_NONE, or NO_SLEEPER until one is met */
    int64_t begin, alone; /* if one was met: time, and estimated duration on one thread */
    atomic_int next;      /* first thread whose work is neither offered nor begun */
    uint16_t thread_of[STN_EXEC_MAX_THREADS]; /* by slot; set before the slot gets the job */
    uint16_t slot_of[STN_EXEC_MAX_THREADS];   /* by thread; for the calling thread */
} job;

typedef struct slot {
    stn_signal signal;
    pthread_t id;
    int is_open, has_thread;
    int patience; /* 0 to PATIENCE: grows with jobs that come within LONG_WAIT */
    unsigned jobs;
    stn_preemptions preemptions;
} slot;

static slot slots[STN_EXEC_MAX_THREADS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* for starting and ending threads */
static atomic_int used;                                   /* slots that have had a thread */
static atomic_int started;                                /* threads that run */
static atomic_int reserved;                               /* threads that executors need */
static atomic_int limit = STN_EXEC_MAX_THREADS;           /* threads that the system grants */

/* ---- threads of the pool ---- */

/* Polls until the value changes or the time is over. */
static int poll_for(const stn_signal *signal, uintptr_t value, int64_t nanoseconds)
{
    const int64_t begin = stn_nanoseconds_now();
    do
        if (stn_signal_poll(signal, value, POLLS))
            return 1;
    while (stn_nanoseconds_now() - begin < nanoseconds);
    return 0;
}

/* Waits until the slot has had a job, which the calling thread may have taken back. Polling is
 * worth while if the next one comes soon. */
static void wait_for_job(slot *s)
{
    const int64_t begin = stn_nanoseconds_now();
    const int is_long = s->patience > 0 && !stn_load_is_high();
    if (!poll_for(&s->signal, FREE, is_long ? LONG_WAIT : SHORT_WAIT)) {
        stn_load_watch(&s->preemptions);
        stn_signal_sleep(&s->signal, FREE);
    }
    if (stn_nanoseconds_now() - begin > LONG_WAIT)
        s->patience -= s->patience > 0;
    else
        s->patience += s->patience < PATIENCE;
}

/* The job in the slot, which may have been taken back meanwhile. */
static uintptr_t next_value(slot *s)
{
    uintptr_t value;
    if (++s->jobs % JOBS == 0)
        stn_load_watch(&s->preemptions);
    if (!stn_signal_poll(&s->signal, FREE, POLLS))
        wait_for_job(s);
    while ((value = stn_signal_get(&s->signal)) == RESERVED)
        if (!poll_for(&s->signal, RESERVED, SHORT_WAIT))
            stn_signal_sleep(&s->signal, RESERVED);
    return value;
}

/* Work of threads that the job did not get. */
static void work_for_others(job *j)
{
    int thread;
    while (atomic_load_explicit(&j->next, memory_order_relaxed) < j->threads &&
           (thread = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed)) < j->threads)
        j->work(j->context, thread, j->threads);
}

static void *serve(void *context)
{
    slot *const s = context;
    for (uintptr_t value; (value = next_value(s)) != ENDED;) {
        if (value == FREE || !stn_signal_replace(&s->signal, value, value | TAKEN))
            continue;
        job *const j = (job *)value;
        j->work(j->context, j->thread_of[s - slots], j->threads);
        work_for_others(j);
        stn_signal_set(&s->signal, FREE);
    }
    return NULL;
}

/* ---- starting and ending ---- */

/* Signals of the program are handled by its own threads, except those of faulty instructions. */
static int create_thread(slot *s)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    sigset_t blocked, before;
    (void)sigfillset(&blocked);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        (void)sigdelset(&blocked, faults[k]);
    (void)pthread_sigmask(SIG_SETMASK, &blocked, &before);
    s->has_thread = pthread_create(&s->id, NULL, serve, s) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (s->has_thread)
        stn_places_bind(s->id, 1 + (int)(s - slots), 1 + atomic_load(&reserved));
    return s->has_thread;
}

/* Starts a thread in a slot without one. A launch may use it when it is free. */
static int start_one(void)
{
    const int count = atomic_load(&used);
    int number = 0;
    while (number < count && slots[number].has_thread)
        number++;
    if (number == STN_EXEC_MAX_THREADS)
        return 0;
    slot *const s = &slots[number];
    if (!s->is_open)
        stn_signal_open(&s->signal, ENDED);
    s->is_open = 1;
    s->patience = PATIENCE;
    s->preemptions = (stn_preemptions){0};
    stn_signal_set(&s->signal, RESERVED);
    const int is_created = create_thread(s);
    stn_signal_set(&s->signal, is_created ? FREE : ENDED);
    if (number == count)
        atomic_store(&used, count + 1);
    atomic_fetch_add(&started, is_created);
    return is_created;
}

/* How many more may be started? */
static int missing(void)
{
    const int needed = atomic_load_explicit(&reserved, memory_order_relaxed);
    const int granted = atomic_load_explicit(&limit, memory_order_relaxed);
    return (needed < granted ? needed : granted) -
           atomic_load_explicit(&started, memory_order_relaxed);
}

/* Starts up to `count` threads. If the system refuses one, launches use the others until the next
 * executor is created. */
static void start(int count)
{
    (void)pthread_mutex_lock(&mutex);
    for (; count > 0 && missing() > 0; count--)
        if (!start_one())
            atomic_store(&limit, atomic_load(&started));
    (void)pthread_mutex_unlock(&mutex);
}

/* Threads that are working keep their slots. */
static void end_all(void)
{
    const int count = atomic_load(&used);
    for (int k = 0; k < count; k++)
        if (slots[k].has_thread)
            (void)stn_signal_replace(&slots[k].signal, FREE, ENDED);
    for (int k = 0; k < count; k++)
        if (slots[k].has_thread && stn_signal_get(&slots[k].signal) == ENDED) {
            (void)pthread_join(slots[k].id, NULL);
            slots[k].has_thread = 0;
            atomic_fetch_sub(&started, 1);
        }
}

/* ---- forks: the child has no threads of the pool ---- */

static void hold(void)
{
    (void)pthread_mutex_lock(&mutex);
}

static void release(void)
{
    (void)pthread_mutex_unlock(&mutex);
}

static void forget(void)
{
    for (int k = 0; k < atomic_load(&used); k++) {
        slots[k].has_thread = 0;
        stn_signal_open(&slots[k].signal, ENDED);
    }
    atomic_store(&started, 0);
    release();
}

static void watch_forks(void)
{
    (void)pthread_atfork(hold, release, forget);
}

/* When the program ends, or unloads the library. */
__attribute__((destructor)) static void end_pool(void)
{
    hold();
    atomic_store(&limit, 0);
    end_all();
    release();
}

void stn_pool_reserve(int threads)
{
    static pthread_once_t watching = PTHREAD_ONCE_INIT;
    (void)pthread_once(&watching, watch_forks);
    hold();
    if (threads > 0)
        atomic_store(&limit, STN_EXEC_MAX_THREADS);
    if (atomic_fetch_add(&reserved, threads) + threads == 0)
        end_all();
    release();
}

int stn_pool_threads(void)
{
    return atomic_load(&started);
}

/* ---- launches ---- */

/* Decided when the first sleeping thread is met. */
static int may_wake(job *j)
{
    if (j->wakes == NO_SLEEPER) {
        j->begin = stn_nanoseconds_now();
        j->wakes = stn_wake_is_useful(j->begin) ? WAKES_ALL : WAKES_NONE;
    }
    return j->wakes == WAKES_ALL;
}

/* Replaces the value of free slots until the job has all threads but the calling one. Returns the
 * number of threads from 0 on that it has. Slots have the same threads in each launch, unless
 * others launch at the same time: each thread uses the memory that it was the first to write. */
static int claim_free(job *j, uintptr_t value, int found)
{
    const int count = atomic_load_explicit(&used, memory_order_acquire);
    for (int k = 0; k < count && found < j->threads; k++) {
        if (stn_signal_get(&slots[k].signal) != FREE)
            continue;
        if (stn_signal_has_sleepers(&slots[k].signal) && !may_wake(j))
            break;
        j->thread_of[k] = (uint16_t)found;
        if (stn_signal_replace(&slots[k].signal, FREE, value))
            j->slot_of[found++] = (uint16_t)k;
    }
    return found;
}

static int claim(job *j, uintptr_t value)
{
    const int found = claim_free(j, value, 1);
    if (found == j->threads || missing() <= 0)
        return found;
    start(j->threads - found);
    return claim_free(j, value, found);
}

static void wait_for(stn_signal *signal, uintptr_t value)
{
    if (stn_signal_poll(signal, value, POLLS) ||
        poll_for(signal, value, stn_load_is_high() ? SHORT_WAIT : LONG_WAIT))
        return;
    while (stn_signal_get(signal) == value)
        stn_signal_sleep(signal, value);
}

static void report_wake(const job *j)
{
    const int64_t end = stn_nanoseconds_now();
    const int has_woken = j->wakes == WAKES_ALL;
    stn_wake_report(has_woken, j->begin, end, has_woken ? j->alone : end - j->begin);
}

/* Does the work of threads that have not begun, and waits for the others. A slot may have had the
 * job twice, if its thread was fast: then the second thread has not begun. */
static void finish(job *j, int found)
{
    const uintptr_t offered = (uintptr_t)j;
    for (int t = 1; t < found; t++) {
        const int k = j->slot_of[t];
        if (stn_signal_replace(&slots[k].signal, offered, FREE))
            j->work(j->context, j->thread_of[k], j->threads);
    }
    for (int t = 1; t < found; t++)
        wait_for(&slots[j->slot_of[t]].signal, offered | TAKEN);
    if (j->wakes != NO_SLEEPER)
        report_wake(j);
}

static void open_job(job *j, int threads, stn_thread_work *work, void *context)
{
    j->wakes = NO_SLEEPER;
    j->work = work;
    j->context = context;
    j->threads = threads;
    atomic_init(&j->next, threads);
}

static void work_first(job *j)
{
    if (j->wakes != WAKES_ALL) {
        j->work(j->context, 0, j->threads);
        return;
    }
    const int64_t begin = stn_nanoseconds_of_thread();
    j->work(j->context, 0, j->threads);
    j->alone = j->threads * (stn_nanoseconds_of_thread() - begin);
}

/* Work that no thread was found for is done by those that finish first. */
static int run(job *j)
{
    const int found = claim(j, (uintptr_t)j);
    if (found < j->threads)
        atomic_store_explicit(&j->next, found, memory_order_relaxed);
    work_first(j);
    work_for_others(j);
    return found;
}

static void run_measured(job *j)
{
    const int64_t begin = stn_nanoseconds_now();
    const int found = run(j);
    const int64_t own = stn_nanoseconds_now() - begin;
    finish(j, found);
    stn_load_report(found, own, stn_nanoseconds_now() - begin);
}

void stn_pool_launch(int threads, stn_thread_work *work, void *context)
{
    const int is_high = stn_load_is_high();
    if (is_high && stn_load_favors_one()) {
        work(context, 0, 1);
        return;
    }
    job j;
    open_job(&j, threads, work, context);
    if (is_high)
        run_measured(&j);
    else
        finish(&j, run(&j));
}

void stn_pool_launch_together(int threads, stn_thread_work *work, void *context)
{
    job j;
    open_job(&j, threads, work, context);
    j.wakes = WAKES_ALL;
    const int found = stn_load_is_high() ? 1 : claim(&j, RESERVED);
    j.threads = found;
    atomic_store_explicit(&j.next, found, memory_order_relaxed);
    for (int t = 1; t < found; t++)
        stn_signal_set(&slots[j.slot_of[t]].signal, (uintptr_t)&j);
    work(context, 0, found);
    for (int t = 1; t < found; t++) {
        wait_for(&slots[j.slot_of[t]].signal, (uintptr_t)&j);
        wait_for(&slots[j.slot_of[t]].signal, (uintptr_t)&j | TAKEN);
    }
}
