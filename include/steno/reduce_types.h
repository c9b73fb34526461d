/* Reductions as the library sees them: loops over stretches of elements, and the value of a part of
 * a reduction that can be sent on. Made by the macros of reduce.h. */
#ifndef STENO_REDUCE_TYPES_H
#define STENO_REDUCE_TYPES_H

#include "steno/names/hide.h"
#include "steno/kernel_types.h"

STN_BEGIN_DECLS

#define STN_LANES 32

/* Parameters of a reduction or scan: one place of a kernel's is that of what it gives. */
#define STN_MOST_REDUCE_PARAMETERS 23
#if STN_MOST_REDUCE_PARAMETERS + 1 != STN_MOST_PARAMETERS
#    error "steno: the parameters of reductions are no longer counted right"
#endif

/* Tiles whose values a loop combines by itself: its stretches are no longer than these. */
#define STN_STRETCH_TILES 16

/* Elements along one dimension, as a tile has them; loops that fold take STN_STRETCH_TILES tiles of
 * them at most. */
typedef struct stn_stretch {
    stn_tile tile;
    int64_t number; /* of the first element among those that are reduced */
    double scale;   /* what norms multiply elements with */
} stn_stretch;

/* Rows that are a lane of each column, and with how many states before it, one after the other, the
 * state of the lane combines. */
typedef struct stn_lane {
    int32_t rows, combines;
} stn_lane;

/* Columns that a loop folds at once, and the states of a column that it holds. */
#define STN_COLUMNS     32
#define STN_LANE_STATES 6

/* A reduction in one arithmetic. A state is the value of some elements together; a mapped element
 * what the expression of the kernel gives. */
typedef struct stn_reduction_loops {
    int32_t state_bytes, mapped_bytes, result_bytes;
    stn_format result; /* STN_F64, STN_F32 or STN_I64 */

    /* The elements of a stretch that begins with a tile, as one state. */
    void (*fold)(const stn_stretch *stretch, void *state);
    /* Each element of a stretch, of the same number, onto a state of its own; `fresh`: the first
     * ones. */
    void (*accumulate)(const stn_stretch *stretch, void *states, int fresh);
    /* Each element of a stretch and those of the same place in the other stretches as one state:
     * lanes as the plan has them, STN_COLUMNS elements or more. */
    void (*lanes)(const stn_stretch *rows, const stn_lane *plan, int64_t lanes, void *states);
    /* Mapped elements: into values[count of parameters] of the tile. */
    stn_tile_loop *map;
    /* Up to a tile of mapped elements that begin a tile, as one state. */
    void (*fold_mapped)(const void *mapped, int64_t count, int64_t number, double scale,
                        void *state);
    /* left[k] becomes left[k] and right[k] combined. */
    void (*combine)(void *left, const void *right, int64_t count);
    void (*finish)(const void *states, void *results, int64_t count, double scale);
    void (*identity)(void *state); /* the state of no elements */
} stn_reduction_loops;

/* A fold for views of given formats that are contiguous along the last dimension and plainly
 * stored; made by STN_FUSE_REDUCE. */
typedef struct stn_fused_fold {
    const struct stn_fused_fold *next;
    stn_format arithmetic;
    const stn_format *formats; /* of each parameter; -1: no view */
    void (*fold)(const stn_stretch *stretch, void *state);
} stn_fused_fold;

/* What is special about an operation, as bits. */
typedef enum stn_operation_traits {
    STN_OPERATION_NUMBERED = 1, /* states depend on the numbers of elements */
    STN_OPERATION_SCALED = 2,   /* the norm whose squares may leave the range: see stn_norm_range */
    STN_OPERATION_COUNTS = 4,   /* states are numbers of elements, and elements 0 or 1 */
    STN_OPERATION_DECIDES = 8   /* states and elements are 0 or 1 */
} stn_operation_traits;

typedef struct stn_reduction {
    stn_kernel kernel;                          /* its loops are the maps */
    const char *operation;                      /* the words that tell operations apart */
    uint32_t traits;                            /* of stn_operation_traits */
    const stn_reduction_loops *f64, *f32, *i64; /* NULL: not in this arithmetic */
    const stn_fused_fold *fused;
    struct stn_reduction *next; /* among those that are registered */
    int32_t known[2];           /* set then: one more than the parameters that are summed, or
                                   multiplied, and nothing else; 0: none */
} stn_reduction;

#define STN_PARTIAL_BLOCKS 120
#define STN_PARTIAL_EDGE   127

/* The value of elements first to first + count - 1 of a reduction: what is needed to combine it
 * with its neighbours to the bits of the whole. Plain bytes, the same on every process of a
 * program; made by name_reduce_part, changed by stn_partial_merge. */
typedef struct stn_partial {
    uint64_t size; /* of this struct */
    uint64_t mark; /* of operation and arithmetic */
    int64_t first, count;
    int32_t head, tail; /* elements before the first whole tile, and behind the last one */
    int32_t blocks;     /* of whole tiles, in order */
    int32_t reserved;
    uint64_t edge[2][STN_PARTIAL_EDGE][2];    /* mapped elements of head and tail */
    uint64_t block[3][STN_PARTIAL_BLOCKS][2]; /* states; a norm's in three scales */
    int64_t block_tiles[STN_PARTIAL_BLOCKS];  /* powers of two */
} stn_partial;

/* What the functions of STN_REDUCE call. Rank -1 and `extents` NULL: the broadcast of the views'
 * extents. */
STN_API stn_status stn_reduce_run(const stn_exec *exec, stn_reduction *reduction,
                                  stn_format arithmetic, int rank, const int64_t *extents,
                                  void *result, const stn_argument *arguments);
STN_API stn_status stn_reduce_into(const stn_exec *exec, stn_reduction *reduction,
                                   stn_format arithmetic, int rank, const int64_t *extents,
                                   unsigned reduced, const stn_view *result,
                                   const stn_argument *arguments);
STN_API stn_status stn_reduce_part(const stn_exec *exec, stn_reduction *reduction,
                                   stn_format arithmetic, int64_t first, stn_partial *part,
                                   const stn_argument *arguments);
STN_API stn_status stn_reduce_finish(const stn_reduction *reduction, const stn_partial *part,
                                     void *result);

/* Make a reduction known to stn_partial_merge, or unknown again: when programs and libraries are
 * loaded and unloaded. */
STN_API void stn_reduction_register(stn_reduction *reduction);
STN_API void stn_reduction_forget(stn_reduction *reduction);

/* *left becomes the value of its elements and of *right's, which must begin where it ends.
 * STN_ERR_ARGUMENT (NULL, a part that no reduction of such elements can have made, wherever it
 * comes from, or parts of two operations or arithmetics), STN_ERR_SHAPE, STN_ERR_UNSUPPORTED when
 * no reduction of this operation is part of the program. *left is as it was on errors. */
STN_API stn_status stn_partial_merge(stn_partial *left, const stn_partial *right);

STN_END_DECLS

#include "steno/names/show.h"

#endif
