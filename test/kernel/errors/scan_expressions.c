/* A scan of two expressions. */
/* error: steno: running: sum takes one expression */
#include "steno/scan.h"

#ifdef TWIN
STN_SCAN(running, sum, (in(x), in(y)), x *y)
#else
STN_SCAN(running, sum, (in(x), in(y)), x, y)
#endif
