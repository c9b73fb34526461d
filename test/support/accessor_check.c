/* Arrays with accessors, and comparisons with their expected contents. */
#include "accessor_check.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SPARE = 16 /* elements before and after those of an accessor */ };

/* ---- arrays ---- */

static void *allocate(stn_size bytes)
{
    void *memory = malloc((size_t)(bytes > 0 ? bytes : 1));
    assert_non_null(memory);
    return memory;
}

static void *copy_of(const void *memory, stn_size bytes)
{
    return memcpy(allocate(bytes), memory, (size_t)bytes);
}

/* Any bits, or one of the codes that are hard for codecs. */
static uint64_t some_code(const oracle_format *f, uint64_t seed, uint64_t k)
{
    const uint64_t random = oracle_random(seed, k);
    if (random % 2)
        return oracle_code(f, (int64_t)(random / 2 % (uint64_t)oracle_code_count(f)));
    return oracle_random(seed + 1, k) >> (64 - f->bits);
}

static void allocate_elements(check_array *a)
{
    const int format = a->type->format,
              parts = oracle_formats[format].kind == ORACLE_COMPLEX ? 2 : 1;
    const oracle_format *f = &oracle_formats[oracle_formats[format].component];
    stn_size lowest = 0, highest = 0;
    for (int d = 0; d < a->type->rank; d++) {
        const stn_size reach = (a->extent[d] > 0 ? a->extent[d] - 1 : 0) * a->stride[d];
        lowest += reach < 0 ? reach : 0;
        highest += reach > 0 ? reach : 0;
    }
    a->elements = highest - lowest + 1 + 2 * SPARE;
    a->origin = SPARE - lowest;
    a->memory = allocate(a->elements * a->type->bytes);
    for (stn_size k = 0; k < a->elements; k++)
        for (int part = 0; part < parts; part++)
            check_put_code(format, a->memory, k, part,
                           some_code(f, a->seed, (uint64_t)(2 * k + part)));
    a->expected = copy_of(a->memory, a->elements * a->type->bytes);
}

/* Scales of both signs and no powers of two, of magnitudes around 1. */
static void allocate_scales(check_array *a)
{
    const check_type *type = a->type;
    const oracle_format *f = &oracle_formats[type->scale_format];
    const oracle_rule rule = {STN_ROUND_NEAREST, STN_OVERFLOW_SATURATE, 0};
    for (int d = 0; d < type->rank; d++)
        a->scale_elements += (a->extent[d] + type->block) * a->scale_stride[d];
    a->scale_elements += 1;
    a->scales = allocate(a->scale_elements * f->bits / 8);
    a->zeros = allocate(a->scale_elements * type->value_bytes);
    for (stn_size k = 0; k < a->scale_elements; k++) {
        const uint64_t random = oracle_random(a->seed, (uint64_t)k);
        const double size = ldexp((double)(1024 + random % 1024), (int)(random >> 20) % 8 - 14);
        const check_value zero = {.re = (double)((random >> 30) % 15) / 2 - 3.5};
        unsigned events = 0;
        check_put_code(type->scale_format, a->scales, k, 0,
                       oracle_encode(f, random >> 62 ? size : -size, rule, &events));
        check_put_value(type->arithmetic, a->zeros, k, zero);
    }
    a->expected_scales = copy_of(a->scales, a->scale_elements * f->bits / 8);
}

/* The dimension whose stride the layout determines, which _make does not take; -1: none. */
static int known_stride(const check_type *type)
{
    return type->layout == CHECK_RIGHT             ? type->rank - 1
           : type->layout == CHECK_LEFT            ? 0
           : type->layout == CHECK_BLOCK_COL_MAJOR ? type->rank - 2
                                                   : -1;
}

static void make(check_array *a, int is_dense, int has_dense_scales)
{
    const check_type *type = a->type;
    stn_size strides[8], scale_strides[8], *next = strides, *next_scale = scale_strides;
    for (int d = 0; d < type->rank; d++)
        if (d != known_stride(type))
            *next++ = a->stride[d];
    for (int d = 0; d < check_last_selected(type); d++)
        if (check_selects(type, d))
            *next_scale++ = a->scale_stride[d];
    const check_arguments arguments = {.data = a->memory + a->origin * type->bytes,
                                       .extents = a->extent,
                                       .strides = is_dense ? NULL : strides,
                                       .scales = a->scales,
                                       .scale_strides = has_dense_scales ? NULL : scale_strides,
                                       .zeros = a->zeros,
                                       .seed = a->seed};
    if (is_dense && has_dense_scales && a->seed % 2)
        type->dense(a->x.bytes, &arguments);
    else
        type->make(a->x.bytes, &arguments);
}

check_array check_open(const check_type *type, const stn_size *extents, const stn_size *strides,
                       const stn_size *scale_strides, uint64_t seed)
{
    const size_t bytes = (size_t)type->rank * sizeof *extents;
    check_array a = {.type = type, .seed = seed};
    memcpy(a.extent, extents, bytes);
    check_strides(type->layout, type->rank, extents, 0, a.stride);
    if (strides)
        memcpy(a.stride, strides, bytes);
    allocate_elements(&a);
    if (type->has_scales) {
        check_scale_strides(type, extents, 0, a.scale_stride);
        if (scale_strides)
            memcpy(a.scale_stride, scale_strides, bytes);
        allocate_scales(&a);
    }
    make(&a, !strides, !scale_strides);
    return a;
}

void check_close(check_array *a)
{
    free(a->memory);
    free(a->expected);
    free(a->scales);
    free(a->expected_scales);
    free(a->zeros);
    memset(a, 0, sizeof *a);
}

check_array check_part(const check_array *whole, const stn_span *spans)
{
    check_array part = *whole;
    for (int d = 0; d < whole->type->rank; d++) {
        const stn_size end = spans[d].end == STN_SPAN_END ? whole->extent[d] : spans[d].end;
        part.begin[d] += spans[d].begin;
        part.extent[d] = end - spans[d].begin;
    }
    whole->type->sub(part.x.bytes, whole->x.bytes, spans);
    return part;
}

/* ---- elements ---- */

static const char *text_of(const check_array *a, const stn_size *at)
{
    static char text[256];
    int length = snprintf(text, sizeof text, "%s (", a->type->label);
    for (int d = 0; d < a->type->rank; d++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%" PRId64 " of %" PRId64,
                           d ? ", " : "", at[d], a->extent[d]);
    snprintf(text + length, sizeof text - (size_t)length, ")");
    return text;
}

static void expect_result(const check_array *a, const stn_size *at, const char *function,
                          check_value value, check_value expected)
{
    if (!check_same(value, expected))
        fail_msg("%s, %s: %a %a %" PRId64 ", not %a %a %" PRId64, text_of(a, at), function,
                 value.re, value.im, value.i64, expected.re, expected.im, expected.i64);
}

static void expect_bytes(const check_array *a, const char *what, const unsigned char *found,
                         const unsigned char *expected, stn_size elements, int bytes)
{
    if (memcmp(found, expected, (size_t)(elements * bytes)) == 0)
        return;
    for (stn_size k = 0; k < elements; k++)
        if (memcmp(found + k * bytes, expected + k * bytes, (size_t)bytes) != 0)
            fail_msg("%s: %s %" PRId64 " of %" PRId64 " differs", a->type->label, what, k,
                     elements);
}

void check_memory(const check_array *a)
{
    expect_bytes(a, "element", a->memory, a->expected, a->elements, a->type->bytes);
    if (a->type->has_scales)
        expect_bytes(a, "scale", a->scales, a->expected_scales, a->scale_elements,
                     oracle_formats[a->type->scale_format].bits / 8);
}

void check_shape(const check_array *a)
{
    static const stn_size first[8];
    const check_type *type = a->type;
    const void *const x = a->x.bytes;
    for (int d = 0; d < 10; d++) {
        assert_int_equal(type->length(x, d), d < type->rank ? a->extent[d] : 1);
        assert_int_equal(type->stride(x, d), d < type->rank ? a->stride[d] : 0);
        if (type->has_scales)
            assert_int_equal(type->scale_stride(x, d), d < type->rank ? a->scale_stride[d] : 0);
    }
    assert_int_equal(type->count(x), check_count(type->rank, a->extent));
    assert_ptr_equal(type->data(x), a->memory + (a->origin + check_place(a, first)) * type->bytes);
}

void check_gets(const check_array *a)
{
    static const stn_size first[8];
    const check_type *type = a->type;
    const void *const x = a->x.bytes;
    stn_size at[8] = {0};
    if (check_count(type->rank, a->extent) == 0)
        return;
    do {
        const stn_size place = check_place(a, at);
        const check_value expected = check_read(a, at);
        expect_result(a, at, "get", type->get(x, at), expected);
        if (type->get_const)
            expect_result(a, at, "const_get", type->get_const(x, at), expected);
        assert_int_equal(type->offset(x, at), place - check_place(a, first));
        assert_ptr_equal(type->address(x, at), a->memory + (a->origin + place) * type->bytes);
    } while (check_next(type->rank, a->extent, at));
    check_memory(a);
}

/* An input that the element's scale brings near the format's range. */
static check_value input_for(const check_array *a, const stn_size *at, uint64_t k)
{
    check_value value = check_input(a->type, k);
    if (a->type->has_scales)
        value.re = check_round(a->type, value.re * a->type->scale(a->x.bytes, at).re);
    return value;
}

void check_sets(const check_array *a, uint64_t seed)
{
    stn_size at[8] = {0};
    if (check_count(a->type->rank, a->extent) == 0)
        return;
    do {
        const check_value value = input_for(a, at, seed++);
        expect_result(a, at, "set", a->type->set(a->x.bytes, at, value), check_write(a, at, value));
    } while (check_next(a->type->rank, a->extent, at));
    check_memory(a);
}

void check_loads(const check_array *a, stn_size first, stn_size count)
{
    const check_type *type = a->type;
    const stn_size bytes = count * type->value_bytes;
    unsigned char *values = allocate(bytes + 16);
    void (*const loads[])(const void *, const stn_size *, stn_size, void *) = {type->load,
                                                                               type->load_const};
    for (int which = 0; which < 2 && loads[which]; which++) {
        stn_size at[8] = {0};
        check_index(type->rank, a->extent, first, at);
        memset(values, 0xa5, (size_t)bytes + 16);
        loads[which](a->x.bytes, at, count, values);
        for (stn_size k = 0; k < count; k++) {
            expect_result(a, at, which ? "const_load" : "load",
                          check_value_at(type->arithmetic, values, k), check_read(a, at));
            check_next(type->rank, a->extent, at);
        }
        for (int k = 0; k < 16; k++)
            assert_int_equal(values[bytes + k], 0xa5);
    }
    check_memory(a);
    free(values);
}

void check_stores(const check_array *a, stn_size first, stn_size count, uint64_t seed)
{
    const check_type *type = a->type;
    void *values = allocate(count * type->value_bytes);
    stn_size at[8] = {0}, start[8] = {0};
    check_index(type->rank, a->extent, first, start);
    memcpy(at, start, sizeof at);
    for (stn_size k = 0; k < count; k++) {
        const check_value value = input_for(a, at, seed + (uint64_t)k);
        check_put_value(type->arithmetic, values, k, value);
        check_write(a, at, value);
        check_next(type->rank, a->extent, at);
    }
    type->store(a->x.bytes, start, count, values);
    check_memory(a);
    free(values);
}

/* From several elements, of lengths around those that are unrolled. */
static void check_runs(const check_array *a)
{
    static const stn_size counts[] = {0, 1, 2, 31, 32, 33, 100};
    const stn_size all = check_count(a->type->rank, a->extent);
    for (stn_size first = 0; first < all; first += 1 + all / 5)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            if (first + counts[k] <= all) {
                check_loads(a, first, counts[k]);
                check_stores(a, first, counts[k], (uint64_t)(1000 * first + counts[k]));
            }
    check_loads(a, 0, all);
    check_stores(a, 0, all, 77);
}

/* ---- scales ---- */

/* The indices that select an element's scale; blocks are counted from that of the first element. */
static void direct_indices(const check_array *a, const stn_size *at, stn_size *direct)
{
    const stn_size block = a->type->block;
    for (int d = 0; d < a->type->rank; d++)
        if (check_selects(a->type, d))
            *direct++ = d == check_last_selected(a->type)
                            ? (a->begin[d] + at[d]) / block - a->begin[d] / block
                            : at[d];
}

static stn_size expected_scale_count(const check_array *a)
{
    stn_size last[8], direct[8] = {0}, count = 1;
    for (int d = 0; d < a->type->rank; d++) {
        if (a->extent[d] == 0)
            return 0;
        last[d] = a->extent[d] - 1;
    }
    direct_indices(a, last, direct);
    for (int k = 0; k < 8; k++)
        count *= direct[k] + 1;
    return count;
}

static void check_scales_read(const check_array *a)
{
    const check_type *const type = a->type;
    stn_size at[8] = {0}, direct[8] = {0};
    do {
        const check_value expected = {.re = check_read_scale(a, at)};
        direct_indices(a, at, direct);
        expect_result(a, at, "scale", type->scale(a->x.bytes, at), expected);
        expect_result(a, at, "scale_direct", type->scale_direct(a->x.bytes, direct), expected);
    } while (check_next(type->rank, a->extent, at));
}

void check_scales(const check_array *a)
{
    static const stn_size first[8];
    const check_type *const type = a->type;
    const stn_size all = check_count(type->rank, a->extent);
    const int bytes = oracle_formats[type->scale_format].bits / 8;
    assert_int_equal(type->scale_count(a->x.bytes), expected_scale_count(a));
    assert_ptr_equal(type->scales(a->x.bytes), a->scales + check_scale_place(a, first) * bytes);
    if (all == 0)
        return;
    check_scales_read(a);
    for (stn_size k = 0; k < all; k += 1 + all / 6) {
        static const check_value exact = {.re = 0.75};
        const check_value rounded = {.re = check_round(type, -1.3)};
        stn_size at[8] = {0}, direct[8] = {0};
        check_index(type->rank, a->extent, k, at);
        direct_indices(a, at, direct);
        check_write_scale(a, at, exact.re);
        expect_result(a, at, "set_scale", type->set_scale(a->x.bytes, at, exact), exact);
        check_memory(a);
        check_write_scale(a, at, rounded.re);
        expect_result(a, at, "set_scale_direct",
                      type->set_scale_direct(a->x.bytes, direct, rounded),
                      (check_value){.re = check_read_scale(a, at)});
        check_gets(a);
    }
    check_scales_read(a);
}

/* ---- arithmetic on elements ---- */

#define OPERATE(which, a, b)                                                                       \
    ((which) == CHECK_ADD        ? (a) + (b)                                                       \
     : (which) == CHECK_SUBTRACT ? (a) - (b)                                                       \
     : (which) == CHECK_MULTIPLY ? (a) * (b)                                                       \
                                 : (a) / (b))

static check_value operate(const check_type *type, int which, check_value a, check_value b)
{
    static stn_c128 (*const wide[])(stn_c128, stn_c128) = {stn_c128_add, stn_c128_subtract,
                                                           stn_c128_multiply, stn_c128_divide};
    static stn_c64 (*const narrow[])(stn_c64, stn_c64) = {stn_c64_add, stn_c64_subtract,
                                                          stn_c64_multiply, stn_c64_divide};
    stn_c128 z;
    stn_c64 c;
    switch (type->arithmetic) {
    case STN_I64:
        return (check_value){.i64 = OPERATE(which, a.i64, b.i64)};
    case STN_C128:
        z = wide[which](stn_c128_of(a.re, a.im), stn_c128_of(b.re, b.im));
        return (check_value){.re = z.re, .im = z.im};
    case STN_C64:
        c = narrow[which](stn_c64_of((float)a.re, (float)a.im),
                          stn_c64_of((float)b.re, (float)b.im));
        return (check_value){.re = (double)c.re, .im = (double)c.im};
    default:
        return (check_value){.re = check_round(type, OPERATE(which, a.re, b.re))};
    }
}

/* Small integers, which every format holds exactly unless they are scaled or negative. */
static check_value small(const check_type *type, int re, int im)
{
    if (type->arithmetic == STN_I64)
        return (check_value){.i64 = re};
    return (check_value){.re = re,
                         .im = oracle_formats[type->arithmetic].kind == ORACLE_COMPLEX ? im : 0};
}

static void set_small(const check_array *a, const stn_size *at, int re, int im)
{
    check_value value = small(a->type, re, im);
    if (a->type->has_scales)
        value.re = check_round(a->type, value.re * a->type->scale(a->x.bytes, at).re);
    const check_value expected = check_write(a, at, value);
    expect_result(a, at, "set", a->type->set(a->x.bytes, at, value), expected);
    if (!a->type->has_scales && re >= 0 && im >= 0)
        assert_true(check_same(value, expected));
}

/* The element becomes what a read, the operation and a write make of it. */
static void check_update(const check_array *a, int which, const stn_size *at, check_value by)
{
    static const char *const names[] = {"add", "subtract", "multiply", "divide"};
    const check_value result = operate(a->type, which, check_read(a, at), by);
    const check_value expected = check_write(a, at, result);
    expect_result(a, at, names[which], a->type->update[which](a->x.bytes, at, by), expected);
    check_memory(a);
}

void check_updates(const check_array *a)
{
    const check_type *const type = a->type;
    const stn_size all = check_count(type->rank, a->extent);
    for (int which = CHECK_ADD; which <= CHECK_DIVIDE; which++)
        for (int k = 0; k < 60; k++) {
            const int value = k / 4 - 7, by = k % 4 * 2 - 3;
            stn_size at[8] = {0}, other[8] = {0};
            check_index(type->rank, a->extent, 7 * k % all, at);
            check_index(type->rank, a->extent, (5 * k + 3) % all, other);
            set_small(a, at, value, value % 3);
            check_update(a, which, at, small(type, by, 2 - by));
            set_small(a, at, 6, 1);
            set_small(a, other, 3, -1);
            check_update(a, which, at, type->get(a->x.bytes, other));
            set_small(a, at, 6, 1);
            check_update(a, which, at, type->get(a->x.bytes, at));
        }
}

/* ---- all of these ---- */

void check_all(const check_array *a, uint64_t seed)
{
    check_shape(a);
    check_gets(a);
    check_sets(a, seed);
    check_gets(a);
    check_runs(a);
    if (a->type->has_scales)
        check_scales(a);
}

void check_parts(const check_array *whole)
{
    const int rank = whole->type->rank;
    stn_span cut[8], again[8], none[8];
    for (int d = 0; d < rank; d++) {
        const stn_size n = whole->extent[d];
        cut[d] = n > 2 ? stn_span_of(1, n) : stn_all();
        again[d] = n > 3 ? stn_span_of(1, n - 1) : n > 2 ? stn_at(1) : stn_span_of(0, n);
        none[d] = d == (int)(whole->seed % (uint64_t)rank) ? stn_span_of(n, n) : stn_all();
    }
    const check_array part = check_part(whole, cut), of_part = check_part(&part, again);
    const check_array empty = check_part(whole, none);
    check_all(&part, 5);
    check_all(&of_part, 6);
    check_gets(whole);
    check_shape(&empty);
    check_loads(&empty, 0, 0);
    check_stores(&empty, 0, 0, 0);
}

static void check_open_array(check_array a)
{
    check_all(&a, 100 * a.seed);
    if (a.type->update[0] && a.seed % 3 == 0)
        check_updates(&a);
    check_parts(&a);
    check_close(&a);
}

/* Types of lower rank have the last extents. */
void check_every_shape(void **state)
{
    static const stn_size shapes[][8] = {{2, 1, 3, 1, 1, 2, 3, 4},  {1, 3, 1, 2, 1, 5, 1, 7},
                                         {1, 1, 1, 1, 1, 1, 1, 1},  {3, 1, 1, 1, 4, 3, 6, 1},
                                         {1, 1, 1, 3, 1, 2, 2, 1},  {2, 2, 2, 2, 2, 2, 2, 3},
                                         {1, 1, 1, 1, 1, 1, 40, 1}, {1, 1, 1, 1, 1, 2, 2, 67}};
    /* Backwards, and with interleaved dimensions. */
    static const stn_size odd[][3] = {
        {-20, 5, -1}, {1, 3, 12}, {2, -30, 6}, {-1, -3, -12}, {100, -7, 1}};
    const check_type *const type = *state;
    for (uint64_t k = 0; k < 3 * sizeof shapes / sizeof *shapes; k++) {
        const stn_size *const extent = shapes[k / 3] + 8 - type->rank, gap = (stn_size)(k % 3);
        stn_size stride[8], scale_stride[8];
        check_strides(type->layout, type->rank, extent, gap, stride);
        check_scale_strides(type, extent, 2, scale_stride);
        check_open_array(check_open(type, extent, gap ? stride : NULL,
                                    gap == 2 && type->has_scales ? scale_stride : NULL, k));
    }
    for (uint64_t k = 0; k < sizeof odd / sizeof *odd; k++)
        if (type->layout == CHECK_STRIDED && type->rank <= 3)
            check_open_array(check_open(type, (const stn_size[]){3, 4, 5} + 3 - type->rank,
                                        odd[k] + 3 - type->rank, NULL, k));
}
