/* Reductions that the tests run, described a second time: what an element contributes, and what the
 * result over any dimensions of a space must be. */
#ifndef STENO_TEST_REDUCE_MODELS_H
#define STENO_TEST_REDUCE_MODELS_H

#include "kernel_oracle.h"
#include "reduce_oracle.h"

enum { REDUCE_VIEWS = 2 };

/* An element's contribution, x, and y of REDUCE_PRODUCTS, from the elements of the views. */
typedef void reduce_element(stn_format arithmetic, const int64_t *index,
                            const kernel_numbers *numbers, const reduce_value *views,
                            reduce_value *x, reduce_value *y);

typedef struct reduce_model {
    const char *name;
    reduce_operation operation;
    int is_integer; /* i64, else f64 and f32 */
    int views;
    int field; /* the view that is a field of rank 1, read at i modulo its extent; 0: none */
    reduce_element *element;
    reduce_combine *combine;
    reduce_finalize *finalize;
    reduce_value identity;
} reduce_model;

/* In the order of reduce_launch() in reduce_kernels.c. */
extern const reduce_model reduce_models[];
extern const int reduce_model_count;

reduce_rule reduce_rule_of(const reduce_model *model, stn_format arithmetic);

/* What is reduced: arrays that are broadcast to a space. */
typedef struct reduce_case {
    const reduce_model *model;
    stn_format arithmetic;
    int rank;
    int64_t extent[KERNEL_RANK];
    kernel_numbers numbers;
    kernel_array arrays[REDUCE_VIEWS];
} reduce_case;

/* The result over all of it. */
reduce_value reduce_expect(const reduce_case *c);

/* Store what each element of the result must be, where the dimensions of `reduced` are gone. */
void reduce_expect_into(const reduce_case *c, unsigned reduced, kernel_array *result);

/* Store the scan along a dimension. */
void reduce_expect_scan(const reduce_case *c, int exclusive, int dimension, kernel_array *result);

/* ---- arrays ---- */

/* Kinds of data: those of order_kind, and few values, each many times. */
enum { REDUCE_FEW = ORDER_KINDS, REDUCE_KINDS };

/* An array of this kind of data; what lies between its elements is random. */
kernel_array reduce_make(stn_storage storage, int rank, const int64_t *extent,
                         const int64_t *stride, int kind, uint64_t *state);

/* The code at an index of a space of this rank, broadcast. */
uint64_t reduce_code(const kernel_array *array, int rank, const int64_t *index);
void reduce_put_code(kernel_array *array, int rank, const int64_t *index, uint64_t code);

/* Steps through a space in C order; 0 after the last index. */
int reduce_next(int rank, const int64_t *extent, int64_t *index);
int64_t reduce_volume(int rank, const int64_t *extent);

#endif
