/* What the tests of accessors share: accessor types as data, so that one test runs on many of them,
 * and scenes: memory, an accessor over it, and what it should hold by explicit formulas and the
 * codecs of oracle.h. */
#ifndef STENO_TEST_ACCESSOR_CHECK_H
#define STENO_TEST_ACCESSOR_CHECK_H

#include "oracle.h"
#include "steno/accessor.h"

#include <stddef.h>

typedef enum check_layout {
    CHECK_RIGHT,
    CHECK_LEFT,
    CHECK_STRIDED,
    CHECK_BLOCK_COL_MAJOR
} check_layout;

/* A number of any arithmetic type. */
typedef union check_value {
    double f64;
    float f32;
    int64_t i64;
    stn_c128 c128;
    stn_c64 c64;
} check_value;

/* Arguments of _make. */
typedef struct check_arguments {
    void *data;
    const stn_size *extents, *strides; /* strides that the type does not know; NULL: dense */
    void *scales;
    const stn_size *scale_strides;
    const void *zeros;
    uint64_t seed;
} check_arguments;

/* An accessor type: its constants, and its functions with the indices in an array. accessor_types.h
 * makes them; null is what a type lacks. */
typedef struct check_type {
    const char *label;
    check_layout layout;
    int rank, arithmetic, format, bytes, value_bytes;
    stn_rounding rounding;
    stn_overflow overflow;
    int has_scales, has_zeros;
    unsigned mask;
    stn_size block;
    int scale_format;
    void (*make)(void *x, const check_arguments *arguments);
    void (*dense)(void *x, const check_arguments *arguments); /* without arguments->strides */
    void (*sub)(void *to, const void *x, const stn_span *spans);
    stn_size (*length)(const void *x, int dimension);
    stn_size (*stride)(const void *x, int dimension);
    stn_size (*count)(const void *x);
    stn_size (*offset)(const void *x, const stn_size *at);
    void *(*data)(const void *x);
    void *(*address)(const void *x, const stn_size *at);
    check_value (*get)(const void *x, const stn_size *at);
    check_value (*get_const)(const void *x, const stn_size *at); /* by the const companion */
    check_value (*set)(const void *x, const stn_size *at, check_value value);
    check_value (*update[4])(const void *x, const stn_size *at, check_value value);
    void (*load)(const void *x, const stn_size *at, stn_size count, void *values);
    void (*load_const)(const void *x, const stn_size *at, stn_size count, void *values);
    void (*store)(const void *x, const stn_size *at, stn_size count, const void *values);
    check_value (*scale)(const void *x, const stn_size *at);
    check_value (*set_scale)(const void *x, const stn_size *at, check_value value);
    check_value (*scale_direct)(const void *x, const stn_size *indices);
    check_value (*set_scale_direct)(const void *x, const stn_size *indices, check_value value);
    void *(*scales)(const void *x);
    stn_size (*scale_count)(const void *x);
    stn_size (*scale_stride)(const void *x, int dimension);
    stn_size (*fit_scales)(const void *x, const void *values, int exact);
} check_type;

/* The entries of check_type.update. */
enum { CHECK_ADD, CHECK_SUBTRACT, CHECK_MULTIPLY, CHECK_DIVIDE };

/* An array and its accessor `x`, or a part of it. Parts share the memory of the whole. */
typedef struct check_scene {
    const check_type *type;
    union {
        max_align_t alignment;
        unsigned char bytes[512];
    } x;
    stn_size extent[8], stride[8], begin[8]; /* begin: of this part, in indices of the whole */
    stn_size scale_stride[8];                /* 0 where a dimension selects none */
    stn_size elements, origin;               /* in memory; where index 0, ... of the whole is */
    unsigned char *memory, *expected;        /* what there is, and what there should be */
    stn_size scale_elements;
    unsigned char *scales, *expected_scales;
    void *zeros;
    uint64_t seed;
} check_scene;

/* ---- values and codes ---- */

/* Equal bits, or both NaN; part by part. */
int check_same(int arithmetic, check_value a, check_value b);

/* Number k of an endless list: any bits, the format's range, ties, few bits; NaN only where the
 * format stores it as one code. */
check_value check_input(const check_type *type, uint64_t k);

/* Number k as an element of an array of the arithmetic type. */
check_value check_value_at(const check_type *type, const void *values, stn_size k);
void check_put_value(const check_type *type, void *values, stn_size k, check_value value);

/* Code of part `part` (0 or 1, of a complex number) of the element `place` of an array. */
uint64_t check_code(int format, const void *codes, stn_size place, int part);
void check_put_code(int format, void *codes, stn_size place, int part, uint64_t code);

/* ---- indices ---- */

/* The next index in C order; 0 after the last one. */
int check_next(int rank, const stn_size *extent, stn_size *at);

/* Index number k in C order. */
void check_index(int rank, const stn_size *extent, stn_size k, stn_size *at);

stn_size check_count(int rank, const stn_size *extent);

/* Strides of a layout with `gap` unused elements behind each stretch of a dimension. */
void check_strides(check_layout layout, int rank, const stn_size *extent, stn_size gap,
                   stn_size *stride);

/* Does the index of this dimension select a scale? The last one that does; -1: none. */
int check_selects(const check_type *type, int dimension);
int check_last_selected(const check_type *type);

/* ---- scenes ---- */

/* Memory full of codes, with some to spare on both sides, and an accessor made over it; strides
 * NULL: by _dense. The scales' strides are those of the selecting dimensions, all of them: the last
 * is 1; NULL: dense. */
check_scene check_open(const check_type *type, const stn_size *extents, const stn_size *strides,
                       const stn_size *scale_strides, uint64_t seed);
void check_close(check_scene *scene);
check_scene check_part(const check_scene *whole, const stn_span *spans);

/* Where an element and its scale should be, from the first of the whole. */
stn_size check_place(const check_scene *scene, const stn_size *at);
stn_size check_scale_place(const check_scene *scene, const stn_size *at);

/* What a read should give; store as a write should, in `expected`: what a read gives then. */
check_value check_read(const check_scene *scene, const stn_size *at);
check_value check_write(const check_scene *scene, const stn_size *at, check_value value);

/* ---- checks, which fail the test ---- */

/* All of them: every element, and runs of many lengths; what is around stays as it is. */
void check_all(const check_scene *scene, uint64_t seed);

/* The same for a part without the first indices, for a part of it, and for an empty part. */
void check_parts(const check_scene *whole);

/* Memory and scales are as expected, to the bit. */
void check_memory(const check_scene *scene);
void check_shape(const check_scene *scene);
void check_gets(const check_scene *scene);
void check_sets(const check_scene *scene, uint64_t seed);
void check_loads(const check_scene *scene, stn_size first, stn_size count);
void check_stores(const check_scene *scene, stn_size first, stn_size count, uint64_t seed);

/* Every element's scale by all ways to name it; changes of scales show in all elements they have.
 */
void check_scales(const check_scene *scene);

#endif
