/* A slice keeps dimensions that there are. */
/* error: row_of: the mask */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)
STN_ACCESSOR(row, 1, double, float)
#ifdef TWIN
STN_ACCESSOR_SLICE(row_of, xrange, 2, row, 0x1)
#else
STN_ACCESSOR_SLICE(row_of, xrange, 2, row, 0x4)
#endif
