#ifndef STENO_ORDER_SIDE_H
#define STENO_ORDER_SIDE_H

#include "format/vec.h"
#include "steno/detail/tile.h"

/* Number of rows processed together, limited by registers: shared operands are loaded once. */
enum { SIDE = V_PIECE * 2 >= STN_LANES ? 4 : 1 };

#endif
