/* Slices are for accessors without scales. */
/* error: row_of: slices are for accessors without scales */
#include "steno/accessor.h"

STN_ACCESSOR(row, 1, double, float)
#ifdef TWIN
STN_ACCESSOR(xrange, 2, double, float)
#else
STN_ACCESSOR_SCALED(xrange, 2, double, float, 0x2)
#endif
STN_ACCESSOR_SLICE(row_of, xrange, 2, row, 0x1)
