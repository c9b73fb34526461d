/* A slice says the rank of what it cuts. */
/* error: row_of: xrange has another rank */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 3, double, float)
STN_ACCESSOR(row, 1, double, float)

#ifdef TWIN
STN_ACCESSOR_SLICE(row_of, xrange, 3, row, 0x1)
#else
STN_ACCESSOR_SLICE(row_of, xrange, 2, row, 0x1)
#endif
