/* Accessors have one to eight dimensions. */
/* error: xrange: .*rank */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR(xrange, 8, double, float)
#else
STN_ACCESSOR(xrange, 9, double, float)
#endif
