/* Segmented views: f64 whose bits are stored in planes of 32, 16 and 16 bits.
 *
 * An array of n elements has 8 n bytes: n upper parts of 32 bits, n middle and n lower parts of 16
 * bits. The bits of a value, as an integer of 64 bits, are upper * 2^32 + middle * 2^16 + lower
 * modulo 2^64, where middle and lower are signed. So the first one or two planes are the value
 * rounded to nearest, and the sum of all three is exact. */
#ifndef STENO_VIEW_SEGMENTED_H
#define STENO_VIEW_SEGMENTED_H

#include "format/codec.h"
#include "view/store.h"

enum { STN_MAX_PLANES = 3 };

typedef struct stn_planes {
    stn_store store; /* first member: the store of a view is converted to its planes */
    int count;       /* of the planes that are read */
    uint32_t *upper;
    uint16_t *middle, *lower;
} stn_planes;

/* NULL if the view is not segmented. */
const stn_planes *stn_view_planes_of(const stn_view *view);

/* Returns whether both views are segmented and are parts of one array, at any depth. */
int stn_planes_are_of_one_array(const stn_view *a, const stn_view *b);

/* The planes as loops of format/upper.h read them. */
stn_affine stn_planes_affine(const stn_planes *planes);

/* Plane 0, 1 or 2 of a segmented view as a strided view of u32 or u16, without an owner. */
stn_view stn_view_plane(const stn_view *view, int number);

/* If the view is segmented, without a scale: its first plane as a strided view of u32, and the
 * affine of loops over it. Otherwise returns 0. */
int stn_view_as_planes(const stn_view *view, stn_view *upper, stn_affine *affine);

/* Decodes `count` elements at the offsets offset, offset + stride, ... into the bits of f64. */
void stn_planes_read(const stn_planes *planes, int64_t offset, int64_t stride, int64_t count,
                     void *values);

/* The same for adjacent elements, rounded to f32. */
void stn_planes_read_narrow(const stn_planes *planes, int64_t offset, int64_t count, float *values);

/* Makes a segmented view read this number of planes. `owner` frees the description. */
stn_status stn_planes_select(stn_owner *owner, stn_view *view, int count);

/* Makes a segmented view without an owner refer to a copy of its array, with the same number of
 * planes. `owner` frees the description. */
stn_status stn_planes_move(stn_owner *owner, stn_view *view, void *copy);

/* Makes a view of f64 with a handle and a single tile a segmented view of its memory. */
stn_status stn_planes_create(stn_owner *owner, stn_view *view);

#endif
