/* Another number of indices, in a helper function. */
/* lines: 14 */
/* error: steno: STN_AT\(u, \.\.\.\) with 1 index: it takes a gather, scatter */
#include "steno/kernel.h"

#ifdef TWIN
#    define HERE i, j
#else
#    define HERE i
#endif

STN_KERNEL_FN double corner(const stn_gather_2 u, int64_t i, int64_t j)
{
    typedef double real_t;
    (void)j;
    return STN_AT(u, HERE);
}
STN_MAP(sum, (at(i, j), gather(u, 2), out(y)), y = (real_t)corner(u, i, j);)
