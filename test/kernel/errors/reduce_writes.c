/* A reduction that writes. */
/* error: steno: total: no parameter of reductions and scans is written inout\(x\); there are */
#include "steno/reduce.h"

#ifdef TWIN
STN_REDUCE(total, sum, (in(x)), x)
#else
STN_REDUCE(total, sum, (inout(x)), x)
#endif
