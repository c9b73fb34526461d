/* One expression too many. */
/* error: dot: sum takes one expression */
#include "steno/reduce.h"

#ifdef TWIN
STN_REDUCE(dot, products, (in(x), in(y)), x, y)
#else
STN_REDUCE(dot, sum, (in(x), in(y)), x, y)
#endif
