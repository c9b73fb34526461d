/* A scan by an operation that scans do not have. */
/* error: steno: running: norm2 is no operation of these; there are sum, product, min and max */
#include "steno/scan.h"

#ifdef TWIN
STN_SCAN(running, max, (in(x)), x)
#else
STN_SCAN(running, norm2, (in(x)), x)
#endif
