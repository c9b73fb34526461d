/* A launch: a kernel, its arguments checked, and the space it runs over. */
#ifndef STENO_LAUNCH_LAUNCH_H
#define STENO_LAUNCH_LAUNCH_H

#include "exec/workspace.h"
#include "format/returns.h"
#include "steno/detail/kernel_types.h"
#include "steno/kernel_text.h"
#include "view/reader.h"

/* Where a tile spans rows of a few columns: a view's rows follow each other, or the same is in
 * each, or they are apart. */
typedef enum stn_rows_way { STN_ROWS_FOLLOW, STN_ROWS_REPEAT, STN_ROWS_APART } stn_rows_way;

/* A view as a parameter. */
typedef struct stn_slot {
    stn_parameter_kind kind;
    const stn_view *view;
    stn_reader reader;
    int native;     /* contiguous values of the arithmetic type: the loop works on them in place */
    int direct;     /* of masked: elements are values as they are */
    int written;    /* element by element, or a scatter */
    int shared;     /* an input that is an output too: the loop may not see it by two names */
    int panel;      /* read and written a block at a time */
    int transposed; /* its rows are nearer than its columns */
    int streams;    /* encoded by non-temporal stores */
    int place;      /* of its tiles among those that are decoded */
    stn_return_kind returns; /* of inout: whether what was read comes back when it is stored */
    stn_rows_way rows;
    int64_t row_stride; /* positions from one of these rows to the next */
    int64_t shift;      /* positions from an element to that which is read */
    union {
        int64_t stride[STN_MAX_RANK]; /* positions of the reader, per dimension of the space; not
                                       * those of gather and scatter */
        stn_indexed indexed;
    };
} stn_slot;

/* How a launch with stencils goes through its space: box by box, and in each
 * box plane by plane along the first dimension, so that what the next plane needs is mostly there.
 */
typedef struct stn_stencil_plan {
    int bounded;                  /* a boundary leaves elements alone */
    int64_t begin[STN_MAX_RANK];  /* of what is gone through */
    int64_t extent[STN_MAX_RANK]; /* of it */
    int64_t box[STN_MAX_RANK];    /* extents of a box, but for the first dimension */
    int64_t boxes[STN_MAX_RANK];  /* of them in each dimension */
    int64_t planes;               /* along the first dimension; 1 where it is the last too */
    int views, view_at[STN_MAX_PARAMETERS]; /* the parameters */
} stn_stencil_plan;

typedef struct stn_launch {
    const stn_exec *exec;
    stn_workspaces *workspaces; /* while it calculates */
    const stn_kernel *kernel;
    stn_tile_loop *loop;
    stn_format arithmetic;
    int64_t bytes; /* of a value */
    int rank;      /* of the space */
    int has_tiles; /* which span short rows, and blocks of rows and columns */
    int shares;    /* an output is an input too */
    int converts;  /* a view is decoded or encoded */
    int fetches;   /* and what comes next is prefetched */
    int streams;   /* and some of it is encoded by non-temporal stores */
    int64_t extent[STN_MAX_RANK];
    int axis[STN_MAX_RANK]; /* which dimension of the kernel and of shifted views each one is */
    int64_t rows, tiles_per_row, tile; /* rows: of the last dimension; tile: elements of one */
    int64_t columns; /* of rows that tiles span several of, and which are one dimension; 0: none */
    int64_t block_rows, block_columns;
    int blocks;                         /* of rows and columns are calculated one after the other */
    int whole_blocks;                   /* the loop has each as one tile */
    int64_t room;                       /* bytes of a view's tile that is decoded */
    int64_t pieces;                     /* that the work is split into */
    int beyond[STN_MAX_PARAMETERS];     /* an element was asked for that the view lacks */
    int unassigned[STN_MAX_PARAMETERS]; /* of outputs: a checked kernel left an element out */
    int indices; /* names of indices that the kernel has, or dimensions that it shifts in; else 0 */
    int masks;   /* views that are masked */
    int indexed; /* dimensions mean something to the kernel: none are joined */
    int shifted; /* or to how its views are shifted */
    stn_stencil_plan stencil;
    int views, view_at[STN_MAX_PARAMETERS]; /* views that are gone through: not stencil, gather,
                                                scatter */
    stn_number numbers[STN_MAX_PARAMETERS];
    stn_slot *slots; /* one for each parameter of the kernel */
} stn_launch;

/* Check the arguments, find the space and choose how each view is read and written. Errors of
 * stn_kernel_run. */
stn_status stn_launch_plan(stn_launch *launch, int rank, const int64_t *extents,
                           const stn_argument *arguments);

/* The same for a text, which has no tiles: nothing is chosen but the order of dimensions. */
stn_status stn_launch_plan_remote(stn_launch *launch, int rank, const int64_t *extents,
                                  const stn_argument *arguments);

/* The first half of it: the checks of each argument, and the space. */
stn_status stn_launch_find(stn_launch *launch, int rank, const int64_t *extents,
                           const stn_argument *arguments);

/* Where one of the extents is 0 all become 0: what there is none of need not be counted. */
void stn_launch_empty(int rank, int64_t *extents);

/* Put the kernel, and the parameter unless that is "", before the error at hand; STN_OK remains. */
stn_status stn_launch_error_prefix(const stn_launch *launch, stn_status status);

/* stn_view_expect of a parameter, of any rank. */
stn_status stn_launch_expect_view(const stn_launch *launch, const char *name, const stn_view *view);

/* "3 x 4", or "no dimensions". */
enum { STN_EXTENTS_WORDS = 24 * STN_MAX_RANK };
void stn_launch_write_extents(int rank, const int64_t *extents, char words[STN_EXTENTS_WORDS]);

/* Let a parameter be used by elements anywhere. */
void stn_launch_make_field(stn_launch *launch, int at);

/* Has the view no scale, or one that fused loops take: a power of two, by which and by whose
 * inverse multiplying is exact? It stands among the numbers. */
int stn_launch_scale_is_free(const stn_launch *launch, const stn_slot *slot);

/* Permute and join dimensions, let tiles span rows, and choose blocks, as the memory has it; the
 * dimensions of a kernel that uses its indices stay. */
void stn_launch_order(stn_launch *launch);

/* Will all views, which have one layout, be gone through as they are in memory? */
int stn_launch_is_flat(const stn_launch *launch);

/* Threads that a launch is worth. */
int stn_launch_threads(const stn_launch *launch);

/* The first view that is written, or NULL. */
const stn_view *stn_launch_output(const stn_launch *launch);

/* Are the rows that a tile spans, if it does, neighbours in the view? */
static inline int stn_launch_rows_follow(const stn_launch *launch, const stn_slot *slot)
{
    return !launch->columns || slot->rows == STN_ROWS_FOLLOW;
}

/* How far the elements of a shifted view are along a dimension of the space, and its extent. */
static inline int64_t stn_launch_offset(const stn_launch *launch, int at, int d)
{
    return launch->kernel->parameters[at].offset[launch->axis[d]];
}
static inline int64_t stn_launch_extent(const stn_launch *launch, int at, int d)
{
    return launch->slots[at].view->extent[launch->axis[d]];
}

/* Are the view's elements values of the arithmetic as they are, at offsets from its data? */
static inline int stn_launch_is_plain(const stn_launch *launch, const stn_slot *slot)
{
    return slot->reader.plain && slot->view->storage.format == launch->arithmetic &&
           slot->reader.run.affine.plain && !slot->reader.run.portable;
}

/* What the loops noticed: STN_ERR_RANGE when an element was asked for that a view lacks,
 * STN_ERR_ARGUMENT when a checked kernel did not assign an output. */
stn_status stn_launch_report(const stn_launch *launch);

/* Does a body have a variable that is static and not const? */
int stn_body_has_variable(const char *text);

/* STN_ERR_UNSUPPORTED when a table was made by headers of another version, a body has a variable
 * that is static, or the program's compiler has not kept the rules of its arithmetic;
 * STN_ERR_ARGUMENT when it is none. */
stn_status stn_kernel_expect(const char *call, const stn_kernel *kernel, size_t size);

/* Take a fused loop of the kernel, if one is for such views. */
void stn_launch_fuse(stn_launch *launch);

/* Which index an element has where a view is read, and 1 where one is read there: outside of
 * 0 to extent - 1 its boundary decides. */
int stn_boundary_find(const stn_parameter *parameter, int64_t index, int64_t extent,
                      int64_t *found);

/* What stands outside, `count` times, in the arithmetic. */
void stn_boundary_fill(const stn_launch *launch, const stn_parameter *parameter, void *values,
                       int64_t count);

/* Elements begin to begin + count - 1 of a row of the view, which has `extent` of them, the first
 * at this position, and positions that go on by `step`; those outside as the boundary has them. */
void stn_boundary_read(const stn_launch *launch, int at, int64_t row, int64_t step, int64_t extent,
                       int64_t begin, int64_t count, char *values);

/* The tile of a view whose elements are shifted. */
void *stn_shift_read(const stn_launch *launch, int at, const stn_tile *tile, char *room);

/* Room for tiles of views that are decoded, of which each has an equal part, and for what an inout
 * was before; small enough for the first level of caches where that can be. */
#define STN_NO_POSITION INT64_MIN
enum {
    STN_MANY_VIEWS = 8,       /* more than the machine's own prefetching follows */
    STN_TILE_BYTES = 4096,    /* of one view's, at most */
    STN_CACHED_BYTES = 16384, /* of all of them, but for tiles of 128 elements */
    STN_LONG_BYTES = 1 << 20, /* where all are in place */
    STN_LEAST_BYTES = STN_TILE_ELEMENTS * sizeof(stn_c128)
};
typedef struct stn_tile_buffer {
    _Alignas(64) char values[STN_MAX_PARAMETERS * (STN_LEAST_BYTES + 64)];
    _Alignas(64) char before[STN_TILE_BYTES];
    int64_t repeated[STN_MAX_PARAMETERS]; /* the position that a repeated element was read from */
    char *panel[STN_MAX_PARAMETERS];      /* values of the block at hand, and the row at hand */
    int64_t panel_row;
    const char *ahead[STN_MAX_PARAMETERS]; /* what stencils will be read from next */
} stn_tile_buffer;

void stn_launch_begin(const stn_launch *launch, stn_workspace *workspace, stn_tile_buffer *room,
                      stn_tile *tile);

/* Store values of elements whose positions go on by `stride`: those of the mask, where the view is
 * masked; and of an inout not those that are as they were. */
void stn_launch_store(const stn_launch *launch, stn_tile_buffer *room, const stn_slot *slot,
                      const char *values, const char *mask, int64_t offset, int64_t stride,
                      int64_t first, int64_t count);

/* Calculate elements begin to end - 1 of rows that follow each other in the last dimension but one,
 * the first of which has this number, or tiles begin to end - 1, counted row by row. */
void stn_launch_rows(const stn_launch *launch, stn_tile_buffer *room, stn_tile *tile, int64_t row,
                     int64_t rows, int64_t begin, int64_t end);
void stn_launch_tiles(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                      int64_t end);

/* Plan a launch with stencils, and calculate pieces begin to end - 1 of it. */
stn_status stn_stencil_make_plan(stn_launch *launch);
void stn_stencil_pieces(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                        int64_t end);

static inline int stn_parameter_is_view(stn_parameter_kind kind)
{
    return kind >= STN_PARAMETER_IN;
}

/* Used by elements anywhere. */
static inline int stn_parameter_is_field(stn_parameter_kind kind)
{
    return kind >= STN_PARAMETER_STENCIL;
}

/* Element by element. */
static inline int stn_parameter_is_written(stn_parameter_kind kind)
{
    return kind >= STN_PARAMETER_INOUT && kind <= STN_PARAMETER_MASKED;
}

#endif
