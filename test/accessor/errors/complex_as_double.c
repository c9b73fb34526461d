/* Complex storage is read as complex. */
/* error: xrange: .*stor */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR(xrange, 2, stn_c128, stn_c64)
#else
STN_ACCESSOR(xrange, 2, double, stn_c64)
#endif
