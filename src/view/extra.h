/* State that few views have: a mapping, or the array that the view is a part of. */
#ifndef STENO_VIEW_EXTRA_H
#define STENO_VIEW_EXTRA_H

#include <stddef.h>

#include "steno/view.h"

/* A layout without strides over the extents of an array. */
typedef struct stn_mapping {
    stn_layout layout;
    int32_t rank;
    int32_t bits[STN_MAX_RANK];        /* Morton: bits of each index */
    uint64_t mask[STN_MAX_RANK];       /* Morton: the bits of the offset that they become */
    int64_t extent[STN_MAX_RANK];      /* of the whole array */
    int64_t within[STN_MAX_RANK];      /* tiled: elements from an index to the next in a tile;
                                        * banded: in the band */
    int64_t tile_stride[STN_MAX_RANK]; /* tiled: elements from a tile to the next */
    int64_t span;                      /* elements there is memory for */
} stn_mapping;

/* A strided array, whose parts find their scales and draws by the indices that they have in it. */
typedef struct stn_whole {
    stn_scales scales; /* data NULL: one scale */
    int32_t rank;
    int64_t extent[STN_MAX_RANK], stride[STN_MAX_RANK];
    uint64_t draw_first;             /* the number by which element (0, ..., 0) draws */
    int64_t draw_step[STN_MAX_RANK]; /* from it to that of the next element in a dimension */
} stn_whole;

/* Belongs to an owner, which frees it after the last handle is released. */
struct stn_view_extra {
    stn_view_extra *next;       /* of the same owner */
    const stn_mapping *mapping; /* NULL: strided */
    const stn_whole *whole;     /* NULL: mapped */
};

/* NULL: the view is strided. */
static inline const stn_mapping *stn_view_mapping(const stn_view *view)
{
    return view->extra ? view->extra->mapping : NULL;
}

/* NULL: the view is mapped, or is a strided view without scales whose elements draw by their
 * offsets. */
static inline const stn_whole *stn_view_whole(const stn_view *view)
{
    return view->extra ? view->extra->whole : NULL;
}

/* Do scales differ between elements? */
static inline int stn_view_has_scales(const stn_view *view)
{
    const stn_whole *const whole = stn_view_whole(view);
    return whole && whole->scales.data;
}

/* Allocate the extra state of a mapped view, or that of a strided array. STN_ERR_MEMORY. */
stn_status stn_extra_of_mapping(const stn_mapping *mapping, stn_view_extra **extra);
stn_status stn_extra_of_whole(const stn_whole *whole, stn_view_extra **extra);

/* The view as a whole array, without scales, whose elements draw by their numbers at present. */
void stn_whole_of(const stn_view *view, stn_whole *whole);

/* Let the view be all of the array that `extra` describes. */
void stn_extra_set(stn_view *view, const stn_view_extra *extra);

/* The view under one scale, that of its storage; elements draw by other numbers. */
void stn_view_drop_scales(stn_view *view);

/* Indices in the whole array of element (0, ..., 0) of a view that has a mapping or a whole. */
void stn_view_base(const stn_view *view, int64_t *base);

/* Steps of a strided part, in indices of its whole array: 1 where strides do not tell. */
int64_t stn_view_step(const stn_view *view, const stn_whole *whole, int dimension);

/* From the number in C order of the whole array of an element to that of the next one. */
void stn_view_linear_steps(const stn_view *view, int64_t *steps);

#endif
