/** @file
 * Layouts: the order of the elements of an N-dimensional array in memory.
 */
#ifndef STENO_LAYOUT_H
#define STENO_LAYOUT_H

#include "steno/detail/macro_check.h"
#include "steno/codec.h"
#include "steno/status.h"

STN_BEGIN_DECLS

/** Largest number of dimensions. */
#define STN_MAX_RANK 8

/** Kinds of layouts. */
typedef enum stn_layout_kind {
    STN_LAYOUT_RIGHT = 0,           /**< The last index varies fastest: C. */
    STN_LAYOUT_LEFT = 1,            /**< The first index varies fastest: Fortran. */
    STN_LAYOUT_STRIDED = 2,         /**< Given strides. */
    STN_LAYOUT_BLOCK_COL_MAJOR = 3, /**< The last two dimensions by column, the others by row. */
    STN_LAYOUT_TILED = 4,           /**< Contiguous tiles of equal extents, by row or column. */
    STN_LAYOUT_MORTON = 5,          /**< The Z curve: the bits of the indices are interleaved. */
    STN_LAYOUT_CUSTOM = 6,          /**< A function of the program. */
    STN_LAYOUT_PACKED = 7,          /**< One triangle of a square matrix, without gaps. */
    STN_LAYOUT_BANDED = 8           /**< The diagonals of a matrix near the main diagonal. */
} stn_layout_kind;

/** Triangle of a square matrix. */
typedef enum stn_triangle {
    STN_LOWER = 0, /**< Elements (i, j) with j <= i. */
    STN_UPPER = 1  /**< Elements (i, j) with j >= i. */
} stn_triangle;

/** Returns the offset of an element for a custom layout, in elements: at least 0, less than the
 * span, and distinct for each element. Several threads may call the function at the same time.
 * @param context        context of the layout
 * @param rank, extents  number of dimensions, and extents of the array
 * @param indices        index of the element in each dimension */
typedef int64_t stn_layout_offset(const void *context, int rank, const int64_t *extents,
                                  const int64_t *indices);

/** Describes a run of elements for a custom layout: consecutive elements along a dimension with a
 * common stride. It is called once per run instead of once per element.
 * @param context        context of the layout
 * @param rank, extents  number of dimensions, and extents of the array
 * @param indices        index of the first element in each dimension
 * @param dimension      dimension of the run
 * @param[out] offset    offset of the first element
 * @param[out] stride    stride in elements
 * @return the number of elements, at least 1. Values beyond the extent are clamped to it */
typedef int64_t stn_layout_run(const void *context, int rank, const int64_t *extents,
                               const int64_t *indices, int dimension, int64_t *offset,
                               int64_t *stride);

/** A layout without extents. The functions below create it. */
typedef struct stn_layout {
    stn_layout_kind kind;         /**< Kind. */
    stn_layout_kind inner;        /**< Tiled, packed, banded: right or left. */
    int32_t rank;                 /**< Strided, tiled: the rank of the arrays. */
    int64_t stride[STN_MAX_RANK]; /**< Strided: the strides. */
    int64_t tile[STN_MAX_RANK];   /**< Tiled: extents of a tile. Packed: the triangle. Banded: the
                                   * diagonals below and above, and the leading dimension. */
    stn_layout_offset *offset;    /**< Custom: the function. */
    /** Custom: returns the number of elements that memory is required for; see
     * stn_layout_custom(). */
    int64_t (*span)(const void *context, int rank, const int64_t *extents);
    const void *context; /**< Custom: passed to the functions; must live as long as the views. */
    stn_layout_run *run; /**< Custom: describes runs; NULL: `offset` is called per element. */
} stn_layout;

/** Returns a layout without parameters. `kind` is right, left, block column-major or Morton. */
STN_API stn_layout stn_layout_of(stn_layout_kind kind);
/** Returns a layout of `rank` dimensions with the given `strides` in elements, of any sign. Invalid
 * arguments are reported by the function that creates a view with the layout. */
STN_API stn_layout stn_layout_strided(int rank, const int64_t *strides);

/** Returns a layout of tiles.
 *
 * Tiles are stored by row. Tiles at the end of a dimension are complete in memory. Invalid
 * arguments are reported by the function that creates a view with the layout.
 *
 * @param rank   number of dimensions of the views
 * @param tile   extents of a tile, each at least 1
 * @param inner  order of the elements in a tile: right or left */
STN_API stn_layout stn_layout_tiled(int rank, const int64_t *tile, stn_layout_kind inner);

/** Returns a layout that functions of the program define.
 *
 * Floating-point modes that the functions change are restored. The member `run` of the result may
 * be set, which makes long runs fast. See examples/custom_layout.c.
 *
 * @param offset   returns the offset of an element
 * @param span     returns the number of elements that memory is required for; -1: the extents are
 *                 invalid
 * @param context  passed to the functions; must live as long as the views */
STN_API stn_layout stn_layout_custom(stn_layout_offset *offset,
                                     int64_t (*span)(const void *context, int rank,
                                                     const int64_t *extents),
                                     const void *context);

/** Returns the layout of a packed triangle of a square matrix.
 *
 * An element outside of the triangle is the same as its mirror image: the matrix is symmetric. A
 * part can be written only if it does not overlap its own mirror image. The functions of blas.h
 * write one triangle.
 *
 * @param triangle  the stored triangle
 * @param order     right: rows are stored consecutively; left: columns, as in LAPACK */
STN_API stn_layout stn_layout_packed(stn_triangle triangle, stn_layout_kind order);

/** Returns the layout of a banded matrix: the elements (i, j) with i - j <= below and j - i <=
 * above.
 *
 * Elements outside of the band share memory with other elements. Reading them returns unspecified
 * values. Only parts within the band can be written; storing a single element outside is
 * STN_ERR_RANGE. The functions of blas.h do not read elements outside. Copies between whole packed
 * or banded matrices of one shape, also to their mirrors on devices, copy all memory of the matrix.
 *
 * @param below, above  numbers of diagonals below and above the main diagonal
 * @param leading       leading dimension in elements, at least below + above + 1
 * @param order         left, as in LAPACK: element (i, j) is element above + i - j of column j.
 *                      right: element below + j - i of row i */
STN_API stn_layout stn_layout_banded(int64_t below, int64_t above, int64_t leading,
                                     stn_layout_kind order);

/** Returns the name of a `kind` of layout: "right", "left", "strided", "block_col_major", "tiled",
 * "morton", "custom", "packed" or "banded"; "unknown layout" for an invalid value. */
STN_API const char *stn_layout_name(stn_layout_kind kind);

/** Creates a `layout`, unchanged on errors, from a `text`.
 *
 * The texts are "right", "left", "block_col_major", "morton", "tiled:2x3", "tiled:2x3:left",
 * "strided:12,1", "packed:lower", "packed:upper:left", "banded:1,2" (diagonals below and above) and
 * "banded:1,2,5:left" (and the leading dimension, by default the smallest one). ":left" is by
 * columns.
 *
 * @retval STN_ERR_ARGUMENT  an argument is NULL
 * @retval STN_ERR_PARSE     the text is not one of these */
STN_API stn_status stn_layout_parse(const char *text, stn_layout *layout);

STN_END_DECLS

#endif
