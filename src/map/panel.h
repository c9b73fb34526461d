/* Launches block by block: rows and columns that are small enough for the caches, where views go
 * through memory in other directions than the launch. */
#ifndef STENO_LAUNCH_PANEL_H
#define STENO_LAUNCH_PANEL_H

#include "map/launch.h"

/* Blocks of panels, STN_CACHED_ROWS by STN_CACHED_COLUMNS, have as many lines of memory in both
 * directions as the first level of caches holds; others are as wide as a tile, and as high as lines
 * of mapped views go on to other rows. */
enum {
    STN_CACHED_ROWS = 32,
    STN_CACHED_COLUMNS = 64,
    STN_PANEL_BYTES = STN_CACHED_ROWS * STN_CACHED_COLUMNS * sizeof(stn_c128),
    STN_MOST_PANELS = 6,
    STN_BLOCK_ROWS = 16,
    STN_BLOCK_COLUMNS = 512
};

/* How many there are, and calculating blocks begin to end - 1. */
int64_t stn_panel_count(const stn_launch *launch);
void stn_panel_pieces(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                      int64_t end);

#endif
