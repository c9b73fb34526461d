/* See load.h. */
#define _GNU_SOURCE
#include "exec/threads/load.h"

#include <stdatomic.h>
#include <sys/resource.h>

#include "core/clock.h"

enum {
    CHECK = 1000000,   /* ns between checks */
    WINDOW = 50000000, /* ns in which this many preemptions are a high load */
    PREEMPTIONS = 3,
    SHORTEST = 100000000, /* ns for which a decision holds, doubled when it is repeated */
    LONGEST = 1600000000,
    SAMPLE = 5000000 /* ns of launches from which a decision is made */
};

/* ---- preemptions ---- */

static _Atomic int64_t high_until;
static _Atomic int64_t duration = SHORTEST;

/* The load was high until shortly before: it is expected to last longer. */
static void set_high(int64_t now)
{
    const int64_t until = atomic_load_explicit(&high_until, memory_order_relaxed);
    int64_t length = atomic_load_explicit(&duration, memory_order_relaxed);
    if (now < until)
        return;
    if (now - until < 4 * length)
        length = 2 * length < LONGEST ? 2 * length : LONGEST;
    else
        length = SHORTEST;
    atomic_store_explicit(&duration, length, memory_order_relaxed);
    atomic_store_explicit(&high_until, now + length, memory_order_relaxed);
}

static long involuntary_switches(void)
{
#ifdef RUSAGE_THREAD
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
#else
    return 0;
#endif
}

void stn_load_watch(stn_preemptions *of_thread)
{
    const int64_t now = stn_nanoseconds_now();
    if (now - of_thread->checked < CHECK)
        return;
    const long switches = involuntary_switches();
    of_thread->checked = now;
    if (switches == of_thread->switches)
        return;
    of_thread->switches = switches;
    if (now - of_thread->first > WINDOW) {
        of_thread->first = now;
        of_thread->recent = 0;
    }
    if (++of_thread->recent >= PREEMPTIONS)
        set_high(now);
}

int stn_load_is_high(void)
{
    const int64_t until = atomic_load_explicit(&high_until, memory_order_relaxed);
    return until > 0 && stn_nanoseconds_now() < until;
}

/* ---- one thread or several ---- */

/* Of the launches of one thread of the program: what one thread would have taken is estimated from
 * its share. */
typedef struct comparison {
    int64_t alone_until, duration;
    int64_t elapsed, alone;
} comparison;

static _Thread_local comparison mine = {.duration = SHORTEST};

int stn_load_favors_one(void)
{
    return stn_nanoseconds_now() < mine.alone_until;
}

void stn_load_report(int threads, int64_t working, int64_t elapsed)
{
    mine.elapsed += elapsed;
    mine.alone += threads * working;
    if (mine.elapsed < SAMPLE)
        return;
    if (mine.elapsed > mine.alone - mine.alone / 16) {
        mine.alone_until = stn_nanoseconds_now() + mine.duration;
        mine.duration = 2 * mine.duration < LONGEST ? 2 * mine.duration : LONGEST;
    } else {
        mine.duration = SHORTEST;
    }
    mine.elapsed = mine.alone = 0;
}
