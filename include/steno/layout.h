/* Layouts: which element of an N-dimensional array stands where. */
#ifndef STENO_LAYOUT_H
#define STENO_LAYOUT_H

#include "steno/detail/names/hide.h"
#include "steno/codec.h"
#include "steno/status.h"

STN_BEGIN_DECLS

#define STN_MAX_RANK 8

typedef enum stn_layout_kind {
    STN_LAYOUT_RIGHT = 0,           /* the last index is the fastest: C */
    STN_LAYOUT_LEFT = 1,            /* the first index is the fastest: Fortran */
    STN_LAYOUT_STRIDED = 2,         /* strides as given */
    STN_LAYOUT_BLOCK_COL_MAJOR = 3, /* the last two dimensions by column, what is before by row */
    STN_LAYOUT_TILED = 4,           /* tiles of equal extents, each contiguous, by row or column */
    STN_LAYOUT_MORTON = 5,          /* the bits of the indices interleaved: the Z curve */
    STN_LAYOUT_CUSTOM = 6,          /* by a function of the program's own */
    STN_LAYOUT_PACKED = 7,          /* one triangle of a square matrix, without gaps */
    STN_LAYOUT_BANDED = 8           /* the diagonals of a matrix that are near the main one */
} stn_layout_kind;

/* Of a square matrix. */
typedef enum stn_triangle {
    STN_LOWER = 0, /* elements (i, j) with j <= i */
    STN_UPPER = 1  /* with j >= i */
} stn_triangle;

/* The offset of an element, in elements, from the indices: at least 0, below the span, and another
 * for every element. Called from several threads at once. */
typedef int64_t stn_layout_offset(const void *context, int rank, const int64_t *extents,
                                  const int64_t *indices);

/* The same for a run: elements along `dimension` from an element on that stand at one stride. Gives
 * their number, at least 1 (more than there are is all there are), the offset of the first one and
 * the stride. Asked once for each run, where the offset is asked for every element. */
typedef int64_t stn_layout_run(const void *context, int rank, const int64_t *extents,
                               const int64_t *indices, int dimension, int64_t *offset,
                               int64_t *stride);

/* A layout that is yet to meet extents. Made by the functions below. */
typedef struct stn_layout {
    stn_layout_kind kind;
    stn_layout_kind inner;        /* of tiles, packed, banded: right or left */
    int32_t rank;                 /* strided, tiled: the only rank it is for */
    int64_t stride[STN_MAX_RANK]; /* strided */
    int64_t tile[STN_MAX_RANK];   /* tiled: extents of a tile; packed: the triangle; banded: the
                                   * diagonals below and above, and the leading dimension */
    stn_layout_offset *offset;    /* custom */
    int64_t (*span)(const void *context, int rank, const int64_t *extents);
    const void *context; /* of all three, must live as long as the views */
    stn_layout_run *run; /* custom; NULL: every element is asked for */
} stn_layout;

/* Layouts without parameters: right, left, block column-major, Morton. */
STN_API stn_layout stn_layout_of(stn_layout_kind kind);

/* `rank` strides, in elements, of any sign. Views that are made with this layout have that rank;
 * NULL or a rank that no view has is refused there. */
STN_API stn_layout stn_layout_strided(int rank, const int64_t *strides);

/* Tiles of `rank` extents, 1 or more each; tiles at the end are whole in memory. Tiles follow each
 * other by row; `inner`, which is right or left, is how elements do within one. Refused as above.
 */
STN_API stn_layout stn_layout_tiled(int rank, const int64_t *tile, stn_layout_kind inner);

/* Functions of the program's own, as examples/custom_layout.c has them; floating-point modes that
 * they change are set again. `span` gives the elements there must be memory for, -1 when it
 * cannot be. The layout's member `run` may be set then, which makes long runs fast. */
STN_API stn_layout stn_layout_custom(stn_layout_offset *offset,
                                     int64_t (*span)(const void *context, int rank,
                                                     const int64_t *extents),
                                     const void *context);

/* A triangle of a square matrix, its rows (`order` right) or columns (left, as LAPACK has it) one
 * behind the other. An element outside of the triangle is the same as its mirror image: the matrix
 * is symmetric. A part is written to only where it does not meet its own mirror image; the
 * functions of blas.h write to one triangle. */
STN_API stn_layout stn_layout_packed(stn_triangle triangle, stn_layout_kind order);

/* The elements (i, j) of a matrix with i - j <= below and j - i <= above, in columns of `leading`
 * elements, below + above + 1 or more (`order` left, as LAPACK has it: (i, j) is element above + i
 * - j of column j), or in rows of them (right: element below + j - i of row i). Elements outside of
 * the band are somewhere in the same memory: they are read as anything, and only parts that lie
 * within the band are written to; single elements outside are STN_ERR_RANGE. The functions of
 * blas.h take nothing from outside.
 *
 * Copies between whole packed or banded matrices of one shape, also to their mirrors on devices,
 * copy all memory that the matrix has. */
STN_API stn_layout stn_layout_banded(int64_t below, int64_t above, int64_t leading,
                                     stn_layout_kind order);

/* "right", "left", "strided", "block_col_major", "tiled", "morton", "custom", "packed", "banded";
 * "unknown layout" for any other number. */
STN_API const char *stn_layout_name(stn_layout_kind kind);

/* Read a layout from a text: "right", "left", "block_col_major", "morton", "tiled:2x3",
 * "tiled:2x3:left", "strided:12,1", "packed:lower", "packed:upper:left", "banded:1,2" (diagonals
 * below and above), "banded:1,2,5:left" (and the leading dimension, else the least). What ends in
 * ":left" is by columns. STN_ERR_PARSE, STN_ERR_ARGUMENT (NULL); *layout is as it was then. */
STN_API stn_status stn_layout_parse(const char *text, stn_layout *layout);

/* Any but a strided layout over given extents; inside a view. */
typedef struct stn_mapping {
    stn_layout layout;
    int32_t rank;
    int32_t bits[STN_MAX_RANK];        /* Morton: bits of each index */
    uint64_t mask[STN_MAX_RANK];       /* Morton: the bits of the offset that they become */
    int64_t extent[STN_MAX_RANK];      /* of the whole */
    int64_t within[STN_MAX_RANK];      /* tiled: elements from an index to the next in a tile;
                                        * banded: in the band */
    int64_t tile_stride[STN_MAX_RANK]; /* tiled: elements from a tile to the next */
    int64_t span;                      /* elements there is memory for */
} stn_mapping;

STN_END_DECLS

#include "steno/detail/names/show.h"

#endif
