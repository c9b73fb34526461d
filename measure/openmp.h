/* OpenMP for tests, benches and the command. Without it, their parallel regions have one thread,
 * and the executor `threads` takes the place of `openmp`. */
#ifndef STENO_MEASURE_OPENMP_H
#define STENO_MEASURE_OPENMP_H

#ifdef _OPENMP
#    include <omp.h>
#    define OPENMP "openmp"
#else
#    define OPENMP "threads"

static inline int omp_get_thread_num(void)
{
    return 0;
}

static inline int omp_get_num_threads(void)
{
    return 1;
}

static inline int omp_get_max_threads(void)
{
    return 1;
}

static inline int omp_get_max_active_levels(void)
{
    return 1;
}

static inline int omp_get_dynamic(void)
{
    return 0;
}

static inline void omp_set_num_threads(int threads)
{
    (void)threads;
}

static inline void omp_set_max_active_levels(int levels)
{
    (void)levels;
}

static inline void omp_set_dynamic(int dynamic)
{
    (void)dynamic;
}
#endif

#endif
