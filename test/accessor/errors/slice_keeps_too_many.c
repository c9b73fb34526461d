/* A slice keeps as many dimensions as the type it makes has. */
/* error: row_of: the mask keeps another number of dimensions than row has */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)
STN_ACCESSOR(row, 1, double, float)
#ifdef TWIN
STN_ACCESSOR_SLICE(row_of, xrange, 2, row, 0x1)
#else
STN_ACCESSOR_SLICE(row_of, xrange, 2, row, 0x3)
#endif
