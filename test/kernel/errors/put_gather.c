/* What is gathered from is not written. One arithmetic has one error. */
/* error c: (selector|controlling expression) .*stn_gather_1.* not compatible */
/* clang-format off */
/* error c++: (no matching function for call to|cannot convert|could not convert) .*(stn_write_by_1|stn_gather_1) */
/* clang-format on */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP_INTEGER(put, (at(i), scatter(u, 1)), STN_PUT(u, 7, i);)
#else
STN_MAP_INTEGER(put, (at(i), gather(u, 1)), STN_PUT(u, 7, i);)
#endif
