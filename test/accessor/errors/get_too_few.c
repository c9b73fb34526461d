/* A get takes as many indices as the accessor has dimensions. */
/* error: too few arguments to function|no matching function for call to .xrange_ */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)

double use(xrange x)
{
#ifdef TWIN
    return xrange_get(x, 1, 2);
#else
    return xrange_get(x, 1);
#endif
}
