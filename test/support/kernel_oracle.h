/* What the tests of kernels measure Steno against: arrays of any rank, format and layout, and the
 * kernels of test_kernel_matrix.c calculated element by element, in plain C, with index arithmetic
 * of its own. */
#ifndef STENO_TEST_KERNEL_ORACLE_H
#define STENO_TEST_KERNEL_ORACLE_H

#include "order_oracle.h"

enum { KERNEL_RANK = STN_MAX_RANK, KERNEL_VIEWS = 9 };

typedef union kernel_value {
    double f64;
    float f32;
    int64_t i64;
    stn_c128 c128;
    stn_c64 c64;
} kernel_value;

typedef struct kernel_array {
    stn_storage storage;
    int rank;
    int64_t extent[KERNEL_RANK], stride[KERNEL_RANK];
    int64_t element, first, bytes; /* size of one, where element 0 is in `memory`, and its size */
    uint8_t *memory;
    void *mapped; /* which memory is a part of */
} kernel_array;

/* Random values, a quarter of them any code at all; the memory ends where the last element does. */
kernel_array kernel_make(stn_storage storage, int rank, const int64_t *extent,
                         const int64_t *stride, uint64_t *state);
void kernel_drop(kernel_array *array);

/* A copy of its memory; release with free. */
uint8_t *kernel_copy(const kernel_array *array);

/* Format, scale, strides and extents of each, put behind the first `at` characters of words. */
void kernel_tell_arrays(char *words, size_t size, int at, const kernel_array *arrays, int count);

/* The array as a view; on a device, a copy that order_end() brings back. */
stn_view kernel_view(const kernel_array *array, const char *label);

/* The element at an index of a space of this rank, broadcast. */
kernel_value kernel_get(stn_format arithmetic, const kernel_array *array, int rank,
                        const int64_t *index);
void kernel_put(stn_format arithmetic, kernel_array *array, int rank, const int64_t *index,
                kernel_value value, int64_t draw);
int kernel_is_kept(stn_format arithmetic, kernel_value a, kernel_value b);

/* Fail, saying what, unless the memory is as expected; any NaN of a float format is as good as any
 * other. */
void kernel_check(const kernel_array *array, const uint8_t *expected, const char *what);

/* Numbers that kernels get. */
typedef struct kernel_numbers {
    double real;
    stn_c128 complex_number;
    int64_t index;
    uint64_t bits;
} kernel_numbers;

/* How a kernel treats a view. */
typedef enum kernel_use { KERNEL_IN, KERNEL_INOUT, KERNEL_OUT } kernel_use;

/* One kernel: its views, and an element of it. `stored` says per view whether it is assigned. */
typedef void kernel_element(stn_format arithmetic, const int64_t *index,
                            const kernel_numbers *numbers, kernel_value *values, int *stored);

/* Defines the element of a kernel in one arithmetic type: KERNEL_ELEMENT_OF(name, f64) { ... }; and
 * that of both, of which `format` is the wide one. */
#define KERNEL_ELEMENT_OF(name, type)                                                              \
    static void name##_##type(const int64_t *at __attribute__((unused)),                           \
                              const kernel_numbers *n __attribute__((unused)), kernel_value *v,    \
                              int *stored)
#define KERNEL_ELEMENT(name, format, wide, narrow)                                                 \
    static void name##_element(stn_format arithmetic, const int64_t *index,                        \
                               const kernel_numbers *numbers, kernel_value *values, int *stored)   \
    {                                                                                              \
        (arithmetic == format ? name##_##wide : name##_##narrow)(index, numbers, values, stored);  \
    }

typedef struct kernel_model {
    const char *name;
    oracle_class kind;
    int views;
    kernel_use use[KERNEL_VIEWS];
    kernel_element *element;
} kernel_model;

/* In the order of launch() there. */
extern const kernel_model kernel_models[];
extern const int kernel_model_count;

/* Do what the kernel does to the arrays, over this space. */
void kernel_expect(const kernel_model *model, stn_format arithmetic, int rank,
                   const int64_t *extent, const kernel_numbers *numbers, kernel_array *arrays);

/* y = A x of compressed rows, over y's elements. */
void kernel_expect_csr(stn_format arithmetic, const kernel_array *begins,
                       const kernel_array *columns, const kernel_array *values,
                       const kernel_array *x, kernel_array *y);

#endif
