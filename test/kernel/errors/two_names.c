/* Two names in one. */
/* error: steno: scaled: no parameter is written in\(x, z\); */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP(scaled, (in(x), in(z), out(y)), y = x + z;)
#else
STN_MAP(scaled, (in(x, z), out(y)), y = x + z;)
#endif
