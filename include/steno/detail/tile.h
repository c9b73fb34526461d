/* The two numbers that sums depend on, and with them the order of every result. */
#ifndef STENO_TILE_H
#define STENO_TILE_H

#define STN_TILE_ELEMENTS                                                                          \
    128              /* a kernel's loop takes so many, and a leaf of a tree of sums has them */
#define STN_LANES 32 /* element e of a tile is added to number e mod 32 */

#endif
