/* Extents that are part of the type stay. */
/* error c: extents of fixed are part of its type */
/* error c++: deleted function.*fixed_sub */
#include "steno/accessor.h"

STN_ACCESSOR_STATIC(fixed, 2, double, float, (4, 8), (8, 1))
STN_ACCESSOR(row, 1, double, float)
STN_ACCESSOR_SLICE(row_of, fixed, 2, row, 0x1)
#ifdef TWIN
#    define RESULT row
#else
#    define RESULT fixed
#endif

RESULT use(fixed x)
{
#ifdef TWIN
    return row_of(x, stn_at(1), stn_all());
#else
    return fixed_sub(x, stn_all(), stn_at(1));
#endif
}
