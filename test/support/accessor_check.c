/* Scenes: memory, an accessor over it, and comparisons with what it should hold. */
#include "accessor_check.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SPARE = 16 /* elements in front of and behind those of an accessor */ };

/* ---- making a scene ---- */

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

/* Any bits, or one of the codes that codecs stumble over. */
static uint64_t some_code(const oracle_format *f, uint64_t seed, uint64_t k)
{
    const uint64_t random = oracle_random(seed, k);
    if (random % 2)
        return oracle_code(f, (int64_t)(random / 2 % (uint64_t)oracle_code_count(f)));
    return oracle_random(seed + 1, k) >> (64 - f->bits);
}

static void place_memory(check_scene *scene, uint64_t seed)
{
    const int format = scene->type->format, rank = scene->type->rank;
    const oracle_format *f = &oracle_formats[oracle_formats[format].component];
    const int parts = oracle_formats[format].kind == ORACLE_COMPLEX ? 2 : 1;
    stn_size lowest = 0, highest = 0;
    for (int d = 0; d < rank; d++) {
        const stn_size reach = (scene->extent[d] > 0 ? scene->extent[d] - 1 : 0) * scene->stride[d];
        lowest += reach < 0 ? reach : 0;
        highest += reach > 0 ? reach : 0;
    }
    scene->elements = highest - lowest + 1 + 2 * SPARE;
    scene->origin = SPARE - lowest;
    scene->memory = allocate(scene->elements * scene->type->bytes);
    for (stn_size k = 0; k < scene->elements; k++)
        for (int part = 0; part < parts; part++)
            check_put_code(format, scene->memory, k, part,
                           some_code(f, seed, (uint64_t)(2 * k + part)));
    scene->expected = copy_of(scene->memory, scene->elements * scene->type->bytes);
}

/* One scale per index of each selecting dimension, per block of the last. */
static void dense_scale_strides(check_scene *scene)
{
    const int last = check_last_selected(scene->type);
    stn_size stride = 1;
    for (int d = last; d >= 0; d--) {
        if (!check_selects(scene->type, d))
            continue;
        scene->scale_stride[d] = stride;
        stride *= d == last ? (scene->extent[d] + scene->type->block - 1) / scene->type->block
                            : scene->extent[d];
    }
}

/* Of both signs and no power of two, a few binary orders around 1. */
static void place_scales(check_scene *scene, uint64_t seed)
{
    const check_type *type = scene->type;
    const oracle_format *f = &oracle_formats[type->scale_format];
    for (int d = 0; d < type->rank; d++)
        scene->scale_elements += (scene->extent[d] + type->block) * scene->scale_stride[d];
    scene->scale_elements += 1;
    scene->scales = allocate(scene->scale_elements * f->bits / 8);
    scene->zeros = allocate(scene->scale_elements * type->value_bytes);
    for (stn_size k = 0; k < scene->scale_elements; k++) {
        const uint64_t random = oracle_random(seed, (uint64_t)k);
        const double size = ldexp((double)(1024 + random % 1024), (int)(random >> 20) % 8 - 14);
        const double zero = (double)((random >> 30) % 15) / 2 - 3.5;
        const oracle_rule rule = {STN_ROUND_NEAREST, STN_OVERFLOW_SATURATE, 0};
        unsigned events = 0;
        check_put_code(type->scale_format, scene->scales, k, 0,
                       oracle_encode(f, random >> 62 ? size : -size, rule, &events));
        check_put_value(type, scene->zeros, k,
                        type->arithmetic == STN_F64 ? (check_value){.f64 = zero}
                                                    : (check_value){.f32 = (float)zero});
    }
    scene->expected_scales = copy_of(scene->scales, scene->scale_elements * f->bits / 8);
}

/* Strides as _make takes them: without the one that the layout knows. */
static void unknown_strides(const check_type *type, const stn_size *stride, stn_size *unknown)
{
    const int known = type->layout == CHECK_RIGHT             ? type->rank - 1
                      : type->layout == CHECK_LEFT            ? 0
                      : type->layout == CHECK_BLOCK_COL_MAJOR ? type->rank - 2
                                                              : -1;
    for (int d = 0; d < type->rank; d++)
        if (d != known)
            *unknown++ = stride[d];
}

static void make(check_scene *scene, const stn_size *strides, const stn_size *scale_strides)
{
    const check_type *type = scene->type;
    stn_size unknown[8], unknown_scale[8], *next = unknown_scale;
    check_arguments arguments = {.data = scene->memory + scene->origin * type->bytes,
                                 .extents = scene->extent,
                                 .scales = scene->scales,
                                 .zeros = scene->zeros,
                                 .seed = scene->seed};
    unknown_strides(type, scene->stride, unknown);
    for (int d = 0; d < check_last_selected(type); d++)
        if (check_selects(type, d))
            *next++ = scene->scale_stride[d];
    arguments.strides = strides ? unknown : NULL;
    arguments.scale_strides = scale_strides ? unknown_scale : NULL;
    if (!strides && !scale_strides && scene->seed % 2)
        type->dense(scene->x.bytes, &arguments);
    else
        type->make(scene->x.bytes, &arguments);
}

check_scene check_open(const check_type *type, const stn_size *extents, const stn_size *strides,
                       const stn_size *scale_strides, uint64_t seed)
{
    check_scene scene = {.type = type, .seed = seed};
    memcpy(scene.extent, extents, (size_t)type->rank * sizeof *extents);
    check_strides(type->layout, type->rank, extents, 0, scene.stride);
    if (strides)
        memcpy(scene.stride, strides, (size_t)type->rank * sizeof *strides);
    place_memory(&scene, seed);
    if (type->has_scales) {
        dense_scale_strides(&scene);
        if (scale_strides)
            memcpy(scene.scale_stride, scale_strides, (size_t)type->rank * sizeof *strides);
        place_scales(&scene, seed);
    }
    make(&scene, strides, scale_strides);
    return scene;
}

void check_close(check_scene *scene)
{
    free(scene->memory);
    free(scene->expected);
    free(scene->scales);
    free(scene->expected_scales);
    free(scene->zeros);
    memset(scene, 0, sizeof *scene);
}

check_scene check_part(const check_scene *whole, const stn_span *spans)
{
    check_scene part = *whole;
    for (int d = 0; d < whole->type->rank; d++) {
        const stn_size end = spans[d].end == STN_SPAN_END ? whole->extent[d] : spans[d].end;
        part.begin[d] += spans[d].begin;
        part.extent[d] = end - spans[d].begin;
    }
    whole->type->sub(part.x.bytes, whole->x.bytes, spans);
    return part;
}

/* ---- checks ---- */

static const char *text_of(const check_scene *scene, const stn_size *at)
{
    static char text[256];
    int length = snprintf(text, sizeof text, "%s (", scene->type->label);
    for (int d = 0; d < scene->type->rank; d++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%" PRId64 " of %" PRId64,
                           d ? ", " : "", at[d], scene->extent[d]);
    snprintf(text + length, sizeof text - (size_t)length, ")");
    return text;
}

static void check_value_of(const check_scene *scene, const stn_size *at, const char *what,
                           check_value got, check_value wanted)
{
    uint64_t bits[2][2] = {{0}};
    if (check_same(scene->type->arithmetic, got, wanted))
        return;
    memcpy(bits[0], &got, (size_t)scene->type->value_bytes);
    memcpy(bits[1], &wanted, (size_t)scene->type->value_bytes);
    fail_msg("%s %s: %016" PRIx64 " %016" PRIx64 ", not %016" PRIx64 " %016" PRIx64,
             text_of(scene, at), what, bits[0][0], bits[0][1], bits[1][0], bits[1][1]);
}

static void check_bytes(const check_scene *scene, const char *what, const unsigned char *got,
                        const unsigned char *wanted, stn_size elements, int bytes)
{
    for (stn_size k = 0; k < elements; k++)
        if (memcmp(got + k * bytes, wanted + k * bytes, (size_t)bytes) != 0)
            fail_msg("%s: %s %" PRId64 " of %" PRId64 " is not as it should be", scene->type->label,
                     what, k, elements);
}

void check_memory(const check_scene *scene)
{
    check_bytes(scene, "element", scene->memory, scene->expected, scene->elements,
                scene->type->bytes);
    if (scene->type->has_scales)
        check_bytes(scene, "scale", scene->scales, scene->expected_scales, scene->scale_elements,
                    oracle_formats[scene->type->scale_format].bits / 8);
}

void check_shape(const check_scene *scene)
{
    static const stn_size first[8];
    const check_type *type = scene->type;
    const void *const x = scene->x.bytes;
    for (int d = 0; d < type->rank; d++) {
        assert_int_equal(type->length(x, d), scene->extent[d]);
        assert_int_equal(type->stride(x, d), scene->stride[d]);
        if (type->has_scales)
            assert_int_equal(type->scale_stride(x, d), scene->scale_stride[d]);
    }
    for (int d = type->rank; d < 10; d++)
        assert_int_equal(type->length(x, d), 1);
    assert_int_equal(type->count(x), check_count(type->rank, scene->extent));
    assert_ptr_equal(type->data(x),
                     scene->memory + (scene->origin + check_place(scene, first)) * type->bytes);
}

void check_gets(const check_scene *scene)
{
    const check_type *type = scene->type;
    const void *const x = scene->x.bytes;
    const stn_size first[8] = {0};
    stn_size at[8] = {0};
    if (check_count(type->rank, scene->extent) == 0)
        return;
    do {
        const stn_size place = check_place(scene, at);
        const check_value wanted = check_read(scene, at);
        check_value_of(scene, at, "is", type->get(x, at), wanted);
        if (type->get_const)
            check_value_of(scene, at, "is, read-only,", type->get_const(x, at), wanted);
        assert_int_equal(type->offset(x, at), place - check_place(scene, first));
        assert_ptr_equal(type->address(x, at),
                         scene->memory + (scene->origin + place) * type->bytes);
    } while (check_next(type->rank, scene->extent, at));
    check_memory(scene);
}

/* An input that the element's scale brings near the format's range. */
static check_value input_for(const check_scene *scene, const stn_size *at, uint64_t k)
{
    check_value value = check_input(scene->type, k);
    if (!scene->type->has_scales)
        return value;
    const check_value scale = scene->type->scale(scene->x.bytes, at);
    if (scene->type->arithmetic == STN_F64)
        value.f64 *= scale.f64;
    else
        value.f32 *= scale.f32;
    return value;
}

void check_sets(const check_scene *scene, uint64_t seed)
{
    stn_size at[8] = {0};
    if (check_count(scene->type->rank, scene->extent) == 0)
        return;
    do {
        const check_value value = input_for(scene, at, seed++);
        check_value_of(scene, at, "is, stored,", scene->type->set(scene->x.bytes, at, value),
                       check_write(scene, at, value));
    } while (check_next(scene->type->rank, scene->extent, at));
    check_memory(scene);
}

void check_loads(const check_scene *scene, stn_size first, stn_size count)
{
    const check_type *type = scene->type;
    const stn_size bytes = count * type->value_bytes;
    unsigned char *values = allocate(bytes + 16);
    void (*const loads[])(const void *, const stn_size *, stn_size, void *) = {type->load,
                                                                               type->load_const};
    for (int which = 0; which < 2 && loads[which]; which++) {
        stn_size at[8] = {0};
        check_index(type->rank, scene->extent, first, at);
        memset(values, 0xa5, (size_t)bytes + 16);
        loads[which](scene->x.bytes, at, count, values);
        for (stn_size k = 0; k < count; k++) {
            check_value_of(scene, at, which ? "is loaded, read-only," : "is loaded",
                           check_value_at(type, values, k), check_read(scene, at));
            check_next(type->rank, scene->extent, at);
        }
        for (int k = 0; k < 16; k++)
            assert_int_equal(values[bytes + k], 0xa5);
    }
    check_memory(scene);
    free(values);
}

void check_stores(const check_scene *scene, stn_size first, stn_size count, uint64_t seed)
{
    const check_type *type = scene->type;
    void *values = allocate(count * type->value_bytes);
    stn_size at[8] = {0}, start[8] = {0};
    check_index(type->rank, scene->extent, first, start);
    memcpy(at, start, sizeof at);
    for (stn_size k = 0; k < count; k++) {
        const check_value value = input_for(scene, at, seed + (uint64_t)k);
        check_put_value(type, values, k, value);
        check_write(scene, at, value);
        check_next(type->rank, scene->extent, at);
    }
    type->store(scene->x.bytes, start, count, values);
    check_memory(scene);
    free(values);
}

/* From several places, of lengths around those that are unrolled. */
static void check_runs(const check_scene *scene)
{
    static const stn_size counts[] = {0, 1, 2, 31, 32, 33, 100};
    const stn_size all = check_count(scene->type->rank, scene->extent);
    for (stn_size first = 0; first < all; first += 1 + all / 5)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            if (first + counts[k] <= all) {
                check_loads(scene, first, counts[k]);
                check_stores(scene, first, counts[k], (uint64_t)(1000 * first + counts[k]));
            }
    check_loads(scene, 0, all);
    check_stores(scene, 0, all, 77);
}

void check_all(const check_scene *scene, uint64_t seed)
{
    check_shape(scene);
    check_gets(scene);
    check_sets(scene, seed);
    check_gets(scene);
    check_runs(scene);
}

void check_parts(const check_scene *whole)
{
    const int rank = whole->type->rank;
    stn_span cut[8], again[8], none[8];
    for (int d = 0; d < rank; d++) {
        const stn_size n = whole->extent[d];
        cut[d] = n > 2 ? stn_span_of(1, n) : stn_all();
        again[d] = n > 3 ? stn_span_of(1, n - 1) : n > 2 ? stn_at(1) : stn_span_of(0, n);
        none[d] = d == (int)(whole->seed % (uint64_t)rank) ? stn_span_of(n, n) : stn_all();
    }
    const check_scene part = check_part(whole, cut), of_part = check_part(&part, again);
    const check_scene empty = check_part(whole, none);
    check_all(&part, 5);
    check_all(&of_part, 6);
    check_gets(whole);
    check_shape(&empty);
    check_loads(&empty, 0, 0);
    check_stores(&empty, 0, 0, 0);
}
