/* Launches by blocks of rows and columns that fit into caches, for views whose memory order
 * differs from that of the launch. */
#ifndef STENO_LAUNCH_PANEL_H
#define STENO_LAUNCH_PANEL_H

#include "map/launch.h"

/* Blocks of panels are squares with an edge of 256 bytes (at least 32 elements): larger ones
 * exceed L1, and smaller ones access memory in shorter pieces; f64 takes a sixth longer with
 * twice the edge. Other blocks are as wide as a tile, and as high as cache lines of mapped views
 * extend over rows. */
enum {
    STN_PANEL_EDGE = 32,
    STN_PANEL_BYTES = STN_PANEL_EDGE * STN_PANEL_EDGE * sizeof(stn_c128),
    STN_MAX_PANELS = 6,
    STN_BLOCK_ROWS = 16,
    STN_BLOCK_COLUMNS = 512
};

/* The number of blocks, and the computation of blocks begin to end - 1. */
int64_t stn_panel_count(const stn_launch *launch);
void stn_panel_pieces(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                      int64_t end);

#endif
