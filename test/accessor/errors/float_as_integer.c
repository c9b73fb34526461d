/* Storage of floats is not read as i64. */
/* error: xrange: .*stor */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR(xrange, 2, int64_t, int8_t)
#else
STN_ACCESSOR(xrange, 2, int64_t, float)
#endif
