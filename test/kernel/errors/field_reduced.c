/* The former field in a reduction. */
/* error: steno: total: field\(u\) is now gather\(u, 2\), read anywhere, */
#include "steno/reduce.h"

#ifdef TWIN
STN_REDUCE(total, sum, (at(i), gather(u, 1)), STN_AT(u, i))
#else
STN_REDUCE(total, sum, (field(u)), STN_AT(u, i))
#endif
