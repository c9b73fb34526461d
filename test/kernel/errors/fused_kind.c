/* A fused loop with a parameter of another kind than its kernel has. */
/* error: (conflicting|redefinition).*(clipped_parameters_in_order|stn_parameter_INDEX) */
/* lines: 24 */
#include "steno/kernel_fuse.h"

STN_MAP(clipped, (real(c), in(x), inout(y)), if (x > c) y = x * c;)
#ifdef TWIN
STN_FUSE(clipped_f16, clipped, f64, (real(c), in(x, f16), inout(y, f64)))
#else
STN_FUSE(clipped_f16, clipped, f64, (index(c), in(x, f16), inout(y, f64)))
#endif
