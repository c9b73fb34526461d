/* Sums over the rows of a tile that are lanes of panels, for several columns at a time. */
#ifndef STENO_BLAS_COLUMN_PANELS_H
#define STENO_BLAS_COLUMN_PANELS_H

#include <stdint.h>

/* Panels of a tile, vectors of columns processed together, and sums that wait for others. */
enum { PANELS = 8, BLOCK = 4, WAITING = 3 };

/* The order in which the tree combines panels. */
static const int8_t panel_order[PANELS] = {0, 4, 2, 6, 1, 5, 3, 7};

#endif
