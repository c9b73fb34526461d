/* See wake.h. */
#include "exec/threads/wake.h"

#include "exec/threads/pool.h"

enum {
    TRIES = 2,                   /* useless ones before threads are no longer woken */
    SERIES = STN_POOL_LONG_WAIT, /* ns after a launch in which woken threads still poll */
    LONG = 50000 /* ns of a launch on one thread, for which waking would have been useful */
};

/* Of the launches of one thread of the program. */
static _Thread_local struct {
    int useless;
    int64_t end; /* of the last one that met sleeping threads */
} mine;

int stn_wake_is_useful(int64_t now)
{
    return mine.useless < TRIES || now - mine.end < SERIES;
}

void stn_wake_report(int has_woken, int64_t begin, int64_t end, int64_t alone)
{
    mine.end = end;
    if (has_woken ? end - begin < alone : alone > LONG)
        mine.useless = 0;
    else if (has_woken && mine.useless < TRIES)
        mine.useless++;
}
