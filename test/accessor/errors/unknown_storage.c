/* The storage type is one of the formats. */
/* error: half */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR(xrange, 2, double, stn_f16)
#else
STN_ACCESSOR(xrange, 2, double, half)
#endif
