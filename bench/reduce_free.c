/* Sums that the compiler may reassociate, with the given number of threads. */
#include "reduce_free.h"

#include <stdio.h>

#if defined(__x86_64__) && defined(__gnu_linux__)
#    define VERSIONS __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#    define VERSIONS
#endif
#if defined(__clang__)
#    define FREE
#    define FREELY _Pragma("clang fp reassociate(on) contract(fast)")
#else
#    define FREE __attribute__((optimize("O3", "fast-math")))
#    define FREELY
#endif

/* clang-format off */
#define FREE_LOOPS(T)                                                                              \
    VERSIONS FREE static double sum_##T(const stn_##T *x, int64_t begin, int64_t end)                       \
    {                                                                                              \
        FREELY                                                                                     \
        double sum = 0.0;                                                                          \
        for (int64_t k = begin; k < end; k++)                                                      \
            sum += (double)x[k];                                                                   \
        return sum;                                                                                \
    }                                                                                              \
    VERSIONS FREE static double dot_##T(const stn_##T *x, const stn_##T *y, int64_t begin, int64_t end)     \
    {                                                                                              \
        FREELY                                                                                     \
        double sum = 0.0;                                                                          \
        for (int64_t k = begin; k < end; k++)                                                      \
            sum += (double)x[k] * (double)y[k];                                                    \
        return sum;                                                                                \
    }
FREE_LOOPS(f64)
FREE_LOOPS(f32)
FREE_LOOPS(i16)
FREE_LOOPS(i8)
/* clang-format on */

int free_knows(stn_format format)
{
    return format == STN_F64 || format == STN_F32 || format == STN_I16 || format == STN_I8;
}

static double sum_part(const stn_view *x, int64_t begin, int64_t end)
{
    return x->storage.format == STN_F64   ? sum_f64(x->data, begin, end)
           : x->storage.format == STN_F32 ? sum_f32(x->data, begin, end)
           : x->storage.format == STN_I16 ? sum_i16(x->data, begin, end)
                                          : sum_i8(x->data, begin, end);
}

static double dot_part(const stn_view *x, const stn_view *y, int64_t begin, int64_t end)
{
    return x->storage.format == STN_F64   ? dot_f64(x->data, y->data, begin, end)
           : x->storage.format == STN_F32 ? dot_f32(x->data, y->data, begin, end)
           : x->storage.format == STN_I16 ? dot_i16(x->data, y->data, begin, end)
                                          : dot_i8(x->data, y->data, begin, end);
}

double free_sum(int threads, const stn_view *x)
{
    double sum = 0.0;
    const int64_t count = x->extent[0];
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (int part = 0; part < threads; part++)
        sum += sum_part(x, count / threads * part,
                        part + 1 == threads ? count : count / threads * (part + 1));
    return sum;
}

double free_dot(int threads, const stn_view *x, const stn_view *y)
{
    double sum = 0.0;
    const int64_t count = x->extent[0];
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (int part = 0; part < threads; part++)
        sum += dot_part(x, y, count / threads * part,
                        part + 1 == threads ? count : count / threads * (part + 1));
    return sum;
}
