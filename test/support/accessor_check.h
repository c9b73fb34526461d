/* Checks of accessor types. Types are data, so that one test covers many of them. An array is
 * memory, an accessor of it, and its expected contents, computed by explicit formulas and the
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

/* A value of any arithmetic type: an f64, f32 or complex value, or an i64. */
typedef struct check_value {
    double re, im;
    int64_t i64;
} check_value;

/* Arguments of NAME_make. */
typedef struct check_arguments {
    void *data;
    const stn_size *extents, *strides; /* strides that the type does not know; NULL: dense */
    void *scales;
    const stn_size *scale_strides;
    const void *zeros;
    uint64_t seed;
} check_arguments;

/* An accessor type: its constants, and its functions with the indices in an array. CHECK_TYPE of
 * accessor_types.h defines it. Functions that a type lacks are NULL. */
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

/* Entries of check_type.update. */
enum { CHECK_ADD, CHECK_SUBTRACT, CHECK_MULTIPLY, CHECK_DIVIDE };

/* An array and its accessor `x`, or a part of it. Parts share the memory of the whole. */
typedef struct check_array {
    const check_type *type;
    union {
        max_align_t alignment;
        unsigned char bytes[512];
    } x;
    stn_size extent[8], stride[8], begin[8]; /* begin: of this part, in indices of the whole */
    stn_size scale_stride[8];                /* 0 if a dimension selects no scale */
    stn_size elements, origin;               /* in memory; position of the first element */
    unsigned char *memory, *expected;
    stn_size scale_elements;
    unsigned char *scales, *expected_scales;
    void *zeros;
    uint64_t seed;
} check_array;

/* ---- values and codes ---- */

/* Equal bits, or both NaN; part by part. */
int check_same(check_value a, check_value b);

/* x rounded to the arithmetic type. One operation on f32 values that is computed in f64 and then
 * rounded has the bits of the operation in f32, since 53 >= 2 * 24 + 2. */
double check_round(const check_type *type, double x);

/* Value k of an endless list: any bits, the range of the format, ties, few bits. NaN only if the
 * format stores it as one code. */
check_value check_input(const check_type *type, uint64_t k);

/* Element k of an array of an arithmetic type. */
check_value check_value_at(int arithmetic, const void *values, stn_size k);
void check_put_value(int arithmetic, void *values, stn_size k, check_value value);

/* Code of part `part` (0 or 1, of a complex number) of the element at `place` of an array. */
uint64_t check_code(int format, const void *codes, stn_size place, int part);
void check_put_code(int format, void *codes, stn_size place, int part, uint64_t code);

/* ---- indices ---- */

/* The next index in C order; 0 after the last one. */
int check_next(int rank, const stn_size *extent, stn_size *at);

/* Index number k in C order. */
void check_index(int rank, const stn_size *extent, stn_size k, stn_size *at);

stn_size check_count(int rank, const stn_size *extent);

/* Strides of a layout with `gap` unused elements after each row, plane and so on. */
void check_strides(check_layout layout, int rank, const stn_size *extent, stn_size gap,
                   stn_size *stride);

/* Strides of scales with `gap` unused ones after those of each dimension; 0 if a dimension selects
 * none. */
void check_scale_strides(const check_type *type, const stn_size *extent, stn_size gap,
                         stn_size *stride);

/* Does the index of this dimension select a scale? The last dimension that does; -1: none. */
int check_selects(const check_type *type, int dimension);
int check_last_selected(const check_type *type);

/* ---- arrays ---- */

/* Memory full of codes, with some to spare on both sides, and an accessor created over it. Strides
 * NULL: dense. Strides of scales are those of all selecting dimensions: the last is 1; NULL: dense.
 */
check_array check_open(const check_type *type, const stn_size *extents, const stn_size *strides,
                       const stn_size *scale_strides, uint64_t seed);
void check_close(check_array *array);
check_array check_part(const check_array *whole, const stn_span *spans);

/* Position of an element and of its scale, relative to the first of the whole. */
stn_size check_place(const check_array *array, const stn_size *at);
stn_size check_scale_place(const check_array *array, const stn_size *at);

/* The result of a read; store as a write does, in `expected`, and the result of a read then. */
check_value check_read(const check_array *array, const stn_size *at);
check_value check_write(const check_array *array, const stn_size *at, check_value value);
double check_read_scale(const check_array *array, const stn_size *at);
void check_write_scale(const check_array *array, const stn_size *at, double value);

/* ---- checks, which fail the test ---- */

/* Memory and scales are as expected, to the bit. */
void check_memory(const check_array *array);
void check_shape(const check_array *array);
void check_gets(const check_array *array);
void check_sets(const check_array *array, uint64_t seed);
void check_loads(const check_array *array, stn_size first, stn_size count);
void check_stores(const check_array *array, stn_size first, stn_size count, uint64_t seed);

/* Every element's scale, by element and by index of the scale; changes of scales. */
void check_scales(const check_array *array);

/* Arithmetic on elements in place: by a value, by another element, and by the element itself. */
void check_updates(const check_array *array);

/* All of these but updates; loads and stores of many lengths. */
void check_all(const check_array *array, uint64_t seed);

/* check_all for a part without the first indices and for a part of it, and for an empty part. */
void check_parts(const check_array *whole);

/* A cmocka test of the check_type that is its state: arrays of several shapes and strides, dense
 * and with gaps, whole and in parts. CHECK_TEST of accessor_types.h is its entry. */
void check_every_shape(void **state);

#endif
