/* A reduction by an operation of its own, without parentheses. */
/* error: steno: longest: the parameters must be in parentheses, .* not in\(x\) */
#include "steno/reduce.h"

#ifdef TWIN
STN_REDUCE_BY(longest, (in(x)), x *x, a > b ? a : b, a, 0)
#else
STN_REDUCE_BY(longest, in(x), x *x, a > b ? a : b, a, 0)
#endif
