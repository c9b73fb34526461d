/* The walk over a run of elements, and what else every accessor needs of indices. */
#ifndef STENO_ACCESSOR_INDEX_H
#define STENO_ACCESSOR_INDEX_H

#include "steno/detail/accessor/rank.h"
#include "steno/accessor_span.h"
#include "steno/codec.h"

#if defined(STN_OPENCL)
#    define STN_MEM      __global /* where the elements of accessors are */
#    define STN_TEXT     __constant
#    define STN_NO_ALIAS restrict
#elif defined(__cplusplus)
#    define STN_MEM
#    define STN_TEXT
#    define STN_NO_ALIAS __restrict
#else
#    define STN_MEM
#    define STN_TEXT
#    define STN_NO_ALIAS restrict
#endif

/* As STN_FN, for functions that are too long to be copied into every call. */
#if defined(STN_OPENCL) || defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIPCC__) || \
    defined(__HIPCC_RTC__) || defined(__HIP__) || !defined(__GNUC__)
#    define STN_FN_LONG STN_FN
#else
#    define STN_FN_LONG static inline __attribute__((__unused__))
#endif

/* ---- checked mode ---- */

/* With STN_CHECKED defined before the header is included, a wrong index, span, extent or scale is
 * reported: which accessor, what, the dimension (of scales -1), the value and the extent it does
 * not fit. The report is STN_CHECK_FAILED(accessor, problem, dimension, value, extent), which a
 * program may define as it likes; by default it prints a line and ends the program (or the kernel).
 * If it returns, nothing has been touched: reads give 0, stores are left out, sub-ranges are empty.
 */
#ifdef STN_CHECKED
#    ifndef STN_CHECK_FAILED
#        define STN_CHECK_FAILED stn_check_failed
/* A scale has no dimension: its number is where it is among the scales. */
#        define STN_CHECK_MESSAGE "%s: %s %lld of dimension %d does not fit its extent %lld\n"
#        define STN_CHECK_SCALE   "%s: %s %lld is 0 or not finite\n"
#        define STN_CHECK_PRINT(print, ...)                                                        \
            (dimension < 0                                                                         \
                 ? print(__VA_ARGS__ STN_CHECK_SCALE, accessor, problem, (long long)value)         \
                 : print(__VA_ARGS__ STN_CHECK_MESSAGE, accessor, problem, (long long)value,       \
                         dimension, (long long)extent))
#        if defined(STN_OPENCL)
STN_FN_LONG void stn_check_failed(STN_TEXT const char *accessor, STN_TEXT const char *problem,
                                  int dimension, stn_i64 value, stn_i64 extent)
{
    if (dimension < 0)
        printf("%s: %s %ld is 0 or not finite\n", accessor, problem, value);
    else
        printf("%s: %s %ld of dimension %d does not fit its extent %ld\n", accessor, problem, value,
               dimension, extent);
}
#        elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
STN_FN_LONG void stn_check_failed(const char *accessor, const char *problem, int dimension,
                                  stn_i64 value, stn_i64 extent)
{
    STN_CHECK_PRINT(printf, );
#            if defined(__CUDACC_RTC__)
    __trap();
#            else
    __builtin_trap();
#            endif
}
#        else
#            include <stdio.h>
#            include <stdlib.h>
STN_FN_LONG void stn_check_failed(const char *accessor, const char *problem, int dimension,
                                  stn_i64 value, stn_i64 extent)
{
#            if defined(__CUDA_ARCH__)
    STN_CHECK_PRINT(printf, );
    __trap();
#            elif defined(__HIP_DEVICE_COMPILE__)
    STN_CHECK_PRINT(printf, );
    abort();
#            else
    STN_CHECK_PRINT(fprintf, stderr, );
    abort();
#            endif
}
#        endif
#    endif
STN_FN int stn_check(int holds, STN_TEXT const char *accessor, STN_TEXT const char *problem,
                     int dimension, stn_size value, stn_size extent)
{
    if (!holds)
        STN_CHECK_FAILED(accessor, problem, dimension, value, extent);
    return holds;
}
#    define STN_HOLDS(condition, accessor, problem, dimension, value, extent)                      \
        stn_check(condition, accessor, problem, dimension, value, extent)
#else
#    define STN_HOLDS(condition, accessor, problem, dimension, value, extent)                      \
        ((void)(value), (void)(extent), 1)
#endif

/* ---- shapes ---- */

/* What an accessor's type knows of its shape: constants, or STN_DYNAMIC. */
typedef struct stn_shape {
    int stn_rank, stn_index_bits;
    stn_size stn_extent[8], stn_stride[8];
    int stn_fastest[8]; /* the dimensions, in the order in which a dense array is laid out */
} stn_shape;

/* a * b + c of three that are not negative; STN_SPAN_END where 64 bits do not hold it. */
STN_FN stn_size stn_multiply_add(stn_u64 a, stn_u64 b, stn_size c)
{
    return b > 0 && a > (stn_u64)(STN_SPAN_END - c) / b ? STN_SPAN_END : (stn_size)(a * b) + c;
}

/* The largest distance of an element from the first one, in elements, or STN_SPAN_END. */
STN_FN stn_size stn_furthest(int rank, const stn_size *extent, const stn_size *stride)
{
    stn_size furthest = 0;
    for (int d = 0; d < rank; d++)
        if (extent[d] > 1)
            furthest = stn_multiply_add((stn_u64)extent[d] - 1,
                                        stride[d] < 0 ? 0 - (stn_u64)stride[d] : (stn_u64)stride[d],
                                        furthest);
    return furthest;
}

/* Elements of an array, or STN_SPAN_END. */
STN_FN stn_size stn_count_at_most(int rank, const stn_size *extent)
{
    stn_size count = 1;
    for (int d = 0; d < rank; d++)
        count = extent[d] == 0 ? 0 : stn_multiply_add((stn_u64)count, (stn_u64)extent[d], 0);
    return count;
}

/* Does dimension d of the type have this extent and stride, if it knows any? */
STN_FN int stn_shape_knows(const stn_shape *known, STN_TEXT const char *accessor, int d,
                           stn_size extent, stn_size stride)
{
    const int has_extent = known->stn_extent[d] == STN_DYNAMIC || known->stn_extent[d] == extent;
    const int has_stride = known->stn_stride[d] == STN_DYNAMIC || known->stn_stride[d] == stride;
    (void)accessor;
    (void)STN_HOLDS(has_extent, accessor, "extent", d, extent, known->stn_extent[d]);
    (void)STN_HOLDS(has_stride, accessor, "stride", d, stride, known->stn_stride[d]);
    return has_extent && has_stride;
}

/* Elements of an array; 0 when an extent is. */
STN_FN stn_size stn_count_elements(int rank, const stn_size *extent)
{
    stn_u64 count = 1;
    for (int d = 0; d < rank; d++)
        count *= (stn_u64)extent[d];
    return (stn_size)count;
}

/* Elements from `index` to the end, in C order. */
STN_FN stn_size stn_count_left(int rank, const stn_size *extent, const stn_size *index)
{
    stn_size before = 0;
    for (int d = 0; d < rank; d++)
        before = before * extent[d] + index[d];
    return stn_count_elements(rank, extent) - before;
}

/* ---- runs ---- */

/* The scales of the elements of a run. */
typedef struct stn_scaling {
    int stn_dimension;             /* the last one that selects; -1: one scale for all */
    stn_size stn_block, stn_phase; /* indices of it that share one; where index 0 is in its block */
    const stn_size
        *stn_stride; /* per dimension: 0 where no scale is selected, 1 in stn_dimension */
} stn_scaling;

/* A walk over `left` elements in C order of their indices, in pieces of equal stride and with one
 * scale or scales of equal stride. */
typedef struct stn_walk {
    stn_size stn_index[8], stn_left;             /* the next element, and how many are to come */
    stn_size stn_offset, stn_stride, stn_length; /* the piece */
    stn_size stn_scale_offset,
        stn_scale_stride; /* its first scale; stride 0: the one for all of it */
} stn_walk;

STN_FN void stn_walk_start(stn_walk *walk, int rank, const stn_size *index, stn_size count)
{
    for (int d = 0; d < rank; d++)
        walk->stn_index[d] = index[d];
    walk->stn_left = count;
    walk->stn_scale_offset = walk->stn_scale_stride = 0;
}

/* Cut the piece, which lies along `dimension`, where the scale changes. */
STN_FN_LONG void stn_walk_scale(stn_walk *walk, int rank, int dimension, const stn_scaling *scaling)
{
    stn_size offset = 0;
    for (int d = 0; d < rank; d++)
        if (d != scaling->stn_dimension)
            offset += walk->stn_index[d] * scaling->stn_stride[d];
    walk->stn_scale_stride = scaling->stn_stride[dimension];
    if (scaling->stn_dimension >= 0) {
        const stn_size place = walk->stn_index[scaling->stn_dimension] + scaling->stn_phase;
        const stn_size room = scaling->stn_block - place % scaling->stn_block;
        offset += place / scaling->stn_block;
        if (dimension == scaling->stn_dimension && scaling->stn_block > 1) {
            walk->stn_scale_stride = 0;
            walk->stn_length = walk->stn_length < room ? walk->stn_length : room;
        }
    }
    walk->stn_scale_offset = offset;
}

/* Make the next piece the current one; 0 when none is left. */
STN_FN_LONG int stn_walk_next(stn_walk *walk, int rank, const stn_size *extent,
                              const stn_size *stride, const stn_scaling *scaling)
{
    int d = rank - 1;
    if (walk->stn_left <= 0)
        return 0;
    while (d > 0 && extent[d] == 1)
        d--;
    walk->stn_offset = 0;
    for (int k = 0; k < rank; k++)
        walk->stn_offset += walk->stn_index[k] * stride[k];
    walk->stn_stride = stride[d];
    walk->stn_length = extent[d] - walk->stn_index[d];
    if (!scaling ||
        scaling->stn_dimension < 0) { /* what lies outside may go on at the same stride */
        stn_size inner = extent[d];
        for (int k = d; k > 0 && walk->stn_length < walk->stn_left; k--) {
            if (extent[k - 1] != 1 && stride[k - 1] != stride[d] * inner)
                break;
            walk->stn_length += (extent[k - 1] - 1 - walk->stn_index[k - 1]) * inner;
            inner *= extent[k - 1];
        }
    } else {
        stn_walk_scale(walk, rank, d, scaling);
    }
    if (walk->stn_length > walk->stn_left)
        walk->stn_length = walk->stn_left;
    walk->stn_left -= walk->stn_length;
    walk->stn_index[d] += walk->stn_length;
    for (; d > 0 && walk->stn_index[d] >= extent[d]; d--) {
        walk->stn_index[d - 1] += walk->stn_index[d] / extent[d];
        walk->stn_index[d] %= extent[d];
    }
    return 1;
}

#endif
