/* One name for two indices. */
/* error: (duplicate member .i.|redeclaration of .char running_parameters_have_different_names::i)
 */
#include "steno/scan.h"

#ifdef TWIN
STN_SCAN(running, sum, (at(i, j), in(x)), x *STN_R(i + j))
#else
STN_SCAN(running, sum, (at(i, i), in(x)), x *STN_R(i))
#endif
