/* A model of views: where every element is, as a table that is walked into being and shares no
 * arithmetic with the library. Parts are made by looking up. */
#ifndef STENO_TEST_VIEW_MODEL_H
#define STENO_TEST_VIEW_MODEL_H

#include "steno/view.h"

/* The layouts that tests go through. */
typedef enum model_layout {
    MODEL_RIGHT,
    MODEL_LEFT,
    MODEL_STRIDED, /* with gaps, and every other stride negative */
    MODEL_BLOCK,
    MODEL_TILED_RIGHT,
    MODEL_TILED_LEFT,
    MODEL_MORTON,
    MODEL_CUSTOM, /* backward, with gaps */
    MODEL_LAYOUTS
} model_layout;

extern const char *const model_names[MODEL_LAYOUTS];

enum { MODEL_LARGEST = 1 << 14 }; /* elements */

typedef struct view_model {
    int rank;
    int64_t extent[STN_MAX_RANK];
    int64_t place[MODEL_LARGEST]; /* of each element in C order, counted from the lowest one */
} view_model;

int64_t model_count(const view_model *model);

/* The layout for the library. */
stn_layout model_layout_of(model_layout layout, int rank, const int64_t *extents);

/* Is it one with strides? */
int model_is_strided(model_layout layout);

/* A view of this layout, and where its elements are to be. */
void model_make(view_model *model, model_layout layout, int rank, const int64_t *extents);

/* The next indices in C order; 0 behind the last. */
int model_next(int rank, const int64_t *extents, int64_t *indices);

/* The element at these indices. */
int64_t model_at(const view_model *model, const int64_t *indices);

void model_slice(view_model *model, const stn_slice *slices);
void model_permute(view_model *model, const int *order);

/* Fail the test unless the view has this shape, and each element is at its place from `lowest` on,
 * the address of the lowest element of the whole. */
void model_check(const view_model *model, const stn_view *view, const void *lowest);

#endif
