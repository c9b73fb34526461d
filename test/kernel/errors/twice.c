/* One name for two parameters. */
/* error c: duplicate member .x. */
/* error c++: (duplicate member 'x'|redeclaration of .char
 * scaled_parameters_have_different_names::x) */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP(scaled, (real(alpha), in(x), out(y)), y = alpha * x;)
#else
STN_MAP(scaled, (real(alpha), in(x), out(x)), x = alpha * x;)
#endif
