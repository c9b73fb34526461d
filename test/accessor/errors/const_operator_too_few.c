/* x(i, j) takes as many indices as the accessor has dimensions, read-only or not. */
/* error c++: xrange_const(_get| takes 2 indices)|call to .*xrange_const */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)

double use(xrange_const x)
{
#ifdef TWIN
    return x(1, 2);
#else
    return x(1);
#endif
}
