/* The rounds of `steno bench versus`. */
#include "versus.h"

#include <math.h>

#include "measure/stream.h"
#include "pin.h"

enum { LEAST_ROUNDS = 7, MOST_ROUNDS = 41, MOST_CALLS = 100000 };
static const double usual_seconds = 0.25; /* of rounds, when their number is not given */
static const double least_seconds = 1e-4; /* of one measurement */
static const double wake_seconds = 0.02;  /* threads that slept may share a processor at first */

#define VERSUS(kind, name) COLUMN(versus_row, kind, name)
static const column list[] = {VERSUS(TEXT, operation),  VERSUS(TEXT, format), VERSUS(TEXT, arith),
                              VERSUS(INTEGER, threads), VERSUS(INTEGER, n),   VERSUS(TEXT, library),
                              VERSUS(REAL, seconds),    VERSUS(REAL, ratio),  VERSUS(REAL, error)};
const columns versus_columns = {list, sizeof list / sizeof *list, sizeof(versus_row)};

/* Steno, or a library. */
typedef struct contender {
    const peer *peer; /* NULL: Steno */
    int64_t calls;    /* per measurement */
    double samples[MOST_ROUNDS];
} contender;

static stn_status call(versus_contest *contest, const contender *who)
{
    if (!who->peer)
        return contest->operation->steno(contest);
    (contest->format == STN_F64 ? contest->operation->peer_f64
                                : contest->operation->peer_f32)(contest, who->peer);
    return STN_OK;
}

static stn_status seconds_of(versus_contest *contest, const contender *who, int64_t calls,
                             double *seconds)
{
    const double start = measure_now();
    for (int64_t k = 0; k < calls; k++)
        STN_TRY(call(contest, who));
    *seconds = (measure_now() - start) / (double)calls;
    return STN_OK;
}

static stn_status choose_calls(versus_contest *contest, contender *who)
{
    double seconds = 0.0;
    who->calls = 1;
    STN_TRY(call(contest, who));
    while (who->calls < MOST_CALLS) {
        STN_TRY(seconds_of(contest, who, who->calls, &seconds));
        if (seconds * (double)who->calls >= least_seconds)
            return STN_OK;
        who->calls *= 2;
    }
    return STN_OK;
}

/* Calls until the threads are awake. */
static stn_status wake(versus_contest *contest, const contender *who)
{
    const double start = measure_now();
    do
        STN_TRY(call(contest, who));
    while (measure_now() - start < wake_seconds);
    return STN_OK;
}

static stn_status sample(versus_contest *contest, contender *who, int round)
{
    const int several = stn_exec_threads(contest->exec) > 1;
    if (several)
        pin_wait();
    STN_TRY(call(contest, who)); /* which makes the threads that it wants */
    if (several) {
        pin_threads();
        STN_TRY(wake(contest, who));
    }
    STN_TRY(seconds_of(contest, who, who->calls, &who->samples[round]));
    if (several)
        pin_release();
    return STN_OK;
}

static int wants_round(int round, int64_t repeat, double start)
{
    if (repeat)
        return round < repeat;
    return round < LEAST_ROUNDS || (round < MOST_ROUNDS && measure_now() - start < usual_seconds);
}

static stn_status run_rounds(versus_contest *contest, contender *all, int count, int64_t repeat,
                             int *rounds)
{
    for (int k = 0; k < count; k++)
        STN_TRY(choose_calls(contest, &all[k]));
    const double start = measure_now();
    for (*rounds = 0; wants_round(*rounds, repeat, start); (*rounds)++)
        for (int k = 0; k < count; k++)
            STN_TRY(sample(contest, &all[k], *rounds));
    return STN_OK;
}

static const char *name_of(stn_format format)
{
    return format == STN_F64 ? "f64" : "f32";
}

stn_status versus_measure(versus_contest *contest, const peers *others, int64_t repeat,
                          versus_row *rows)
{
    contender all[1 + MOST_PEERS];
    const int count = 1 + others->count;
    int rounds;
    if (repeat > MOST_ROUNDS)
        repeat = MOST_ROUNDS;
    for (int k = 0; k < count; k++)
        all[k].peer = k ? &others->list[k - 1] : NULL;
    STN_TRY(run_rounds(contest, all, count, repeat, &rounds));
    for (int k = 0; k < count; k++) {
        rows[k] = (versus_row){.operation = contest->operation->name,
                               .format = name_of(contest->format),
                               .arith = name_of(contest->arithmetic),
                               .library = k ? all[k].peer->name : "Steno",
                               .threads = stn_exec_threads(contest->exec),
                               .n = contest->n,
                               .seconds = measure_median(all[k].samples, rounds),
                               .error = NAN};
        rows[k].ratio = rows[k].seconds / rows[0].seconds;
        STN_TRY(call(contest, &all[k]));
        if (contest->operation->error)
            rows[k].error = contest->operation->error(contest);
    }
    return STN_OK;
}
