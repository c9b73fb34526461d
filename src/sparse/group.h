/* Rows of a matrix side by side, read tile by tile: STN_MATRIX_ELL, STN_MATRIX_SELL and slices, in
 * whatever views, decoded unless they lie as they are read. */
#ifndef STENO_SPARSE_GROUP_H
#define STENO_SPARSE_GROUP_H

#include "sparse/indices.h"
#include "sparse/slice.h"
#include "sparse/tile.h"
#include "steno/detail/tile.h"

/* Rows of a group at most, and entries of it that are held, those of longer rows in tiles. */
enum { STN_GROUP_ROWS = 64, STN_GROUP_ENTRIES = STN_SIDE * STN_TILE_ELEMENTS };

typedef struct stn_groups {
    const stn_matrix *a;
    stn_format arithmetic; /* f64 or f32 */
    int64_t parts, bytes;  /* of a value */
    stn_sparse_columns *slice_columns;
    const int64_t *row_of; /* which row each of sorted ones is, where they are scaled */
    stn_indices starts, columns;
    stn_reader values, scales;
    int is_scaled, are_values, are_columns; /* as they are read */
    stn_view views[STN_ARRAYS];
} stn_groups;

typedef struct stn_group {
    int64_t line, count; /* its first row, as they lie, and how many */
    int64_t width;       /* entries of the longest */
    int is_side;         /* entry e of all rows lies together; else rows follow each other */
    /* The tile that was read last: entries of the longest row, and where they are. Side by side
     * entry e of row r is at e * steps + r of columns and values, of `span` rows, a multiple of 8,
     * with column -1 where there is none; else each row has its own. */
    int64_t held, span, steps[2];
    const void *values, *row_values[STN_SIDE];
    const int32_t *column;
    int64_t row_held[STN_SIDE];
    /* How it is read. */
    int64_t position[2], next[2], beside[2]; /* of columns and values: of entry 0, e and r on */
    const int32_t *word;                     /* of slices */
    _Alignas(64) double scale[STN_GROUP_ROWS];
    _Alignas(64) double value_room[2 * STN_GROUP_ENTRIES]; /* or as many floats */
    _Alignas(64) int32_t column_room[STN_GROUP_ENTRIES];
} stn_group;

/* Is it such a matrix? */
int stn_groups_take(const stn_matrix *a);

/* Of a matrix on the host, in real arithmetic, that of the parts of its values, where there are
 * loops over tiles. */
stn_status stn_groups_make(stn_groups *groups, const char *call, const stn_exec *exec,
                           stn_format arithmetic, const stn_matrix *a);

/* Rows from `line` on, which of slices begins one or its second half, and before `end`. */
void stn_group_find(const stn_groups *groups, stn_group *some, int64_t line, int64_t end);

/* Up to a tile of entries, from number `from` on, a multiple of a tile. */
void stn_group_read(const stn_groups *groups, stn_group *some, int64_t from);

/* Entries of row r in the tile. */
int64_t stn_group_held(const stn_group *some, int64_t r);

#endif
