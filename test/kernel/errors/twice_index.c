/* One name for an index and a view. */
/* error: (duplicate member .i.|redeclaration of .char total_parameters_have_different_names::i) */
#include "steno/reduce.h"

#ifdef TWIN
STN_REDUCE(total, sum, (at(i, j), in(x)), x *STN_R(i + j))
#else
STN_REDUCE(total, sum, (at(i, j), in(i)), i *STN_R(j))
#endif
