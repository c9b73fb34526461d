/* Reductions as the library sees them: what a program compiles of one, and the value of a part of
 * it that can be sent on. Made by the macros of reduce.h. */
#ifndef STENO_REDUCE_TYPES_H
#define STENO_REDUCE_TYPES_H

#include "steno/detail/kernel_types.h"
#include "steno/kernel_text.h"

STN_BEGIN_DECLS

#define STN_TAGGED 7 /* parameters that are recognised where they stand alone */

/* What an element of a panel is besides its values: an index of it, or its number. */
typedef struct stn_panel_place {
    int64_t first, tile, row, element; /* of the first one, and steps */
} stn_panel_place;

/* Tiles as 16 rows of 8 elements: element k of row j of tile t is, of parameter p, values[p][t *
 * tile[p] + j * row[p] + k]. A tile of one sum has them one behind the other. Of several sums, the
 * columns are neighbours, and rows every eighth element of each. */
#define STN_PANEL_ROWS    16
#define STN_PANEL_COLUMNS 8
typedef struct stn_panel {
    stn_tile elements; /* values: the first ones; count: of tiles; its indices are not used */
    int64_t row[STN_MAX_PARAMETERS], tile[STN_MAX_PARAMETERS];
    stn_panel_place place[STN_MAX_RANK + 1]; /* the indices, and behind them the number among those
                                                that are reduced */
    double scale;                            /* what norms multiply elements with */
} stn_panel;

/* The elements of each column, folded as lanes are: for each tile, 8 states. */
typedef void stn_panel_loop(const stn_panel *panel, void *states);

/* States together: of `runs` pairs of runs of `run` states, to[r * run + k] becomes left[2 * r *
 * run
 * + k] and right[2 * r * run + k] combined. `to` may be `left`. */
typedef void stn_combine(void *to, const void *left, const void *right, int64_t run, int64_t runs);

/* Chains of a scan down columns; see STN_SCAN_LOOP. */
typedef void stn_scan_loop(const void *rows, int64_t count, int64_t width, const void *chains,
                           const void *carries, void *results, void *ends);

/* A reduction in one arithmetic, and its operation where that is the program's own. */
typedef struct stn_reduction_loops {
    stn_panel_loop *panel; /* NULL in scans */
    stn_combine *combine;  /* NULL, and all that follows: the operation is the library's */
    void (*finish)(const void *states, void *results, int64_t count);
    void (*identity)(void *state); /* the state of no elements */
    stn_scan_loop *scan;           /* NULL in reductions */
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
    STN_REDUCE_WITH_norm_inf = 13
} stn_reduction_kind;

typedef struct stn_reduction {
    stn_kernel kernel; /* its loops map elements: into `room` of the tile */
    stn_reduction_kind operation;
    const char *words; /* that tell own operations apart */
    /* Alignments of one or two expressions, twice, which tell whether they are parameters as they
     * are: the variable of parameter `at`, one of the first, has 32 << at, then 64 << at. */
    void (*bare)(int32_t *alignments);
    const stn_reduction_loops *f64, *f32, *i64, *c128, *c64; /* NULL: not in this arithmetic */
} stn_reduction;

#define STN_PARTIAL_BLOCKS 120
#define STN_PARTIAL_EDGE   127

/* The value of elements first to first + count - 1 of a reduction: what is needed to combine it
 * with its neighbours to the bits of the whole. Plain bytes, the same on every process of a
 * program; made by name_reduce_part, changed by name_reduce_merge. */
typedef struct stn_partial {
    uint64_t size; /* of this struct */
    uint64_t mark; /* of operation and arithmetic */
    int64_t first, count;
    int32_t head, tail; /* elements before the first whole tile, and behind the last one */
    int32_t blocks;     /* of whole tiles, in order */
    int32_t reserved;
    uint64_t edge[2][STN_PARTIAL_EDGE][4];    /* mapped elements of head and tail */
    uint64_t block[3][STN_PARTIAL_BLOCKS][2]; /* states; a norm's in three scales */
    int64_t block_tiles[STN_PARTIAL_BLOCKS];  /* powers of two */
} stn_partial;

/* What the functions of STN_REDUCE call. Rank -1 and `extents` NULL: the broadcast of the views'
 * extents. `result`: a double, int64_t or stn_c128. stn_reduce_parts: `parts` has one for each
 * output, in C order. */
STN_API stn_status stn_reduce_run(const stn_exec *exec, const stn_reduction *reduction,
                                  stn_format arithmetic, int rank, const int64_t *extents,
                                  void *result, const stn_argument *arguments);
STN_API stn_status stn_reduce_into(const stn_exec *exec, const stn_reduction *reduction,
                                   stn_format arithmetic, int rank, const int64_t *extents,
                                   unsigned reduced, const stn_view *result,
                                   const stn_argument *arguments);
STN_API stn_status stn_reduce_parts(const stn_exec *exec, const stn_reduction *reduction,
                                    stn_format arithmetic, int64_t first, int all, unsigned reduced,
                                    stn_partial *parts, const stn_argument *arguments);
STN_API stn_status stn_reduce_merge(const stn_reduction *reduction, stn_partial *left,
                                    const stn_partial *right);
STN_API stn_status stn_reduce_finish(const stn_reduction *reduction, const stn_partial *part,
                                     void *result);

STN_END_DECLS

#endif
