/* Launches by blocks of rows and columns that fit into caches, for views whose memory order
 * differs from that of the launch. */
#ifndef STENO_LAUNCH_PANEL_H
#define STENO_LAUNCH_PANEL_H

#include "map/launch.h"

/* In blocks with panels, the part of a row is STN_PANEL_ROW_BYTES long, and the panels of a block
 * fit into the second-level cache: hardware prefetches the columns, which are then read
 * sequentially over many rows. A band of a few rows fits into L1. Other blocks are as wide as a
 * tile, and as high as cache lines of mapped views extend over rows. */
enum {
    STN_PANELS_BYTES = 256 << 10,
    STN_PANEL_ROW_BYTES = 256,
    STN_PANEL_HEIGHT = 512, /* at most */
    STN_PANEL_LEAST_HEIGHT = 32,
    STN_PANEL_WIDTH = 256, /* at most */
    STN_BAND_BYTES = 8 << 10,
    STN_MAX_PANELS = 6,
    STN_BLOCK_ROWS = 16,
    STN_BLOCK_COLUMNS = 512
};

/* The number of blocks, and the computation of blocks begin to end - 1. */
int64_t stn_panel_count(const stn_launch *launch);
void stn_panel_pieces(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                      int64_t end);

#endif
