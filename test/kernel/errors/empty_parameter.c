/* A comma too many. */
/* error: steno: scaled: an item of the parameter list is empty\. */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP_COMPLEX(scaled, (in(x), out(y)), y = x;)
#else
STN_MAP_COMPLEX(scaled, (in(x), , out(y)), y = x;)
#endif
