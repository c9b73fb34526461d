/* Calls that are compared in alternating rounds. */
#include "contender.h"

#include <math.h>

#include "pin.h"

enum { MAX_CALLS = 100000 };
static const double min_seconds = 1e-4;  /* of one measurement */
static const double wake_seconds = 0.02; /* threads that wake up may share a processor at first */

static stn_status seconds_of(const contender *c, double *seconds)
{
    const double start = measure_now();
    for (int64_t k = 0; k < c->calls; k++)
        STN_TRY(c->call(c->work));
    *seconds = (measure_now() - start) / (double)c->calls;
    return STN_OK;
}

static stn_status choose_calls(contender *c)
{
    double seconds = 0.0;
    c->calls = 1;
    STN_TRY(c->call(c->work));
    while (c->calls < MAX_CALLS) {
        STN_TRY(seconds_of(c, &seconds));
        if (seconds * (double)c->calls >= min_seconds)
            return STN_OK;
        c->calls *= 2;
    }
    return STN_OK;
}

/* Repeats calls until the threads are awake. */
static stn_status wake(const contender *c)
{
    const double start = measure_now();
    do
        STN_TRY(c->call(c->work));
    while (measure_now() - start < wake_seconds);
    return STN_OK;
}

/* Measures the streaming loop first, so that its threads are idle during the call. */
static stn_status sample(contender *c, int round, int several)
{
    const double stream =
        c->stream ? c->bytes * measure_stream_round(c->stream, (measure_mix){.read = 8}) : NAN;
    if (several)
        pin_wait();
    STN_TRY(c->call(c->work)); /* starts the threads that the call uses */
    if (several) {
        pin_threads();
        STN_TRY(wake(c));
    }
    STN_TRY(seconds_of(c, &c->samples[round]));
    if (several)
        pin_release();
    c->fractions[round] = stream / c->samples[round];
    return STN_OK;
}

static int wants_round(int round, const contender_rounds *limits, double start)
{
    if (limits->repeat)
        return round < limits->repeat && round < MAX_ROUNDS;
    return round < limits->minimum ||
           (round < MAX_ROUNDS && measure_now() - start < limits->seconds);
}

stn_status contenders_run(contender *all, int count, const contender_rounds *limits)
{
    int rounds;
    for (int k = 0; k < count; k++)
        STN_TRY(choose_calls(&all[k]));
    const double start = measure_now();
    for (rounds = 0; wants_round(rounds, limits, start); rounds++)
        for (int k = 0; k < count; k++)
            STN_TRY(sample(&all[k], rounds, limits->threads > 1));
    for (int k = 0; k < count; k++) {
        all[k].seconds = measure_median(all[k].samples, rounds);
        all[k].fraction = all[k].stream ? measure_median(all[k].fractions, rounds) : NAN;
    }
    return STN_OK;
}
