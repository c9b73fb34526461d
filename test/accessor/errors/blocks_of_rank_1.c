/* Blocks by column have two dimensions or more. */
/* error: brange: blocks by column have at least two dimensions */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR_BLOCK_COL_MAJOR(brange, 2, double, float)
#else
STN_ACCESSOR_BLOCK_COL_MAJOR(brange, 1, double, float)
#endif
