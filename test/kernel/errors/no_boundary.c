/* A boundary that there is not. */
/* error: steno: next: no parameter is written shifted\(u, cyclic, 1\); there is shifted\(u,
 * nearest, -1, 1\), with nearest, zero, */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP(next, (shifted(u, periodic, 1), out(y)), y = u;)
#else
STN_MAP(next, (shifted(u, cyclic, 1), out(y)), y = u;)
#endif
