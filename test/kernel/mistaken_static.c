/* As mistakes.c. In C, clang reports these variables itself, without the name of the kernel. */
#include "steno/kernel.h"

/* clang-format off */
/* error: steno: counts: static variables of a body must be const|static local variable in inline function */
STN_MAP(counts, (in(x), out(y)), static int n; n++; y = x + n;)
/* error: steno: inner: static variables of a body must be const|static local variable in inline function */
STN_MAP_INTEGER(inner, (in(x), out(y)), y = x; if (x > 0) {static int64_t last = 3; y = last; last = x;})
/* error: steno: second: static variables of a body must be const|static local variable in inline function */
STN_MAP_COMPLEX(second, (in(x), out(y)), static const int two = 2; static int n; n += two; y = x; y.re = n;)
/* clang-format on */
