/* The former launch inside. */
/* error: blur_run_inside.* steno: it is now blur_run, with inside as the boundary: sten */
#include "steno/kernel.h"

STN_MAP(blur, (at(i), stencil(u, inside, 1), out(y)), y = STN_AT(u, i - 1);)
stn_status call(const stn_exec *exec, const stn_view *x, const stn_view *y);
stn_status call(const stn_exec *exec, const stn_view *x, const stn_view *y)
{
#ifdef TWIN
    return blur_run(exec, STN_F64, x, y);
#else
    return blur_run_inside(exec, STN_F64, x, y);
#endif
}
