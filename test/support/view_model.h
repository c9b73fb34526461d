/* A model of views: a table of the position of every element, made by walking in the order of the
 * layout, without the arithmetic of the library. Parts look up positions in the table. */
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

enum { MODEL_LARGEST = 1 << 14 }; /* elements */

typedef struct view_model {
    int rank;
    int64_t extent[STN_MAX_RANK];
    int64_t position[MODEL_LARGEST]; /* position of each element in C order, from the lowest one */
} view_model;

int64_t model_count(const view_model *model);

/* The layout for the library. */
stn_layout model_layout_of(model_layout layout, int rank, const int64_t *extents);

/* Is it one with strides? */
int model_is_strided(model_layout layout);

/* A new view of this layout. */
stn_view model_create(model_layout layout, const char *label, stn_storage storage, int rank,
                      const int64_t *extents);

/* Address of the lowest element of a whole view: negative strides begin above it. */
const void *model_lowest(const stn_view *view);

/* Where the elements of a view of this layout are to be. */
void model_make(view_model *model, model_layout layout, int rank, const int64_t *extents);

/* The element at these indices. */
int64_t model_at(const view_model *model, const int64_t *indices);

void model_slice(view_model *model, const stn_slice *slices);
void model_permute(view_model *model, const int *order);

/* Fail the test unless the view has this shape, and each element is at its position from `lowest`,
 * the address of the lowest element of the whole view. */
void model_check(const view_model *model, const stn_view *view, const void *lowest);

#endif
