/* A fused loop that writes what its kernel reads and writes. */
/* error: (conflicting|redefinition).*(doubled_parameters_in_order|stn_parameter_OUT) */
/* lines: 16 */
#include "steno/kernel_fuse.h"

STN_MAP(doubled, (inout(y)), y = 2 * y;)
#ifdef TWIN
STN_FUSE(doubled_f16, doubled, f64, (inout(y, f16)))
#else
STN_FUSE(doubled_f16, doubled, f64, (out(y, f16)))
#endif
