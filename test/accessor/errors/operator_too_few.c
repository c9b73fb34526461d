/* x(i, j) takes as many indices as the accessor has dimensions. */
/* error c++: xrange takes 2 indices|no match.* for call to .*xrange */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)

double use(xrange x)
{
#ifdef TWIN
    return x(1, 2);
#else
    return x(1);
#endif
}
