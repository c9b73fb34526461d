/* The former field in a scan. */
/* error: steno: running: field\(u\) is now gather\(u, 2\), read anywhere, */
#include "steno/reduce.h"

#ifdef TWIN
STN_SCAN(running, sum, (at(i), gather(u, 1), in(x)), x *STN_AT(u, i))
#else
STN_SCAN(running, sum, (field(u), in(x)), x *STN_AT(u, i))
#endif
