/* Launches block by block: rows and columns that are small enough for the caches, where views go
 * through memory in other directions than the launch. */
#ifndef STENO_LAUNCH_PANEL_H
#define STENO_LAUNCH_PANEL_H

#include "map/launch.h"

/* Blocks of panels are squares whose edge is 256 bytes (32 elements at least): larger ones fall out
 * of the first level of caches, smaller ones read memory in shorter pieces; f64 takes a sixth more
 * in blocks of twice the edge. Others are as wide as a tile, and as high as lines of mapped views
 * go on to other rows. */
enum {
    STN_PANEL_EDGE = 32,
    STN_PANEL_BYTES = STN_PANEL_EDGE * STN_PANEL_EDGE * sizeof(stn_c128),
    STN_MOST_PANELS = 6,
    STN_BLOCK_ROWS = 16,
    STN_BLOCK_COLUMNS = 512
};

/* How many there are, and calculating blocks begin to end - 1. */
int64_t stn_panel_count(const stn_launch *launch);
void stn_panel_pieces(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                      int64_t end);

#endif
