/* A scan of what there is not. */
/* error: steno: running: no parameter of reductions and scans is written shifted\(x, zero, 1\); */
#include "steno/scan.h"

#ifdef TWIN
STN_SCAN(running, sum, (in(x)), x)
#else
STN_SCAN(running, sum, (shifted(x, zero, 1)), x)
#endif
