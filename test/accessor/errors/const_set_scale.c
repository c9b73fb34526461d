/* The scales of what is read-only are not set. */
/* error c: qrange_const is read-only */
/* error c++: deleted function.*qrange_const_set_scale */
#include "steno/accessor.h"

STN_ACCESSOR_SCALED(qrange, 2, double, int8_t, 0x2)

double use(qrange_const x)
{
#ifdef TWIN
    return qrange_const_scale(x, 1, 2);
#else
    return qrange_const_set_scale(x, 1, 2, 0.5);
#endif
}
