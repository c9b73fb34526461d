/* The arithmetic type is one of five. */
/* error: half */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR(xrange, 2, float, stn_f16)
#else
STN_ACCESSOR(xrange, 2, half, stn_f16)
#endif
