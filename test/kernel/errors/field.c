/* The former field. */
/* error: steno: sum: field\(u\) is now gather\(u, 2\), read anywhere, scatter\(u, 2\), */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP(sum, (at(i), gather(u, 1), out(y)), y = STN_AT(u, i);)
#else
STN_MAP(sum, (field(u), out(y)), y = STN_AT(u, i);)
#endif
