/* As mistakes.c: macros whose headers are not included, with calls of their functions. */
#include "steno/steno.h"

/* clang-format off */
/* error: steno: map: STN_MAP needs #include .*steno/kernel\.h */
STN_MAP(map, (in(x), out(y)), y = x;)
/* error: steno: fused: STN_FUSE needs #include .*steno/kernel_fuse\.h */
STN_FUSE(fused, map, f64, (in(x, f16), out(y, f16)))
/* error: steno: reduced: STN_REDUCE needs #include .*steno/reduce\.h */
STN_REDUCE(reduced, sum, (in(x)), x)
/* error: steno: reduced_by: STN_REDUCE_COMPLEX_BY needs #include .*steno/reduce\.h */
STN_REDUCE_COMPLEX_BY(reduced_by, (in(x)), x, stn_c_add(a, b), a, x)
/* error: steno: scanned: STN_SCAN_INTEGER needs #include .*steno/scan\.h */
STN_SCAN_INTEGER(scanned, sum, (in(x)), x)
/* clang-format on */

stn_status call(const stn_exec *exec, double *sum, const stn_view *x, const stn_view *y);
stn_status call(const stn_exec *exec, double *sum, const stn_view *x, const stn_view *y)
{
    stn_status status = map_run(exec, STN_F64, x, y);
    if (status == STN_OK)
        status = reduced_reduce(exec, STN_F64, sum, x);
    if (status == STN_OK)
        status = scanned_scan(exec, STN_I64, 0, y, x);
    return status;
}
