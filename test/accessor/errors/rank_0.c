/* Accessors have one to eight dimensions. */
/* error: xrange: .*rank */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR(xrange, 1, double, float)
#else
STN_ACCESSOR(xrange, 0, double, float)
#endif
