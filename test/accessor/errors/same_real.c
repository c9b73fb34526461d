/* Two accessors that compute in different types. */
/* error: xrange and yrange compute in different arithmetic types */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)
#ifdef TWIN
STN_ACCESSOR(yrange, 2, double, stn_f16)
#else
STN_ACCESSOR(yrange, 2, float, float)
#endif
STN_SAME_REAL(xrange, yrange);
