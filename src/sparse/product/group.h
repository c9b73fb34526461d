/* Groups of adjacent rows of ELL, SELL and sliced matrices, read tile by tile. The arrays may be
 * any views. They are decoded unless they can be used directly. */
#ifndef STENO_SPARSE_PRODUCT_GROUP_H
#define STENO_SPARSE_PRODUCT_GROUP_H

#include "sparse/kinds/indices.h"
#include "sparse/kinds/packed.h"
#include "sparse/kinds/slice.h"
#include "sparse/product/tile.h"
#include "steno/detail/tile.h"

/* Maximum number of rows of a group, and of entries in its buffers; longer rows are read in tiles.
 */
enum { STN_GROUP_ROWS = 64, STN_GROUP_ENTRIES = STN_SPARSE_TILE_ROWS * STN_TILE_ELEMENTS };

typedef struct stn_groups {
    const stn_matrix *a;
    stn_format arithmetic; /* f64 or f32 */
    int64_t parts, bytes;  /* of an element */
    stn_sparse_columns *slice_columns;
    const int64_t *row_of; /* with scales: the row at each sorted position */
    stn_indices starts, columns;
    stn_reader values, scales;
    int is_scaled, are_values, are_columns; /* are_...: usable without decoding */
    stn_packed_values packed;               /* instead of `values` if it has codes */
    stn_view views[STN_ARRAYS];
} stn_groups;

typedef struct stn_group {
    int64_t line, count; /* first row, in stored order, and number of rows */
    int64_t width;       /* entries of the longest row */
    int is_interleaved;  /* rows are interleaved: entries e of all rows are adjacent; otherwise
                          * rows are consecutive */
    /* The current tile: number of entries of its longest row, and their locations. In interleaved
     * groups, entry e of row r is at e * steps[k] + r of columns (k = 0) and values (k = 1). They
     * have `span` rows, a multiple of 8. The column is -1 if there is no entry. In other groups,
     * each row has its own arrays. */
    int64_t held, span, steps[2];
    const void *values, *row_values[STN_SPARSE_TILE_ROWS];
    const int32_t *column;
    int64_t row_length[STN_SPARSE_TILE_ROWS];
    /* Where it is read from: position of entry 0, stride of entries, stride of rows; of columns
     * and of values. */
    int64_t position[2], entry_step[2], row_step[2];
    const int32_t *word; /* slices only */
    int is_uniform;      /* rows of a slice have the same values */
    _Alignas(64) double scale[STN_GROUP_ROWS];
    _Alignas(64) double value_buffer[2 * STN_GROUP_ENTRIES]; /* or as many floats */
    _Alignas(64) int32_t column_buffer[STN_GROUP_ENTRIES];
} stn_group;

/* Returns whether the kind of the matrix is supported. */
int stn_groups_support(const stn_matrix *a);

/* Prepares reading a matrix on the host. Arithmetic is real; for a complex matrix, that of its
 * parts. There must be loops over tiles (stn_sparse_tiles_of). Release with stn_groups_release,
 * also after errors. */
stn_status stn_groups_init(stn_groups *groups, const char *call, const stn_exec *exec,
                           stn_format arithmetic, const stn_matrix *a);

void stn_groups_release(stn_groups *groups);

/* Selects a group of rows from `line` on and before `end`. In a sliced matrix, `line` is the first
 * row of a slice or of its second half. */
void stn_group_find(const stn_groups *groups, stn_group *group, int64_t line, int64_t end);

/* Reads up to a tile of entries, from entry `from` on, a multiple of the tile size. */
void stn_group_read(const stn_groups *groups, stn_group *group, int64_t from);

/* The number of entries of row r in the tile. */
int64_t stn_group_row_length(const stn_group *group, int64_t r);

#endif
