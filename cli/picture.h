/* The offsets of the elements of a view, as a table and as an SVG picture. */
#ifndef STENO_CLI_PICTURE_H
#define STENO_CLI_PICTURE_H

#include <stdint.h>
#include <stdio.h>

#include "core/status.h"

enum { MAX_CELLS = 10000 };

typedef enum cell_kind {
    CELL_OWN,
    CELL_MIRRORED, /* shares the offset of another cell */
    CELL_NONE      /* not stored */
} cell_kind;

/* An element and its offset from the first element, in elements. */
typedef struct picture_cell {
    int64_t offset, slice, row, column;
    cell_kind kind;
} picture_cell;

typedef struct picture {
    char title[512];
    int rank;
    int64_t slices, rows, columns; /* 1 for dimensions beyond the rank */
    int64_t lowest, highest;       /* offsets */
    picture_cell *cell;            /* by slice, row and column */
} picture;

void picture_print(const picture *drawn, FILE *out);

/* Writes the picture to a file; "-" is the standard output. */
stn_status picture_write_svg(const picture *drawn, const char *path);

#endif
