/* A parameter without its parentheses. */
/* error: steno: scaled: no parameter is written in x; */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP_INTEGER(scaled, (in(x), out(y)), y = 2 * x;)
#else
STN_MAP_INTEGER(scaled, (in x, out(y)), y = 2 * x;)
#endif
