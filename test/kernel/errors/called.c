/* Calls of a kernel that is none are no further errors. */
/* error: steno: scaled: no parameter is written view\(x\); */
#include "steno/kernel.h"

#ifdef TWIN
STN_MAP(scaled, (real(alpha), in(x), out(y)), y = alpha * x;)
#else
STN_MAP(scaled, (real(alpha), view(x), out(y)), y = alpha * x;)
#endif

stn_status call(const stn_exec *exec, const stn_view *x, const stn_view *y);
stn_status call(const stn_exec *exec, const stn_view *x, const stn_view *y)
{
    return scaled_run(exec, STN_F64, 2.0, x, y);
}
