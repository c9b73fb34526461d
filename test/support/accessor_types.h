/* Accessor types as data: CHECK_PLAIN(xrange, 2, RIGHT) defines `xrange_type` for xrange, which has
 * rank 2, is row-major and has no scales. CHECK_TYPE does so for any type. */
#ifndef STENO_TEST_ACCESSOR_TYPES_H
#define STENO_TEST_ACCESSOR_TYPES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accessor_check.h"

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

/* Arguments of NAME_make and NAME_dense after those that all types have. */
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

/* Functions of the accessor, of a dimension, and of an element. */
#define CHECK_FN_OF_ARRAY(name, result, function)                                                  \
    static result name##_do_##function(const void *x)                                              \
    {                                                                                              \
        return name##_##function(*(const name *)x);                                                \
    }
#define CHECK_FN_OF_DIMENSION(name, function)                                                      \
    static stn_size name##_do_##function(const void *x, int d)                                     \
    {                                                                                              \
        return name##_##function(*(const name *)x, d);                                             \
    }
#define CHECK_FN_OF_ELEMENT(name, rank, result, function)                                          \
    static result name##_do_##function(const void *x, const stn_size *at)                          \
    {                                                                                              \
        return name##_##function(*(const name *)x CHECK_AT_##rank(name));                          \
    }

/* Functions whose result is a value, of `of` with the arguments `at_`. */
#define CHECK_FN_GET(name, function, of, at_)                                                      \
    static check_value name##_do_##function(const void *x, const stn_size *at)                     \
    {                                                                                              \
        const name##_real real = of(*(const name *)x at_);                                         \
        return check_value_at(name##_arithmetic, &real, 0);                                        \
    }
#define CHECK_FN_SET(name, function, at_)                                                          \
    static check_value name##_do_##function(const void *x, const stn_size *at, check_value value)  \
    {                                                                                              \
        name##_real real;                                                                          \
        check_put_value(name##_arithmetic, &real, 0, value);                                       \
        real = name##_##function(*(const name *)x at_, real);                                      \
        return check_value_at(name##_arithmetic, &real, 0);                                        \
    }

#define CHECK_FN_PLAIN(name, rank)                                                                 \
    CHECK_FN_OF_DIMENSION(name, length)                                                            \
    CHECK_FN_OF_DIMENSION(name, stride)                                                            \
    CHECK_FN_OF_ARRAY(name, stn_size, count)                                                       \
    CHECK_FN_OF_ARRAY(name, void *, data)                                                          \
    CHECK_FN_OF_ELEMENT(name, rank, stn_size, offset)                                              \
    CHECK_FN_OF_ELEMENT(name, rank, void *, address)                                               \
    CHECK_FN_GET(name, get, name##_get, CHECK_AT_##rank(name))                                     \
    CHECK_FN_SET(name, set, CHECK_AT_##rank(name))                                                 \
    static void name##_do_load(const void *x, const stn_size *at, stn_size count, void *values)    \
    {                                                                                              \
        name##_load(*(const name *)x CHECK_AT_##rank(name), count, values);                        \
    }                                                                                              \
    static void name##_do_store(const void *x, const stn_size *at, stn_size count,                 \
                                const void *values)                                                \
    {                                                                                              \
        name##_store(*(const name *)x CHECK_AT_##rank(name), count, values);                       \
    }

/* The const companion, and the updates, can be left out. */
#define CHECK_FN_FEW(name, rank)
#define CHECK_FN_CONST(name, rank)                                                                 \
    static check_value name##_do_get_const(const void *x, const stn_size *at)                      \
    {                                                                                              \
        const name##_const from = name##_to_const(*(const name *)x);                               \
        const name##_real real = name##_const_get(from CHECK_AT_##rank(name));                     \
        return check_value_at(name##_arithmetic, &real, 0);                                        \
    }                                                                                              \
    static void name##_do_load_const(const void *x, const stn_size *at, stn_size count,            \
                                     void *values)                                                 \
    {                                                                                              \
        const name##_const from = name##_to_const(*(const name *)x);                               \
        name##_const_load(from CHECK_AT_##rank(name), count, values);                              \
    }
#define CHECK_FN_ALL(name, rank)                                                                   \
    CHECK_FN_CONST(name, rank)                                                                     \
    CHECK_FN_SET(name, add, CHECK_AT_##rank(name))                                                 \
    CHECK_FN_SET(name, subtract, CHECK_AT_##rank(name))                                            \
    CHECK_FN_SET(name, multiply, CHECK_AT_##rank(name))                                            \
    CHECK_FN_SET(name, divide, CHECK_AT_##rank(name))

#define CHECK_COMMA_AT , at
#define CHECK_FN_NO(name, rank)
#define CHECK_FN_YES(name, rank)                                                                   \
    CHECK_FN_OF_DIMENSION(name, scale_stride)                                                      \
    CHECK_FN_OF_ARRAY(name, stn_size, scale_count)                                                 \
    CHECK_FN_OF_ARRAY(name, void *, scales)                                                        \
    CHECK_FN_GET(name, scale, name##_scale, CHECK_AT_##rank(name))                                 \
    CHECK_FN_SET(name, set_scale, CHECK_AT_##rank(name))                                           \
    CHECK_FN_GET(name, scale_direct, name##_scale_direct, CHECK_COMMA_AT)                          \
    CHECK_FN_SET(name, set_scale_direct, CHECK_COMMA_AT)                                           \
    static stn_size name##_do_fit_scales(const void *x, const void *values, int exact)             \
    {                                                                                              \
        return name##_fit_scales(*(const name *)x, values, (stn_scale_choice)exact);               \
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

/* arguments: arguments of _make besides data, extents and strides: PLAIN, SEEDED, SCALED, AFFINE or
 * SCALED_SEEDED. functions: ALL, CONST or FEW. scales: YES or NO; then their format, and 1 if there
 * are zero points. */
#define CHECK_TYPE(name, rank_, layout_, functions, arguments, scales, scale_format_, zeros)       \
    CHECK_FN_MAKE(name, rank_, arguments)                                                          \
    CHECK_FN_PLAIN(name, rank_)                                                                    \
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

/* Accessors with the options of accessor_define.h, which expands to the same macro. */
#define CHECK_ACCESSOR_RULES(name, rank, real, storage, layout, bits, rounding, overflow)          \
    STN_ACCESSOR_BY_NAMES(name, rank, real, storage, STN_DYNAMIC_EXTENTS, stn_free, layout,        \
                          STN_DYNAMIC_EXTENTS, bits, rounding, overflow, 0, 0, 1, real, 0, 0, 1)
#define CHECK_ACCESSOR_SCALES(name, rank, real, storage, layout, bits, mask, block, scale, zeros)  \
    STN_ACCESSOR_BY_NAMES(name, rank, real, storage, STN_DYNAMIC_EXTENTS, stn_free, layout,        \
                          STN_DYNAMIC_EXTENTS, bits, STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 1,   \
                          mask, block, scale, zeros, 0, 1)

/* Types without updates; scales are stored in the arithmetic type. */
#define CHECK_PLAIN(name, rank, layout)  CHECK_TYPE(name, rank, layout, CONST, PLAIN, NO, , )
#define CHECK_SEEDED(name, rank, layout) CHECK_TYPE(name, rank, layout, CONST, SEEDED, NO, , )
#define CHECK_SCALED(name, rank, layout)                                                           \
    CHECK_TYPE(name, rank, layout, CONST, SCALED, YES, name##_arithmetic, 0)
#define CHECK_AFFINE(name, rank, layout)                                                           \
    CHECK_TYPE(name, rank, layout, CONST, AFFINE, YES, name##_arithmetic, 1)

/* The entry of a test that takes a type, and that of check_every_shape. */
#define CHECK_TEST_BY(test, name)                                                                  \
    {#name " " #test, test, NULL, NULL, (void *)(uintptr_t)&name##_type},
#define CHECK_TEST(name) CHECK_TEST_BY(check_every_shape, name)

/* f64 or f32 for formats of these many bits, and the other one: for tests in which each format and
 * each arithmetic type occur, but not every pair. */
#define CHECK_REAL_8   f32
#define CHECK_REAL_16  f64
#define CHECK_REAL_24  f32
#define CHECK_REAL_40  f64
#define CHECK_REAL_48  f64
#define CHECK_REAL_32  f64
#define CHECK_REAL_64  f32
#define CHECK_OTHER_8  f64
#define CHECK_OTHER_16 f32
#define CHECK_OTHER_24 f64
#define CHECK_OTHER_40 f32
#define CHECK_OTHER_48 f32
#define CHECK_OTHER_32 f32
#define CHECK_OTHER_64 f64

#endif
