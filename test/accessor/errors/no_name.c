/* A type without a name. */
/* error: the first argument, the name of the accessor type, is empty */
/* lines: 40 */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR_SCALED(xrange, 2, double, int8_t, 0x1)
#else
STN_ACCESSOR_SCALED(, 2, double, int8_t, 0x1)
#endif
