/* The tables of reductions that the macros of reduce.h define, and partial results. */
#ifndef STENO_REDUCE_TYPES_H
#define STENO_REDUCE_TYPES_H

#include "steno/detail/kernel_types.h"
#include "steno/kernel_text.h"

STN_BEGIN_DECLS

#define STN_TAGGED                                                                                 \
    7 /* number of parameters that are recognized if an expression consists of one                 \
       */

/* An index of the elements of a panel, or their position in the reduction. */
typedef struct stn_panel_place {
    int64_t first, tile, row,
        element; /* value at the first element; steps per tile, row and element */
} stn_panel_place;

/* Tiles of 16 rows of 8 elements. Element k of row j of tile t of parameter p is
 * values[p][t * tile[p] + j * row[p] + k]. The elements of a tile of one sum are contiguous. With
 * several sums, columns are adjacent, and a row has every eighth element of each sum. */
#define STN_PANEL_ROWS    16
#define STN_PANEL_COLUMNS 8
typedef struct stn_panel {
    stn_tile elements; /* values of the first tile; count of tiles; indices are unused */
    int64_t row[STN_MAX_PARAMETERS], tile[STN_MAX_PARAMETERS];
    stn_panel_place
        place[STN_MAX_RANK + 1]; /* indices, followed by the position in the reduction */
    double scale;                /* factor of the elements of norms */
} stn_panel;

/* Folds the elements of each column, as lanes: 8 states per tile. */
typedef void stn_panel_loop(const stn_panel *panel, void *states);

/* Combines pairs of states: to[r * run + k] = left[2 * r * run + k] op right[2 * r * run + k] for
 * r < runs and k < run. `to` may be `left`. */
typedef void stn_combine(void *to, const void *left, const void *right, int64_t run, int64_t runs);

/* Scans columns; see STN_SCAN_LOOP. */
typedef void stn_scan_loop(const void *rows, int64_t count, int64_t width, const void *chains,
                           const void *carries, void *results, void *ends);

/* A reduction in one arithmetic type, and the operation of the program, if any. */
typedef struct stn_reduction_loops {
    stn_panel_loop *panel; /* NULL in scans */
    stn_combine *combine;  /* NULL, as the following members, for operations of the library */
    void (*finish)(const void *states, void *results, int64_t count);
    void (*identity)(void *state); /* state without elements */
    stn_scan_loop *scan;           /* NULL in reductions */
    stn_panel_loop *rows; /* folds consecutive tiles to one state each; NULL: by `panel` only */
} stn_reduction_loops;

typedef enum stn_reduction_kind {
    STN_REDUCE_WITH_own = 0,
    STN_REDUCE_WITH_sum = 1,
    STN_REDUCE_WITH_product = 2,
    STN_REDUCE_WITH_products = 3,
    STN_REDUCE_WITH_min = 4,
    STN_REDUCE_WITH_max = 5,
    STN_REDUCE_WITH_argmin = 6,
    STN_REDUCE_WITH_argmax = 7,
    STN_REDUCE_WITH_count = 8,
    STN_REDUCE_WITH_any = 9,
    STN_REDUCE_WITH_all = 10,
    STN_REDUCE_WITH_norm1 = 11,
    STN_REDUCE_WITH_norm2 = 12,
    STN_REDUCE_WITH_norm_inf = 13,
    STN_REDUCE_WITH_state = 14 /* several values, merged by the program */
} stn_reduction_kind;

typedef struct stn_reduction {
    stn_kernel kernel; /* its loops store mapped elements in the buffer of the tile */
    stn_reduction_kind operation;
    const char *words; /* text that identifies an operation of the program */
    /* Alignments of one or two expressions, twice, to detect expressions that consist of one
     * parameter: the variable of parameter `at` has alignment 32 << at, then 64 << at. */
    void (*bare)(int32_t *alignments);
    const stn_reduction_loops *f64, *f32, *i64, *c128,
        *c64;                /* NULL if the arithmetic type is not supported */
    int32_t values, results; /* of a state of several values, and their results; otherwise 0 */
} stn_reduction;

/* Values of a state, which has at most 32 bytes. */
#define STN_STATE_VALUES   4
#define STN_PARTIAL_BLOCKS 120
#define STN_PARTIAL_EDGE   127

/** Partial result of the elements first, ..., first + count - 1 of a reduction, from which adjacent
 * parts are combined to the bits of the whole. It consists of plain bytes, which processes of one
 * program can exchange. `name_reduce_part` and `name_reduce_merge` write it (reduce.h). */
typedef struct stn_partial {
    uint64_t size; /* of this struct */
    uint64_t mark; /* identifies operation and arithmetic type */
    int64_t first, count;
    int32_t head, tail; /* elements before the first whole tile and after the last one */
    int32_t blocks;     /* of whole tiles, in order */
    int32_t reserved;
    uint64_t edge[2][STN_PARTIAL_EDGE][4];    /* mapped elements of head and tail */
    uint64_t block[3][STN_PARTIAL_BLOCKS][2]; /* states; of norms in three scales; states of several
                                                 values have four words each */
    int64_t block_tiles[STN_PARTIAL_BLOCKS];  /* powers of two */
} stn_partial;

/* Reduced dimensions: those of the bits of `reduced`, or all. */
typedef enum stn_reduced_dimensions {
    STN_REDUCED_GIVEN = 0,
    STN_REDUCED_ALL = 1
} stn_reduced_dimensions;

/* Called by the functions of STN_REDUCE. `result` points to a double, int64_t or stn_c128, or to
 * the results of a state. `parts` has one element per output, in C order. */
STN_API stn_status stn_reduce_run(const stn_exec *exec, const stn_reduction *reduction,
                                  stn_format arithmetic, int rank, const int64_t *extents,
                                  void *result, const stn_argument *arguments);
STN_API stn_status stn_reduce_into(const stn_exec *exec, const stn_reduction *reduction,
                                   stn_format arithmetic, int rank, const int64_t *extents,
                                   unsigned reduced, const stn_view *result,
                                   const stn_argument *arguments);
STN_API stn_status stn_reduce_parts(const stn_exec *exec, const stn_reduction *reduction,
                                    stn_format arithmetic, int64_t first,
                                    stn_reduced_dimensions dimensions, unsigned reduced,
                                    stn_partial *parts, const stn_argument *arguments);
STN_API stn_status stn_reduce_merge(const stn_reduction *reduction, stn_partial *left,
                                    const stn_partial *right);
STN_API stn_status stn_reduce_finish(const stn_reduction *reduction, const stn_partial *part,
                                     void *result);

STN_END_DECLS

#endif
