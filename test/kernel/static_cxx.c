/* As mistakes.c, of which compilers of C find only some: static variables in C++. */
#include "steno/kernel.h"

/* clang-format off */
/* error: steno: third: static variables of a body must be const */
STN_MAP(third, (in(x), out(y)), static const int one = 1; static const int *p = &one; y = x + *p; if (y > 1) p = 0;)
/* error: steno: in_member: static variables of a body must be const */
STN_MAP(in_member, (out(y)), struct counter {static int next() {static int n; return n++;}}; y = counter::next();)
/* error: steno: after_literals: static variables of a body must be const */
STN_MAP(after_literals, (out(y)), const char c = '"'; const char *s = "\""; static int n = 0; y = s[n++] + c;)
/* error: steno: after_class: static variables of a body must be const */
STN_MAP(after_class, (out(y)), struct pair {int a;}; static pair p = {1}; y = p.a++;)
/* clang-format on */
