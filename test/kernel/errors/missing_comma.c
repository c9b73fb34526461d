/* No comma between two parameters. */
/* error: steno: scaled: no parameter is written in\(x\) out\(y\); */
#include "steno/kernel.h"

#ifdef TWIN
/* clang-format off */
STN_MAP(scaled, (real(alpha), in(x), out(y)), y = alpha * x;)
#else
STN_MAP(scaled, (real(alpha), in(x) out(y)), y = alpha * x;)
#endif
/* clang-format on */
