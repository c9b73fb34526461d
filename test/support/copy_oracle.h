/* Arrays of every layout with separate index arithmetic, and copies of single elements. */
#ifndef STENO_TEST_COPY_ORACLE_H
#define STENO_TEST_COPY_ORACLE_H

#include "exec/exec.h"
#include "steno/view.h"

typedef enum copied_layout {
    COPIED_RIGHT,
    COPIED_LEFT,
    COPIED_GAPS,     /* layout right of every other element, rows followed by a gap */
    COPIED_BACKWARD, /* layout right, every dimension from its end */
    COPIED_BLOCK_COL,
    COPIED_TILED_RIGHT,
    COPIED_TILED_LEFT,
    COPIED_TILED_PART, /* indices 2, 3, ... of each dimension of a tiled array */
    COPIED_MORTON,
    COPIED_CUSTOM, /* layout right, the order of elements reversed */
    COPIED_LAYOUTS
} copied_layout;

/* A view with its own memory, filled with random bits. */
typedef struct copied_array {
    copied_layout layout;
    stn_view view, whole; /* `whole` holds the handle of tiled parts */
    char *memory, *before, *expected;
    int64_t span, bytes; /* elements there is memory for, bytes of one */
} copied_array;

/* Allocates memory of `span` elements, and equal memory for the expected result. */
void copied_make(copied_array *array, copied_layout layout, stn_storage storage, int rank,
                 const int64_t *extents, uint64_t seed);
void copied_free(copied_array *array);

/* Offset of an element from the first one in memory, in elements. */
int64_t copied_offset(const copied_array *array, const int64_t *indices);

/* Index of an element in C order of the whole array, which determines its random bits. */
int64_t copied_number(const copied_array *array, const int64_t *indices);

/* Copies single elements to the expected result of another array. */
void copied_copy(copied_array *to, const copied_array *from);

/* Restores the memory. */
void copied_reset(const copied_array *array);

/* Fails unless memory is as expected, also between the elements. */
void copied_same(const copied_array *array, const char *what);

const char *copied_layout_name(copied_layout layout);

/* reference, and openmp with 1, 2 and 5 threads. */
enum { COPIED_EXECUTORS = 4 };
stn_exec *copied_executor(int number);
/* A teardown. */
int copied_release_executors(void **state);

/* 1: small arrays, too, use all threads and bypass the caches; 0: the default. */
void copied_large(int is_large);

#endif
