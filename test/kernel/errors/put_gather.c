/* What is gathered from is not written. One arithmetic has one error. */
/* lines: 22 */
/* error c: (selector|controlling expression) .*stn_gather_1.* not compatible */
/* clang-format off */
/* error c++: steno: STN_PUT, STN_ADD, STN_MIN and STN_MAX take a scatter, and as many */
/* clang-format on */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP_INTEGER(put, (at(i), scatter(u, 1)), STN_PUT(u, 7, i);)
#else
STN_MAP_INTEGER(put, (at(i), gather(u, 1)), STN_PUT(u, 7, i);)
#endif
