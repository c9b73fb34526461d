/* No comma behind the parameters. */
/* error: steno: scaled: a comma is missing after the parameters, in \(in\(x\), out\(y\)\) y = 2 \*
 * x; */
#include "steno/kernel.h"

/* clang-format off */
#ifdef TWIN
STN_MAP(scaled, (in(x), out(y)), y = 2 * x;)
#else
STN_MAP(scaled, (in(x), out(y)) y = 2 * x;, (void)x;)
#endif
/* clang-format on */
