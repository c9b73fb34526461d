/* A function of the program's own by a name that the accessor m has. */
/* error c: (conflicting types for|redefinition of) .m_load */
#include "steno/accessor.h"

double m_load(const double *from);

#ifdef TWIN
STN_ACCESSOR(m_range, 2, double, float)
typedef m_range m;

double use(m x, const double *from)
{
    return m_range_get(x, 0, 0) * m_load(from);
}
#else
STN_ACCESSOR(m, 2, double, float)
#endif
