/* What is read-only is not set. */
/* error c: xrange_const is read-only */
/* error c++: deleted function.*xrange_const_set */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)

double use(xrange_const x)
{
#ifdef TWIN
    return xrange_const_get(x, 1, 2);
#else
    return xrange_const_set(x, 1, 2, 0.5);
#endif
}
