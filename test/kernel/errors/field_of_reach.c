/* The former field with a reach. */
/* error: steno: blur: field\(u, 1, 1\) is now gather\(u, 2\), .* or stencil\(u, */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP(blur, (at(i, j), stencil(u, nearest, 1, 1), out(y)), y = STN_AT(u, i - 1, j);)
#else
STN_MAP(blur, (field(u, 1, 1), out(y)), y = STN_AT(u, i - 1, j);)
#endif
