/* Calls that are compared in alternating rounds. */
#ifndef STENO_CLI_CONTENDER_H
#define STENO_CLI_CONTENDER_H

#include <stdint.h>

#include "core/status.h"
#include "measure/stream.h"

enum { MAX_ROUNDS = 41 };

typedef struct contender {
    stn_status (*call)(void *work);
    void *work;
    measure_stream *stream; /* NULL: no comparison */
    double bytes;           /* bytes read by a call */
    int64_t calls;          /* calls per measurement, if short */
    double samples[MAX_ROUNDS], fractions[MAX_ROUNDS];
    double seconds;  /* median time of a call */
    double fraction; /* median of the time of streaming the same bytes relative to `seconds`; NaN if
                        unknown */
} contender;

typedef struct contender_rounds {
    int64_t repeat; /* 0: at least `minimum`, as many as `seconds` allow */
    int minimum;
    double seconds;
    int threads; /* threads of each call */
} contender_rounds;

/* Measures each call once per round. */
stn_status contenders_run(contender *all, int count, const contender_rounds *limits);

#endif
