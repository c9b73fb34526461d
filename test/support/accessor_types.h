/* Accessor types as data: CHECK_PLAIN(xrange, 2, RIGHT) makes `xrange_type` of xrange, which is
 * without scales, of rank 2 and row-major; CHECK_TYPE does so for any. */
#ifndef STENO_TEST_ACCESSOR_TYPES_H
#define STENO_TEST_ACCESSOR_TYPES_H

#include "accessor_check.h"

#include <string.h>

#define CHECK_AT_1(name) , (name##_index)at[0]
#define CHECK_AT_2(name) CHECK_AT_1(name), (name##_index)at[1]
#define CHECK_AT_3(name) CHECK_AT_2(name), (name##_index)at[2]
#define CHECK_AT_4(name) CHECK_AT_3(name), (name##_index)at[3]
#define CHECK_AT_5(name) CHECK_AT_4(name), (name##_index)at[4]
#define CHECK_AT_6(name) CHECK_AT_5(name), (name##_index)at[5]
#define CHECK_AT_7(name) CHECK_AT_6(name), (name##_index)at[6]
#define CHECK_AT_8(name) CHECK_AT_7(name), (name##_index)at[7]

#define CHECK_LIST_1(list) , list[0]
#define CHECK_LIST_2(list) CHECK_LIST_1(list), list[1]
#define CHECK_LIST_3(list) CHECK_LIST_2(list), list[2]
#define CHECK_LIST_4(list) CHECK_LIST_3(list), list[3]
#define CHECK_LIST_5(list) CHECK_LIST_4(list), list[4]
#define CHECK_LIST_6(list) CHECK_LIST_5(list), list[5]
#define CHECK_LIST_7(list) CHECK_LIST_6(list), list[6]
#define CHECK_LIST_8(list) CHECK_LIST_7(list), list[7]

#define CHECK_MAKE_PLAIN
#define CHECK_MAKE_SEEDED        , with->seed
#define CHECK_MAKE_SCALED        , with->scales, with->scale_strides
#define CHECK_MAKE_AFFINE        , with->scales, with->scale_strides, with->zeros
#define CHECK_MAKE_SCALED_SEEDED , with->scales, with->scale_strides, with->seed
#define CHECK_DENSE_PLAIN
#define CHECK_DENSE_SEEDED        , with->seed
#define CHECK_DENSE_SCALED        , with->scales
#define CHECK_DENSE_AFFINE        , with->scales, with->zeros
#define CHECK_DENSE_SCALED_SEEDED , with->scales, with->seed

#define CHECK_FN_MAKE(name, rank, arguments)                                                       \
    static void name##_do_make(void *x, const check_arguments *with)                               \
    {                                                                                              \
        *(name *)x = name##_make(with->data, with->extents, with->strides CHECK_MAKE_##arguments); \
    }                                                                                              \
    static void name##_do_dense(void *x, const check_arguments *with)                              \
    {                                                                                              \
        *(name *)x =                                                                               \
            name##_dense(with->data CHECK_LIST_##rank(with->extents) CHECK_DENSE_##arguments);     \
    }                                                                                              \
    static void name##_do_sub(void *to, const void *x, const stn_span *spans)                      \
    {                                                                                              \
        *(name *)to = name##_sub(*(const name *)x CHECK_LIST_##rank(spans));                       \
    }

#define CHECK_FN_QUERY(name, rank)                                                                 \
    static stn_size name##_do_length(const void *x, int d)                                         \
    {                                                                                              \
        return name##_length(*(const name *)x, d);                                                 \
    }                                                                                              \
    static stn_size name##_do_stride(const void *x, int d)                                         \
    {                                                                                              \
        return name##_stride(*(const name *)x, d);                                                 \
    }                                                                                              \
    static stn_size name##_do_count(const void *x)                                                 \
    {                                                                                              \
        return name##_count(*(const name *)x);                                                     \
    }                                                                                              \
    static stn_size name##_do_offset(const void *x, const stn_size *at)                            \
    {                                                                                              \
        return name##_offset(*(const name *)x CHECK_AT_##rank(name));                              \
    }                                                                                              \
    static void *name##_do_data(const void *x)                                                     \
    {                                                                                              \
        return name##_data(*(const name *)x);                                                      \
    }                                                                                              \
    static void *name##_do_address(const void *x, const stn_size *at)                              \
    {                                                                                              \
        return name##_address(*(const name *)x CHECK_AT_##rank(name));                             \
    }

/* A function of an element that gives a number; the value it takes, if any, is `value`. */
#define CHECK_NUMBER(name, function, ...)                                                          \
    {                                                                                              \
        const name##_real number = function(__VA_ARGS__);                                          \
        check_value result = {0};                                                                  \
        memcpy(&result, &number, sizeof number);                                                   \
        return result;                                                                             \
    }
#define CHECK_FN_VALUE(name, rank, function)                                                       \
    static check_value name##_do_##function(const void *x, const stn_size *at, check_value value)  \
    {                                                                                              \
        name##_real real;                                                                          \
        memcpy(&real, &value, sizeof real);                                                        \
        CHECK_NUMBER(name, name##_##function, *(const name *)x CHECK_AT_##rank(name), real)        \
    }
#define CHECK_FN_ELEMENT(name, rank)                                                               \
    static check_value name##_do_get(const void *x, const stn_size *at){CHECK_NUMBER(              \
        name, name##_get, *(const name *)x CHECK_AT_##rank(name))} CHECK_FN_VALUE(name, rank,      \
                                                                                  set) static void \
        name##_do_load(const void *x, const stn_size *at, stn_size count, void *values)            \
    {                                                                                              \
        name##_load(*(const name *)x CHECK_AT_##rank(name), count, values);                        \
    }                                                                                              \
    static void name##_do_store(const void *x, const stn_size *at, stn_size count,                 \
                                const void *values)                                                \
    {                                                                                              \
        name##_store(*(const name *)x CHECK_AT_##rank(name), count, values);                       \
    }

/* What can be left out where many types are tested: the const companion, and the updates. */
#define CHECK_FN_FEW(name, rank)
#define CHECK_FN_CONST(name, rank)                                                                 \
    static check_value name##_do_get_const(const void *x, const stn_size *at)                      \
    {                                                                                              \
        const name##_const from = name##_to_const(*(const name *)x);                               \
        CHECK_NUMBER(name, name##_const_get, from CHECK_AT_##rank(name))                           \
    }                                                                                              \
    static void name##_do_load_const(const void *x, const stn_size *at, stn_size count,            \
                                     void *values)                                                 \
    {                                                                                              \
        const name##_const from = name##_to_const(*(const name *)x);                               \
        name##_const_load(from CHECK_AT_##rank(name), count, values);                              \
    }
#define CHECK_FN_ALL(name, rank)                                                                   \
    CHECK_FN_CONST(name, rank)                                                                     \
    CHECK_FN_VALUE(name, rank, add)                                                                \
    CHECK_FN_VALUE(name, rank, subtract)                                                           \
    CHECK_FN_VALUE(name, rank, multiply)                                                           \
    CHECK_FN_VALUE(name, rank, divide)

#define CHECK_FN_NO(name, rank)
#define CHECK_FN_YES(name, rank)                                                                   \
    static check_value name##_do_scale(const void *x, const stn_size *at){CHECK_NUMBER(            \
        name, name##_scale,                                                                        \
        *(const name *)x CHECK_AT_##rank(name))} CHECK_FN_VALUE(name, rank,                        \
                                                                set_scale) static check_value      \
        name##_do_scale_direct(const void *x, const stn_size *at)                                  \
    {                                                                                              \
        CHECK_NUMBER(name, name##_scale_direct, *(const name *)x, at)                              \
    }                                                                                              \
    static check_value name##_do_set_scale_direct(const void *x, const stn_size *at,               \
                                                  check_value value)                               \
    {                                                                                              \
        name##_real real;                                                                          \
        memcpy(&real, &value, sizeof real);                                                        \
        CHECK_NUMBER(name, name##_set_scale_direct, *(const name *)x, at, real)                    \
    }                                                                                              \
    static void *name##_do_scales(const void *x)                                                   \
    {                                                                                              \
        return name##_scales(*(const name *)x);                                                    \
    }                                                                                              \
    static stn_size name##_do_scale_count(const void *x)                                           \
    {                                                                                              \
        return name##_scale_count(*(const name *)x);                                               \
    }                                                                                              \
    static stn_size name##_do_scale_stride(const void *x, int d)                                   \
    {                                                                                              \
        return name##_scale_stride(*(const name *)x, d);                                           \
    }                                                                                              \
    static stn_size name##_do_fit_scales(const void *x, const void *values, int exact)             \
    {                                                                                              \
        return name##_fit_scales(*(const name *)x, values, exact);                                 \
    }

#define CHECK_ENTRIES_FEW(name)
#define CHECK_ENTRIES_CONST(name)                                                                  \
    .get_const = name##_do_get_const, .load_const = name##_do_load_const,
#define CHECK_ENTRIES_ALL(name)                                                                    \
    CHECK_ENTRIES_CONST(name).update = {name##_do_add, name##_do_subtract, name##_do_multiply,     \
                                        name##_do_divide},
#define CHECK_ENTRIES_NO(name, format, zeros)
#define CHECK_ENTRIES_YES(name, format, zeros)                                                     \
    .has_scales = 1, .has_zeros = zeros, .mask = name##_scale_mask, .block = name##_scale_block,   \
    .scale_format = format, .scale = name##_do_scale, .set_scale = name##_do_set_scale,            \
    .scale_direct = name##_do_scale_direct, .set_scale_direct = name##_do_set_scale_direct,        \
    .scales = name##_do_scales, .scale_count = name##_do_scale_count,                              \
    .scale_stride = name##_do_scale_stride, .fit_scales = name##_do_fit_scales,

/* arguments: what _make takes beside data, extents and strides: PLAIN, SEEDED, SCALED, AFFINE or
 * SCALED_SEEDED. functions: ALL, CONST or FEW. scales: YES or NO; then their format, and 1 with
 * zero points. */
#define CHECK_TYPE(name, rank_, layout_, functions, arguments, scales, scale_format_, zeros)       \
    CHECK_FN_MAKE(name, rank_, arguments)                                                          \
    CHECK_FN_QUERY(name, rank_)                                                                    \
    CHECK_FN_ELEMENT(name, rank_)                                                                  \
    CHECK_FN_##functions(name, rank_) CHECK_FN_##scales(                                           \
        name, rank_) static const check_type name##_type = {                                       \
        CHECK_ENTRIES_##functions(name) CHECK_ENTRIES_##scales(name, scale_format_, zeros).label = \
            #name,                                                                                 \
        .layout = CHECK_##layout_,                                                                 \
        .rank = name##_rank,                                                                       \
        .arithmetic = name##_arithmetic,                                                           \
        .format = name##_format,                                                                   \
        .bytes = sizeof *name##_data(*(name *)0),                                                  \
        .value_bytes = sizeof(name##_real),                                                        \
        .rounding = (stn_rounding)name##_rounding,                                                 \
        .overflow = (stn_overflow)name##_overflow,                                                 \
        .make = name##_do_make,                                                                    \
        .dense = name##_do_dense,                                                                  \
        .sub = name##_do_sub,                                                                      \
        .length = name##_do_length,                                                                \
        .stride = name##_do_stride,                                                                \
        .count = name##_do_count,                                                                  \
        .offset = name##_do_offset,                                                                \
        .data = name##_do_data,                                                                    \
        .address = name##_do_address,                                                              \
        .get = name##_do_get,                                                                      \
        .set = name##_do_set,                                                                      \
        .load = name##_do_load,                                                                    \
        .store = name##_do_store,                                                                  \
    };

/* The usual ones, without updates. */
#define CHECK_PLAIN(name, rank, layout)  CHECK_TYPE(name, rank, layout, CONST, PLAIN, NO, , )
#define CHECK_SEEDED(name, rank, layout) CHECK_TYPE(name, rank, layout, CONST, SEEDED, NO, , )
#define CHECK_SCALED(name, rank, layout)                                                           \
    CHECK_TYPE(name, rank, layout, CONST, SCALED, YES, name##_arithmetic, 0)
#define CHECK_AFFINE(name, rank, layout)                                                           \
    CHECK_TYPE(name, rank, layout, CONST, AFFINE, YES, name##_arithmetic, 1)

/* One of the two real arithmetics for formats of these many bits, and the other: where each format
 * is to be met, and each arithmetic, but not every pair of them. */
#define CHECK_REAL_8   f32
#define CHECK_REAL_16  f64
#define CHECK_REAL_32  f64
#define CHECK_REAL_64  f32
#define CHECK_OTHER_8  f64
#define CHECK_OTHER_16 f32
#define CHECK_OTHER_32 f32
#define CHECK_OTHER_64 f64

#endif
