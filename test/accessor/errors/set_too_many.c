/* A set takes as many indices as the accessor has dimensions, and a value. */
/* error: too many arguments to function|no matching function for call to .xrange_ */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)

double use(xrange x)
{
#ifdef TWIN
    return xrange_set(x, 1, 2, 0.5);
#else
    return xrange_set(x, 1, 2, 3, 0.5);
#endif
}
