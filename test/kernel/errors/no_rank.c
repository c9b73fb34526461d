/* Elements anywhere without their rank. */
/* error: steno: first: no parameter is written gather\(u\); */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP(first, (gather(u, 1), out(y)), y = STN_AT(u, 0);)
#else
STN_MAP(first, (gather(u), out(y)), y = STN_AT(u, 0);)
#endif
