/* Rarely used state of views: a mapping, or the array that the view is a part of. */
#ifndef STENO_VIEW_EXTRA_H
#define STENO_VIEW_EXTRA_H

#include <stddef.h>

#include "core/nest.h"
#include "steno/view.h"

/* A layout that is not strided, applied to the extents of an array. */
typedef struct stn_mapping {
    stn_layout layout;
    int32_t rank;
    int32_t bits[STN_MAX_RANK];        /* Morton: number of bits of each index */
    uint64_t mask[STN_MAX_RANK];       /* Morton: positions of these bits in the offset */
    int64_t extent[STN_MAX_RANK];      /* of the whole array */
    int64_t within[STN_MAX_RANK];      /* tiled: stride within a tile; banded: stride within the
                                        * band */
    int64_t tile_stride[STN_MAX_RANK]; /* tiled: stride of tiles */
    int64_t span;                      /* elements of the memory */
    const struct stn_store *store;     /* of elements that are not in memory, or NULL */
} stn_mapping;

/* A strided array. Parts of it find their scales, and draw random bits, by the indices in the
 * array. */
typedef struct stn_whole {
    stn_scales scales; /* data NULL: a single scale */
    int32_t rank;
    int64_t extent[STN_MAX_RANK], stride[STN_MAX_RANK];
    uint64_t draw_first;             /* number by which element (0, ..., 0) draws */
    int64_t draw_step[STN_MAX_RANK]; /* difference of that number per index of a dimension */
} stn_whole;

/* Belongs to an owner, which frees it after the last handle has been released. */
struct stn_view_extra {
    stn_view_extra *next;       /* next one of the same owner */
    const stn_mapping *mapping; /* NULL: strided */
    const stn_whole *whole;     /* NULL: mapped */
};

/* NULL if the view is strided. */
static inline const stn_mapping *stn_view_mapping(const stn_view *view)
{
    return view->extra ? view->extra->mapping : NULL;
}

/* NULL if the view is mapped, or strided without scales and drawing by offset. */
static inline const stn_whole *stn_view_whole(const stn_view *view)
{
    return view->extra ? view->extra->whole : NULL;
}

/* Returns whether elements have different scales. */
static inline int stn_view_has_scales(const stn_view *view)
{
    const stn_whole *const whole = stn_view_whole(view);
    return whole && whole->scales.data;
}

/* Allocates the extra state of a mapped view, or of a strided array. STN_ERR_MEMORY. */
stn_status stn_extra_of_mapping(const stn_mapping *mapping, stn_view_extra **extra);
stn_status stn_extra_of_whole(const stn_whole *whole, stn_view_extra **extra);

/* Describes the view as a whole array, without scales, whose elements draw by their current
 * numbers. */
void stn_whole_of(const stn_view *view, stn_whole *whole);

/* Makes the view all of the array that `extra` describes. */
void stn_extra_set(stn_view *view, const stn_view_extra *extra);

/* Makes the view have the single scale of its storage; elements draw by other numbers. */
void stn_view_drop_scales(stn_view *view);

/* The indices, in the whole array, of element (0, ..., 0) of a view that has a mapping or a whole.
 */
void stn_view_base(const stn_view *view, int64_t *base);

/* The step of a strided part in indices of its whole array; 1 if strides do not determine it. */
int64_t stn_view_step(const stn_view *view, const stn_whole *whole, int dimension);

/* The difference of the numbers, in C order of the whole array, of adjacent elements. */
void stn_view_linear_steps(const stn_view *view, int64_t *steps);

#endif
