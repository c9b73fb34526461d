/* No comma behind the parameters of a reduction. */
/* error: steno: dot: a comma is missing after the parameters, in \(in\(x\), in\(y\)\) x */
#include "steno/reduce.h"

/* clang-format off */
#ifdef TWIN
STN_REDUCE(dot, products, (in(x), in(y)), x, y)
#else
STN_REDUCE(dot, products, (in(x), in(y)) x, y)
#endif
/* clang-format on */
