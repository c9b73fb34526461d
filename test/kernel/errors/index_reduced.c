/* An index that has no name, in a reduction. */
/* lines: 14 */
/* error: (.i. was not declared|.i. undeclared|use of undeclared identifier 'i') */
#include "steno/reduce.h"

#ifdef TWIN
STN_REDUCE_INTEGER(weighed, sum, (at(i), in(x)), x *i)
#else
STN_REDUCE_INTEGER(weighed, sum, (in(x)), x *i)
#endif
