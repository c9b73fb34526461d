/* An operation that there is not. */
/* error: steno: total: summ is no operation of these; there are sum, product, products, min, max,
 */
#include "steno/reduce.h"

#ifdef TWIN
STN_REDUCE(total, sum, (in(x)), x)
#else
STN_REDUCE(total, summ, (in(x)), x)
#endif
