/* In C++ as well, what is read-only is not assigned to. */
/* error c++: lvalue required as left operand|expression is not assignable */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)

double use(xrange_const x)
{
#ifdef TWIN
    return x(1, 2);
#else
    x(1, 2) = 0.5;
    return 0.5;
#endif
}
