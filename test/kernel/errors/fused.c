/* A view without its format. */
/* error: steno: scaled_f16: no parameter of fused loops is written in\(x\); there is in\(x, f16\),
 * with the formats of format.h */
#include "steno/kernel_fuse.h"

STN_MAP(scaled, (real(alpha), in(x), out(y)), y = alpha * x;)
#ifdef TWIN
STN_FUSE(scaled_f16, scaled, f64, (real(alpha), in(x, f16), out(y, f64)))
#else
STN_FUSE(scaled_f16, scaled, f64, (real(alpha), in(x), out(y, f64)))
#endif
