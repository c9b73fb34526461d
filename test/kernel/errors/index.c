/* An index that has no name. One arithmetic has one error. */
/* error: (.i. was not declared|.i. undeclared|use of undeclared identifier 'i') */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP_INTEGER(count, (at(i), out(y)), y = i;)
#else
STN_MAP_INTEGER(count, (out(y)), y = i;)
#endif
