/* The list without its parentheses. */
/* error: steno: scaled: the parameters must be in parentheses, .* not in\(x\) */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP(scaled, (in(x)), (void)x;)
#else
STN_MAP(scaled, in(x), (void)x;)
#endif
