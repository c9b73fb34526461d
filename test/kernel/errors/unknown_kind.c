/* A kind that there is not. */
/* error: steno: scaled: no parameter is written inn\(x\); there are real\(a\), */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP(scaled, (real(alpha), in(x), out(y)), y = alpha * x;)
#else
STN_MAP(scaled, (real(alpha), inn(x), out(y)), y = alpha * x;)
#endif
