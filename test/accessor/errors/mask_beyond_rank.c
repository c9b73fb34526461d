/* A scale mask selects dimensions that there are. */
/* error: qrange: the scale mask selects dimensions beyond the rank */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR_SCALED(qrange, 2, double, int8_t, 0x2)
#else
STN_ACCESSOR_SCALED(qrange, 2, double, int8_t, 0x4)
#endif
