/* What is read-only is not stored into. */
/* error c: xrange_const is read-only */
/* error c++: deleted function.*xrange_const_store */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)

void use(xrange_const x, double *values)
{
#ifdef TWIN
    xrange_const_load(x, 1, 2, 4, values);
#else
    xrange_const_store(x, 1, 2, 4, values);
#endif
}
