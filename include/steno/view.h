/* Views: what an array in memory is, as a small value. Copying one copies a handle, never data. */
#ifndef STENO_VIEW_H
#define STENO_VIEW_H

#include "steno/format.h"

STN_BEGIN_DECLS

#define STN_MAX_RANK 8

/* An N-dimensional array that somebody else owns. Make one with stn_view_wrap: operations refuse
 * anything else. */
typedef struct stn_view {
    size_t size;         /* of this struct */
    const char *label;   /* appears in error messages; not copied */
    stn_storage storage; /* how each element is stored */
    void *data;          /* element (0, ..., 0) */
    int32_t rank;        /* 0 to STN_MAX_RANK */
    int32_t read_only;   /* calls that would write refuse the view */
    int64_t extent[STN_MAX_RANK];
    int64_t stride[STN_MAX_RANK]; /* in elements, of any sign; 0 repeats */
} stn_view;

/* Describe memory as a view. `strides` NULL means layout right: the last dimension is contiguous.
 * Nothing is allocated or read.
 * STN_ERR_ARGUMENT (null pointers, rank, misaligned data), STN_ERR_FORMAT, STN_ERR_SHAPE (a
 * negative extent), STN_ERR_RANGE (the elements span more than the address space). */
STN_API stn_status stn_view_wrap(stn_view *view, const char *label, stn_storage storage, void *data,
                                 int rank, const int64_t *extents, const int64_t *strides);

/* The same over memory that is only read. */
STN_API stn_status stn_view_wrap_const(stn_view *view, const char *label, stn_storage storage,
                                       const void *data, int rank, const int64_t *extents,
                                       const int64_t *strides);

STN_END_DECLS

#endif
