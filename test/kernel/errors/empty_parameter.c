/* A comma too many. */
/* error: steno: scaled: no parameter is written ; */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP_COMPLEX(scaled, (in(x), out(y)), y = x;)
#else
STN_MAP_COMPLEX(scaled, (in(x), , out(y)), y = x;)
#endif
