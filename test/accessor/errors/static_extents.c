/* As many extents as dimensions. */
/* error: fixed: one extent per dimension */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR_STATIC(fixed, 2, double, float, (4, 8), (8, 1))
#else
STN_ACCESSOR_STATIC(fixed, 2, double, float, (4, 8, 2), (8, 1))
#endif
