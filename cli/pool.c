/* The part of `steno info` about the threads of executors `threads`. */
#include "pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "exec/openmp/places.h"
#include "exec/threads/pool.h"

static const char *const variables[] = {"STENO_NUM_THREADS", "OMP_NUM_THREADS"};

static void print_processors(const stn_processors *processors)
{
    printf("processors        affinity mask: %d; CPU quota: ", processors->allowed);
    if (isinf(processors->quota))
        printf("none\n");
    else
        printf("%.4g\n", processors->quota);
}

static void print_variables(void)
{
    printf("environment      ");
    for (int k = 0; k < 2; k++) {
        const char *const value = getenv(variables[k]);
        printf("%s %s%s%s", k ? "," : "", variables[k], value ? "=" : " is not set",
               value ? value : "");
    }
    printf("\n");
}

void pool_print(const stn_processors *processors)
{
    printf("threads           default: %d, from the %s\n", processors->threads, processors->source);
    print_processors(processors);
    print_variables();
    printf(
        "pool              threads poll for %.3g ms after a call, or %.3g us while the processors\n"
        "                  are busy, and then sleep; they are %s\n",
        STN_POOL_LONG_WAIT / 1e6, STN_POOL_SHORT_WAIT / 1e3,
        stn_places_count() > 0 ? "bound to the places of OpenMP" : "not bound to processors");
}

json_t *pool_to_json(const stn_processors *processors)
{
    return json_pack(
        "{s:i, s:s, s:i, s:o, s:s?, s:s?, s:i, s:i, s:b}", "threads", processors->threads, "source",
        processors->source, "processors", processors->allowed, "quota",
        isinf(processors->quota) ? json_null() : json_real(processors->quota), variables[0],
        getenv(variables[0]), variables[1], getenv(variables[1]), "poll_ns", STN_POOL_LONG_WAIT,
        "poll_busy_ns", STN_POOL_SHORT_WAIT, "bound", stn_places_count() > 0);
}
