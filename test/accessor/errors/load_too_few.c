/* A load takes the indices of the first element, a count and the values. */
/* error c: too few arguments to function */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)

void use(xrange x, double *values)
{
#ifdef TWIN
    xrange_load(x, 1, 2, 4, values);
#else
    xrange_load(x, 1, 4, values);
#endif
}
