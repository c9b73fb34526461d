/* Elements cannot all be at multiples of more than their size. */
/* error: xrange: the alignment is no power of two that divides the size */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR_ALIGNED(xrange, 2, stn_c128, stn_c64, 8)
#else
STN_ACCESSOR_ALIGNED(xrange, 2, stn_c128, stn_c64, 16)
#endif
