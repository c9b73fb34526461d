/* Operands in every layout, under scales per row, column and block, for tests of operations that
 * take any view: elements are found by their indices, decoded and encoded one by one under a scale
 * that is looked up here. */
#ifndef STENO_TEST_ANY_VIEW_H
#define STENO_TEST_ANY_VIEW_H

#include "steno/complex.h"
#include "steno/view.h"

enum { MOST_SCALES = 16384 };

typedef enum layout_case {
    RIGHT,
    LEFT,
    PADDED,
    BACKWARDS,
    TILED,
    TILED_LEFT,
    MORTON,
    SKEWED,
    RUNS,
    PART,
    STORED, /* not in memory: an operand has its elements */
    LAYOUTS
} layout_case;
extern const char *const layout_names[];

typedef enum scale_case {
    NONE,
    ONE,
    PER_ROW,
    PER_COLUMN,
    BLOCKS_OF_32,
    BLOCKS_OF_3,
    BLOCKS_OF_70,
    PER_COLUMN_F32,
    PER_ELEMENT,
    SCALES
} scale_case;
extern const char *const scale_names[];

typedef struct operand {
    stn_view whole, view; /* the view is all of the whole, or a part of it */
    double *scales;       /* at most MOST_SCALES */
    float *narrow;        /* the same, rounded */
    scale_case scaling;
    char *stored;    /* elements of layout STORED, in tiles; on devices these are in memory */
    int64_t bytes;   /* of such an element */
    stn_view values; /* of the arithmetic type, layout right */
    stn_c128 *memory;
} operand;

int64_t below(uint64_t *state, int64_t count);

void ok(stn_status status, const char *words);

/* The next index in C order; 0 behind the last. */
int next_index(const stn_view *view, int64_t *index);

/* The address of the code of an element. */
void *code_of(const operand *x, const int64_t *index);

/* Every element in C order, `values` of the arithmetic type; stochastic ones by their numbers. */
void decode_all(const operand *x, stn_format arithmetic, void *values);
void encode_all(const operand *x, stn_format arithmetic, const void *values);

/* Random values of the arithmetic type, as the storage holds them. */
operand make_operand(stn_format arithmetic, stn_storage storage, layout_case which,
                     scale_case scaling, int rank, const int64_t *extents, uint64_t *state);
void drop_operand(operand *x);

/* Its view, on a device of a copy that test_fetch() brings back (exec.h). */
stn_view send_operand(const operand *x);

#endif
