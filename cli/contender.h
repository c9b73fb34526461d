/* Calls that are measured beside each other, by rounds that take them in turn. */
#ifndef STENO_CLI_CONTENDER_H
#define STENO_CLI_CONTENDER_H

#include <stdint.h>

#include "core/status.h"
#include "measure/stream.h"

enum { MOST_ROUNDS = 41 };

typedef struct contender {
    stn_status (*call)(void *work);
    void *work;
    measure_stream *stream; /* NULL: compared with none */
    double bytes;           /* that a call reads */
    int64_t calls;          /* per measurement: short ones are repeated */
    double samples[MOST_ROUNDS], fractions[MOST_ROUNDS];
    double seconds;  /* of a call, the median */
    double fraction; /* of its seconds that streaming as many bytes takes, the median; NaN: none */
} contender;

typedef struct contender_rounds {
    int64_t repeat; /* 0: from `least` on, as `seconds` allow */
    int least;
    double seconds;
    int threads; /* of each call */
} contender_rounds;

/* Measures all of them, each once a round. */
stn_status contenders_run(contender *all, int count, const contender_rounds *limits);

#endif
