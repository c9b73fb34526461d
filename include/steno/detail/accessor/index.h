/* Indices of accessors, and the walk over a run of elements. */
#ifndef STENO_ACCESSOR_INDEX_H
#define STENO_ACCESSOR_INDEX_H

#include "steno/accessor_span.h"
#include "steno/codec.h"

/* Repetition over the dimensions of an accessor, and their constants.
 *
 * STN_EACH_3(ITEM, name) is ITEM(name, 0) ITEM(name, 1) ITEM(name, 2). */
#define STN_EACH_1(ITEM, name) ITEM(name, 0)
#define STN_EACH_2(ITEM, name) STN_EACH_1(ITEM, name) ITEM(name, 1)
#define STN_EACH_3(ITEM, name) STN_EACH_2(ITEM, name) ITEM(name, 2)
#define STN_EACH_4(ITEM, name) STN_EACH_3(ITEM, name) ITEM(name, 3)
#define STN_EACH_5(ITEM, name) STN_EACH_4(ITEM, name) ITEM(name, 4)
#define STN_EACH_6(ITEM, name) STN_EACH_5(ITEM, name) ITEM(name, 5)
#define STN_EACH_7(ITEM, name) STN_EACH_6(ITEM, name) ITEM(name, 6)
#define STN_EACH_8(ITEM, name) STN_EACH_7(ITEM, name) ITEM(name, 7)

/* An extent or a stride that is known at run time only. */
#define STN_DYNAMIC (-2147483647 - 1)

/* Extents of an accessor that are all known at run time only. */
#define STN_DYNAMIC_EXTENTS                                                                        \
    (STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC,    \
     STN_DYNAMIC)

/* STN_PICK(k, (a, b, c)): entry k of a list, from 0; STN_DYNAMIC beyond its end. */
#define STN_PICK(k, list)                                                                          \
    STN_PICK_FROM(k, STN_UNPACK list, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC,          \
                  STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, STN_DYNAMIC, 0)
#define STN_UNPACK(...)       __VA_ARGS__
#define STN_PICK_FROM(k, ...) STN_PICK_##k(__VA_ARGS__)
#define STN_PICK_0(a, ...)    a
#define STN_PICK_1(a, b, ...) b
#define STN_PICK_2(a, b, ...) STN_PICK_0(__VA_ARGS__)
#define STN_PICK_3(a, b, ...) STN_PICK_1(__VA_ARGS__)
#define STN_PICK_4(a, b, ...) STN_PICK_2(__VA_ARGS__)
#define STN_PICK_5(a, b, ...) STN_PICK_3(__VA_ARGS__)
#define STN_PICK_6(a, b, ...) STN_PICK_4(__VA_ARGS__)
#define STN_PICK_7(a, b, ...) STN_PICK_5(__VA_ARGS__)

/* The number of entries of a list, at most 8. */
#define STN_COUNT_LIST(list)                          STN_COUNT_OF(STN_UNPACK list, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define STN_COUNT_OF(...)                             STN_COUNT_OF_(__VA_ARGS__)
#define STN_COUNT_OF_(a, b, c, d, e, f, g, h, n, ...) n

/* Constant strides by layout, and the order of dimensions, fastest first, in which missing strides
 * are computed. */
#define STN_STRIDE_stn_right(rank, k, list)           ((k) == (rank)-1 ? 1 : STN_DYNAMIC)
#define STN_STRIDE_stn_left(rank, k, list)            ((k) == 0 ? 1 : STN_DYNAMIC)
#define STN_STRIDE_stn_block_col_major(rank, k, list) ((k) == (rank)-2 ? 1 : STN_DYNAMIC)
#define STN_STRIDE_stn_strided(rank, k, list)         STN_DYNAMIC
#define STN_STRIDE_stn_static(rank, k, list)          STN_PICK(k, list)

#define STN_FASTEST_stn_right(rank, p) ((rank)-1 - (p))
#define STN_FASTEST_stn_left(rank, p)  (p)
#define STN_FASTEST_stn_block_col_major(rank, p)                                                   \
    ((p) == 0 ? (rank)-2 : (p) == 1 ? (rank)-1 : (rank)-1 - (p))
#define STN_FASTEST_stn_strided(rank, p) ((rank)-1 - (p))
#define STN_FASTEST_stn_static(rank, p)  ((rank)-1 - (p))

/* ---- dialects ---- */

#if defined(STN_OPENCL)
#    define STN_MEM      __global /* address space of elements */
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

/* STN_FN for functions that are too long to be inlined. */
#if defined(STN_OPENCL) || defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIPCC__) || \
    defined(__HIPCC_RTC__) || defined(__HIP__) || !defined(__GNUC__)
#    define STN_FN_LONG STN_FN
#else
#    define STN_FN_LONG static inline __attribute__((__unused__))
#endif

/* ---- checked mode ---- */

/* If STN_CHECKED is defined before the header is included, an invalid index, span, extent or scale
 * is reported by STN_CHECK_FAILED(accessor, problem, dimension, value, extent); the dimension of
 * scales is -1. A program may define this macro. By default, it prints a line and terminates the
 * program or the kernel. If it returns, reads are 0, stores are omitted and sub-ranges are empty.
 */
#ifdef STN_CHECKED
#    ifndef STN_CHECK_FAILED
#        define STN_CHECK_FAILED stn_check_failed
/* The value of a scale is its index among the scales. */
#        define STN_CHECK_MESSAGE "%s: %s %lld of dimension %d does not fit its extent %lld\n"
#        define STN_CHECK_SCALE   "%s: %s %lld is 0 or not finite\n"
#        define STN_CHECK_PRINT(print, ...)                                                        \
            (dimension_ < 0                                                                        \
                 ? print(__VA_ARGS__ STN_CHECK_SCALE, accessor_, problem_, (long long)value_)      \
                 : print(__VA_ARGS__ STN_CHECK_MESSAGE, accessor_, problem_, (long long)value_,    \
                         dimension_, (long long)extent_))
#        if defined(STN_OPENCL)
STN_FN_LONG void stn_check_failed(STN_TEXT const char *accessor_, STN_TEXT const char *problem_,
                                  int dimension_, stn_i64 value_, stn_i64 extent_)
{
    if (dimension_ < 0)
        printf("%s: %s %ld is 0 or not finite\n", accessor_, problem_, value_);
    else
        printf("%s: %s %ld of dimension %d does not fit its extent %ld\n", accessor_, problem_,
               value_, dimension_, extent_);
}
#        elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
STN_FN_LONG void stn_check_failed(const char *accessor_, const char *problem_, int dimension_,
                                  stn_i64 value_, stn_i64 extent_)
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
STN_FN_LONG void stn_check_failed(const char *accessor_, const char *problem_, int dimension_,
                                  stn_i64 value_, stn_i64 extent_)
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
STN_FN int stn_check(int holds_, STN_TEXT const char *accessor_, STN_TEXT const char *problem_,
                     int dimension_, stn_size value_, stn_size extent_)
{
    if (!holds_)
        STN_CHECK_FAILED(accessor_, problem_, dimension_, value_, extent_);
    return holds_;
}
#    define STN_HOLDS(condition, accessor, problem, dimension, value, extent)                      \
        stn_check(condition, accessor, problem, dimension, value, extent)
#else
#    define STN_HOLDS(condition, accessor, problem, dimension, value, extent)                      \
        ((void)(value), (void)(extent), 1)
#endif

/* ---- shapes ---- */

/* The shape of an accessor type: constants, or STN_DYNAMIC. */
typedef struct stn_shape {
    int stn_rank, stn_index_bits;
    stn_size stn_extent[8], stn_stride[8];
    int stn_fastest[8]; /* dimensions in the order of a dense array, fastest first */
} stn_shape;

/* a * b + c of nonnegative numbers; STN_SPAN_END if it overflows. */
STN_FN stn_size stn_multiply_add(stn_u64 a_, stn_u64 b_, stn_size c_)
{
    return b_ > 0 && a_ > (stn_u64)(STN_SPAN_END - c_) / b_ ? STN_SPAN_END
                                                            : (stn_size)(a_ * b_) + c_;
}

/* The largest distance of an element from the first one, in elements, or STN_SPAN_END. */
STN_FN stn_size stn_furthest(int rank_, const stn_size *extent_, const stn_size *stride_)
{
    stn_size furthest_ = 0;
    for (int d_ = 0; d_ < rank_; d_++)
        if (extent_[d_] > 1)
            furthest_ = stn_multiply_add(
                (stn_u64)extent_[d_] - 1,
                stride_[d_] < 0 ? 0 - (stn_u64)stride_[d_] : (stn_u64)stride_[d_], furthest_);
    return furthest_;
}

/* Number of elements, or STN_SPAN_END if it overflows. */
STN_FN stn_size stn_count_at_most(int rank_, const stn_size *extent_)
{
    stn_size count_ = 1;
    for (int d_ = 0; d_ < rank_; d_++)
        count_ = extent_[d_] == 0 ? 0 : stn_multiply_add((stn_u64)count_, (stn_u64)extent_[d_], 0);
    return count_;
}

/* Do extent and stride match the constants of dimension d, if any? */
STN_FN int stn_shape_knows(const stn_shape *known_, STN_TEXT const char *accessor_, int d_,
                           stn_size extent_, stn_size stride_)
{
    const int has_extent_ =
        known_->stn_extent[d_] == STN_DYNAMIC || known_->stn_extent[d_] == extent_;
    const int has_stride_ =
        known_->stn_stride[d_] == STN_DYNAMIC || known_->stn_stride[d_] == stride_;
    (void)accessor_;
    (void)STN_HOLDS(has_extent_, accessor_, "extent", d_, extent_, known_->stn_extent[d_]);
    (void)STN_HOLDS(has_stride_, accessor_, "stride", d_, stride_, known_->stn_stride[d_]);
    return has_extent_ && has_stride_;
}

/* Number of elements; 0 if an extent is 0. */
STN_FN stn_size stn_count_elements(int rank_, const stn_size *extent_)
{
    stn_u64 count_ = 1;
    for (int d_ = 0; d_ < rank_; d_++)
        count_ *= (stn_u64)extent_[d_];
    return (stn_size)count_;
}

/* Number of elements from `index` to the end, in C order. */
STN_FN stn_size stn_count_left(int rank_, const stn_size *extent_, const stn_size *index_)
{
    stn_size before_ = 0;
    for (int d_ = 0; d_ < rank_; d_++)
        before_ = before_ * extent_[d_] + index_[d_];
    return stn_count_elements(rank_, extent_) - before_;
}

/* ---- runs ---- */

/* The scales of the elements of a run. */
typedef struct stn_scaling {
    int stn_dimension;             /* last selecting dimension; -1: one scale for all elements */
    stn_size stn_block, stn_phase; /* indices per scale; offset of index 0 in its block */
    const stn_size *stn_stride;    /* per dimension; 0 if not selecting, 1 in stn_dimension */
} stn_scaling;

/* A walk over `left` elements in C order, in pieces with a constant stride and one scale or scales
 * with a constant stride. */
typedef struct stn_walk {
    stn_size stn_index[8], stn_left;             /* next element, number of remaining elements */
    stn_size stn_offset, stn_stride, stn_length; /* current piece */
    stn_size stn_scale_offset,
        stn_scale_stride; /* its first scale; stride 0: the scale of all elements */
} stn_walk;

STN_FN void stn_walk_start(stn_walk *walk_, int rank_, const stn_size *index_, stn_size count_)
{
    for (int d_ = 0; d_ < rank_; d_++)
        walk_->stn_index[d_] = index_[d_];
    walk_->stn_left = count_;
    walk_->stn_scale_offset = walk_->stn_scale_stride = 0;
}

/* Ends the piece, which extends along `dimension`, where the scale changes. */
STN_FN_LONG void stn_walk_scale(stn_walk *walk_, int rank_, int dimension_,
                                const stn_scaling *scaling_)
{
    stn_size offset_ = 0;
    for (int d_ = 0; d_ < rank_; d_++)
        if (d_ != scaling_->stn_dimension)
            offset_ += walk_->stn_index[d_] * scaling_->stn_stride[d_];
    walk_->stn_scale_stride = scaling_->stn_stride[dimension_];
    if (scaling_->stn_dimension >= 0) {
        const stn_size place_ = walk_->stn_index[scaling_->stn_dimension] + scaling_->stn_phase;
        const stn_size room_ = scaling_->stn_block - place_ % scaling_->stn_block;
        offset_ += place_ / scaling_->stn_block;
        if (dimension_ == scaling_->stn_dimension && scaling_->stn_block > 1) {
            walk_->stn_scale_stride = 0;
            walk_->stn_length = walk_->stn_length < room_ ? walk_->stn_length : room_;
        }
    }
    walk_->stn_scale_offset = offset_;
}

/* Moves to the next piece. Returns 0 after the last one. */
STN_FN_LONG int stn_walk_next(stn_walk *walk_, int rank_, const stn_size *extent_,
                              const stn_size *stride_, const stn_scaling *scaling_)
{
    int d_ = rank_ - 1;
    if (walk_->stn_left <= 0)
        return 0;
    while (d_ > 0 && extent_[d_] == 1)
        d_--;
    walk_->stn_offset = 0;
    for (int k_ = 0; k_ < rank_; k_++)
        walk_->stn_offset += walk_->stn_index[k_] * stride_[k_];
    walk_->stn_stride = stride_[d_];
    walk_->stn_length = extent_[d_] - walk_->stn_index[d_];
    if (!scaling_ ||
        scaling_->stn_dimension < 0) { /* outer dimensions may continue with the same stride */
        stn_size inner_ = extent_[d_];
        for (int k_ = d_; k_ > 0 && walk_->stn_length < walk_->stn_left; k_--) {
            if (extent_[k_ - 1] != 1 && stride_[k_ - 1] != stride_[d_] * inner_)
                break;
            walk_->stn_length += (extent_[k_ - 1] - 1 - walk_->stn_index[k_ - 1]) * inner_;
            inner_ *= extent_[k_ - 1];
        }
    } else {
        stn_walk_scale(walk_, rank_, d_, scaling_);
    }
    if (walk_->stn_length > walk_->stn_left)
        walk_->stn_length = walk_->stn_left;
    walk_->stn_left -= walk_->stn_length;
    walk_->stn_index[d_] += walk_->stn_length;
    for (; d_ > 0 && walk_->stn_index[d_] >= extent_[d_]; d_--) {
        walk_->stn_index[d_ - 1] += walk_->stn_index[d_] / extent_[d_];
        walk_->stn_index[d_] %= extent_[d_];
    }
    return 1;
}

#endif
