/* A launch: a kernel, its checked arguments, and its iteration space. */
#ifndef STENO_LAUNCH_LAUNCH_H
#define STENO_LAUNCH_LAUNCH_H

#include "exec/workspace.h"
#include "format/returns.h"
#include "steno/detail/kernel_types.h"
#include "steno/kernel_text.h"
#include "view/reader.h"

/* Rows of a view in a tile that spans several short rows: contiguous, repeated, or
 * separate. */
typedef enum stn_rows_way { STN_ROWS_FOLLOW, STN_ROWS_REPEAT, STN_ROWS_APART } stn_rows_way;

/* A view parameter. */
typedef struct stn_slot {
    stn_parameter_kind kind;
    const stn_view *view;
    stn_reader reader;
    int native;  /* contiguous values of the arithmetic type, which the loop accesses in place */
    int direct;  /* masked: elements are values of the arithmetic type */
    int written; /* element by element, or a scatter */
    int shared;  /* an input that is also an output, so that the loop must not see two names for it
                  */
    int panel;   /* read and written in blocks */
    int transposed;          /* rows are closer in memory than columns */
    int streams;             /* encoded with non-temporal stores */
    int buffer_index;        /* index among the decoded tiles */
    stn_return_kind returns; /* inout: does storing the value that was read restore the code? */
    stn_rows_way rows;
    int64_t row_stride; /* positions between consecutive rows */
    int64_t shift;      /* offset of the element that is read */
    int lines;          /* shifted: index of the decoded rows that contain it; -1: none */
    union {
        int64_t stride[STN_MAX_RANK]; /* positions of the reader per dimension of the space; unused
                                         for gather and scatter */
        stn_indexed indexed;
    };
} stn_slot;

/* Traversal of a launch with stencils: box by box, and within a box plane by plane
 * along the first dimension, so that most rows of the next plane are decoded
 * already. */
typedef struct stn_stencil_plan {
    int bounded;                  /* a boundary excludes elements */
    int64_t begin[STN_MAX_RANK];  /* of the traversed range */
    int64_t extent[STN_MAX_RANK]; /* of the traversed range */
    int64_t box[STN_MAX_RANK];    /* extents of a box, except for the first dimension */
    int64_t boxes[STN_MAX_RANK];  /* number of boxes per dimension */
    int64_t planes;               /* along the first dimension; 1 if it is also the last */
    /* Views of which rows are decoded: stencil parameters, and the first of several shifted
     * parameters that are the same view. */
    int views, view_at[STN_MAX_PARAMETERS];
    int32_t radius[STN_MAX_PARAMETERS][STN_MAX_RANK];
} stn_stencil_plan;

typedef struct stn_launch {
    const stn_exec *exec;
    stn_workspaces *workspaces; /* during the launch */
    const stn_kernel *kernel;
    stn_tile_loop *loop;
    stn_format arithmetic;
    int64_t bytes; /* of a value */
    int rank;      /* of the space */
    int has_tiles; /* which span short rows, and blocks of rows and columns */
    int shares;    /* an output is also an input */
    int converts;  /* a view is decoded or encoded */
    int fetches;   /* the next tiles are prefetched */
    int streams;   /* some views are encoded with non-temporal stores */
    int64_t extent[STN_MAX_RANK];
    int axis[STN_MAX_RANK]; /* dimension of the kernel and of shifted views for each dimension */
    int64_t rows, tiles_per_row, tile; /* rows: along the last dimension; tile: elements per tile */
    int64_t columns;   /* of rows that are merged into one dimension, several per tile; 0: none */
    int rows_in_place; /* the loop is called for each of these rows, in place */
    int64_t block_rows, block_columns, band_rows;
    int blocks;                     /* rows and columns of blocks that are computed sequentially */
    int whole_blocks;               /* the loop processes each block as one tile */
    int64_t buffer;                 /* bytes of the decoded tile of a view */
    int64_t pieces;                 /* parts of the work */
    int beyond[STN_MAX_PARAMETERS]; /* an element outside of the view was accessed */
    int unassigned[STN_MAX_PARAMETERS]; /* outputs: a checked kernel did not assign an element */
    int indices; /* number of index names, or of shifted dimensions; 0: none */
    int masks;   /* masked views */
    int indexed; /* the kernel uses indices: dimensions are not merged */
    int shifted; /* shifts use dimensions */
    int unit;    /* copies on devices: bytes of the words that codes consist of; 0: values */
    int widens;  /* copies on devices: how 64-bit integers become doubles (device/widen.h) */
    stn_stencil_plan stencil;
    int views, view_at[STN_MAX_PARAMETERS]; /* traversed views: not stencil, gather, scatter */
    stn_number numbers[STN_MAX_PARAMETERS];
    stn_slot *slots; /* one per parameter of the kernel */
} stn_launch;

/* Checks the arguments, determines the space and selects how each view is read and written.
 * Errors of stn_kernel_run. */
stn_status stn_launch_plan(stn_launch *launch, int rank, const int64_t *extents,
                           const stn_argument *arguments);

/* The same for a kernel text, which has no tiles: only the order of dimensions is determined. */
stn_status stn_launch_plan_remote(stn_launch *launch, int rank, const int64_t *extents,
                                  const stn_argument *arguments);

/* Runs the kernel over vectors of values, which need no checks, on the calling thread. 0: nothing
 * was done, and the launch must be planned. Defined in map/short.c. */
int stn_launch_short(const stn_exec *exec, const stn_kernel *kernel, stn_format arithmetic,
                     const stn_argument *arguments);

/* Its first part: the checks of all arguments, and the space. */
stn_status stn_launch_find(stn_launch *launch, int rank, const int64_t *extents,
                           const stn_argument *arguments);

/* If one of the extents is 0, all become 0. */
void stn_launch_empty(int rank, int64_t *extents);

/* Puts the kernel and a parameter, unless it is "", before the message; STN_OK is unchanged. */
stn_status stn_launch_error_prefix(const stn_launch *launch, stn_status status);

/* stn_view_expect for a parameter of any rank. */
stn_status stn_launch_expect_view(const stn_launch *launch, const char *name, const stn_view *view);

/* "3 x 4", or "no dimensions". */
enum { STN_EXTENTS_TEXT = 24 * STN_MAX_RANK };
void stn_launch_write_extents(int rank, const int64_t *extents,
                              char extents_text[STN_EXTENTS_TEXT]);

/* How loops decode single elements of a reader. */
void stn_indexed_form(stn_code_form *form, const stn_reader *reader, const stn_exec *exec);

/* Allows accesses of a parameter at any element. */
void stn_launch_set_field(stn_launch *launch, int at);

/* Is the scale 1, or a power of two that fused loops support because multiplications by it and
 * its inverse are exact? If so, it is one of the constants. */
int stn_launch_scale_is_free(const stn_launch *launch, const stn_slot *slot);

/* Permutes and merges dimensions, lets tiles span rows, and selects blocks, according to memory
 * order; kernels that use indices keep their dimensions. */
void stn_launch_order(stn_launch *launch);

/* Are all views of one layout, so that they are traversed in memory order? */
int stn_launch_is_flat(const stn_launch *launch);

/* Number of threads for a launch. */
int stn_launch_threads(const stn_launch *launch);

/* The first written view, or NULL. */
const stn_view *stn_launch_output(const stn_launch *launch);

/* If a tile spans rows, are they contiguous in the view? */
static inline int stn_launch_rows_follow(const stn_launch *launch, const stn_slot *slot)
{
    return !launch->columns || slot->rows == STN_ROWS_FOLLOW;
}

/* Offset of the elements of a shifted view along a dimension of the space, and its extent. */
static inline int64_t stn_launch_offset(const stn_launch *launch, int at, int d)
{
    return launch->kernel->parameters[at].offset[launch->axis[d]];
}
static inline int64_t stn_launch_extent(const stn_launch *launch, int at, int d)
{
    return launch->slots[at].view->extent[launch->axis[d]];
}

/* Are the elements unscaled values of the arithmetic type at offsets from the view's data? */
static inline int stn_launch_is_plain(const stn_launch *launch, const stn_slot *slot)
{
    return slot->reader.plain && slot->view->storage.format == launch->arithmetic &&
           slot->reader.run.affine.plain && !slot->reader.run.portable;
}

/* Errors detected by loops: STN_ERR_RANGE if an element outside of a view was accessed,
 * STN_ERR_ARGUMENT if a checked kernel did not assign an output. */
stn_status stn_launch_report(const stn_launch *launch);

/* Does a body contain a static variable that is not const? */
int stn_body_has_variable(const char *text);

/* STN_ERR_UNSUPPORTED if headers of another version generated the table, a body has a static
 * variable, or the program was compiled with options that change arithmetic; STN_ERR_ARGUMENT if
 * it is NULL or invalid. */
stn_status stn_kernel_expect(const char *call, const stn_kernel *kernel, size_t size);

/* stn_exec_expect with messages that begin with the kernel. */
stn_status stn_kernel_expect_exec(const stn_kernel *kernel, const stn_exec *exec);

/* Selects a fused loop of the kernel that matches the views. */
void stn_launch_fuse(stn_launch *launch);

/* The index at which a view is read; returns whether the view is read. Outside of 0 to extent -
 * 1, the boundary decides. */
int stn_boundary_find(const stn_parameter *parameter, int64_t index, int64_t extent,
                      int64_t *found);

/* Boundary values, `count` times, in the arithmetic type. */
void stn_boundary_fill(const stn_launch *launch, const stn_parameter *parameter, void *values,
                       int64_t count);

/* Elements begin to begin + count - 1 of a row of `extent` elements with a first position and a
 * `step`; outside elements according to the boundary. */
void stn_boundary_read(const stn_launch *launch, int at, int64_t row, int64_t step, int64_t extent,
                       int64_t begin, int64_t count, char *values);

/* The tile of a shifted view. */
void *stn_shift_read(const stn_launch *launch, int at, const stn_tile *tile, char *buffer);

/* Buffers for decoded tiles of equal size, and for the previous values of an inout; small enough
 * for L1 if possible. */
#define STN_NO_POSITION INT64_MIN
enum {
    STN_MANY_VIEWS = 8,       /* more streams than hardware prefetchers follow */
    STN_TILE_BYTES = 4096,    /* maximum per view */
    STN_CACHED_BYTES = 16384, /* for up to STN_MANY_VIEWS views; at least STN_MIN_BYTES each */
    STN_LONG_BYTES = 1 << 20, /* if all views are accessed in place */
    STN_MIN_BYTES = STN_TILE_ELEMENTS * sizeof(stn_c128)
};
typedef struct stn_tile_buffer {
    _Alignas(64) char values[STN_MAX_PARAMETERS * (STN_TILE_BYTES + 64)];
    _Alignas(64) char before[STN_TILE_BYTES];
    int64_t repeated[STN_MAX_PARAMETERS]; /* position from which a repeated element was read */
    char *panel[STN_MAX_PARAMETERS];      /* values of the current block, and of the current row */
    int64_t panel_row;
    const char *ahead[STN_MAX_PARAMETERS]; /* addresses that stencils read next */
    const stn_stencil_rows *rows;          /* decoded rows of each view */
} stn_tile_buffer;

void stn_launch_begin(const stn_launch *launch, stn_workspace *workspace, stn_tile_buffer *buffer,
                      stn_tile *tile);

/* Stores values at positions with `stride`: for masked views those of the mask, for inout those
 * that changed. */
void stn_launch_store(const stn_launch *launch, stn_tile_buffer *buffer, const stn_slot *slot,
                      const char *values, const char *mask, int64_t offset, int64_t stride,
                      int64_t first, int64_t count);

/* Computes elements begin to end - 1 of consecutive rows of the last dimension, the first of
 * which has this number, or this number and these indices; or tiles begin to end - 1, counted row
 * by row. */
void stn_launch_rows(const stn_launch *launch, stn_tile_buffer *buffer, stn_tile *tile, int64_t row,
                     int64_t rows, int64_t begin, int64_t end);
void stn_launch_row(const stn_launch *launch, stn_tile_buffer *buffer, stn_tile *tile, int64_t row,
                    const int64_t *index, int64_t begin, int64_t end);
void stn_launch_tiles(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                      int64_t end);

/* Are there at most STN_STENCIL_ROWS rows within the radius? */
int stn_stencil_fits_rows(const stn_parameter *parameter);

/* Lets shifted parameters that are the same view share its decoded rows. */
void stn_stencil_share_rows(stn_launch *launch);

/* The values of a shifted parameter that shares rows. */
void *stn_stencil_values(const stn_launch *launch, int at, const stn_tile *tile,
                         const stn_stencil_rows *rows);

/* Plans a launch with stencils, and computes pieces begin to end - 1 of it. */
stn_status stn_stencil_create_plan(stn_launch *launch);
void stn_stencil_pieces(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                        int64_t end);

static inline int stn_parameter_is_view(stn_parameter_kind kind)
{
    return kind >= STN_PARAMETER_IN;
}

/* Accessed at any element. */
static inline int stn_parameter_is_field(stn_parameter_kind kind)
{
    return kind >= STN_PARAMETER_STENCIL;
}

/* Written element by element. */
static inline int stn_parameter_is_written(stn_parameter_kind kind)
{
    return kind >= STN_PARAMETER_INOUT && kind <= STN_PARAMETER_MASKED;
}

#endif
