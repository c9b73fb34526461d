/* See places.h. */
#define _GNU_SOURCE
#include "exec/openmp/places.h"

#ifdef _OPENMP
#    include <omp.h>
#    include <sched.h>

enum { MAX_PROCESSORS = 2048 }; /* of a place */

int stn_places_count(void)
{
    const omp_proc_bind_t policy = omp_get_proc_bind();
    return policy == omp_proc_bind_true || policy == omp_proc_bind_close ||
                   policy == omp_proc_bind_spread
               ? omp_get_num_places()
               : 0;
}

int stn_places_processors(void)
{
    int count = 0;
    for (int place = 0; place < omp_get_num_places(); place++)
        count += omp_get_place_num_procs(place);
    return count;
}

void stn_places_bind(pthread_t id, int thread, int threads)
{
    enum { SETS = 8 };
    cpu_set_t sets[SETS]; /* one large set */
    int processors[MAX_PROCESSORS];
    const int places = stn_places_count();
    const int is_spread = omp_get_proc_bind() == omp_proc_bind_spread && threads < places;
    const int place = places > 0 ? thread * (is_spread ? places / threads : 1) % places : 0;
    const int count = places > 0 ? omp_get_place_num_procs(place) : 0;
    if (count < 1 || count > MAX_PROCESSORS)
        return;
    omp_get_place_proc_ids(place, processors);
    CPU_ZERO_S(sizeof sets, sets);
    for (int k = 0; k < count; k++)
        CPU_SET_S((size_t)processors[k], sizeof sets, sets);
    (void)pthread_setaffinity_np(id, sizeof sets, sets); /* refused: it runs anywhere */
}
#else
int stn_places_count(void)
{
    return 0;
}

int stn_places_processors(void)
{
    return 0;
}

void stn_places_bind(pthread_t id, int thread, int threads)
{
    (void)id, (void)thread, (void)threads;
}
#endif
