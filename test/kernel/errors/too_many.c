/* One parameter too many. */
/* error: steno: long_list: more than 48 parameters */
#include "steno/kernel.h"

/* clang-format off */
#define MANY \
    in(a0), in(a1), in(a2), in(a3), in(a4), in(a5), in(a6), in(a7), in(a8), in(a9), in(a10), \
    in(a11), in(a12), in(a13), in(a14), in(a15), in(a16), in(a17), in(a18), in(a19), in(a20), \
    in(a21), in(a22), in(a23), in(a24), in(a25), in(a26), in(a27), in(a28), in(a29), in(a30), \
    in(a31), in(a32), in(a33), in(a34), in(a35), in(a36), in(a37), in(a38), in(a39), in(a40), \
    in(a41), in(a42), in(a43), in(a44), in(a45), in(a46), in(a47)
/* clang-format on */

#ifdef TWIN
STN_MAP(long_list, (MANY), (void)a0;)
#else
STN_MAP(long_list, (MANY, out(y)), y = a0;)
#endif
